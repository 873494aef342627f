package rule

import "github.com/weft-go/weft/core"

// ProductDType returns the dtype of sums of products of x and y. That is preferred, unless it is
// Invalid. Else it is the operand's dtype of the higher kind (bool < integer < float < complex),
// within one kind the wider dtype, and x's if both are equally wide.
func ProductDType(x, y core.ShapedArray, preferred core.DType) core.DType {
	NumberOrBool(x)
	NumberOrBool(y)
	dt := x.DType
	if dx, dy := x.DType, y.DType; dx != dy {
		kx, ky := dotKind(dx), dotKind(dy)
		if ky > kx || ky == kx && dy.Bits() > dx.Bits() {
			dt = dy
		}
	}
	if preferred == core.Invalid {
		return dt
	}
	preferredType(x.DType, y.DType, dt, preferred)
	return preferred
}

func dotKind(d core.DType) int {
	switch {
	case d.IsBool():
		return 0
	case d.IsInteger():
		return 1
	case d.IsFloat():
		return 2
	}
	return 3
}

// preferredType fails unless sums of products of dx and dy, which have type dt, can
// be computed in the preferred type. That may be a float type for complex products of
// which one operand is real: their real parts are products of the other's real part.
func preferredType(dx, dy, dt, preferred core.DType) {
	kd, kp := dotKind(dt), dotKind(preferred)
	realPart := kd == 3 && kp == 2 && (dotKind(dx) < 3 || dotKind(dy) < 3)
	switch {
	case !preferred.IsNumber() && preferred != dt,
		kd != kp && kd != 0 && !(kd == 1 && kp == 2) && !realPart:
		core.Failf(core.ErrDType, "a result of %v cannot have the preferred type %v; use an integer or float for integers, a float for floats, a complex type for complex numbers (or a float, where one operand is real)", dt, preferred)
	case dt.IsSigned() && preferred.IsUnsigned():
		core.Failf(core.ErrDType, "a result of %v cannot have the preferred type %v, which has no sign; use a signed type", dt, preferred)
	case preferred.Real().Bits() < dt.Real().Bits():
		core.Failf(core.ErrDType, "the preferred %v is narrower than %v; convert the result instead", preferred, dt)
	}
}
