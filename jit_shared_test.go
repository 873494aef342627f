package weft_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
)

func ExampleJit_changes() {
	// What a function puts into slices and maps, or behind pointers, its caller finds there.
	step := weft.Jit(func(params map[string]weft.Array, grads map[string]weft.Array) {
		for name, g := range grads {
			params[name] = params[name].Sub(g.Mul(0.5))
		}
	})
	params := map[string]weft.Array{"w": weft.Of(1., 2), "b": weft.Scalar(3.)}
	grads := map[string]weft.Array{"w": weft.Of(2., 2), "b": weft.Scalar(4.)}
	step(params, grads)
	step(params, grads)
	fmt.Println(params["w"], params["b"])
	// Output:
	// [-1.  0.] -1.0
}

func TestJitWritesIntoSlicesAndMaps(t *testing.T) {
	one, two := weft.Scalar(1.), weft.Scalar(2.)
	traces := 0
	slice := weft.Jit(func(p []weft.Array, x weft.Array) weft.Array {
		traces++
		p[0] = p[0].Add(x)
		return p[0]
	})
	p := []weft.Array{one, two}
	for i := range 3 {
		near(t, "result", slice(p, one), float64(i+2))
	}
	near(t, "p[0]", p[0], 4)
	near(t, "p[1]", p[1], 2)
	if traces != 1 {
		t.Errorf("traced %d times, want 1", traces)
	}

	type layer struct{ W []weft.Array }
	deep := weft.Jit(func(m map[string]layer, i any) {
		m["a"].W[1] = m["a"].W[0].Mul(10)
		i.([]weft.Array)[0] = i.([]weft.Array)[0].Neg()
	})
	m := map[string]layer{"a": {[]weft.Array{one, two}}}
	held := []weft.Array{one}
	for range 2 {
		deep(m, held)
	}
	near(t, "in a map of slices", m["a"].W[1], 10)
	near(t, "in a slice in an interface", held[0], 1)

	// A struct by value is the function's own; what it leads to is the caller's.
	type state struct {
		Own  weft.Array
		Rows []weft.Array
	}
	byValue := weft.Jit(func(s state) { s.Own, s.Rows[0] = s.Own.Add(1), s.Own })
	s := state{one, []weft.Array{two}}
	byValue(s)
	near(t, "own", s.Own, 1)
	near(t, "rows", s.Rows[0], 1)

	// Within another trace, and compiled ahead.
	outer := weft.Jit(func(x weft.Array) weft.Array {
		p := []weft.Array{x, x.Mul(2)}
		slice(p, x)
		return p[0]
	})
	near(t, "within a trace", outer(weft.Scalar(3.)), 6)
	near(t, "its derivative", weft.Grad(outer)(weft.Scalar(3.)), 2)
	ahead, err := weft.Compile(func(p []weft.Array) { p[0] = p[0].Mul(5) }, p)
	if err != nil {
		t.Fatal(err)
	}
	ahead.Call(p)
	near(t, "compiled", p[0], 20)
}

func TestJitWritesBackOnSuccessOnly(t *testing.T) {
	p := []weft.Array{weft.Scalar(1.)}
	f := weft.Jit(func(p []weft.Array) error { p[0] = p[0].Add(1); return errors.New("no") })
	if f(p) == nil {
		t.Error("no error")
	}
	near(t, "after an error", p[0], 1)
	m := map[string]weft.Array{"w": p[0]}
	grow := weft.Jit(func(m map[string]weft.Array) { m["new"] = m["w"] })
	testcheck.Fails(t, core.ErrTree, func() { grow(m) }, "1 entries before, 2 entries after", "give the rest as a result")
	if len(m) != 1 {
		t.Errorf("the map has %d entries", len(m))
	}
}

func TestJitRefusesOnePlaceTwice(t *testing.T) {
	swap := weft.Jit(func(a, b []weft.Array) { a[0], b[0] = b[0], a[0].Add(1) })
	read := weft.Jit(func(a, b []weft.Array) weft.Array { return a[0].Add(b[0]) })
	p := []weft.Array{weft.Scalar(1.), weft.Scalar(2.)}
	near(t, "read twice", read(p, p), 2)
	swap(p[:1], p[1:])
	near(t, "p[0]", p[0], 2)
	near(t, "p[1]", p[1], 2)
	testcheck.Fails(t, core.ErrTree, func() { swap(p, p) }, "argument 0[0] and argument 1[0] share memory", "pass a copy as one")
	q := []weft.Array{p[0], p[1], p[0]}
	testcheck.Fails(t, core.ErrTree, func() { swap(q[:2], q[1:]) }, "argument 0[1] and argument 1[0]")
	maps := weft.Jit(func(a, b map[string][2]weft.Array) { a["k"] = [2]weft.Array{b["k"][1], b["k"][0]} })
	m := map[string][2]weft.Array{"k": {p[0], p[1]}}
	testcheck.Fails(t, core.ErrTree, func() { maps(m, m) }, `argument 0["k"][0] and argument 1["k"][0]`)
	type pair struct{ A, B weft.Array }
	inner := weft.Jit(func(p *pair, b *weft.Array) { *b = p.A })
	v := pair{p[0], p[1]}
	testcheck.Fails(t, core.ErrTree, func() { inner(&v, &v.B) }, "share memory")
}

func TestWritesThatWouldBeLostAreRefused(t *testing.T) {
	p := []weft.Array{weft.Scalar(1.)}
	m := map[string]weft.Array{"w": p[0]}
	loss := func(p []weft.Array) weft.Array { p[0] = weft.Square(p[0]); return p[0] }
	wants := []string{`writes leaf "[0]"`, "nothing is written back", "copy"}
	testcheck.Fails(t, core.ErrTree, func() { weft.Grad(loss)(p) }, append(wants, "Grad")...)
	testcheck.Fails(t, core.ErrTree, func() { weft.JVP(loss, p, p) }, append(wants, "JVP")...)
	testcheck.Fails(t, core.ErrTree, func() { weft.Remat(loss)(p) }, append(wants, "Remat")...)
	testcheck.Fails(t, core.ErrTree, func() { weft.Vmap(loss)([]weft.Array{weft.Of(1., 2)}) }, append(wants, "Vmap")...)
	testcheck.Fails(t, core.ErrTree, func() {
		custom.JVP(loss, func(p, q []weft.Array) (weft.Array, weft.Array) { return p[0], q[0] })(p)
	}, append(wants, "custom.JVP")...)
	testcheck.Fails(t, core.ErrTree, func() {
		weft.Grad(func(m map[string]weft.Array) weft.Array { m["h"] = m["w"]; return m["h"] })(m)
	}, "changes the structure", "copy")
	testcheck.Fails(t, core.ErrTree, func() {
		weft.Vmap(func(m map[string]weft.Array) weft.Array { delete(m, "w"); return weft.Scalar(1.) })(map[string]weft.Array{"w": weft.Of(1.)})
	}, "changes the structure of argument 0")
	near(t, "p[0]", p[0], 1)
}
