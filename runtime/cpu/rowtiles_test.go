//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// rowProgram draws programs of products with elementwise operations and reductions of rows before,
// between and behind them.
type rowProgram struct {
	*operation
	b     *jaxpr.Builder
	ins   []core.ShapedArray
	outs  []jaxpr.Atom
	batch []int
	m     int
}

func (g *rowProgram) input(t core.ShapedArray) jaxpr.Atom {
	g.ins = append(g.ins, t)
	return g.b.Input(t)
}

func (g *rowProgram) eqn(p core.Primitive, in ...jaxpr.Atom) *jaxpr.Var { return g.b.Eqn(p, in...)[0] }

// spread broadcasts an array along the axes that it lacks.
func (g *rowProgram) spread(x jaxpr.Atom, shape core.Dims, dims ...int) jaxpr.Atom {
	return g.eqn(prim.BroadcastInDimP{Shape: shape, Dims: core.MakeDims(dims...)}, x)
}

// vary applies elementwise operations and reductions of rows.
func (g *rowProgram) vary(x jaxpr.Atom, most int) jaxpr.Atom {
	for range g.r.IntN(most + 1) {
		t := x.Aval()
		last := t.Rank() - 1
		float := t.DType.IsFloat()
		rows := core.MakeDims(t.Shape.Ints()[:last]...)
		front := core.Range(0, last).Ints()
		switch k := g.r.IntN(10); {
		case k == 0:
			x = g.eqn(prim.AddP{}, x, g.spread(g.input(core.Aval(t.DType, t.Shape.At(last))), t.Shape, last))
		case k == 1:
			x = g.eqn(prim.MulP{}, x, core.Lit(core.IntNumber(3), t.DType))
		case k == 2 && float:
			x = g.eqn(prim.TanhP{}, x)
		case k == 3:
			x = g.eqn(prim.MaxP{}, x, core.Lit(core.IntNumber(0), t.DType))
		case k == 4:
			x = g.eqn(prim.AddP{}, x, g.input(t))
		case k == 5 && float: // softmax
			top := g.eqn(prim.ReduceMaxP{Axes: core.MakeDims(last)}, x)
			e := g.eqn(prim.ExpP{}, g.eqn(prim.SubP{}, x, g.spread(top, t.Shape, front...)))
			sum := g.eqn(prim.ReduceSumP{Axes: core.MakeDims(last)}, e)
			x = g.eqn(prim.DivP{}, e, g.spread(sum, t.Shape, front...))
		case k == 6: // minus the sum of the row
			sum := g.eqn(prim.ReduceSumP{Axes: core.MakeDims(last)}, x)
			if g.r.IntN(3) == 0 {
				g.outs = append(g.outs, sum)
			}
			x = g.eqn(prim.SubP{}, x, g.spread(sum, t.Shape, front...))
		case k == 7: // a factor for each row
			x = g.eqn(prim.MulP{}, x, g.spread(g.input(core.ShapedArray{Shape: rows, DType: t.DType}), t.Shape, front...))
		case k == 8 && last > 0: // the sum of columns
			g.outs = append(g.outs, g.eqn(prim.ReduceSumP{Axes: core.MakeDims(last - 1)}, x))
		case k == 9:
			g.outs = append(g.outs, x)
		}
	}
	return x
}

// times multiplies the rows of x by a matrix of n columns, which the batch shares or not.
func (g *rowProgram) times(x jaxpr.Atom, n int) jaxpr.Atom {
	t := x.Aval()
	k := t.Shape.At(t.Rank() - 1)
	batch := g.batch
	if g.r.IntN(3) == 0 {
		batch = nil
	}
	nb := len(batch)
	q := prim.DotGeneralP{LhsContract: core.MakeDims(t.Rank() - 1), LhsBatch: core.Range(0, nb), RhsBatch: core.Range(0, nb)}
	shape := append([]int{}, batch...)
	if g.r.IntN(2) == 0 {
		q.RhsContract = core.MakeDims(nb)
		return g.eqn(q, x, g.input(core.Aval(t.DType, append(shape, k, n)...)))
	}
	q.RhsContract = core.MakeDims(nb + 1)
	return g.eqn(q, x, g.input(core.Aval(t.DType, append(shape, n, k)...)))
}

// summed multiplies the columns of x by those of other rows.
func (g *rowProgram) summed(x jaxpr.Atom, n int) {
	t := x.Aval()
	nb := len(g.batch)
	q := prim.DotGeneralP{LhsContract: core.MakeDims(nb), RhsContract: core.MakeDims(nb), LhsBatch: core.Range(0, nb), RhsBatch: core.Range(0, nb)}
	y := g.vary(g.input(core.Aval(t.DType, append(append([]int{}, g.batch...), g.m, n)...)), 1)
	if g.r.IntN(2) == 0 {
		x, y = y, x
	}
	g.outs = append(g.outs, g.vary(g.eqn(q, x, y), 1))
}

// paneled multiplies rows of x by a matrix that is computed, some columns after the others.
func (g *rowProgram) paneled(x jaxpr.Atom) {
	t := x.Aval()
	k := t.Shape.At(t.Rank() - 1)
	y := g.vary(g.input(core.Aval(t.DType, 2+g.r.IntN(3), k, 16+g.r.IntN(60))), 2)
	g.outs = append(g.outs, g.vary(g.eqn(prim.DotGeneralP{LhsContract: core.MakeDims(t.Rank() - 1), RhsContract: core.MakeDims(1)}, x, y), 1))
}

func (g *rowProgram) program(dt core.DType, size func() int) *jaxpr.Jaxpr {
	g.batch = nil
	for range g.r.IntN(3) {
		g.batch = append(g.batch, 1+g.r.IntN(4))
	}
	g.m = size()
	x := g.vary(g.input(core.Aval(dt, append(append([]int{}, g.batch...), g.m, size())...)), 2)
	for range 1 + g.r.IntN(2) {
		x = g.vary(g.times(x, size()), 3)
		if g.r.IntN(3) == 0 {
			g.summed(x, size())
		}
	}
	if g.r.IntN(3) == 0 {
		g.paneled(x)
	}
	g.outs = append(g.outs, x)
	return g.b.Build(g.outs...)
}

// rowTiledOperation returns an operation whose executors run steps on row tiles of random sizes.
func rowTiledOperation(t testing.TB, seed uint64) *operation {
	o := newOperation(t, seed, 12)
	o.named = func(name string) runtime.Executor {
		return cpu.RowTiled(name, func(s *fuse.RowTiles) int {
			o.tiled++
			return min(s.Rows, s.Unit*(1+o.r.IntN(max(1, (s.Rows+s.Unit-1)/s.Unit))))
		}, o.r.IntN)
	}
	return o
}

// Products whose prologues and epilogues run on row tiles have the reference's bits: elementwise operations,
// reductions of rows and sums over rows, in every type, layout and size.
func TestRowTilesFuzz(t *testing.T) {
	o := rowTiledOperation(t, 61)
	types := []core.DType{core.Float32, core.Float32, core.Float32, core.Float64, core.BFloat16, core.Float16, core.Int32}
	n := rounds(600)
	for i := range n {
		g := &rowProgram{operation: o, b: jaxpr.NewBuilder()}
		j := g.program(types[o.r.IntN(len(types))], func() int {
			if i%8 == 0 && o.r.IntN(3) == 0 {
				return 1 + o.r.IntN(300)
			}
			return 1 + o.r.IntN(70)
		})
		if len(g.ins) >= len(o.mem) || tooLarge(j) {
			continue
		}
		args := make([]*runtime.Array, len(g.ins))
		special := o.r.IntN(3) == 0
		for k, a := range g.ins {
			args[k] = o.mem[k].array(a, o.r.IntN(2) == 0)
			fill(o.r, args[k], special)
		}
		o.same(j, args)
	}
	if o.tiled < n/4 && hasNative() {
		t.Errorf("row tiles: got %d of %d programs on them, want a quarter", o.tiled, n)
	}
	t.Logf("%d of %d programs on row tiles", o.tiled/2, n)
}

// tooLarge reports whether a value is too large for the memory of a test.
func tooLarge(j *jaxpr.Jaxpr) bool {
	for _, e := range j.Eqns {
		for _, v := range e.Outs {
			if v.Type.Size() > 1<<17 {
				return true
			}
		}
	}
	return false
}
