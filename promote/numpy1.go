package promote

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/weft-go/weft/core"
)

// numpy1 is NumPy before version 2. Where arrays and scalars are operands and no scalar
// is of a higher kind than every array, a scalar counts not by its type but by
// the smallest type that represents its value.
type numpy1 struct{ *Finite }

// JoinOperands returns NumPy 1's result_type. A scalar whose value decides must come
// with it.
func (s *numpy1) JoinOperands(ops []Operand) (Type, error) {
	if len(ops) == 0 {
		return Type{}, errNoOperands(s)
	}
	if len(ops) == 1 {
		return s.whole(ops[0])
	}
	byValue := s.byValue(ops)
	mins := make([]minType, len(ops))
	types := make([]core.DType, len(ops))
	for i, o := range ops {
		m, err := s.operand(o, byValue)
		if e := (*Error)(nil); errors.As(err, &e) && e.Why == valueUnknown {
			e.Types = make([]Type, len(ops)) // of all operands, not only of the scalar
			for k, o := range ops {
				e.Types[k] = o.Type
			}
		}
		if err != nil {
			return Type{}, err
		}
		mins[i], types[i] = m, m.dtype
	}
	if !byValue {
		d, err := s.sequence(types)
		return Strong(d), err
	}
	sum := mins[0]
	for _, m := range mins[1:] {
		var err error
		if sum, err = s.promote(sum, m); err != nil {
			return Type{}, err
		}
	}
	return Strong(sum.dtype), nil
}

// byValue reports whether the values of scalars count: there are arrays and
// scalars, and no scalar's kind is above that of all arrays.
func (s *numpy1) byValue(ops []Operand) bool {
	array, scalar := -1, -1
	for _, o := range ops {
		k := simpleKind(o.DType)
		if s.scalar(o) {
			scalar = max(scalar, k)
		} else {
			array = max(array, k)
		}
	}
	return array >= 0 && scalar >= 0 && array >= scalar
}

// scalar reports whether o is a scalar. A weak array that has a dimension is an
// array like others.
func (*numpy1) scalar(o Operand) bool { return o.Scalar || o.Value != nil }

// simpleKind orders the kinds: bool, integers, the rest.
func simpleKind(d core.DType) int {
	switch {
	case d.IsBool():
		return 0
	case d.IsInteger():
		return 1
	}
	return 2
}

const valueUnknown = "the value of a scalar decides next to an array, and that of an argument of a traced function is not known"

// minType is the type that an operand counts as; small marks an unsigned type that stands for a
// number that the signed type of its width represents as well.
type minType struct {
	dtype core.DType
	small bool
}

func (s *numpy1) operand(o Operand, byValue bool) (minType, error) {
	t, err := s.whole(o)
	if err != nil || !byValue || !s.scalar(o) || o.DType.IsBool() {
		return minType{dtype: t.DType}, err
	}
	m, ok := minimal(t.DType, o.Value)
	if !ok {
		return minType{}, &Error{System: s.name, Types: []Type{o.Type},
			Why: valueUnknown,
			Way: fmt.Sprintf("write a Go number or a known scalar, give the scalar a dimension, or promote under %s, which looks at types only", NumPy2.name)}
	}
	return m, nil
}

// whole returns the type of an operand by itself: a bare number has its 64-bit type,
// and an integer beyond that is unsigned.
func (s *numpy1) whole(o Operand) (Type, error) {
	if o.DType == core.Invalid || s.find(o.Type) < 0 || s.Algebra().at(s.find(o.Type), s.find(o.Type)) < 0 {
		return Type{}, s.refuse(o.Type, o.Type)
	}
	if !o.Weak {
		return o.Type, nil
	}
	t := Strong(WeakOf(o.DType.Kind(), 64).DType)
	if v, ok := integer(o.Value); ok && !v.IsInt64() {
		if !v.IsUint64() {
			return Type{}, &Error{System: s.name, Types: []Type{o.Type}, Why: fmt.Sprintf("the integer %s has more than 64 bits", v), Way: "write it as a float"}
		}
		t.DType = core.Uint64
	}
	return t, nil
}

// promote joins by the table, except that a small unsigned number is combined with anything but
// booleans and unsigned types as the signed type of its width.
func (s *numpy1) promote(a, b minType) (minType, error) {
	x, y := a.dtype, b.dtype
	switch {
	case a.small && !y.IsBool() && !y.IsUnsigned():
		x = signed(x)
	case !a.small && b.small && !x.IsBool() && !x.IsUnsigned():
		y = signed(y)
	}
	t, err := s.Join(Strong(x), Strong(y))
	return minType{t.DType, a.small && b.small}, err
}

func signed(d core.DType) core.DType {
	switch d {
	case core.Uint8:
		return core.Int8
	case core.Uint16:
		return core.Int16
	case core.Uint32:
		return core.Int32
	case core.Uint64:
		return core.Int64
	}
	return d
}

// minimal returns the smallest type of d's kind that represents v; ok is false if that depends on v
// and v is no number. Complex numbers stay complex and halves stay halves.
func minimal(d core.DType, v any) (m minType, ok bool) {
	switch {
	case d.IsInteger():
		n, ok := integer(v)
		if !ok {
			return m, false
		}
		return minInteger(n), true
	case d.IsFloat():
		f, ok := float(v)
		return minType{dtype: minFloat(d, f)}, ok || d == core.Float16
	case d == core.Complex64:
		return minType{dtype: d}, true
	case d == core.Complex128:
		c, ok := complexNumber(v)
		if fitsFloat32(real(c)) && fitsFloat32(imag(c)) {
			return minType{dtype: core.Complex64}, ok
		}
		return minType{dtype: d}, ok
	}
	return m, false
}

func minInteger(n *big.Int) minType {
	if n.Sign() >= 0 {
		bits := n.BitLen()
		for _, d := range []core.DType{core.Uint8, core.Uint16, core.Uint32} {
			if bits <= d.Bits() {
				return minType{d, bits < d.Bits()}
			}
		}
		return minType{core.Uint64, bits < 64}
	}
	bits := new(big.Int).Not(n).BitLen() + 1
	for _, d := range []core.DType{core.Int8, core.Int16, core.Int32} {
		if bits <= d.Bits() {
			return minType{dtype: d}
		}
	}
	return minType{dtype: core.Int64}
}

// minFloat returns the smallest float type, at most d, that represents f. The limits are NumPy's
// round numbers, not the exact ones.
func minFloat(d core.DType, f float64) core.DType {
	switch {
	case d == core.Float16, -65000 < f && f < 65000, math.IsInf(f, 0), math.IsNaN(f):
		return core.Float16
	case d == core.Float64 && fitsFloat32(f):
		return core.Float32
	}
	return d
}

func fitsFloat32(f float64) bool { return -3.4e38 < f && f < 3.4e38 }
