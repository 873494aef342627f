package promote

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/statement"
)

// lattices reads the graphs of the documents.
func lattices(t testing.TB) map[string]*Graph {
	t.Helper()
	inputs, err := Parse("lattices", []byte(golden(t, "lattices.json")))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*Graph{}
	for _, in := range inputs {
		out[in.Name] = in.Graph
	}
	return out
}

// What the checker must report for the graphs of the documents.
var verdicts = []struct {
	name                                 string
	nodes, edges, pairs, none, ambiguous int
	verdict                              Verdict
}{
	{"python", 3, 2, 3, 0, 0, Lattice},
	{"python_star", 3, 2, 3, 0, 0, Lattice},
	{"nonlattice_left", 3, 2, 3, 1, 0, Partial},
	{"nonlattice_right", 4, 4, 6, 1, 1, NotPartial},
	{"within_category", 13, 9, 78, 62, 0, Partial},
	{"numpy_signed_scalar_array", 8, 7, 28, 0, 0, Lattice},
	{"within_category_star", 17, 13, 136, 107, 0, Partial},
	{"partial_merged", 16, 15, 120, 81, 0, Partial},
	{"partial_float_complex", 16, 17, 120, 72, 0, Partial},
	{"partial_signed_unsigned", 16, 20, 120, 60, 0, Partial},
	{"option0", 16, 20, 120, 60, 0, Partial},
	{"naive_int_float", 16, 26, 120, 18, 6, NotPartial},
	{"option1", 16, 23, 120, 25, 0, Partial},
	{"option1_completed", 16, 25, 120, 0, 0, Lattice},
	{"option2", 16, 23, 120, 11, 0, Partial},
	{"option2_u64", 16, 24, 120, 0, 0, Lattice},
	{"option3", 16, 20, 120, 11, 0, Partial},
	{"option3_bf16", 17, 22, 136, 12, 0, Partial},
	{"option3_u64", 16, 21, 120, 0, 0, Lattice},
	{"jax_final_nobool", 17, 23, 136, 0, 0, Lattice},
	{"jax_final", 18, 24, 153, 0, 0, Lattice},
	{"max_implied", 16, 19, 120, 0, 0, Lattice},
	{"anvil_known_implied", 11, 14, 55, 0, 0, Lattice},
	{"extra_jax_x32", 18, 24, 153, 0, 0, Lattice},
	{"extra_jax_strict", 18, 16, 153, 128, 0, Partial},
}

// The checker judges all graphs of the documents as the documents do, and the package's own graphs
// are these.
func TestVerdicts(t *testing.T) {
	statement.Shows(t, "P-5", "the checker rejects graphs without a join and names the pair")
	statement.Shows(t, "P-6", "JAX's lattice has all joins, and they commute and associate")
	statement.Shows(t, "P-10", "JAX's 324 cells follow from 18 nodes and 24 edges")
	statement.Shows(t, "P-20", "i* absorbs u*, and a pair without a join is an error")
	statement.Shows(t, "P-24", "the naive graph is rejected with six ambiguous pairs, the source of NumPy's brackets")
	statement.Shows(t, "P-25", "in option 0 integers do not promote to floats, and Python scalars work")
	statement.Shows(t, "P-32", "JAX's table is option 3 with u64 below f*, cell by cell")
	graphs := lattices(t)
	if len(graphs) != len(verdicts) {
		t.Errorf("%d graphs, %d verdicts", len(graphs), len(verdicts))
	}
	for _, v := range verdicts {
		g := graphs[v.name]
		r := CheckGraph(v.name, g)
		got := []any{r.Elements, r.Edges, r.Pairs, len(r.NoJoin), len(r.Ambiguous), r.Verdict}
		want := []any{v.nodes, v.edges, v.pairs, v.none, v.ambiguous, v.verdict}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: nodes, edges, pairs, without join, ambiguous, verdict = %v, want %v", v.name, got, want)
		}
		l := r.Laws
		if !l.Counted || len(l.NonCommutative)+len(l.NonIdempotent)+l.BothDefined > 0 {
			t.Errorf("%s: the laws of joins fail: %+v", v.name, l)
		}
		oneSide := map[string]int{"nonlattice_right": 8, "naive_int_float": 208}[v.name]
		if l.OneSide != oneSide {
			t.Errorf("%s: %d triples defined one way only, want %d", v.name, l.OneSide, oneSide)
		}
		if l.Associative() != (oneSide == 0) {
			t.Errorf("%s: Associative() = %v", v.name, l.Associative())
		}

		s, err := Find(v.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if own := GraphOf(s); !sameGraph(own, g) {
			t.Errorf("%s: the package's graph has the edges %v, the document's %v", v.name, edgeList(own), edgeList(g))
		}
	}
}

func sameGraph(a, b *Graph) bool {
	x, y := a.Nodes(), b.Nodes()
	sort.Strings(x)
	sort.Strings(y)
	return reflect.DeepEqual(x, y) && reflect.DeepEqual(edgeList(a), edgeList(b))
}

func edgeList(g *Graph) []string {
	var out []string
	for _, e := range g.Edges() {
		out = append(out, e.From+"<"+e.To)
	}
	sort.Strings(out)
	return out
}

// Today's JAX is a partial lattice: its narrow types promote to nothing.
func TestTodaysJAX(t *testing.T) {
	for s, undefined := range map[System]int{JAX: 492, JAX32: 492, JAXStrict: 954} {
		r := Check(s)
		if r.Verdict != Partial || r.Laws.Undefined != undefined || !r.Laws.Associative() {
			t.Errorf("%s: %s, %d undefined cells, associative %v", s.Name(), r.Verdict, r.Laws.Undefined, r.Laws.Associative())
		}
	}
}

// The checker reports the faults of the document's two counterexamples in the document's words.
func TestNonlattices(t *testing.T) {
	statement.Shows(t, "P-5", "the checker rejects graphs without a join and names the pair")
	left, right := Check(NonlatticeLeft).String(), Check(NonlatticeRight).String()
	for _, want := range []string{"not a lattice", "no upper bound for (B, C)"} {
		if !strings.Contains(left, want) {
			t.Errorf("left: no %q in\n%s", want, left)
		}
	}
	for _, want := range []string{"not even a partial lattice", "no upper bound for (C, D)", "(A, B) not unique: C and D, unorderable"} {
		if !strings.Contains(right, want) {
			t.Errorf("right: no %q in\n%s", want, right)
		}
	}
}

// The naive graph has six ambiguous pairs, "the source of NumPy's non-associativity".
func TestNaive(t *testing.T) {
	statement.Shows(t, "P-24", "the naive graph is rejected with six ambiguous pairs, the source of NumPy's brackets")
	r := Check(Naive)
	got := map[string]string{}
	for _, p := range r.Ambiguous {
		got[p.A+" "+p.B] = strings.Join(sorted(r.Candidates(p)), " ")
	}
	want := map[string]string{
		"u8 i8": "f16 i16", "u16 i8": "f32 i32", "u16 i16": "f32 i32",
		"u32 i8": "f64 i64", "u32 i16": "f64 i64", "u32 i32": "f64 i64",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("ambiguous pairs %v, want %v", got, want)
	}
	_, err := Naive.Join(typ(t, "u8"), typ(t, "i8"))
	if err == nil || !strings.Contains(err.Error(), "i16") || !strings.Contains(err.Error(), "f16") {
		t.Errorf("the error should name both candidates: %v", err)
	}
}

func sorted(s []string) []string {
	sort.Strings(s)
	return s
}

// The parts of a graph are judged one by one.
func TestComponents(t *testing.T) {
	for s, n := range map[System]int{WithinCategory: 4, WithinCategoryStar: 4, NonlatticeLeft: 1, JAX: 1} {
		r := Check(s)
		if len(r.Components) != n {
			t.Errorf("%s has %d parts, want %d", s.Name(), len(r.Components), n)
		}
		for _, c := range r.Components {
			if n == 4 && c.Verdict != Lattice {
				t.Errorf("%s: part %v is a %s", s.Name(), c.Nodes, c.Verdict)
			}
		}
	}
}

// CheckLaws finds the known violations of the laws in every table, triple by triple.
func TestLaws(t *testing.T) {
	statement.Shows(t, "P-6", "JAX's lattice has all joins, and they commute and associate")
	statement.Shows(t, "P-8", "NumPy has 256 triples that do not associate, 28 of them of strong types, and no pair that does not commute")
	statement.Shows(t, "P-39", "NumPy has no bf16: any operation with it is an error")
	for _, v := range []struct {
		name                                       string
		n, undefined, noncommutative               int
		nonidempotent                              string
		equal, bothUndefined, bothDefined, oneSide int
	}{
		{"numpy", 18, 35, 0, "bf16 i* f* c*", 4657, 919, 256, 0},
		{"tensorflow", 18, 279, 22, "b i* f* c*", 63, 5703, 0, 66},
		{"pytorch", 18, 99, 0, "u16 u32 u64 i* f* c*", 3247, 2457, 128, 0},
		{"jax_numpy", 18, 0, 0, "", 5832, 0, 0, 0},
		{"jax_lax", 18, 301, 0, "b", 35, 5797, 0, 0},
		{"max", 16, 0, 4, "", 4028, 0, 68, 0},
		{"anvil_known", 11, 0, 0, "", 1331, 0, 0, 0},
		{"anvil_ambiguous", 11, 0, 29, "", 1331, 0, 0, 0},
	} {
		l := CheckLaws(table(t, v.name+".tsv"))
		got := fmt.Sprint(l.Undefined, len(l.NonCommutative), l.NonIdempotent, l.Triples, l.Equal, l.BothUndefined, l.BothDefined, l.OneSide)
		want := fmt.Sprint(v.undefined, v.noncommutative, strings.Fields(v.nonidempotent), v.n*v.n*v.n, v.equal, v.bothUndefined, v.bothDefined, v.oneSide)
		if got != want {
			t.Errorf("%s: undefined, non-commutative, non-idempotent, triples, equal, both undefined, both defined, one side =\n%s, want\n%s", v.name, got, want)
		}
		var bad [][]string
		for _, b := range l.Bad {
			bad = append(bad, []string{b.A, b.B, b.C, b.Left, b.Right})
		}
		if want := rows(t, "nonassoc_"+v.name+".tsv")[1:]; !sameRows(bad, want) {
			t.Errorf("%s: non-associative triples are\n%v, want\n%v", v.name, bad, want)
		}
	}
}

func sameRows(a, b [][]string) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	return reflect.DeepEqual(a, b)
}

// NumPy's 28 triples of strong types are seven multisets in four orders.
func TestNumPyStrongTriples(t *testing.T) {
	statement.Shows(t, "P-8", "NumPy has 256 triples that do not associate, 28 of them of strong types, and no pair that does not commute")
	sets := map[string]int{}
	for _, b := range CheckLaws(table(t, "numpy.tsv")).Bad {
		if !strings.Contains(b.A+b.B+b.C, "*") {
			sets[strings.Join(sorted([]string{b.A, b.B, b.C}), " ")]++
		}
	}
	want := map[string]int{"f16 i8 u8": 4, "f16 i8 u16": 4, "f32 i8 u16": 4, "c64 i8 u16": 4, "f16 i16 u16": 4, "f32 i16 u16": 4, "c64 i16 u16": 4}
	if !reflect.DeepEqual(sets, want) {
		t.Errorf("%v, want %v", sets, want)
	}
}

// The options have the scores that the design document states.
func TestScores(t *testing.T) {
	statement.Shows(t, "P-21", "the options score as the document states on its five criteria")
	for s, want := range map[System][6]int{
		Option1:   {14, 0, 0, 0, 0, 25},
		Option2:   {10, 0, 9, 0, 0, 11},
		Option3:   {6, 4, 13, 0, 0, 11},
		JAXDesign: {7, 5, 24, 0, 0, 0},
		Naive:     {8, 0, 0, 0, 6, 18},
	} {
		if got := ScoreOf(s.Algebra()).Counts(); got != want {
			t.Errorf("%s: %v, want %v", s.Name(), got, want)
		}
	}
	// Which pairs these are in the final lattice.
	s := ScoreOf(JAXDesign.Algebra())
	if got, want := fmt.Sprint(s.Overflow), "[{u16 f16 f16} {u32 f16 f16} {u64 f16 f16} {i32 f16 f16} {i64 f16 f16}]"; got != want {
		t.Errorf("overflow: %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(s.Wider), "[{u8 i8 i16} {u16 i8 i32} {u16 i16 i32} {u32 i8 i64} {u32 i16 i64} {u32 i32 i64} {bf16 f16 f32}]"; got != want {
		t.Errorf("wider: %s, want %s", got, want)
	}
	if ScoreOf(NonlatticeLeft.Algebra()) != nil {
		t.Error("A, B, C are no types and have no score")
	}
	drops := Chains("f32 < i32; c64 < f32")
	r := CheckGraph("drops", drops)
	if got := r.Score.Counts(); got[3] != 3 {
		t.Errorf("f32 → i32 and c64 → f32 drop components in three pairs: %v", got)
	}
}
