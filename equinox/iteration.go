package equinox

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// iteration contains the settings of a solver that iterates, or of one that solves the normal
// equations.
type iteration struct {
	method            string // CG, GMRES, BiCGStab, LSMR; of the normal equations also Cholesky
	rtol, atol        float64
	norm              string
	every             int // steps of CG after which it computes the residual anew, 0 for never
	steps             int // at most; 0 for ten times the number of unknowns, or of equations if they are fewer
	restart, stagnant int
	conlim            float64

	op, options *node
	negative    bool // op is −A, and what CG finds is −x
	// normal is set if the solver solves the normal equations: AᴴAx = Aᴴb if tall is set, else AAᴴy = b with x = Aᴴy.
	normal, tall bool
	adjoint      *node // Aᴴ
	factor       *node // the Cholesky factor of the normal equations
}

// readIteration reads the settings, or returns why they are not supported.
func (s *solve) readIteration() (*iteration, string) {
	it := &iteration{method: s.solver, options: s.tree.kids[3], op: s.state}
	config, state := s.config, s.state
	if it.method == "Normal" {
		if !config.is("Normal", 1) || !state.is("(", 4) || !state.kids[1].is("Static", 0) || !s.knows(state.kids[2]) {
			return nil, "its state is not one of the normal equations"
		}
		it.normal, it.tall, it.adjoint, it.options = true, flag(state.kids[1]), state.kids[2], state.kids[3]
		config, state = config.kids[0], state.kids[0]
		it.method, it.op = config.name, state
	}
	for _, k := range it.options.keys {
		if k != "'preconditioner'" && k != "'y0'" {
			return nil, "its option " + k + " is not supported"
		}
	}
	if m := it.option("preconditioner"); m != nil && !s.knows(m) {
		return nil, "its preconditioner " + m.name + " is not supported"
	}
	switch it.method {
	case "CG":
		if !state.is("(", 2) || !state.kids[1].is("Static", 0) {
			return nil, "its state is not one of the solver CG"
		}
		it.op, it.negative = state.kids[0], flag(state.kids[1])
	case "Cholesky":
		if !state.is("(", 2) || !state.kids[0].is("*", 0) || !state.kids[1].is("Static", 0) {
			return nil, "its state is not one of the solver Cholesky"
		}
		it.factor, it.negative = state, flag(state.kids[1])
		return it, ""
	case "GMRES", "BiCGStab", "LSMR":
	default:
		return nil, "the solver " + it.method + " of normal equations is not supported"
	}
	if !s.knows(it.op) {
		return nil, "its operator " + it.op.name + " is not supported"
	}
	return it, it.configure(s, config)
}

// configure reads the settings of a solver from a node. why states which one is wrong, "" if none is.
func (it *iteration) configure(s *solve, config *node) (why string) {
	names := map[string]string{
		"CG": "rtol atol norm every steps", "GMRES": "rtol atol norm steps restart stagnant", "BiCGStab": "rtol atol norm steps",
		"LSMR": "rtol atol norm steps conlim",
	}
	fields := strings.Fields(names[it.method])
	if len(config.kids) != len(fields) {
		return fmt.Sprintf("its solver has %s, want %d", core.Count(len(config.kids), "setting"), len(fields))
	}
	for i, f := range fields {
		text := s.text(config.kids[i])
		if f == "norm" {
			name, _, _ := strings.Cut(strings.TrimPrefix(text, "<function "), " at ")
			if it.norm = name; name != "max_norm" && name != "two_norm" && name != "rms_norm" {
				return "the norm " + text + " of its solver is not known"
			}
			continue
		}
		if text == "None" && (f == "every" || f == "steps") {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		whole := v == math.Trunc(v) && v >= 1 && v <= math.MaxInt32
		if numbers := f == "rtol" || f == "atol" || f == "conlim"; err != nil || v < 0 || !numbers && !whole {
			return "the setting " + text + " of its solver is no number that it can have"
		}
		switch f {
		case "rtol":
			it.rtol = v
		case "atol":
			it.atol = v
		case "conlim":
			it.conlim = v
		case "every":
			it.every = int(v)
		case "steps":
			it.steps = int(v)
		case "restart":
			it.restart = int(v)
		case "stagnant":
			it.stagnant = int(v)
		}
	}
	return ""
}

// option returns the node of an option, nil if it is not given.
func (it *iteration) option(name string) *node {
	for i, k := range it.options.keys {
		if k == "'"+name+"'" {
			return it.options.kids[i]
		}
	}
	return nil
}

// abstractIteration fails unless the vector and the solution have one type and matching sizes.
// The expansion checks the operators.
func (p solveP) abstractIteration(in []aval) []aval {
	vector, out := at(p, p.tree.kids[2], in), p.results()
	k := p.solutions()
	if len(vector) == 0 || k <= 0 {
		core.Failf(core.ErrShape, "%s solves for at least one array (got a vector of %d and a solution of %d); pass one", p.solver, len(vector), k)
	}
	dt := vector[0].DType
	for _, a := range append(append([]aval(nil), vector...), out[:k]...) {
		if a.DType != dt || !dt.IsFloat() {
			core.Failf(core.ErrDType, "%s solves for real numbers of one type, got %v and %v; convert them", p.solver, vector[0], a)
		}
	}
	if m, n := size(vector), size(out[:k]); m != n && p.iteration.method != "LSMR" && !p.iteration.normal {
		core.Failf(core.ErrShape, "%s solves as many equations as there are unknowns, got %d and %d; use LSMR", p.solver, m, n)
	}
	return out
}

// krylov is a system whose vectors are flat.
type krylov struct {
	*iteration
	a, at, m func(weft.Array) weft.Array // the operator, its transpose, the preconditioner
	b, y0    weft.Array
	n        int     // unknowns
	most     int     // the largest number of steps
	rcond    float64 // size relative to other numbers below which a number counts as 0
	exact    bool    // BiCGStab breaks down only where a number is 0, as in JAX with types of 64 bits
}

// iterate returns the solution, the number of the reason why it ended, and the statistics.
func (p solveP) iterate(in []value) (x, code value, statistics []value) {
	it := p.iteration
	vector := at(p, p.tree.kids[2], in)
	from, to := p.results()[:p.solutions()], core.AvalsOf(vector)
	over := func(n *node, from, to []aval) func(weft.Array) weft.Array {
		op := p.operator(n, in, nil, from, to)
		return func(x weft.Array) weft.Array { return weft.FromValue(flat(op.apply(parted(x.Value(), from)))) }
	}
	s := krylov{iteration: it, b: weft.FromValue(flat(vector))}
	var back func(weft.Array) weft.Array
	if it.normal {
		if back = over(it.adjoint, to, from); it.tall {
			s.b, to = back(s.b), from
		} else {
			from = to
		}
	}
	s.n = size(from)
	var solution, reason weft.Array
	var stats []weft.Array
	if it.method == "Cholesky" {
		factor := at(p, it.factor, in)[0]
		inner := solveP{&solve{solver: "Cholesky", state: it.factor}}
		y, _ := inner.compute([]value{factor}, s.b.Value())
		solution, reason = weft.FromValue(y), weft.Scalar(int32(0))
	} else {
		s.a, s.m = over(it.op, from, to), func(x weft.Array) weft.Array { return x }
		if n := it.option("preconditioner"); n != nil {
			s.m = over(n, to, from)
		}
		s.y0 = weft.ZerosOf(s.b.DType(), s.n)
		if n := it.option("y0"); n != nil {
			s.y0 = weft.FromValue(flat(at(p, n, in)))
		}
		s.at = func(y weft.Array) weft.Array {
			return weft.FromValue(flat(adjointOf(p.operator(it.op, in, nil, from, to).apply, from, parted(y.Value(), to))))
		}
		if s.most = it.steps; it.steps == 0 {
			s.most = 10 * min(s.n, s.b.Size())
		}
		s.rcond = p.rcond(core.DType(s.b.DType()), s.n)
		s.exact = p.out[len(p.out)-1].DType.Bits() == 64
		switch it.method {
		case "CG":
			solution, reason, stats = s.conjugateGradients()
		case "GMRES":
			solution, reason, stats = s.minimalResiduals()
		case "BiCGStab":
			solution, reason, stats = s.biconjugateGradients()
		case "LSMR":
			solution, reason, stats = s.leastSquares()
		}
	}
	if it.normal && !it.tall {
		solution = back(solution)
	}
	for _, v := range stats {
		statistics = append(statistics, v.Value())
	}
	return solution.Value(), reason.Value(), statistics
}

// Reasons why a solve ended, by their numbers.
const (
	successful = iota
	tooManySteps
	singular
	breakdown
	stagnation
	illConditioned
)

// reason returns the number of the reason why a solve ended after a number of steps.
func (s krylov) reason(steps weft.Array) weft.Array {
	code := singular
	if s.steps != 0 {
		if code = tooManySteps; !s.scaled() {
			code = successful
		}
	}
	return where(steps.Eq(s.most), code, weft.Scalar(int32(successful)))
}

func where(pred weft.Array, code int, other weft.Array) weft.Array {
	return weft.Where(pred, weft.Scalar(int32(code)), other)
}

func (s krylov) scaled() bool { return s.rtol != 0 || s.atol != 0 }

// unconverged reports whether the residual r is beyond the tolerance of b, or the last step beyond
// that of y. Without a tolerance it is true.
func (s krylov) unconverged(r, step, y weft.Array) weft.Array {
	if !s.scaled() {
		return weft.Scalar(true)
	}
	scale := func(v weft.Array) weft.Array { return weft.Abs(v).Mul(s.rtol).Add(s.atol) }
	return s.length(r.Div(scale(s.b))).Gt(1).Or(s.length(step.Div(scale(y))).Gt(1))
}

// length returns the norm of x that the solver uses.
func (s krylov) length(x weft.Array) weft.Array {
	switch {
	case x.Size() == 0:
		return weft.ZerosOf(x.DType())
	case s.norm == "max_norm":
		return weft.Abs(x).Max()
	case s.norm == "rms_norm":
		return euclidean(x).Div(math.Sqrt(float64(x.Size())))
	}
	return euclidean(x)
}

func euclidean(x weft.Array) weft.Array {
	if x.Size() == 1 {
		return weft.Abs(x).Reshape()
	}
	return weft.Sqrt(x.Dot(x))
}
