package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// Add returns x + y. Integers wrap; for truth values it is or.
func (x Array) Add(y any) Array { return FromValue(nd.Add(x.value(), unwrap(y))) }

// Sub returns x − y. Integers wrap.
func (x Array) Sub(y any) Array { return FromValue(nd.Sub(x.value(), unwrap(y))) }

// Mul returns x · y. Integers wrap; for truth values it is and.
func (x Array) Mul(y any) Array { return FromValue(nd.Mul(x.value(), unwrap(y))) }

// Div returns the true quotient x / y: a float for integers.
func (x Array) Div(y any) Array { return FromValue(nd.Div(x.value(), unwrap(y))) }

// FloorDiv returns x / y rounded down. For floats x / 0 is infinite or NaN.
func (x Array) FloorDiv(y any) Array { return FromValue(nd.FloorDiv(x.value(), unwrap(y))) }

// Mod returns the remainder of FloorDiv: it has y's sign. For integers x mod 0 is 0.
func (x Array) Mod(y any) Array { return FromValue(nd.Mod(x.value(), unwrap(y))) }

// Rem returns the remainder of the quotient rounded towards zero: it has x's sign.
func (x Array) Rem(y any) Array { return FromValue(nd.Rem(x.value(), unwrap(y))) }

// Pow returns x to the power y. An integer to an integer power is an integer; a negative constant exponent is refused then.
func (x Array) Pow(y any) Array { return FromValue(nd.Pow(x.value(), unwrap(y))) }

// And is bitwise and for integers and logical and for booleans.
func (x Array) And(y any) Array { return FromValue(nd.And(x.value(), unwrap(y))) }

// Or is bitwise or for integers and logical or for booleans.
func (x Array) Or(y any) Array { return FromValue(nd.Or(x.value(), unwrap(y))) }

// Xor is bitwise exclusive or for integers and logical exclusive or for booleans.
func (x Array) Xor(y any) Array { return FromValue(nd.Xor(x.value(), unwrap(y))) }

// Shl returns x shifted left by y bits: 0 if y is at least x's width.
func (x Array) Shl(y any) Array { return FromValue(nd.Shl(x.value(), unwrap(y))) }

// Shr returns x shifted right by y bits: signed integers keep their sign.
func (x Array) Shr(y any) Array { return FromValue(nd.Shr(x.value(), unwrap(y))) }

// Eq reports for each element whether x = y. [Array.Equal] compares whole arrays.
func (x Array) Eq(y any) Array { return FromValue(nd.Eq(x.value(), unwrap(y))) }

// Ne reports for each element whether x ≠ y.
func (x Array) Ne(y any) Array { return FromValue(nd.Ne(x.value(), unwrap(y))) }

// Lt reports for each element whether x < y.
func (x Array) Lt(y any) Array { return FromValue(nd.Lt(x.value(), unwrap(y))) }

// Le reports for each element whether x ≤ y.
func (x Array) Le(y any) Array { return FromValue(nd.Le(x.value(), unwrap(y))) }

// Gt reports for each element whether x > y.
func (x Array) Gt(y any) Array { return FromValue(nd.Gt(x.value(), unwrap(y))) }

// Ge reports for each element whether x ≥ y.
func (x Array) Ge(y any) Array { return FromValue(nd.Ge(x.value(), unwrap(y))) }

// Neg returns −x.
func (x Array) Neg() Array { return FromValue(nd.Neg(x.value())) }

// Not is logical not for booleans and bitwise complement for integers.
func (x Array) Not() Array { return FromValue(nd.Not(x.value())) }

// Add returns a + b: see [Array.Add].
func Add[A, B Operand](a A, b B) Array { return FromValue(nd.Add(unwrap(a), unwrap(b))) }

// Sub returns a − b.
func Sub[A, B Operand](a A, b B) Array { return FromValue(nd.Sub(unwrap(a), unwrap(b))) }

// Mul returns a · b: see [Array.Mul].
func Mul[A, B Operand](a A, b B) Array { return FromValue(nd.Mul(unwrap(a), unwrap(b))) }

// Div returns the true quotient a / b.
func Div[A, B Operand](a A, b B) Array { return FromValue(nd.Div(unwrap(a), unwrap(b))) }

// FloorDiv returns a / b rounded down.
func FloorDiv[A, B Operand](a A, b B) Array { return FromValue(nd.FloorDiv(unwrap(a), unwrap(b))) }

// Mod returns the remainder of FloorDiv.
func Mod[A, B Operand](a A, b B) Array { return FromValue(nd.Mod(unwrap(a), unwrap(b))) }

// Rem returns the remainder of the quotient rounded towards zero.
func Rem[A, B Operand](a A, b B) Array { return FromValue(nd.Rem(unwrap(a), unwrap(b))) }

// Pow returns a to the power b: see [Array.Pow].
func Pow[A, B Operand](a A, b B) Array { return FromValue(nd.Pow(unwrap(a), unwrap(b))) }

// Maximum returns the larger of a and b; NaN if either is NaN.
func Maximum[A, B Operand](a A, b B) Array { return FromValue(nd.Maximum(unwrap(a), unwrap(b))) }

// Minimum returns the smaller of a and b; NaN if either is NaN.
func Minimum[A, B Operand](a A, b B) Array { return FromValue(nd.Minimum(unwrap(a), unwrap(b))) }

// Atan2 returns the angle of the point with ordinate a and abscissa b.
func Atan2[A, B Operand](a A, b B) Array { return FromValue(nd.Atan2(unwrap(a), unwrap(b))) }

// Nextafter returns the float next to a in the direction of b.
func Nextafter[A, B Operand](a A, b B) Array { return FromValue(nd.Nextafter(unwrap(a), unwrap(b))) }

// Eq reports for each element whether a = b.
func Eq[A, B Operand](a A, b B) Array { return FromValue(nd.Eq(unwrap(a), unwrap(b))) }

// Ne reports for each element whether a ≠ b.
func Ne[A, B Operand](a A, b B) Array { return FromValue(nd.Ne(unwrap(a), unwrap(b))) }

// Lt reports for each element whether a < b.
func Lt[A, B Operand](a A, b B) Array { return FromValue(nd.Lt(unwrap(a), unwrap(b))) }

// Le reports for each element whether a ≤ b.
func Le[A, B Operand](a A, b B) Array { return FromValue(nd.Le(unwrap(a), unwrap(b))) }

// Gt reports for each element whether a > b.
func Gt[A, B Operand](a A, b B) Array { return FromValue(nd.Gt(unwrap(a), unwrap(b))) }

// Ge reports for each element whether a ≥ b.
func Ge[A, B Operand](a A, b B) Array { return FromValue(nd.Ge(unwrap(a), unwrap(b))) }

// Where returns a where c holds, else b. Numbers count as true where they are not 0. Both a and b
// are computed. The cotangent of the one that is not chosen is 0, so an infinite derivative there
// still gives NaN.
func Where[A, B Operand](c Array, a A, b B) Array {
	return FromValue(nd.Where(c.value(), unwrap(a), unwrap(b)))
}

// Select returns for each position the first case whose condition holds there, or otherwise if none
// does.
func Select(conditions, cases []Array, otherwise any) Array {
	return FromValue(nd.Select(values(conditions), values(cases), unwrap(otherwise)))
}

// ImplicitCast returns a and b in the one type that an operator would compute them in. An operand
// that has the type already is unchanged; another is converted, in a traced program by one
// equation, and a Go number at once. The types promote by the system that is set, so under
// Promotion(promote.MAX) this is MAX's operation of that name. Operands without a common type are
// an error. Shapes are unchanged.
func ImplicitCast[A, B Operand](a A, b B) (Array, Array) {
	p, q := nd.ImplicitCast(unwrap(a), unwrap(b))
	return FromValue(p), FromValue(q)
}

// IsClose reports whether |a − b| is at most atol + rtol · |b|, element by element. Infinities of
// the same sign are close; NaN is close to nothing. Integers are subtracted exactly, also those that f64
// could not represent; the difference is then rounded to f64.
func IsClose[A, B Operand](a A, b B, rtol, atol float64) Array {
	return FromValue(nd.IsClose(unwrap(a), unwrap(b), rtol, atol))
}

// AllClose reports whether all elements of a are close to those of b: see [IsClose].
func AllClose[A, B Operand](a A, b B, rtol, atol float64) Array {
	return FromValue(nd.AllClose(unwrap(a), unwrap(b), rtol, atol))
}

// CanCast reports whether promotion converts one type to another: whether an operation on both
// has a result of type to. Under jax.numpy's promotion this holds from i32 to f32, although f32 does
// not represent all integers. [Array.AsType] converts any number to any type.
func CanCast(from, to DType) bool { return nd.CanCast(from, to) }

// BroadcastShapes returns the shape of the result of an elementwise operation on arrays of these
// shapes.
func BroadcastShapes(shapes ...Shape) Shape {
	const op = "BroadcastShapes"
	avals := make([]core.ShapedArray, len(shapes))
	for i, s := range shapes {
		avals[i] = core.ShapedArray{Shape: nd.Sizes(op, s), DType: core.Bool}
	}
	return nd.BroadcastShapes(op, avals...).Ints()
}
