package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// What follows is the canonical order once more, as slowly and as close to its
// sentences as can be: the loops must give the same bits.

// draw fills x with numbers of many magnitudes, signs and zeros, so that every
// order of addition has other bits; wild ones include infinities and NaN.
func draw(r *rand.Rand, x *block.Tensor, wild bool) {
	v := make([]float64, x.Size()*max(scalar.Components(x.DType), 1))
	for i := range v {
		v[i] = math.Ldexp(r.Float64()-0.5, r.IntN(12)-6)
		switch r.IntN(40) {
		case 0:
			v[i] = 0
		case 1:
			v[i] = math.Copysign(0, -1)
		case 2:
			if wild {
				v[i] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), 1e-44, -1e-320}[r.IntN(5)]
			}
		}
	}
	setFloats(x, v)
}

// setFloats stores numbers, rounded to the type of x; complex ones take two.
func setFloats(x *block.Tensor, v []float64) {
	switch x.DType {
	case core.Float64, core.Complex128:
		for i, f := range v {
			put64(x.Data[8*i:], f)
		}
	case core.Float32, core.Complex64:
		for i, f := range v {
			put32(x.Data[4*i:], float32(f))
		}
	default:
		if scalar.IsSmallFloat(x.DType) {
			f := make([]float32, len(v))
			for i := range v {
				f[i] = float32(v[i])
			}
			block.NarrowTo(x, 0, f)
			return
		}
		pos := make([]int, len(v))
		for i, f := range v {
			pos[i] = int(f * 50)
		}
		putPositions(x, 0, pos)
	}
}

func put32(b []byte, f float32) {
	t := block.NewTensor(core.Aval(core.Float32))
	block.View[float32](t)[0] = f
	copy(b, t.Data)
}

func put64(b []byte, f float64) {
	t := block.NewTensor(core.Aval(core.Float64))
	block.View[float64](t)[0] = f
	copy(b, t.Data)
}

// sumCases returns shapes and axes around every boundary of the order.
func sumCases() [][2]core.Dims {
	d := core.MakeDims
	var c [][2]core.Dims
	for _, n := range []int{1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 4096*3 + 65} {
		c = append(c, [2]core.Dims{d(n), d(0)}, [2]core.Dims{d(3, n), d(1)}, [2]core.Dims{d(n, 3), d(0)})
	}
	return append(c,
		[2]core.Dims{d(4096*257 + 3), d(0)}, [2]core.Dims{d(65537, 2), d(0)}, [2]core.Dims{d(2, 65535, 2), d(1)},
		[2]core.Dims{d(3, 4, 5), d(0, 2)}, [2]core.Dims{d(3, 4, 5), d(1, 0)}, [2]core.Dims{d(3, 4, 5), d(0, 1, 2)},
		[2]core.Dims{d(300, 2, 70), d(0, 2)}, [2]core.Dims{d(2, 300, 3, 70), d(1, 3)}, [2]core.Dims{d(2, 3, 2, 3, 2), d(0, 2, 4)},
		[2]core.Dims{d(2, 3, 2, 3, 2), d(1, 3)}, [2]core.Dims{d(5, 1, 7, 1), d(0, 1, 3)}, [2]core.Dims{d(5, 1, 7, 1), d(2)},
		[2]core.Dims{d(3, 1, 4), d(0, 2)}, [2]core.Dims{d(1, 1), d(0)}, [2]core.Dims{d(), d()}, [2]core.Dims{d(4), d()},
		[2]core.Dims{d(0), d(0)}, [2]core.Dims{d(0, 3), d(0)}, [2]core.Dims{d(3, 0), d(0)}, [2]core.Dims{d(3, 0), d(1)},
		[2]core.Dims{d(64, 65, 2, 66), d(0, 1, 3)})
}

func TestSumOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range sumCases() {
		for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Float16, core.Float8E4M3FN} {
			for _, order := range []prim.Order{prim.OrderImplied, prim.OrderLanes, prim.OrderChunks} {
				x := block.NewTensor(core.ShapedArray{Shape: c[0], DType: dt})
				if x.Size() > 1<<17 && (dt != core.Float32 || order != prim.OrderImplied) {
					continue
				}
				draw(r, x, r.IntN(4) == 0)
				sum, prod := prim.ReduceSumP{Axes: c[1], Order: order}, prim.ReduceProdP{Axes: c[1], Order: order}
				name := fmt.Sprint(x, c[1], order)
				checkReduce(t, name+" sum", apply(t, sum, x)[0], x, c[1], order, true)
				checkReduce(t, name+" prod", apply(t, prod, x)[0], x, c[1], order, false)
			}
		}
	}
}

func checkReduce(t *testing.T, name string, got, x *block.Tensor, axes core.Dims, order prim.Order, sum bool) {
	t.Helper()
	want := block.NewTensor(got.ShapedArray)
	if x.DType == core.Float64 {
		op := slowMul[float64]()
		if sum {
			op = slowAdd[float64]()
		}
		setFloats(want, slowReduce(op, block.View[float64](x), x.Shape, axes, order, 8))
	} else {
		op := slowMul[float32]()
		if sum {
			op = slowAdd[float32]()
		}
		v := make([]float32, x.Size())
		block.ToFloats(v, x)
		y := slowReduce(op, v, x.Shape, axes, order, 4)
		f := make([]float64, len(y))
		for i, v := range y {
			f[i] = float64(v)
		}
		setFloats(want, f)
	}
	if !sameBits(got, want) {
		t.Errorf("%s: got %x, want %x", name, head(got), head(want))
	}
}

func head(x *block.Tensor) []byte { return x.Data[:min(len(x.Data), 64)] }

// TestComplexSum: the parts of a complex sum are sums of parts whose lanes are twice
// as wide; products are written out.
func TestComplexSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 15, 16, 17, 31, 32, 33, 100, 4095, 4096, 4097, 9000} {
		for _, dt := range []core.DType{core.Complex64, core.Complex128} {
			x := block.NewTensor(core.Aval(dt, n))
			draw(r, x, false)
			v, _ := floatsOf(x)
			var re, im []float64
			for i := 0; i < len(v); i += 2 {
				re, im = append(re, v[i]), append(im, v[i+1])
			}
			want := block.NewTensor(core.Aval(dt))
			if dt == core.Complex64 {
				part := func(v []float64) float64 {
					var f []float32
					for _, x := range v {
						f = append(f, float32(x))
					}
					return float64(slowLanes(slowAdd[float32](), f, 8))
				}
				setFloats(want, []float64{part(re), part(im)})
			} else {
				setFloats(want, []float64{slowLanes(slowAdd[float64](), re, 16), slowLanes(slowAdd[float64](), im, 16)})
			}
			got := apply(t, prim.ReduceSumP{Axes: core.MakeDims(0)}, x)[0]
			if !sameBits(got, want) {
				t.Errorf("%v: got %x, want %x", x, got.Data, want.Data)
			}
		}
	}
}

// TestReduceInBatch: a reduction within a batch has the bits of a reduction alone,
// regardless of the batch and its place.
func TestReduceInBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, s := range [][]int{{7}, {300}, {5000}, {3, 70}, {300, 3}} {
		for _, axes := range [][]int{{0}, {0, 1}, {1}} {
			if axes[len(axes)-1] >= len(s) {
				continue
			}
			p := prim.ReduceSumP{Axes: core.MakeDims(axes...)}
			const batch = 3
			x := block.NewTensor(core.Aval(core.Float32, append([]int{batch}, s...)...))
			draw(r, x, false)
			all := apply(t, prim.ReduceSumP{Axes: p.Axes.Map(func(a int) int { return a + 1 }),
				Order: p.Order.Implied(core.MakeDims(s...), p.Axes)}, x)[0]
			for b := range batch {
				n := x.Size() / batch
				one := block.NewTensor(core.Aval(core.Float32, s...))
				copy(block.View[float32](one), block.View[float32](x)[b*n:])
				y := apply(t, p, one)[0]
				m := len(y.Data)
				if string(y.Data) != string(all.Data[b*m:(b+1)*m]) {
					t.Errorf("%v over %v: example %d differs", s, axes, b)
				}
			}
		}
	}
}

func TestReduceIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, dt := range []core.DType{core.Int2, core.Int4, core.Int8, core.Int16, core.Int32, core.Int64, core.Uint2, core.Uint4, core.Uint8, core.Uint16, core.Uint32, core.Uint64} {
		x := block.NewTensor(core.Aval(dt, 3, 301, 2))
		draw(r, x, false)
		for _, axes := range [][]int{{1}, {0, 2}, {0, 1, 2}} {
			d := core.MakeDims(axes...)
			for name, p := range map[string]core.Primitive{"sum": prim.ReduceSumP{Axes: d}, "prod": prim.ReduceProdP{Axes: d}, "max": prim.ReduceMaxP{Axes: d}, "min": prim.ReduceMinP{Axes: d}} {
				got := apply(t, p, x)[0]
				want := slowInts(name, x, d, got.ShapedArray)
				if string(got.Data) != string(want.Data) {
					t.Errorf("%s of %v over %v: got %x, want %x", name, x, axes, head(got), head(want))
				}
			}
		}
	}
}

// intAt returns element i of an integer array, of a 64-bit unsigned one its bits.
func intAt(x *block.Tensor, i int) int64 {
	n, _ := elem.Get(vector(x, i, 1).Data, x.DType)
	return n.Int64()
}

// unravel returns the index of row-major position i.
func unravel(i int, shape core.Dims) []int {
	idx := make([]int, shape.Len())
	for a := shape.Len() - 1; a >= 0; a-- {
		n := shape.At(a)
		idx[a], i = i%n, i/n
	}
	return idx
}
