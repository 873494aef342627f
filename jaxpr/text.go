package jaxpr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// The methods Params return the parameters of operations that contain programs, in the order in which text shows them.

func param(key string, value any) core.Param { return core.Param{Key: key, Value: value} }

func intParam(key string, n int) core.Param { return param(key, strconv.Itoa(n)) }

func boolParam(key string, b bool) core.Param { return param(key, pyBool(b)) }

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// pyBools returns a list of truth values between brackets, a tuple between parentheses.
func pyBools(open string, bs []bool, end string) string {
	words := make([]string, len(bs))
	for i, b := range bs {
		words[i] = pyBool(b)
	}
	if open == "(" && len(bs) == 1 {
		end = ",)"
	}
	return open + strings.Join(words, ", ") + end
}

func sorted(ps []core.Param) []core.Param {
	for i := range ps { // insertion sort, as they are few
		for j := i; j > 0 && ps[j].Key < ps[j-1].Key; j-- {
			ps[j], ps[j-1] = ps[j-1], ps[j]
		}
	}
	return ps
}

// Params returns the name, then the program and the parameters that are not trivial.
func (p *Jit) Params() []core.Param {
	core.RequireReceiver("jaxpr.Jit.Params", p == nil)
	rest := append([]core.Param{param("jaxpr", p.Jaxpr)}, p.Extra...)
	if slices.Contains(p.Donated, true) {
		rest = append(rest, param("donated_invars", pyBools("(", p.Donated, ")")))
	}
	if p.Device != "" {
		rest = append(rest, param("device", p.Device))
	}
	return append([]core.Param{param("name", p.Fn)}, sorted(rest)...)
}

func (p *CoreCall) Params() []core.Param {
	core.RequireReceiver("jaxpr.CoreCall.Params", p == nil)
	if p.Word != "" {
		out := slices.Clone(p.Shown)
		for i := range out {
			if out[i].Value == nil {
				out[i].Value = p.Jaxpr
			}
		}
		return out
	}
	return []core.Param{param("call_jaxpr", p.Jaxpr), param("name", p.Fn)}
}

func (p *Cond) Params() []core.Param {
	core.RequireReceiver("jaxpr.Cond.Params", p == nil)
	ps := []core.Param{param("branches", p.Branches)}
	if p.Platforms != "" {
		ps = append(ps, param("branches_platforms", p.Platforms))
	}
	return ps
}

func (p *While) Params() []core.Param {
	core.RequireReceiver("jaxpr.While.Params", p == nil)
	return []core.Param{
		param("body_jaxpr", p.Body), intParam("body_nconsts", p.BodyConsts),
		param("cond_jaxpr", p.Cond), intParam("cond_nconsts", p.CondConsts),
	}
}

func (p *Scan) Params() []core.Param {
	core.RequireReceiver("jaxpr.Scan.Params", p == nil)
	return []core.Param{
		param("jaxpr", p.Jaxpr), intParam("length", p.Length), intParam("num_carry", p.NumCarry),
		intParam("num_consts", p.NumConsts), boolParam("reverse", p.Reverse), intParam("unroll", p.Unroll),
	}
}

func (p *Remat) Params() []core.Param {
	core.RequireReceiver("jaxpr.Remat.Params", p == nil)
	policy := "None"
	if p.Policy != nil {
		policy = p.Policy.String()
	}
	return []core.Param{
		boolParam("differentiated", p.Differentiated), param("jaxpr", p.Jaxpr),
		param("policy", policy), boolParam("prevent_cse", p.PreventCSE),
	}
}

// custom returns the parameters of a call with rules: name, then the others in order, num_consts only if it is not 0.
func custom(fn string, consts int, rest ...core.Param) []core.Param {
	if consts != 0 {
		rest = append(rest, intParam("num_consts", consts))
	}
	return append([]core.Param{param("name", fn)}, sorted(rest)...)
}

// program returns the parameter that contains the program of a call; None if the call was not
// recorded.
func program(key string, j *Jaxpr) core.Param {
	if j == nil {
		return param(key, "None")
	}
	return param(key, j)
}

func (p *CustomJVP) Params() []core.Param {
	core.RequireReceiver("jaxpr.CustomJVP.Params", p == nil)
	return custom(p.Fn, p.NumConsts, program("call_jaxpr", p.Jaxpr), param("jvp", p.RuleName),
		boolParam("symbolic_zeros", p.SymbolicZeros))
}

func (p *CustomVJP) Params() []core.Param {
	core.RequireReceiver("jaxpr.CustomVJP.Params", p == nil)
	return custom(p.Fn, p.NumConsts, param("bwd", p.BwdName), program("call_jaxpr", p.Jaxpr),
		param("fwd", p.FwdName), boolParam("symbolic_zeros", p.SymbolicZeros))
}

func (p *CustomLin) Params() []core.Param {
	core.RequireReceiver("jaxpr.CustomLin.Params", p == nil)
	return []core.Param{
		param("bwd", p.BwdName), param("in_zeros", pyBools("[", p.InZeros, "]")),
		intParam("num_res", p.NumRes), boolParam("symbolic_zeros", p.SymbolicZeros),
	}
}

func (p *CustomVmap) Params() []core.Param {
	core.RequireReceiver("jaxpr.CustomVmap.Params", p == nil)
	return sorted(append([]core.Param{program("call", p.Jaxpr), param("rule", p.RuleName)}, p.Extra...))
}

// Params returns the two programs and how many operands are residuals. Constants of the
// programs are residuals like others.
func (p *LinearCall) Params() []core.Param {
	core.RequireReceiver("jaxpr.LinearCall.Params", p == nil)
	return []core.Param{
		param("callee", p.Jaxpr), intParam("num_callee_consts", 0), intParam("num_res", p.NumRes),
		intParam("num_transpose_consts", 0), param("transpose", p.Transposed),
	}
}

var solveParts = [...]string{"matvec", "vecmat", "solve", "transpose_solve"}

func (p *LinearSolve) Params() []core.Param {
	core.RequireReceiver("jaxpr.LinearSolve.Params", p == nil)
	consts := [...]int{p.MatvecConsts, p.VecmatConsts, p.SolveConsts, p.TransposeSolveConsts}
	var lengths []string
	for i, part := range solveParts {
		lengths = append(lengths, part+"="+strconv.Itoa(consts[i]))
	}
	var m Mixed
	before := "_LinearSolveTuple("
	for i, j := range []*Jaxpr{p.Matvec, p.Vecmat, p.Solve, p.TransposeSolve} {
		before += solveParts[i] + "="
		if j == nil {
			before += "None"
		} else {
			m.Around, m.Programs, before = append(m.Around, before), append(m.Programs, j), ""
		}
		if i+1 < len(solveParts) {
			before += ", "
		}
	}
	m.Around = append(m.Around, before+")")
	return []core.Param{
		param("const_lengths", "_LinearSolveTuple("+strings.Join(lengths, ", ")+")"),
		param("jaxprs", m),
	}
}

// Mixed is a parameter's value that has programs among other things. They are texts of their own:
// names start anew in each, and lines at column 0.
type Mixed struct {
	Around   []string // what stands before, between and after the programs
	Programs []*Jaxpr
}

func (m Mixed) String() string {
	var b strings.Builder
	for i, s := range m.Around {
		b.WriteString(s)
		if i < len(m.Programs) {
			b.WriteString(m.Programs[i].String())
		}
	}
	return b.String()
}
