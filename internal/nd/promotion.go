package nd

import (
	"errors"
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// ValueOf returns what an operand stands for: an Array's value, or a Go number as a
// literal whose fit is checked when its type is known.
func ValueOf(op string, v any) core.Value {
	switch x := v.(type) {
	case core.Value:
		return x
	case boxed: // an Array of package weft
		if reflect.TypeOf(x).Kind() == reflect.Pointer {
			RefuseOperand(op, v)
		}
		if !x.IsZero() {
			return x.Value()
		}
		RefuseZero(op)
	case nil:
		RefuseZero(op)
	}
	l, ok := Number(v)
	if !ok {
		RefuseOperand(op, v)
	}
	l.Bare = true
	return l.Value()
}

// boxed is what package weft's Array is here.
type boxed interface {
	Value() core.Value
	IsZero() bool
}

// Nil stands for a nil operand; a nil core.Value is the zero Array.
type Nil struct{}

// RefuseZero refuses the zero Array as an operand.
func RefuseZero(op string) {
	core.FailOp(core.ErrTree, op, nil, "the zero Array has no value (was a field or a variable not set?); set it")
}

// PromoteTypes returns the type that operands compute in.
func PromoteTypes(op string, vs ...core.Value) (core.DType, bool) {
	s := Current()
	var buf [4]promote.Operand
	ops := buf[:0]
	_, looks := s.Promotion.(promote.ValueSystem)
	for _, v := range vs {
		a := v.Aval()
		o := promote.Operand{Type: promote.Type{DType: a.DType, Weak: a.Weak && !a.DType.IsBool()}, Scalar: a.Rank() == 0}
		if l, ok := v.(core.Literal); ok && (l.Weak || l.Bare) {
			o.Value = goConstant(l.Num)
		} else if looks && o.Scalar {
			o.Value = knownScalar(v)
		}
		ops = append(ops, o)
	}
	dt, weak, err := promote.ResultOf(s.Promotion, s.Bits, ops...)
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

// knownScalar returns the value of a scalar array that is known, also while tracing, or nil.
func knownScalar(v core.Value) any {
	known, err := trace.Look(v)
	if err != nil {
		return nil
	}
	switch x := known.(type) {
	case core.Literal:
		return goConstant(x.Num)
	case *runtime.Array:
		a := x.Aval()
		if a.DType.IsBool() || a.Rank() != 0 {
			return nil
		}
		x.Live("promotion")
		if n, ok := elem.Get(x.Tensor().Data, a.DType); ok {
			return goConstant(n)
		}
	}
	return nil
}

// goConstant returns the value of a Go number.
func goConstant(n core.Number) any {
	switch n.Kind() {
	case core.KindInt:
		return int(n.Int64())
	case core.KindUint:
		return n.Uint64()
	case core.KindComplex:
		return n.Complex()
	}
	return n.Float()
}

// inexactOf returns the floating type for an operation that has no integer results.
func inexactOf(dt core.DType) core.DType { return promote.Inexact(dt, Current().Bits) }

// Strong returns v without its weak mark, which it keeps where that is anvil's flag.
func Strong(op string, v core.Value) core.Value {
	a := v.Aval()
	return Convert(op, v, a.DType, keepsFlag(a))
}

// keepsFlag reports whether a is ambiguous by the rules of anvil, whose reductions and unary
// operations keep that flag. jax.numpy's make results strong.
func keepsFlag(a core.ShapedArray) bool {
	return a.Weak && Current().Promotion == promote.Anvil
}

// WithFlag returns r with anvil's flag if the operand a has it.
func WithFlag(op string, r core.Value, a core.ShapedArray) core.Value {
	if !keepsFlag(a) {
		return r
	}
	return Convert(op, r, r.Aval().DType, true)
}

// strongUnlessScalar returns v without its weak mark if it has axes.
func strongUnlessScalar(op string, v core.Value) core.Value {
	if v.Aval().Rank() == 0 {
		return v
	}
	return Strong(op, v)
}

// arithmeticPair returns two operands one type in which there is arithmetic: truth values
// count as integers.
func arithmeticPair(op string, x, y any) (core.Value, core.Value) {
	a, b := PromotePair(op, ValueOf(op, x), ValueOf(op, y))
	if IsBool(a) {
		a, b = Convert(op, a, DefaultInt(), false), Convert(op, b, DefaultInt(), false)
	}
	return AlignRanks(op, a, b)
}

// Convert returns v as dt: a number is rounded at once, an array is converted by an
// equation, even where only its weak mark changes. A Go number that does not fit is refused.
func Convert(op string, v core.Value, dt core.DType, weak bool) core.Value {
	a := v.Aval()
	switch x := v.(type) {
	case core.Literal:
		return ConvertLiteral(op, x, dt, weak).Value()
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

// ConvertLiteral returns a number as dt. A Go number must fit and is rounded once. A scalar
// array has its own type's value and is converted as other arrays are.
func ConvertLiteral(op string, l core.Literal, dt core.DType, weak bool) core.Literal {
	n := l.Num
	if !l.Bare {
		if l.Type != dt && (l.Type.IsNumber() || l.Type.IsBool()) && (dt.IsNumber() || dt.IsBool()) {
			n = elem.Round(elem.Round(n, l.Type), dt)
		}
		return core.Literal{Num: n, Type: dt, Weak: weak}
	}
	RequireFits(op, l, dt)
	if !weak && dt.IsInexact() {
		n = elem.Round(n, dt)
	}
	return core.Literal{Num: n, Type: dt, Weak: weak}
}

// goType returns the Go type of dt's numbers, to be shown.
func goType(dt core.DType) string { return dt.Long() }

// PromotePair returns two operands one type. Under some systems even a type does not
// meet itself, or becomes another.
func PromotePair(op string, x, y core.Value) (core.Value, core.Value) {
	a, b := x.Aval(), y.Aval()
	if a.DType == b.DType && !a.Weak && !b.Weak && !a.DType.IsBool() && Current().Promotion == promote.JAX {
		_, lx := x.(core.Literal)
		_, ly := y.(core.Literal)
		if !lx && !ly {
			return x, y
		}
	}
	if l, ok := y.(core.Literal); ok && adoptsOperandType(l, a) && Current().Promotion == promote.JAX {
		return x, ConvertLiteral(op, l, a.DType, false).Value()
	}
	dt, weak := PromoteTypes(op, x, y)
	return Convert(op, x, dt, weak), Convert(op, y, dt, weak)
}

// adoptsOperandType reports whether an untyped constant takes the type of an array a without
// asking jax.numpy's lattice: in the usual case, of an ordinary float.
func adoptsOperandType(l core.Literal, a core.ShapedArray) bool {
	if !l.Weak || a.Weak || l.Num.Kind() != core.KindFloat && l.Num.Kind() != core.KindInt {
		return false
	}
	switch a.DType {
	case core.Float32, core.Float64, core.Float16, core.BFloat16:
		return true
	}
	return false
}

// FloatingPair returns two operands one floating type.
func FloatingPair(op string, x, y core.Value) (core.Value, core.Value) {
	dt, weak := PromoteTypes(op, x, y)
	dt = inexactOf(dt)
	return Convert(op, x, dt, weak), Convert(op, y, dt, weak)
}

// RequireNumbers refuses keys and the derivatives of integers, naming the operation.
func RequireNumbers(op string, v core.Value) {
	if a := v.Aval(); a.DType > core.Complex128 {
		if why := a.DType.NoNumber(); why != "" {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "takes numbers (got %v): %s", a.Full(), why)
		}
	}
}

// numbersOf returns what an operand stands for, which is numbers or truth values.
func numbersOf(op string, x any) core.Value {
	v := ValueOf(op, x)
	RequireNumbers(op, v)
	return v
}

// Floating returns x as a floating type.
func Floating(op string, x core.Value) core.Value {
	a := x.Aval()
	if a.DType.IsInexact() {
		return x
	}
	RequireNumbers(op, x)
	return Convert(op, x, inexactOf(a.DType), a.Weak)
}

// RealOperands returns real numbers as floats of one type and shape.
func RealOperands(op string, xs ...any) []core.Value {
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = ValueOf(op, x)
	}
	var dt core.DType
	var weak bool
	if len(vs) > 1 { // under some systems a type does not promote with itself
		dt, weak = PromoteTypes(op, vs...)
	} else {
		dt, weak = vs[0].Aval().DType, vs[0].Aval().Weak
	}
	shape := BroadcastShapes(op, core.AvalsOf(vs)...)
	for i, v := range vs {
		v = Floating(op, Convert(op, v, dt, weak))
		RequireReal(op, v)
		vs[i] = Spread(op, v, shape)
	}
	return vs
}

// AlignRanks puts axes of size 1 in front of the operand that has fewer, unless that
// is a scalar, which operations spread themselves.
func AlignRanks(op string, x, y core.Value) (core.Value, core.Value) {
	a, b := x.Aval(), y.Aval()
	r, s := a.Rank(), b.Rank()
	if a.Shape == b.Shape || r == 0 || s == 0 {
		return x, y
	}
	if r != s {
		refuseRanks(op, x, y)
	}
	RequireBroadcast(op, x, y)
	if r == s {
		return x, y
	}
	return prependAxes(x, max(r, s)), prependAxes(y, max(r, s))
}

// alignAllRanks does for many what ranks2 does for two.
func alignAllRanks(op string, vs []core.Value) []core.Value {
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
	RequireBroadcast(op, vs...)
	out := make([]core.Value, len(vs))
	for i, v := range vs {
		out[i] = prependAxes(v, top)
	}
	return out
}

// requireFits refuses a result that is computed at once and for which no memory has room, in the
// name of the user's function.
func requireFits(op string, result core.ShapedArray, vs ...core.Value) {
	if core.Tracing() {
		return
	}
	for _, v := range vs {
		if _, ok := v.(core.Tracer); ok {
			return
		}
	}
	if why := runtime.TooLarge(result); why != "" {
		core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "of %s its result cannot be: %s", List(core.AvalsOf(vs)), why)
	}
}

// RequireBroadcast refuses operands that do not spread over one shape, by the types that the
// user passed them.
func RequireBroadcast(op string, vs ...core.Value) {
	var sizes [8]int // by the distance from the last axis, one too many; 0: not known yet
	for _, v := range vs {
		a := v.Aval()
		r := a.Rank()
		if r > len(sizes) {
			BroadcastShapes(op, core.AvalsOf(vs)...)
			return
		}
		for k := range r {
			n, at := a.Shape.At(k), &sizes[r-1-k]
			switch {
			case n == 1 || *at == n+1:
			case *at == 0:
				*at = n + 1
			default:
				BroadcastShapes(op, core.AvalsOf(vs)...)
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
			requireFits(op, a.WithShape(BroadcastShapes(op, core.AvalsOf(vs)...)), vs...)
			return
		}
	}
}

func refuseRanks(op string, vs ...core.Value) {
	if Current().RaiseRanks {
		avals := core.AvalsOf(vs)
		core.FailOp(core.ErrShape, op, avals, "the operands have different ranks, %s, and RankPromotion(Raise) is set; put axes in front with ExpandDims or Reshape", List(avals))
	}
}

// prependAxes returns v with axes of size 1 in front up to rank r.
func prependAxes(v core.Value, r int) core.Value {
	return prim.ExpandDims(v, core.Range(0, r-v.Aval().Rank()))
}

func List(avals []core.ShapedArray) string {
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

// BroadcastShapes returns the shape that operands of the given shapes are spread over.
func BroadcastShapes(op string, avals ...core.ShapedArray) core.Dims {
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
				core.FailOp(core.ErrShape, op, avals, "the shapes of %s do not broadcast: axis %d from the end is %d in one and %d in another; make them equal, or one of them 1", List(avals), a.Rank()-k, *at, n)
			}
			if n != 1 {
				*at = n
			}
		}
	}
	return core.MakeDims(out...)
}

// Spread returns v over the given shape, aligned at the last axis.
func Spread(op string, v core.Value, shape core.Dims) core.Value {
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
