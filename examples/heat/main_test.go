package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// The program of all steps on the mesh: weft show --as plan --mesh shows what it costs on other meshes.
func TestProgram(t *testing.T) {
	cut := mesh.ShardMap(piece, mesh.New(mesh.Axis("rows", devices)), mesh.In(mesh.P("rows")), mesh.Out(mesh.P("rows")))
	j, err := weft.Jaxpr(after(cut), weft.Zeros(size, size))
	if err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "mesh.jaxpr", j.String()+"\n")
}
