package scalar_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/irtext"
	. "github.com/weft-go/weft/lower/scalar"
)

func TestText(t *testing.T) {
	b := NewBuilder(core.BFloat16, core.Complex64)
	x := b.Widen(core.BFloat16, b.Param(0, 0))
	y := b.FMA(x, b.Param(1, 1), b.Float(F32, 1))
	c := b.Lt(x, y)
	n := b.Select(c, b.Int(I32, -2), b.Convert(I32, y))
	p := b.Finish([]core.DType{core.Int32, core.BFloat16}, []Ref{n, b.Narrow(core.BFloat16, y)})
	require.Equal(t, `func(bf16, c64) i32, bf16 {
  %0 = param u16 0
  %1 = widen f32 bf16 %0
  %2 = param f32 1.1
  %3 = const f32 0x3f800000 ; 1
  %4 = fma f32 %1, %2, %3
  %5 = lt bool %1, %4
  %6 = const i32 0xfffffffe ; -2
  %7 = convert i32 %4
  %8 = select i32 %5, %6, %7
  %9 = narrow u16 bf16 %4
  ret %8, %9
}
`, p.String())
}

// Each program is refused, for the reason beside it.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"%0 = param f32 1\nret %0", "there are 1 operands"},
		{"%0 = param f64 0\nret %0", "operand 0 is f32"},
		{"%0 = param f32 0.1\nret %0", "operand 0 is f32"},
		{"%0 = param f32 0\n%1 = add f32 %0, %1\nret %1", "not defined before"},
		{"%0 = param f32 0\n%1 = add f64 %0, %0\nret %0", "operand 0 is a f32"},
		{"%0 = param f32 0\n%1 = and f32 %0, %0\nret %1", "and is not for f32"},
		{"%0 = param f32 0\n%1 = rem f32 %0, %0\nret %1", "rem is not for f32"},
		{"%0 = const i32 0x1\n%1 = fma i32 %0, %0, %0\nret %1", "fma is not for i32"},
		{"%0 = param f32 0\n%1 = lt f32 %0, %0\nret %1", "to a f32"},
		{"%0 = param f32 0\n%1 = const f64 0x0\n%2 = eq bool %0, %1\nret %0", "compares a f32 with a f64"},
		{"%0 = param f32 0\n%1 = select f32 %0, %0, %0\nret %1", "operands are f32, f32, f32"},
		{"%0 = param f32 0\n%1 = convert f32 %0\nret %1", "its own type"},
		{"%0 = param f32 0\n%1 = bitcast u64 %0\nret %0", "the operand is a f32"},
		{"%0 = const bool 0x1\n%1 = bitcast u8 %0\nret %1", "the operand is a bool"},
		{"%0 = const bool 0x2\nret %0", "a bool is 0 or 1"},
		{"%0 = param f32 0\n%1 = bitcast u32 %0\n%2 = lookup f32 t0 %1\nret %2", "there is no table t0"},
		{"table t0 f32 0x1, 0x2\n%0 = param f32 0\n%1 = lookup f32 t0 %0\nret %1", "index is a f32"},
		{"table t0 u32 0x1, 0x2\n%0 = param f32 0\n%1 = bitcast u32 %0\n%2 = lookup f32 t0 %1\nret %2", "t0 contains u32"},
		{"table t0 f32 0x1, 0x2, 0x3\n%0 = param f32 0\nret %0", "want a power of two"},
		{"table t0 u8 0x1\n%0 = param f32 0\nret %0", "wrong type"},
		{"table t0 f32 0x100000000\n%0 = param f32 0\nret %0", "does not fit"},
		{"table t1 f32 0x1\n%0 = param f32 0\nret %0", "does not define table t0"},
		{"%0 = param f32 0\n%1 = lookup f32 %0\nret %1", "is not a table"},
		{"%0 = const i32 0x1\n%1 = scale i32 %0, %0\nret %1", "scale is not for i32"},
		{"%0 = const u8 0x100\nret %0", "do not fit"},
		{"%0 = param f32 0\n%1 = widen f32 bf16 %0\nret %1", "the operand is a f32"},
		{"%0 = param f32 0\n%1 = narrow u16 f32 %0\nret %1", "the operand is a f32"},
		{"%0 = const u8 0x0\nret %0", "result 0 of type f32 is a u8"},
		{"%0 = param f32 0\nret %1", "%1, which is not defined"},
		{"%0 = param f32 0\nret %0, %0", "2 results for 1 components"},
		{"%0 = param f32 0\nret", "has no component 0"},
		{"%1 = param f32 0\nret %1", "does not define %0"},
		{"%0 = frob f32 0\nret %0", `"frob" is not an operation`},
		{"%0 = param f31 0\nret %0", `"f31" is not a type`},
		{"%0 = param f32 x\nret %0", `"x" is not an operand`},
		{"%0 = const f32\nret %0", `"" is not bits`},
		{"%0 = add f32 %0\nret %0", "takes 2 operands"},
		{"%0 = param f32 0\n%1 = add f32 %0, 3\nret %1", `"3" is not a value`},
	} {
		_, err := irtext.Scalar("func(f32) f32 {\n" + c.body + "\n}\n")
		require.ErrorContains(t, err, c.want, c.body)
	}
	for text, want := range map[string]string{
		"":                           "ends too early",
		"f32":                        "is not the head",
		"func(f33) f32 {\nret\n}":    `"f33" is not a dtype`,
		"func() {\nret\n}\nret":      "not expected",
		"func() {\nret":              "ends too early",
		"func(f32) f32 {\n%0 = \n}":  "is not an instruction",
		"func(f32) f32 {\nretire\n}": "does not define",
	} {
		_, err := irtext.Scalar(text)
		require.ErrorContains(t, err, want, text)
	}
}

// A program that was written twice is there once, and what nothing needs is not.
func TestBuilderShares(t *testing.T) {
	b := NewBuilder(core.Float32)
	x := b.Param(0, 0)
	b.Mul(x, x) // not used
	p := b.Finish([]core.DType{core.Float32}, []Ref{b.Add(b.Add(x, x), b.Add(x, x))})
	require.Equal(t, 3, strings.Count(p.String(), "="))
}

// Tables print and read back; equal ones are written once, and unused ones are removed.
func TestTables(t *testing.T) {
	b := NewBuilder(core.Float32)
	x := b.Param(0, 0)
	i := b.Bitcast(U32, x)
	b.Lookup(FloatTable(F32, 7), i) // not used
	y := b.Lookup(FloatTable(F32, 1, 2), i)
	z := b.Lookup(FloatTable(F32, 1, 2), b.ShrN(i, 4))
	p := b.Finish([]core.DType{core.Float32}, []Ref{b.Scale(b.Add(y, z), x)})
	text := p.String()
	require.Equal(t, `func(f32) f32 {
  table t0 f32 0x3f800000, 0x40000000
  %0 = param f32 0
  %1 = bitcast u32 %0
  %2 = lookup f32 t0 %1
  %3 = const u32 0x4
  %4 = shr u32 %1, %3
  %5 = lookup f32 t0 %4
  %6 = add f32 %2, %5
  %7 = scale f32 %6, %0
  ret %7
}
`, text)
	q, err := irtext.Scalar(text)
	require.NoError(t, err)
	require.Equal(t, p, q)
}
