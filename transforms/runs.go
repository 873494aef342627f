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
	// Begin returns a function that begins a run in all processes; program is the text of what runs.
	// The function is called with follows set if the run before has not ended: that one ends then.
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
