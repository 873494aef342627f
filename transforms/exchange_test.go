package transforms_test

import (
	"context"
	"errors"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
	"github.com/weft-go/weft/transforms/exchange"
)

// What a program has started and not waited for is forgotten when the job, or the places, end.
func TestForgetsExchanges(t *testing.T) {
	const n = 1 << 14 // small exchanges are put off until they can be combined
	x := prim.Zeros(core.Aval(core.Float32, 1, n))
	start := func(_ context.Context, _ exchange.Exchange, x core.Value, a core.ShapedArray) func() core.Value {
		return func() core.Value { return prim.Zeros(a) }
	}
	j := exchange.Overlap(trace.Stage("f", []core.ShapedArray{x.Aval()}, func(in []core.Value) []core.Value {
		e := exchange.Exchange{Kind: exchange.Gathering, Axis: "data", Group: []int{0, 1}}
		return []core.Value{exchange.Rows(start, e, 2, in[0]), prim.Sin(in[0])}
	}))
	if len(j.Eqns) != 3 {
		t.Fatalf("got %d operations, want the start, sin and the wait:\n%v", len(j.Eqns), j)
	}
	for what, end := range map[string]func(){"neither": func() {}, "places": func() { transforms.SetPlaces(nil) }, "job": func() { transforms.SetParts(nil, nil) }} {
		started := core.Bind1(j.Eqns[0].Prim, x)
		end()
		err := core.Catch(func() {
			if got := core.Bind1(j.Eqns[2].Prim, started).Aval(); got != core.Aval(core.Float32, 2, n) {
				t.Errorf("got %v, want two rows", got)
			}
		})
		if what == "neither" && err != nil || what != "neither" && !errors.Is(err, core.ErrDevice) {
			t.Errorf("%s: got error %v", what, err)
		}
	}
}
