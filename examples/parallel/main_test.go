package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/wefttest"
)

func TestOutput(t *testing.T) {
	var b strings.Builder
	if err := run(&b, "", 240); err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "output.txt", b.String())
}

// Training that stops and goes on from its checkpoint ends with the same lines.
func TestGoesOn(t *testing.T) {
	var whole, first, second strings.Builder
	if err := run(&whole, "", 120); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := run(&first, dir, 100); err != nil {
		t.Fatal(err)
	}
	if err := run(&second, dir, 120); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(whole.String(), "\n")
	if got, want := second.String(), "goes on from step 80\n"+strings.Join(lines[2:], ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The program of a loss and its gradient on the mesh: weft show --as plan --mesh shows what it costs on other meshes.
func TestProgram(t *testing.T) {
	loss := mesh.DataParallel(mesh.New(mesh.Axis("data", devices)), "data", func(m Model, pixels, label weft.Array) weft.Array {
		return nn.CrossEntropy(m.Logits(pixels), label).Mean()
	})
	key := random.New(3)
	j, err := weft.Jaxpr(func(m Model, pixels, label weft.Array) (weft.Array, Model) {
		return weft.ValueAndGrad(func(m Model) weft.Array { return loss(m, pixels, label) })(m)
	}, Model{nn.NewLinear(key.FoldIn(0), 64, 64), nn.NewLinear(key.FoldIn(1), 64, 10)}, weft.Zeros(batch, 64), weft.Zeros(batch).AsType(weft.Int32))
	if err != nil {
		t.Fatal(err)
	}
	wefttest.Golden(t, "mesh.jaxpr", j.String()+"\n")
}
