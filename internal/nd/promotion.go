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

// ValueOf returns the value of an operand: an Array's value, or a Go number as a literal whose
// fit is checked when its type is known.
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

// boxed is the interface of weft.Array that this package uses.
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

// PromoteTypes returns the type in which an operation on the operands computes, and whether it is weak.
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

// knownScalar returns the value of a scalar array that is known, also while tracing; nil for
// unknown values and for arrays of truth values.
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

// goConstant returns n as a Go number, for promotion systems that look at values.
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

// inexactOf returns the type in which an operation that has no integer results computes on dt.
func inexactOf(dt core.DType) core.DType { return promote.Inexact(dt, Current().Bits) }

// Strong returns v without its weak mark, unless the mark is anvil's flag.
func Strong(op string, v core.Value) core.Value {
	a := v.Aval()
	return Convert(op, v, a.DType, keepsFlag(a))
}

// keepsFlag reports whether promotion is anvil's and a is weak: anvil's reductions and unary operations keep
// this flag, while those of jax.numpy make results strong.
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

// arithmeticPair returns two operands in one type that has arithmetic: truth values become
// integers.
func arithmeticPair(op string, x, y any) (core.Value, core.Value) {
	a, b := PromotePair(op, ValueOf(op, x), ValueOf(op, y))
	if IsBool(a) {
		a, b = Convert(op, a, DefaultInt(), false), Convert(op, b, DefaultInt(), false)
	}
	return AlignRanks(op, a, b)
}

// Convert returns v as dt. A literal is converted at once, by [ConvertLiteral]. An array is converted by an
// equation, unless nothing changes or, outside of traces, only the weak mark.
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

// ConvertLiteral returns a number as dt. A Go number must fit; it is rounded once, or not at all if the result is
// weak. A scalar array is first rounded to its own type, as other arrays are.
func ConvertLiteral(op string, l core.Literal, dt core.DType, weak bool) core.Literal {
	n := l.Num
	if !l.Bare {
		if l.Type != dt && (l.Type.IsNumber() || l.Type.IsBool()) && (dt.IsNumber() || dt.IsBool()) {
			n = elem.Round(elem.Round(n, l.Type), dt)
		}
		return core.Literal{Num: n, Type: dt, Weak: weak}
	}
	if k := n.Kind(); !weak && (k == core.KindFloat || k == core.KindInt && n.Int64()>>53 == n.Int64()>>63) { // float64 holds n
		if f, ok := roundFinite(n.Float(), dt); ok { // the most frequent case
			return core.Literal{Num: core.FloatNumber(f), Type: dt}
		}
	}
	RequireFits(op, l, dt)
	if !weak && dt.IsInexact() {
		n = elem.Round(n, dt)
	}
	return core.Literal{Num: n, Type: dt, Weak: weak}
}

// roundFinite returns f rounded to f32 or f64; ok is false for other types, and where the result
// is not finite.
func roundFinite(f float64, dt core.DType) (r float64, ok bool) {
	switch dt {
	case core.Float32:
		f = float64(float32(f))
	case core.Float64:
	default:
		return 0, false
	}
	return f, isFinite(f)
}

func goType(dt core.DType) string { return dt.Long() }

// PromotePair promotes two operands to one type. Under some systems even two operands of one type have no
// common type, or promote to another.
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

// adoptsOperandType reports whether an untyped real constant takes the type of the array a because
// that is strong and of an ordinary float type. Then jax.numpy's lattice need not be asked.
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

// FloatingPair promotes two operands to one floating or complex type.
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

func numbersOf(op string, x any) core.Value {
	v := ValueOf(op, x)
	RequireNumbers(op, v)
	return v
}

// Floating returns x itself if it is floating or complex, else x converted to a float.
func Floating(op string, x core.Value) core.Value {
	a := x.Aval()
	if a.DType.IsInexact() {
		return x
	}
	RequireNumbers(op, x)
	return Convert(op, x, inexactOf(a.DType), a.Weak)
}

// PromoteFloating returns operands as one floating or complex type. A single operand keeps its weak
// mark.
func PromoteFloating(op string, vs []core.Value) []core.Value {
	dt, weak := vs[0].Aval().DType, vs[0].Aval().Weak
	if len(vs) > 1 {
		dt, weak = PromoteTypes(op, vs...)
	}
	out := make([]core.Value, len(vs))
	for i, v := range vs {
		out[i] = Floating(op, Convert(op, v, dt, weak))
	}
	return out
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
