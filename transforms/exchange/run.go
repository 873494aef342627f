package exchange

import (
	"context"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
)

// HeaderBytes is the number of bytes that each process gathers from every other one when a run of a
// program begins.
const HeaderBytes = 32

// A beginning has the functions that begin runs: one for a run that follows another, and one for a
// run that does not.
type beginning struct{ first, following *hostcall.HostFunc }

// Begin returns the operation that begins a run by a call of run. follows says whether the run before has not ended:
// that one ends then.
func Begin(run func(ctx context.Context, follows bool)) core.Primitive {
	call := func(follows bool) *hostcall.HostFunc {
		return &hostcall.HostFunc{Name: "begin_run", Op: "ShardMap", CallIn: func(ctx context.Context, _ []Value) []Value { run(ctx, follows); return nil }}
	}
	return beginP{of: &beginning{call(false), call(true)}}
}

// End returns the operation that ends a run by a call of end.
func End(end func()) core.Primitive {
	return endP{&hostcall.HostFunc{Name: "end_run", Op: "ShardMap", CallIn: func(context.Context, []Value) []Value { end(); return nil }}}
}

type beginP struct {
	of      *beginning
	follows bool // a run that has not ended
}

func (beginP) Name() string { return "begin_run" }

// Host returns the function that is called.
func (p beginP) Host() *hostcall.HostFunc {
	if p.follows {
		return p.of.following
	}
	return p.of.first
}

func (beginP) Abstract([]core.ShapedArray) []core.ShapedArray { return nil }

func (beginP) Effects() core.Effect { return core.EffectOrderedIO }

type endP struct{ fn *hostcall.HostFunc }

func (endP) Name() string { return "end_run" }

// Host returns the function that is called.
func (p endP) Host() *hostcall.HostFunc { return p.fn }

func (endP) Abstract([]core.ShapedArray) []core.ShapedArray { return nil }

func (endP) Effects() core.Effect { return core.EffectOrderedIO }

func beginsRuns(e *jaxpr.Eqn) bool {
	switch e.Prim.(type) {
	case beginP, *jaxpr.ShardMap:
		return true
	}
	return slices.ContainsFunc(jaxpr.Programs(e.Prim), func(j *jaxpr.Jaxpr) bool { return slices.ContainsFunc(j.Eqns, beginsRuns) })
}
