package transforms

import (
	"context"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
)

// Runs are what a process of a job does where a run begins and ends: all that processes send each other
// is between the two. Both are called by the goroutine that runs the program.
type Runs struct {
	// Begin returns the function that begins runs of a program, which a text describes, in all processes.
	// It is called with true where the run before in the same program has not ended: it ends there.
	Begin func(program string) func(ctx context.Context, follows bool)
	End   func()
}

// begin writes the beginning of a run of the program, if several processes run it. The caller writes the
// end.
func (h here) begin(p *jaxpr.ShardMap) {
	h.beginRun(p.Mesh.String() + "\n" + p.Jaxpr.String() + "\n" + specsText(p.In) + " → " + specsText(p.Out))
}

func (h here) beginRun(program string) {
	if !h.several() {
		return
	}
	run := job.runs.Begin(program)
	call := func(follows bool) *hostcall.HostFunc {
		return &hostcall.HostFunc{Name: "begin_run", Op: "ShardMap", CallIn: func(ctx context.Context, _ []Value) []Value { run(ctx, follows); return nil }}
	}
	core.Bind(beginP{of: &beginning{call(false), call(true)}})
}

// end writes the end of a run, if several processes run it.
func (h here) end() {
	if h.several() {
		core.Bind(endP{})
	}
}

// A beginning is what begins runs of a program: one that follows another, and one that does not.
type beginning struct{ first, following *hostcall.HostFunc }

// beginP begins a run.
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

// endP ends a run.
type endP struct{}

func (endP) Name() string { return "end_run" }

var endOfRun = &hostcall.HostFunc{Name: "end_run", Op: "ShardMap", CallIn: func(context.Context, []Value) []Value {
	if r := job.runs; r != nil {
		r.End()
	}
	return nil
}}

// Host returns the function that is called.
func (endP) Host() *hostcall.HostFunc { return endOfRun }

func (endP) Abstract([]core.ShapedArray) []core.ShapedArray { return nil }

func (endP) Effects() core.Effect { return core.EffectOrderedIO }

// beginsRuns reports whether an equation begins runs.
func beginsRuns(e *jaxpr.Eqn) bool {
	switch e.Prim.(type) {
	case beginP, *jaxpr.ShardMap:
		return true
	}
	return slices.ContainsFunc(jaxpr.Programs(e.Prim), func(j *jaxpr.Jaxpr) bool { return slices.ContainsFunc(j.Eqns, beginsRuns) })
}
