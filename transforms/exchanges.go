package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms/exchange"
)

// Sendings lists, in order, the exchanges of a program over a mesh, as this process would run it on
// whole operands. The first one, without a kind, is the beginning of the run. If the process runs
// all devices there are none.
func Sendings(p *jaxpr.ShardMap, in []core.ShapedArray) []exchange.Sending {
	h := hereFor(p)
	if !h.several() {
		return nil
	}
	j := trace.Stage(p.Name(), in, func(in []Value) []Value { return h.stacked(p, in) })
	processes := 1
	for _, part := range h.parts {
		if part != nil {
			processes *= len(part.Group)
		}
	}
	begin := exchange.Sending{Rows: core.Aval(core.Uint8, exchange.HeaderBytes), Bytes: (processes - 1) * exchange.HeaderBytes, Times: 1}
	return append([]exchange.Sending{begin}, exchange.Sendings(exchange.Together(j))...)
}
