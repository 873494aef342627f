package lower

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Pass is one step of the pipeline: it rewrites a program and the programs within it.
type Pass struct {
	Name string // as in weft show --after NAME

	// one rewrites one program. The programs within it were rewritten before.
	one func(j *jaxpr.Jaxpr, top bool) *jaxpr.Jaxpr
	// all rewrites a program and those within it, for passes that cross their borders.
	all func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr
}

var passes = []Pass{
	{Name: "expand", all: expandOps},      // replace operations without kernels by calls of the operations that they consist of
	{Name: "inline", all: inlineCalls},    // replace calls by the equations of the programs that they call
	{Name: "sums", all: sums},             // add up over devices as trees, and hold only some products at a time if they are large together
	{Name: "identities", one: identities}, // drop operations that return an operand unchanged, merge chains of reshapes and transposes
	{Name: "fold", one: fold},             // evaluate equations whose operands are all constant, up to a bound on bytes
	{Name: "accumulate", one: accumulate}, // add rows in place to sums that a scan carries, rather than arrays of zeros with a row
	{Name: "hoist", one: hoist},           // move what no iteration changes out of loops
	{Name: "cse", one: cse},               // compute common subexpressions once
	{Name: "remat", all: inlineRemat},     // replace calls of rematerialized programs, whose equations stay apart from others
	{Name: "dce", one: dce},               // drop unused equations that have no effects and cannot fail, and unused results of loops and branches
}

// Passes returns the passes of the pipeline in their order.
func Passes() []Pass { return append([]Pass(nil), passes...) }

type loweredKey struct{}

// Program returns j as executors receive it: after all passes. The result is memoized
// in j; j itself does not change.
func Program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return j.Memo(loweredKey{}, func() any {
		out := j
		for i := range passes {
			out = passes[i].run(out)
		}
		if out != j { // a lowered program is not lowered again
			out.Memo(loweredKey{}, func() any { return out })
		}
		return out
	}).(*jaxpr.Jaxpr)
}

// After returns j after the passes up to and including the one called name.
func After(j *jaxpr.Jaxpr, name string) *jaxpr.Jaxpr {
	var names []string
	for i := range passes {
		j = passes[i].run(j)
		if passes[i].Name == name {
			return j
		}
		names = append(names, passes[i].Name)
	}
	core.FailOp(core.ErrStatic, "After", nil, "unknown pass %q; the passes are %s", name, strings.Join(names, ", "))
	return nil
}

func (p *Pass) run(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if p.all != nil {
		return p.all(j)
	}
	r := &rewriter{one: p.one, done: map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}}
	return p.one(r.within(j), true)
}

// rewriter applies a pass to the programs within a program, each once.
type rewriter struct {
	one  func(*jaxpr.Jaxpr, bool) *jaxpr.Jaxpr
	done map[*jaxpr.Jaxpr]*jaxpr.Jaxpr
}

func (r *rewriter) program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if out, ok := r.done[j]; ok {
		return out
	}
	out := r.one(r.within(j), false)
	r.done[j] = out
	return out
}

// within returns j with the programs of its equations rewritten; j itself if none
// changes.
func (r *rewriter) within(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return mapPrograms(j, r.program)
}

// mapPrograms returns j with f applied to the programs of its equations; j itself if f
// changes none.
func mapPrograms(j *jaxpr.Jaxpr, f func(*jaxpr.Jaxpr) *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	out := j
	for i, e := range j.Eqns {
		p := withPrograms(e.Prim, f)
		if p == e.Prim {
			continue
		}
		if out == j {
			out = withEqns(j, append([]*jaxpr.Eqn(nil), j.Eqns...))
		}
		out.Eqns[i] = &jaxpr.Eqn{Outs: e.Outs, Prim: p, Ins: e.Ins, Site: e.Site}
	}
	return out
}

// withPrograms returns p with f applied to its programs; p itself if f changes none. An opaque primitive, and one
// that is not a [jaxpr.Rebuilder], keeps its programs as they are. That is valid, since passes only optimize
// them.
func withPrograms(p core.Primitive, f func(*jaxpr.Jaxpr) *jaxpr.Jaxpr) core.Primitive {
	h, ok := p.(jaxpr.Holder)
	if !ok {
		return p
	}
	if _, opaque := p.(*jaxpr.Opaque); opaque {
		return p
	}
	js := h.Programs()
	out, changed := make([]*jaxpr.Jaxpr, len(js)), false
	for i, s := range js {
		out[i] = f(s)
		changed = changed || out[i] != s
	}
	if !changed {
		return p
	}
	if q, ok := jaxpr.WithPrograms(p, out); ok {
		return q
	}
	return p
}

func withEqns(j *jaxpr.Jaxpr, eqns []*jaxpr.Eqn) *jaxpr.Jaxpr {
	return &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: j.Ins, Eqns: eqns, Outs: j.Outs}
}
