package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// Bounds of products that compute their right operand where they read it.
const (
	mostFewRows = 32           // of the left operand
	rowsAtOnce  = 4            // rows that share an element of the right operand, at most
	leastFew    = manyElements // elements of the right operand
	mostFewWork = 1 << 28      // products in a point of the grid, which does not look at the context while it runs
)

// A fewRows is a product of few rows with a matrix whose elements are computed from fewer stored bytes,
// such as integers with scales. It takes about the time of reading the matrix, so a kernel
// computes the elements in registers, and sums columns side by side:
//
//	C[batch, m, n] = Σₖ A[batch, m, k] · B[batch, k, n]
//
// The sums are those of [Product].
type fewRows struct {
	eqn         *jaxpr.Eqn
	q           prim.DotGeneralP
	left, right jaxpr.Atom
}

// fewRows plans a product of floats as a fewRows. It reports false where a product step is better.
func (p *planner) fewRows(e *jaxpr.Eqn, q prim.DotGeneralP, a, b jaxpr.Atom, out *jaxpr.Var) bool {
	_, chunk := dotOf(e.Prim)
	if _, device := p.target.Division.(irpass.Device); device || chunk != ir.ChainSize || p.fast != core.Invalid || !out.Type.DType.IsFloat() {
		return false
	}
	f := &fewRows{e, q, a, b}
	v, ok := b.(*jaxpr.Var)
	if !ok || f.rows() > mostFewRows || f.rows() < 1 || v.Type.Size() < leastFew || f.leastWork() > mostFewWork {
		return false
	}
	last := v.Type.Rank() - 1
	n := p.of(v)
	if n.kind != virtual || q.RhsContract.Has(last) || q.RhsBatch.Has(last) || v.Type.Shape.At(last) < 2*vectorLanes || !p.expands(n, false) {
		return false
	}
	if _, _, ok := chainAxis(f.contracted()); !ok {
		return false
	}
	g := newGroup(int64(out.Type.Size() / f.rows()))
	g.few = f
	g.closed = true
	reached := func(left bool) bool {
		g.seq = len(p.items)
		d := &dry{p: p, g: g}
		return d.try(func(index, index) bool {
			axes := func(sizes []int64) (co []coord) {
				for _, n := range sizes {
					co = append(co, along(ir.Axis(len(d.m.extent))))
					d.m.extent = append(d.m.extent, n)
				}
				return co
			}
			batch, cols, k := axes(f.batch()), axes(f.columns()), axes(f.contracted())
			if left {
				return d.reach(a, f.leftAt(0, batch, k))
			}
			return d.reach(b, f.rightAt(batch, cols, k))
		})
	}
	if !reached(false) {
		return false
	}
	if u, ok := a.(*jaxpr.Var); ok && p.of(u).kind != inMemory && !(p.moves(u) && reached(true)) {
		p.inMemory(p.of(u), false)
	}
	g.seq = len(p.items)
	n = p.bind(out, e, 0)
	n.kind, n.group, n.seq = member, g, g.seq
	p.addMember(g, n)
	p.add(g)
	p.inMemory(n, false)
	return true
}

func (f *fewRows) rows() int {
	return freeAxes(f.left, f.q.LhsBatch, f.q.LhsContract).Map(f.left.Aval().Shape.At).Size()
}

// leastWork returns the number of products in the smallest point of the grid: leastBlock columns, and all that is contracted.
func (f *fewRows) leastWork() int64 {
	work := int64(f.rows()) * leastBlock
	for _, n := range f.contracted() {
		work *= n
	}
	return work
}

// expands reports whether a value has at least one and a half times as many bytes as the values from which it is
// computed: values in memory and, unless members is set, members of groups.
func (p *planner) expands(n *node, members bool) bool {
	bytes := 0
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.kind == inMemory || n.kind == member && !members {
			bytes += n.v.Type.Size() * n.v.Type.DType.Size()
			return
		}
		for _, a := range n.eqn.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				walk(p.of(v))
			}
		}
	}
	walk(n)
	return 3*bytes <= 2*n.v.Type.Size()*n.v.Type.DType.Size()
}

// moves reports whether a variable is an array in memory, or made from one by movement.
func (p *planner) moves(v *jaxpr.Var) bool {
	n := p.of(v)
	if n.kind != virtual {
		return n.kind == inMemory
	}
	if !isMove(n.eqn.Prim) {
		return false
	}
	u, ok := n.eqn.Ins[0].(*jaxpr.Var)
	return ok && p.moves(u)
}

func sizesAt(a jaxpr.Atom, axes core.Dims) []int64 { return dims(axes.Map(a.Aval().Shape.At)) }

func (f *fewRows) batch() []int64      { return sizesAt(f.right, f.q.RhsBatch) }
func (f *fewRows) contracted() []int64 { return sizesAt(f.right, f.q.RhsContract) }
func (f *fewRows) columns() []int64 {
	return sizesAt(f.right, freeAxes(f.right, f.q.RhsBatch, f.q.RhsContract))
}

func placed(a jaxpr.Atom, axes []core.Dims, co [][]coord) index {
	x := index{shape: dims(a.Aval().Shape), co: make([]coord, a.Aval().Rank())}
	for i, list := range axes {
		for j, d := range list.All() {
			x.co[d] = co[i][j]
		}
	}
	return x
}

func (f *fewRows) rightAt(batch, cols, k []coord) index {
	free := freeAxes(f.right, f.q.RhsBatch, f.q.RhsContract)
	return placed(f.right, []core.Dims{f.q.RhsBatch, free, f.q.RhsContract}, [][]coord{batch, cols, k})
}

func (f *fewRows) leftAt(row int64, batch, k []coord) index {
	free := freeAxes(f.left, f.q.LhsBatch, f.q.LhsContract)
	return placed(f.left, []core.Dims{f.q.LhsBatch, free, f.q.LhsContract}, [][]coord{batch, f.row(row), k})
}

func (f *fewRows) row(i int64) []coord {
	sizes := sizesAt(f.left, freeAxes(f.left, f.q.LhsBatch, f.q.LhsContract))
	co := make([]coord, len(sizes))
	for d := len(sizes) - 1; d >= 0; d-- {
		co[d] = constant(i % sizes[d])
		i /= sizes[d]
	}
	return co
}

func (e *emitter) fewRows(f *fewRows, out *node) {
	var batch, cols []coord
	for _, n := range f.batch() {
		batch = append(batch, e.grid(n))
	}
	sizes := f.columns()
	last := len(sizes) - 1
	for _, n := range sizes[:last] {
		cols = append(cols, e.grid(n))
	}
	rows, work := int64(f.rows()), int64(f.rows())
	for _, n := range f.contracted() {
		work *= n
	}
	block := int64(leastBlock)
	for block < blockElems && block*work < foldBlock {
		block *= 2
	}
	e.blocks(sizes[last], block, func(c coord) {
		cols := append(cols[:last:last], c)
		parts := (rows + rowsAtOnce - 1) / rowsAtOnce
		each := (rows + parts - 1) / parts
		for first := int64(0); first < rows; first += each {
			sums := e.chains(f.contracted(), int(min(each, rows-first)), out.v.Type.DType, func(k []coord) (x []ir.Ref, y ir.Ref) {
				y = e.element(f.right, f.rightAt(batch, cols, k))[0]
				for i := first; i < min(first+each, rows); i++ {
					x = append(x, e.element(f.left, f.leftAt(i, batch, k))[0])
				}
				return x, y
			})
			for i, r := range sums {
				at := index{shape: dims(out.v.Type.Shape), co: slices.Concat(batch, f.row(first+int64(i)), cols)}
				e.store(out.value, at, []ir.Ref{e.op(scalar.OpCanon, e.b.TypeOf(r), r)})
			}
		}
	})
}

// chainAxis returns the axis along which chains of products end, and how many of its elements a
// chain takes, each with all elements of the axes after it. ok is false if a chain would go on from
// one row of the axis to the next.
func chainAxis(sizes []int64) (axis int, each int64, ok bool) {
	axis, each = len(sizes)-1, ir.ChainSize
	for axis > 0 && each%sizes[axis] == 0 {
		each /= sizes[axis]
		axis--
	}
	return axis, each, axis == 0 || sizes[axis]%each == 0
}

// mostUnrolled is the size of the last contracted axis up to which its products are written one after
// the other. Integers that are packed along it in one word then need one load.
const mostUnrolled = 16

// chains computes n sums along contracted axes, in the order of [ir.Chain]. products returns, for a position along them,
// the left factors of the n products and the right factor y that they share.
func (e *emitter) chains(sizes []int64, n int, dt core.DType, products func(k []coord) (x []ir.Ref, y ir.Ref)) []ir.Ref {
	if len(sizes) == 1 {
		return e.b.Reduce(ir.Chain, 0, ir.Const(sizes[0]), nil, func(a ir.Axis) (folds []ir.Elem) {
			e.push()
			defer e.pop()
			xs, y := products([]coord{along(e.axis(a, sizes[0]))})
			for _, x := range xs {
				folds = append(folds, ir.Elem{Op: ir.Sum, Value: x, Second: y})
			}
			return folds
		})
	}
	t := scalar.Stored(dt)
	zeros := slices.Repeat([]ir.Ref{e.b.Const(t, 0)}, n)
	axis, each, _ := chainAxis(sizes)
	loop := func(n int64, sums []ir.Ref, body func(c coord, sums []ir.Ref) []ir.Ref) []ir.Ref {
		if n == 1 {
			return body(constant(0), sums)
		}
		return e.b.Loop(ir.Const(n), sums, func(a ir.Axis, sums []ir.Ref) []ir.Ref {
			e.push()
			defer e.pop()
			return body(along(e.axis(a, n)), sums)
		})
	}
	var within func(k []coord, sums []ir.Ref) []ir.Ref // the rest of a chain
	within = func(k []coord, sums []ir.Ref) []ir.Ref {
		i := len(k)
		if i == len(sizes) {
			xs, y := products(k)
			sums = slices.Clone(sums)
			for j, x := range xs {
				sums[j] = e.op(scalar.OpFMA, t, x, y, sums[j])
			}
			return sums
		}
		next := func(c coord, sums []ir.Ref) []ir.Ref { return within(append(k[:i:i], c), sums) }
		if i == len(sizes)-1 && sizes[i] <= mostUnrolled {
			for c := range sizes[i] {
				sums = next(constant(c), sums)
			}
			return sums
		}
		return loop(sizes[i], sums, next)
	}
	var outside func(k []coord, totals []ir.Ref) []ir.Ref
	outside = func(k []coord, totals []ir.Ref) []ir.Ref {
		if len(k) < axis {
			return loop(sizes[len(k)], totals, func(c coord, totals []ir.Ref) []ir.Ref { return outside(append(k[:len(k):len(k)], c), totals) })
		}
		chain := func(start coord, n int64, totals []ir.Ref) []ir.Ref {
			sums := loop(n, zeros, func(c coord, sums []ir.Ref) []ir.Ref {
				return within(append(k[:len(k):len(k)], e.m.sum(start, c)), sums)
			})
			totals = slices.Clone(totals)
			for j, s := range sums {
				totals[j] = e.op(scalar.OpAdd, t, totals[j], s)
			}
			return totals
		}
		whole, rest := sizes[axis]/each, sizes[axis]%each
		if whole > 0 {
			totals = loop(whole, totals, func(c coord, totals []ir.Ref) []ir.Ref { return chain(e.m.times(c, each), each, totals) })
		}
		if rest > 0 {
			totals = chain(constant(whole*each), rest, totals)
		}
		return totals
	}
	return outside(nil, zeros)
}
