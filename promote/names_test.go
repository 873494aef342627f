package promote

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
)

func TestPaths(t *testing.T) {
	up := Paths(JAX, "i8", "f16")
	if got := strings.Join(up[0], " "); got != "i8 i16 i32 i64 f* f16" {
		t.Errorf("from i8: got %q, want the chain to f16", got)
	}
	if !slices.Equal(up[1], []string{"f16"}) {
		t.Errorf("from f16: got %v, want [f16]", up[1])
	}
	if up := Paths(NumPy, "i8", "f16"); up[0] != nil || up[1] != nil {
		t.Errorf("a system without a graph: got %v, want none", up)
	}
}

// A table's elements are its columns; results that are not among them are listed apart.
func TestAlgebraElements(t *testing.T) {
	a, err := ParseTable("\ta\tb\na\ta\tc\nb\tc\tb\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Names(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("Names: got %v, want [a b]", got)
	}
	if got := a.Outside(); !slices.Equal(got, []string{"c"}) {
		t.Errorf("Outside: got %v, want [c]", got)
	}
	if i, ok := a.Find("b"); i != 1 || !ok {
		t.Errorf("Find: got %d, %v, want 1, true", i, ok)
	}
	if _, ok := a.Find("d"); ok {
		t.Error("Find: got an element d, want none")
	}
}

// A system that is computed from a graph returns it; a table has none.
func TestFiniteGraph(t *testing.T) {
	if g := JAX.Graph(); g == nil || len(g.Edges()) == 0 {
		t.Errorf("JAX: got %v, want its graph", g)
	}
	if g := NumPy.Graph(); g != nil {
		t.Errorf("NumPy: got %v, want nil", g)
	}
}

func TestElementOf(t *testing.T) {
	for _, c := range []struct {
		typ  Type
		want string
		ok   bool
	}{
		{Strong(core.Int8), "i8", true},
		{WeakOf(core.KindFloat, 32), "f*", true},
		{WeakOf(core.KindInt, 64), "i*", true},
		{Strong(core.Key), "", false},
	} {
		if got, ok := ElementOf(JAX, c.typ); got != c.want || ok != c.ok {
			t.Errorf("%v: got %q, %v, want %q, %v", c.typ, got, ok, c.want, c.ok)
		}
	}
}

func TestParseChains(t *testing.T) {
	g, err := ParseChains("a < b < c; a < d\n e")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(g.names, " "); got != "a b c d e" {
		t.Errorf("nodes: got %q, want a b c d e", got)
	}
	if _, err := ParseChains("a < < b"); err == nil || !strings.Contains(err.Error(), "malformed chain") {
		t.Errorf("a chain with a gap: got %v, want a malformed chain", err)
	}
}

func TestFormatRows(t *testing.T) {
	rows := [][]string{{"", "a"}, {"b", "1,2"}}
	for format, want := range map[string]string{
		"csv": ",a\nb,\"1,2\"\n",
		"tsv": "\ta\nb\t1,2\n",
		"md":  "|  | a |\n|---|---|\n| **b** | 1,2 |\n",
	} {
		if got := FormatRows(rows, format); got != want {
			t.Errorf("%s: got %q, want %q", format, got, want)
		}
	}
	table, err := ParseTable("\ta\na\ta\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Markdown(); got != FormatRows([][]string{{"", "a"}, {"a", "a"}}, "md") {
		t.Errorf("Markdown: got %q", got)
	}
}

func TestImplicitCastType(t *testing.T) {
	if got, err := ImplicitCastType(core.Int64, core.Uint64); got != core.Float16 || err != nil {
		t.Errorf("i64, u64: got %v, %v, want f16", got, err)
	}
	if _, err := ImplicitCastType(core.Complex64, core.Float32); err == nil || !strings.Contains(err.Error(), "c64") {
		t.Errorf("c64, f32: got %v, want an error that names c64", err)
	}
}

func TestLossOf(t *testing.T) {
	for _, c := range []struct {
		from, to core.DType
		want     Loss
	}{
		{core.Int64, core.Float16, Loss{Overflow: true, Precision: true}},
		{core.Int8, core.Float16, Loss{}},
		{core.Complex64, core.Float32, Loss{Dropped: true}},
		{core.Float32, core.Int32, Loss{Overflow: true, Dropped: true}},
	} {
		if got := LossOf(c.from, c.to); got != c.want {
			t.Errorf("%v to %v: got %+v, want %+v", c.from, c.to, got, c.want)
		}
	}
}

func TestVerdictText(t *testing.T) {
	for s, want := range map[System]string{MAX: "true lattice", NumPy: "not even a partial lattice"} {
		if got := Check(s).VerdictText(); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", s.Name(), got, want)
		}
	}
}

func TestAbout(t *testing.T) {
	for _, s := range Systems() {
		f, ok := s.(*Finite)
		if !ok {
			continue
		}
		if f.About() == "" || About(s) != f.About() {
			t.Errorf("%s: got %q and %q, want one line", s.Name(), f.About(), About(s))
		}
	}
}
