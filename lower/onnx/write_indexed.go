package onnx

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

// indexed writes dynamic slices and updates, gathers, scatters, sorts, and the greatest and least elements' positions; it
// returns nil if p is another operation.
func (b *block) indexed(p core.Primitive, in []value, out []core.ShapedArray) []value {
	one := func(x value) []value { return []value{x} }
	switch p := p.(type) {
	case indexed.DynamicSliceP:
		x := in[0]
		for i, n := range p.Sizes.All() {
			if size := x.Shape.At(i); n != size {
				at := b.op("Add", core.Aval(core.Int64, n), nil, b.start(in[1+i], size-n), b.iota(core.Int64, core.MakeDims(n), 0))
				x = b.take(x, at, i)
			}
		}
		return one(x)
	case indexed.DynamicUpdateSliceP:
		return one(b.update(in[0], in[1], in[2:]))
	case indexed.GatherP:
		return one(b.gather(p, in[0], in[1], out[0]))
	case indexed.ScatterP:
		return one(b.scatter(p, in[0], in[1], in[2]))
	case indexed.SortP:
		return b.sort(p, in)
	case indexed.TopKP:
		return b.topK(in[0], p.Axis, p.K, out)
	case prim.ArgmaxP:
		return one(b.argument("ArgMax", in[0], p.Axes.At(0), p.Index, out[0]))
	case prim.ArgminP:
		return one(b.argument("ArgMin", in[0], p.Axes.At(0), p.Index, out[0]))
	}
	return nil
}

// index returns indices as i64, at most the greatest i64.
func (b *block) index(x value) value {
	if x.DType == core.Uint64 {
		x = b.op("Min", x.ShapedArray, nil, x, b.literal(core.IntNumber(math.MaxInt64), core.Uint64))
	}
	return b.cast(x, core.Int64)
}

func (b *block) start(x value, most int) value { return b.clamp(b.index(x), most) }

func (b *block) clamp(x value, most int) value {
	x = b.op("Max", x.ShapedArray, nil, x, b.integer(0, core.Int64))
	return b.op("Min", x.ShapedArray, nil, x, b.integer(most, core.Int64))
}

func (b *block) take(x, at value, axis int) value {
	shape := slices.Concat(x.Shape.Slice(0, axis).Ints(), at.Shape.Ints(), x.Shape.Slice(axis+1, x.Rank()).Ints())
	return b.op("Gather", x.WithShape(core.MakeDims(shape...)), []*Attr{attrInt("axis", axis)}, x, at)
}

// update returns x with the window u written at starts. Its rows are scattered along the axes up to the last one along which
// it is smaller than x.
func (b *block) update(x, u value, starts []value) value {
	last := -1
	for i, n := range u.Shape.All() {
		if n != x.Shape.At(i) {
			last = i
		}
	}
	if last < 0 {
		return u
	}
	if u.Size() == 0 {
		return x
	}
	rows := u.Shape.Slice(0, last+1)
	var parts []value
	for i, n := range rows.All() {
		at := b.op("Add", core.Aval(core.Int64, n), nil, b.start(starts[i], x.Shape.At(i)-n), b.iota(core.Int64, core.MakeDims(n), 0))
		parts = append(parts, b.along(at, rows.Append(1), i))
	}
	return b.op("ScatterND", x.ShapedArray, nil, x, b.concat(last+1, parts...), u)
}

// along broadcasts a list, which lies along an axis of a shape, to the shape.
func (b *block) along(list value, shape core.Dims, axis int) value {
	at := slices.Repeat([]int{1}, shape.Len())
	at[axis] = shape.At(axis)
	return b.expand(b.reshape(list, core.MakeDims(at...)), shape)
}

// A windowing describes the windows of an array that index vectors select, for gathers and scatters.
type windowing struct {
	x, idx          core.Dims // shapes of array and index array
	sizes           core.Dims // of a window, along each axis of the array
	starts          core.Dims // for each component of an index vector, the array's axis that it is a position along
	batch, idxBatch core.Dims // batch axes of array and index array, in pairs
	window          core.Dims // axes of the windows in the result or the updates, in the order of left
	left            []int     // the array's axes that windows have
	shape           core.Dims // of the result or the updates
}

func windowsOf(x, idx core.Dims, sizes, starts, batch, idxBatch, window, dropped, shape core.Dims) windowing {
	w := windowing{x: x, idx: idx, sizes: sizes, starts: starts, batch: batch, idxBatch: idxBatch, window: window, shape: shape}
	for i := range x.Len() {
		if !dropped.Has(i) && !batch.Has(i) {
			w.left = append(w.left, i)
		}
	}
	return w
}

// outer returns the axes of the result or the updates that are not axes of windows. They correspond, in order, to the axes
// of the index array but its last.
func (w windowing) outer() []int {
	var axes []int
	for i := range w.shape.Len() {
		if !w.window.Has(i) {
			axes = append(axes, i)
		}
	}
	return axes
}

// positions returns, for each element of the result or the updates, its position along each axis of the array, with windows
// moved inside the array, and a mask of the windows that lay inside. Positions that are 0 throughout may be a value without
// a name. The mask has no name if clip is set or index vectors have no components.
func (b *block) positions(w windowing, idx value, clip bool) (at []value, inside value) {
	at = make([]value, w.x.Len())
	outer := w.outer()
	n := w.idx.Len()
	spread := func(x value, from []int) value { // from the outer axes to all axes
		shape := slices.Repeat([]int{1}, w.shape.Len())
		for i, axis := range from {
			shape[axis] = x.Shape.At(i)
		}
		return b.reshape(x, core.MakeDims(shape...))
	}
	idx = b.index(idx)
	for k, axis := range w.starts.All() {
		s := spread(b.reshape(b.part(idx, n-1, k, k+1), w.idx.Slice(0, n-1)), outer)
		most := w.x.At(axis) - w.sizes.At(axis)
		if !clip {
			ok := b.op("And", s.WithDType(core.Bool), nil, b.compare("GreaterOrEqual", s, b.integer(0, core.Int64)), b.compare("LessOrEqual", s, b.integer(most, core.Int64)))
			if inside.name != "" {
				ok = b.op("And", ok.ShapedArray, nil, inside, ok)
			}
			inside = ok
		}
		at[axis] = b.clamp(s, most)
	}
	for k, axis := range w.batch.All() {
		i := outer[w.idxBatch.At(k)]
		at[axis] = b.lineOf(w.shape, i)
	}
	for k, axis := range w.left {
		i := w.window.At(k)
		if w.sizes.At(axis) == 1 && at[axis].name != "" {
			continue
		}
		offset := b.lineOf(w.shape, i)
		if at[axis].name == "" {
			at[axis] = offset
			continue
		}
		shape := at[axis].Shape.Ints()
		shape[i] = w.shape.At(i)
		at[axis] = b.op("Add", core.Aval(core.Int64, shape...), nil, at[axis], offset)
	}
	return at, inside
}

// lineOf counts along an axis of a shape, with size 1 along the others.
func (b *block) lineOf(shape core.Dims, axis int) value {
	at := slices.Repeat([]int{1}, shape.Len())
	at[axis] = shape.At(axis)
	return b.iota(core.Int64, core.MakeDims(at...), axis)
}

// flat returns positions in the flattened array, broadcast to the shape of the result or the updates.
func (b *block) flat(w windowing, at []value) value {
	var sum value
	stride := 1
	for axis := w.x.Len() - 1; axis >= 0; axis-- {
		if x := at[axis]; x.name != "" {
			if stride != 1 {
				x = b.op("Mul", x.ShapedArray, nil, x, b.integer(stride, core.Int64))
			}
			if sum.name == "" {
				sum = x
			} else {
				shape := sum.Shape.Ints()
				for i, n := range x.Shape.All() {
					if shape[i] == 1 {
						shape[i] = n
					}
				}
				sum = b.op("Add", core.Aval(core.Int64, shape...), nil, sum, x)
			}
		}
		stride *= w.x.At(axis)
	}
	if sum.name == "" {
		sum = b.integer(0, core.Int64)
	}
	return b.expand(sum, w.shape)
}

// gather reads whole rows along one axis by Gather, and everything else by positions in the flattened array.
func (b *block) gather(p indexed.GatherP, x, idx value, out core.ShapedArray) value {
	w := windowsOf(x.Shape, idx.Shape, p.SliceSizes, p.StartIndexMap, p.OperandBatchingDims, p.StartIndicesBatchingDims, p.OffsetDims, p.CollapsedSliceDims, out.Shape)
	fill := p.Mode == indexed.FillOrDrop
	if out.Size() == 0 || x.Size() == 0 {
		if fill && out.Size() > 0 {
			return b.expand(b.filling(p, out), out.Shape)
		}
		return b.expand(b.number(0, x.DType), out.Shape)
	}
	var y, inside value
	if axis, ok := w.rows(p.CollapsedSliceDims); ok {
		n := idx.Rank() - 1
		at := b.reshape(b.index(idx), idx.Shape.Slice(0, n))
		if fill {
			_, inside = b.positions(w, idx, false)
		}
		y = b.take(x, b.clamp(at, x.Shape.At(axis)-1), axis)
		// The axes of y are the axes of x before axis, the axes of the indices, and the axes of x after axis.
		perm := make([]int, out.Rank())
		for k, i := range w.outer() {
			perm[i] = axis + k
		}
		for k, i := range p.OffsetDims.All() {
			if perm[i] = k; k >= axis {
				perm[i] = k + n
			}
		}
		y = b.transpose(y, perm)
	} else {
		at, in := b.positions(w, idx, !fill)
		inside = in
		y = b.take(b.reshape(x, core.MakeDims(x.Size())), b.flat(w, at), 0)
	}
	if inside.name == "" {
		return y
	}
	return b.full(b.where(inside, y, b.filling(p, out)), out)
}

// filling returns the value that a gather reads outside of its array.
func (b *block) filling(p indexed.GatherP, out core.ShapedArray) value {
	return b.literal(p.FillFor(out.DType), out.DType)
}

// rows returns the axis along which whole rows are read; ok is false if windows are not whole rows.
func (w windowing) rows(collapsed core.Dims) (axis int, ok bool) {
	if w.starts.Len() != 1 || w.batch.Len() > 0 || collapsed.Len() != 1 || collapsed.At(0) != w.starts.At(0) {
		return 0, false
	}
	axis = w.starts.At(0)
	for i, n := range w.sizes.All() {
		if i != axis && n != w.x.At(i) {
			return 0, false
		}
	}
	return axis, true
}

var scatterReductions = map[indexed.Combiner]string{indexed.CombineAdd: "add", indexed.CombineSub: "add", indexed.CombineMul: "mul", indexed.CombineMin: "min", indexed.CombineMax: "max"}

// scatter writes into the flattened array. If updates may be dropped, it has one more element, to which these are written.
func (b *block) scatter(p indexed.ScatterP, x, idx, u value) value {
	if u.Size() == 0 || x.Size() == 0 {
		return x
	}
	sizes := slices.Repeat([]int{1}, x.Rank())
	k := 0
	for i := range sizes {
		if !p.InsertedWindowDims.Has(i) && !p.OperandBatchingDims.Has(i) {
			sizes[i] = u.Shape.At(p.UpdateWindowDims.At(k))
			k++
		}
	}
	w := windowsOf(x.Shape, idx.Shape, core.MakeDims(sizes...), p.ScatterDimsToOperandDims, p.OperandBatchingDims, p.ScatterIndicesBatchingDims, p.UpdateWindowDims, p.InsertedWindowDims, u.Shape)
	at, inside := b.positions(w, idx, p.Mode == indexed.Clip)
	n := x.Size()
	place := b.flat(w, at)
	whole := b.reshape(x, core.MakeDims(n))
	if inside.name != "" {
		place = b.full(b.where(inside, place, b.integer(n, core.Int64)), place.ShapedArray)
		whole = b.concat(0, whole, b.reshape(b.number(0, x.DType), core.MakeDims(1)))
	}
	if p.Combine == indexed.CombineSub {
		u = b.op("Sub", u.ShapedArray, nil, b.number(0, u.DType), u)
	}
	attrs := []*Attr{attrInt("axis", 0)}
	if s := scatterReductions[p.Combine]; s != "" {
		if x.DType.IsBool() {
			s = map[string]string{"min": "mul", "max": "max", "add": "max", "mul": "mul"}[s]
		}
		attrs = append(attrs, attrText("reduction", s))
	}
	dt := whole.DType
	if rounds := p.Combine == indexed.CombineAdd || p.Combine == indexed.CombineSub || p.Combine == indexed.CombineMul; rounds && dt.IsMinorFloat() {
		core.Failf(core.ErrDType, "ONNX %d has no ScatterElements that combines %v; convert to another type", writtenOpset, dt)
	}
	if p.Combine != indexed.CombineSet && !operandTypes["Add"][dt] {
		whole, u = b.cast(whole, wider(dt)[0]), b.cast(u, wider(dt)[0])
	}
	flat := core.MakeDims(u.Size())
	y := b.op("ScatterElements", whole.ShapedArray, attrs, whole, b.reshape(place, flat), b.reshape(u, flat))
	return b.reshape(b.part(b.cast(y, dt), 0, 0, n), x.Shape)
}

// sort sorts by the last key first, each time stably.
func (b *block) sort(p indexed.SortP, in []value) []value {
	axis := p.Dimension
	x := in[0]
	if x.Size() == 0 || x.Rank() == 0 || x.Shape.At(axis) == 1 {
		return slices.Clone(in)
	}
	var order value
	for k := p.NumKeys - 1; k >= 0; k-- {
		key := in[k]
		if order.name != "" {
			key = b.takeAlong(key, order, axis)
		}
		next := b.order(key, axis, x.Shape.At(axis), 0)[1]
		if order.name != "" {
			next = b.takeAlong(order, next, axis)
		}
		order = next
	}
	out := make([]value, len(in))
	for i, y := range in {
		out[i] = b.takeAlong(y, order, axis)
	}
	return out
}

func (b *block) takeAlong(x, at value, axis int) value {
	return b.op("GatherElements", x.WithShape(at.Shape), []*Attr{attrInt("axis", axis)}, x, at)
}

// order returns the k least elements along an axis, or the k greatest if largest is 1, in order, and their positions. Equal
// elements keep their order.
func (b *block) order(x value, axis, k, largest int) []value {
	dt := x.DType
	if !operandTypes["TopK"][dt] {
		if wider(dt) == nil {
			core.Failf(core.ErrDType, "ONNX %d has no order of %v; convert to another type", writtenOpset, dt)
		}
		x = b.cast(x, wider(dt)[0])
	}
	shape := x.Shape.Ints()
	shape[axis] = k
	a := x.WithShape(core.MakeDims(shape...))
	y := b.node("TopK", []core.ShapedArray{a, a.WithDType(core.Int64)}, []*Attr{attrInt("axis", axis), attrInt("largest", largest), attrInt("sorted", 1)}, x, b.longs([]int{k}))
	return []value{b.cast(y[0], dt), y[1]}
}

func (b *block) topK(x value, axis, k int, out []core.ShapedArray) []value {
	if axis < 0 {
		axis += x.Rank()
	}
	if out[0].Size() == 0 {
		return []value{b.expand(b.number(0, x.DType), out[0].Shape), b.expand(b.number(0, out[1].DType), out[1].Shape)}
	}
	y := b.order(x, axis, k, 1)
	return []value{y[0], b.cast(y[1], out[1].DType)}
}

func (b *block) argument(op string, x value, axis int, index core.DType, out core.ShapedArray) value {
	attrs := []*Attr{attrInt("axis", axis), attrInt("keepdims", 0)}
	return b.cast(b.op(op, out.WithDType(core.Int64), attrs, x), index)
}
