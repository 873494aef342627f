package equinox

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// solveP is Lineax's linear_solve. Its operands are the arrays among the leaves of (operator,
// state, vector, options, solver, throw). Its results are the solution, the number of the reason
// why it failed, 0 if it did not, and the statistics of the solver. A failure is no error here,
// even if throw is true.
type solveP struct{ *solve }

type solve struct {
	tree    *node
	static  []leaf
	out     []aval
	dynamic map[int]int // operand by leaf
	solver  string      // LU, QR, …
	state   *node
	config  *node // the solver's own node, nil if it was chosen automatically
	full    bool  // the operator is assumed to have full rank
	posed   bool  // a diagonal operator has no zeros

	iteration *iteration // nil if the solver has factored the operator
}

// leaf is a leaf of the operands' tree: an array, or a value that is in the text.
type leaf struct {
	array   bool
	text    string
	program *jaxpr.Jaxpr
}

const hole = "\x00" // stands for a program in the text of the leaves

var arrayLeaf = regexp.MustCompile(`^<object object at 0x\w+>$`)

func readSolve(r *jaxpr.ParamReader) core.Primitive {
	r.Ignore("flatten") // where JAX notes the structure of the results
	m := r.Mixed("static")
	text, programs := strings.Join(m.Around, hole), m.Programs
	var static []leaf
	for _, e := range elements(text) {
		l := leaf{array: arrayLeaf.MatchString(e), text: e}
		if e == hole {
			l.program, programs = programs[0], programs[1:]
		}
		static = append(static, l)
	}
	tree, n, ok := parseTree(r.Text("treedef"))
	if !ok || n != len(static) || !tree.is("(", 6) {
		r.Unsupported("its tree %.60s is not one of an operator, a state, a vector, options, a solver and throw", r.Text("treedef"))
	}
	s, why := newSolve(tree, static, r.Out)
	if why == "" && len(s.dynamic) != len(r.In) {
		why = "its leaves are not its operands"
	}
	if why != "" {
		r.Unsupported("%s", why)
	}
	return solveP{s}
}

var tokens = map[string]string{
	"lu_token": "LU", "qr_token": "QR", "svd_token": "SVD", "cholesky_token": "Cholesky", "triangular_token": "Triangular",
	"tridiagonal_token": "Tridiagonal", "diagonal_token": "Diagonal", "well_posed_diagonal_token": "Diagonal",
}

// newSolve returns the solve of a tree, or why it is not supported.
func newSolve(tree *node, static []leaf, out []aval) (s *solve, why string) {
	s = &solve{tree: tree, static: static, out: out, dynamic: map[int]int{}, state: tree.kids[1], solver: tree.kids[4].name}
	for i, l := range static {
		if l.array {
			s.dynamic[i] = len(s.dynamic)
		}
	}
	if s.config = tree.kids[4]; s.solver == "AutoLinearSolver" {
		if !s.state.is("(", 2) || tokens[s.state.kids[0].name] == "" {
			return nil, "its solver was chosen in a way that is not known"
		}
		s.solver, s.posed = tokens[s.state.kids[0].name], s.state.kids[0].name == "well_posed_diagonal_token"
		s.state = s.state.kids[1]
		s.full = s.text(s.config.kids[0]) != "False"
		s.config = nil
	} else {
		s.full = s.solver != "SVD" && s.solver != "LSMR"
	}
	st := s.state
	arrays := func(n *node, count int) bool {
		for _, i := range n.leavesOf(nil) {
			if !static[i].array {
				return false
			}
		}
		return len(n.leavesOf(nil)) == count
	}
	ok := false
	switch s.solver {
	case "LU":
		ok = st.is("(", 3) && arrays(st, 2) && st.kids[2].is("Static", 0)
	case "QR":
		ok = st.is("(", 3) && arrays(st, 2) && st.kids[1].is("Static", 0)
	case "SVD":
		ok = st.is("(", 2) && arrays(st, 3) && len(out) >= 2
	case "Cholesky":
		ok = st.is("(", 2) && arrays(st, 1) && st.kids[1].is("Static", 0)
	case "Triangular":
		ok = st.is("(", 5) && arrays(st, 1)
	case "Tridiagonal":
		ok = st.is("(", 2) && arrays(st, 3)
	case "Diagonal":
		ok = st.is("(", 2) && (arrays(st, 1) || st.kids[0].is("None", 0))
		if s.config != nil {
			s.posed = len(s.config.kids) > 0 && s.text(s.config.kids[0]) == "True"
			s.full = s.posed
		}
	case "CG", "GMRES", "BiCGStab", "LSMR", "Normal":
		var why string
		if s.iteration, why = s.readIteration(); why != "" {
			return nil, why
		}
		ok = true
	default:
		return nil, "the solver " + s.solver + " of Lineax is not supported"
	}
	if !ok {
		return nil, "its state is not one of the solver " + s.solver
	}
	if s.rcondText() == "" {
		return nil, "the cutoff of its solver is no number"
	}
	return s, ""
}

// text returns the text of a leaf that is no array, None for an empty node.
func (s *solve) text(n *node) string {
	if n.name == "*" {
		return s.static[n.leaf].text
	}
	return n.name
}

// rcondText returns the solver's cutoff as text: None if the solver has no cutoff, "" if it is an array.
func (s *solve) rcondText() string {
	if s.config == nil || s.solver != "SVD" && s.solver != "Diagonal" || len(s.config.kids) == 0 {
		return "None"
	}
	t := s.text(s.config.kids[len(s.config.kids)-1])
	if _, err := strconv.ParseFloat(t, 64); t != "None" && err != nil {
		return ""
	}
	return t
}

// flag returns the truth value that a Static node holds, written like Static[(Missing, [True], PyTreeDef(*))].
func flag(n *node) bool { return strings.Contains(n.aux, "[True]") }

func withFlag(n *node, v bool) *node {
	return &node{name: n.name, aux: strings.Replace(n.aux, "["+pyBool(!v)+"]", "["+pyBool(v)+"]", 1), kids: n.kids}
}

func (solveP) Name() string { return "linear_solve" }

// Params returns the leaves, with a mark in the place of each array, and the tree.
func (p solveP) Params() []core.Param {
	var m mixture
	m.text("(")
	for i, l := range p.static {
		if i > 0 {
			m.text(", ")
		}
		if l.program != nil {
			m.program(l.program)
		} else {
			m.text(l.text)
		}
	}
	if len(p.static) == 1 {
		m.text(",")
	}
	m.text(")")
	return []core.Param{
		param("flatten", "<equinox.internal._primitive.Flatten object at 0xXXXXXXXXXXXX>"), param("static", m.value()), param("treedef", "PyTreeDef("+p.tree.String()+")"),
	}
}

// solutions returns how many results are parts of the solution.
func (p solveP) solutions() int {
	return len(p.out) - 1 - p.statistics()
}

// statistics returns how many results follow the number of the reason.
func (s *solve) statistics() int {
	switch {
	case s.solver == "SVD" && s.config != nil:
		return 1
	case s.iteration == nil || s.iteration.method == "Cholesky":
		return 0
	case s.iteration.method == "LSMR":
		return 7
	}
	return 1
}

func size(as []aval) int {
	n := 0
	for _, a := range as {
		n += a.Size()
	}
	return n
}

// at returns the operands that are leaves of a node.
func at[T any](p solveP, n *node, in []T) []T {
	var out []T
	for _, i := range n.leavesOf(nil) {
		if k, ok := p.dynamic[i]; ok {
			out = append(out, in[k])
		}
	}
	return out
}

// Abstract fails unless the state matches the vector and the solution.
func (p solveP) Abstract(in []aval) []aval {
	operands(in, len(p.dynamic))
	m, n := size(at(p, p.tree.kids[2], in)), size(p.out[:p.solutions()])
	k := min(m, n)
	var want [][]int
	switch p.solver {
	case "LU":
		want = [][]int{{n, n}, {n}}
	case "QR":
		want = [][]int{{max(m, n), k}, {k}}
	case "SVD":
		want = [][]int{{m, k}, {k}, {k, n}}
	case "Cholesky", "Triangular":
		want = [][]int{{n, n}}
	case "Tridiagonal":
		want = [][]int{{n}, {max(n-1, 0)}, {max(n-1, 0)}}
	case "Diagonal":
		want = [][]int{{n}}
	}
	if p.iteration != nil {
		return p.abstractIteration(in)
	}
	for i, a := range at(p, p.state, in) {
		if floats := p.solver != "LU" || i == 0; a.Shape != core.MakeDims(want[i]...) || floats != (a.DType.IsFloat() || a.DType.IsComplex()) {
			core.Failf(core.ErrShape, "part %d of the state of %s for %d equations of %d unknowns has the type %v, want the shape %v", i, p.solver, m, n, a, want[i])
		}
	}
	if m != n && p.solver != "QR" && p.solver != "SVD" {
		core.Failf(core.ErrShape, "%s solves as many equations as there are unknowns, got %d and %d; use QR or SVD", p.solver, m, n)
	}
	return p.results()
}

func (p solveP) results() []aval {
	out := make([]aval, len(p.out))
	for i, a := range p.out {
		out[i] = a.Strong()
	}
	return out
}

func (p solveP) Expand(in []value) []value {
	const singular, nonfinite = 2, 6
	number := func(n int64) value { return core.Lit(core.IntNumber(n), core.Int32) }
	vector := at(p, p.tree.kids[2], in)
	bad := core.Value(core.Lit(core.BoolNumber(false), core.Bool))
	badInput := bad
	for _, v := range vector {
		badInput = prim.Or(badInput, notFinite(v))
	}
	var x, code value
	var statistics []value
	if p.iteration != nil {
		x, code, statistics = p.iterate(in)
	} else {
		var rank value
		x, rank = p.compute(at(p, p.state, in), flat(vector))
		code, statistics = number(0), []value{rank}
	}
	k := p.solutions()
	out := parted(x, p.out[:k])
	for _, part := range out {
		bad = prim.Or(bad, notFinite(part))
	}
	code = prim.Where(prim.And(bad, prim.Eq(code, number(0))), number(singular), code)
	out = append(out, prim.Where(prim.And(badInput, prim.Eq(code, number(singular))), number(nonfinite), code))
	for i, a := range p.out[k+1:] {
		out = append(out, prim.Convert(statistics[i], a.DType, false))
	}
	return out
}

func flat(vs []value) value {
	parts := make([]value, len(vs))
	for i, v := range vs {
		parts[i] = prim.Reshape(v, core.MakeDims(v.Aval().Size()))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return prim.Concatenate(0, parts...)
}

// parted undoes flat.
func parted(x value, as []aval) []value {
	out := make([]value, len(as))
	from := 0
	for i, a := range as {
		part := prim.Slice(x, core.MakeDims(from), core.MakeDims(from+a.Size()), core.Dims{})
		part = prim.Reshape(part, a.Shape)
		if part.Aval().DType != a.DType {
			part = prim.Convert(part, a.DType, false)
		}
		out[i], from = part, from+a.Size()
	}
	return out
}

func notFinite(v value) value {
	if v.Aval().DType.IsComplex() {
		return prim.Or(notFinite(prim.Real(v)), notFinite(prim.Imag(v)))
	}
	return prim.Not(prim.ReduceAnd(prim.IsFinite(v), core.Range(0, v.Aval().Rank())))
}
