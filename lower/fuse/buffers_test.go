package fuse_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Kernels of programs with many arrays have no more buffers than the parameters of a device's
// kernel have room for: 4096 bytes, 8 for each buffer.
func TestBuffersOfKernels(t *testing.T) {
	beside := func(x []weft.Array) []weft.Array {
		next := make([]weft.Array, len(x))
		for i := range x {
			next[i] = x[i].Add(x[(i+1)%len(x)])
		}
		return next
	}
	each := func(f func(x weft.Array) weft.Array) func(x []weft.Array) []weft.Array {
		return func(x []weft.Array) []weft.Array {
			y := make([]weft.Array, len(x))
			for i := range x {
				y[i] = f(x[i])
			}
			return y
		}
	}
	numbers := each(func(x weft.Array) weft.Array { return x.Index(1) })
	for name, f := range map[string]func(x []weft.Array) []weft.Array{
		"elementwise": each(func(x weft.Array) weft.Array { return x.Mul(2) }),
		"neighbours":  beside,
		"sums":        each(func(x weft.Array) weft.Array { return x.Sum() }),
		"one sum": func(x []weft.Array) []weft.Array {
			s := x[0]
			for _, y := range x[1:] {
				s = s.Add(y)
			}
			return []weft.Array{s}
		},
		"stack": func(x []weft.Array) []weft.Array { return []weft.Array{weft.Stack(1, x...)} },
		"for": func(x []weft.Array) []weft.Array {
			return weft.ForI(3, func(_ weft.Array, x []weft.Array) []weft.Array { return beside(x) }, numbers(x))
		},
		"while": func(x []weft.Array) []weft.Array {
			return weft.While(func(x []weft.Array) weft.Array { return x[0].Lt(9) }, beside, numbers(x))
		},
	} {
		var args []*reference.Tensor
		xs := make([]weft.Array, 700)
		for i := range xs {
			xs[i] = weft.Linspace(0, 1+i, 5)
			args = append(args, xs[i].Value().(*runtime.Array).Tensor())
		}
		j := trace(t, f, xs)
		p, few := compare(t, name, j, args), fuse.Translate(j, fuse.Target{Buffers: 62})
		want, err := run(p, args)
		if err != nil {
			t.Fatal(err)
		}
		same(t, name, j, few, args, want)
		for plan, most := range map[*fuse.Plan]int{p: 4096/8 - 1, few: 61} { // with a guard
			for _, k := range plan.Kernels() {
				if n := len(k.Buffers) + len(k.Symbols); n > most {
					t.Errorf("%s: kernel %s has %d buffers, want %d at most", name, k.Name, n, most)
				}
			}
		}
	}
}
