package trace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// Carries that a body leaves alone become its constants, each in its place.
func TestWhileInvariantCarries(t *testing.T) {
	in := []core.ShapedArray{core.Aval(core.Int32), core.Aval(core.Float32, 3), core.Aval(core.Float64), core.Aval(core.Float32, 3)}
	j := trace.Stage("f", in, func(in []core.Value) []core.Value {
		captured := prim.Mul(in[1], in[1])
		return trace.While(
			func(c []core.Value) core.Value { return prim.Lt(c[0], core.Lit(core.IntNumber(5), core.Int32)) },
			func(c []core.Value) []core.Value {
				step := prim.Add(c[0], core.Lit(core.IntNumber(1), core.Int32))
				return []core.Value{step, c[1], c[2], prim.Add(c[3], prim.Mul(captured, c[1]))}
			}, in)
	})
	require.NoError(t, jaxpr.Check(j))
	w := j.Eqns[len(j.Eqns)-1].Prim.(*jaxpr.While)
	assert.Equal(t, 3, w.BodyConsts, "the captured value and two carries")
	body := w.Body.Eqns[len(w.Body.Eqns)-2]
	assert.Equal(t, []jaxpr.Atom{w.Body.Ins[0], w.Body.Ins[1]}, body.Ins)
}
