package fuse_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/scalar"
)

// multiply performs a product by its definition.
func multiply(s *fuse.Product, a, b, c []byte) { multiplyRows(s, a, b, c, 0, math.MaxInt) }

// multiplyRows computes rows first up to end, counted over all batches.
func multiplyRows(s *fuse.Product, a, b, c []byte, first, end int) {
	size := s.Type.Size()
	get := func(m []byte, i int) uint64 {
		if size == 4 {
			return uint64(binary.LittleEndian.Uint32(m[4*i:]))
		}
		return binary.LittleEndian.Uint64(m[8*i:])
	}
	batches := [][2]int{{s.A.Offset, s.B.Offset}}
	for _, x := range s.Batch {
		var next [][2]int
		for _, o := range batches {
			for i := range x.N {
				next = append(next, [2]int{o[0] + i*x.A, o[1] + i*x.B})
			}
		}
		batches = next
	}
	for at, o := range batches {
		for i := range s.M {
			if r := at*s.M + i; r < first || r >= end {
				continue
			}
			for j := range s.N {
				v := dotOf(s.Type, s.Chunk, s.K, func(k int) (uint64, uint64) {
					return get(a, o[0]+i*s.A.Outer+k*s.A.K), get(b, o[1]+j*s.B.Outer+k*s.B.K)
				})
				y := c[((at*s.M+i)*s.N+j)*size:]
				if size == 4 {
					binary.LittleEndian.PutUint32(y, uint32(v))
				} else {
					binary.LittleEndian.PutUint64(y, v)
				}
			}
		}
	}
}

// transposed performs a transposition.
func transposed(s *fuse.Transpose, src, dst []byte) {
	axes := append([]fuse.TransposeAxis{s.Rows, s.Cols}, s.Batch...)
	var walk func(d, from, to int)
	walk = func(d, from, to int) {
		if d == len(axes) {
			copy(dst[to*s.Size:(to+1)*s.Size], src[from*s.Size:])
			return
		}
		for i := range axes[d].N {
			walk(d+1, from+i*axes[d].In, to+i*axes[d].Out)
		}
	}
	walk(0, s.Offset, 0)
}

func dotOf(dt core.DType, chunk, k int, at func(int) (a, b uint64)) uint64 {
	switch dt {
	case core.Float32:
		var total float32
		for lo := 0; lo < k; lo += chunk {
			var s float32
			for i := lo; i < min(lo+chunk, k); i++ {
				a, b := at(i)
				s = scalar.FMA32(math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b)), s)
			}
			total += s
		}
		if total != total {
			return 0x7fc00000
		}
		return uint64(math.Float32bits(total))
	case core.Float64:
		var total float64
		for lo := 0; lo < k; lo += chunk {
			var s float64
			for i := lo; i < min(lo+chunk, k); i++ {
				a, b := at(i)
				s = math.FMA(math.Float64frombits(a), math.Float64frombits(b), s)
			}
			total += s
		}
		if total != total {
			return 0x7ff8000000000000
		}
		return math.Float64bits(total)
	}
	var total uint64
	for i := range k {
		a, b := at(i)
		total += a * b
	}
	return total
}

// randomDot returns a dot_general of random axes behind movements of its operands.
func randomDot(r *rand.Rand, dt core.DType, size func() int) *jaxpr.Jaxpr {
	nb, nk := r.IntN(3), r.IntN(3)
	var q prim.DotGeneralP
	b := jaxpr.NewBuilder()
	sizes := make([]int, nb+nk)
	for i := range sizes {
		sizes[i] = size()
	}
	var atoms [2]jaxpr.Atom
	for i := range 2 {
		all := append([]int(nil), sizes...)
		for range r.IntN(3) {
			all = append(all, size())
		}
		perm := r.Perm(len(all)) // axis i of the list is axis perm[i] of the operand
		shape := make([]int, len(all))
		for j, d := range perm {
			shape[d] = all[j]
		}
		batch, contract := core.MakeDims(perm[:nb]...), core.MakeDims(perm[nb:nb+nk]...)
		if i == 0 {
			q.LhsBatch, q.LhsContract = batch, contract
		} else {
			q.RhsBatch, q.RhsContract = batch, contract
		}
		atoms[i] = moved(r, b, core.Aval(dt, shape...))
	}
	return b.Build(b.Eqn(q, atoms[0], atoms[1])[0])
}

// moved returns an input of type t, or the result of a movement of an input.
func moved(r *rand.Rand, b *jaxpr.Builder, t core.ShapedArray) jaxpr.Atom {
	n := t.Rank()
	switch {
	case n > 1 && r.IntN(3) == 0:
		perm := core.MakeDims(r.Perm(n)...)
		from := make([]int, n)
		for i, d := range perm.All() {
			from[d] = t.Shape.At(i)
		}
		return b.Eqn(prim.TransposeP{Perm: perm}, moved(r, b, core.Aval(t.DType, from...)))[0]
	case n > 0 && r.IntN(6) == 0:
		var dims, shape []int
		for i, s := range t.Shape.All() {
			if r.IntN(2) == 0 {
				dims, shape = append(dims, i), append(shape, s)
			}
		}
		return b.Eqn(prim.BroadcastInDimP{Shape: t.Shape, Dims: core.MakeDims(dims...)}, b.Input(core.Aval(t.DType, shape...)))[0]
	case n > 0 && r.IntN(8) == 0:
		return b.Eqn(prim.NegP{}, b.Input(t))[0]
	case r.IntN(8) == 0:
		return b.Eqn(prim.SqueezeP{Dims: core.MakeDims(0)}, moved(r, b, core.Aval(t.DType, append([]int{1}, t.Shape.Ints()...)...)))[0]
	}
	return b.Input(t)
}

// Products of every type and layout have the reference's bits.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 2))
	products := 0
	for range 1500 {
		dt := []core.DType{core.Float32, core.Float32, core.Float64, core.Int32, core.Uint8, core.Int8, core.Int16, core.Uint64, core.BFloat16, core.Float16, core.Bool}[r.IntN(11)]
		if dt == core.Bool {
			dt = core.Int8
		}
		j := randomDot(r, dt, func() int { return 1 + r.IntN(5) })
		args := make([]*reference.Tensor, len(j.Ins))
		for i, v := range j.Ins {
			args[i] = draw(r, v.Type, primtest.Domain{})
		}
		p := compare(t, "product", j, args)
		if t.Failed() {
			return
		}
		for _, s := range p.Steps {
			if _, ok := s.(*fuse.Product); ok {
				products++
			}
		}
		if len(p.Fallbacks()) > 0 {
			t.Fatalf("the reference runs %v of %v", p.Fallbacks()[0].Reason, j)
		}
	}
	if products != 1500 {
		t.Errorf("%d products in 1500 programs", products)
	}
}
