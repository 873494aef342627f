package promote

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The order read off a table, and where the table is not the joins of it.
func TestReadOrder(t *testing.T) {
	differ := map[string][]string{
		"numpy": {"u8 i8 i16 f16|i16", "u16 i8 i32 f32|i32", "u16 i16 i32 f32|i32", "i8 u8 i16 f16|i16", "i8 u16 i32 f32|i32", "i16 u16 i32 f32|i32"},
		"max":   {"b index i64 u64", "b address i64 u64", "i8 index index f16", "i8 address address f16"},
	}
	for _, name := range []string{"numpy", "tensorflow", "pytorch", "jax_numpy", "jax_lax", "anvil_known", "max"} {
		o := ReadOrder(table(t, name+".tsv"))
		if o.Cycle != nil || len(o.NotTransitive) > 0 {
			t.Errorf("%s: cycle %v, not transitive %v", name, o.Cycle, o.NotTransitive)
			continue
		}
		var got []string
		for _, d := range o.Differ {
			got = append(got, strings.Join([]string{d.Row, d.Col, d.A, strings.Join(sorted(strings.Split(d.B, "|")), "|")}, " "))
		}
		if !reflect.DeepEqual(got, differ[name]) {
			t.Errorf("%s: differs from the joins of its order in %v, want %v", name, got, differ[name])
		}
	}
	// The order of the jax.numpy table has the lattice as its reduction.
	if o := ReadOrder(table(t, "jax_numpy.tsv")); !sameGraph(o.Reduction, GraphOf(JAXDesign)) {
		t.Errorf("the order read off the table is %v", edgeList(o.Reduction))
	}
	// anvil's has one edge less than the graph: u32 → u64 → i64 is there already.
	if o := ReadOrder(table(t, "anvil_known.tsv")); !sameGraph(o.Reduction, GraphOf(AnvilKnown).Without("u32<i64")) {
		t.Errorf("anvil: the order read off the table is %v", edgeList(o.Reduction))
	}
	for s, want := range map[string]Verdict{"numpy": NotPartial, "tensorflow": Partial, "pytorch": Partial, "jax_numpy": Lattice, "jax_lax": Partial, "anvil_known": Lattice, "max": NotPartial} {
		if r := CheckTable(s, table(t, s+".tsv")); r.Verdict != want {
			t.Errorf("%s: %s, want %s", s, r.Verdict, want)
		}
	}
}

// A relation read off a table need not be an order: rock, paper, scissors is a
// cycle, and a table may be a ≤ b ≤ c without a ≤ c.
func TestTablesWithoutOrder(t *testing.T) {
	rps, err := ParseTable("\tr\tp\ts\nr\tr\tp\tr\np\tp\tp\ts\ns\tr\ts\ts\n")
	if err != nil {
		t.Fatal(err)
	}
	r := CheckTable("rps", rps)
	if r.Verdict != Malformed || len(r.Order.Cycle) != 4 || r.Laws.BothDefined == 0 {
		t.Errorf("rock, paper, scissors: %s", r)
	}
	abc, err := ParseTable("\ta\tb\tc\na\ta\tb\ta\nb\tb\tb\tc\nc\tb\tc\tc\n")
	if err != nil {
		t.Fatal(err)
	}
	r = CheckTable("abc", abc)
	if r.Verdict != NotPartial || fmt.Sprint(r.Order.NotTransitive) != "[{a b c  }]" {
		t.Errorf("%s: %v", r, r.Order.NotTransitive)
	}
}

// The report of a table without elements says that every statement holds; no other report does.
func TestTableWithoutElements(t *testing.T) {
	const note = "no elements: every statement about them holds"
	one, err := ParseTable("\ta\na\ta\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]*Algebra{"empty": newAlgebra(nil), "one": one} {
		r := CheckTable(name, a)
		if got, want := slices.Contains(r.Notes, note), name == "empty"; got != want || r.Elements != a.n {
			t.Errorf("%s: got notes %q of %d elements", name, r.Notes, r.Elements)
		}
	}
}

// The lattices.json of the documents is read with nothing lost.
func TestParseLattices(t *testing.T) {
	var want map[string]map[string][]string
	if err := json.Unmarshal([]byte(golden(t, "lattices.json")), &want); err != nil {
		t.Fatal(err)
	}
	got := map[string]map[string][]string{}
	for name, g := range lattices(t) {
		m := map[string][]string{}
		for _, n := range g.Nodes() {
			m[n] = g.Successors(n)
		}
		got[name] = m
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("read differently from encoding/json")
	}
}

// Dictionaries of Python, as the documents print them, are read as the same graphs in JSON.
func TestParsePython(t *testing.T) {
	for python, json := range map[string]string{
		"{\n  'i*': ['f*', 'u8', 'i8'], 'f*': ['c*', 'f16'], 'c*': ['c64'],\n  'u8': ['u16'],\n}": `{"i*": ["f*", "u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"], "u8": ["u16"]}`,
		`{'A': ["B", 'it\'s "C"',], "B": [], }`:                                                   `{"A": ["B", "it's \"C\""], "B": []}`,
		`{"A": ["B\u0041", 'C,]'], 'x': []}`:                                                      `{"A": ["BA", "C,]"], "x": []}`,
	} {
		var got [2][]string
		for i, text := range []string{python, json} {
			in, err := Parse("test", []byte(text))
			if err != nil || len(in) != 1 {
				t.Fatalf("%s: %d inputs, %v", text, len(in), err)
			}
			for _, n := range in[0].Graph.Nodes() {
				got[i] = append(got[i], n+": "+strings.Join(in[0].Graph.Successors(n), ", "))
			}
		}
		if !reflect.DeepEqual(got[0], got[1]) {
			t.Errorf("%s is read as %q, want %q", python, got[0], got[1])
		}
	}
	for _, text := range []string{`{'A': [,]}`, `{,}`, `{'A': ['B',,]}`, `{'A': ['B}`, `{'A': ['B"]}`, `{'A': ['B\`} {
		if in, err := Parse("test", []byte(text)); err == nil {
			t.Errorf("%s is read as %v", text, in)
		}
	}
}

// A pair of a table lacks a join only where neither order has a result.
func TestPairsOfTablesWithoutJoin(t *testing.T) {
	for _, text := range []string{
		"\tx\ty\tz\nx\tx\tx\tx\ny\tx\ty\tx\nz\tx\t-\tz\n",
		"\tx\ty\tz\nx\tx\tx\tx\ny\tx\ty\t-\nz\tx\tx\tz\n",
	} {
		a, err := ParseTable(text)
		if err != nil {
			t.Fatal(err)
		}
		if r := CheckTable("t", a); len(r.NoJoin) != 0 || r.Laws.Undefined == 0 {
			t.Errorf("%q: got pairs without a join %v and %d undefined results, want none and some", text, r.NoJoin, r.Laws.Undefined)
		}
	}
	a, err := ParseTable("\tx\ty\nx\tx\t-\ny\t-\ty\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := CheckTable("t", a); len(r.NoJoin) != 1 || r.NoJoin[0] != (Pair{"x", "y"}) {
		t.Errorf("got pairs without a join %v, want x and y", r.NoJoin)
	}
}

func TestNotesOfGraphs(t *testing.T) {
	for text, want := range map[string]string{"": "no nodes: every statement about them holds", "a < b": ""} {
		r := CheckGraph("g", Chains(text))
		if got := strings.Join(r.Notes, "; "); got != want {
			t.Errorf("%q: got notes %q, want %q", text, got, want)
		}
		if strings.Contains(r.String(), "parts without a connection") {
			t.Errorf("%q: got a report of parts, want none:\n%s", text, r)
		}
	}
	if r := CheckGraph("g", Chains("a < b\nc < d")); !strings.Contains(r.String(), "parts without a connection: 2") {
		t.Errorf("got %s, want 2 parts", r)
	}
}

// Quotes are characters of a table with tabs, and quotes of one with commas.
func TestQuotesInTables(t *testing.T) {
	if a, err := ParseTable("\ta\"b\na\"b\ta\"b\n"); err != nil || !reflect.DeepEqual(a.Names(), []string{`a"b`}) {
		t.Errorf("tabs: got %v, want one element", err)
	}
	if _, err := parseCells(",a\"b\na\"b,a\"b\n", ','); err == nil {
		t.Error("commas: a bare quote is accepted")
	}
	if a, err := parseCells(",\"a,b\"\n\"a,b\",\"a,b\"\n", ','); err != nil || !reflect.DeepEqual(a.Names(), []string{"a,b"}) {
		t.Errorf("commas: got %v, want one element", err)
	}
}
