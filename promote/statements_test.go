package promote

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/statement"
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

// Python's three numbers.
func TestPython(t *testing.T) {
	statement.Shows(t, "P-2", "Python's table is the join on int, float, complex")
	statement.Shows(t, "P-3", "a promotion is the first common descendant, and a type is its own descendant")
	statement.Shows(t, "P-4", "int promotes to float, and float never to int")
	expect(t, Python, "i*+i*=i*", "i*+f*=f*", "f*+i*=f*", "f*+f*=f*", "i*+c*=c*", "c*+i*=c*", "f*+c*=c*", "c*+f*=c*", "c*+c*=c*")
	o, err := GraphOf(Python).Order()
	if err != nil {
		t.Fatal(err)
	}
	i, f := o.g.index["int"], o.g.index["float"]
	if !o.LessEq(i, f) || o.LessEq(f, i) || !o.LessEq(i, i) {
		t.Error("int promotes to float and never the other way")
	}
	for _, s := range []System{Python, JAX, MAX, AnvilKnown, Option1} {
		for _, n := range s.Algebra().Names() { // P-3: a node is its own descendant
			if got := s.Algebra().Cell(n, n); got != n {
				t.Errorf("%s: %s with itself is %s", s.Name(), n, got)
			}
		}
	}
}

// The three bracketings.
func TestBracketings(t *testing.T) {
	statement.Shows(t, "P-7", "under NumPy (i8+u8)+f16 is f32 and i8+(u8+f16) is f16; under JAX every bracketing is f16")
	for _, c := range []struct {
		s    System
		want string
	}{
		{NumPy1, "(i8 + u8) + f16 = f32, i8 + (u8 + f16) = f16, (i8 + f16) + u8 = f16"},
		{JAX, "(i8 + u8) + f16 = f16, i8 + (u8 + f16) = f16, (i8 + f16) + u8 = f16"},
	} {
		bs, err := Bracketings(c.s, "i8", "u8", "f16")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range bs {
			got = append(got, b.Text+" = "+b.Whole)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", c.s.Name(), strings.Join(got, ", "), c.want)
		}
	}
	expect(t, NumPy1, "i8+u8+f16=f32", "u8+f16+i8=f16")
	for _, p := range []string{"i8+u8+f16", "i8+f16+u8", "u8+i8+f16", "u8+f16+i8", "f16+i8+u8", "f16+u8+i8"} {
		expect(t, JAX, p+"=f16")
	}
}

// In JAX's lattice a+b+c has the type of c+b+a, and x*(y+z) that of x*y+x*z.
func TestAlgebraicIdentities(t *testing.T) {
	statement.Shows(t, "P-9", "under JAX a+b+c has the dtype of c+b+a, and x*(y+z) that of x*y+x*z")
	a := JAXDesign.Algebra()
	n := a.Len()
	for x := range n {
		for y := range n {
			for z := range n {
				if l, r := a.at(a.at(x, y), z), a.at(a.at(z, y), x); l != r || l < 0 {
					t.Fatalf("%s+%s+%s", a.names[x], a.names[y], a.names[z])
				}
				if l, r := a.at(x, a.at(y, z)), a.at(a.at(x, y), a.at(x, z)); l != r {
					t.Fatalf("%s*(%s+%s)", a.names[x], a.names[y], a.names[z])
				}
			}
		}
	}
}

// With widths, no order and no brackets decide the type of three or four operands,
// at either default width.
func TestOrderOfOperandTypes(t *testing.T) {
	statement.Shows(t, "P-9", "no order and no brackets decide the type of three or four operands")
	for _, s := range []System{JAX, JAXDesign} {
		for _, bits := range []int{32, 64} {
			var types []Type
			for _, n := range JAXDesign.Algebra().Names() {
				x := typ(t, n)
				if x.Weak {
					x = WeakOf(x.DType.Kind(), bits)
				}
				types = append(types, x)
			}
			join := func(x, y Type) Type {
				d, weak, err := Result(s, bits, x, y)
				if err != nil {
					t.Fatal(err)
				}
				return Type{d, weak}
			}
			violations := 0
			check := func(l, r Type, of ...Type) {
				if l != r {
					if violations++; violations < 10 {
						t.Errorf("%s, %d bits: %v makes %v of width %d or %v of width %d", s.Name(), bits, of, l, l.DType.Bits(), r, r.DType.Bits())
					}
				}
			}
			for _, a := range types {
				for _, b := range types {
					ab := join(a, b)
					check(ab, join(b, a), a, b)
					for _, c := range types {
						abc, bc := join(ab, c), join(b, c)
						check(abc, join(a, bc), a, b, c)
						check(abc, join(c, join(b, a)), a, b, c)
						check(join(a, bc), join(ab, join(a, c)), a, b, c) // a·(b+c)
						for _, d := range types {
							want := join(abc, d)
							check(want, join(a, join(bc, d)), a, b, c, d)
							check(want, join(a, join(b, join(c, d))), a, b, c, d)
							check(want, join(ab, join(c, d)), a, b, c, d)
							check(want, join(join(a, bc), d), a, b, c, d)
							check(want, join(join(join(d, c), b), a), a, b, c, d)
						}
					}
				}
			}
		}
	}
}

// 18 types, 324 cells, from 18 nodes and 24 edges.
func TestJAXDesignSize(t *testing.T) {
	statement.Shows(t, "P-10", "JAX's 324 cells follow from 18 nodes and 24 edges")
	g := GraphOf(JAXDesign)
	if g.Len() != 18 || len(g.Edges()) != 24 || JAXDesign.Algebra().Len() != 18 {
		t.Errorf("%d nodes, %d edges", g.Len(), len(g.Edges()))
	}
	if g := GraphOf(JAX); g.Len() != 33 {
		t.Errorf("today's lattice has %d nodes", g.Len())
	}
}

// Within a category the wider operand wins, and 64 bits need 64 bits.
func TestWithinCategory(t *testing.T) {
	statement.Shows(t, "P-11", "within a category the wider input wins, and 64 bits need a 64-bit input")
	for _, s := range []System{WithinCategory, WithinCategoryStar, Option0, Option1, Option2, Option3, JAX, JAXDesign, NumPy1, NumPy2} {
		for _, chain := range []string{"u8 u16 u32 u64", "i8 i16 i32 i64", "f16 f32 f64", "c64 c128"} {
			names := strings.Fields(chain)
			for i, x := range names {
				for j, y := range names {
					expect(t, s, x+"+"+y+"="+names[max(i, j)])
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

// What has no join is an error, not a guess.
func TestPartialLattice(t *testing.T) {
	statement.Shows(t, "P-20", "i* absorbs u*, and a pair without a join is an error")
	expect(t, PartialMerged, "i*+f*=f*", "i*+c*=c*", "i*+u8=u8", "i*+i64=i64", "i*+f16=f16", "f*+c64=c64", "u8+i8=-", "i8+f16=-", "f32+c64=-")
}

// Into complex numbers and into signed integers.
func TestMixedPromotions(t *testing.T) {
	statement.Shows(t, "P-22", "f32 promotes to c64, f64 to c128, and an unsigned integer to the next wider signed one")
	expect(t, JAX, "f16+c64=c64", "f32+c64=c64", "f64+c64=c128", "f64+c128=c128",
		"u8+i8=i16", "u16+i8=i32", "u32+i32=i64", "u8+i16=i16", "u32+i8=i64")
}

// Unsigned 64-bit integers.
func TestUint64(t *testing.T) {
	statement.Shows(t, "P-23", "u64+i64 is f64 under NumPy and weak float under JAX")
	expect(t, NumPy1, "u64+i64=f64")
	for _, s := range []System{partialSigned(), JAX, JAX32, JAXDesign} {
		want := "f*"
		if s == System(Option0) {
			want = "-"
		}
		for _, i := range []string{"i8", "i16", "i32", "i64"} {
			expect(t, s, "u64+"+i+"="+want, i+"+u64="+want)
		}
	}
	for _, x := range []string{"u8", "u16", "u32", "u64", "i*", "b"} {
		expect(t, JAX, "u64+"+x+"=u64")
	}
	for _, x := range []string{"bf16", "f16", "f32", "f64", "c64", "c128", "f*", "c*"} {
		expect(t, JAX, "u64+"+x+"="+x)
	}
	cells, _, _ := Diff(JAXDesign, JAXDesign32)
	if len(cells) != 6 {
		t.Errorf("the 32-bit lattice differs in %v", cells)
	}
	for _, c := range cells {
		if c.A != "i64" || c.B != "i32" {
			t.Errorf("%v", c)
		}
	}
}

// partialSigned returns Option 0 by its other name.
func partialSigned() System {
	s, err := Find("partial_signed_unsigned")
	if err != nil {
		panic(err)
	}
	return s
}

// The options.
func TestOptions(t *testing.T) {
	statement.Shows(t, "P-25", "in option 0 integers do not promote to floats, and Python scalars work")
	statement.Shows(t, "P-26", "in option 1 u16+f16 is f64, and two more edges make a lattice")
	statement.Shows(t, "P-27", "in option 2 i16+f16 is f16, f32+u32 is f64, and one more edge makes a lattice")
	statement.Shows(t, "P-28", "in option 3 integers defer to floats of any width, and bf16 fits in")
	statement.Shows(t, "P-29", "neither f16 nor bf16 promotes to the other")
	expect(t, Option0, "i8+f16=-", "u32+f64=-", "i*+f16=f16", "u8+i8=i16")
	expect(t, Option1, "u16+f16=f64", "i64+f64=-", "u64+f64=-", "i8+f16=f16", "i32+f32=f64")
	expect(t, Option1Completed, "i64+f64=f64", "u64+f16=f64", "u64+i64=f64")
	expect(t, Option2, "i16+f16=f16", "i32+f32=f32", "i64+f64=f64", "f32+u32=f64", "u64+f64=-", "u64+i8=-")
	expect(t, Option2U64, "u64+f16=f64", "u64+i8=f64")
	expect(t, Option3, "i64+f16=f16", "i8+f32=f32", "i8+f*=f*", "u32+f*=f*", "u64+f64=-")
	expect(t, Option3U64, "u64+f16=f16", "u64+i8=f*")
	expect(t, Option3BF16, "bf16+f16=f32", "bf16+f32=f32", "i8+bf16=bf16")
	for _, s := range []System{Option3BF16, JAX, JAXDesign} { // P-29
		o, err := GraphOf(s).Order()
		if err != nil {
			t.Fatal(err)
		}
		f, b := o.g.index["f16"], o.g.index["bf16"]
		if o.LessEq(f, b) || o.LessEq(b, f) {
			t.Errorf("%s orders f16 and bf16", s.Name())
		}
	}
	if Check(Option1Completed).Verdict != Lattice || Check(Option2U64).Verdict != Lattice || Check(Option3U64).Verdict != Lattice {
		t.Error("the completed options are true lattices")
	}
}

// In options 1 and 2 there is no place for bf16 beside f16.
func TestBF16HasNoPlaceInOptions1And2(t *testing.T) {
	statement.Shows(t, "P-28", "in option 3 integers defer to floats of any width, and bf16 fits in")
	for _, c := range []struct {
		g    *Graph
		in   string
		want string
	}{
		{GraphOf(Option1), "f* < bf16 < f32; i8 < bf16", "f* i8"},
		{GraphOf(Option2), "f* < bf16 < f32; i16 < bf16", "f* i16; f* i8; f* u8"},
	} {
		r := CheckGraph("with bf16", c.g.With(c.in))
		var got []string
		for _, p := range r.Ambiguous {
			if ns := sorted([]string{p.A, p.B}); ns[0] == "f*" {
				got = append(got, strings.Join(ns, " "))
			}
		}
		if strings.Join(sorted(got), "; ") != c.want {
			t.Errorf("ambiguous with f*: %v, want %s", got, c.want)
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

func TestInexact(t *testing.T) {
	for d, want := range map[core.DType][2]core.DType{
		core.Bool: {core.Float32, core.Float32}, core.Int8: {core.Float32, core.Float32}, core.Uint32: {core.Float32, core.Float32}, core.Uint2: {core.Float32, core.Float32},
		core.Int64: {core.Float32, core.Float64}, core.Uint64: {core.Float32, core.Float64},
		core.Float16: {core.Float16, core.Float16}, core.BFloat16: {core.BFloat16, core.BFloat16}, core.Float64: {core.Float64, core.Float64},
		core.Complex64: {core.Complex64, core.Complex64}, core.Float8E4M3: {core.Float8E4M3, core.Float8E4M3},
	} {
		for i, bits := range []int{32, 64} {
			if got := Inexact(d, bits); got != want[i] {
				t.Errorf("Inexact(%s, %d) = %s, want %s", d, bits, got, want[i])
			}
		}
	}
}

// Apart from u16, u32, u64 and bare numbers JAX's scheme is PyTorch's.
func TestNearPyTorch(t *testing.T) {
	statement.Shows(t, "P-33", "apart from u16, u32, u64 and scalars, JAX's scheme is PyTorch's")
	cells, _, _ := Diff(JAXDesign, PyTorchDesign)
	agree := 0
	names := strings.Fields("b u8 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128")
	for _, x := range names {
		for _, y := range names {
			if JAXDesign.Algebra().Cell(x, y) == PyTorchDesign.Algebra().Cell(x, y) {
				agree++
			}
		}
	}
	other := 0
	for _, c := range cells {
		if strings.ContainsAny(c.Row+c.Col, "*") && !strings.Contains("u16 u32 u64", c.Row) && !strings.Contains("u16 u32 u64", c.Col) {
			other++
		}
	}
	if agree != 144 || other != 35 {
		t.Errorf("%d strong cells agree, %d cells with bare numbers differ", agree, other)
	}
	// Against the document's NumPy 118 cells differ, 36 of them strong.
	cells, _, _ = Diff(JAXDesign, NumPy1)
	strong := 0
	for _, c := range cells {
		if !strings.ContainsAny(c.Row+c.Col, "*") && c.Row != "bf16" && c.Col != "bf16" {
			strong++
		}
	}
	if len(cells) != 118 || strong != 36 {
		t.Errorf("%d cells differ from NumPy 1, %d strong ones", len(cells), strong)
	}
}

// Sentences of the documents about TensorFlow, PyTorch and lax.
func TestOtherLibraries(t *testing.T) {
	statement.Shows(t, "P-35", "under TensorFlow the second operand is converted to the first one's type, or refused")
	statement.Shows(t, "P-36", "PyTorch has no u16, u32 and u64, and its scalars have its defaults")
	statement.Shows(t, "P-37", "under lax nothing promotes, and a scalar needs its own 64-bit default beside it")
	expect(t, TensorFlow, "u8+i*=u8", "i*+u8=-", "i*+i32=i32", "f*+f32=f32", "c*+c128=c128", "i*+i*=i32", "f*+f*=f32", "f*+i*=f32", "c*+i*=c128", "c*+f*=c128", "b+b=-", "f32+f64=-")
	_, err := TensorFlow.Join(typ(t, "i*"), typ(t, "u8"))
	if err == nil || !strings.Contains(err.Error(), "swap them") {
		t.Errorf("the fix is to swap the operands: %v", err)
	}
	expect(t, PyTorchDesign, "u8+i8=i16", "i*+i*=i64", "f*+i*=f32", "b+f*=f32", "f*+f*=f64", "f*+c*=c64", "c*+c*=c128", "f64+c64=c128", "f16+bf16=f32", "u16+u16=-")
	expect(t, PyTorch, "f16+c*=c32", "f*+f*=f32")
	expect(t, JAXLax, "b+b=-", "i8+i8=i8", "i64+i*=i64", "f64+f*=f64", "c128+c*=c128", "i*+i*=i*", "f*+f*=f*", "c*+c*=c*", "i32+i*=-", "f32+f64=-")
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

// Strict promotion, and its error.
func TestStrict(t *testing.T) {
	statement.Shows(t, "P-40", "weak arrays say so when printed; strict promotion refuses what is not a scalar of the same or a lower kind")
	expect(t, JAX, "i*+i8=i8", "i32+i8=i32")
	for _, s := range []System{JAXStrict, JAXDesignStrict} {
		expect(t, s, "i32+f32=-", "i8+i16=-", "b+i8=-", "b+i*=-", "b+b=b", "i32+i*=i32", "f32+i*=f32", "f32+f*=f32", "i32+f*=-", "c64+f*=c64", "i*+f*=f*", "f32+c*=-")
	}
	_, err := JAXStrict.Join(typ(t, "f32"), typ(t, "i32"))
	if err == nil || !strings.Contains(err.Error(), "f32 and i32") || !strings.Contains(err.Error(), "strict") || !strings.Contains(err.Error(), "convert explicitly") {
		t.Errorf("%v", err)
	}
	_, err = JAX.Join(Strong(core.Float8E4M3FN), Strong(core.Float32))
	if err == nil || !strings.Contains(err.Error(), "f8_e4m3fn and f32") || !strings.Contains(err.Error(), "8 bits") {
		t.Errorf("%v", err)
	}
}

// The claims of the design document about its own options, as far as they can be
// computed.
func TestClaims(t *testing.T) {
	numpy := NumPy1.Algebra()
	strongOf := map[string]string{"i*": "i64", "f*": "f64", "c*": "c128"}
	for _, c := range []struct {
		s       System
		defined int
	}{{PartialMerged, 94}, {PartialFloatComplex, 112}, {Option0, 136}} {
		a, defined := c.s.Algebra(), 0
		for _, x := range a.Names() {
			for _, y := range a.Names() {
				r := a.Cell(x, y)
				if r == "-" {
					continue
				}
				defined++
				if s, ok := strongOf[r]; ok {
					r = s
				}
				if got := numpy.Cell(x, y); got != r {
					t.Errorf("%s: %s + %s = %s, NumPy %s", c.s.Name(), x, y, r, got)
				}
			}
		}
		if defined != c.defined {
			t.Errorf("%s: %d cells are defined, want %d", c.s.Name(), defined, c.defined)
		}
	}
	// The naive graph is NumPy for strong types only.
	differ := 0
	for _, x := range Naive.Algebra().Names() {
		for _, y := range Naive.Algebra().Names() {
			r := Naive.Algebra().Cell(x, y)
			if s, ok := strongOf[r]; ok {
				r = s
			}
			if r != "-" && r != numpy.Cell(x, y) {
				differ++
				if !strings.Contains(x+y, "*") {
					t.Errorf("naive %s + %s = %s, NumPy %s", x, y, r, numpy.Cell(x, y))
				}
			}
		}
	}
	if differ != 16 {
		t.Errorf("the naive graph differs from NumPy in %d cells", differ)
	}
	// Option 3 has 64 bits only where some went in, and 32 likewise; with bf16 the
	// second is broken by f16 + bf16 alone.
	for _, c := range []struct {
		s    System
		want string
	}{{Option3, "[]"}, {JAXDesign, "[{bf16 f16 f32}]"}} {
		var broken []Cell
		for _, w := range ScoreOf(c.s.Algebra()).Wider {
			if !strings.HasPrefix(w.Row, "u") {
				broken = append(broken, w)
			}
		}
		if fmt.Sprint(broken) != c.want {
			t.Errorf("%s: %v", c.s.Name(), broken)
		}
	}
}
