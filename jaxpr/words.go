package jaxpr

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// callWords reads this package's primitives, most of which contain programs, from their text.
var callWords = Vocabulary{
	"jit":  readJit,
	"pjit": readJit, // before JAX 0.7
	"core_call": func(r *ParamReader) core.Primitive {
		return &CoreCall{Fn: r.Text("name"), Jaxpr: r.Jaxpr("call_jaxpr")}
	},
	"call":        wordedCall("call", "call_jaxpr"),
	"closed_call": wordedCall("closed_call", "call_jaxpr"),
	"composite":   wordedCall("composite", "jaxpr"),
	"remat_opt":   readRematOpt,
	"shard_map":   readShardMap,
	"cond": func(r *ParamReader) core.Primitive {
		p := &Cond{Branches: r.Jaxprs("branches")}
		if r.Has("branches_platforms") {
			p.Platforms = r.Text("branches_platforms")
		}
		return p
	},
	"while": func(r *ParamReader) core.Primitive {
		return &While{
			Cond: r.Jaxpr("cond_jaxpr"), CondConsts: r.Int("cond_nconsts"),
			Body: r.Jaxpr("body_jaxpr"), BodyConsts: r.Int("body_nconsts"),
		}
	},
	"scan": func(r *ParamReader) core.Primitive {
		// Before JAX 0.10: which operands the body is linear in, for derivatives.
		if r.Has("linear") {
			r.Bools("linear")
		}
		r.MustBe("_split_transpose", "False")
		return &Scan{
			Jaxpr: r.Jaxpr("jaxpr"), Length: r.Int("length"), NumCarry: r.Int("num_carry"),
			NumConsts: r.Int("num_consts"), Reverse: r.Bool("reverse"), Unroll: r.Int("unroll"),
		}
	},
	"remat2": func(r *ParamReader) core.Primitive {
		p := &Remat{Jaxpr: r.Jaxpr("jaxpr"), Differentiated: r.Bool("differentiated"), PreventCSE: r.Bool("prevent_cse")}
		if !r.IsNone("policy") {
			p.Policy = policyNamed(r.Text("policy"))
		}
		return p
	},
	"custom_jvp_call": func(r *ParamReader) core.Primitive {
		return &CustomJVP{
			Fn: r.Text("name"), RuleName: r.Text("jvp"), Jaxpr: r.Jaxpr("call_jaxpr"),
			NumConsts: r.constCount(), SymbolicZeros: r.Bool("symbolic_zeros"),
		}
	},
	"custom_vjp_call": func(r *ParamReader) core.Primitive {
		return &CustomVJP{
			Fn: r.Text("name"), FwdName: r.Text("fwd"), BwdName: r.Text("bwd"), Jaxpr: r.Jaxpr("call_jaxpr"),
			NumConsts: r.constCount(), SymbolicZeros: r.Bool("symbolic_zeros"),
		}
	},
	"custom_lin": func(r *ParamReader) core.Primitive {
		return &CustomLin{
			BwdName: r.Text("bwd"), InZeros: r.Bools("in_zeros"), NumRes: r.Int("num_res"),
			SymbolicZeros: r.Bool("symbolic_zeros"), OutAvals: r.Out,
		}
	},
	"custom_vmap_call": func(r *ParamReader) core.Primitive {
		return &CustomVmap{RuleName: r.Text("rule"), Jaxpr: r.Jaxpr("call"), Extra: r.Rest()}
	},
	"linear_call": func(r *ParamReader) core.Primitive {
		if !r.Has("transpose") {
			r.Unsupported("its transpose is not in the text; write the equations instead of the call")
		}
		r.MustBe("num_callee_consts", "0")
		r.MustBe("num_transpose_consts", "0")
		return &LinearCall{Jaxpr: r.Jaxpr("callee"), NumRes: r.Int("num_res"), Transposed: r.Jaxpr("transpose")}
	},
	"custom_linear_solve": readLinearSolve,
}

func readJit(r *ParamReader) core.Primitive {
	p := &Jit{Fn: r.Text("name"), Jaxpr: r.Jaxpr("jaxpr")}
	if r.Has("donated_invars") {
		p.Donated = r.Bools("donated_invars")
		if len(p.Donated) != len(r.In) {
			r.fail("donated_invars", "has %s for %s; write one for each operand", core.Count(len(p.Donated), "entry"), core.Count(len(r.In), "operand"))
		}
	}
	if r.Has("device") {
		p.Device = r.Text("device")
	}
	p.Extra = r.Rest()
	return p
}

// constCount returns num_consts, which is not shown when it is zero.
func (r *ParamReader) constCount() int {
	if !r.Has("num_consts") {
		return 0
	}
	n := r.Int("num_consts")
	if n < 0 || n > len(r.In) {
		r.fail("num_consts", "is %d with %s; write how many of them are constants", n, core.Count(len(r.In), "operand"))
	}
	return n
}

// programHole stands for a program among the other things of a value: no text contains it.
const programHole = "\x00"

func readLinearSolve(r *ParamReader) core.Primitive {
	p := &LinearSolve{}
	programs := [...]**Jaxpr{&p.Matvec, &p.Vecmat, &p.Solve, &p.TransposeSolve}
	m := r.Mixed("jaxprs")
	rest, read := strings.TrimPrefix(strings.Join(m.Around, programHole), "_LinearSolveTuple("), 0
	lengths := r.Text("const_lengths")
	counts, ok := strings.CutPrefix(lengths, "_LinearSolveTuple(")
	consts := [...]*int{&p.MatvecConsts, &p.VecmatConsts, &p.SolveConsts, &p.TransposeSolveConsts}
	for i, part := range solveParts {
		end := ", "
		if i == len(solveParts)-1 {
			end = ")"
		}
		var value string
		value, rest, _ = strings.Cut(rest, end)
		switch value, named := strings.CutPrefix(value, part+"="); {
		case named && value == programHole:
			*programs[i] = m.Programs[read]
			read++
		case named && value == "None" && (programs[i] == &p.Vecmat || programs[i] == &p.TransposeSolve):
		default:
			r.fail("jaxprs", "must be the programs %s; write all of them", strings.Join(solveParts[:], ", "))
		}
		var number string
		if ok {
			counts, ok = strings.CutPrefix(counts, part+"=")
		}
		if ok {
			number, counts, ok = strings.Cut(counts, end)
		}
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 {
			r.fail("const_lengths", "must be a tuple of lengths (got %q); write _LinearSolveTuple(matvec=0, …)", lengths)
		}
		*consts[i] = n
	}
	return p
}

// Bools reads a tuple or list of truth values.
func (r *ParamReader) Bools(key string) []bool {
	core.RequireReceiver("jaxpr.ParamReader.Bools", r == nil)
	s := r.Text(key)
	body, ok := syntax.Unbracket(s)
	if !ok {
		r.fail(key, "must be a tuple of truth values (got %q); write one, as (True, False)", s)
	}
	out := []bool{}
	for f := range strings.SplitSeq(body, ",") {
		switch strings.TrimSpace(f) {
		case "True":
			out = append(out, true)
		case "False":
			out = append(out, false)
		case "":
		default:
			r.fail(key, "must be a tuple of truth values (got %q); write one, as (True, False)", s)
		}
	}
	return out
}

var policies sync.Map // text → Policy

// RegisterPolicy makes a policy known to the parser under the text it prints as.
func RegisterPolicy(p Policy) { policies.Store(p.String(), p) }

// namedPolicy is a policy whose text alone is known. It saves nothing: what a policy saves decides
// what is computed again, not the numbers.
type namedPolicy string

func (p namedPolicy) String() string { return string(p) }

func (namedPolicy) Saves(core.Primitive, []core.ShapedArray) bool { return false }

func policyNamed(text string) Policy {
	if p, ok := policies.Load(text); ok {
		return p.(Policy)
	}
	return namedPolicy(text)
}

// wordedCall reads a call of another name than core_call, whose program is the parameter key: its
// other parameters do not change the results.
func wordedCall(word, key string) func(r *ParamReader) core.Primitive {
	return func(r *ParamReader) core.Primitive {
		p := &CoreCall{Fn: word, Word: word, Jaxpr: r.Jaxpr(key)}
		p.Shown = sorted(append(r.Rest(), core.Param{Key: key}))
		return p
	}
}

// readRematOpt reads the call of a function that returns its residuals, then its results. Where
// nothing uses the residuals, JAX runs the function without them instead.
func readRematOpt(r *ParamReader) core.Primitive {
	n := r.Int("num_res")
	if n < 0 || n > len(r.unused) {
		r.fail("num_res", "is %d with %s; write how many of them are residuals", n, core.Count(len(r.unused), "result"))
	}
	if n > 0 && !slices.Contains(r.unused[:n], false) {
		r.Unsupported("nothing uses its residuals, so JAX runs a function that the text does not contain; use the program of that function")
	}
	p := wordedCall("remat_opt", "fwd_jaxpr")(r).(*CoreCall)
	p.Shown = sorted(append(p.Shown, core.Param{Key: "num_res", Value: strconv.Itoa(n)}))
	return p
}
