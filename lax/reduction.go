package lax

import (
	"math"
	"reflect"
	"runtime"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Reductions combine the elements along axes and remove these axes, which count from 0. The order
// of addition is fixed: see package prim.

// ReduceSum returns the sum along axes; without elements it is 0. Integers keep their dtype and
// wrap.
func ReduceSum(x weft.Array, axes ...int) weft.Array {
	return wrap(prim.ReduceSum(x.Value(), core.MakeDims(axes...)))
}

// ReduceProd returns the product along axes; without elements it is 1.
func ReduceProd(x weft.Array, axes ...int) weft.Array {
	return wrap(prim.ReduceProd(x.Value(), core.MakeDims(axes...)))
}

// ReduceMax returns the largest element along axes, NaN if any is NaN. Without elements it is the
// lowest value of the dtype.
func ReduceMax(x weft.Array, axes ...int) weft.Array {
	return wrap(prim.ReduceMax(x.Value(), core.MakeDims(axes...)))
}

// ReduceMin returns the smallest element along axes, NaN if any is NaN. Without elements it is
// the highest value of the dtype.
func ReduceMin(x weft.Array, axes ...int) weft.Array {
	return wrap(prim.ReduceMin(x.Value(), core.MakeDims(axes...)))
}

// ReduceAnd returns the bitwise and along axes.
func ReduceAnd(x weft.Array, axes ...int) weft.Array {
	return wrap(prim.ReduceAnd(x.Value(), core.MakeDims(axes...)))
}

// ReduceOr returns the bitwise or along axes.
func ReduceOr(x weft.Array, axes ...int) weft.Array {
	return wrap(prim.ReduceOr(x.Value(), core.MakeDims(axes...)))
}

// ReduceXor returns the bitwise exclusive or along axes.
func ReduceXor(x weft.Array, axes ...int) weft.Array {
	return wrap(prim.ReduceXor(x.Value(), core.MakeDims(axes...)))
}

// Argmax returns the position of the largest element along an axis, as an integer of type dt: the
// first of equal ones, or the first NaN.
func Argmax(x weft.Array, axis int, dt weft.DType) weft.Array {
	return wrap(prim.Argmax(x.Value(), axis, dt))
}

// Argmin returns the position of the smallest element along an axis, as an integer of type dt:
// the first of equal ones, or the first NaN.
func Argmin(x weft.Array, axis int, dt weft.DType) weft.Array {
	return wrap(prim.Argmin(x.Value(), axis, dt))
}

// Cumsum returns the sum of each element and all before it along an axis, or, in reverse, all
// after it.
func Cumsum(x weft.Array, axis int, reverse bool) weft.Array {
	return wrap(prim.Cumsum(x.Value(), axis, reverse))
}

// Cumprod returns the product of each element and all before it along an axis, or, in reverse,
// all after it.
func Cumprod(x weft.Array, axis int, reverse bool) weft.Array {
	return wrap(prim.Cumprod(x.Value(), axis, reverse))
}

// Cummax returns the largest of each element and all before it along an axis, or, in reverse, all
// after it.
func Cummax(x weft.Array, axis int, reverse bool) weft.Array {
	return wrap(prim.Cummax(x.Value(), axis, reverse))
}

// Cummin returns the smallest of each element and all before it along an axis, or, in reverse,
// all after it.
func Cummin(x weft.Array, axis int, reverse bool) weft.Array {
	return wrap(prim.Cummin(x.Value(), axis, reverse))
}

// Cumlogsumexp returns the logarithm of the sum of the exponentials of each element and all
// before it along an axis, or, in reverse, all after it.
func Cumlogsumexp(x weft.Array, axis int, reverse bool) weft.Array {
	return wrap(prim.Cumlogsumexp(x.Value(), axis, reverse))
}

// Reduce combines the elements along axes by f, an associative function of two scalars whose
// neutral element is init. If f is a sum, a product, an extremum or a bitwise operation and init
// is its neutral number, the program contains that reduction.
func Reduce[T weft.Operand](x weft.Array, init T, f func(a, b weft.Array) weft.Array, axes ...int) weft.Array {
	v, i := x.Value(), value(init)
	j := reducer("reduce", v, i, f)
	over := core.MakeDims(axes...)
	if p := monoid(j, i); p != nil {
		return wrap(core.Bind1(reductions[p.Name()](over), v))
	}
	return wrap(prim.Reduce([]core.Value{v}, []core.Value{i}, over, shortName(f), j)[0])
}

var reductions = map[string]func(axes core.Dims) core.Primitive{
	"add": func(axes core.Dims) core.Primitive { return prim.ReduceSumP{Axes: axes} },
	"mul": func(axes core.Dims) core.Primitive { return prim.ReduceProdP{Axes: axes} },
	"max": func(axes core.Dims) core.Primitive { return prim.ReduceMaxP{Axes: axes} },
	"min": func(axes core.Dims) core.Primitive { return prim.ReduceMinP{Axes: axes} },
	"and": func(axes core.Dims) core.Primitive { return prim.ReduceAndP{Axes: axes} },
	"or":  func(axes core.Dims) core.Primitive { return prim.ReduceOrP{Axes: axes} },
	"xor": func(axes core.Dims) core.Primitive { return prim.ReduceXorP{Axes: axes} },
}

// reducer returns the program of f on scalars of the dtype of x.
func reducer(op string, x, init core.Value, f func(a, b weft.Array) weft.Array) *jaxpr.Jaxpr {
	a, i := x.Aval(), init.Aval()
	if i.Rank() != 0 || i.DType != a.DType {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a, i}, "the initial value of a reduction of %v must be a scalar of its dtype (got %v); convert it", a.Full(), i.Full())
	}
	leaves.RequireNonNil(op, f)
	scalar := core.Aval(a.DType)
	j := trace.Stage(op, []core.ShapedArray{scalar, scalar}, func(in []core.Value) []core.Value {
		return []core.Value{f(wrap(in[0]), wrap(in[1])).Value()}
	})
	if len(j.ConstVals) > 0 {
		core.FailOp(core.ErrConcrete, op, []core.ShapedArray{j.ConstVals[0].Aval()}, "the function that combines two elements must not use other arrays; it used one of type %v", j.ConstVals[0].Aval().Full())
	}
	return j
}

// shortName returns the last part of a Go function's name.
func shortName(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	name = strings.TrimSuffix(name, "[...]")
	return name[strings.LastIndexByte(name, '.')+1:]
}

// monoid returns the one operation that a reducer consists of, if init is its neutral
// number; else nil.
func monoid(j *jaxpr.Jaxpr, init core.Value) core.Primitive {
	l, ok := init.(core.Literal)
	if !ok || len(j.Eqns) != 1 || len(j.Outs) != 1 {
		return nil
	}
	e := j.Eqns[0]
	if len(e.Ins) != 2 || len(e.Outs) != 1 || j.Outs[0] != jaxpr.Atom(e.Outs[0]) || e.Ins[0] != jaxpr.Atom(j.Ins[0]) || e.Ins[1] != jaxpr.Atom(j.Ins[1]) {
		return nil
	}
	dt, n := l.Type, l.Num
	ones := dt.IsBool() && n.Bool() || dt.IsSigned() && n.Int64() == -1 || dt.IsUnsigned() && n.Uint64() == 1<<dt.Bits()-1
	lowest, highest := extreme(dt, n)
	neutral := false
	switch e.Prim.(type) {
	case prim.AddP, prim.OrP, prim.XorP:
		neutral = n.Complex() == 0
	case prim.MulP:
		neutral = n.Complex() == 1
	case prim.MaxP:
		neutral = lowest
	case prim.MinP:
		neutral = highest
	case prim.AndP:
		neutral = ones
	}
	if !neutral {
		return nil
	}
	return e.Prim
}

// extreme reports whether n is the lowest or the highest value of dt. It reports neither for complex
// types and minor floats.
func extreme(dt core.DType, n core.Number) (lowest, highest bool) {
	switch {
	case dt.IsBool():
		return !n.Bool(), n.Bool()
	case dt.IsSigned():
		return n.Int64() == -1<<(dt.Bits()-1), n.Int64() == 1<<(dt.Bits()-1)-1
	case dt.IsUnsigned():
		return n.Uint64() == 0, n.Uint64() == 1<<dt.Bits()-1
	case dt.IsFloat() && !dt.IsMinorFloat():
		return math.IsInf(n.Float(), -1), math.IsInf(n.Float(), 1)
	}
	return false, false
}
