package transforms

import (
	"context"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms/exchange"
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
	core.Bind(exchange.Begin(job.runs.Begin(program)))
}

// end writes the end of a run, if several processes run it.
func (h here) end() {
	if h.several() {
		core.Bind(endOfRun)
	}
}

var endOfRun = exchange.End(func() {
	if r := job.runs; r != nil {
		r.End()
	}
})
