package nd

import (
	"math"

	"github.com/weft-go/weft/core"
)

func scalarOf(op string, x core.Value) (core.Number, core.DType) {
	a := ValueOf(op, x).Aval()
	if a.Rank() != 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v is no scalar; take an element with Index, reduce as with Any or Sum, or use ToSlice", a.Full())
	}
	n, ok := Look(op, x).Scalar()
	if !ok {
		RequireNumbers(op, x)
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "%v is not one number; use At or Reshape to select one", a.Full())
	}
	return n, a.DType
}

// Float returns the value of a 0-d array of real numbers or truth values. An integer that no float64
// represents exactly is an error.
func Float(x core.Value) float64 {
	n, dt := scalarOf("Float", x)
	if dt.IsComplex() {
		core.FailOp(core.ErrDType, "Float", []core.ShapedArray{x.Aval()}, "%v has an imaginary part; use Complex, or Real first", x.Aval().Full())
	}
	f := n.Float()
	if n.Kind() == core.KindInt && (f >= 1<<63 || int64(f) != n.Int64()) || n.Kind() == core.KindUint && (f >= 1<<64 || uint64(f) != n.Uint64()) {
		core.FailOp(core.ErrDType, "Float", []core.ShapedArray{x.Aval()}, "%v is no float64 exactly; use Int, or AsType first", n.IntegerText())
	}
	return f
}

// Int returns the integer in a 0-d array of integers, truth values or floats. A float must be integral and less
// than 2⁵³ in magnitude.
func Int(x core.Value) int {
	n, dt := scalarOf("Int", x)
	v := int64(0)
	switch {
	case dt.IsInteger() || dt.IsBool():
		if n.Fits(core.Int64) && int64(int(n.Int64())) == n.Int64() {
			return int(n.Int64())
		}
		core.FailOp(core.ErrDType, "Int", []core.ShapedArray{x.Aval()}, "%v does not fit an int; use Float or a wider type", n.IntegerText())
	case dt.IsFloat():
		if f := n.Float(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			v = int64(f)
			break
		}
		core.FailOp(core.ErrDType, "Int", []core.ShapedArray{x.Aval()}, "%v is no integer; use Float, or Floor first", n.Float())
	default:
		core.FailOp(core.ErrDType, "Int", []core.ShapedArray{x.Aval()}, "%v is not an integer; convert it with AsType or use Float", x.Aval().Full())
	}
	return int(v)
}

// Bool returns the value of a 0-d array of truth values.
func Bool(x core.Value) bool {
	n, dt := scalarOf("Bool", x)
	if !dt.IsBool() {
		core.FailOp(core.ErrDType, "Bool", []core.ShapedArray{x.Aval()}, "%v is no truth value; compare it, as in x.Ne(0)", x.Aval().Full())
	}
	return n.Bool()
}

// Complex returns the value of a 0-d array.
func Complex(x core.Value) complex128 {
	n, dt := scalarOf("Complex", x)
	if dt.IsComplex() {
		return n.Complex()
	}
	return complex(Float(x), 0)
}
