package windows

import (
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Select is the comparison by which a window chooses an element: going through
// the window in row-major order, the chosen one stays as long as the comparison of
// it with the next holds. So the first of equal elements is chosen, and a NaN never
// stays unless it is the last.
type Select string

// The comparisons.
const (
	SelectGe Select = "ge" // the largest
	SelectLe Select = "le" // the smallest
)

func (s Select) String() string { return string(s) }

func readSelect(r *jaxpr.ParamReader) Select {
	r.MustBe("select_prim", "ge", "le")
	return Select(r.Text("select_prim"))
}

func selected(x core.ShapedArray) {
	if !x.DType.IsInteger() && !x.DType.IsFloat() {
		core.Failf(core.ErrDType, "operands must be integers or real floats (got %v); convert first", x.Full())
	}
}

// SelectAndGatherAddP takes, at each position of a window, the element of the first
// operand that stands where the window chooses in the second; 0 where the window
// is empty. It is the derivative of the windowed maximum and minimum.
type SelectAndGatherAddP struct {
	Select Select
	Window Window
}

// SelectAndGatherAdd takes the elements of tangents where the window chooses in x.
func SelectAndGatherAdd(tangents, x core.Value, s Select, w Window) core.Value {
	return core.Bind1(SelectAndGatherAddP{s, w}, tangents, x)
}

func (SelectAndGatherAddP) Name() string { return "select_and_gather_add" }

func (SelectAndGatherAddP) read(r *jaxpr.ParamReader) core.Primitive {
	return SelectAndGatherAddP{readSelect(r), readWindow(r)}
}

func (p SelectAndGatherAddP) Params() []core.Param {
	w := p.Window.Params()
	return []core.Param{w[0], w[1], rule.Param("select_prim", p.Select), w[2], w[3], w[4]}
}

func (p SelectAndGatherAddP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	t, x := in[0], in[1]
	selected(x)
	rule.SameDType(t, x)
	if t.Shape != x.Shape {
		core.Failf(core.ErrShape, "operands must have equal shapes (got %v and %v); broadcast them", t.Full(), x.Full())
	}
	return []core.ShapedArray{{Shape: p.Window.over(x), DType: t.DType, Weak: t.Weak && x.Weak}}
}

// JVP takes the tangent's elements: the choice has no derivative.
func (p SelectAndGatherAddP) JVP(in, _, t []core.Value) []core.Value {
	return rule.LinearFirst(p, in, t)
}

// Transpose puts the cotangents back where the elements were taken from.
func (p SelectAndGatherAddP) Transpose(ct, in []core.Value, lin []bool, _ []core.ShapedArray) []core.Value {
	out := make([]core.Value, 2)
	w, x := p.Window, in[1]
	switch {
	case !lin[0]:
	case allOnes(w.BaseDilation) && allOnes(w.WindowDilation):
		out[0] = SelectAndScatterAdd(ct[0], x, p.Select, w.Dims, w.Strides, w.Padding)
	default:
		a := x.Aval()
		chosen := chosenPositions(x, p.Select.program(a.DType), w)
		wide := a.WithShape(core.MakeDims(a.Size()))
		if a.DType.IsFloat() && a.DType.Size() < 4 { // it adds up in f32, as SelectAndScatterAdd does
			wide.DType = core.Float32
		}
		m := ct[0].Aval().Size()
		y := indexed.ScatterAdd(prim.Zeros(wide), prim.Reshape(chosen, core.MakeDims(m, 1)), prim.Reshape(prim.Convert(ct[0], wide.DType, wide.Weak), core.MakeDims(m)), atElements)
		out[0] = prim.Convert(prim.Reshape(y, a.Shape), a.DType, a.Weak)
	}
	return out
}

// comparisons caches the programs that compare two scalars, by [Select] and element type, so that there is one object
// for each.
var comparisons sync.Map

type comparison struct {
	by Select
	of core.DType
}

// program returns the comparison of two scalars.
func (s Select) program(dt core.DType) *jaxpr.Jaxpr {
	key := comparison{s, dt}
	if j, ok := comparisons.Load(key); ok {
		return j.(*jaxpr.Jaxpr)
	}
	var p core.Primitive = prim.GeP{}
	if s == SelectLe {
		p = prim.LeP{}
	}
	b := jaxpr.NewBuilder()
	j, _ := comparisons.LoadOrStore(key, b.Build(b.Eqn(p, b.Input(core.Aval(dt)), b.Input(core.Aval(dt)))[0]))
	return j.(*jaxpr.Jaxpr)
}

func (p SelectAndGatherAddP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(SelectAndGatherAddP{p.Select, p.Window.withBatchAxis()}, prim.AllAtFront(n, in, mapped)...)
}

// SelectAndScatterAddP adds, for each position of a window, the source's element to
// the position that the window chooses in the operand; where windows overlap, in
// row-major order of the output positions. A window that contains nothing adds nothing. Floats
// narrower than f32 add up in f32.
type SelectAndScatterAddP struct {
	Select                 Select
	Dims, Strides, Padding core.Dims // as in Window
}

// SelectAndScatterAdd adds the elements of source where a window chooses in x.
func SelectAndScatterAdd(source, x core.Value, s Select, dims, strides, padding core.Dims) core.Value {
	return core.Bind1(SelectAndScatterAddP{s, dims, strides, padding}, source, x)
}

func (SelectAndScatterAddP) Name() string { return "select_and_scatter_add" }

func (SelectAndScatterAddP) read(r *jaxpr.ParamReader) core.Primitive {
	w := SimpleWindow(r.Dims("window_dimensions"), r.Dims("window_strides"), rule.ReadPairs(r, "padding"))
	return SelectAndScatterAddP{readSelect(r), w.Dims, w.Strides, w.Padding}
}

func (p SelectAndScatterAddP) Params() []core.Param {
	return []core.Param{
		rule.Param("padding", rule.Tuples(p.Padding, 2)),
		rule.Param("select_prim", p.Select),
		rule.Param("window_dimensions", p.Dims),
		rule.Param("window_strides", p.Strides),
	}
}

func (p SelectAndScatterAddP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	s, x := in[0], in[1]
	selected(x)
	rule.Number(s)
	rule.SameDType(s, x)
	if want := SimpleWindow(p.Dims, p.Strides, p.Padding).over(x); s.Shape != want {
		core.Failf(core.ErrShape, "the windows over %v have positions of shape %v, but the source is %v; make them equal", x.Full(), want, s.Full())
	}
	return []core.ShapedArray{{Shape: x.Shape, DType: x.DType, Weak: s.Weak && x.Weak}}
}

// JVP adds the source's tangent: the choice has no derivative.
func (p SelectAndScatterAddP) JVP(in, _, t []core.Value) []core.Value {
	return rule.LinearFirst(p, in, t)
}

// Transpose takes the cotangents where the source's elements were added.
func (p SelectAndScatterAddP) Transpose(ct, in []core.Value, lin []bool, _ []core.ShapedArray) []core.Value {
	out := make([]core.Value, 2)
	if lin[0] {
		out[0] = SelectAndGatherAdd(ct[0], in[1], p.Select, SimpleWindow(p.Dims, p.Strides, p.Padding))
	}
	return out
}

func (p SelectAndScatterAddP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	q := SelectAndScatterAddP{p.Select, p.Dims.Prepend(1), p.Strides.Prepend(1), p.Padding.Prepend(0, 0)}
	return rule.Bound(q, prim.AllAtFront(n, in, mapped)...)
}
