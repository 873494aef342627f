package promote

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// randomGraph returns a graph without cycles: edges go from lower numbers to higher
// ones of a hidden numbering.
func randomGraph(r *rand.Rand, n int, density float64) *Graph {
	g := NewGraph()
	names := r.Perm(n)
	for _, i := range r.Perm(n) {
		g.Add(fmt.Sprint("n", names[i]))
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if r.Float64() < density {
				g.Connect(fmt.Sprint("n", names[i]), fmt.Sprint("n", names[j]))
			}
		}
	}
	return g
}

// reach returns the set of nodes that a walk from n comes to, by the definition.
func reach(g *Graph, n string) map[string]bool {
	seen := map[string]bool{}
	var walk func(string)
	walk = func(m string) {
		if seen[m] {
			return
		}
		seen[m] = true
		for _, s := range g.Successors(m) {
			walk(s)
		}
	}
	walk(n)
	return seen
}

// bruteJoin finds the minimal common upper bounds by the definition.
func bruteJoin(up map[string]map[string]bool, a, b string) []string {
	var out []string
	for x := range up[a] {
		if !up[b][x] {
			continue
		}
		minimal := true
		for y := range up[a] {
			if y != x && up[b][y] && up[y][x] {
				minimal = false
			}
		}
		if minimal {
			out = append(out, x)
		}
	}
	return sorted(out)
}

// The joins, verdicts, candidates, reductions and laws of random graphs agree with their definitions.
func TestRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := map[Verdict]int{}
	for trial := range 400 {
		g := randomGraph(r, 1+r.IntN(14), []float64{0.05, 0.15, 0.3, 0.7}[trial%4])
		if trial%5 == 0 {
			g = powerset(r, 2+r.IntN(2))
		}
		if trial%3 == 0 { // a top, so that upper bounds exist
			for _, n := range g.Nodes() {
				g.Connect(n, "top")
			}
		}
		up := map[string]map[string]bool{}
		for _, n := range g.Nodes() {
			up[n] = reach(g, n)
		}
		o, err := g.Order()
		if err != nil {
			t.Fatal(err)
		}
		a := o.Joins()
		none, amb := 0, 0
		for i, x := range g.names {
			for j, y := range g.names {
				want := bruteJoin(up, x, y)
				cell := a.at(a.index[x], a.index[y])
				switch {
				case len(want) == 0 && cell != undefined, len(want) > 1 && cell != ambiguous,
					len(want) == 1 && (cell < 0 || a.names[cell] != want[0]):
					t.Fatalf("trial %d: %s ∨ %s is %s, by the definition %v\n%v", trial, x, y, a.name(cell), want, g.Edges())
				}
				var got []string
				for _, k := range o.MinimalUpper(i, j) {
					got = append(got, g.names[k])
				}
				if !reflect.DeepEqual(sorted(got), want) {
					t.Fatalf("trial %d: minimal upper bounds of %s, %s: %v, by the definition %v", trial, x, y, got, want)
				}
				if i < j && len(want) == 0 {
					none++
				}
				if i < j && len(want) > 1 {
					amb++
				}
				if o.LessEq(i, j) != up[x][y] || (o.Path(i, j) != nil) != up[x][y] {
					t.Fatalf("trial %d: order of %s, %s", trial, x, y)
				}
			}
		}
		rep := CheckGraph("random", g)
		if len(rep.NoJoin) != none || len(rep.Ambiguous) != amb || rep.Verdict != verdict(none, amb) {
			t.Fatalf("trial %d: %d without join, %d ambiguous; by the definition %d, %d", trial, len(rep.NoJoin), len(rep.Ambiguous), none, amb)
		}
		kinds[rep.Verdict]++
		if amb == 0 && !rep.Laws.Associative() {
			t.Fatalf("trial %d: the join of a partial lattice is associative", trial)
		}
		bruteLaws(t, a, rep.Laws)
		checkReduction(t, g, o, up)
		back := CheckTable("back", a)
		if rep.Verdict == Lattice && (back.Verdict != Lattice || !sameGraph(back.Order.Reduction, o.Reduction())) {
			t.Fatalf("trial %d: the order is not read back from the table", trial)
		}
	}
	for _, v := range []Verdict{NotPartial, Partial, Lattice} {
		if kinds[v] < 20 {
			t.Errorf("only %d random graphs are a %s", kinds[v], v)
		}
	}
}

// powerset returns the lattice of the subsets of n things, with some edges doubled by
// longer ones.
func powerset(r *rand.Rand, n int) *Graph {
	g := NewGraph()
	for i := range 1 << n {
		g.Add(fmt.Sprint("s", i))
		for j := range 1 << n {
			if i != j && i&j == i && r.IntN(3) > 0 || i != j && i&j == i && ((i^j)&(i^j-1)) == 0 {
				g.Connect(fmt.Sprint("s", i), fmt.Sprint("s", j))
			}
		}
	}
	return g
}

// bruteLaws counts triples by the definition.
func bruteLaws(t *testing.T, a *Algebra, l *Laws) {
	t.Helper()
	var equal, undef, differ, one int
	for _, x := range a.Names() {
		for _, y := range a.Names() {
			for _, z := range a.Names() {
				p, q := a.Cell(a.Cell(x, y), z), a.Cell(x, a.Cell(y, z))
				switch {
				case p == q && p == "-":
					undef++
				case p == q:
					equal++
				case p == "-" || q == "-":
					one++
				default:
					differ++
				}
			}
		}
	}
	if got, want := [4]int{l.Equal, l.BothUndefined, l.BothDefined, l.OneSide}, [4]int{equal, undef, differ, one}; got != want {
		t.Fatalf("triples %v, by the definition %v\n%s", got, want, a.Text())
	}
	if len(l.Bad) != differ+one {
		t.Fatalf("%d bad triples listed of %d", len(l.Bad), differ+one)
	}
}

// checkReduction: same order, and no edge can go.
func checkReduction(t *testing.T, g *Graph, o *Order, up map[string]map[string]bool) {
	t.Helper()
	h := o.Reduction()
	for _, n := range g.Nodes() {
		if !reflect.DeepEqual(reach(h, n), up[n]) {
			t.Fatalf("the reduction changes the order above %s", n)
		}
	}
	for _, e := range h.Edges() {
		if reach(h.Without(e.From+"<"+e.To), e.From)[e.To] {
			t.Fatalf("edge %v of the reduction adds nothing", e)
		}
	}
}

// The laws of random tables, whose cells are not joins and may be results that are not elements.
func TestRandomTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + r.IntN(6)
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprint("t", i)
		}
		a := newAlgebra(names)
		for i := range a.cells {
			switch x := r.IntN(n + 3); {
			case x < n:
				a.cells[i] = int16(x)
			case x == n+2:
				a.cells[i] = a.result("elsewhere")
			}
		}
		bruteLaws(t, a, CheckLaws(a))
		rep := CheckTable("random", a)
		for _, limit := range []int{0, 3, 12} {
			if rep.Text(limit) == "" {
				t.Error("no report")
			}
		}
		back, err := ParseTable(a.TSV())
		if in, err := Parse("csv", []byte(a.CSV())); err != nil || !reflect.DeepEqual(in[0].Table.grid(), a.grid()) {
			t.Fatalf("%v\n%s", err, a.CSV())
		}
		if err != nil || !reflect.DeepEqual(back.cells, a.cells) && !reflect.DeepEqual(back.grid(), a.grid()) {
			t.Fatalf("%v\n%s", err, a.Text())
		}
	}
}

// A user's lattice of types promotes at run time like any other system.
func TestUserLattice(t *testing.T) {
	s, err := NewLattice("mine", "two floats", Chains("f* < f16 < f32; f* < bf16 < f32"))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, s, "bf16+f16=f32", "f*+bf16=bf16", "i*+f16=-", "f64+f16=-")
	if _, err := NewLattice("loop", "", Chains("f16 < f32 < f16")); err == nil || !strings.Contains(err.Error(), "f16 → f32 → f16") {
		t.Errorf("%v", err)
	}
	own := NewTable("first wins", "", MAX.Algebra().With([3]string{"i8", "f32", "i8"}, [3]string{"f32", "i8", "f32"}))
	expect(t, own, "i8+f32=i8", "f32+i8=f32")
}

func TestParseFaults(t *testing.T) {
	for text, want := range map[string]string{
		``:                              "empty",
		`{`:                             "it ends before the object does",
		"a\x00b":                        "is no name",
		"a < \xff":                      "not UTF-8",
		`{"A\u001b[2J": []}`:            "is no name",
		strings.Repeat("x", 101):        "is no name",
		`{"A": ["-"]}`:                  `that is how an undefined result is written`,
		`{"A": [], "A": []}`:            "given twice",
		`{"A": [1]}`:                    "is no name",
		`{"A": [["B"]], "B": []}`:       "no name",
		`{"A": "B"}`:                    "list",
		`{"A": [], "B": {}}`:            "some members are lists",
		`{"A": {"B": {"C": []}}}`:       "nested too deeply",
		`{"A": {"B": {"C": {"D": 1}}}}`: "nested too deeply",
		`{"A": {"A": "A"}} x`:           "follows the object",
		`["A"]`:                         "JSON object",
		`["A", "B"]`:                    "JSON object",
		`{"-": []}`:                     "undefined result",
		`{"A": {"A": "A", "B": "A"}, "B": {"A": "A"}}`: "missing",
		`{"A": {"C": "A"}}`:                            "no row",
		"\tA\tB\nA\tA\n":                               "got 1 cells, want 2",
		"\tA\nB\tA\n":                                  "no column",
		"\tA\tA\nA\tA\tA\n":                            "named twice",
		"\tA\tB\nA\tA\tB\n":                            "missing",
		"a < < b":                                      "malformed chain",
		"a b":                                          "malformed chain",
	} {
		_, err := Parse("test", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want something about %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{}`:                                     "true lattice",
		`{"A": []}`:                              "true lattice",
		`{"A": null}`:                            "true lattice",
		`{"A": ["A"]}`:                           "cycle A → A",
		`{"A": ["B"], "B": ["A"]}`:               "cycle ",
		`{"A": ["B", "B"], "B": []}`:             "given twice",
		`{"A": ["B", "C"], "B": ["C"], "C": []}`: "edge A → C adds nothing",
		`{"A": {"A": "A"}}`:                      "table of 1 element",
		`{"A": {"A": "Z"}}`:                      "no elements, and meet nothing: Z",
		"a < b; c < b":                           "true lattice",
		"\ufeff{\"A\": []}":                      "true lattice",
	} {
		in, err := Parse("test", []byte(text))
		if err != nil || len(in) != 1 {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := in[0].Check().String(); !strings.Contains(got, want) {
			t.Errorf("%q: no %q in\n%s", text, want, got)
		}
	}
}

// Graphs of hundreds of nodes, and of a thousand, are checked: chains, antichains, crowns, dense
// and sparse graphs.
func TestThousandNodes(t *testing.T) {
	const n = 1000
	r := rand.New(rand.NewPCG(5, 6))
	sizes := map[string]int{"chain": 300, "antichain": 300, "crown": 300, "sparse": 300, "complete": n}
	m := map[string]map[string][]string{"chain": {}, "antichain": {}, "crown": {}, "sparse": {}, "complete": {}}
	name := func(i int) string { return fmt.Sprint("n", i) }
	for i := range n {
		for k := range m {
			if i < sizes[k] {
				m[k][name(i)] = []string{}
			}
		}
		if i+1 < sizes["chain"] {
			m["chain"][name(i)] = []string{name(i + 1)}
		}
		for j := i + 1; j < n; j++ {
			if c := sizes["crown"]; i < c/2 && j >= c/2 && j < c {
				m["crown"][name(i)] = append(m["crown"][name(i)], name(j))
			}
			if j < sizes["sparse"] && r.IntN(100) == 0 {
				m["sparse"][name(i)] = append(m["sparse"][name(i)], name(j))
			}
			m["complete"][name(i)] = append(m["complete"][name(i)], name(j))
		}
	}
	for k, g := range m {
		text, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		in, err := Parse(k, text)
		if err != nil {
			t.Fatal(err)
		}
		rep := in[0].Check()
		if rep.Elements != sizes[k] || !rep.Laws.Counted || len(rep.Text(5)) > 10000 {
			t.Errorf("%s: %.2000s", k, rep.Text(5))
		}
		if o, err := in[0].Graph.Order(); err != nil || k == "chain" && !reflect.DeepEqual(CheckLaws(o.Joins()), lawsOfJoins(o.Joins())) {
			t.Errorf("%s: counted and computed laws differ, %v", k, err)
		}
		t.Logf("%s: %s in %v", k, rep.Verdict, time.Since(start))
	}
}

// FuzzParse: no input crashes or hangs the reader, the checker, or the report.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"A":["B"],"B":[]}`, `{"A":{"A":"A"}}`, "a<b;c", "\tA\nA\tA", `{"x":{"A":["A"]}}`, `{"A":null}`, `{'A': ['B"\'\\', "C'"],}`, "{\"A\":[\"\\u0000\"],\"\\u0000\":[]}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := Parse("fuzz", text)
		if err != nil {
			return
		}
		for _, i := range in {
			rep := i.Check()
			if rep.Text(3) == "" {
				t.Error("no report")
			}
			s, err := i.System()
			if (err != nil) != (rep.Verdict == Malformed && i.Graph != nil) {
				t.Errorf("%v, %s", err, rep.Verdict)
			}
			if err == nil {
				s.Join(WeakInt, WeakFloat)
			}
		}
	})
}
