package reference

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// An indexCase is a random gather, and the scatter that writes where it reads.
type indexCase struct {
	g      indexed.GatherP
	s      indexed.Scattering
	x, idx *block.Tensor
	out    core.Dims
}

func randomIndexing(r *rand.Rand, dt core.DType) indexCase {
	var c indexCase
	d := core.MakeDims
	rank := 1 + r.IntN(3)
	var shape, sizes, collapsed, batching, indexBatch, mapped, window []int
	// The index array's axes but the last: first free ones, among them the batching.
	batch := randomShape(r, 3, r.IntN(3))
	for i := range rank {
		n := 1 + r.IntN(4)
		w := 1 + r.IntN(n)
		switch {
		case r.IntN(4) == 0 && len(batching) < len(batch):
			indexBatch = append(indexBatch, len(batching))
			n, w = batch[len(batching)], min(1, batch[len(batching)])
			batching = append(batching, i)
		case r.IntN(3) == 0:
			collapsed = append(collapsed, i)
			w = 1
			mapped = append(mapped, i)
		default:
			if r.IntN(2) == 0 {
				mapped = append(mapped, i)
			}
			if r.IntN(8) == 0 {
				w = 0
			}
			window = append(window, w)
		}
		shape, sizes = append(shape, n), append(sizes, w)
	}
	r.Shuffle(len(mapped), func(i, j int) { mapped[i], mapped[j] = mapped[j], mapped[i] })
	total := len(batch) + len(window)
	offsets := slices.Clone(r.Perm(total)[:len(window)])
	slices.Sort(offsets)
	var out []int
	for i, b, w := 0, 0, 0; i < total; i++ {
		if slices.Contains(offsets, i) {
			out = append(out, window[w])
			w++
		} else {
			out = append(out, batch[b])
			b++
		}
	}
	mode := indexed.IndexMode(r.IntN(3))
	c.g = indexed.GatherP{OffsetDims: d(offsets...), CollapsedSliceDims: d(collapsed...), StartIndexMap: d(mapped...),
		OperandBatchingDims: d(batching...), StartIndicesBatchingDims: d(indexBatch...), SliceSizes: d(sizes...), Mode: mode}
	c.s = indexed.Scattering{UpdateWindowDims: c.g.OffsetDims, InsertedWindowDims: c.g.CollapsedSliceDims, ScatterDimsToOperandDims: c.g.StartIndexMap,
		OperandBatchingDims: c.g.OperandBatchingDims, ScatterIndicesBatchingDims: c.g.StartIndicesBatchingDims, Mode: mode}
	c.out = d(out...)
	c.x = stamped(dt, d(shape...))
	c.idx = block.NewTensor(core.Aval([]core.DType{core.Int32, core.Int64, core.Uint8, core.Uint64, core.Int8}[r.IntN(5)], append(batch, len(mapped))...))
	for i := range c.idx.Size() {
		v := r.IntN(7) - 2
		elem.Put(vector(c.idx, i, 1).Data, core.IntNumber(int64(v)), c.idx.DType)
		if r.IntN(20) == 0 {
			elem.Put(vector(c.idx, i, 1).Data, core.IntNumber([]int64{math.MinInt64, math.MaxInt64, 1 << 31}[r.IntN(3)]), c.idx.DType)
		}
	}
	return c
}

// element returns the position in x that position i of the window array stands for; ok
// is false if its window reaches out, and then it is that of the window moved inside.
func (c *indexCase) element(i int) (at int, ok bool) {
	pos := unravel(i, c.out)
	var place, win []int
	for a, p := range pos {
		if c.g.OffsetDims.Has(a) {
			win = append(win, p)
		} else {
			place = append(place, p)
		}
	}
	rank := c.x.Rank()
	idx := make([]int, rank)
	v := 0
	for a, s := range block.RowMajor(nil, c.idx.Shape)[:len(place)] {
		v += place[a] * s
	}
	ok = true
	for k, a := range c.g.StartIndexMap.All() {
		start, most := bigIndex(c.idx, v+k), float64(c.x.Shape.At(a)-c.g.SliceSizes.At(a))
		if start < 0 || start > most {
			ok = false
		}
		idx[a] = int(math.Max(0, math.Min(start, most)))
	}
	for k, a := range c.g.OperandBatchingDims.All() {
		idx[a] = place[c.g.StartIndicesBatchingDims.At(k)]
	}
	k := 0
	for a := range rank {
		if !c.g.CollapsedSliceDims.Has(a) && !c.g.OperandBatchingDims.Has(a) {
			idx[a] += win[k]
			k++
		}
	}
	return offset(idx, c.x.Shape), ok
}

func bigIndex(x *block.Tensor, i int) float64 {
	n, _ := elem.Get(vector(x, i, 1).Data, x.DType)
	return n.Float()
}

func TestGather(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	filled := 0
	for range 1500 {
		dt := moverTypes[r.IntN(len(moverTypes))]
		c := randomIndexing(r, dt)
		if c.g.Mode == indexed.FillOrDrop {
			if dt.IsKey() {
				continue
			}
			if r.IntN(2) == 0 {
				c.g.Fill = core.IntNumber(1)
			}
		}
		y := apply(t, c.g, c.x, c.idx)[0]
		if y.Shape != c.out {
			t.Fatalf("%+v: shape %v, want %v", c.g, y.Shape, c.out)
		}
		fill := block.NewTensor(core.Aval(dt))
		if c.g.Mode == indexed.FillOrDrop {
			elem.Put(fill.Data, c.g.FillFor(dt), dt)
		}
		filled += y.Size()
		i := -1
		expect(t, "gather", y, c.x, fill, func([]int) int {
			i++
			at, ok := c.element(i)
			if !ok && c.g.Mode == indexed.FillOrDrop {
				return -1
			}
			return at
		})
	}
	if filled < 4000 {
		t.Errorf("only %d elements", filled)
	}
}

func TestScatterOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 1500 {
		dt := []core.DType{core.Float32, core.BFloat16, core.Float64, core.Int8, core.Int4}[r.IntN(5)]
		c := randomIndexing(r, dt)
		draw(r, c.x, false)
		u := block.NewTensor(core.ShapedArray{Shape: c.out, DType: dt})
		draw(r, u, r.IntN(4) == 0)
		ops := []struct {
			p  core.Primitive
			do func(a, x float64) float64
		}{
			{indexed.ScatterP{Scattering: c.s}, func(a, x float64) float64 { return x }},
			{c.s.By(indexed.CombineAdd, dt), func(a, x float64) float64 { return a + x }},
			{c.s.By(indexed.CombineSub, dt), func(a, x float64) float64 { return a - x }},
			{c.s.By(indexed.CombineMul, dt), func(a, x float64) float64 { return a * x }},
			{c.s.By(indexed.CombineMax, dt), scalar.Max64},
			{c.s.By(indexed.CombineMin, dt), scalar.Min64},
			{indexed.ScatterApplyP{Scattering: c.s, F: reducerOf("add", dt)}, func(a, x float64) float64 { return a + x }},
		}
		op := ops[r.IntN(len(ops))]
		if dt == core.Int4 && op.p.Name() == "scatter" {
			op = ops[1]
		}
		got := apply(t, op.p, c.x, c.idx, u)[0]
		want := block.NewTensor(c.x.ShapedArray)
		copy(want.Data, c.x.Data)
		for i := range u.Size() {
			at, ok := c.element(i)
			if !ok && c.s.Mode != indexed.Clip {
				continue
			}
			a, x := bigIndex(want, at), bigIndex(u, i)
			// f64 represents two f32 or bf16 and their sum, difference and product closely
			// enough that rounding it once more is rounding once.
			v := op.do(a, x)
			elem.Put(vector(want, at, 1).Data, core.FloatNumber(v), dt)
			if dt == core.Int8 || dt == core.Int4 {
				elem.Put(vector(want, at, 1).Data, core.IntNumber(int64(v)), dt)
			}
		}
		if !sameBits(got, want) {
			t.Fatalf("%+v on %v\n x %x\n i %x\n u %x\n got %x\nwant %x", op.p, c.x, c.x.Data, c.idx.Data, u.Data, got.Data, want.Data)
		}
	}
}
