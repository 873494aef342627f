package transforms

import (
	"context"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms/exchange"
)

// Places run the devices of a mesh within one process: each place runs the devices that one of N
// processes would run.
type Places struct {
	N     int
	Parts func(place int, axes []jaxpr.MeshAxis) []*Part
	// Run runs the program of each place on its operands, all at once.
	Run func(ctx context.Context, programs []*jaxpr.Jaxpr, in [][]Value) (out [][]Value)
}

// SetPlaces sets the places of the process; nil for none. Programs that are lowered from then on run
// there.
func SetPlaces(p *Places) {
	job.places = p
	job.overlapped = exchange.Overlap
	job.batch, job.whole = (*vmap).batchPart, (*Part).whole
	job.distribute = here.distribute
	job.generation++
	exchange.Forget()
}

// distribute does what run does, on the places of the process: in one step on the host that takes
// and returns the rows of every place.
func (h here) distribute(p *jaxpr.ShardMap, in []Value) (outs []Value, mapped [][]bool) {
	places := job.places
	programs := make([]*jaxpr.Jaxpr, places.N)
	var parts []*Part
	var args []Value
	var results []core.ShapedArray
	for i := range programs {
		there := here{h.axes, places.Parts(i, h.axes)}
		parts = there.parts
		own := make([]Value, len(in))
		for k, v := range in {
			own[k] = there.local(v, p.In[k])
		}
		programs[i] = exchange.Overlap(trace.Stage(p.Name(), core.AvalsOf(own), func(in []Value) (outs []Value) {
			outs, mapped = there.runHere(p, in)
			return outs
		}))
		args, results = append(args, own...), append(results, programs[i].OutAvals()...)
	}
	f := &hostcall.HostFunc{Name: "run_on_places", Op: "ShardMap"}
	f.CallIn = func(ctx context.Context, in []Value) (outs []Value) {
		each := make([][]Value, places.N)
		for i := range each {
			each[i] = in[i*len(p.In) : (i+1)*len(p.In)]
		}
		for _, vs := range places.Run(ctx, programs, each) {
			outs = append(outs, vs...)
		}
		return outs
	}
	got := hostcall.IOCallback(f, results, true, args...)
	n := len(p.Out)
	for i := range n {
		rows := make([]Value, places.N)
		for k := range rows {
			rows[k] = got[k*n+i]
		}
		outs = append(outs, joinPlaces(parts, rows, mapped[i]))
	}
	return outs, mapped
}

// joinPlaces returns the rows of all places, which are numbered along the last axis first.
func joinPlaces(parts []*Part, rows []Value, mapped []bool) Value {
	front := count(mapped)
	for k := len(parts) - 1; k >= 0; k-- {
		if mapped[k] {
			front--
		}
		if parts[k] == nil {
			continue
		}
		n := len(parts[k].Group)
		var joined []Value
		for i := 0; i < len(rows); i += n {
			v := rows[i] // the same in all of them
			if mapped[k] {
				v = prim.Concatenate(front, rows[i:i+n]...)
			}
			joined = append(joined, v)
		}
		rows = joined
	}
	return rows[0]
}
