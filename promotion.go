package weft

import (
	"errors"
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/runtime"
)

// How operands of different types meet. An abstract value is all that is looked
// at, never a number: a program's types are the same traced and not.

// valueOf is what an operand stands for: an Array's value, or a Go number as a
// literal whose fit is checked when its type is known.
func valueOf(op string, v any) core.Value {
	if x, ok := v.(Array); ok {
		if x.v == nil {
			core.FailOp(core.ErrTree, op, nil, "the zero Array holds no value: was a field or a variable not set? Give it one")
		}
		return *x.v
	}
	l, ok := number(v)
	if !ok {
		notAnOperand(op, v)
	}
	return l.Value()
}

// promoteTypes is the type that operands compute in.
func promoteTypes(op string, vs ...core.Value) (core.DType, bool) {
	s := current()
	var buf [4]promote.Operand
	ops := buf[:0]
	for _, v := range vs {
		a := v.Aval()
		o := promote.Operand{Type: promote.Type{DType: a.DType, Weak: a.Weak && !a.DType.IsBool()}, Scalar: a.Rank() == 0}
		if l, ok := v.(core.Literal); ok && l.Weak {
			o.Value = goConstant(l.Num)
		}
		ops = append(ops, o)
	}
	dt, weak, err := promote.ResultOf(s.system, s.bits, ops...)
	if err != nil {
		e := &core.Error{Kind: core.ErrPromotion, Op: op, Pos: core.HerePos(), Avals: core.AvalsOf(vs), Msg: err.Error()}
		var known *core.Error
		if errors.As(err, &known) {
			e.Kind = known.Kind
		}
		panic(e)
	}
	return dt, weak
}

// goConstant is the Go value that an untyped constant arrived as.
func goConstant(n core.Number) any {
	switch n.Kind() {
	case core.KindInt, core.KindUint:
		return int(n.Int64())
	case core.KindComplex:
		return n.Complex()
	}
	return n.Float()
}

// inexact is the floating type for an operation that has no integer results.
func inexact(dt core.DType) core.DType { return promote.Inexact(dt) }

// strong is v without its weak mark.
func strong(op string, v core.Value) core.Value { return convert(op, v, v.Aval().DType, false) }

// arithmetic2 gives two operands one type in which there is arithmetic: truth values
// count as integers.
func arithmetic2(op string, x, y any) (core.Value, core.Value) {
	a, b := together2(op, valueOf(op, x), valueOf(op, y))
	if isBool(a) {
		a, b = convert(op, a, defaultInt(), false), convert(op, b, defaultInt(), false)
	}
	return ranks2(op, a, b)
}

// convert is v as dt: a number is rounded at once, an array is converted by an
// equation, even where only its weak mark changes.
func convert(op string, v core.Value, dt core.DType, weak bool) core.Value {
	a := v.Aval()
	switch x := v.(type) {
	case core.Literal:
		return convertLiteral(op, x, dt, weak).Value()
	case *runtime.Array:
		if a.DType == dt && a.Weak != weak && !core.Tracing() {
			a.Weak = weak
			return x.WithType(a)
		}
	}
	if a.DType == dt && a.Weak == weak {
		return v
	}
	return prim.Convert(v, dt, weak)
}

func convertLiteral(op string, l core.Literal, dt core.DType, weak bool) core.Literal {
	n := l.Num
	if !n.Fits(dt) && dt.IsInteger() && n.Kind() != core.KindFloat && n.Kind() != core.KindComplex {
		core.FailOp(core.ErrDType, op, nil, "the constant %v does not fit %v; convert the array to a wider type, or the constant, as in %s(…)", n.BigInt(), dt, goType(dt))
	}
	if !weak && dt.IsInexact() {
		n = elem.Round(n, dt)
		if f := n.Complex(); math.IsInf(real(f), 0) && !math.IsInf(real(l.Num.Complex()), 0) {
			core.FailOp(core.ErrDType, op, nil, "the constant %s does not fit %v; convert the array to a wider type, or write math.Inf", l.Text(), dt)
		}
	}
	return core.Literal{Num: n, Type: dt, Weak: weak}
}

// goType is the Go type of dt's numbers, to be shown.
func goType(dt core.DType) string { return dt.Long() }

// together2 gives two operands one type. Under some systems even a type does not
// meet itself, or becomes another.
func together2(op string, x, y core.Value) (core.Value, core.Value) {
	a, b := x.Aval(), y.Aval()
	if a.DType == b.DType && !a.Weak && !b.Weak && !a.DType.IsBool() && current().system == promote.JAX {
		_, lx := x.(core.Literal)
		_, ly := y.(core.Literal)
		if !lx && !ly {
			return x, y
		}
	}
	if l, ok := y.(core.Literal); ok && yields(l, a) && current().system == promote.JAX {
		return x, convertLiteral(op, l, a.DType, false).Value()
	}
	dt, weak := promoteTypes(op, x, y)
	return convert(op, x, dt, weak), convert(op, y, dt, weak)
}

// yields reports whether an untyped constant takes the type of an array a without
// asking jax.numpy's lattice: in the usual case, of an ordinary float.
func yields(l core.Literal, a core.ShapedArray) bool {
	if !l.Weak || a.Weak || l.Num.Kind() != core.KindFloat && l.Num.Kind() != core.KindInt {
		return false
	}
	switch a.DType {
	case core.Float32, core.Float64, core.Float16, core.BFloat16:
		return true
	}
	return false
}

// alone computes what has one operand and is written with operators here: it does
// not promote, by whatever system the user's operands do.
func alone(f func() Array) (y Array) {
	if current().system == promote.JAX {
		return f()
	}
	With(Promotion(promote.JAX), func() { y = f() })
	return y
}

// floating2 gives two operands one floating type.
func floating2(op string, x, y core.Value) (core.Value, core.Value) {
	dt, weak := promoteTypes(op, x, y)
	dt = inexact(dt)
	return convert(op, x, dt, weak), convert(op, y, dt, weak)
}

// floating is x as a floating type.
func floating(op string, x core.Value) core.Value {
	a := x.Aval()
	if a.DType.IsInexact() {
		return x
	}
	return convert(op, x, inexact(a.DType), a.Weak)
}

// ranks2 puts axes of size 1 in front of the operand that has fewer, unless that
// is a scalar, which operations spread themselves.
func ranks2(op string, x, y core.Value) (core.Value, core.Value) {
	a, b := x.Aval(), y.Aval()
	r, s := a.Rank(), b.Rank()
	if a.Shape == b.Shape || r == 0 || s == 0 {
		return x, y
	}
	if r != s {
		refuseRanks(op, x, y)
	}
	mustSpread(op, x, y)
	if r == s {
		return x, y
	}
	return leading(x, max(r, s)), leading(y, max(r, s))
}

// ranks does for many what ranks2 does for two.
func ranks(op string, vs []core.Value) []core.Value {
	top, differ := 0, false
	for _, v := range vs {
		if r := v.Aval().Rank(); r > 0 {
			differ = differ || top > 0 && r != top
			top = max(top, r)
		}
	}
	if !differ {
		return vs
	}
	refuseRanks(op, vs...)
	mustSpread(op, vs...)
	out := make([]core.Value, len(vs))
	for i, v := range vs {
		out[i] = leading(v, top)
	}
	return out
}

// fits refuses a result that is computed at once and that no memory holds, in the
// name of the user's function.
func fits(op string, result core.ShapedArray, vs ...core.Value) {
	if core.Tracing() {
		return
	}
	for _, v := range vs {
		if _, ok := v.(core.Tracer); ok {
			return
		}
	}
	if why := runtime.TooLarge(result); why != "" {
		core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "of %s its result cannot be: %s", list(core.AvalsOf(vs)), why)
	}
}

// mustSpread refuses operands that do not spread over one shape, by the types that the
// user gave them.
func mustSpread(op string, vs ...core.Value) {
	var sizes [8]int // by the distance from the last axis, one too many; 0: not known yet
	for _, v := range vs {
		a := v.Aval()
		r := a.Rank()
		if r > len(sizes) {
			broadcastShapes(op, core.AvalsOf(vs)...)
			return
		}
		for k := range r {
			n, at := a.Shape.At(k), &sizes[r-1-k]
			switch {
			case n == 1 || *at == n+1:
			case *at == 0:
				*at = n + 1
			default:
				broadcastShapes(op, core.AvalsOf(vs)...)
			}
		}
	}
	total := 1
	for _, n := range sizes {
		if n > 1 {
			total *= n - 1
		}
		if total < 0 || total > 1<<30 {
			a := vs[0].Aval()
			fits(op, a.WithShape(broadcastShapes(op, core.AvalsOf(vs)...)), vs...)
			return
		}
	}
}

func refuseRanks(op string, vs ...core.Value) {
	if current().ranks == Raise {
		avals := core.AvalsOf(vs)
		core.FailOp(core.ErrShape, op, avals, "the operands have different ranks, %s, and RankPromotion(Raise) is set; put axes in front with ExpandDims or Reshape", list(avals))
	}
}

// leading is v with axes of size 1 in front up to rank r.
func leading(v core.Value, r int) core.Value {
	return prim.ExpandDims(v, core.Range(0, r-v.Aval().Rank()))
}

func list(avals []core.ShapedArray) string {
	s := ""
	for i, a := range avals {
		switch {
		case i == 0:
		case i == len(avals)-1:
			s += " and "
		default:
			s += ", "
		}
		s += a.Full()
	}
	return s
}

// broadcastShapes is the shape that operands of the given shapes are spread over.
func broadcastShapes(op string, avals ...core.ShapedArray) core.Dims {
	r := 0
	for _, a := range avals {
		r = max(r, a.Rank())
	}
	out := make([]int, r)
	for i := range out {
		out[i] = 1
	}
	for _, a := range avals {
		for k, n := range a.Shape.All() {
			at := &out[r-a.Rank()+k]
			if n != 1 && *at != 1 && *at != n {
				core.FailOp(core.ErrShape, op, avals, "the shapes of %s do not broadcast: axis %d from the end is %d in one and %d in another; make them equal, or one of them 1", list(avals), a.Rank()-k, *at, n)
			}
			if n != 1 {
				*at = n
			}
		}
	}
	return core.MakeDims(out...)
}

// spread is v over the given shape, aligned at the last axis.
func spread(op string, v core.Value, shape core.Dims) core.Value {
	a := v.Aval()
	if a.Shape == shape {
		return v
	}
	off := shape.Len() - a.Rank()
	if off < 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v does not broadcast to the shape %v, which has fewer axes; drop axes with Squeeze, Index or a reduction", a.Full(), shape)
	}
	var drop, dims []int
	for k, n := range a.Shape.All() {
		switch {
		case n == shape.At(off+k):
			dims = append(dims, off+k)
		case n == 1:
			drop = append(drop, k)
		default:
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v does not broadcast to the shape %v: axis %d has %s, not 1 or %d; make the axis that is to be repeated one of size 1", a.Full(), shape, k, core.Count(n, "element"), shape.At(off+k))
		}
	}
	if len(drop) > 0 {
		v = prim.Squeeze(v, core.MakeDims(drop...))
	}
	return prim.BroadcastInDim(v, shape, core.MakeDims(dims...))
}
