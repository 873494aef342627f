package promote

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
)

// number reads a Python number of the type that the element names.
func number(t testing.TB, d core.DType, text string) any {
	t.Helper()
	float := func(s string) float64 {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	switch {
	case d.IsBool():
		return text == "1"
	case d.IsInteger():
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			t.Fatalf("no integer %q", text)
		}
		if n.IsInt64() {
			return int(n.Int64())
		}
		return n
	case d.IsComplex():
		re, im, _ := strings.Cut(text, ",")
		return complex(float(re), float(im))
	}
	return float(text)
}

// An array promotes with a Python int by the number's value, in every cell of NumPy 1.24's table.
func TestNumPy1ByValue(t *testing.T) {
	statement.Shows(t, "P-14", "under NumPy 1 the value of a scalar decides: zeros(1, i8) + 1000 is i16")
	all := rows(t, "numpy_value_dependent.tsv")
	cells := 0
	for _, row := range all[1:] {
		for j, want := range row[1:] {
			array := Operand{Type: typ(t, row[0])}
			n := Operand{Type: WeakInt, Value: number(t, core.Int64, all[0][j+1])}
			for _, ops := range [][]Operand{{array, n}, {n, array}} {
				got, weak, err := ResultOf(NumPy1, 32, ops...)
				if err != nil || weak || got.Long() != want {
					t.Errorf("%s array with %s: %v, %v, want %s", row[0], all[0][j+1], got, err, want)
				}
				cells++
			}
		}
	}
	if cells != 2*8*26 {
		t.Errorf("%d cells", cells)
	}
}

// Random operands (arrays, NumPy scalars and Python numbers) promote as NumPy's own result_type states.
func TestNumPy1Operands(t *testing.T) {
	for _, row := range rows(t, "numpy1_operands.tsv") {
		var ops []Operand
		for _, text := range strings.Fields(row[0]) {
			text, value, given := strings.Cut(text, "=")
			kind, name, ok := strings.Cut(text, ":")
			if !ok {
				name = text
			}
			o := Operand{Type: typ(t, name), Scalar: kind != "a"}
			if given {
				o.Value = number(t, o.DType, value)
			}
			ops = append(ops, o)
		}
		got, weak, err := ResultOf(NumPy1, 32, ops...)
		if err != nil || weak || short(Strong(got)) != row[1] {
			t.Errorf("%s: %v, %v, want %s", row[0], got, err, row[1])
		}
	}
}

func TestNumPy1Statements(t *testing.T) {
	statement.Shows(t, "P-12", "under NumPy 1, int8(0) + 1 is i64")
	statement.Shows(t, "P-13", "under NumPy 1, zeros(1, i8) + 1 is i8")
	statement.Shows(t, "P-14", "under NumPy 1 the value of a scalar decides: zeros(1, i8) + 1000 is i16")
	statement.Shows(t, "P-18", "x + 2 has the dtype of x for every signed integer dtype")
	statement.Shows(t, "P-16", "any scalar with any array of its category has the type of the array")
	array := func(d core.DType) Operand { return Operand{Type: Strong(d)} }
	scalar := func(d core.DType, v any) Operand { return Operand{Type: Strong(d), Scalar: true, Value: v} }
	bare := func(v any) Operand {
		switch v.(type) {
		case int, uint64, *big.Int:
			return Operand{Type: WeakInt, Value: v}
		case float64:
			return Operand{Type: WeakFloat, Value: v}
		}
		return Operand{Type: WeakComplex, Value: v}
	}
	for _, c := range []struct {
		a, b Operand
		want core.DType
	}{
		{scalar(core.Int8, int8(0)), bare(1), core.Int64}, // P-12
		{array(core.Int8), bare(1), core.Int8},            // P-13
		{array(core.Int8), bare(1000), core.Int16},        // P-14
		{array(core.Int8), bare(127), core.Int8},
		{array(core.Int8), bare(128), core.Int16},
		{array(core.Int8), bare(-129), core.Int16},
		{array(core.Uint8), bare(-1), core.Int16},
		{array(core.Uint64), bare(-1), core.Float64},
		{array(core.Int8), bare(uint64(math.MaxUint64)), core.Float64},
		{array(core.Float32), bare(1e300), core.Float64},
		{array(core.Float32), bare(1e30), core.Float32},
		{array(core.Float16), bare(1i), core.Complex64},
		{array(core.Int32), scalar(core.Float32, float32(1)), core.Float64},
		{array(core.Bool), bare(1), core.Int64},
		{bare(1), bare(2.5), core.Float64},
	} {
		got, _, err := ResultOf(NumPy1, 32, c.a, c.b)
		if err != nil || got != c.want {
			t.Errorf("%v + %v = %v, %v, want %v", c.a, c.b, got, err, c.want)
		}
	}
	// P-18, and P-16: any scalar that fits leaves an array its type.
	for _, d := range []core.DType{core.Int8, core.Int16, core.Int32, core.Int64} {
		for _, s := range []System{NumPy1, NumPy2, JAX, PyTorch} {
			got, weak, err := ResultOf(s, 32, array(d), bare(2))
			if err != nil || weak || got != d {
				t.Errorf("%s: %v array + 2 = %v, %v", s.Name(), d, got, err)
			}
		}
	}
}

// Only NumPy 1 looks at the values of operands. In all other systems their types decide.
func TestOnlyNumPy1LooksAtValues(t *testing.T) {
	statement.Shows(t, "P-15", "under JAX the value of a constant never decides a type, in and out of jit")
	for _, s := range Systems() {
		differ := 0
		var first core.DType
		for i, v := range []int{1, 1000, -1, math.MaxInt} {
			got, _, err := ResultOf(s, 32, Operand{Type: Strong(core.Int8)}, Operand{Type: WeakInt, Value: v})
			if i == 0 {
				first = got
			}
			if err == nil && got != first {
				differ++
			}
		}
		if (differ > 0) != (s == NumPy1) {
			t.Errorf("%s: %d results differ by value", s.Name(), differ)
		}
	}
}

// Under NumPy 1 a scalar without a value is an error that states so, where the
// value decides and only there.
func TestNumPy1NeedsValues(t *testing.T) {
	statement.Shows(t, "P-39", "NumPy has no bf16: any operation with it is an error")
	hidden := Operand{Type: Strong(core.Int8), Scalar: true}
	_, _, err := ResultOf(NumPy1, 32, Operand{Type: Strong(core.Uint64)}, hidden)
	if err == nil || !strings.Contains(err.Error(), "traced") || !strings.Contains(err.Error(), "i8") || !strings.Contains(err.Error(), "Go number") {
		t.Errorf("no good error: %v", err)
	}
	weak := Operand{Type: WeakFloat, Scalar: true}
	if _, _, err := ResultOf(NumPy1, 32, Operand{Type: Strong(core.Float32)}, weak); err == nil {
		t.Error("a weak value without a number should be refused next to an array")
	}
	// A weak array that has a dimension is an array.
	if got, _, err := ResultOf(NumPy1, 32, Operand{Type: Strong(core.Int8)}, Operand{Type: WeakInt}); err != nil || got != core.Int64 {
		t.Errorf("%v, %v", got, err)
	}
	// Among scalars alone, and where the scalar's kind is the higher, types decide.
	if got, _, err := ResultOf(NumPy1, 32, hidden, Operand{Type: Strong(core.Int16), Scalar: true}); err != nil || got != core.Int16 {
		t.Errorf("%v, %v", got, err)
	}
	if got, _, err := ResultOf(NumPy1, 32, Operand{Type: Strong(core.Bool)}, hidden); err != nil || got != core.Int8 {
		t.Errorf("%v, %v", got, err)
	}
	// P-39: NumPy 1 has no bf16, in any place.
	for _, ops := range [][]Operand{
		{{Type: Strong(core.BFloat16)}},
		{{Type: Strong(core.BFloat16)}, {Type: Strong(core.BFloat16)}},
		{{Type: Strong(core.Float32)}, {Type: Strong(core.BFloat16), Scalar: true, Value: 1.0}},
	} {
		if _, _, err := ResultOf(NumPy1, 32, ops...); err == nil || !strings.Contains(err.Error(), "bf16") {
			t.Errorf("bf16 should be refused by name: %v", err)
		}
	}
	if _, _, err := ResultOf(NumPy1, 32); err == nil {
		t.Error("no operands")
	}
	huge, _ := new(big.Int).SetString("18446744073709551616", 10)
	if _, _, err := ResultOf(NumPy1, 32, Operand{Type: Strong(core.Int8)}, Operand{Type: WeakInt, Value: huge}); err == nil {
		t.Error("2**64 has no type in NumPy 1")
	}
}

// The refusal of a scalar whose value is not known names the array's type beside the scalar's.
func TestNumPy1NamesBothTypes(t *testing.T) {
	array, scalar := Operand{Type: Strong(core.Float32)}, Operand{Type: Strong(core.Int64), Scalar: true}
	for want, ops := range map[string][]Operand{
		"f32 and i64 do not promote under numpy1": {array, scalar}, "i64 and f32 do not promote under numpy1": {scalar, array},
		"f32, f32 and i64 do not promote under numpy1": {array, array, scalar},
	} {
		if _, _, err := ResultOf(NumPy1, 32, ops...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
