package nd

import (
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

// indexer contains indices that are prepared for an array: there is an entry for each axis of the array and for
// each new axis, and no ellipsis or mask.
type indexer struct {
	op   string
	x    core.Value
	aval core.ShapedArray
	idx  []entry
	made []int // axes of x, of size 1, that stand for single truth values
}

type entryKind uint8

const (
	atInt    entryKind = iota // a known element
	atScalar                  // an element whose index is a scalar array
	atRange
	atArray
	newAxis
)

type entry struct {
	kind         entryKind
	n            int        // of atInt
	v            core.Value // of atScalar, atArray
	start, count int        // of atRange
	step         int
}

func newIndexer(op string, x core.Value, given []any) *indexer {
	n := &indexer{op: op, x: x, aval: x.Aval()}
	idx := parseIndices(op, given)
	idx = n.fill(n.masks(idx))
	axis := 0
	for _, i := range idx {
		switch i := i.(type) {
		case nil:
			n.idx = append(n.idx, entry{kind: newAxis})
			continue
		case int:
			size := n.aval.Shape.At(axis)
			if i < -size || i >= size {
				core.FailOp(core.ErrIndex, op, []core.ShapedArray{n.aval}, "index %d is out of range for axis %d of %v, which has %s; %s", i, axis, n.aval.Full(), core.Count(size, "element"), outside(op))
			}
			if i < 0 {
				i += size
			}
			n.idx = append(n.idx, entry{kind: atInt, n: i})
		case Range:
			if i.step == 0 {
				core.FailOp(core.ErrIndex, op, []core.ShapedArray{n.aval}, "the zero Range names no elements; make one with weft.R, or use weft.All")
			}
			start, count := i.on(n.aval.Shape.At(axis))
			n.idx = append(n.idx, entry{kind: atRange, start: start, count: count, step: i.step})
		case core.Value:
			n.idx = append(n.idx, n.array(ValueOf(op, i), axis))
		}
		axis++
	}
	return n
}

// outside returns a hint on how to allow an index outside of its axis.
func outside(op string) string {
	const of = "index with an Array that has an axis or is an argument, "
	if strings.HasPrefix(op, "At.") && op != "At.Get" {
		return of + "which outside writes nothing"
	}
	return of + "which outside reads the nearest element"
}

// axesNamed returns the number of axes that the indices take, and whether an ellipsis is among the indices.
func axesNamed(idx []any) (n int, open bool) {
	for _, i := range idx {
		switch i := i.(type) {
		case nil:
		case ellipsis:
			open = true
		case core.Value:
			n++
			if i.Aval().DType.IsBool() {
				n += i.Aval().Rank() - 1
			}
		default:
			n++
		}
	}
	return n, open
}

// masks replaces masks by the positions where they hold, which must be known. A single truth value
// is a mask of an axis that is made for it, of size 1.
func (n *indexer) masks(idx []any) []any {
	out := make([]any, 0, len(idx))
	for k, i := range idx {
		m, ok := i.(core.Value)
		if !ok || !m.Aval().DType.IsBool() {
			out = append(out, i)
			continue
		}
		at, open := axesNamed(idx[:k])
		if open { // counted from the end
			at, _ = axesNamed(idx[k:])
			at = max(n.aval.Rank()-at, 0)
		}
		a := m.Aval()
		if a.Rank() == 0 {
			at += len(n.made)
			n.made = append(n.made, at)
			m = Reshape(m, 1)
		} else {
			for k, size := range a.Shape.All() {
				if at+k >= n.aval.Rank() || n.aval.Shape.At(at+k) != size {
					core.FailOp(core.ErrIndex, n.op, []core.ShapedArray{n.aval, a}, "the mask %v does not have the sizes of %v from axis %d on; compare the array itself, or broadcast the mask", a.Full(), n.aval.Full(), at)
				}
			}
		}
		for _, places := range positionsOf(n.op, m) {
			out = append(out, places)
		}
	}
	if len(n.made) > 0 {
		n.x = ExpandDims(n.x, n.made...)
		n.aval = n.x.Aval()
	}
	return out
}

// fill puts whole axes where the ellipsis stands, or at the end.
func (n *indexer) fill(idx []any) []any {
	used, at := 0, -1
	for k, i := range idx {
		switch i.(type) {
		case nil:
		case ellipsis:
			if at >= 0 {
				core.FailOp(core.ErrIndex, n.op, []core.ShapedArray{n.aval}, "more than one ellipsis; write one at most")
			}
			at = k
		default:
			used++
		}
	}
	missing := n.aval.Rank() - used
	if missing < 0 {
		core.FailOp(core.ErrIndex, n.op, []core.ShapedArray{n.aval}, "%v has %s, the index names %d; name fewer, or put axes in with ExpandDims", n.aval.Full(), core.Count(n.aval.Rank(), "axis"), used)
	}
	rest := slices.Repeat([]any{All}, missing)
	if at < 0 {
		return append(slices.Clone(idx), rest...)
	}
	return slices.Concat(idx[:at], rest, idx[at+1:])
}

// array returns an Array as an index: negative elements count from the end.
func (n *indexer) array(v core.Value, axis int) entry {
	a := v.Aval()
	if !a.DType.IsInteger() {
		core.FailOp(core.ErrIndex, n.op, []core.ShapedArray{n.aval, a}, "an index array must contain integers or bools (got %v); convert it", a.Full())
	}
	size := n.aval.Shape.At(axis)
	if l, ok := v.(core.Literal); ok {
		if i := l.Num.Int64(); l.Num.Fits(core.Int64) && int64(-size) <= i && i < int64(size) {
			return entry{kind: atInt, n: (int(i) + size) % size}
		}
	}
	if size == 0 && a.Size() != 0 {
		core.FailOp(core.ErrIndex, n.op, []core.ShapedArray{n.aval, a}, "axis %d of %v has no elements, so every index is out of range; check the size first", axis, n.aval.Full())
	}
	if !a.DType.IsUnsigned() {
		if !core.IntNumber(int64(size)).Fits(a.DType) {
			v = Convert(n.op, v, core.Int32, false)
			a = v.Aval()
		}
		lit := func(i int) core.Value {
			return core.Literal{Num: core.IntNumber(int64(i)), Type: a.DType, Weak: a.Weak}
		}
		v = prim.Where(prim.Lt(v, lit(0)), prim.Add(v, lit(size)), v)
	}
	if a.Rank() == 0 {
		return entry{kind: atScalar, v: v}
	}
	return entry{kind: atArray, v: v}
}

func (n *indexer) has(k entryKind) bool {
	return slices.ContainsFunc(n.idx, func(e entry) bool { return e.kind == k })
}

// read returns the selected part: by slices if all positions are known, by one dynamic slice if the index
// consists of scalars and contiguous ranges and the mode is PromiseInBounds, else by a gather.
func (n *indexer) read(r Ref) core.Value {
	switch {
	case !n.has(atArray) && !n.has(atScalar):
		return n.slice()
	case !n.has(atArray) && r.mode == indexed.PromiseInBounds && n.contiguous():
		return n.dynamicSlice()
	}
	g := n.gather()
	v := indexed.Gather(enlarged(n.x, g.sizes), g.vectors, indexed.GatherP{
		OffsetDims: g.offset, CollapsedSliceDims: g.collapsed, StartIndexMap: g.axes, SliceSizes: g.sizes,
		Mode: r.mode, Fill: r.fill, Sorted: g.sorted || r.sorted, Unique: g.unique || r.unique,
	})
	if g.reversed.Len() > 0 {
		v = prim.Rev(v, g.reversed)
	}
	return prim.ExpandDims(v, g.newAxes)
}

// enlarged returns x padded to the given sizes. Only an empty axis can be smaller: no index reads
// the padding.
func enlarged(x core.Value, sizes core.Dims) core.Value {
	a := x.Aval()
	config := make([]int, 3*a.Rank())
	smaller := false
	for k, n := range sizes.All() {
		if missing := n - a.Shape.At(k); missing > 0 {
			config[3*k+1] = missing
			smaller = true
		}
	}
	if !smaller {
		return x
	}
	return prim.Pad(x, prim.Num(a, 0), core.MakeDims(config...))
}

func (n *indexer) contiguous() bool {
	for _, e := range n.idx {
		if e.kind == atRange && e.step != 1 {
			return false
		}
	}
	return true
}

// slice reads a part whose position is known.
func (n *indexer) slice() core.Value {
	var start, limit, stride, drop, rev, fresh []int
	whole, strided := true, false
	out := 0 // axis of the result
	axis := 0
	for _, e := range n.idx {
		switch e.kind {
		case newAxis:
			fresh = append(fresh, out)
			out++
			continue
		case atInt:
			start, limit, stride = append(start, e.n), append(limit, e.n+1), append(stride, 1)
			drop = append(drop, axis)
			whole = false
		case atRange:
			lo, hi, st := e.start, e.start+(e.count-1)*e.step+1, e.step
			if e.step < 0 {
				lo, hi, st = e.start+(e.count-1)*e.step, e.start+1, -e.step
				rev = append(rev, axis)
			}
			if e.count == 0 {
				lo, hi = min(max(e.start, 0), n.aval.Shape.At(axis)), min(max(e.start, 0), n.aval.Shape.At(axis))
			}
			if e.count <= 1 {
				st = 1
			}
			// A slice ends at the end of the axis if no further step fits.
			if st > 1 && hi+st > n.aval.Shape.At(axis) {
				hi = n.aval.Shape.At(axis)
			}
			start, limit, stride = append(start, lo), append(limit, hi), append(stride, st)
			whole = whole && lo == 0 && hi == n.aval.Shape.At(axis) && st == 1
			strided = strided || st != 1
			out++
		}
		axis++
	}
	v := n.x
	if !whole {
		var strides core.Dims
		if strided {
			strides = core.MakeDims(stride...)
		}
		v = prim.Slice(v, core.MakeDims(start...), core.MakeDims(limit...), strides)
	}
	if len(rev) > 0 {
		v = prim.Rev(v, core.MakeDims(rev...))
	}
	return prim.ExpandDims(prim.Squeeze(v, core.MakeDims(drop...)), core.MakeDims(fresh...))
}

// dynamicSlice reads one window whose start depends on scalar arrays.
func (n *indexer) dynamicSlice() core.Value {
	var starts []core.Value
	var sizes, drop, fresh []int
	dt := n.indexType()
	out := 0
	for _, e := range n.idx {
		switch e.kind {
		case newAxis:
			fresh = append(fresh, out)
			out++
			continue
		case atInt, atScalar:
			v := e.v
			if e.kind == atInt {
				v = core.Lit(core.IntNumber(int64(e.n)), dt)
			} else if v.Aval().DType != dt || v.Aval().Weak {
				v = Convert(n.op, v, dt, false)
			}
			drop = append(drop, len(sizes))
			starts, sizes = append(starts, v), append(sizes, 1)
		case atRange:
			starts, sizes = append(starts, core.Lit(core.IntNumber(int64(e.start)), dt)), append(sizes, e.count)
			out++
		}
	}
	v := indexed.DynamicSlice(n.x, starts, core.MakeDims(sizes...))
	return prim.ExpandDims(prim.Squeeze(v, core.MakeDims(drop...)), core.MakeDims(fresh...))
}
