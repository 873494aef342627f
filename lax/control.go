package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/trace"
)

// Control flow. Functions within a program become programs of their own. Arrays that they close
// over become leading operands, in order of first use, before the operands that are given.
// Operands, carries and results are trees of Arrays; struct{}{} has none. The same function value
// on the same types is one program, which text shows once.

// Cond returns onTrue(operand) if pred holds, else onFalse(operand). pred is a truth
// value, or a number that is compared with 0.
func Cond[P, R any, T weft.Operand](pred T, onTrue, onFalse func(P) R, operand P) R {
	leaves.RequireNonNil("Cond", onTrue, onFalse)
	b := newBranches[P, R]("Cond", operand)
	return b.results(trace.CondOn(value(pred), b.body(onTrue), b.body(onFalse), b.in))
}

// Switch applies the branch with the given index, clamped to the branches that exist, to the
// operand.
func Switch[P, R any, T weft.Operand](index T, operand P, branches ...func(P) R) R {
	b := newBranches[P, R]("Switch", operand)
	bodies := make([]trace.Body, len(branches))
	for i, f := range branches {
		leaves.RequireNonNil("Switch", f)
		bodies[i] = b.body(f)
	}
	return b.results(trace.SwitchOn(value(index), bodies, b.in))
}

// branches are functions of one operand, whose results have one structure.
type branches[P, R any] struct {
	fp    form[P]
	fr    form[R]
	in    []core.Value
	def   *tree.Def[weft.Array]
	out   *tree.Def[weft.Array]
	first R
}

func newBranches[P, R any](op string, operand P) *branches[P, R] {
	b := &branches[P, R]{fp: formOf[P](op), fr: formOf[R](op)}
	b.in, b.def = b.fp.apart(operand)
	return b
}

func (b *branches[P, R]) body(f func(P) R) trace.Body {
	return trace.Body{Of: f, F: func(in []core.Value) []core.Value {
		r := f(b.fp.together(b.def, in))
		vs, def := b.fr.apart(r)
		if b.out == nil {
			b.out, b.first = def, r
		} else {
			b.fr.same("the results of the branches", b.first, r)
		}
		return vs
	}}
}

func (b *branches[P, R]) results(vs []core.Value) R { return b.fr.together(b.out, vs) }

// WhileLoop repeats body while cond holds. The carry keeps its structure and types.
func WhileLoop[C any](cond func(C) weft.Array, body func(C) C, init C) C {
	leaves.RequireNonNil("WhileLoop", cond, body)
	fc := formOf[C]("WhileLoop")
	vs, def := fc.apart(init)
	return fc.together(def, trace.WhileOf(
		trace.Body{Of: cond, F: func(in []core.Value) []core.Value { return []core.Value{cond(fc.together(def, in)).Value()} }},
		trace.Body{Of: body, F: func(in []core.Value) []core.Value { return fc.step(body(fc.together(def, in)), init) }}, vs))
}

// step returns the values of the next carry, which must have the structure of the first.
func (f form[P]) step(next, first P) []core.Value {
	f.same("the carry and the result of the body", first, next)
	vs, _ := f.apart(next)
	return vs
}

// ForiLoop runs body with i from lo up to, not including, hi. If both bounds are numbers, as Go has them or as
// [weft.Scalar] makes them, it is a scan, else a while loop. The only options are [Unroll] and [UnrollAll].
func ForiLoop[L, H weft.Operand, C any](lo L, hi H, body func(i weft.Array, c C) C, init C, opts ...ScanOption) C {
	leaves.RequireNonNil("ForiLoop", body)
	fc := formOf[C]("ForiLoop")
	vs, def := fc.apart(init)
	config := configOf("ForiLoop", opts)
	if config.Reverse || config.Length >= 0 {
		core.FailOp(core.ErrStatic, "ForiLoop", nil, "Reverse and Length are options of a scan; let the bounds state the steps, and count backwards in the body")
	}
	return fc.together(def, trace.ForOf(value(lo), value(hi), trace.Body{Of: body, F: func(in []core.Value) []core.Value {
		return fc.step(body(wrap(in[0]), fc.together(def, in[1:])), init)
	}}, vs, config.Unroll))
}

// A ScanOption changes how a loop runs.
type ScanOption interface{ scan(*scanOptions) }

type scanOptions struct {
	reverse        bool
	unroll, length int
}

type scanOption func(*scanOptions)

func (f scanOption) scan(o *scanOptions) { f(o) }

// Reverse runs a scan from the last element to the first; outputs keep the order of
// the inputs.
func Reverse() ScanOption { return scanOption(func(o *scanOptions) { o.reverse = true }) }

// Unroll lets an executor run n iterations as one longer loop body.
func Unroll(n int) ScanOption {
	if n < 1 {
		core.FailOp(core.ErrStatic, "Unroll", nil, "%d steps cannot be unrolled; unroll 1 or more: let one iteration do so many steps", n)
	}
	return scanOption(func(o *scanOptions) { o.unroll = n })
}

// UnrollAll lets an executor run all iterations without a loop.
func UnrollAll() ScanOption { return scanOption(func(o *scanOptions) { o.unroll = -1 }) }

// Length sets the number of iterations of a scan, which is needed where xs has no arrays.
func Length(n int) ScanOption {
	if n < 0 {
		core.FailOp(core.ErrShape, "Length", nil, "negative number of steps (got %d); use 0 or more", n)
	}
	return scanOption(func(o *scanOptions) { o.length = n })
}

func configOf(op string, opts []ScanOption) trace.ScanConfig {
	o := scanOptions{length: -1}
	for _, opt := range opts {
		if opt == nil {
			core.FailOp(core.ErrStatic, op, nil, "an option is nil; leave it out")
		}
		opt.scan(&o)
	}
	return trace.ScanConfig{Reverse: o.reverse, Unroll: o.unroll, Length: o.length}
}

// Scan runs f along the leading axis of xs: f takes the carry and a slice of xs and
// returns the next carry and an output; outputs are stacked.
func Scan[C, X, Y any](f func(C, X) (C, Y), init C, xs X, opts ...ScanOption) (C, Y) {
	leaves.RequireNonNil("Scan", f)
	fc, fx, fy := formOf[C]("Scan"), formOf[X]("Scan"), formOf[Y]("Scan")
	carry, cdef := fc.apart(init)
	xvs, xdef := fx.apart(xs)
	config := configOf("Scan", opts)
	config.Of = f
	var ydef *tree.Def[weft.Array]
	last, ys := trace.Scan(func(c, x []core.Value) (next, y []core.Value) {
		nc, ny := f(fc.together(cdef, c), fx.together(xdef, x))
		next = fc.step(nc, init)
		y, ydef = fy.apart(ny)
		return next, y
	}, carry, xvs, config)
	return fc.together(cdef, last), fy.together(ydef, ys)
}

// Map applies f to each slice of xs along its leading axis and stacks the results:
// a scan without a carry.
func Map[X, Y any](f func(X) Y, xs X) Y {
	leaves.RequireNonNil("Map", f)
	fx, fy := formOf[X]("Map"), formOf[Y]("Map")
	vs, def := fx.apart(xs)
	var out *tree.Def[weft.Array]
	_, ys := trace.Scan(func(_, x []core.Value) (next, y []core.Value) {
		y, out = fy.apart(f(fx.together(def, x)))
		return nil, y
	}, nil, vs, trace.ScanConfig{Length: -1, Op: "Map", Of: f})
	return fy.together(out, ys)
}

// MapBatches is [Map] that takes n slices at once, by Vmap. It scans over the full batches and
// maps the remaining slices at the end.
func MapBatches[X, Y any](f func(X) Y, xs X, n int) Y {
	if n < 1 {
		core.FailOp(core.ErrShape, "MapBatches", nil, "a batch must have at least 1 slice (got %d); use a larger batch size", n)
	}
	leaves.RequireNonNil("MapBatches", f)
	fx, fy := formOf[X]("MapBatches"), formOf[Y]("MapBatches")
	vs, def := fx.apart(xs)
	if len(vs) == 0 || vs[0].Aval().Rank() == 0 {
		core.FailOp(core.ErrShape, "MapBatches", core.AvalsOf(vs), "no array with a leading axis to iterate over; pass one")
	}
	vf := weft.Vmap(f)
	length := vs[0].Aval().Shape.At(0)
	for _, v := range vs {
		if a := v.Aval(); a.Rank() == 0 || a.Shape.At(0) != length {
			core.FailOp(core.ErrShape, "MapBatches", core.AvalsOf(vs), "an array has no leading axis of size %d (got %v); make all arrays as long as the first", length, a.Full())
		}
	}
	whole := length / n * n
	if whole == 0 {
		return vf(xs)
	}
	each := func(f func(weft.Array) weft.Array, vs []core.Value) []core.Value {
		out := make([]core.Value, len(vs))
		for i, v := range vs {
			out[i] = f(wrap(v)).Value()
		}
		return out
	}
	head := vs
	if whole < length {
		head = each(func(x weft.Array) weft.Array { return lead(x, 0, whole) }, vs)
	}
	head = each(func(x weft.Array) weft.Array { return Reshape(x, append([]int{whole / n, n}, x.Shape()[1:]...)...) }, head)
	var rest []core.Value
	if whole < length {
		rest = each(func(x weft.Array) weft.Array { return lead(x, whole, length) }, vs)
	}
	ys, out := fy.apart(Map(vf, fx.together(def, head)))
	if whole < length {
		rest, _ = fy.apart(vf(fx.together(def, rest)))
	}
	for i, y := range ys {
		z := Reshape(wrap(y), append([]int{whole}, wrap(y).Shape()[2:]...)...)
		if whole < length {
			z = Concatenate(0, z, wrap(rest[i]))
		}
		ys[i] = z.Value()
	}
	return fy.together(out, ys)
}

// lead returns the slices of x from lo up to hi along the leading axis.
func lead(x weft.Array, lo, hi int) weft.Array {
	start, limit := make([]int, x.Rank()), []int(x.Shape())
	start[0], limit[0] = lo, hi
	return Slice(x, start, limit, nil)
}

// AssociativeScan returns all prefixes of elems along an axis, or all suffixes if reverse,
// combined by f. f must be associative and work on batches: it is applied in a tree of
// logarithmic depth.
func AssociativeScan[X any](f func(a, b X) X, elems X, axis int, reverse bool) X {
	leaves.RequireNonNil("AssociativeScan", f)
	fx := formOf[X]("AssociativeScan")
	vs, def := fx.apart(elems)
	if len(vs) > 0 {
		axis = axisOf("AssociativeScan", vs[0].Aval(), axis)
	}
	flip := func(vs []core.Value) {
		for i, v := range vs {
			vs[i] = Rev(wrap(v), axis).Value()
		}
	}
	if reverse {
		flip(vs)
	}
	outs := trace.AssociativeScan(func(a, b []core.Value) []core.Value {
		return fx.step(f(fx.together(def, a), fx.together(def, b)), elems)
	}, vs, axis)
	if reverse {
		flip(outs)
	}
	return fx.together(def, outs)
}
