package fuse_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/nn"
)

// runRowTiles performs steps on row tiles of random sizes. Rows of local values that are not the tile's contain a
// pattern.
func runRowTiles(p *fuse.Plan, s *fuse.RowTiles, mem [][]byte) error {
	r := rand.New(rand.NewPCG(uint64(s.Rows), uint64(s.Items)))
	local := map[int][]byte{}
	whole := map[int][]byte{} // all rows so far, for sums over rows
	for id := range p.Values {
		if v := &p.Values[id]; v.Place == fuse.Tile && uses(s, id) {
			if local[v.Index] == nil {
				local[v.Index] = make([]byte, v.Bytes())
			}
			mem[id], whole[id] = local[v.Index], make([]byte, v.Bytes())
		}
	}
	all := s.Items * s.Rows
	for item := range s.Items {
		for row := 0; row < s.Rows; {
			n := min(s.Rows-row, s.Unit*(1+r.IntN(3)))
			first := item*s.Rows + row
			for _, m := range local {
				copy(m, bytes.Repeat([]byte{0xa5}, len(m)))
			}
			for i, q := range s.Steps {
				part := s.Parts[i]
				switch q := q.(type) {
				case *fuse.Launch:
					bufs := make([][]byte, len(q.Buffers))
					for i, id := range q.Buffers {
						bufs[i] = mem[id]
					}
					point, points := first*part.Points, n*part.Points
					if part.Share > 0 {
						point, points = first/part.Share, (n+part.Share-1)/part.Share
					}
					if err := ireval.RunPoints(q.Kernel, nil, bufs, int64(point), int64(points)); err != nil {
						return fmt.Errorf("%w\n%v", err, q.Kernel)
					}
				case *fuse.Product:
					if !part.Sum {
						multiplyRows(q, mem[q.In[0]], mem[q.In[1]], mem[q.Out], first, first+n)
						break
					}
					var in [2][]byte
					for i, id := range q.In {
						in[i] = mem[id]
						if w := whole[id]; w != nil {
							size := len(w) / all
							copy(w[first*size:][:n*size], mem[id][first*size:])
							in[i] = w
						}
					}
					if row+n == s.Rows {
						multiplyRows(q, in[0], in[1], mem[q.Out], item*q.M, (item+1)*q.M)
					}
				}
			}
			row += n
		}
	}
	return nil
}

// uses reports whether a step of s names a value.
func uses(s *fuse.RowTiles, id int) bool {
	for _, q := range s.Steps {
		if slices.Contains(q.Reads(), id) || slices.Contains(q.Writes(), id) {
			return true
		}
	}
	return false
}

// The plans of layers and of attention: forward, and of their derivatives.
func TestRowTilesGolden(t *testing.T) {
	attention := func(q, k, v weft.Array) weft.Array {
		s := weft.Einsum("bhqd,bhkd->bhqk", q, k).Mul(0.125)
		return weft.Einsum("bhqk,bhkd->bhqd", nn.Softmax(s, -1), v)
	}
	masked := func(q, k, v weft.Array) weft.Array {
		s := weft.Einsum("bhqd,bhkd->bhqk", q, k).Mul(0.125)
		n := s.Dim(-1)
		at := weft.Arange(n)
		s = weft.Where(at.Reshape(n, 1).Ge(at), s, float32(-1e9))
		return weft.Einsum("bhqk,bhkd->bhqd", nn.Softmax(s, -1), v)
	}
	type layer struct{ W1, B1, W2, B2 weft.Array }
	feed := func(p layer, x weft.Array) weft.Array {
		return nn.Gelu(x.MatMul(p.W1).Add(p.B1)).MatMul(p.W2).Add(p.B2).Add(x)
	}
	backward := func(f func(q, k, v weft.Array) weft.Array) any {
		return func(q, k, v, o weft.Array) [3]weft.Array {
			_, g := weft.VJP(func(a [3]weft.Array) weft.Array { return f(a[0], a[1], a[2]) }, [3]weft.Array{q, k, v})
			return g(o)
		}
	}
	head := core.Aval(core.Float32, 2, 4, 512, 64)
	x := core.Aval(core.Float32, 1024, 256)
	w1, b1, w2, b2 := core.Aval(core.Float32, 256, 1024), core.Aval(core.Float32, 1024), core.Aval(core.Float32, 1024, 256), core.Aval(core.Float32, 256)
	var b strings.Builder
	for _, c := range []struct {
		name string
		f    any
		in   []core.ShapedArray
	}{
		{"layer", func(w, b, x weft.Array) weft.Array { return weft.Tanh(x.MatMul(w).Add(b)) }, []core.ShapedArray{w1, b1, x}},
		{"feed forward", func(w1, b1, w2, b2, x weft.Array) weft.Array { return feed(layer{w1, b1, w2, b2}, x) }, []core.ShapedArray{w1, b1, w2, b2, x}},
		{"attention", attention, []core.ShapedArray{head, head, head}},
		{"causal attention", masked, []core.ShapedArray{head, head, head}},
		{"panels of integers", func(w, scale, x weft.Array) weft.Array {
			w = w.AsType(weft.Float32).Mul(scale)
			return lax.DotGeneral(x, w, lax.DotConfig{LhsContract: []int{1}, RhsContract: []int{1}})
		}, []core.ShapedArray{core.Aval(core.Int8, 8, 1024, 64), core.Aval(core.Float32, 8, 1, 64), core.Aval(core.Float32, 96, 1024)}},
		{"attention's derivatives", backward(attention), []core.ShapedArray{head, head, head, head}},
	} {
		args := make([]any, len(c.in))
		for i, a := range c.in {
			args[i] = weft.ZerosOf(a.DType, a.Shape.Ints()...)
		}
		fmt.Fprintf(&b, "%s\n%v\n", c.name, fuse.Translate(trace(t, c.f, args...), fuse.Native()))
	}
	pinned(t, "row_tiles", b.String())
}

// Row tiles end before a call of the host: what is called there does not wait for later steps.
func TestRowTilesEndAtCalls(t *testing.T) {
	w, x := weft.ZerosOf(weft.Float32, 512, 512), weft.ZerosOf(weft.Float32, 1024, 512)
	tiles := func(calls bool) string {
		p := fuse.Translate(trace(t, func(w, x weft.Array) weft.Array {
			x = weft.Tanh(x.MatMul(w))
			y := weft.Tanh(x.MatMul(w))
			if calls {
				weft.DebugCallback(func(weft.Array) {}, x)
			}
			return weft.Tanh(y.MatMul(w))
		}, w, x), fuse.Native())
		var order []string
		for _, s := range p.Steps {
			order = append(order, strings.TrimPrefix(fmt.Sprintf("%T", s), "*fuse."))
		}
		return strings.Join(order, " ")
	}
	if got := tiles(false); got != "RowTiles" {
		t.Errorf("without a call: got %s", got)
	}
	if got := tiles(true); got != "RowTiles Call Product Launch" && got != "RowTiles Call RowTiles" {
		t.Errorf("with a call: got %s", got)
	}
}
