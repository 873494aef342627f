package promote

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/statement"
)

// anvilType parses a type as anvil writes it, such as i32? or b.
func anvilType(t testing.TB, name string) Type {
	t.Helper()
	x, ok := Anvil.typeOf(name)
	if !ok {
		t.Fatalf("no type %q", name)
	}
	return x
}

// The second table: rows are ambiguous, columns known.
func TestAnvilAmbiguous(t *testing.T) {
	statement.Shows(t, "A-1", "both tables, cell by cell")
	all := rows(t, "anvil_ambiguous.tsv")
	for _, row := range all[1:] {
		for j, want := range row[1:] {
			a, k := anvilType(t, row[0]).DType, anvilType(t, all[0][j+1]).DType
			for _, flip := range []bool{false, true} {
				l, r := a, k
				if flip {
					l, r = k, a
				}
				got, _, err := CommonDType(l, r, !flip, flip)
				if err != nil || short(Strong(got)) != want {
					t.Errorf("%s? with %s: %v, %v, want %s", a, k, got, err, want)
				}
			}
		}
	}
}

// CommonDType returns every result of anvil's own common_dtype.
func TestAnvilRepo(t *testing.T) {
	statement.Shows(t, "A-2", "every result of the real common_dtype, ambiguity included")
	all := rows(t, "anvil_repo.tsv")[1:]
	if len(all) != 484 {
		t.Errorf("%d rows", len(all))
	}
	for _, r := range all {
		got, amb, err := CommonDType(anvilType(t, r[0]).DType, anvilType(t, r[2]).DType, r[1] == "TRUE", r[3] == "TRUE")
		if err != nil || short(Strong(got)) != r[4] || amb != (r[5] == "TRUE") {
			t.Errorf("common_dtype(%s, %s, %s, %s) = %v, %v, %v, want %s, %s", r[0], r[2], r[1], r[3], got, amb, err, r[4], r[5])
		}
	}
}

// Literals have the types that anvil gives them.
func TestAnvilLiterals(t *testing.T) {
	statement.Shows(t, "A-3", "literals are f32?, i32? and bool")
	for _, c := range []struct {
		v    any
		want string
	}{{1.0, "f32?"}, {1, "i32?"}, {true, "bool"}} {
		if got, err := AnvilLiteral(c.v); err != nil || AnvilName(got) != c.want {
			t.Errorf("literal %v is %v, %v, want %s", c.v, AnvilName(got), err, c.want)
		}
	}
	if _, err := AnvilLiteral("a"); err == nil || !strings.Contains(err.Error(), "No default type for: string") {
		t.Errorf("%v", err)
	}
}

// The examples of the vignette and of the repository, types and printed forms. l makes a
// literal, k a known value.
func TestAnvilExamples(t *testing.T) {
	statement.Shows(t, "A-4", "the six examples, with what they print")
	statement.Shows(t, "A-5", "z = x + 1L is ambiguous, so z * y has the type of y")
	type value struct {
		t Type
		v float64
	}
	k := func(name string, v float64) value { return value{anvilType(t, name), v} }
	l := func(v any) value {
		x, err := AnvilLiteral(v)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := float(v)
		if b, ok := v.(bool); ok && b {
			f = 1
		}
		return value{x, f}
	}
	op := func(a, b value, v float64) value {
		r, err := AnvilPropagate(AnvilBinary, a.t, b.t)
		if err != nil {
			t.Fatal(err)
		}
		return value{r, v}
	}
	add := func(a, b value) value { return op(a, b, a.v+b.v) }
	mul := func(a, b value) value { return op(a, b, a.v*b.v) }
	neg := func(a value) value {
		r, err := AnvilPropagate(AnvilUnary, a.t)
		if err != nil {
			t.Fatal(err)
		}
		return value{r, -a.v}
	}
	vignette := func(x, y, one value) value { return mul(add(x, one), y) }

	for _, c := range []struct {
		got           value
		name, printed string
	}{
		{add(k("f32", 1), k("f64", 1)), "f64", "AnvilTensor\n2.0000\n[ CPUf64{} ]"},
		{l(1), "i32?", "AnvilTensor\n1\n[ CPUi32{} ]"},
		{l(1.0), "f32?", "AnvilTensor\n1.0000\n[ CPUf32{} ]"},
		{l(true), "bool", "AnvilTensor\n1\n[ CPUpred{} ]"},
		// z = x + 1L is i32?, so z * y is i16; were z known it would be i32.
		{vignette(k("b", 1), k("i16", 2), l(1)), "i16", "AnvilTensor\n4\n[ CPUi16{} ]"},
		{vignette(k("b", 1), k("i16", 2), k("i32", 1)), "i32", "AnvilTensor\n4\n[ CPUi32{} ]"},
		{add(k("b", 1), l(1)), "i32?", "AnvilTensor\n2\n[ CPUi32{} ]"},
		{mul(k("i16", 1), l(2)), "i16", "AnvilTensor\n2\n[ CPUi16{} ]"},
		{mul(l(2.0), l(3.0)), "f32?", "AnvilTensor\n6.0000\n[ CPUf32{} ]"},
		{mul(l(2.0), l(3)), "f32?", "AnvilTensor\n6.0000\n[ CPUf32{} ]"},
		{mul(l(2.0), k("f64", 3)), "f64", "AnvilTensor\n6.0000\n[ CPUf64{} ]"},
		{add(mul(k("b", 1), l(1)), k("i16", 2)), "i16", "AnvilTensor\n3\n[ CPUi16{} ]"},
		{add(neg(l(1)), k("i16", 2)), "i16", "AnvilTensor\n1\n[ CPUi16{} ]"},
		{add(k("u32", 1), k("i32", 1)), "i64", "AnvilTensor\n2\n[ CPUi64{} ]"},
		{add(k("u8", 1), k("u16", 1)), "u16", "AnvilTensor\n2\n[ CPUui16{} ]"},
	} {
		var v any = c.got.v
		switch {
		case c.got.t.DType.IsBool():
			v = c.got.v != 0
		case c.got.t.DType.IsInteger():
			v = int(c.got.v)
		}
		printed, err := AnvilTensor(c.got.t.DType, v)
		if err != nil || AnvilName(c.got.t) != c.name || printed != c.printed {
			t.Errorf("%s, %q, %v; want %s, %q", AnvilName(c.got.t), printed, err, c.name, c.printed)
		}
	}
	for _, c := range []struct {
		l, r   string
		la, ra bool
		want   string
	}{
		{"f64", "f32", false, false, "f64"},
		{"i64", "f32", false, false, "f32"},
		{"f32", "f64", false, true, "f32"},
		{"f32", "f64", true, true, "f64?"},
		{"f32", "f64", false, false, "f64"},
	} {
		d, amb, err := CommonDType(anvilType(t, c.l).DType, anvilType(t, c.r).DType, c.la, c.ra)
		if got := AnvilName(Type{d, amb}); err != nil || got != c.want {
			t.Errorf("common_dtype(%s, %s, %v, %v) = %s, %v, want %s", c.l, c.r, c.la, c.ra, got, err, c.want)
		}
	}
	if s, err := AnvilTensor(core.Float32, 1.5, 2, 3); err != nil || !strings.HasSuffix(s, "[ CPUf32{2,3} ]") {
		t.Errorf("%s, %v", s, err)
	}
	if _, err := AnvilTensor(core.Int32, 1.5); err == nil {
		t.Error("1.5 is no i32")
	}
}

// How the flag goes through operations, and that the common type's flag is that of a
// binary operation.
func TestAnvilPropagation(t *testing.T) {
	statement.Shows(t, "A-5", "z = x + 1L is ambiguous, so z * y has the type of y")
	statement.Shows(t, "A-6", "how ambiguity passes through operations")
	for _, c := range []struct {
		op       AnvilOp
		operands string
		want     string
	}{
		{AnvilUnary, "i32?", "i32?"}, {AnvilUnary, "i32", "i32"},
		{AnvilBinary, "i32? b", "i32?"}, {AnvilBinary, "i32? i16", "i16"}, {AnvilBinary, "i32? i32", "i32"}, {AnvilBinary, "f32? i64", "f32?"},
		{AnvilSelect, "f32? f32?", "f32?"}, {AnvilSelect, "f32? f32", "f32"},
		{AnvilConcatenate, "i32? i32? f32?", "f32?"}, {AnvilConcatenate, "i32? i32? i32", "i32"}, {AnvilConcatenate, "b i32? i8", "i8"},
		{AnvilCompare, "i32? i32?", "bool?"}, {AnvilCompare, "i32? i32", "bool"},
		{AnvilAnyAll, "b?", "bool?"}, {AnvilAnyAll, "b", "bool"},
		{AnvilIndex, "f32?", "i32"}, {AnvilTest, "f32?", "bool"}, {AnvilConvert, "f32? i64", "i64"},
	} {
		var ops []Type
		for _, n := range strings.Fields(c.operands) {
			ops = append(ops, anvilType(t, n))
		}
		got, err := AnvilPropagate(c.op, ops...)
		if err != nil || AnvilName(got) != c.want {
			t.Errorf("%d of %s: %s, %v, want %s", c.op, c.operands, AnvilName(got), err, c.want)
		}
	}
	for _, l := range anvilTypes() {
		for _, r := range anvilTypes() {
			common, err := CommonType(l, r)
			got, err2 := AnvilPropagate(AnvilBinary, l, r)
			if err != nil || err2 != nil || got != common {
				t.Errorf("%s with %s: %s, common %s", AnvilName(l), AnvilName(r), AnvilName(got), AnvilName(common))
			}
		}
	}
	if _, err := AnvilPropagate(AnvilBinary, anvilType(t, "f32")); err == nil {
		t.Error("a binary operation takes two operands")
	}
	if _, err := AnvilPropagate(AnvilOp(99), anvilType(t, "f32")); err == nil {
		t.Error("there is no operation 99")
	}
	if _, err := CommonType(); err == nil || !strings.Contains(err.Error(), "no arguments provided") {
		t.Errorf("%v", err)
	}
}

// On pairs of type and flag the rule is a join semilattice: 22 elements, or the 13 that
// can arise.
func TestAnvilAlgebra(t *testing.T) {
	statement.Shows(t, "A-7", "on pairs of type and flag the rule is a join semilattice")
	r := Check(Anvil)
	if r.Elements != 22 || r.Laws.Triples != 10648 || r.Laws.Equal != 10648 || r.Verdict != Lattice || len(r.Laws.NonCommutative)+len(r.Laws.NonIdempotent) > 0 {
		t.Errorf("%s", r)
	}
	// i32? and f32? behave against all known types as i* and f* do in JAX.
	for _, d := range anvilTypes()[:11] {
		for _, w := range []struct{ anvil, jax string }{{"i32?", "i*"}, {"f32?", "f*"}} {
			a, err := Anvil.Join(anvilType(t, w.anvil), d)
			j, err2 := JAX.Join(typ(t, w.jax), d)
			if err != nil || err2 != nil || a.Weak != j.Weak || !a.Weak && a.DType != j.DType || a.DType.Kind() != j.DType.Kind() {
				t.Errorf("%s with %s: anvil %s, JAX %s", w.anvil, d, AnvilName(a), j)
			}
		}
	}
	reachable := []string{"b", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "i32?", "f32?"}
	for _, x := range reachable {
		for _, y := range reachable {
			if got := Anvil.Algebra().Cell(x, y); !strings.Contains(fmt.Sprint(reachable), got) {
				t.Errorf("%s with %s leaves what can arise: %s", x, y, got)
			}
		}
	}
}

// U64 with a signed integer is i64, which may overflow.
func TestAnvilUnsigned(t *testing.T) {
	statement.Shows(t, "A-8", "u64 with a signed integer is i64, which may overflow")
	for _, d := range []core.DType{core.Int8, core.Int16, core.Int32, core.Int64} {
		if got, _, err := CommonDType(core.Uint64, d, false, false); err != nil || got != core.Int64 {
			t.Errorf("u64 with %s: %s, %v", d, got, err)
		}
	}
	if s := ScoreOf(AnvilKnown.Algebra()); len(s.Overflow) != 4 {
		t.Errorf("overflowing pairs: %v", s.Overflow)
	}
	// anvil among known types is JAX except for u64 with signed: 8 cells.
	if cells, _, _ := Diff(AnvilKnown, JAXDesign); len(cells) != 8 {
		t.Errorf("%d cells differ from JAX: %v", len(cells), cells)
	}
}
