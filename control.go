package weft

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/trace"
)

// Cond returns yes() if pred holds, else no(). Both are traced, one runs; where [Vmap] maps pred,
// both run. They may close over anything; their results must have the same form and types.
func Cond[R any](pred Array, yes, no func() R) R {
	leaves.RequireNonNil("Cond", yes, no)
	fr := formOf[R]("Cond")
	var results joined[R]
	outs := trace.Cond(nd.ValueOf("Cond", pred), results.branch("Cond", "the true branch", fr, yes), results.branch("Cond", "the false branch", fr, no))
	return together[R](results.def, outs)
}

// Switch runs the branch with index i, clamped to the branches that exist. The index is converted
// to int32, as in JAX: a wider one loses its high bits.
func Switch[R any](i Array, branches ...func() R) R {
	fr := formOf[R]("Switch")
	var results joined[R]
	fs := make([]func() []core.Value, len(branches))
	for k, b := range branches {
		leaves.RequireNonNil("Switch", b)
		fs[k] = results.branch("Switch", fmt.Sprintf("branch %d", k), fr, b)
	}
	outs := trace.Switch(nd.ValueOf("Switch", i), fs...)
	return together[R](results.def, outs)
}

// joined checks that all branches return results of one form.
type joined[R any] struct {
	def   defOf
	first *R
}

func (j *joined[R]) branch(op, name string, fr form[R], f func() R) func() []core.Value {
	return func() []core.Value {
		r := f()
		vals, def := fr.Returned(op, name, &r)
		if j.def == nil {
			j.def, j.first = def, &r
		} else {
			fr.RequireSame(op, "the results of the branches", j.first, &r)
		}
		return vals
	}
}

// While repeats body while cond holds. The carry keeps its form and types. The loop can be
// differentiated forward only: the number of iterations is not known beforehand.
func While[C any](cond func(C) Array, body func(C) C, init C) C {
	leaves.RequireNonNil("While", cond, body)
	fc := formOf[C]("While")
	vals, def := fc.Values("While", &init)
	outs := trace.While(func(in []core.Value) core.Value {
		more := cond(together[C](def, in))
		if more.IsZero() {
			core.FailOp(core.ErrTree, "While", nil, "the condition returned the zero Array, which has no value; return a truth value")
		}
		return more.Value()
	}, func(in []core.Value) []core.Value {
		next := body(together[C](def, in))
		fc.RequireSame("While", "the carry and the result of the body", &init, &next)
		vals, _ := fc.Returned("While", "the body", &next)
		return vals
	}, vals)
	return together[C](def, outs)
}

// ForI runs body n times, with i from 0 to n−1. Since n is a Go int it is a scan,
// and can be differentiated in reverse.
func ForI[C any](n int, body func(i Array, c C) C, init C) C {
	leaves.RequireNonNil("ForI", body)
	return forRange("ForI", literalInt(0), literalInt(n), body, init)
}

// ForRange runs body with i from lo up to, but not including, hi. If a bound is not a number made by
// [Scalar] or [AsArray], the loop can be differentiated forward only.
func ForRange[C any](lo, hi Array, body func(i Array, c C) C, init C) C {
	leaves.RequireNonNil("ForRange", body)
	return forRange("ForRange", lo.Value(), hi.Value(), body, init)
}

func literalInt(n int) core.Value {
	return nd.Fitting("ForI", core.Literal{Num: core.IntNumber(int64(n)), Type: core.Int32, Weak: true})
}

func forRange[C any](op string, lo, hi core.Value, body func(i Array, c C) C, init C) C {
	fc := formOf[C](op)
	vals, def := fc.Values(op, &init)
	outs := trace.ForI(lo, hi, func(i core.Value, carry []core.Value) []core.Value {
		next := body(FromValue(i), together[C](def, carry))
		fc.RequireSame(op, "the carry and the result of the body", &init, &next)
		vals, _ := fc.Returned(op, "the body", &next)
		return vals
	}, vals)
	return together[C](def, outs)
}

// A ScanOption changes how a scan runs.
type ScanOption interface{ scan(*scanOptions) }

type scanOptions struct {
	reverse bool
	unroll  int
}

type scanOption func(*scanOptions)

func (f scanOption) scan(o *scanOptions) { f(o) }

func scanOptionsOf(op string, opts []ScanOption) (o scanOptions) {
	for _, opt := range opts {
		requireOption(op, opt == nil)
		opt.scan(&o)
	}
	return o
}

// Reverse runs the scan from the last element to the first; outputs keep the
// order of the inputs.
func Reverse() ScanOption { return scanOption(func(o *scanOptions) { o.reverse = true }) }

// Unroll lets an executor run n iterations as one longer loop body.
func Unroll(n int) ScanOption {
	if n < 1 {
		core.FailOp(core.ErrStatic, "Unroll", nil, "%d steps cannot be unrolled; unroll 1 or more: let one iteration do so many steps", n)
	}
	return scanOption(func(o *scanOptions) { o.unroll = n })
}

// Scan runs f along the leading axis of xs: f takes the carry and a slice of xs
// and returns the next carry and an output; outputs are stacked.
func Scan[C, X, Y any](f func(C, X) (C, Y), init C, xs X, opts ...ScanOption) (C, Y) {
	leaves.RequireNonNil("Scan", f)
	fx := formOf[X]("Scan")
	vals, def := fx.Values("Scan", &xs)
	return scan("Scan", func(c C, x []core.Value) (C, Y) { return f(c, together[X](def, x)) }, init, vals, -1, opts)
}

// ScanN is [Scan] without inputs, for n iterations.
func ScanN[C, Y any](f func(C) (C, Y), init C, n int, opts ...ScanOption) (C, Y) {
	leaves.RequireNonNil("ScanN", f)
	if n < 0 {
		core.FailOp(core.ErrShape, "ScanN", nil, "negative number of steps (got %d); use 0 or more", n)
	}
	return scan("ScanN", func(c C, _ []core.Value) (C, Y) { return f(c) }, init, nil, n, opts)
}

// Fold is [Scan] without outputs.
func Fold[C, X any](f func(C, X) C, init C, xs X, opts ...ScanOption) C {
	leaves.RequireNonNil("Fold", f)
	fx := formOf[X]("Fold")
	vals, def := fx.Values("Fold", &xs)
	c, _ := scan("Fold", func(c C, x []core.Value) (C, struct{}) { return f(c, together[X](def, x)), struct{}{} }, init, vals, -1, opts)
	return c
}

// MapScan applies f to each slice of xs along its leading axis, one after the other, and stacks
// the results. It computes what [Vmap] computes at once, in less memory.
func MapScan[X, Y any](f func(X) Y, xs X, opts ...ScanOption) Y {
	leaves.RequireNonNil("MapScan", f)
	fx := formOf[X]("MapScan")
	vals, def := fx.Values("MapScan", &xs)
	_, ys := scan("MapScan", func(c struct{}, x []core.Value) (struct{}, Y) { return c, f(together[X](def, x)) }, struct{}{}, vals, -1, opts)
	return ys
}

func scan[C, Y any](op string, f func(C, []core.Value) (C, Y), init C, xs []core.Value, n int, opts []ScanOption) (C, Y) {
	fc, fy := formOf[C](op), formOf[Y](op)
	carry, def := fc.Values(op, &init)
	o := scanOptionsOf(op, opts)
	config := trace.ScanConfig{Length: n, Op: op, Reverse: o.reverse, Unroll: o.unroll}
	var out defOf
	last, ys := trace.Scan(func(c, x []core.Value) (next, y []core.Value) {
		nc, ny := f(together[C](def, c), x)
		fc.RequireSame(op, "the carry and the result of the body", &init, &nc)
		next, _ = fc.Returned(op, "the body", &nc)
		y, out = fy.Returned(op, "the body", &ny)
		return next, y
	}, carry, xs, config)
	return together[C](def, last), together[Y](out, ys)
}

// AssociativeScan returns all prefixes of xs along its leading axis, combined by f. f must be
// associative and work on batches: it is applied to slices of the leading axis, in a tree of
// logarithmic depth.
func AssociativeScan[X any](f func(a, b X) X, xs X, opts ...ScanOption) X {
	leaves.RequireNonNil("AssociativeScan", f)
	fx := formOf[X]("AssociativeScan")
	vals, def := fx.Values("AssociativeScan", &xs)
	o := scanOptionsOf("AssociativeScan", opts)
	combine := func(a, b []core.Value) []core.Value {
		c := f(together[X](def, a), together[X](def, b))
		fx.RequireSame("AssociativeScan", "the operands and the results of the function", &xs, &c)
		vals, _ := fx.Returned("AssociativeScan", "the function", &c)
		return vals
	}
	if o.reverse {
		flip(vals)
	}
	outs := trace.AssociativeScan(combine, vals, 0)
	if o.reverse {
		flip(outs)
	}
	return together[X](def, outs)
}

func flip(vs []core.Value) {
	for i, v := range vs {
		vs[i] = prim.Rev(v, core.MakeDims(0))
	}
}

// StopGradient returns p as a constant for derivatives.
func StopGradient[P any](p P) P {
	fm := formOf[P]("StopGradient")
	vals, def := fm.Values("StopGradient", &p)
	for i, v := range vals {
		if v.Aval().DType != core.Float0 { // float0 has no elements
			vals[i] = prim.StopGradient(v)
		}
	}
	return together[P](def, vals)
}
