//go:build linux

package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

var (
	indexTypes = []core.DType{core.Int32, core.Int32, core.Int64, core.Int8, core.Int16, core.Uint8, core.Uint16, core.Uint32, core.Uint64}
	movedTypes = []core.DType{core.Float32, core.Float32, core.Float64, core.Float16, core.BFloat16, core.Complex64, core.Complex128, core.Int8, core.Int32,
		core.Int64, core.Uint16, core.Uint64, core.Bool, core.Int4, core.Float8E4M3FN}
	indexModes = []indexed.IndexMode{indexed.PromiseInBounds, indexed.Clip, indexed.FillOrDrop}
)

// drawIndex fills an index array: most positions lie inside of n elements, some far away.
func drawIndex(r *rand.Rand, a *runtime.Array, n int) {
	t := a.Aval()
	size := t.DType.Size()
	for i := range t.Size() {
		x := core.IntNumber(int64(r.IntN(n+2) - 1))
		if r.IntN(12) == 0 {
			x = core.UintNumber(r.Uint64())
		}
		elem.Put(a.Tensor().Data[i*size:], x, t.DType)
	}
}

// An indexed operation: an array, index vectors and windows.
type indexedCase struct {
	x, idx, windows core.ShapedArray
	gather          indexed.GatherP
	scatter         indexed.Scattering
}

// randomIndexed draws the geometry that a gather and a scatter share.
func randomIndexed(r *rand.Rand, dt core.DType) (c indexedCase) {
	rank := 1 + r.IntN(4)
	size := func() int {
		if rank < 3 && r.IntN(3) == 0 {
			return 1 + r.IntN(70)
		}
		return 1 + r.IntN(6)
	}
	var xs, sizes, windows, inserted, batching, mapped []int
	for i := range rank {
		n := size()
		xs = append(xs, n)
		switch k := r.IntN(6); {
		case k == 0:
			batching, sizes = append(batching, i), append(sizes, 1)
			continue
		case k < 3:
			inserted, sizes = append(inserted, i), append(sizes, 1)
		default:
			w := 1 + r.IntN(n)
			if r.IntN(2) == 0 {
				w = n
			}
			windows, sizes = append(windows, w), append(sizes, w)
		}
		if k := r.IntN(3); k > 0 {
			mapped = append(mapped, i)
		}
	}
	r.Shuffle(len(mapped), func(i, j int) { mapped[i], mapped[j] = mapped[j], mapped[i] })
	// The index array: batching axes among others, then the vectors.
	places := make([]int, len(batching)+r.IntN(3))
	for i := range places {
		places[i] = 1 + r.IntN(9)
	}
	where := r.Perm(len(places))[:len(batching)]
	for i, d := range batching {
		places[where[i]] = xs[d]
	}
	rankOut := len(places) + len(windows)
	isWindow := make([]bool, rankOut)
	for _, d := range r.Perm(rankOut)[:len(windows)] {
		isWindow[d] = true
	}
	if r.IntN(2) == 0 { // windows last
		for d := range isWindow {
			isWindow[d] = d >= len(places)
		}
	}
	var out, offset []int
	p, w := 0, 0
	for d, is := range isWindow {
		if is {
			offset, out = append(offset, d), append(out, windows[w])
			w++
		} else {
			out = append(out, places[p])
			p++
		}
	}
	d := core.MakeDims
	mode := indexModes[r.IntN(len(indexModes))]
	c.x, c.idx, c.windows = core.Aval(dt, xs...), core.Aval(indexTypes[r.IntN(len(indexTypes))], append(places, len(mapped))...), core.Aval(dt, out...)
	c.gather = indexed.GatherP{OffsetDims: d(offset...), CollapsedSliceDims: d(inserted...), StartIndexMap: d(mapped...), OperandBatchingDims: d(batching...),
		StartIndicesBatchingDims: d(where...), SliceSizes: d(sizes...), Mode: mode}
	c.scatter = indexed.Scattering{UpdateWindowDims: d(offset...), InsertedWindowDims: d(inserted...), ScatterDimsToOperandDims: d(mapped...),
		OperandBatchingDims: d(batching...), ScatterIndicesBatchingDims: d(where...), Mode: mode}
	return c
}

// most returns the greatest size of an array's axes.
func most(a core.ShapedArray) int {
	n := 1
	for _, m := range a.Shape.All() {
		n = max(n, m)
	}
	return n
}

// computed makes the first operand a value of the program, so that it may be changed in
// place.
func computed(b *jaxpr.Builder, in []jaxpr.Atom) []jaxpr.Atom {
	t := in[0].Aval()
	perm := make([]int, t.Rank())
	for i := range perm {
		perm[i] = i
	}
	v := b.Eqn(prim.RevP{Dims: core.MakeDims(perm...)}, in[0])[0]
	return append([]jaxpr.Atom{v}, in[1:]...)
}

// Gathers, scatters and dynamic slices have the reference's bits: every geometry, mode and
// type, indices inside and outside; operands at guard pages; results in place.
func TestIndexFuzz(t *testing.T) {
	o := newOperation(t, 6, 4)
	o.fallbacks = true // empty arrays
	r := o.r
	native := 0
	n := rounds(1500)
	for i := range n {
		dt := movedTypes[r.IntN(len(movedTypes))]
		c := randomIndexed(r, dt)
		if max(c.x.Size(), c.idx.Size(), c.windows.Size()) > 1<<18 {
			continue // more than the memory between guard pages
		}
		o.before = nil
		if r.IntN(2) == 0 {
			o.before = computed
		}
		switch i % 5 {
		case 0, 1:
			o.draw = func(i int, a *runtime.Array) {
				if i == 1 {
					drawIndex(r, a, most(c.x))
				}
			}
			if valid(func() { c.gather.Abstract([]core.ShapedArray{c.x, c.idx}) }) {
				native += o.check(c.gather, c.x, c.idx)
			}
		case 2, 3:
			q := c.scatter.By(indexed.Combiner(r.IntN(int(indexed.CombineMax)+1)), dt)
			o.draw = func(i int, a *runtime.Array) {
				if i == 1 {
					drawIndex(r, a, most(c.x))
				}
			}
			if valid(func() { q.Abstract([]core.ShapedArray{c.x, c.idx, c.windows}) }) {
				native += o.check(q, c.x, c.idx, c.windows)
			}
		default:
			part := c.x
			part.Shape = c.x.Shape.Map(func(n int) int { return 1 + r.IntN(n) })
			starts := make([]core.ShapedArray, c.x.Rank())
			for i := range starts {
				starts[i] = core.Aval(c.idx.DType)
			}
			first := 1
			in := append([]core.ShapedArray{c.x}, starts...)
			var q core.Primitive = indexed.DynamicSliceP{Sizes: part.Shape}
			if r.IntN(2) == 0 {
				first, q, in = 2, indexed.DynamicUpdateSliceP{}, append([]core.ShapedArray{c.x, part}, starts...)
			}
			o.draw = func(i int, a *runtime.Array) {
				if i >= first {
					drawIndex(r, a, most(c.x))
				}
			}
			for len(o.mem) < len(in)+1 {
				o.mem = append(o.mem, newGuarded(t, 1<<22))
			}
			native += o.check(q, in...)
		}
	}
	if hasNative() && native < n*3/5 {
		t.Errorf("%d of %d operations ran as native code", native, n)
	}
}
