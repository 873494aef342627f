package hostile_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/tree"
)

// A link is a list that can contain itself.
type link struct {
	X    weft.Array
	Next *link
}

// Errors about trees that contain themselves, or that nest without end, name the operation that got the tree.
func TestCyclesNameTheOperation(t *testing.T) {
	x := weft.Of(1., 2)
	cycle := link{X: x, Next: &link{X: x}}
	cycle.Next.Next = cycle.Next
	deep := link{X: x}
	for range 3000 {
		deep = link{X: x, Next: &link{X: x, Next: deep.Next}}
	}
	type none = custom.None
	f := func(l link) weft.Array { return l.X.Sum() }
	same := func(l link) link { return l }
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	ops := map[string]func(l link){
		"TreeMap":    func(l link) { weft.TreeMap(weft.Sin, l) },
		"TreeMap2":   func(l link) { weft.TreeMap2(func(x, y weft.Array) weft.Array { return x }, link{X: x}, l) },
		"TreeLeaves": func(l link) { weft.TreeLeaves(l)(func(string, weft.Array) bool { return true }) },
		"TreeStack":  func(l link) { weft.TreeStack(l, l) },
		"TreeIndex":  func(l link) { weft.TreeIndex(l, 0) },
		"Ravel":      func(l link) { weft.Ravel(l) },
		"Grad":       func(l link) { weft.Grad(f)(l) },
		"GradAt":     func(l link) { weft.GradAt(l, f) },
		"GradAux":    func(l link) { weft.GradAux(func(x weft.Array) (weft.Array, link) { return x.Sum(), l })(x) },
		"JVP":        func(l link) { weft.JVP(f, l, l) },
		"JVP ":       func(l link) { weft.JVP(func(weft.Array) link { return l }, x, x) },
		"VJP":        func(l link) { weft.VJP(f, l) },
		"VJP ":       func(l link) { weft.VJP(func(weft.Array) link { return l }, x) },
		"Linearize":  func(l link) { weft.Linearize(f, l) },
		"Jacrev":     func(l link) { weft.Jacrev(f)(l) },
		"Jacfwd":     func(l link) { weft.Jacfwd(f)(l) },
		"HVP":        func(l link) { weft.HVP(f, l, l) },
		"Jit":        func(l link) { weft.Jit(f)(l) },
		"Jit ":       func(l link) { weft.Jit(func(weft.Array) link { return l })(x) },
		"Vmap":       func(l link) { weft.Vmap(f)(l) },
		"Vmap ":      func(l link) { weft.Vmap(func(weft.Array) link { return l })(x) },
		"Remat":      func(l link) { weft.Remat(f)(l) },
		"Remat ":     func(l link) { weft.Remat(func(weft.Array) link { return l })(x) },
		"Cond":       func(l link) { weft.Cond(weft.Of(true).Index(0), func() link { return l }, func() link { return l }) },
		"Switch":     func(l link) { weft.Switch(weft.Of(1).Index(0), func() link { return l }, func() link { return l }) },
		"While":      func(l link) { weft.While(func(link) weft.Array { return weft.Of(false).Index(0) }, same, l) },
		"ForI":       func(l link) { weft.ForI(3, func(i weft.Array, l link) link { return l }, l) },
		"Scan":       func(l link) { weft.Scan(func(c link, x weft.Array) (link, weft.Array) { return c, x }, l, x) },
		"Scan ":      func(l link) { weft.Scan(func(c weft.Array, x link) (weft.Array, weft.Array) { return c, x.X }, x, l) },
		"Scan  ":     func(l link) { weft.Scan(func(c, x weft.Array) (weft.Array, link) { return c, l }, x, x) },
		"ScanN":      func(l link) { weft.ScanN(func(c link) (link, weft.Array) { return c, x }, l, 2) },
		"MapScan":    func(l link) { weft.MapScan(f, l) },
		"AssociativeScan": func(l link) {
			weft.AssociativeScan(func(a, b link) link { return b }, l)
		},
		"StopGradient": func(l link) { weft.StopGradient(l) },
		"Save":         func(l link) { must(weft.Save(&bytes.Buffer{}, l)) },
		"SaveNpz":      func(l link) { must(weft.SaveNpz(&bytes.Buffer{}, l)) },
		"Load":         func(l link) { must(weft.Load(&bytes.Buffer{}, &l)) },
		"EvalShape":    func(l link) { _, err := weft.EvalShape(f, l); must(err) },
		"Compile":      func(l link) { _, err := weft.Compile(f, l); must(err) },
		"Partition":    func(l link) { tree.Partition(l, func(string, weft.Array) bool { return true }) },
		"Combine":      func(l link) { tree.Combine(l, l) },
		"NewAdam":      func(l link) { optim.NewAdam(l, optim.AdamConfig{}) },
		"custom.JVP":   func(l link) { custom.JVP(f, func(p, t link) (weft.Array, weft.Array) { return p.X, p.X })(l) },
		"custom.VJP": func(l link) {
			custom.VJP(f, func(p link) (weft.Array, none) { return p.X, none{} }, func(none, weft.Array) link { return link{} })(l)
		},
		"custom.Vmap": func(l link) {
			custom.Vmap(f, func(int, link, link) (a, b weft.Array) { return x, x })(l)
		},
	}
	for name, op := range ops {
		for what, l := range map[string]link{"contains itself": cycle, "nests deep": deep} {
			err := testcheck.Recover(func() { op(l) })
			var e *core.Error
			if !errors.As(err, &e) {
				t.Errorf("%s of a tree that %s: got %v, want an error", name, what, err)
			} else if e.Op == "" || !strings.HasPrefix(name, e.Op) || !strings.HasPrefix(e.Pos, "tree_cycles_test.go:") {
				t.Errorf("%s of a tree that %s: %v (operation %q)", name, what, err, e.Op)
			}
		}
	}
}
