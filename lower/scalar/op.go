package scalar

import "github.com/weft-go/weft/core"

// Type is the type of a value in a scalar program. Floats narrower than 32 bits
// are values of type U8 or U16, their bits, until Widen makes them F32.
type Type uint8

// The types of scalar values.
const (
	NoType Type = iota
	Bool
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F32
	F64
	NumTypes int = iota
)

var typeTable = [NumTypes]struct {
	name string
	size int
}{
	NoType: {"none", 0}, Bool: {"bool", 1},
	I8: {"i8", 1}, I16: {"i16", 2}, I32: {"i32", 4}, I64: {"i64", 8},
	U8: {"u8", 1}, U16: {"u16", 2}, U32: {"u32", 4}, U64: {"u64", 8},
	F32: {"f32", 4}, F64: {"f64", 8},
}

// String returns the type's name as program text has it.
func (t Type) String() string {
	if int(t) >= NumTypes {
		return "invalid"
	}
	return typeTable[t].name
}

// Size returns the number of bytes of a value.
func (t Type) Size() int { return typeTable[t].size }

// Bits returns the number of bits of a value; of a bool 8, as in memory.
func (t Type) Bits() int { return 8 * typeTable[t].size }

// IsFloat reports whether t is F32 or F64.
func (t Type) IsFloat() bool { return t == F32 || t == F64 }

// IsInt reports whether t is a signed or unsigned integer.
func (t Type) IsInt() bool { return t >= I8 && t <= U64 }

// IsSigned reports whether t is a signed integer.
func (t Type) IsSigned() bool { return t >= I8 && t <= I64 }

// Unsigned returns the unsigned integer of t's size.
func (t Type) Unsigned() Type {
	switch t.Size() {
	case 1:
		return U8
	case 2:
		return U16
	case 4:
		return U32
	}
	return U64
}

// Signed returns the signed integer of t's size.
func (t Type) Signed() Type { return t.Unsigned() - U8 + I8 }

// Stored returns the type of a value as it lies in memory: the bits of small floats,
// the real type of complex numbers, which have two such components.
//
//go:noinline // keeps programs small
func Stored(dt core.DType) Type {
	switch dt {
	case core.Bool:
		return Bool
	case core.Int2, core.Int4, core.Int8:
		return I8
	case core.Int16:
		return I16
	case core.Int32:
		return I32
	case core.Int64:
		return I64
	case core.Uint16, core.BFloat16, core.Float16:
		return U16
	case core.Uint32, core.KeyPhilox2x32:
		return U32
	case core.Uint64, core.Key, core.KeyRBG, core.KeyURBG, core.KeyPhilox4x32:
		return U64
	case core.Float32, core.Complex64:
		return F32
	case core.Float64, core.Complex128:
		return F64
	case core.Invalid, core.Float0, core.Token:
		return NoType
	}
	return U8 // u2, u4, u8 and the floats of eight bits and fewer
}

// Components returns the number of scalar values that make an element of dt.
func Components(dt core.DType) int {
	if dt.IsComplex() || dt == core.KeyRBG || dt == core.KeyURBG {
		return 2
	}
	if Stored(dt) == NoType {
		return 0
	}
	return 1
}

// Op is an operation of scalar programs. Each is defined to the bit, except that a NaN which arithmetic makes
// has unspecified bits until Canon fixes them; every target implements each operation exactly.
type Op uint8

// The operations. T is the type of the result.
const (
	OpNone Op = iota

	OpParam // component Imm&0xff of operand Imm>>8
	OpConst // the bits Imm

	// Arithmetic. Integers wrap; x/0 is −1 (unsigned: all ones), x%0 is x, and
	// MIN/−1 is MIN. Floats round to nearest even; nothing is flushed or fused.
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpRem   // integers only: the sign of the dividend
	OpMulHi // integers only: the high half of the product
	OpNeg   // floats: the sign bit flipped, NaN or not
	OpAbs   // floats: the sign bit cleared, NaN or not
	OpMin   // floats: NaN wins, −0 < +0 (IEEE 754-2019 minimum)
	OpMax   // floats: NaN wins, −0 < +0 (IEEE 754-2019 maximum)

	// Floats only.
	OpFMA   // x·y + z, rounded once
	OpScale // x·2ⁿ, rounded once: see Builder.Scale
	OpSqrt
	OpFloor // rounding to an integral float keeps the sign of zero
	OpCeil
	OpTrunc
	OpRint  // ties to even
	OpCanon // NaN becomes the canonical quiet NaN, the rest stays

	// Bits. On Bool the first four are the logical operations; the others take integers only.
	OpAnd
	OpOr
	OpXor
	OpNot
	OpShl // by an unsigned amount; from the width on, 0
	OpShr // signed T: arithmetic; from the width on, 0 or the sign
	OpClz
	OpPopCount

	// Comparisons of two values of one type return Bool. With a NaN all but Ne are
	// false.
	OpEq
	OpNe
	OpLt
	OpLe

	OpSelect // c ? x : y
	OpRare   // Select whose true arm is seldom taken: what only x needs may be skipped where no element has c

	// OpConvert between numbers. Integers wrap or extend; to float rounds to
	// nearest even; float to integer truncates and saturates, NaN becomes 0. Bool
	// becomes 0 or 1.
	OpConvert
	OpBitcast // same size, same bits; not Bool
	OpWiden   // the bits of a small float DType, to F32, exact
	OpNarrow  // F32 to the bits of a small float DType, to nearest even (ties go up for float8_e8m0fnu); NaN canonical

	OpLookup // the entry of table Imm whose index is in the low bits of an integer

	NumOps int = iota
)

// class is a set of types that an operation takes.
type class uint8

const (
	ints class = 1 << iota
	floats
	bools
	numbers = ints | floats
	anyType = numbers | bools
)

func (c class) has(t Type) bool {
	switch {
	case t == Bool:
		return c&bools != 0
	case t.IsFloat():
		return c&floats != 0
	case t.IsInt():
		return c&ints != 0
	}
	return false
}

// A Form relates the types of an operation's operands to that of its result.
type Form uint8

// The forms.
const (
	FormLeaf    Form = iota // no operand
	FormSame                // all operands and the result have one type
	FormCompare             // operands of one type, result Bool
	FormSelect              // Bool, T, T
	FormChange              // one operand, whose type may differ
)

var opTable = [NumOps]struct {
	name  string
	args  int
	form  Form
	class class
}{
	OpNone:     {"none", 0, FormLeaf, 0},
	OpParam:    {"param", 0, FormLeaf, anyType},
	OpConst:    {"const", 0, FormLeaf, anyType},
	OpAdd:      {"add", 2, FormSame, numbers},
	OpSub:      {"sub", 2, FormSame, numbers},
	OpMul:      {"mul", 2, FormSame, numbers},
	OpDiv:      {"div", 2, FormSame, numbers},
	OpRem:      {"rem", 2, FormSame, ints},
	OpMulHi:    {"mulhi", 2, FormSame, ints},
	OpNeg:      {"neg", 1, FormSame, numbers},
	OpAbs:      {"abs", 1, FormSame, numbers},
	OpMin:      {"min", 2, FormSame, numbers},
	OpMax:      {"max", 2, FormSame, numbers},
	OpFMA:      {"fma", 3, FormSame, floats},
	OpScale:    {"scale", 2, FormSame, floats},
	OpSqrt:     {"sqrt", 1, FormSame, floats},
	OpFloor:    {"floor", 1, FormSame, floats},
	OpCeil:     {"ceil", 1, FormSame, floats},
	OpTrunc:    {"trunc", 1, FormSame, floats},
	OpRint:     {"rint", 1, FormSame, floats},
	OpCanon:    {"canon", 1, FormSame, floats},
	OpAnd:      {"and", 2, FormSame, ints | bools},
	OpOr:       {"or", 2, FormSame, ints | bools},
	OpXor:      {"xor", 2, FormSame, ints | bools},
	OpNot:      {"not", 1, FormSame, ints | bools},
	OpShl:      {"shl", 2, FormSame, ints},
	OpShr:      {"shr", 2, FormSame, ints},
	OpClz:      {"clz", 1, FormSame, ints},
	OpPopCount: {"popcount", 1, FormSame, ints},
	OpEq:       {"eq", 2, FormCompare, anyType},
	OpNe:       {"ne", 2, FormCompare, anyType},
	OpLt:       {"lt", 2, FormCompare, anyType},
	OpLe:       {"le", 2, FormCompare, anyType},
	OpSelect:   {"select", 3, FormSelect, anyType},
	OpRare:     {"rare", 3, FormSelect, anyType},
	OpConvert:  {"convert", 1, FormChange, numbers},
	OpBitcast:  {"bitcast", 1, FormChange, numbers},
	OpWiden:    {"widen", 1, FormChange, floats},
	OpNarrow:   {"narrow", 1, FormChange, ints},
	OpLookup:   {"lookup", 1, FormChange, numbers},
}

// String returns the operation's name as program text has it.
func (o Op) String() string {
	if int(o) >= NumOps {
		return "invalid"
	}
	return opTable[o].name
}

// Args returns the number of operands.
func (o Op) Args() int { return opTable[o].args }

// Form returns how the types of operands and result are related.
func (o Op) Form() Form { return opTable[o].form }

// Takes reports whether the operation is defined on t: the type of the result, or of
// the operands of a comparison.
func (o Op) Takes(t Type) bool { return opTable[o].class.has(t) }

// IsSmallFloat reports whether dt is a float of fewer than 32 bits, which scalar
// programs compute in F32.
func IsSmallFloat(dt core.DType) bool {
	return dt.IsMinorFloat() || dt == core.BFloat16 || dt == core.Float16
}
