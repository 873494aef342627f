package windows

import (
	"iter"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SelectAndScatterP combines, for each position of a window, the source's element with the
// element of the result at the position that the window selects in the operand. Operands
// are the operand, the source, and the scalar that the result starts from. Going through a
// window in row-major order, the selected element stays as long as Select of it and the
// next holds. Scatter takes the result's element and the source's, for one position
// after the other in row-major order. Padding is never selected; a window that contains nothing changes nothing.
type SelectAndScatterP struct {
	Dims, Strides, Padding core.Dims    // as in Window
	Select                 *jaxpr.Jaxpr // of two elements, to bool
	Scatter                *jaxpr.Jaxpr // of two elements, to one
}

// SelectAndScatter returns an array like x with elements init, into which scatter combines source: see [SelectAndScatterP].
func SelectAndScatter(x, source, init core.Value, sel, scatter *jaxpr.Jaxpr, dims, strides, padding core.Dims) core.Value {
	return core.Bind1(SelectAndScatterP{dims, strides, padding, sel, scatter}, x, source, init)
}

func (SelectAndScatterP) Name() string { return "select_and_scatter" }

func (p SelectAndScatterP) Params() []core.Param {
	return []core.Param{
		rule.Param("padding", rule.Tuples(p.Padding, 2)),
		rule.Param("scatter_consts", "()"),
		rule.Param("scatter_jaxpr", p.Scatter),
		rule.Param("select_consts", "()"),
		rule.Param("select_jaxpr", p.Select),
		rule.Param("window_dimensions", p.Dims),
		rule.Param("window_strides", p.Strides),
	}
}

// Programs returns the programs in the order of the parameters in text.
func (p SelectAndScatterP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.Scatter, p.Select} }

// WithPrograms returns p with other programs.
func (p SelectAndScatterP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.Scatter, p.Select = js[0], js[1]
	return p
}

func (p SelectAndScatterP) Effects() core.Effect { return p.Select.Effects() | p.Scatter.Effects() }

func (p SelectAndScatterP) AxisNames() iter.Seq[string] {
	return slices.Values(slices.AppendSeq(slices.Collect(p.Scatter.AxisNames()), p.Select.AxisNames()))
}

func (p SelectAndScatterP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 3)
	x, s, init := in[0], in[1], in[2]
	rule.NumberOrBool(x)
	rule.SameDType(x, s)
	rule.SameDType(x, init)
	if init.Rank() != 0 {
		core.Failf(core.ErrShape, "the initial value must be a scalar (got %v); pass one number", init.Full())
	}
	if want := SimpleWindow(p.Dims, p.Strides, p.Padding).over(x); s.Shape != want {
		core.Failf(core.ErrShape, "the windows over %v have positions of shape %v, but the source is %v; make them equal", x.Full(), want, s.Full())
	}
	for i, j := range []*jaxpr.Jaxpr{p.Select, p.Scatter} {
		result := core.Aval(core.Bool)
		if i == 1 {
			result = core.Aval(x.DType)
		}
		a := core.Aval(x.DType)
		if len(j.Ins) != 2 || len(j.Outs) != 1 || !j.Ins[0].Type.SameType(a) || !j.Ins[1].Type.SameType(a) || !j.Outs[0].Aval().SameType(result) {
			core.Failf(core.ErrCheck, "a program of the windows over %v must map two %v to one %v; change its types", x.Full(), a, result)
		}
	}
	return []core.ShapedArray{{Shape: x.Shape, DType: x.DType, Weak: x.Weak && s.Weak && init.Weak}}
}

func (SelectAndScatterP) NoJVP() string {
	return "its programs are not differentiated; use a window that selects the largest or smallest and adds"
}

// Expand finds the selected positions by a windowed reduction of elements with their
// positions, and scatters there.
func (p SelectAndScatterP) Expand(in []core.Value) []core.Value {
	return p.from(prim.SpreadTo(in[2], in[0].Aval().Shape), in[0], in[1])
}

// from returns the result with start, an array of x's shape, in the place of the initial value.
func (p SelectAndScatterP) from(start, x, source core.Value) []core.Value {
	a := x.Aval()
	start = prim.Convert(start, a.DType, start.Aval().Weak && a.Weak && source.Aval().Weak)
	if source.Aval().Size() == 0 {
		return rule.One(start)
	}
	n, m := a.Size(), source.Aval().Size()
	chosen := chosenPositions(x, p.Select, SimpleWindow(p.Dims, p.Strides, p.Padding))
	y := indexed.ScatterApply(prim.Reshape(start, core.MakeDims(n)), prim.Reshape(chosen, core.MakeDims(m, 1)), prim.Reshape(source, core.MakeDims(m)), p.Scatter, atElements)
	return rule.One(prim.Reshape(y, a.Shape))
}

// atElements scatters to single elements of a vector. Updates at negative positions are dropped.
var atElements = indexed.Scattering{InsertedWindowDims: core.MakeDims(0), ScatterDimsToOperandDims: core.MakeDims(0), Mode: indexed.FillOrDrop}

// chosenPositions returns, for each position of the window, the row-major position of the element of x that it
// selects, -1 if it contains nothing.
func chosenPositions(x core.Value, sel *jaxpr.Jaxpr, w Window) core.Value {
	a := x.Aval()
	dt := core.Int32
	if int64(a.Size()) >= 1<<31 {
		dt = core.Int64
	}
	at := prim.Reshape(prim.Iota(dt, core.MakeDims(a.Size()), 0), a.Shape)
	nowhere := core.Lit(core.IntNumber(-1), dt)
	return ReduceWindow([]core.Value{x, at}, []core.Value{prim.Num(a.WithShape(core.Dims{}), 0), nowhere}, w, selection(sel, a.DType, dt))[1]
}

type selectionKey struct{ index core.DType }

// selection returns the program that keeps one of two elements, with its position. A negative
// position means that there is no element.
func selection(sel *jaxpr.Jaxpr, dt, index core.DType) *jaxpr.Jaxpr {
	return sel.Memo(selectionKey{index}, func() any {
		b := jaxpr.NewBuilder()
		x, i := b.Input(core.Aval(dt)), b.Input(core.Aval(index))
		y, j := b.Input(core.Aval(dt)), b.Input(core.Aval(index))
		zero := core.Lit(core.IntNumber(0), index)
		holds := b.Splice(sel, x, y)[0]
		stays := b.Eqn(prim.AndP{}, b.Eqn(prim.GeP{}, i, zero)[0], holds)[0]
		keep := b.Eqn(prim.OrP{}, stays, b.Eqn(prim.LtP{}, j, zero)[0])[0]
		return b.Build(b.Eqn(prim.SelectNP{}, keep, y, x)[0], b.Eqn(prim.SelectNP{}, keep, j, i)[0])
	}).(*jaxpr.Jaxpr)
}

// Batch moves the window over each element of the batch. Initial values that differ over
// it are spread, and the result starts from them.
func (p SelectAndScatterP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	q := p
	q.Dims, q.Strides, q.Padding = p.Dims.Prepend(1), p.Strides.Prepend(1), p.Padding.Prepend(0, 0)
	xs := prim.AllAtFront(n, in[:2], mapped[:2])
	if mapped[2] {
		return q.from(prim.BroadcastInDim(in[2], xs[0].Aval().Shape, core.MakeDims(0)), xs[0], xs[1]), []bool{true}
	}
	return rule.Bound(q, append(xs, in[2])...)
}

func (SelectAndScatterP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("scatter_consts", "()")
	r.MustBe("select_consts", "()")
	return SelectAndScatterP{r.Dims("window_dimensions"), r.Dims("window_strides"), rule.ReadPairs(r, "padding"), r.Jaxpr("select_jaxpr"), r.Jaxpr("scatter_jaxpr")}
}
