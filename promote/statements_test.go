package promote

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
)

// The table of Python's three types of numbers is the join on a chain.
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

// The three bracketings of three types agree under JAX, and differ under NumPy.
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

// JAX's design has 18 types and 324 cells, which follow from 18 nodes and 24 edges.
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

// What has no join is an error, not a guess.
func TestPartialLattice(t *testing.T) {
	statement.Shows(t, "P-20", "i* absorbs u*, and a pair without a join is an error")
	expect(t, PartialMerged, "i*+f*=f*", "i*+c*=c*", "i*+u8=u8", "i*+i64=i64", "i*+f16=f16", "f*+c64=c64", "u8+i8=-", "i8+f16=-", "f32+c64=-")
}

// Floats promote to complex numbers, and unsigned integers to signed ones.
func TestMixedPromotions(t *testing.T) {
	statement.Shows(t, "P-22", "f32 promotes to c64, f64 to c128, and an unsigned integer to the next wider signed one")
	expect(t, JAX, "f16+c64=c64", "f32+c64=c64", "f64+c64=c128", "f64+c128=c128",
		"u8+i8=i16", "u16+i8=i32", "u32+i32=i64", "u8+i16=i16", "u32+i8=i64")
}

// u64 with a signed integer is f64 under NumPy, and a weak float under JAX.
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

// The options have the joins that the design document states.
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
