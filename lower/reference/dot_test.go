package reference

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
)

// bigFMA32 returns x·y + z rounded once, by exact arithmetic.
func bigFMA32(x, y, z float32) float32 {
	f := float64(x)*float64(y) + float64(z)
	if f != f || math.IsInf(f, 0) {
		return float32(f)
	}
	exact := new(big.Float).SetPrec(800).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
	exact.Add(exact, big.NewFloat(float64(z)))
	if exact.Sign() == 0 {
		return float32(f) // the sign of an exact zero is IEEE's
	}
	r, _ := exact.Float32()
	return r
}

// slowDot returns Σ a·b in chunks of 128, each one chain of fused multiply-adds from +0,
// added to +0 from left to right. Elements whose there is false are left out
// of the chain.
func slowDot(dt core.DType, a, b []float64, there []bool) float64 {
	single := dt != core.Float64
	total := 0.0
	for lo := 0; lo < len(a); lo += 128 {
		chain := 0.0
		for i := lo; i < min(lo+128, len(a)); i++ {
			switch {
			case there != nil && !there[i]:
			case single:
				chain = float64(bigFMA32(float32(a[i]), float32(b[i]), float32(chain)))
			default:
				chain = math.FMA(a[i], b[i], chain)
			}
		}
		if single {
			total = float64(float32(total) + float32(chain))
		} else {
			total += chain
		}
	}
	return total + 0
}

// shuffled returns x with its axes in random order, and where each axis went.
func shuffled(r *rand.Rand, x *block.Tensor) (*block.Tensor, []int) {
	perm := r.Perm(x.Rank())
	inv := make([]int, len(perm))
	for i, a := range perm {
		inv[a] = i
	}
	d := core.MakeDims(perm...)
	y := block.NewTensor(x.WithShape(d.Map(x.Shape.At)))
	transpose(y, x, d)
	return y, inv
}

func TestDotOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range [][]int{{}, {0}, {1}, {2}, {5}, {127}, {128}, {129}, {255}, {256}, {257}, {511}, {512}, {513}, {640}, {1025}, {3, 43}, {2, 64}, {2, 3, 50}, {1, 7, 1}} {
		for range 4 {
			dt := []core.DType{core.Float32, core.Float64, core.BFloat16, core.Float16}[r.IntN(4)]
			m, n, batch := r.IntN(4), 1+r.IntN(6), 1+r.IntN(2)
			size := 1
			for _, n := range k {
				size *= n
			}
			a := block.NewTensor(core.Aval(dt, append([]int{batch, m}, k...)...))
			b := block.NewTensor(core.Aval(dt, append([]int{batch, n}, k...)...))
			draw(r, a, r.IntN(5) == 0)
			draw(r, b, r.IntN(5) == 0)
			fa, _ := floatsOf(a)
			fb, _ := floatsOf(b)
			pa, ia := shuffled(r, a)
			pb, ib := shuffled(r, b)
			p := prim.DotGeneralP{LhsBatch: core.MakeDims(ia[0]), RhsBatch: core.MakeDims(ib[0]), LhsContract: core.MakeDims(ia[2:]...), RhsContract: core.MakeDims(ib[2:]...)}
			if dt != core.Float64 && r.IntN(2) == 0 {
				p.Preferred = core.Float32
			}
			got := apply(t, p, pa, pb)[0]
			want := block.NewTensor(got.ShapedArray)
			f := make([]float64, 0, want.Size())
			for g := range batch {
				for i := range m {
					for j := range n {
						x, y := (g*m+i)*size, (g*n+j)*size
						f = append(f, slowDot(dt, fa[x:x+size], fb[y:y+size], nil))
					}
				}
			}
			setFloats(want, f)
			if !sameBits(got, want) {
				t.Errorf("%v · %v, %+v: got %x, want %x", pa, pb, p, head(got), head(want))
			}
		}
	}
}

// TestDotInBatch: a dot in a matrix product, in a batch, or alone has the same bits.
func TestDotInBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	d := core.MakeDims
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Complex64, core.BFloat16} {
		for _, k := range []int{3, 130, 600} {
			a, b := block.NewTensor(core.Aval(dt, 5, k)), block.NewTensor(core.Aval(dt, 7, k))
			draw(r, a, false)
			draw(r, b, false)
			all := apply(t, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1)}, a, b)[0]
			size := dt.Size()
			for i := range 5 {
				for j := range 7 {
					one := apply(t, prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, vector(a, i*k, k), vector(b, j*k, k))[0]
					if at := (i*7 + j) * size; string(one.Data) != string(all.Data[at:at+size]) {
						t.Fatalf("%v of %d: element %d, %d differs", dt, k, i, j)
					}
				}
			}
			again := apply(t, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1), LhsBatch: d(0), RhsBatch: d(0)}, a, &block.Tensor{ShapedArray: core.Aval(dt, 5, k), Data: b.Data[:5*k*size]})[0]
			for i := range 5 {
				if string(again.Data[i*size:(i+1)*size]) != string(all.Data[i*8*size:(i*8+1)*size]) {
					t.Fatalf("%v of %d: example %d differs", dt, k, i)
				}
			}
		}
	}
}

// TestComplexDot writes a complex dot out.
func TestComplexDot(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, k := range []int{1, 2, 127, 128, 129, 300} {
		a, b := block.NewTensor(core.Aval(core.Complex128, k)), block.NewTensor(core.Aval(core.Complex128, k))
		draw(r, a, false)
		draw(r, b, false)
		x, y := block.View[complex128](a), block.View[complex128](b)
		var tr, ti float64
		for lo := 0; lo < k; lo += 128 {
			var re, im float64
			for i := lo; i < min(lo+128, k); i++ {
				re = math.FMA(real(x[i]), real(y[i]), re)
				re = math.FMA(-imag(x[i]), imag(y[i]), re)
				im = math.FMA(real(x[i]), imag(y[i]), im)
				im = math.FMA(imag(x[i]), real(y[i]), im)
			}
			tr, ti = tr+re, ti+im
		}
		d := core.MakeDims(0)
		if got := block.View[complex128](apply(t, prim.DotGeneralP{LhsContract: d, RhsContract: d}, a, b)[0])[0]; got != complex(tr, ti) {
			t.Errorf("%d: got %v, want %v", k, got, complex(tr, ti))
		}
	}
}

// convCase returns a random convolution of spatial axes.
func convCase(r *rand.Rand) (p windows.ConvP, x, w core.Dims) {
	n := r.IntN(4)
	p.FeatureGroups, p.BatchGroups = 1, 1
	switch r.IntN(4) {
	case 0:
		p.FeatureGroups = 1 + r.IntN(3)
	case 1:
		p.BatchGroups = 1 + r.IntN(3)
	}
	channels := 1 + r.IntN(3)
	if n == 1 {
		channels = []int{1, 3, 50}[r.IntN(3)]
	}
	xs := []int{p.BatchGroups * (1 + r.IntN(2)), channels * p.FeatureGroups}
	ws := []int{p.FeatureGroups * p.BatchGroups * (1 + r.IntN(6)), channels}
	var strides, padding, ld, rd []int
	for range n {
		xs = append(xs, 1+r.IntN(7))
		ws = append(ws, 1+r.IntN(4))
		strides = append(strides, 1+r.IntN(3))
		padding = append(padding, r.IntN(5)-1, r.IntN(5)-1)
		ld = append(ld, max(1, r.IntN(4)-1))
		rd = append(rd, max(1, r.IntN(4)-1))
	}
	p.Strides, p.Padding, p.LhsDilation, p.RhsDilation = core.MakeDims(strides...), core.MakeDims(padding...), core.MakeDims(ld...), core.MakeDims(rd...)
	laid := func(sizes []int) (spec, shape core.Dims) {
		perm := r.Perm(n + 2)
		s := make([]int, n+2)
		for i, a := range perm {
			s[a] = sizes[i]
		}
		return core.MakeDims(perm...), core.MakeDims(s...)
	}
	p.LhsSpec, x = laid(xs)
	p.RhsSpec, w = laid(ws)
	p.OutSpec = core.MakeDims(r.Perm(n + 2)...)
	return p, x, w
}

func TestConvOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	filled := 0
	for range 400 {
		p, xs, ws := convCase(r)
		dt := []core.DType{core.Float32, core.Float64, core.BFloat16}[r.IntN(3)]
		x, w := block.NewTensor(core.ShapedArray{Shape: xs, DType: dt}), block.NewTensor(core.ShapedArray{Shape: ws, DType: dt})
		draw(r, x, r.IntN(5) == 0)
		draw(r, w, r.IntN(3) == 0)
		got := apply(t, p, x, w)[0]
		want := slowConv(p, x, w, got.ShapedArray)
		if got.Size() > 0 {
			filled++
		}
		if !sameBits(got, want) {
			t.Errorf("%v * %v, %+v:\n got %x\nwant %x", x, w, p, got.Data, want.Data)
		}
	}
	if filled < 200 {
		t.Errorf("only %d of 400 cases have results", filled)
	}
}

func slowConv(p windows.ConvP, x, w *block.Tensor, out core.ShapedArray) *block.Tensor {
	y := block.NewTensor(out)
	fx, _ := floatsOf(x)
	fw, _ := floatsOf(w)
	sx, sw := block.RowMajor(nil, x.Shape), block.RowMajor(nil, w.Shape)
	f := make([]float64, y.Size())
	n := p.Strides.Len()
	kernel := make([]int, n)
	for i := range kernel {
		kernel[i] = w.Shape.At(p.RhsSpec.At(i + 2))
	}
	taps := core.MakeDims(kernel...)
	channels := w.Shape.At(p.RhsSpec.At(1))
	perGroup := w.Shape.At(p.RhsSpec.At(0)) / (p.FeatureGroups * p.BatchGroups)
	batch := out.Shape.At(p.OutSpec.At(0))
	for at := range f {
		idx := unravel(at, out.Shape)
		b, o := idx[p.OutSpec.At(0)], idx[p.OutSpec.At(1)]
		group := o / perGroup
		var row, ker []float64
		var there []bool
		for k := range taps.Size() {
			tap := unravel(k, taps)
			inside, from, wat := true, 0, o*sw[p.RhsSpec.At(0)]
			for i, tp := range tap {
				pos := idx[p.OutSpec.At(i+2)]*p.Strides.At(i) + tp*p.RhsDilation.At(i) - p.Padding.At(2*i)
				ld, size := p.LhsDilation.At(i), x.Shape.At(p.LhsSpec.At(i+2))
				if pos < 0 || pos%ld != 0 || pos/ld >= size {
					inside = false
				} else {
					from += pos / ld * sx[p.LhsSpec.At(i+2)]
				}
				wat += tp * sw[p.RhsSpec.At(i+2)]
			}
			bb, ch := b, 0
			if p.FeatureGroups > 1 {
				ch = group * channels
			} else if p.BatchGroups > 1 {
				bb += group * batch
			}
			for c := range channels {
				v := 0.0
				if inside {
					v = fx[from+bb*sx[p.LhsSpec.At(0)]+(ch+c)*sx[p.LhsSpec.At(1)]]
				}
				row, ker, there = append(row, v), append(ker, fw[wat+c*sw[p.RhsSpec.At(1)]]), append(there, inside)
			}
		}
		f[at] = slowDot(x.DType, row, ker, there)
	}
	setFloats(y, f)
	return y
}

// TestDotTiles: tiles have the bits of the loops in Go, regardless of the sizes and where
// the contracted axes lie.
func TestDotTiles(t *testing.T) {
	if product.Tiles32 == nil {
		t.Skip("this machine has no tiles")
	}
	r := rand.New(rand.NewPCG(9, 9))
	d := core.MakeDims
	keep32, keep64 := product.Tiles32, product.Tiles64
	defer func() { product.Tiles32, product.Tiles64 = keep32, keep64 }()
	for range 600 {
		dt := []core.DType{core.Float32, core.Float64, core.Float16}[r.IntN(3)]
		m, n, k, batch := r.IntN(10), max(1, r.IntN(50)-9), []int{0, 1, 3, 4, 17, 127, 128, 129, 256, 300}[r.IntN(10)], 1+r.IntN(2)
		if r.IntN(3) == 0 { // chains
			m, n, k = 1+r.IntN(20), 1, []int{k, 31, 32, 1023, 1024, 1025, 2079, 2080}[r.IntN(8)]
			if r.IntN(2) == 0 {
				m, n = n, m
			}
		}
		p := prim.DotGeneralP{LhsBatch: d(0), RhsBatch: d(0), LhsContract: d(2), RhsContract: d(2)}
		a, b := block.NewTensor(core.Aval(dt, batch, m, k)), block.NewTensor(core.Aval(dt, batch, n, k))
		if r.IntN(2) == 0 {
			p.RhsContract, b = d(1), block.NewTensor(core.Aval(dt, batch, k, n))
		}
		draw(r, a, r.IntN(4) == 0)
		draw(r, b, r.IntN(4) == 0)
		product.Tiles32, product.Tiles64 = keep32, keep64
		got := apply(t, p, a, b)[0]
		product.Tiles32, product.Tiles64 = nil, nil
		if want := apply(t, p, a, b)[0]; string(got.Data) != string(want.Data) {
			t.Errorf("%v, %d × %d × %d, %+v differ", dt, m, k, n, p)
		}
	}
}

// TestConvTiles is TestDotTiles for convolutions.
func TestConvTiles(t *testing.T) {
	if product.Tiles32 == nil {
		t.Skip("this machine has no tiles")
	}
	r := rand.New(rand.NewPCG(10, 9))
	keep32, keep64 := product.Tiles32, product.Tiles64
	defer func() { product.Tiles32, product.Tiles64 = keep32, keep64 }()
	for range 200 {
		p, xs, ws := convCase(r)
		dt := []core.DType{core.Float32, core.Float64, core.BFloat16}[r.IntN(3)]
		x, w := block.NewTensor(core.ShapedArray{Shape: xs, DType: dt}), block.NewTensor(core.ShapedArray{Shape: ws, DType: dt})
		draw(r, x, r.IntN(5) == 0)
		draw(r, w, r.IntN(3) == 0)
		product.Tiles32, product.Tiles64 = keep32, keep64
		got := apply(t, p, x, w)[0]
		product.Tiles32, product.Tiles64 = nil, nil
		if want := apply(t, p, x, w)[0]; string(got.Data) != string(want.Data) {
			t.Errorf("%v * %v, %+v differ", x, w, p)
		}
	}
}
