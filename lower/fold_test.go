package lower_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// The first power has the bits of pow.
func TestFirstPower(t *testing.T) {
	for _, dt := range []core.DType{core.Float16, core.BFloat16, core.Float32, core.Float64} {
		j, err := jaxpr.Parse(fmt.Sprintf("{ lambda ; a:%v[4096]. let y:%v[] = sub 2.0:%v[] 1.0:%v[]\n b:%v[4096] = pow a y\n c:%v[4096] = pow a 1.0:%v[] in (b, c) }", dt, dt, dt, dt, dt, dt, dt), prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		q := lower.Program(j)
		for _, e := range q.Eqns {
			if _, ok := e.Prim.(prim.PowP); ok {
				t.Errorf("%v: the power is taken:\n%v", dt, q)
			}
		}
		x := reference.NewTensor(j.Ins[0].Type) // random bits: NaNs, infinities and subnormal numbers, too
		r := rand.New(rand.NewPCG(1, uint64(dt)))
		for i := range x.Data {
			x.Data[i] = byte(r.Uint32())
		}
		for i, v := range []uint64{0, 1 << 63, math.Float64bits(math.Inf(1)), math.Float64bits(math.NaN()), 1} {
			for k := range dt.Size() {
				x.Data[i*dt.Size()+k] = byte(v >> (64 - 8*dt.Size() + 8*k))
			}
		}
		run := func(j *jaxpr.Jaxpr) (out []byte) {
			for _, y := range jaxpr.Eval(j, nil, []core.Value{runtime.FromTensor(x)}) {
				out = append(out, y.(*runtime.Array).Tensor().Data...)
			}
			return out
		}
		if want, got := run(j), run(q); !bytes.Equal(got, want) {
			t.Errorf("%v: got other bits than those of pow", dt)
		}
	}
}
