package ode

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// dynamics is f as a program over a state of one axis. The program takes what f closed over, the state,
// the time, then the arrays of the arguments.
type dynamics struct {
	program *jaxpr.Jaxpr
	closed  int // how many values it closed over
}

// at returns y' at a state and time; rest is what f closed over and its arguments.
func (d dynamics) at(y, t weft.Array, rest []weft.Array) weft.Array {
	in := make([]core.Value, 0, len(rest)+2)
	for _, x := range slices.Concat(rest[:d.closed], []weft.Array{y, t}, rest[d.closed:]) {
		in = append(in, x.Value())
	}
	return weft.FromValue(jaxpr.Eval(d.program, nil, in)[0])
}

// flatten traces f. It returns the first state as an array of one axis, with the way back to a
// tree, and everything else that f depends on. That includes traced values that f closes over, so
// that derivatives flow to them.
func flatten[Y, A any](f func(Y, weft.Array, A) Y, y0 Y, ts weft.Array, args A) (d dynamics, y weft.Array, rest []weft.Array, unravel func(weft.Array) Y) {
	y, unravel = weft.Ravel(y0)
	if !y.DType().IsInexact() {
		core.FailOp(core.ErrDType, "Odeint", []core.ShapedArray{y.Value().Aval()}, "the state is %v and cannot change continuously; make floating point numbers of it, as in weft.Scalar(1.)", y.DType())
	}
	narrow := unravel
	own := y.DType()
	unravel = func(y weft.Array) Y { return narrow(y.AsType(own)) }
	y = strong(wide(y))
	time := core.Aval(wide(ts).DType())
	avals := []core.ShapedArray{y.Value().Aval(), time}
	for _, x := range weft.TreeLeaves(args) {
		rest = append(rest, x)
		avals = append(avals, x.Value().Aval())
	}
	program := trace.Stage("f", avals, func(in []core.Value) []core.Value {
		state, at := unravel(weft.FromValue(in[0])), weft.FromValue(in[1]).AsType(ts.DType())
		leaves := in[2:]
		given := weft.TreeMap(func(weft.Array) weft.Array {
			x := weft.FromValue(leaves[0])
			leaves = leaves[1:]
			return x
		}, args)
		dy := f(state, at, given)
		refuseOther(state, dy)
		flat, _ := weft.Ravel(dy)
		return []core.Value{flat.AsType(y.DType()).Value()}
	})
	closed := trace.HoistTracers(program)
	for i, v := range closed {
		rest = slices.Insert(rest, i, weft.FromValue(v))
	}
	return dynamics{program, len(closed)}, y, rest, unravel
}

// refuseOther refuses a derivative whose arrays are not those of the state.
func refuseOther[Y any](state, dy Y) {
	type leaf struct {
		path string
		x    weft.Array
	}
	var want, got []leaf
	for path, x := range weft.TreeLeaves(state) {
		want = append(want, leaf{path, x})
	}
	for path, x := range weft.TreeLeaves(dy) {
		got = append(got, leaf{path, x})
	}
	if len(want) != len(got) {
		core.FailOp(core.ErrTree, "Odeint", nil, "the function returns %s for a state of %d; y' has the form of y", core.Count(len(got), "array"), len(want))
	}
	for i, w := range want {
		if w.path != got[i].path || got[i].x.IsZero() {
			core.FailOp(core.ErrTree, "Odeint", nil, "the function returns no array for %q of the state; y' has the form of y", w.path)
		}
		a, b := w.x.Value().Aval(), got[i].x.Value().Aval()
		if a.Shape != b.Shape || a.DType != b.DType && !b.Weak {
			core.FailOp(core.ErrDType, "Odeint", []core.ShapedArray{a, b}, "the function returns %v for %q of the state, which is %v; convert it with AsType or Reshape", b.Full(), w.path, a.Full())
		}
	}
}
