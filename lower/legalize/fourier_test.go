package legalize_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/lower/reference"
)

// Transforms have the reference's bits: of every kind and type, of lengths with small and large factors
// and without, along one axis and several.
func TestFourier(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	lengths := [][]int{{1}, {2}, {3}, {4}, {5}, {8}, {12}, {15}, {16}, {49}, {61}, {64}, {67}, {90}, {134}, {2, 3}, {4, 6}, {3, 5, 4}, {67, 2}, {1, 7}, {7, 1}, {4, 8}, {2, 1, 16}, {4096}, {2048, 3}}
	for _, lens := range lengths {
		for kind := prim.FFTForward; kind <= prim.FFTRealInverse; kind++ {
			for _, wide := range []bool{false, true} {
				p := prim.FFTP{Kind: kind, Lengths: core.MakeDims(lens...)}
				dt := core.Complex64
				if wide {
					dt = core.Complex128
				}
				shape := append([]int{2}, lens...)
				switch kind {
				case prim.FFTReal:
					dt = dt.Real()
				case prim.FFTRealInverse:
					shape[len(shape)-1] = lens[len(lens)-1]/2 + 1
				}
				in := core.Aval(dt, shape...)
				out := p.Abstract([]core.ShapedArray{in})[0]
				x, want := reference.NewTensor(in), reference.NewTensor(out)
				fill(r, x)
				run, _ := reference.Lookup(p)
				run(p, []*reference.Tensor{x}, []*reference.Tensor{want})
				if got := transform(t, legalize.Fourier(p, in, out), x.Data, len(want.Data)); !bytes.Equal(got, want.Data) {
					t.Errorf("kind %d of %v, %v: got %x, want %x", kind, lens, dt, got, want.Data)
				}
			}
		}
	}
}

// fill writes random numbers and, now and then, zeros of both signs and what is not finite.
func fill(r *rand.Rand, x *reference.Tensor) {
	specials := r.IntN(4) == 0
	number := func() float64 {
		if specials && r.IntN(8) == 0 {
			return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}[r.IntN(5)]
		}
		return r.NormFloat64()
	}
	switch x.DType {
	case core.Float32, core.Complex64:
		y := reference.Tensor{ShapedArray: core.Aval(core.Float32, len(x.Data)/4), Data: x.Data}
		for i := range reference.View[float32](&y) {
			reference.View[float32](&y)[i] = float32(number())
		}
	default:
		y := reference.Tensor{ShapedArray: core.Aval(core.Float64, len(x.Data)/8), Data: x.Data}
		for i := range reference.View[float64](&y) {
			reference.View[float64](&y)[i] = number()
		}
	}
}

// transform runs the passes of a transform.
func transform(t *testing.T, f *legalize.Transform, x []byte, size int) []byte {
	memory := [][]byte{make([]byte, f.Scratch), make([]byte, f.Scratch), x, make([]byte, size), nil, nil}
	for _, table := range f.Tables {
		memory = append(memory, table.Data)
	}
	for _, p := range f.Passes {
		for _, q := range p.Parts {
			var buffers [][]byte
			for i, m := range q.Memory {
				b := q.Kernel.Buffers[i]
				n := b.Len.Value * int64(b.Type.Size())
				if len(memory[m]) < int(n) && p.Local > 0 {
					memory[m] = make([]byte, n)
				}
				buffers = append(buffers, memory[m][:n])
			}
			if err := q.Kernel.Check(); err != nil {
				t.Fatal(err)
			}
			if err := ireval.Run(q.Kernel, nil, buffers); err != nil {
				t.Fatal(err)
			}
		}
	}
	return memory[legalize.FourierResult]
}
