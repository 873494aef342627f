package simt_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// multiply is the definition of a product.
func multiply(p *simt.Product, a, b, c []byte) {
	size := p.Type.Size()
	get := func(m []byte, i int) uint64 {
		if size == 4 {
			return uint64(binary.NativeEndian.Uint32(m[4*i:]))
		}
		return binary.NativeEndian.Uint64(m[8*i:])
	}
	apply := func(o scalar.Op, x, y, z uint64) uint64 {
		return ireval.Apply(scalar.Inst{Op: o, Type: p.Type}, p.Type, x, y, z)
	}
	at := [][2]int{{p.A.Offset, p.B.Offset}}
	for _, x := range p.Batch {
		var next [][2]int
		for _, o := range at {
			for i := range x.N {
				next = append(next, [2]int{o[0] + i*x.A, o[1] + i*x.B})
			}
		}
		at = next
	}
	i := 0
	for _, o := range at {
		for m := range p.M {
			for n := range p.N {
				var total uint64
				for lo := 0; lo < p.K; lo += p.Chunk {
					var acc uint64
					for k := lo; k < min(lo+p.Chunk, p.K); k++ {
						x, y := get(a, o[0]+m*p.A.Outer+k*p.A.K), get(b, o[1]+n*p.B.Outer+k*p.B.K)
						if p.Type.IsFloat() {
							acc = apply(scalar.OpFMA, x, y, acc)
						} else {
							acc = apply(scalar.OpAdd, acc, apply(scalar.OpMul, x, y, 0), 0)
						}
					}
					total = apply(scalar.OpAdd, total, acc, 0)
				}
				if p.Type.IsFloat() {
					total = apply(scalar.OpCanon, total, 0, 0)
				}
				if size == 4 {
					binary.NativeEndian.PutUint32(c[4*i:], uint32(total))
				} else {
					binary.NativeEndian.PutUint64(c[8*i:], total)
				}
				i++
			}
		}
	}
}

// tilings are of every kind: vectors and single elements of either side, slices, deep stages.
var tilings = []schedule.Tiling{
	{Rows: 8, Cols: 8, Y: 8, X: 4, Slices: 1, Depth: 16, Stages: 2},
	{Rows: 4, Cols: 8, Y: 8, X: 8, Slices: 1, Depth: 32, Stages: 2},
	{Rows: 4, Cols: 4, Y: 2, X: 4, Slices: 4, Depth: 16, Stages: 2},
	{Rows: 1, Cols: 1, Y: 8, X: 1, Slices: 8, Depth: 32, Stages: 2},
	{Rows: 1, Cols: 4, Y: 2, X: 16, Slices: 1, Depth: 16, Stages: 4},
	{Rows: 2, Cols: 1, Y: 16, X: 2, Slices: 2, Depth: 16, Stages: 4},
	{Rows: 8, Cols: 2, Y: 1, X: 1, Slices: 1, Depth: 16, Stages: 2},
}

// Products have the bits of their definition, for sizes around the tile's, either layout
// of each operand, batches, and every kind of tiling.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	types := []scalar.Type{scalar.F32, scalar.F64, scalar.I32}
	for n := range 48 {
		pick := func() int { return []int{1, 2, 7, 15, 16, 20, 31, 33, 63, 64, 65, 72}[r.IntN(12)] }
		p := &simt.Product{Name: "p", Type: types[n%3], Chunk: 128, M: pick(), N: pick(), K: pick()}
		if n%5 == 0 {
			p.K = 120 + r.IntN(290)
			p.Chunk = 128 + 128*(n/5%2)
		}
		offset := 0
		if n%2 == 0 {
			offset = r.IntN(5)
		}
		p.A = simt.Operand{Offset: offset, Outer: p.K, K: 1}
		if r.IntN(2) == 0 {
			p.A.Outer, p.A.K = 1, p.M
		}
		p.B = simt.Operand{Offset: offset, Outer: 1, K: p.N}
		if r.IntN(2) == 0 {
			p.B.Outer, p.B.K = p.K, 1
		}
		batch := 1
		if n%4 == 0 {
			p.Batch = []simt.BatchAxis{{N: 2, A: p.M * p.K, B: 0}, {N: 3, A: 0, B: p.N * p.K}}
			batch = 6
		}
		p.Lens = [3]int64{int64(offset + 2*p.M*p.K), int64(offset + 3*p.N*p.K), int64(batch * p.M * p.N)}
		if n%3 != 2 {
			p.Tiling = tilings[n/3*2%len(tilings)]
		}
		mem := make([][]byte, 3)
		for i, n := range p.Lens {
			mem[i] = make([]byte, int(n)*p.Type.Size())
			if i < 2 {
				fill(r, p.Type, mem[i], false)
			}
		}
		want := bytes.Clone(mem[2])
		multiply(p, mem[0], mem[1], want)
		f := simt.LowerProduct(p)
		for i, f := range []*simt.Func{f, f.Unsized(), simt.UnsizedOn(schedule.Device{}, p.Kernel())} {
			clear(mem[2])
			if err := simteval.Run(f, f.Values, mem, 1+n%3); err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			if !bytes.Equal(mem[2], want) {
				t.Fatalf("%+v differs in form %d", p, i)
			}
		}
	}
}

// convolve is the definition of a convolution in f32.
func convolve(p *simt.Conv, a, b, c []byte) {
	get := func(m []byte, i int) float32 { return math.Float32frombits(binary.NativeEndian.Uint32(m[4*i:])) }
	rows, at := p.Batch, 0
	for _, x := range p.Axes {
		rows *= x.Out
	}
	for row := range rows {
		for o := range p.Outputs {
			each := p.Outputs / p.Groups
			var total, acc uint64
			positions := 1
			for _, x := range p.Axes {
				positions *= x.Size
			}
			for k := range positions * p.Channels {
				if k > 0 && k%p.Chunk == 0 {
					total, acc = ireval.Apply(scalar.Inst{Op: scalar.OpAdd, Type: scalar.F32}, scalar.F32, total, acc, 0), 0
				}
				image, position, place, step, inside := row, k/p.Channels, o/each*p.Channels+k%p.Channels, p.Features, true
				if p.BatchGroup {
					place = k % p.Channels
				}
				for d := len(p.Axes) - 1; d >= 0; d-- {
					x := p.Axes[d]
					i := image%x.Out*x.Stride + position%x.Size*x.Dilation - x.Low
					image, position = image/x.Out, position/x.Size
					inside = inside && i >= 0 && i%x.Gap == 0 && i/x.Gap < x.In
					place += i / x.Gap * step
					step *= x.In
				}
				if p.BatchGroup {
					image += o / each * p.Batch
				}
				if inside {
					x, y := math.Float32bits(get(a, place+image*step)), math.Float32bits(get(b, p.B.Offset+o*p.B.Outer+k*p.B.K))
					acc = ireval.Apply(scalar.Inst{Op: scalar.OpFMA, Type: scalar.F32}, scalar.F32, uint64(x), uint64(y), acc)
				}
			}
			total = ireval.Apply(scalar.Inst{Op: scalar.OpAdd, Type: scalar.F32}, scalar.F32, total, acc, 0)
			total = ireval.Apply(scalar.Inst{Op: scalar.OpCanon, Type: scalar.F32}, scalar.F32, total, 0, 0)
			binary.NativeEndian.PutUint32(c[4*at:], uint32(total))
			at++
		}
	}
}

// Convolutions have the bits of their definition: with padding beside infinities and
// NaNs of the kernel, strides, dilations, groups and every kind of tiling.
func TestConvolutions(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 48 {
		p := &simt.Conv{Name: "c", Type: scalar.F32, Chunk: 128, Batch: 1 + r.IntN(2), Groups: 1, BatchGroup: n%7 == 3}
		if n%4 == 1 {
			p.Groups = 2
		}
		p.Channels = []int{1, 3, 4, 16, 20}[r.IntN(5)]
		p.Features, p.Outputs = p.Channels*p.Groups, p.Groups*[]int{1, 5, 8, 20}[r.IntN(4)]
		images := p.Batch
		if p.BatchGroup {
			p.Features, images = p.Channels, p.Batch*p.Groups
		}
		size, positions := images, 1
		rows := p.Batch
		for range 1 + r.IntN(2) {
			x := simt.ConvAxis{In: 3 + r.IntN(6), Size: 1 + r.IntN(3), Stride: 1 + r.IntN(2), Low: r.IntN(3), Gap: 1, Dilation: 1 + r.IntN(2)}
			if n%3 == 2 {
				x.Gap = 2
			}
			reach := (x.In-1)*x.Gap + 1 + 2*x.Low - (x.Size-1)*x.Dilation
			if reach < 1 {
				x.Size, reach = 1, (x.In-1)*x.Gap+1+2*x.Low
			}
			x.Out = (reach-1)/x.Stride + 1
			p.Axes = append(p.Axes, x)
			size, rows, positions = size*x.In, rows*x.Out, positions*x.Size
		}
		k := positions * p.Channels
		p.B = simt.Operand{Outer: 1, K: p.Outputs}
		if r.IntN(2) == 0 {
			p.B = simt.Operand{Outer: k, K: 1}
		}
		p.Lens = [3]int64{int64(size * p.Features), int64(k * p.Outputs), int64(rows * p.Outputs)}
		if n%3 != 0 {
			p.Tiling = tilings[n%len(tilings)]
		}
		mem := make([][]byte, 3)
		for i, n := range p.Lens {
			mem[i] = make([]byte, 4*n)
			for j := range int(n) {
				x := float32(r.NormFloat64())
				if i == 1 && r.IntN(40) == 0 { // the operand itself is finite
					x = float32(math.Inf(1 - 2*r.IntN(2)))
				}
				if i == 1 && r.IntN(80) == 0 {
					x = float32(math.NaN())
				}
				binary.NativeEndian.PutUint32(mem[i][4*j:], math.Float32bits(x))
			}
		}
		want := bytes.Clone(mem[2])
		convolve(p, mem[0], mem[1], want)
		if err := simteval.Run(simt.LowerConv(p), nil, mem, 1+n%3); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if !bytes.Equal(mem[2], want) {
			t.Fatalf("%+v differs", p)
		}
	}
}
