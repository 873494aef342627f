package promote

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
)

// NumPy drifts to 64 bits, JAX does not.
func TestNoDriftTo64Bits(t *testing.T) {
	statement.Shows(t, "P-1", "under NumPy i32+f32 is f64; under JAX no two inputs of 32 bits or less make a 64-bit type, unsigned integers aside")
	expect(t, NumPy1, "i32+f32=f64")
	expect(t, JAX, "i32+f32=f32")
	var narrow []Type
	for _, n := range JAXDesign.Algebra().Names() {
		if x := typ(t, n); !x.DType.IsUnsigned() && !wide(x.DType) {
			narrow = append(narrow, x)
		}
	}
	if len(narrow) != 11 {
		t.Errorf("%d narrow types: %v", len(narrow), narrow)
	}
	for _, s := range []System{JAXDesign, JAX, JAX32} {
		for _, x := range narrow {
			for _, y := range narrow {
				if r, err := s.Join(x, y); err != nil || wide(r.DType) {
					t.Errorf("%s: %s + %s = %s, %v", s.Name(), x, y, r, err)
				}
			}
		}
	}
}

// Any scalar with any array takes the array's type. P-17: so with the scalars of a kind
// collapsed into one.
func TestScalarsBelowArrays(t *testing.T) {
	statement.Shows(t, "P-16", "any scalar with any array of its category has the type of the array")
	statement.Shows(t, "P-17", "scalars collapse to one weak type per category, below its arrays")
	for _, a := range []string{"i8", "i16", "i32", "i64"} {
		for _, s := range []string{"i8", "i16", "i32", "i64"} {
			if got := NumPySigned.Algebra().Cell(s+"*", a); got != a {
				t.Errorf("scalar %s with array %s is %s", s, a, got)
			}
		}
	}
	if r, err := NumPySigned.Join(Type{core.Int8, true}, Type{core.Int64, true}); err != nil || r != (Type{core.Int64, true}) {
		t.Errorf("scalars i8 with i64: %v, %v", r, err)
	}
	if d, weak, err := Result(NumPySigned, 32, Type{core.Int8, true}, Type{core.Int16, true}); err != nil || !weak || d != core.Int16 {
		t.Errorf("scalars i8 with i16: %v, %v, %v", d, weak, err)
	}
	for star, chain := range map[string]string{"u*": "u8 u16 u32 u64", "i*": "i8 i16 i32 i64", "f*": "f16 f32 f64", "c*": "c64 c128"} {
		for _, a := range strings.Fields(chain) {
			expect(t, WithinCategoryStar, star+"+"+a+"="+a)
		}
	}
}

// f* is a weak type that arrays carry: u64 with i64 has the default width and yields to
// other floats.
func TestWeakArrays(t *testing.T) {
	statement.Shows(t, "P-31", "u64 with i64 is an array of weak float that yields to other floats")
	expect(t, JAX, "u64+i64=f*", "u64+i64+f16=f16", "u64+i64+bf16=bf16", "u64+i64+c64=c64", "u64+i64+i8=f*")
	for _, bits := range []int{32, 64} {
		d, weak, err := Result(JAX, bits, Strong(core.Uint64), Strong(core.Int64))
		if err != nil || !weak || d != WeakOf(core.KindFloat, bits).DType {
			t.Errorf("%d bits: u64 + i64 = %v, %v, %v", bits, d, weak, err)
		}
		d, weak, err = Result(JAX, bits, Type{d, weak}, Strong(core.Float16))
		if err != nil || weak || d != core.Float16 {
			t.Errorf("%d bits: (u64 + i64) + f16 = %v, %v, %v", bits, d, weak, err)
		}
	}
}

// The one rule by which weak results get a width, regardless of the order.
func TestWeakWidths(t *testing.T) {
	f64w, i64w, i16w := Type{core.Float64, true}, Type{core.Int64, true}, Type{core.Int16, true}
	for _, c := range []struct {
		bits  int
		types []Type
		d     core.DType
		weak  bool
	}{
		{32, []Type{WeakInt, WeakInt}, core.Int32, true},
		{64, []Type{WeakInt, WeakInt}, core.Int64, true},
		{32, []Type{WeakInt, WeakFloat}, core.Float32, true},
		{64, []Type{WeakInt, WeakFloat}, core.Float64, true},
		{32, []Type{WeakFloat, WeakComplex}, core.Complex64, true},
		{32, []Type{Strong(core.Int32), WeakFloat}, core.Float32, true},
		{64, []Type{Strong(core.Int32), WeakFloat}, core.Float64, true},
		{32, []Type{Strong(core.Int64), WeakFloat}, core.Float32, true},
		{32, []Type{Strong(core.Int64), WeakComplex}, core.Complex64, true},
		{32, []Type{f64w, WeakFloat}, core.Float32, true},
		{64, []Type{f64w, WeakFloat}, core.Float64, true},
		{32, []Type{f64w, WeakComplex}, core.Complex64, true},
		{32, []Type{i64w, WeakFloat}, core.Float32, true},
		{32, []Type{i16w, i16w}, core.Int32, true},
		{32, []Type{i16w}, core.Int16, true},
		{32, []Type{i16w, Strong(core.Int8)}, core.Int8, false},
		{32, []Type{f64w, Strong(core.Float32)}, core.Float32, false},
		{32, []Type{Strong(core.Uint32), Strong(core.Int32), WeakFloat}, core.Float32, true},
		{32, []Type{WeakFloat, Strong(core.Int64), Strong(core.Int8)}, core.Float32, true},
		{32, []Type{{core.Uint32, true}, {core.Uint32, true}}, core.Uint32, true},
		{32, []Type{{core.Uint32, true}, WeakInt}, core.Int32, true},
		{32, []Type{{core.Bool, true}, {core.Bool, true}}, core.Bool, false},
		{32, []Type{{core.Bool, true}}, core.Bool, false},
		{32, []Type{Strong(core.Bool), WeakInt}, core.Int32, true},
		{32, []Type{{core.BFloat16, true}, {core.Float16, true}}, core.Float32, true},
		{64, []Type{Strong(core.Float32), WeakFloat}, core.Float32, false},
	} {
		for _, types := range permutations(c.types) {
			d, weak, err := Result(JAX, c.bits, types...)
			if err != nil || d != c.d || weak != c.weak {
				t.Errorf("%d bits, %v: %v, %v, %v; want %v, %v", c.bits, types, d, weak, err, c.d, c.weak)
			}
			var ops []Operand
			for _, x := range types {
				ops = append(ops, Operand{Type: x, Value: 300})
			}
			if d2, weak2, err2 := ResultOf(JAX, c.bits, ops...); d2 != d || weak2 != weak || (err2 == nil) != (err == nil) {
				t.Errorf("ResultOf differs from Result for %v", types)
			}
		}
	}
	if _, _, err := Result(JAX, 32); err == nil {
		t.Error("no operands")
	}
	if d, weak, err := Result(JAX, 32, Strong(core.Key)); err != nil || weak || d != core.Key {
		t.Error("a single operand is what it is")
	}
	for s, types := range map[System][]Type{PyTorch: {Strong(core.Float16), WeakComplex}, MAX: {Strong(Index), Strong(Index)}} {
		if d, _, err := Result(s, 32, types...); err == nil || !strings.Contains(err.Error(), "no array can have") {
			t.Errorf("%s: %v makes arrays of type %s", s.Name(), types, d.String())
		}
	}
	// Types without a join have no result, which is not weak.
	if d, weak, err := Result(JAX, 32, Strong(core.Float8E4M3FN), WeakInt, Strong(core.Float8E5M2)); err == nil || weak || d != core.Invalid {
		t.Errorf("types without a join: got %v, %v, %v, want none, not weak, an error", d, weak, err)
	}
	// anvil has a type i16?, whose width is its own.
	if d, weak, err := Result(Anvil, 64, i16w, i16w); err != nil || !weak || d != core.Int16 {
		t.Errorf("anvil: %v, %v, %v", d, weak, err)
	}
}

func permutations(ts []Type) [][]Type {
	if len(ts) < 2 {
		return [][]Type{ts}
	}
	var out [][]Type
	for i := range ts {
		rest := append(append([]Type(nil), ts[:i]...), ts[i+1:]...)
		for _, p := range permutations(rest) {
			out = append(out, append([]Type{ts[i]}, p...))
		}
	}
	return out
}

// A bare number and a weak array are one type; weakness propagates.
func TestWeakness(t *testing.T) {
	statement.Shows(t, "P-38", "a Python scalar and a weak array promote alike, and weakness propagates")
	expect(t, JAX, "i*+i*=i*", "b+i*=i*", "i64+f*=f*", "u64+i*=u64")
	// Weak types of other widths, which arrays can carry, behave as the bare ones.
	for _, x := range JAX.Algebra().Names() {
		for weak, others := range map[string]string{"i*": "~i8 ~i16 i64? ~u8", "f*": "~f16 ~bf16 f64?", "c*": "c128?"} {
			for _, o := range strings.Fields(others) {
				if a, b := join(t, JAX, x, weak), join(t, JAX, x, o); a != b && !strings.Contains(a+b, "*") {
					t.Errorf("%s with %s is %s, with %s %s", x, weak, a, o, b)
				}
			}
		}
	}
}
