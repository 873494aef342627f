package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := run(&b); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// The program of a loss and its gradient on the mesh: weft show --as plan --mesh shows what it costs on other meshes.
func TestProgram(t *testing.T) {
	parallel := mesh.ShardMap(func(b Block, x, want weft.Array) weft.Array {
		y := b.apply(x, func(part weft.Array) weft.Array { return lax.Psum(part, "model") })
		return lax.Pmean(loss(y, want), "data")
	}, mesh.New(mesh.Axis("data", 2), mesh.Axis("model", 2)), mesh.In(cut, mesh.P("data"), mesh.P("data")), mesh.Out(mesh.P()))
	x := weft.Zeros(batch, length, width)
	j, err := weft.Jaxpr(func(b Block) (weft.Array, Block) {
		return weft.ValueAndGrad(func(b Block) weft.Array { return parallel(b, x, x) })(b)
	}, newBlock(random.New(1)))
	if err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "mesh.jaxpr", j.String()+"\n")
}
