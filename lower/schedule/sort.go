package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// rows are the rows of an array along an axis: element i of row (o, j) is at
// (o·n + i)·inner + j.
type rows struct{ outer, n, inner int64 }

func rowsOf(shape core.Dims, axis int) rows {
	r := rows{1, int64(shape.At(axis)), 1}
	for i, n := range shape.All() {
		switch {
		case i < axis:
			r.outer *= int64(n)
		case i > axis:
			r.inner *= int64(n)
		}
	}
	return r
}

// sort adds the kernels of a sort along an axis: by the last key first, each time stably. It reports whether it did.
func (n *Sequence) sort(in []core.ShapedArray, axis, keys int) bool {
	r := rowsOf(in[0].Shape, axis)
	for _, a := range in {
		if scalar.Components(a.DType) == 0 || a.DType.IsOtherKey() {
			return false
		}
	}
	if !r.sortable() {
		return false
	}
	sorted := 0 // operands that are sorted
	var places *Slot
	if keys == 1 && n.device.ByDigits(r.n) && r.inner == 1 && scalar.Components(in[0].DType) == 1 {
		sorted, places = n.elements(in, r)
	} else {
		places = n.order(in[:keys], r, false)
	}
	for i := sorted; i < len(in); i++ {
		n.Run(permute(in[i].DType, r, r.n, r.n), *places, operand(i), result(i))
	}
	return true
}

func (n *Sequence) topK(in core.ShapedArray, axis, k int) bool {
	r := rowsOf(in.Shape, axis)
	if !r.sortable() {
		return false
	}
	var places Slot
	each := r.n // places of a row
	if r.selects(k) && scalar.Components(in.DType) == 1 {
		places, each = n.selected(in, r, k), int64(k)
	} else {
		places = *n.order([]core.ShapedArray{in}, r, true)
	}
	n.Run(permute(in.DType, r, int64(k), each), places, operand(0), result(0))
	n.Run(positions(r, int64(k), each), places, result(1))
	return true
}

func (r rows) sortable() bool { return r.n > 0 && r.n < 1<<31 && r.outer*r.inner > 0 }

// order adds kernels that sort the rows of the operands. It returns memory of the numbers
// of the elements in order, row by row. If greatest is true, the greatest elements come
// first; floats are compared in IEEE 754's total order.
func (n *Sequence) order(keys []core.ShapedArray, r rows, greatest bool) *Slot {
	var s *sorter
	for k := len(keys) - 1; k >= 0; k-- {
		for part := scalar.Components(keys[k].DType) - 1; part >= 0; part-- {
			fresh := s == nil
			f, key := keyKernel(keys[k].DType, part, r, fresh, greatest)
			if fresh {
				s = n.newSorter(key.Type(), r.outer*r.inner, r.n)
				n.Run(f, operand(k), s.now.keys, s.now.places)
			} else {
				s.key = key.Type()
				n.Run(f, s.now.places, operand(k), s.now.keys)
			}
			s.sort(key.low, key.high, fresh)
		}
	}
	return &s.now.places
}

// keyKernel returns the kernel that computes the keys of one component of the elements, row by row, and how it
// computes a key. If fresh is set, the kernel numbers the elements, too; else it takes the elements in the order of
// the numbers in the buffer `places`.
func keyKernel(dt core.DType, part int, r rows, fresh, greatest bool) (*ir.Kernel, sortKey) {
	b := maker{ir.NewBuilder("sort_keys")}
	t := scalar.Stored(dt)
	comps := int64(scalar.Components(dt))
	count := r.outer * r.inner * r.n
	order := keyOf(dt, greatest)
	key := order.Type()
	var places, x, keys int
	declare := func(name string, role ir.Role, t scalar.Type, n int64) int {
		return b.Buffer(name, role, t, ir.Const(n))
	}
	if fresh {
		x = declare("x", ir.In, t, count*comps)
		keys = declare("keys", ir.Out, key, count)
		places = declare("places", ir.Out, scalar.I32, count)
	} else {
		places = declare("places", ir.In, scalar.I32, count)
		x = declare("x", ir.In, t, count*comps)
		keys = declare("keys", ir.Out, key, count)
	}
	o, j, i := b.rowGrid(r, r.n)
	to := along(1, count, term(o, r.inner*r.n), term(j, r.n), term(i, 1))
	var at ir.Access
	if fresh {
		b.Store(access(places, 0, to), b.Index(scalar.I32, ir.Const(0), term(i, 1)))
		at = access(x, int64(part), along(comps, count, term(o, r.n*r.inner), term(i, r.inner), term(j, 1)))
	} else {
		p := b.Load(access(places, 0, to))
		at = access(x, int64(part), along(comps, (r.outer-1)*r.n*r.inner+r.inner, term(o, r.n*r.inner), term(j, 1)),
			ir.Coord{Stride: ir.Const(r.inner * comps), Bound: ir.Const(r.n), Mode: ir.Clamp, Value: p})
	}
	b.Store(access(keys, 0, to), b.Inline(order.Prog, [][]ir.Ref{{b.Load(at)}})[0])
	return b.Finish(), order
}

// permute returns the kernel that writes k elements of each row: those whose numbers are the first k of the row in the
// buffer `places`, which has the given number of places for each row.
func permute(dt core.DType, r rows, k, each int64) *ir.Kernel {
	b := maker{ir.NewBuilder("sort_take")}
	t := scalar.Stored(dt)
	comps := int64(scalar.Components(dt))
	places := b.Buffer("places", ir.In, scalar.I32, ir.Const(r.outer*r.inner*each))
	x := b.Buffer("x", ir.In, t, ir.Const(r.outer*r.n*r.inner*comps))
	y := b.Buffer("y", ir.Out, t, ir.Const(r.outer*k*r.inner*comps))
	o, j, i := b.rowGrid(r, k)
	p := b.Load(access(places, 0, along(1, r.outer*r.inner*each, term(o, r.inner*each), term(j, each), term(i, 1))))
	for c := range comps {
		v := b.Load(access(x, c, along(comps, (r.outer-1)*r.n*r.inner+r.inner, term(o, r.n*r.inner), term(j, 1)),
			ir.Coord{Stride: ir.Const(r.inner * comps), Bound: ir.Const(r.n), Mode: ir.Clamp, Value: p}))
		b.Store(access(y, c, along(comps, r.outer*k*r.inner, term(o, k*r.inner), term(i, r.inner), term(j, 1))), v)
	}
	return b.Finish()
}

// positions returns the kernel that writes the first k places of each row, as permute takes them.
func positions(r rows, k, each int64) *ir.Kernel {
	b := maker{ir.NewBuilder("sort_positions")}
	places := b.Buffer("places", ir.In, scalar.I32, ir.Const(r.outer*r.inner*each))
	y := b.Buffer("y", ir.Out, scalar.I32, ir.Const(r.outer*k*r.inner))
	o, j, i := b.rowGrid(r, k)
	p := b.Load(access(places, 0, along(1, r.outer*r.inner*each, term(o, r.inner*each), term(j, each), term(i, 1))))
	b.Store(access(y, 0, along(1, r.outer*k*r.inner, term(o, k*r.inner), term(i, r.inner), term(j, 1))), p)
	return b.Finish()
}
