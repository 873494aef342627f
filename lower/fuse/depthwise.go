package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// maxTaps bounds the positions of the window of a depthwise convolution, since a kernel has code
// for each. With more, a convolution is a product for each feature.
const maxTaps = 256

// isDepthwise reports whether a convolution convolves each feature alone and has a kernel of its
// own.
func isDepthwise(e *jaxpr.Eqn) bool {
	q, _ := convOf(e.Prim)
	x, w := e.Ins[0].Aval().Shape, e.Ins[1].Aval().Shape
	return w.At(q.RhsSpec.At(1)) == 1 && q.FeatureGroups > 1 && q.FeatureGroups == x.At(q.LhsSpec.At(1)) &&
		w.Size() <= maxTaps*w.At(q.RhsSpec.At(0)) && w.Size() > 0
}

// spreadFeatures makes a step of a depthwise convolution with several outputs for each feature,
// by repeating each feature of the operand for its outputs. A sum has the same terms in the same order.
func (p *planner) spreadFeatures(e *jaxpr.Eqn, q windows.ConvP) {
	x, outputs := e.Ins[0].Aval().Shape, e.Ins[1].Aval().Shape.At(q.RhsSpec.At(0))
	axis := q.LhsSpec.At(1)
	before, after := x.Slice(0, axis+1), x.Slice(axis+1, x.Len())
	apart := before.Append(outputs / q.FeatureGroups).Append(after.Ints()...)
	y := p.apply(e, prim.BroadcastInDimP{Shape: apart, Dims: core.Range(0, apart.Len()).Remove(axis + 1)}, e.Ins[0])
	y = p.apply(e, prim.ReshapeP{Shape: x.Slice(0, axis).Append(outputs).Append(after.Ints()...)}, y)
	q.FeatureGroups = outputs
	p.conv(&jaxpr.Eqn{Outs: e.Outs, Prim: q, Ins: []jaxpr.Atom{y, e.Ins[1]}, Site: e.Site})
}

// Bounds of the kernels of depthwise convolutions.
const (
	mostApart  = 4       // positions along the outer axes that have kernels of their own
	mostBeside = 4       // results that a point of the grid computes along the last axis
	mostHeld   = 14      // sums and taps of a row that are held in registers together
	leastEdged = 1 << 14 // product of grid points and features from which irpass.Boxes separates the borders from the rest
)

// A tap is where a position of the window reads the input along an axis.
type tap struct {
	base   int64
	inside ir.Ref // NoRef: everywhere
	value  ir.Ref // along a dilated axis: the index of the element, else NoRef
}

// A depthwise is a convolution of each feature alone: features lie side by side in vectors. The
// operands and the result have their features last.
type depthwise struct {
	q               windows.ConvP
	in, out, window core.Dims // the window has its taps first, then 1, then features
	base            core.DType
	chunk           int
	beside          int // results that a point computes along the last axis, which share what they read
	spatial         int
}

// depthwise adds the steps of a convolution of each feature alone, and returns the last one's number. If there are
// few rows of results, and taps outside the input, each row has a kernel of its own without those taps.
func (p *planner) depthwise(x, w jaxpr.Atom, q windows.ConvP, z *jaxpr.Var, base core.DType, chunk int) (seq int) {
	d := &depthwise{q: q, in: x.Aval().Shape, out: z.Type.Shape, window: w.Aval().Shape, base: base, chunk: chunk, beside: 1}
	d.spatial = d.out.Len() - 2
	apart, edged := 1, false
	for i := range max(0, d.spatial-1) {
		apart *= d.out.At(1 + i)
		edged = edged || d.guarded(i)
	}
	if !edged || apart > mostApart {
		apart = 1
	}
	if last := d.spatial - 1; last >= 0 && q.LhsDilation.At(last) == 1 {
		edged = edged && apart == 1 || d.guarded(last)
		for n := min(mostBeside, mostHeld-d.window.At(last)); n > 1; n-- {
			if d.out.At(1+last)%n == 0 && (!edged || d.out.Size()/n >= leastEdged) {
				d.beside = n
				break
			}
		}
	}
	for i := range apart {
		var at []int
		if apart > 1 {
			at = make([]int, d.spatial-1)
			for k := d.spatial - 2; k >= 0; k-- {
				at[k] = i % d.out.At(1+k)
				i /= d.out.At(1 + k)
			}
		}
		seq = p.add(d.kernel(p, x, w, z, at))
	}
	return seq
}

// extent returns the size of an axis of the dilated input.
func (d *depthwise) extent(axis int) int64 {
	return int64(d.in.At(1+axis)-1)*int64(d.q.LhsDilation.At(axis)) + 1
}

// offset returns the position that a tap reads for the first result along an axis.
func (d *depthwise) offset(axis, t int) int64 {
	return int64(t*d.q.RhsDilation.At(axis) - d.q.Padding.At(2*axis))
}

// guarded reports whether taps of an axis may read no element for some results.
func (d *depthwise) guarded(axis int) bool {
	last := d.offset(axis, d.window.At(axis)-1) + int64((d.out.At(1+axis)-1)*d.q.Strides.At(axis))
	return d.q.LhsDilation.At(axis) > 1 || d.offset(axis, 0) < 0 || last >= d.extent(axis)
}

// tap returns how the input is read along an axis at position base + i·stride, where i counts along an
// axis of the grid; i·stride is at most last.
func (d *depthwise) tap(e *emitter, axis int, base int64, grid ir.Axis, stride, last int64) tap {
	t := tap{base, ir.NoRef, ir.NoRef}
	gap := int64(d.q.LhsDilation.At(axis))
	extent := d.extent(axis)
	if base >= 0 && base+last < extent && gap == 1 {
		return t
	}
	at := e.b.Index(scalar.I64, ir.Const(base), ir.Term{Axis: grid, Coeff: ir.Const(stride)})
	t.inside = e.within(at, extent)
	if gap > 1 {
		step := e.b.Const(scalar.I64, uint64(gap))
		t.value = e.op(scalar.OpDiv, scalar.I64, at, step)
		t.inside = e.and(t.inside, e.op(scalar.OpEq, scalar.Bool, e.op(scalar.OpMul, scalar.I64, t.value, step), at))
	}
	return t
}

// kernel writes the kernel that computes the results at position `at` along the outer axes, or all
// results if `at` is nil.
func (d *depthwise) kernel(p *planner, x, w jaxpr.Atom, z *jaxpr.Var, at []int) *Launch {
	e := &emitter{p: p, b: ir.NewBuilder("k" + itoa(len(p.items)) + "_depthwise"), bufOf: map[int]int{}}
	b := e.b
	rank := d.out.Len()
	features := int64(d.out.At(rank - 1))
	last := d.spatial - 1
	batch := b.Grid(ir.Const(int64(d.out.At(0))))
	grid := make([]ir.Axis, d.spatial)
	for i := range d.spatial {
		n := int64(d.out.At(1 + i))
		if i == last {
			n /= int64(d.beside)
		}
		if i == last || at == nil {
			grid[i] = b.Grid(ir.Const(n))
		}
	}
	xs, ws, zs := rowMajor(d.in), rowMajor(d.window), rowMajor(d.out)
	n := p.of(z)
	xb, wb, zb := e.buffer(p.memory(x), ir.In), e.buffer(p.memory(w), ir.In), e.buffer(n.value, ir.Out)
	term := func(axis ir.Axis, coeff int64) []ir.Term { return []ir.Term{{Axis: axis, Coeff: ir.Const(coeff)}} }

	// A combination of taps, one for each outer axis, that reads elements. number is its number among all combinations.
	type outer struct {
		taps   []tap
		number int
		inside ir.Ref
	}
	rows := []outer{{inside: ir.NoRef}}
	for i := range max(0, last) {
		var next []outer
		stride := int64(d.q.Strides.At(i))
		for _, r := range rows {
			for t := range d.window.At(i) {
				k := tap{d.offset(i, t), ir.NoRef, ir.NoRef}
				if at == nil {
					k = d.tap(e, i, k.base, grid[i], stride, int64(d.out.At(1+i)-1)*stride)
				} else {
					k.base += int64(at[i]) * stride
					gap := int64(d.q.LhsDilation.At(i))
					if k.base < 0 || k.base >= d.extent(i) || k.base%gap != 0 {
						continue
					}
					k.base /= gap
				}
				inside := r.inside
				if k.inside != ir.NoRef {
					inside = e.and(inside, k.inside)
				}
				next = append(next, outer{append(slices.Clone(r.taps), k), r.number*d.window.At(i) + t, inside})
			}
		}
		rows = next
	}
	// The taps at positions along the last axis, which neighbouring results share.
	taps, stride := 1, int64(1)
	if last >= 0 {
		taps, stride = d.window.At(last), int64(d.q.Strides.At(last))
	}
	var offsets []int64
	for j := range d.beside {
		for t := range taps {
			if last >= 0 {
				offsets = append(offsets, d.offset(last, t)+int64(j)*stride)
			}
		}
	}
	slices.Sort(offsets)
	offsets = slices.Compact(offsets)
	line := make([]tap, max(1, len(offsets)))
	line[0] = tap{0, ir.NoRef, ir.NoRef}
	step := stride * int64(d.beside)
	for i, base := range offsets {
		line[i] = d.tap(e, last, base, grid[last], step, int64(d.out.At(1+last)/d.beside-1)*step)
	}
	inside := make([][]ir.Ref, len(rows))
	for i, r := range rows {
		for _, t := range line {
			c := r.inside
			if t.inside != ir.NoRef {
				c = e.and(c, t.inside)
			}
			inside[i] = append(inside[i], c)
		}
	}

	t := scalar.Stored(d.base)
	zero := b.Const(t, 0)
	float := d.base.IsFloat()
	b.Vector(ir.Const(features), nil, func(c ir.Axis) {
		feature := ir.Coord{Stride: ir.Const(1), Bound: ir.Const(features), Terms: term(c, 1), Value: ir.NoRef}
		sums, accs := make([]ir.Ref, d.beside), make([]ir.Ref, d.beside)
		done := make([]int, d.beside) // taps so far, including taps that read no element
		for j := range accs {
			sums[j], accs[j] = zero, zero
		}
		// reach ends the chains of result j that are complete before tap k. Taps that read no element count, too.
		reach := func(j, k int) {
			for ; done[j] < k; done[j]++ {
				if n := done[j] + 1; float && n%d.chunk == 0 {
					sums[j], accs[j] = e.op(scalar.OpAdd, t, sums[j], accs[j]), zero
				}
			}
		}
		// read loads the element that a tap reads.
		read := func(r outer, l tap) ir.Ref {
			from := ir.Access{Buffer: xb, Coords: []ir.Coord{{Stride: ir.Const(int64(xs[0])), Bound: ir.Const(int64(d.in.At(0))), Terms: term(batch, 1), Value: ir.NoRef}, feature}}
			for a := range d.spatial {
				k, coeff := l, step
				if a < last {
					k, coeff = r.taps[a], int64(d.q.Strides.At(a))
				}
				m := ir.Coord{Stride: ir.Const(int64(xs[1+a])), Bound: ir.Const(int64(d.in.At(1 + a))), Base: ir.Const(k.base), Value: ir.NoRef}
				if a == last || at == nil {
					m.Terms = term(grid[a], coeff)
				}
				if k.inside != ir.NoRef {
					m.Mode = ir.Clamp
				}
				if k.value != ir.NoRef {
					m.Base, m.Terms, m.Value = ir.Const(0), nil, k.value
				}
				from.Coords = append(from.Coords, m)
			}
			return b.Load(from)
		}
		for i, r := range rows {
			weights := make([]ir.Ref, taps)
			for k := range weights {
				weights[k] = ir.NoRef
			}
			for o, l := range line {
				xv := ir.NoRef
				for j := range d.beside {
					for k := range taps {
						if last >= 0 && d.offset(last, k)+int64(j)*stride != l.base {
							continue
						}
						if xv == ir.NoRef {
							xv = read(r, l)
						}
						if weights[k] == ir.NoRef {
							weights[k] = b.Load(ir.Access{Buffer: wb, Offset: ir.Const(int64((r.number*taps + k) * ws[d.spatial])), Coords: []ir.Coord{feature}})
						}
						reach(j, r.number*taps+k)
						var next ir.Ref
						if float {
							next = e.op(scalar.OpFMA, t, xv, weights[k], accs[j])
						} else {
							next = e.op(scalar.OpAdd, t, accs[j], e.op(scalar.OpMul, t, xv, weights[k]))
						}
						if inside[i][o] != ir.NoRef {
							next = e.op(scalar.OpSelect, t, inside[i][o], next, accs[j])
						}
						accs[j] = next
					}
				}
			}
		}
		for j, acc := range accs {
			if float {
				reach(j, d.window.Size()/int(features)-1)
				acc = e.op(scalar.OpCanon, t, e.op(scalar.OpAdd, t, accs[j], sums[j]))
			}
			to := ir.Access{Buffer: zb, Coords: []ir.Coord{feature, {Stride: ir.Const(int64(zs[0])), Bound: ir.Const(int64(d.out.At(0))), Terms: term(batch, 1), Value: ir.NoRef}}}
			for a := range d.spatial {
				m := ir.Coord{Stride: ir.Const(int64(zs[1+a])), Bound: ir.Const(int64(d.out.At(1 + a))), Value: ir.NoRef}
				switch {
				case a == last:
					m.Base, m.Terms = ir.Const(int64(j)), term(grid[a], int64(d.beside))
				case at == nil:
					m.Terms = term(grid[a], 1)
				default:
					m.Base = ir.Const(int64(at[a]))
				}
				to.Coords = append(to.Coords, m)
			}
			b.Store(to, acc)
		}
	})
	return &Launch{Kernel: irpass.Hoist(b.Finish()), Buffers: e.buffers}
}
