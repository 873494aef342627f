package runtime

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/transforms"
)

// random returns an array of the given type, of numbers whose sums round.
func random(r *rand.Rand, a core.ShapedArray) *Array {
	x := New(a)
	for i := range a.Size() {
		v := math.Ldexp(r.Float64()-0.5, r.IntN(12)-6)
		n := core.FloatNumber(v)
		switch {
		case a.DType.IsComplex():
			n = core.ComplexNumber(complex(v, math.Ldexp(r.Float64()-0.5, r.IntN(12)-6)))
		case !a.DType.IsInexact():
			n = core.IntNumber(int64(v * 64))
		}
		elem.Put(x.t.Data[i*a.DType.Size():], n, a.DType)
	}
	return x
}

// definite makes the matrices of x positive definite: symmetric, with a large diagonal.
func definite(x *Array) *Array {
	n := x.t.Shape.At(-1)
	w := x.t.DType.Size()
	for at := 0; at < x.t.Size(); at += n * n {
		for i := range n {
			elem.Put(x.t.Data[(at+i*n+i)*w:], core.FloatNumber(float64(100+i)), x.t.DType)
			for k := range i {
				copy(x.t.Data[(at+i*n+k)*w:][:w], x.t.Data[(at+k*n+i)*w:][:w])
			}
		}
	}
	return x
}

// A batch of sums, products, convolutions and factorizations is a loop of them, to the
// bit, at every boundary of the orders in which they add: chunks of 128 and 256, lanes
// of 256 bytes, blocks of 4096.
func TestBatchIsLoop(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	d := core.MakeDims
	type one struct {
		p     core.Primitive
		dims  [][]int
		solid int // the operand that must be a positive definite matrix, or −1
	}
	var cases []one
	add := func(p core.Primitive, dims ...[]int) { cases = append(cases, one{p, dims, -1}) }
	for _, k := range []int{1, 2, 127, 128, 129, 255, 256, 257, 384, 511, 512, 513} {
		add(prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, []int{k}, []int{k})
		add(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, []int{3, k}, []int{k})
		add(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, []int{5, k}, []int{k, 18})
		add(prim.DotGeneralP{LhsContract: d(0), RhsContract: d(1)}, []int{k, 2}, []int{7, k})
		add(prim.CumsumP{}, []int{k, 2})
		add(prim.CumsumP{Cumulation: prim.Cumulation{Reverse: true}}, []int{k})
		add(prim.CumprodP{}, []int{k})
		add(prim.ReduceSumP{Axes: d(0)}, []int{k, 3})
		add(prim.ReduceProdP{Axes: d(0)}, []int{k, 2})
	}
	for _, n := range []int{15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 8193} {
		add(prim.ReduceSumP{Axes: d(0)}, []int{n})
		add(prim.ReduceSumP{Axes: d(1)}, []int{2, n})
		add(prim.ReduceProdP{Axes: d(0)}, []int{n})
	}
	add(prim.ReduceSumP{Axes: d(0, 1)}, []int{3, 257})
	add(prim.ReduceSumP{Axes: d(0, 2)}, []int{258, 2, 66})
	conv := windows.ConvP{Strides: d(1, 2), Padding: d(1, 1, 0, 2), LhsDilation: d(1, 1), RhsDilation: d(1, 2), LhsSpec: d(0, 1, 2, 3),
		RhsSpec: d(0, 1, 2, 3), OutSpec: d(0, 1, 2, 3), FeatureGroups: 1, BatchGroups: 1}
	for _, c := range []int{1, 14, 15, 16, 43} { // 9 positions: 126 elements of the window, 135, …
		add(conv, []int{2, c, 5, 6}, []int{4, c, 3, 3})
	}
	add(windows.ReduceWindowSumP{Window: windows.SimpleWindow(d(3, 3), d(1, 2), d(1, 1, 0, 1))}, []int{6, 7})
	for _, n := range []int{1, 2, 5, 16, 33} {
		cases = append(cases, one{matrices.CholeskyP{}, [][]int{{n, n}}, 0},
			one{matrices.TriangularSolveP{LeftSide: true, Lower: true}, [][]int{{n, n}, {n, 3}}, 0},
			one{matrices.TriangularSolveP{TransposeA: true}, [][]int{{n, n}, {2, n}}, 0})
	}
	for _, c := range cases {
		for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Complex64} {
			n := 1 + r.IntN(5)
			mapped := make([]bool, len(c.dims))
			mapped[r.IntN(len(mapped))] = true
			for i := range mapped {
				mapped[i] = mapped[i] || r.IntN(2) == 0
			}
			args := make([]core.Value, len(c.dims))
			for i, dims := range c.dims {
				if mapped[i] {
					dims = append([]int{n}, dims...)
				}
				x := random(r, core.Aval(dt, dims...))
				if i == c.solid {
					definite(x)
				}
				args[i] = x
			}
			name := fmt.Sprintf("%s %+v of %v %v, mapped %v", c.p.Name(), c.p, dt, c.dims, mapped)
			var types []core.ShapedArray
			if core.Catch(func() {
				in := make([]core.ShapedArray, len(args))
				for i, dims := range c.dims {
					in[i] = core.Aval(dt, dims...)
				}
				types = core.AbstractOf(c.p, in)
			}) != nil {
				if dt != core.BFloat16 { // factorizations have 32 bits and more
					t.Fatalf("%s is refused", name)
				}
				continue
			}
			bind := func(in []core.Value) []core.Value { return core.Bind(c.p, in...) }
			outs, outMapped := transforms.Vmap(n, "", bind, args, mapped)
			if !outMapped[0] {
				t.Fatalf("%s: the result does not vary", name)
			}
			all := outs[0].(*Array).here("test")
			size := types[0].Size() * dt.Size()
			for b := range n {
				in := make([]core.Value, len(args))
				for i, v := range args {
					a := v.(*Array)
					in[i] = a
					if mapped[i] {
						x := New(core.Aval(dt, c.dims[i]...))
						copy(x.t.Data, a.t.Data[b*len(x.t.Data):])
						in[i] = x
					}
				}
				if got := bind(in)[0].(*Array); string(got.here("test").t.Data) != string(all.t.Data[b*size:(b+1)*size]) {
					t.Errorf("%s: element %d of %d differs", name, b, n)
					break
				}
			}
		}
	}
}
