package expand

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// An expansion writes what a primitive does with one element of each operand.
type expansion func(x *expander, in []Elem) Elem

type builder struct{ *scalar.Builder }

// expander is a builder that records which primitive it expands.
type expander struct {
	builder
	prim core.Primitive
	out  core.DType
}

type pair struct{ re, im scalar.Ref }

// load returns the value of an element to compute with: small floats widened.
func (x *expander) load(e Elem) scalar.Ref {
	if scalar.IsSmallFloat(e.DType) {
		return x.Widen(e.DType, e.Re)
	}
	return e.Re
}

func (x *expander) loadPair(e Elem) pair { return pair{e.Re, e.Im} }

// elem returns the element of type dt with the computed value r: rounded to small
// floats, wrapped to small integers, NaN canonical.
func (x *expander) elem(dt core.DType, r scalar.Ref) Elem {
	switch {
	case scalar.IsSmallFloat(dt):
		return Elem{dt, x.Narrow(dt, r), scalar.NoRef}
	case dt.IsFloat():
		return Elem{dt, x.Canon(r), scalar.NoRef}
	case dt.IsInteger():
		return Elem{dt, x.wrap(dt, r), scalar.NoRef}
	}
	return Elem{dt, r, scalar.NoRef}
}

func (x *expander) elemPair(dt core.DType, p pair) Elem {
	return Elem{dt, x.Canon(p.re), x.Canon(p.im)}
}

// wrap brings a result of arithmetic back into an integer type narrower than a byte.
func (x *expander) wrap(dt core.DType, r scalar.Ref) scalar.Ref {
	n := x.TypeOf(r).Bits() - dt.Bits()
	if n == 0 {
		return r
	}
	return x.ShrN(x.ShlN(r, n), n)
}

// rule is what an operation does, by kind of element type; nil where it does not take the kind.
type rule struct {
	bools  func(b builder, a []scalar.Ref) scalar.Ref
	ints   func(b builder, a []scalar.Ref) scalar.Ref
	floats func(b builder, a []scalar.Ref) scalar.Ref
	pairs  func(b builder, a []pair) pair
}

// fail refuses an element type that the operation does not take.
func (x *expander) fail(dt core.DType) Elem {
	core.Failf(core.ErrDType, "%s has no numbers for %v; convert to another dtype first", x.prim.Name(), dt)
	return Elem{}
}

// arith returns the expansion of an operation whose result has the operands' type.
//
// It is not inlined: each call would have its own copy of the closure.
//
//go:noinline
func arith(r rule) expansion {
	return func(x *expander, in []Elem) Elem {
		dt := in[0].DType
		if dt.IsComplex() {
			if r.pairs == nil {
				return x.fail(dt)
			}
			a := make([]pair, len(in))
			for i, e := range in {
				a[i] = x.loadPair(e)
			}
			return x.elemPair(dt, r.pairs(x.builder, a))
		}
		f := r.of(dt)
		if f == nil {
			return x.fail(dt)
		}
		a := make([]scalar.Ref, len(in))
		for i, e := range in {
			a[i] = x.load(e)
		}
		return x.elem(dt, f(x.builder, a))
	}
}

func (r rule) of(dt core.DType) func(b builder, a []scalar.Ref) scalar.Ref {
	switch {
	case dt.IsBool():
		return r.bools
	case dt.IsInteger():
		return r.ints
	case dt.IsFloat():
		return r.floats
	}
	return nil
}

// compared returns the expansion of an operation on real numbers whose result is bool.
//
// It is not inlined: each call would have its own copy of the closure.
//
//go:noinline
func compared(f func(b builder, a []scalar.Ref) scalar.Ref) expansion {
	return func(x *expander, in []Elem) Elem {
		a := make([]scalar.Ref, len(in))
		for i, e := range in {
			if scalar.Components(e.DType) != 1 {
				return x.fail(e.DType)
			}
			a[i] = x.load(e)
		}
		return Elem{core.Bool, f(x.builder, a), scalar.NoRef}
	}
}

//go:noinline // keeps programs small
func fn1(f func(b builder, x scalar.Ref) scalar.Ref) func(builder, []scalar.Ref) scalar.Ref {
	return func(b builder, a []scalar.Ref) scalar.Ref { return f(b, a[0]) }
}

//go:noinline // keeps programs small
func fn2(f func(b builder, x, y scalar.Ref) scalar.Ref) func(builder, []scalar.Ref) scalar.Ref {
	return func(b builder, a []scalar.Ref) scalar.Ref { return f(b, a[0], a[1]) }
}

func pfn1(f func(b builder, z pair) pair) func(builder, []pair) pair {
	return func(b builder, a []pair) pair { return f(b, a[0]) }
}

func pfn2(f func(b builder, z, w pair) pair) func(builder, []pair) pair {
	return func(b builder, a []pair) pair { return f(b, a[0], a[1]) }
}

func same(x *expander, in []Elem) Elem { return in[0] }
