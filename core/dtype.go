package core

import "fmt"

// DType is the type of an array's elements. The zero DType is Invalid.
type DType uint8

// The element types. Types narrower than a byte take one byte per element in memory. Float0 is
// the tangent type of integers and booleans: it has no bytes and no arithmetic. Key is a PRNG key
// of the default (threefry) kind; the other kinds of keys come from texts of JAX. Token is the type
// of values that order effects in such texts.
const (
	Invalid DType = iota
	Bool
	Int2
	Int4
	Int8
	Int16
	Int32
	Int64
	Uint2
	Uint4
	Uint8
	Uint16
	Uint32
	Uint64
	Float4E2M1FN
	Float6E2M3FN
	Float6E3M2FN
	Float8E3M4
	Float8E4M3
	Float8E4M3B11FNUZ
	Float8E4M3FN
	Float8E4M3FNUZ
	Float8E5M2
	Float8E5M2FNUZ
	Float8E8M0FNU
	BFloat16
	Float16
	Float32
	Float64
	Complex64
	Complex128
	Float0
	Key
	KeyRBG
	KeyURBG
	KeyPhilox2x32
	KeyPhilox4x32
	Token
	NumDTypes int = iota
)

// Kind is a class of element types with the same arithmetic.
type Kind uint8

// The kinds. KindMinorFloat are the floats of eight bits and fewer.
const (
	KindNone Kind = iota
	KindBool
	KindInt
	KindUint
	KindMinorFloat
	KindFloat
	KindComplex
	KindFloat0
	KindKey
	KindToken
)

type dtypeInfo struct {
	short, long string
	kind        Kind
	bits, size  int // width in bits, of a bool 8; bytes in memory
}

var dtypeTable = [NumDTypes]dtypeInfo{
	Invalid:           {"invalid", "invalid", KindNone, 0, 0},
	Bool:              {"bool", "bool", KindBool, 8, 1},
	Int2:              {"i2", "int2", KindInt, 2, 1},
	Int4:              {"i4", "int4", KindInt, 4, 1},
	Int8:              {"i8", "int8", KindInt, 8, 1},
	Int16:             {"i16", "int16", KindInt, 16, 2},
	Int32:             {"i32", "int32", KindInt, 32, 4},
	Int64:             {"i64", "int64", KindInt, 64, 8},
	Uint2:             {"u2", "uint2", KindUint, 2, 1},
	Uint4:             {"u4", "uint4", KindUint, 4, 1},
	Uint8:             {"u8", "uint8", KindUint, 8, 1},
	Uint16:            {"u16", "uint16", KindUint, 16, 2},
	Uint32:            {"u32", "uint32", KindUint, 32, 4},
	Uint64:            {"u64", "uint64", KindUint, 64, 8},
	Float4E2M1FN:      {"f4_e2m1fn", "float4_e2m1fn", KindMinorFloat, 4, 1},
	Float6E2M3FN:      {"f6_e2m3fn", "float6_e2m3fn", KindMinorFloat, 6, 1},
	Float6E3M2FN:      {"f6_e3m2fn", "float6_e3m2fn", KindMinorFloat, 6, 1},
	Float8E3M4:        {"f8_e3m4", "float8_e3m4", KindMinorFloat, 8, 1},
	Float8E4M3:        {"f8_e4m3", "float8_e4m3", KindMinorFloat, 8, 1},
	Float8E4M3B11FNUZ: {"f8_e4m3b11fnuz", "float8_e4m3b11fnuz", KindMinorFloat, 8, 1},
	Float8E4M3FN:      {"f8_e4m3fn", "float8_e4m3fn", KindMinorFloat, 8, 1},
	Float8E4M3FNUZ:    {"f8_e4m3fnuz", "float8_e4m3fnuz", KindMinorFloat, 8, 1},
	Float8E5M2:        {"f8_e5m2", "float8_e5m2", KindMinorFloat, 8, 1},
	Float8E5M2FNUZ:    {"f8_e5m2fnuz", "float8_e5m2fnuz", KindMinorFloat, 8, 1},
	Float8E8M0FNU:     {"f8_e8m0fnu", "float8_e8m0fnu", KindMinorFloat, 8, 1},
	BFloat16:          {"bf16", "bfloat16", KindFloat, 16, 2},
	Float16:           {"f16", "float16", KindFloat, 16, 2},
	Float32:           {"f32", "float32", KindFloat, 32, 4},
	Float64:           {"f64", "float64", KindFloat, 64, 8},
	Complex64:         {"c64", "complex64", KindComplex, 64, 8},
	Complex128:        {"c128", "complex128", KindComplex, 128, 16},
	Float0:            {"float0", "float0", KindFloat0, 0, 0},
	Key:               {"key<fry>", "key<fry>", KindKey, 64, 8},
	KeyRBG:            {"key<rbg>", "key<rbg>", KindKey, 128, 16},
	KeyURBG:           {"key<urbg>", "key<urbg>", KindKey, 128, 16},
	KeyPhilox2x32:     {"key<phx2>", "key<phx2>", KindKey, 32, 4},
	KeyPhilox4x32:     {"key<phx4>", "key<phx4>", KindKey, 64, 8},
	Token:             {"Tok", "token", KindToken, 0, 0},
}

func (d DType) info() *dtypeInfo {
	if int(d) >= NumDTypes {
		d = Invalid
	}
	return &dtypeTable[d]
}

var foreignNames = map[DType]string{}

// NameForeign names an element type that some promotion system has and no array can have.
// Package promote calls it for its own types when it is initialized.
func NameForeign(d DType, name string) { foreignNames[d] = name }

// NoArray returns why no array has elements of type d, "" if arrays may.
func (d DType) NoArray() string {
	if int(d) < NumDTypes && d.IsElement() {
		return ""
	}
	switch name := foreignNames[d]; {
	case name != "":
		return fmt.Sprintf("no array has elements of type %s, which only promotion systems have (package promote); use another, such as %s", name, replacements[name])
	case !d.IsElement():
		return fmt.Sprintf("an array cannot have elements of type %v; use one of weft.Bool … weft.Complex128", d)
	}
	return ""
}

// replacements are the element types that messages suggest in place of foreign ones.
var replacements = map[string]string{"index": "u64", "address": "u64", "tf32": "f32", "c32": "c64"}

// String returns the short name, as it stands in IR text: f32, bf16, bool.
func (d DType) String() string {
	if int(d) >= NumDTypes {
		if name, ok := foreignNames[d]; ok {
			return name
		}
	}
	return d.info().short
}

// Long returns the long name, as it stands in parameters: float32, bfloat16, bool.
func (d DType) Long() string { return d.info().long }

// Kind returns the kind of d.
func (d DType) Kind() Kind { return d.info().kind }

// Bits returns the width of an element in bits: 8 for bool, and less than 8 for types narrower than
// a byte.
func (d DType) Bits() int { return d.info().bits }

// Size returns the number of bytes that an element takes in memory.
func (d DType) Size() int { return d.info().size }

// IsBool reports whether d is bool.
func (d DType) IsBool() bool { return d == Bool }

// IsInteger reports whether d is a signed or unsigned integer.
//
//go:noinline // keeps programs small
func (d DType) IsInteger() bool { return d.Kind() == KindInt || d.Kind() == KindUint }

// IsSigned reports whether d is a signed integer.
func (d DType) IsSigned() bool { return d.Kind() == KindInt }

// IsUnsigned reports whether d is an unsigned integer.
func (d DType) IsUnsigned() bool { return d.Kind() == KindUint }

// IsFloat reports whether d is a real floating type, minor floats included.
//
//go:noinline // keeps programs small
func (d DType) IsFloat() bool { return d.Kind() == KindFloat || d.Kind() == KindMinorFloat }

// IsMinorFloat reports whether d is a float of eight bits or fewer.
func (d DType) IsMinorFloat() bool { return d.Kind() == KindMinorFloat }

// IsComplex reports whether d is complex.
//
//go:noinline // keeps programs small
func (d DType) IsComplex() bool { return d.Kind() == KindComplex }

// IsInexact reports whether d is floating or complex, and so can be differentiated.
//
//go:noinline // keeps programs small
func (d DType) IsInexact() bool { return d.IsFloat() || d.IsComplex() }

// IsNumber reports whether d is an integer, a float or complex.
func (d DType) IsNumber() bool { return d.IsInteger() || d.IsInexact() }

// IsElement reports whether arrays can have elements of type d: false for Invalid, for
// Token and for numbers that stand for no type.
func (d DType) IsElement() bool { k := d.Kind(); return k != KindNone && k != KindToken }

// NoNumber returns why there is no arithmetic on keys or on float0, and what to do instead. For the
// other types it returns "".
func (d DType) NoNumber() string {
	switch {
	case d.IsKey():
		return "keys of random numbers are no numbers; draw from them with package random"
	case d == Float0:
		return `these are derivatives of integers, or of a field tagged weft:"frozen", which have no elements; leave them out, as weft.TreeMap does`
	}
	return ""
}

// IsKey reports whether d is a PRNG key type.
func (d DType) IsKey() bool { return d.Kind() == KindKey }

// IsOtherKey reports whether d is a PRNG key type other than the default one.
func (d DType) IsOtherKey() bool { return d.IsKey() && d != Key }

// KeyWords returns the number of u32 words in a key of type d, 0 if d is not a key type.
func (d DType) KeyWords() int {
	if !d.IsKey() {
		return 0
	}
	return d.Bits() / 32
}

// Real returns the type of the real part of a complex type, and d itself otherwise.
func (d DType) Real() DType {
	switch d {
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return d
}

// Tangent returns the element type of a tangent of d: d itself if it can be differentiated,
// otherwise Float0.
func (d DType) Tangent() DType {
	if d.IsInexact() {
		return d
	}
	return Float0
}

var dtypeNames = func() map[string]DType {
	m := make(map[string]DType, 2*NumDTypes)
	for d := Bool; int(d) < NumDTypes; d++ {
		m[d.String()] = d
		m[d.Long()] = d
	}
	return m
}()

// ParseDType finds an element type by its short or long name.
func ParseDType(name string) (DType, bool) {
	d, ok := dtypeNames[name]
	return d, ok
}
