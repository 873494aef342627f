package lower

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/trace"
)

// expandOps replaces operations that have no kernel, but an expansion into others, by calls of
// the expanded programs. Inlining then replaces the calls, so that executors compile the
// equations like any others. Operations over named axes stay, and so do sums over devices, which
// the pass sums replaces. The equations of an expansion have the source line of the operation.
func expandOps(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if !lacksKernels(j) {
		return j
	}
	x := &opExpander{of: withoutKernel, skip: func(j *jaxpr.Jaxpr) bool { return !lacksKernels(j) }, done: map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}}
	return x.program(j)
}

type lacksKernelsKey struct{}

// lacksKernels reports whether j, or a program within it, has operations for expandOps. The answer
// is memoized in each program that contains others, since nested programs may be lowered one
// after the other.
func lacksKernels(j *jaxpr.Jaxpr) bool {
	if v, ok := j.Memoized(lacksKernelsKey{}); ok {
		return v.(bool)
	}
	lacks, contains := false, false
	for _, e := range j.Eqns {
		programs := jaxpr.Programs(e.Prim)
		contains = contains || len(programs) > 0
		if lacks = withoutKernel(e) != nil || slices.ContainsFunc(programs, lacksKernels); lacks {
			break
		}
	}
	if !contains {
		return lacks
	}
	return j.Memo(lacksKernelsKey{}, func() any { return lacks }).(bool)
}

// withoutKernel returns the expansion of an operation that expandOps replaces, nil for others.
func withoutKernel(e *jaxpr.Eqn) Expansion {
	p, ok := e.Prim.(core.Expander)
	if !ok || reference.Has(e.Prim) || core.NamesAxes(e.Prim) {
		return nil
	}
	if _, sum := sumOfDevices(e.Prim); sum {
		return nil
	}
	return p.Expand
}

// An Expansion applies the operations that an equation consists of to its operands.
type Expansion func(in []core.Value) []core.Value

// Replace returns j with each equation replaced by the expansion that the given function returns for it. Where that is
// nil, the equation stays. Equations of an expansion are replaced in turn. If anything is replaced, calls are inlined
// and equations whose results nothing uses are removed.
func Replace(j *jaxpr.Jaxpr, of func(e *jaxpr.Eqn) Expansion) *jaxpr.Jaxpr {
	x := &opExpander{of: of, done: map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}}
	out := x.program(j)
	if out == j {
		return j
	}
	clean := &Pass{one: dce}
	return clean.run(inlineCalls(out))
}

type opExpander struct {
	of   func(e *jaxpr.Eqn) Expansion
	skip func(j *jaxpr.Jaxpr) bool // reports that a program has nothing to expand; nil: every program is searched
	done map[*jaxpr.Jaxpr]*jaxpr.Jaxpr
}

func (x *opExpander) program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if out, ok := x.done[j]; ok {
		return out
	}
	if x.skip != nil && x.skip(j) {
		return j
	}
	out := j
	for i, e := range j.Eqns {
		// The expansion of an equation is expanded in turn. The programs of an equation that is replaced are not:
		// programs over a mesh have other types until they are programs over all devices.
		var p core.Primitive
		if made := x.expansion(e); made != nil {
			p = &jaxpr.Jit{Fn: e.Prim.Name(), Jaxpr: made}
		} else if p = withPrograms(e.Prim, x.program); p == e.Prim {
			continue
		}
		if out == j {
			out = withEqns(j, append([]*jaxpr.Eqn(nil), j.Eqns...))
		}
		out.Eqns[i] = &jaxpr.Eqn{Outs: e.Outs, Prim: p, Ins: e.Ins, Site: e.Site}
	}
	x.done[j] = out
	return out
}

// withWeakMark returns v marked as weak or strong, as an equation declares its result. The
// expansion of weak operands may be marked otherwise than the operation.
func withWeakMark(v core.Value, weak bool) core.Value {
	a := v.Aval()
	if a.Weak == weak {
		return v
	}
	return prim.Convert(v, a.DType, weak)
}

// expansion returns the program that an equation stands for; nil if it stays.
func (x *opExpander) expansion(e *jaxpr.Eqn) *jaxpr.Jaxpr {
	f := x.of(e)
	if f == nil {
		return nil
	}
	avals := make([]core.ShapedArray, len(e.Ins))
	for i, a := range e.Ins {
		avals[i] = a.Aval()
	}
	expand := func(in []core.Value) []core.Value {
		outs := f(in)
		for i, v := range e.Outs {
			outs[i] = withWeakMark(outs[i], v.Type.Weak)
		}
		return outs
	}
	made := core.Suspended(func() *jaxpr.Jaxpr { return trace.Stage(e.Prim.Name(), avals, expand) })
	made = x.program(made)
	placed := withEqns(made, make([]*jaxpr.Eqn, len(made.Eqns)))
	for i, inner := range made.Eqns {
		placed.Eqns[i] = &jaxpr.Eqn{Outs: inner.Outs, Prim: inner.Prim, Ins: inner.Ins, Site: e.Site}
	}
	return placed
}
