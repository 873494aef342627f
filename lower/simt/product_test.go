package simt_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/lower/scalar"
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
		return scalar.Apply(scalar.Inst{Op: o, Type: p.Type}, p.Type, x, y, z)
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

// Products have the bits of their definition, for sizes around the tile's, either layout
// of each operand, and batches.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	types := []scalar.Type{scalar.F32, scalar.F64, scalar.I32}
	for n := range 24 {
		pick := func() int { return []int{1, 2, 7, 15, 16, 17, 31, 33, 63, 64, 65, 70}[r.IntN(12)] }
		p := &simt.Product{Name: "p", Type: types[n%3], Chunk: 128, M: pick(), N: pick(), K: pick()}
		if n%5 == 0 {
			p.K = 120 + r.IntN(170)
		}
		p.A = simt.Operand{Offset: r.IntN(3), Outer: p.K, K: 1}
		if n&1 != 0 {
			p.A.Outer, p.A.K = 1, p.M
		}
		p.B = simt.Operand{Offset: r.IntN(3), Outer: 1, K: p.N}
		if n&2 != 0 {
			p.B.Outer, p.B.K = p.K, 1
		}
		batch := 1
		if n%4 == 0 {
			p.Batch = []simt.BatchAxis{{N: 2, A: p.M * p.K, B: 0}, {N: 3, A: 0, B: p.N * p.K}}
			batch = 6
		}
		p.Lens = [3]int64{int64(p.A.Offset + 2*p.M*p.K), int64(p.B.Offset + 3*p.N*p.K), int64(batch * p.M * p.N)}
		mem := make([][]byte, 3)
		for i, n := range p.Lens {
			mem[i] = make([]byte, int(n)*p.Type.Size())
			if i < 2 {
				fill(r, p.Type, mem[i])
			}
		}
		want := bytes.Clone(mem[2])
		multiply(p, mem[0], mem[1], want)
		f := simt.LowerProduct(p)
		if err := f.Run(nil, mem, 1+n%3); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if !bytes.Equal(mem[2], want) {
			t.Fatalf("%+v differs", p)
		}
	}
}
