package promote

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// Type is what promotion looks at: an element type, and whether it is weak. A
// weak type is that of a bare Go number and of anything made of such numbers
// alone; it yields to any strong type of the same or a higher kind.
type Type struct {
	DType core.DType
	Weak  bool
}

// Element types that some promotion system contains and no array has.
const (
	Complex32 core.DType = 60 + iota // two halves: PyTorch's f16 with a complex number
	Index                            // MAX's index
	Address                          // MAX's address
	TF32                             // MAX's tensor_float32
)

// maxDTypes bounds the numbers of element types, those above included.
const maxDTypes = 64

var _ [Complex32 - core.DType(core.NumDTypes)]struct{} // the two ranges do not meet

func init() {
	for d, name := range map[core.DType]string{Complex32: "c32", Index: "index", Address: "address", TF32: "tf32"} {
		core.NameForeign(d, name)
	}
}

// Strong returns the type of an array of element type d.
func Strong(d core.DType) Type { return Type{DType: d} }

// The types of bare Go numbers at 32 bits.
var (
	WeakInt     = Type{core.Int32, true}
	WeakFloat   = Type{core.Float32, true}
	WeakComplex = Type{core.Complex64, true}
)

// WeakOf returns the weak type of a kind of number: i*, u*, f* or c*, at its default
// width of bits (32 or 64, of each component).
func WeakOf(k core.Kind, bits int) Type {
	wide := bits == 64
	d := core.Invalid
	switch k {
	case core.KindBool:
		return Type{DType: core.Bool} // bool is never weak
	case core.KindInt:
		d = pick(wide, core.Int64, core.Int32)
	case core.KindUint:
		d = pick(wide, core.Uint64, core.Uint32)
	case core.KindFloat, core.KindMinorFloat:
		d = pick(wide, core.Float64, core.Float32)
	case core.KindComplex:
		d = pick(wide, core.Complex128, core.Complex64)
	}
	return Type{d, true}
}

func pick(wide bool, a, b core.DType) core.DType {
	if wide {
		return a
	}
	return b
}

// String returns the short name of a strong type, i* u* f* c* for a weak type of one
// of the two default widths, and ~i16 for a weak type of another width.
func (t Type) String() string {
	if !t.Weak || t.DType == core.Bool {
		return t.DType.String()
	}
	if s := star(t.DType); s != "" {
		return s
	}
	return "~" + t.DType.String()
}

// star returns the name of the weak type of d's kind, such as i*; "" if d is not of a default width.
func star(d core.DType) string {
	switch d {
	case core.Int32, core.Int64:
		return "i*"
	case core.Uint32, core.Uint64:
		return "u*"
	case core.Float32, core.Float64:
		return "f*"
	case core.Complex64, core.Complex128:
		return "c*"
	}
	return ""
}

var typeNames = map[string]Type{
	"b": {core.Bool, false}, "i1": {core.Bool, false}, "pred": {core.Bool, false},
	"i*": WeakInt, "u*": {core.Uint32, true}, "f*": WeakFloat, "c*": WeakComplex,
	"int": WeakInt, "float": WeakFloat, "complex": WeakComplex,
	"int*": WeakInt, "float*": WeakFloat, "complex*": WeakComplex,
	"c32": {Complex32, false}, "complex32": {Complex32, false}, "torch.complex32": {Complex32, false},
	"index": {Index, false}, "address": {Address, false},
	"tf32": {TF32, false}, "tensor_float32": {TF32, false}, "tensor_float_32": {TF32, false},
	"ui8": {core.Uint8, false}, "ui16": {core.Uint16, false}, "ui32": {core.Uint32, false}, "ui64": {core.Uint64, false},
}

// ParseType reads a type by any of its names: f32, float32, b, bool, i*, int,
// ~i16, i16*, and i32? as anvil writes an ambiguous i32.
func ParseType(name string) (Type, bool) {
	if t, ok := typeNames[name]; ok {
		return t, true
	}
	base, weak := name, false
	for _, mark := range []string{"*", "?"} {
		if s, ok := strings.CutSuffix(name, mark); ok {
			base, weak = s, true
		}
	}
	if s, ok := strings.CutPrefix(name, "~"); ok {
		base, weak = s, true
	}
	if weak {
		t, ok := ParseType(base)
		if !ok || t.Weak || t.DType == core.Bool || !t.DType.IsNumber() {
			return Type{}, false
		}
		return Type{t.DType, true}, true
	}
	d, ok := core.ParseDType(name)
	return Type{DType: d}, ok
}

func wide(d core.DType) bool {
	return d == core.Int64 || d == core.Uint64 || d == core.Float64 || d == core.Complex128
}
