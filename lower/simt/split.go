package simt

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/ir"
)

// A Division consists of the two kernels that replace a kernel with few points and a long
// reduction: one reduces parts of it, the other combines their results and does the rest.
type Division struct {
	Parts, Join *ir.Kernel
	// Scratch has the sizes in bytes of the buffers between them: the last ones of Parts and of Join.
	Scratch []int64
}

// Bounds of divided reductions.
const (
	partLines     = columnChunks * ir.ChunkSize // lines of a part
	leastPart     = 2 * ir.ChunkSize            // lines of a part where there are few parts
	leastPartable = 2 * partLines               // lines of a reduction that is divided
	fewParts      = 1 << 14                     // parts of all points below which parts are made shorter
	fewPoints     = 1 << 17                     // points that do not keep a machine busy
	mostParts     = 1 << 12
	fewElements   = 1 << 17 // elements so few that groups, one a column, read them faster although they lie apart
)

// Divide returns the division of a kernel whose only long statement is a reduction across lines, in
// chunks or in any order; nil if the kernel has another form or is not worth dividing. A part is a
// power of two of chunks, so that the tree over all chunks is a tree over the parts.
func Divide(k *ir.Kernel) *Division {
	k = k.Inlined()
	c := columnsLike(k)
	if c == nil {
		return nil
	}
	lines, parts := c.division()
	if parts < 2 {
		return nil
	}
	d := &Division{}
	d.parts(k, c, lines, parts)
	d.join(k, c, parts)
	return d
}

// Columns reports whether a kernel reduces across lines and the lowering takes care of its few
// points, if it has few: it is divided, or a group takes each column.
func Columns(k *ir.Kernel) bool {
	c := columnsLike(k.Inlined())
	if c == nil {
		return false
	}
	_, parts := c.division()
	return parts > 1 || c.points() >= leastColumns || c.shared()
}

// shared reports whether a group takes each column of a kernel of few elements.
func (c *columnKernel) shared() bool {
	n := c.reduce.Extent.Value
	return tailOf(c.k) == nil && c.reduce.Tail == nil && n >= leastPartable && n*c.points()*c.vec <= fewElements
}

// division returns the lines of a part and the number of parts, 1 if the kernel is not divided.
func (c *columnKernel) division() (lines, parts int64) {
	n, points := c.reduce.Extent.Value, c.points()
	if c.reduce.Tail != nil || n < leastPartable || points >= fewPoints || c.shared() {
		return n, 1
	}
	lines = partLines
	for points*(n/lines) < fewParts && lines > leastPart {
		lines /= 2
	}
	for points*(n/lines) > fewPoints || n/lines > mostParts {
		lines *= 2
	}
	return lines, (n + lines - 1) / lines
}

// partial returns the access of the partial result of a point: the outermost axis counts parts.
func partial(k *ir.Kernel, buffer int, parts int64, part ir.Axis) ir.Access {
	dims, _ := pointsOf(k)
	total := int64(1)
	var terms []ir.Term
	for _, dim := range slices.Backward(dims) {
		terms = append(terms, ir.Term{Axis: dim.Axis, Coeff: ir.Const(total)})
		total *= dim.Extent.Value
	}
	slices.Reverse(terms)
	if n := len(dims); tailOf(k) != nil {
		total = total / (dims[n-1].Extent.Value * dims[n-2].Extent.Value) * tailOf(k).Total.Value
		for i := range n - 2 { // the two innermost dimensions are one of Total points
			terms[i].Coeff = ir.Const(terms[i].Coeff.Value / (dims[n-1].Extent.Value * dims[n-2].Extent.Value) * tailOf(k).Total.Value)
		}
	}
	terms = append([]ir.Term{{Axis: part, Coeff: ir.Const(total)}}, terms...)
	return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(total * parts), Terms: terms, Value: ir.NoRef}}}
}

// pointsOf returns the dimensions of a kernel's points. If a vector loop ends the body, it is the last dimension, and
// is returned, too.
func pointsOf(k *ir.Kernel) ([]ir.Dim, *ir.Loop) {
	dims := slices.Clone(k.Grid)
	if n := len(k.Body); n > 0 {
		if l, ok := k.Body[n-1].(*ir.Loop); ok && l.Kind == ir.Vector {
			return append(dims, ir.Dim{Axis: l.Axis, Extent: l.Extent}), l
		}
	}
	return dims, nil
}

func tailOf(k *ir.Kernel) *ir.Tail {
	if _, l := pointsOf(k); l != nil {
		return l.Tail
	}
	return nil
}

func rebuilt(k *ir.Kernel, name string, buffers []ir.Buffer, body ir.Block) *ir.Kernel {
	q := *k
	q.Name += name
	q.Buffers = buffers
	q.Body = body
	if _, l := pointsOf(k); l != nil {
		loop := *l
		loop.Body = body
		q.Body = append(slices.Clone(k.Body[:len(k.Body)-1]), &loop)
	}
	return &q
}

func scratch(k *ir.Kernel, i int, role ir.Role, n int64, f ir.Fold) ir.Buffer {
	return ir.Buffer{Name: fmt.Sprint("part", i), Role: role, Type: k.Types[f.Result], Len: ir.Const(n)}
}

func (d *Division) parts(k *ir.Kernel, c *columnKernel, lines, parts int64) {
	part := ir.Axis(k.Axes)
	r := *c.reduce
	r.Extent = ir.Const(lines)
	if c.reduce.Extent.Value%lines != 0 {
		r.Tail = &ir.Tail{Outer: part, Total: c.reduce.Extent}
	}
	shift := func(ts []ir.Term) []ir.Term {
		var out []ir.Term
		for _, t := range ts {
			if t.Axis == r.Axis {
				out = append(out, ir.Term{Axis: part, Coeff: ir.Const(t.Coeff.Value * lines)})
			}
			out = append(out, t)
		}
		return out
	}
	r.Body = r.Body.Copy(shift)
	body := append(slices.Clone(c.head), &r)
	buffers := slices.Clone(k.Buffers)
	for i, f := range r.Folds {
		at := partial(k, len(buffers), parts, part)
		n := at.Coords[0].Bound.Value
		buffers = append(buffers, scratch(k, i, ir.Out, n, f))
		d.Scratch = append(d.Scratch, n*int64(k.Types[f.Result].Size()))
		body = append(body, &ir.Store{At: at, Value: f.Result})
	}
	d.Parts = rebuilt(k, "_parts", buffers, body)
	d.Parts.Grid = append([]ir.Dim{{Axis: part, Extent: ir.Const(parts)}}, k.Grid...)
	d.Parts.Axes++
}

func (d *Division) join(k *ir.Kernel, c *columnKernel, parts int64) {
	r := *c.reduce
	r.Extent, r.Order, r.Body, r.Folds = ir.Const(parts), ir.Tree, nil, slices.Clone(c.reduce.Folds)
	if c.reduce.Order == ir.Any {
		r.Order = ir.Any
	}
	buffers, types := slices.Clone(k.Buffers), slices.Clone(k.Types)
	for i := range r.Folds {
		f := &r.Folds[i]
		at := partial(k, len(buffers), parts, r.Axis)
		buffers = append(buffers, scratch(k, i, ir.In, at.Coords[0].Bound.Value, *f))
		types = append(types, k.Types[f.Result])
		f.Value = ir.Ref(len(types) - 1)
		r.Body = append(r.Body, &ir.Load{Dst: f.Value, At: at})
	}
	q := *k
	q.Name, q.Buffers, q.Types = k.Name+"_join", buffers, types
	q.Grid = c.dims // merged: each column is a point of its grid
	body := append(slices.Concat(c.prefix, c.head, ir.Block{&r}), c.tail...)
	q.Body = body.Copy(func(ts []ir.Term) []ir.Term {
		return slices.DeleteFunc(slices.Clone(ts), func(t ir.Term) bool { return slices.Contains(c.gone, t.Axis) })
	})
	d.Join = &q
}
