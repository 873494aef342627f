package runtime_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// A closedContext has a closed channel and no error: what looks at the channel while it runs
// stops, and nothing fails.
type closedContext struct{ context.Context }

// Done returns a closed channel.
func (closedContext) Done() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// Err returns nil.
func (closedContext) Err() error { return nil }

// An equation that the reference executor runs for another one looks at the context while it
// runs, in new memory and in memory of the caller.
func TestStepStops(t *testing.T) {
	typ := core.Aval(core.Float32, 200, 200)
	j := trace.Stage("f", []core.ShapedArray{typ}, func(in []core.Value) []core.Value {
		return []core.Value{prim.MatMul(in[0], in[0])}
	})
	x := runtime.New(typ)
	for i := range x.Tensor().Data {
		x.Tensor().Data[i] = byte(0x3c + i%2) // numbers near 0.01
	}
	s, err := (&runtime.Request{Jaxpr: j}).Step(j.Eqns[0])
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, own bool) []byte {
		outs := []*runtime.Array{nil}
		if own {
			outs[0] = runtime.New(typ)
		}
		if err := s.Run(ctx, []*runtime.Array{x, x}, outs); err != nil {
			t.Fatal(err)
		}
		return outs[0].Tensor().Data
	}
	for _, own := range []bool{false, true} {
		whole := bytes.Clone(run(t.Context(), own))
		if part := run(closedContext{t.Context()}, own); bytes.Equal(part, whole) {
			t.Errorf("memory of the caller %t: the whole product was computed under a context that has ended", own)
		}
	}
}
