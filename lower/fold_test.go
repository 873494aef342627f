package lower_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// The first power and the square have the bits of pow, and pow those of x·x.
func TestKnownPower(t *testing.T) {
	for _, dt := range []core.DType{core.Float16, core.BFloat16, core.Float32, core.Float64} {
		j, err := jaxpr.Parse(strings.ReplaceAll(`{ lambda ; a:f[4096]. let y:f[] = sub 2.0:f[] 1.0:f[]
			b:f[4096] = pow a y
			c:f[4096] = pow a 1.0:f[]
			d:f[4096] = pow a 2.0:f[]
			e:f[4096] = pow a 2:i32[]
			in (b, c, d, e) }`, "f[", dt.String()+"["), prim.Vocabulary)
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
		square, err := jaxpr.Parse(strings.ReplaceAll("{ lambda ; a:f[4096]. let b:f[4096] = mul a a in (b,) }", "f[", dt.String()+"["), prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := run(j)[2*len(x.Data):], run(square); !bytes.Equal(got[:len(x.Data)], want) || !bytes.Equal(got[len(x.Data):], want) {
			t.Errorf("%v: squares have other bits than x·x", dt)
		}
	}
}
