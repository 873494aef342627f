package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// sortByProgram sorts by a comparator, nil if the comparator is not elementwise. It performs the
// reference's merges, which decide the result of any comparator: it merges runs of 1, 2, 4, …
// elements of all rows at once. An iteration finds the next element of each merged run.
func sortByProgram(p indexed.SortByP, x core.ShapedArray) lower.Expansion {
	n := x.Shape.At(p.Dimension)
	if x.Size() == 0 || n < 2 {
		return func(in []core.Value) []core.Value { return in }
	}
	if !isElementwise(p.Before) {
		return nil
	}
	return func(in []core.Value) []core.Value {
		last := x.Rank() - 1
		perm := core.Range(0, last+1).Remove(p.Dimension).Append(p.Dimension)
		back := make([]int, last+1)
		for i, d := range perm.All() {
			back[d] = i
		}
		all := core.MakeDims(x.Size())
		m := merger{before: p.Before, rows: x.Size() / n, n: n, dt: positionType(max(x.Size(), 3*n))}
		for _, v := range in {
			m.xs = append(m.xs, prim.Reshape(prim.Transpose(v, perm), all))
		}
		order := prim.Iota(m.dt, all, 0)
		for width := 1; width < n; width *= 2 {
			order = m.merge(order, width)
		}
		out := make([]core.Value, len(in))
		for i, v := range m.xs {
			out[i] = prim.Transpose(prim.Reshape(take(v, order), perm.Map(x.Shape.At)), core.MakeDims(back...))
		}
		return out
	}
}

// A merger merges runs of rows of n elements, which lie one after the other in the vectors xs.
type merger struct {
	before  *jaxpr.Jaxpr
	xs      []core.Value
	rows, n int
	dt      core.DType // of positions; it also holds a position in a row plus twice a width
}

// merge returns the positions of elements after merges of neighbouring runs of a width, given the positions
// before the merges.
func (m merger) merge(order core.Value, width int) core.Value {
	runs := (m.n + 2*width - 1) / (2 * width)
	steps := min(2*width, m.n)
	shape := core.MakeDims(m.rows * runs)
	num := func(k int) core.Value { return filled(number(k, m.dt), shape) }
	i := prim.Iota(m.dt, shape, 0)
	row := prim.Mul(prim.Div(i, num(runs)), num(m.n))
	start := prim.Mul(prim.Rem(i, num(runs)), num(2*width))
	at := func(offset int) core.Value {
		return prim.Add(row, prim.Min(prim.Add(start, num(offset)), num(m.n)))
	}
	k := len(m.xs)
	mid, end := at(width), at(2*width)
	consts := append(append([]core.Value(nil), m.xs...), order, mid, end)
	carry := []core.Value{at(0), mid}
	body := staged("merge", consts, carry, func(in []core.Value) []core.Value {
		xs, order, mid, end, left, right := in[:k], in[k], in[k+1], in[k+2], in[k+3], in[k+4]
		l, r := take(order, left), take(order, right)
		var args []core.Value
		for _, x := range xs {
			args = append(args, take(x, r), take(x, l))
		}
		hasLeft, hasRight := prim.Lt(left, mid), prim.Lt(right, end)
		first := prim.Or(core.Apply1(prim.NotP{}, hasLeft), applied(m.before, shape, args...)[0])
		fromRight := prim.And(hasRight, first)
		fromLeft := prim.And(hasLeft, core.Apply1(prim.NotP{}, fromRight))
		step := func(x, moves core.Value) core.Value { return prim.Add(x, prim.Convert(moves, m.dt, false)) }
		return []core.Value{step(left, fromLeft), step(right, fromRight), prim.Where(fromRight, r, l)}
	})
	scan := &jaxpr.Scan{Jaxpr: body, Length: steps, NumConsts: len(consts), NumCarry: 2, Unroll: 1}
	merged := core.Bind(scan, append(consts, carry...)...)[2] // by step and run
	merged = prim.Reshape(prim.Transpose(merged, core.MakeDims(1, 0)), core.MakeDims(m.rows, runs*steps))
	merged = prim.Slice(merged, core.MakeDims(0, 0), core.MakeDims(m.rows, m.n), core.Dims{})
	return prim.Reshape(merged, core.MakeDims(m.rows*m.n))
}
