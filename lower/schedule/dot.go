package schedule

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Dot is a product of matrices whose kernel takes its sizes as symbols.
type Dot struct {
	Key      string
	Symbols  []int64
	Products int64 // multiplications
	Deep     int64 // products of a sum
	Kernel   *PanelProduct
}

// A dotAxis is one or more axes that are stepped through as one axis of n
// positions, a apart in A and b apart in B.
type dotAxis struct{ n, a, b int64 }

// DotOf returns the product of floats that an operation is, nil if it is another operation, if an operand or the result has no
// elements, or if its axes cannot be merged into those of matrices.
func DotOf(p core.Primitive, in []core.ShapedArray, out core.ShapedArray) *Dot {
	q, ok := p.(prim.DotGeneralP)
	if !ok || out.Size() == 0 || in[0].Size() == 0 {
		return nil
	}
	narrow := func(dt core.DType) bool { return dt == core.Float32 || scalar.IsSmallFloat(dt) }
	for _, a := range in {
		if !(narrow(a.DType) && narrow(out.DType)) && (a.DType != core.Float64 || out.DType != core.Float64) {
			return nil
		}
	}
	var steps [2][]int64
	for i, a := range in {
		step := int64(1)
		steps[i] = make([]int64, a.Rank())
		for d := a.Rank() - 1; d >= 0; d-- {
			steps[i][d] = step
			step *= int64(a.Shape.At(d))
		}
	}
	// merged returns axes as one. −1 stands for an axis that an operand lacks.
	// ok is false if one step per operand does not pass through all of them.
	merged := func(l, r []int) (x dotAxis, ok bool) {
		x.n = 1
		for k := len(l) - 1; k >= 0; k-- {
			y := dotAxis{n: 1}
			if l[k] >= 0 {
				y = dotAxis{int64(in[0].Shape.At(l[k])), steps[0][l[k]], 0}
			}
			if r[k] >= 0 {
				y.n, y.b = int64(in[1].Shape.At(r[k])), steps[1][r[k]]
			}
			switch {
			case y.n == 1:
			case x.n == 1:
				x = y
			case y.a != x.n*x.a || y.b != x.n*x.b:
				return x, false
			default:
				x.n *= y.n
			}
		}
		return x, true
	}
	none := func(axes []int) []int {
		all := make([]int, len(axes))
		for i := range all {
			all[i] = -1
		}
		return all
	}
	free := func(rank int, contract, batch core.Dims) (axes []int) {
		for d := range rank {
			if !contract.Has(d) && !batch.Has(d) {
				axes = append(axes, d)
			}
		}
		return axes
	}
	rows, cols := free(in[0].Rank(), q.LhsContract, q.LhsBatch), free(in[1].Rank(), q.RhsContract, q.RhsBatch)
	b, okB := merged(q.LhsBatch.Ints(), q.RhsBatch.Ints())
	k, okK := merged(q.LhsContract.Ints(), q.RhsContract.Ints())
	m, okM := merged(rows, none(rows))
	n, okN := merged(none(cols), cols)
	if !okB || !okK || !okM || !okN {
		return nil
	}
	f := &factoring{divided: true}
	d := &Dot{Kernel: &PanelProduct{}, Products: b.n * m.n * n.n * k.n, Deep: k.n}
	x := d.Kernel
	x.Batches, x.Sizes = f.number(b.n), f.sizesOf(m.n, n.n, k.n)
	at := func(buffer int, a core.ShapedArray, batch, row, col int64) Matrices {
		x.Buffers = append(x.Buffers, ir.Buffer{Name: string(rune('a' + buffer)), Type: scalar.Stored(a.DType), Len: f.number(int64(a.Size()))})
		w := Matrices{Buffer: buffer, DType: a.DType, Row: 2, Col: 1} // which neighbours are nearer
		if row < col {
			w = w.Transposed()
		}
		w.Steps = [3]ir.Size{f.number(batch), f.number(row), f.number(col)}
		return w
	}
	x.A, x.B = at(0, in[0], b.a, m.a, k.a), at(1, in[1], b.b, k.b, n.b)
	x.C = at(2, out, m.n*n.n, n.n, 1)
	x.Buffers[2].Role = ir.Out
	x.Symbols = f.names()
	d.Symbols, d.Key = f.symbols, fmt.Sprint(in[0].DType, in[1].DType, out.DType, x.A.Row, x.B.Row)
	return d
}
