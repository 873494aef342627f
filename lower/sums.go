package lower

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// sums replaces sums over the devices of a mesh by additions. Where the additions add up products that are
// large together, as gradients of weights are, [heldSum] computes them.
func sums(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	s := &summing{made: map[*jaxpr.Var]*jaxpr.Eqn{}, uses: map[*jaxpr.Var]int{}, some: map[*jaxpr.Jaxpr]bool{}, done: map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}}
	if !s.scan(j) {
		return j
	}
	return inlineCalls(s.program(j))
}

// sumOfDevices returns p as a sum over devices. ok is false if p is another primitive, or a sum over named axes.
func sumOfDevices(p core.Primitive) (prim.PsumP, bool) {
	q, ok := p.(prim.PsumP)
	return q, ok && !core.NamesAxes(q)
}

type summing struct {
	made map[*jaxpr.Var]*jaxpr.Eqn // the equation that makes each variable
	uses map[*jaxpr.Var]int
	some map[*jaxpr.Jaxpr]bool // whether a program has a sum over devices
	done map[*jaxpr.Jaxpr]*jaxpr.Jaxpr
}

// scan records which equations make variables and how often variables are used. It reports whether there is a
// sum over devices.
func (s *summing) scan(j *jaxpr.Jaxpr) (some bool) {
	if some, seen := s.some[j]; seen {
		return some
	}
	defer func() { s.some[j] = some }()
	use := func(as []jaxpr.Atom) {
		for _, a := range as {
			if v, ok := a.(*jaxpr.Var); ok {
				s.uses[v]++
			}
		}
	}
	for _, e := range j.Eqns {
		_, is := sumOfDevices(e.Prim)
		some = some || is
		use(e.Ins)
		for _, v := range e.Outs {
			s.made[v] = e
		}
		for _, q := range jaxpr.Programs(e.Prim) {
			within := s.scan(q)
			some = some || within
		}
	}
	use(j.Outs)
	return some
}

func (s *summing) program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if out, ok := s.done[j]; ok {
		return out
	}
	out := j
	if s.some[j] {
		out = mapPrograms(j, s.program)
	}
	for i, e := range out.Eqns {
		p, ok := sumOfDevices(e.Prim)
		if !ok {
			continue
		}
		if out == j {
			out = withEqns(j, slices.Clone(j.Eqns))
		}
		ins, f := e.Ins, Expansion(p.Expand)
		if h := s.held(e.Ins[0], p.Axes.Positions); h != nil {
			ins, f = h.in[:], h.sum
		}
		x := &opExpander{done: map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}, of: func(e *jaxpr.Eqn) Expansion {
			if _, ok := sumOfDevices(e.Prim); !ok {
				return nil
			}
			return f
		}}
		made := x.expansion(&jaxpr.Eqn{Outs: e.Outs, Prim: p, Ins: ins, Site: e.Site})
		out.Eqns[i] = &jaxpr.Eqn{Outs: e.Outs, Prim: &jaxpr.Jit{Fn: p.Name(), Jaxpr: made}, Ins: ins, Site: e.Site}
	}
	s.done[j] = out
	return out
}

const (
	heldRows  = 8       // products that are added in one expression; a power of two
	heldBytes = 8 << 20 // bytes of products up to which all are held
)

// A heldSum is the sum of the products of many devices. It holds only some of the products at once:
// it is a loop over groups of devices, with a loop over smaller groups in it. The sum is a pairwise
// tree of neighbours, so that the sum of a group whose size is a power of two is a subtree. Of n
// arrays about 8·log₈(n) are held at once.
type heldSum struct {
	in   [2]jaxpr.Atom
	axes [2]core.Dims // the devices' axes in each operand, the outermost first
	p    prim.DotGeneralP
	out  core.ShapedArray                       // type of the products
	then []func(x core.Value, n int) core.Value // the operations that follow on the products of n devices, in order
}

// held returns x, which is added up over axes, as a heldSum; nil if it cannot be computed as one.
func (s *summing) held(x jaxpr.Atom, axes core.Dims) *heldSum {
	a := x.Aval()
	at := slices.Sorted(slices.Values(axes.Ints()))
	n := 1
	for k, axis := range at {
		size := a.Shape.At(axis)
		if k > 0 && size&(size-1) != 0 {
			return nil // sums over this axis are no subtrees of the tree over all devices
		}
		n *= size
	}
	if n <= heldRows || a.Size()*a.DType.Size() <= heldBytes {
		return nil
	}
	h := &heldSum{}
	for {
		v, ok := x.(*jaxpr.Var)
		if !ok || s.uses[v] != 1 || s.made[v] == nil {
			return nil
		}
		e := s.made[v]
		x = e.Ins[0]
		switch p := e.Prim.(type) {
		case prim.ConvertElementTypeP:
			h.then = append(h.then, func(x core.Value, _ int) core.Value { return core.Bind1(p, x) })
		case prim.TransposeP:
			of := make([]int, len(at)) // the devices' axes before the transposition
			for k, axis := range at {
				of[k] = p.Perm.At(axis)
			}
			perm := p.Perm.Remove(at...).Map(func(d int) int { return 1 + without(d, of) }).Prepend(0)
			at = of
			h.then = append(h.then, func(x core.Value, _ int) core.Value { return prim.Transpose(x, perm) })
		case prim.ReshapeP:
			rest := v.Type.Shape.Remove(at...)
			if at = sameAxes(x.Aval().Shape, v.Type.Shape, at); at == nil {
				return nil
			}
			h.then = append(h.then, func(x core.Value, n int) core.Value { return prim.Reshape(x, rest.Prepend(n)) })
		case prim.DotGeneralP:
			for _, axis := range at {
				if axis >= p.LhsBatch.Len() {
					return nil
				}
			}
			h.in, h.p, h.out = [2]jaxpr.Atom{e.Ins[0], e.Ins[1]}, p, v.Type
			h.axes = [2]core.Dims{core.MakeDims(at...).Map(p.LhsBatch.At), core.MakeDims(at...).Map(p.RhsBatch.At)}
			slices.Reverse(h.then)
			return h
		default:
			return nil
		}
	}
}

// without returns the number of axis d after the given axes are dropped. d is not one of them.
func without(d int, axes []int) int {
	n := d
	for _, a := range axes {
		if a < d {
			n--
		}
	}
	return n
}

// sameAxes returns, for each of the given axes of `to`, the axis of `from` that becomes it in a reshape of
// one shape to the other; nil if one of them has none.
func sameAxes(from, to core.Dims, axes []int) []int {
	var out []int
	for _, axis := range axes {
		at, before := -1, 1
		for i, n := range from.All() {
			if before == to.Slice(0, axis).Size() && n == to.At(axis) {
				at = i
				break
			}
			before *= n
		}
		if at < 0 {
			return nil
		}
		out = append(out, at)
	}
	return out
}

// sum is an [Expansion]: it computes the sum over all devices from the operands h.in.
func (h *heldSum) sum(in []core.Value) []core.Value {
	var ops [2]core.Value
	n := 1
	for i, v := range in {
		n = 1
		rest := v.Aval().Shape.Ints()
		perm := h.axes[i].Ints()
		for _, axis := range perm {
			n *= rest[axis]
		}
		for d := range rest {
			if !h.axes[i].Has(d) {
				perm = append(perm, d)
			}
		}
		ops[i] = prim.Reshape(prim.Transpose(v, core.MakeDims(perm...)), v.Aval().Shape.Remove(h.axes[i].Ints()...).Prepend(n))
	}
	h.lead()
	x := h.over(ops, n)
	x = prim.Reshape(x, x.Aval().Shape.Slice(1, x.Aval().Rank()))
	return []core.Value{prim.Convert(x, h.out.DType, false)}
}

// lead makes the devices the first batch axis of the product.
func (h *heldSum) lead() {
	renumber := func(d core.Dims, side int) core.Dims {
		return d.Map(func(axis int) int { return 1 + without(axis, h.axes[side].Ints()) })
	}
	others := func(d core.Dims, side int) core.Dims {
		return renumber(core.MakeDims(slices.DeleteFunc(d.Ints(), h.axes[side].Has)...), side).Prepend(0)
	}
	h.p.LhsContract, h.p.RhsContract = renumber(h.p.LhsContract, 0), renumber(h.p.RhsContract, 1)
	h.p.LhsBatch, h.p.RhsBatch = others(h.p.LhsBatch, 0), others(h.p.RhsBatch, 1)
}

// over returns the sum over n devices, with a leading axis of size 1.
func (h *heldSum) over(ops [2]core.Value, n int) core.Value {
	if n <= heldRows {
		return addRows(h.rows(ops, n))
	}
	c := heldRows // devices of a group: the sum is one of at most heldRows groups
	for c*heldRows < n {
		c *= heldRows
	}
	full := n / c
	var xs [2]core.Value
	var avals []core.ShapedArray
	for i, v := range ops {
		rest := v.Aval().Shape.Slice(1, v.Aval().Rank())
		xs[i] = prim.Reshape(prim.SliceAxis(v, 0, 0, full*c, 1), rest.Prepend(full, c))
		avals = append(avals, v.Aval().WithShape(rest.Prepend(c)))
	}
	body := trace.Stage("sum", avals, func(in []core.Value) []core.Value { return []core.Value{h.over([2]core.Value(in), c)} })
	groups := core.Bind1(&jaxpr.Scan{Jaxpr: body, Length: full, Unroll: 1}, xs[:]...)
	rest := groups.Aval().Shape.Slice(1, groups.Aval().Rank())
	rows := rowsIn(prim.Reshape(groups, rest.Slice(1, rest.Len()).Prepend(full)))
	if full*c < n {
		for i, v := range ops {
			ops[i] = prim.SliceAxis(v, 0, full*c, n, 1)
		}
		rows = append(rows, h.over(ops, n-full*c))
	}
	return addRows(rows)
}

// rowsIn returns the rows of x, each with a leading axis of size 1.
func rowsIn(x core.Value) []core.Value {
	rows := make([]core.Value, x.Aval().Shape.At(0))
	for i := range rows {
		rows[i] = prim.SliceAxis(x, 0, i, i+1, 1)
	}
	return rows
}

// addRows adds up pairs of neighbours, then pairs of the sums, until one is left. The last of an odd number joins
// the next round.
func addRows(rows []core.Value) core.Value {
	for len(rows) > 1 {
		var next []core.Value
		for i := 0; i+1 < len(rows); i += 2 {
			next = append(next, prim.Add(rows[i], rows[i+1]))
		}
		if len(rows)%2 == 1 {
			next = append(next, rows[len(rows)-1])
		}
		rows = next
	}
	return rows[0]
}

// rows returns the products of n devices, each with a leading axis of size 1, in the type in which they are
// added.
func (h *heldSum) rows(ops [2]core.Value, n int) []core.Value {
	sum := h.out.DType
	if sum.IsFloat() && sum.Size() < 4 {
		sum = core.Float32
	}
	finish := func(x core.Value, n int) core.Value {
		for _, f := range h.then {
			x = f(x, n)
		}
		return prim.Convert(x, sum, false)
	}
	terms := 1
	for _, d := range h.p.LhsContract.All() {
		terms *= ops[0].Aval().Shape.At(d)
	}
	if terms > 1 || !h.out.DType.IsFloat() {
		return rowsIn(finish(core.Bind1(h.p, ops[0], ops[1]), n))
	}
	rows := make([]core.Value, n)
	for i := range rows {
		rows[i] = finish(h.outer(prim.SliceAxis(ops[0], 0, i, i+1, 1), prim.SliceAxis(ops[1], 0, i, i+1, 1)), 1)
	}
	return rows
}

// outer returns a product with one contracted term as an elementwise product, which one kernel computes along
// with the sum.
func (h *heldSum) outer(x, y core.Value) core.Value {
	nb := h.p.LhsBatch.Len()
	lhs := core.MakeDims(free(x, h.p.LhsContract, h.p.LhsBatch)...)
	rhs := core.MakeDims(free(y, h.p.RhsContract, h.p.RhsBatch)...)
	shape := append(h.p.LhsBatch.Map(x.Aval().Shape.At).Ints(), lhs.Map(x.Aval().Shape.At).Ints()...)
	shape = append(shape, rhs.Map(y.Aval().Shape.At).Ints()...)
	sum := h.out.DType
	if sum.Size() < 4 {
		sum = core.Float32
	}
	spread := func(x core.Value, contract, batch, free core.Dims, after int) core.Value {
		order := batch.Append(free.Ints()...)
		s := order.Map(x.Aval().Shape.At)
		x = prim.Reshape(prim.Transpose(x, order.Append(contract.Ints()...)), s)
		to := core.Range(0, nb).Append(core.Range(nb+after, nb+after+free.Len()).Ints()...)
		return prim.BroadcastInDim(prim.Convert(x, sum, false), core.MakeDims(shape...), to)
	}
	z := prim.Mul(spread(x, h.p.LhsContract, h.p.LhsBatch, lhs, 0), spread(y, h.p.RhsContract, h.p.RhsBatch, rhs, lhs.Len()))
	// The sum of a product starts from +0, which makes +0 of −0.
	z = prim.Add(z, prim.Num(z.Aval().WithShape(core.Dims{}), 0))
	return prim.Convert(z, h.out.DType, h.out.Weak)
}

// free returns the axes of an operand that are neither contracted nor of the batch.
func free(x core.Value, contract, batch core.Dims) (axes []int) {
	for d := range x.Aval().Rank() {
		if !contract.Has(d) && !batch.Has(d) {
			axes = append(axes, d)
		}
	}
	return axes
}
