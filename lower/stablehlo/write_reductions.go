package stablehlo

import (
	"fmt"
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
)

// applies returns the text of a region that applies an operation to two scalars.
func (b *block) applies(name string, dt core.DType) string {
	a := core.Aval(dt)
	return b.region([]core.ShapedArray{a, a}, func(b *block, in []operand) []operand { return []operand{b.op("stablehlo."+name, a, in...)} })
}

// limit returns the number that a maximum or minimum starts from.
func (b *block) limit(name string, dt core.DType) operand {
	n := core.FloatNumber(math.Inf(-1))
	switch {
	case dt.IsBool():
		n = core.BoolNumber(name == "minimum")
	case dt.IsSigned():
		n = core.IntNumber(math.MinInt64 >> (64 - dt.Bits()))
		if name == "minimum" {
			n = core.IntNumber(math.MaxInt64 >> (64 - dt.Bits()))
		}
	case dt.IsUnsigned():
		n = core.UintNumber(0)
		if name == "minimum" {
			n = core.UintNumber(math.MaxUint64 >> (64 - dt.Bits()))
		}
	case dt.IsComplex():
		n = core.ComplexNumber(complex(math.Inf(-1), math.Inf(-1)))
		if name == "minimum" {
			n = core.ComplexNumber(complex(math.Inf(1), math.Inf(1)))
		}
	case name == "minimum":
		n = core.FloatNumber(math.Inf(1))
	}
	return b.literal(core.Lit(n, dt))
}

func (b *block) neutral(name string, dt core.DType) operand {
	switch name {
	case "add", "or", "xor":
		return b.number(0, dt)
	case "multiply":
		return b.number(1, dt)
	case "and":
		if dt.IsBool() {
			return b.literal(core.Lit(core.BoolNumber(true), dt))
		}
		if dt.IsUnsigned() {
			return b.literal(core.Lit(core.UintNumber(math.MaxUint64>>(64-dt.Bits())), dt))
		}
		return b.number(-1, dt)
	}
	return b.limit(name, dt)
}

func windowText(w windows.Window) string {
	return fmt.Sprintf("window_dimensions = %s, window_strides = %s, base_dilations = %s, window_dilations = %s, padding = %s",
		i64s(w.Dims), i64s(w.Strides), i64s(w.BaseDilation), i64s(w.WindowDilation), pairsText(w.Padding))
}

// reductions writes reductions, windows, scatters and sorts. It returns nil for other operations, and for those that have to be
// decomposed.
func (b *block) reductions(p core.Primitive, in []operand, out []core.ShapedArray) []operand {
	dt := core.Invalid
	if len(in) > 0 {
		dt = in[0].aval.DType
	}
	reduce := func(name string, axes core.Dims) []operand {
		return b.generic("stablehlo.reduce", "dimensions = "+i64s(axes), out, []string{b.applies(name, dt)}, in[0], b.neutral(name, dt))
	}
	window := func(name string, w windows.Window) []operand {
		return b.generic("stablehlo.reduce_window", windowText(w), out, []string{b.applies(name, dt)}, in[0], b.neutral(name, dt))
	}
	cumulate := func(name string, c prim.Cumulation) []operand {
		s := in[0].aval.Shape
		n := s.Len()
		size, padding := make([]int, n), make([]int, 2*n)
		for i := range size {
			size[i] = 1
		}
		size[c.Axis] = s.At(c.Axis)
		if pad := s.At(c.Axis) - 1; c.Reverse {
			padding[2*c.Axis+1] = pad
		} else {
			padding[2*c.Axis] = pad
		}
		if s.Size() == 0 {
			return []operand{{in[0].name, out[0].Strong()}}
		}
		ones := make([]int, n)
		for i := range ones {
			ones[i] = 1
		}
		return window(name, windows.SimpleWindow(dims(size), dims(ones), dims(padding)))
	}
	if narrow := dt.IsFloat() && dt.Bits() < 32; narrow {
		switch p.(type) { // these operations compute in f32
		case prim.CumsumP, prim.CumprodP, windows.ReduceWindowSumP, windows.SelectAndScatterAddP:
			return nil
		}
	}
	if throughFloat32(p, dt) {
		return nil
	}
	switch p := p.(type) {
	case prim.ReduceSumP:
		if p.Order == prim.OrderImplied {
			return reduce("add", p.Axes)
		}
	case prim.ReduceProdP:
		if p.Order == prim.OrderImplied {
			return reduce("multiply", p.Axes)
		}
	case prim.ReduceMaxP:
		return reduce("maximum", p.Axes)
	case prim.ReduceMinP:
		return reduce("minimum", p.Axes)
	case prim.ReduceAndP:
		return reduce("and", p.Axes)
	case prim.ReduceOrP:
		return reduce("or", p.Axes)
	case prim.ReduceXorP:
		return reduce("xor", p.Axes)
	case prim.ReduceP:
		// weft_order makes reduceOp read a reduction by a program again, in its order, and not a sum or the like.
		return b.generic("stablehlo.reduce", fmt.Sprintf("dimensions = %s, weft_order = %d : i64", i64s(p.Axes), p.Order), out, []string{b.body(p.Program)}, in...)
	case windows.ReduceWindowP:
		text := windowText(p.Window)
		if p.Window.Pads() {
			text += ", " + skipsPadding + " = true"
		}
		return b.generic("stablehlo.reduce_window", text, out, []string{b.body(p.Program)}, in...)
	case windows.ReduceWindowSumP:
		return window("add", p.Window)
	case windows.ReduceWindowMaxP:
		return window("maximum", p.Window)
	case windows.ReduceWindowMinP:
		return window("minimum", p.Window)
	case prim.CumsumP:
		return cumulate("add", p.Cumulation)
	case prim.CumprodP:
		return cumulate("multiply", p.Cumulation)
	case prim.CummaxP:
		return cumulate("maximum", p.Cumulation)
	case prim.CumminP:
		return cumulate("minimum", p.Cumulation)
	case prim.ArgmaxP:
		return b.argReduce(in[0], out[0], p.Axes.At(0), "GT", "maximum")
	case prim.ArgminP:
		return b.argReduce(in[0], out[0], p.Axes.At(0), "LT", "minimum")
	case windows.SelectAndGatherAddP:
		return b.selectAndGather(p, in, out)
	case windows.SelectAndScatterAddP:
		direction := "GE"
		if p.Select == windows.SelectLe {
			direction = "LE"
		}
		a := core.Aval(dt)
		sel := b.region([]core.ShapedArray{a, a}, func(b *block, in []operand) []operand {
			return []operand{b.compare(direction, false, core.Aval(core.Bool), in)}
		})
		return b.scatterSelected(p.Dims, p.Strides, p.Padding, out[0], sel, b.applies("add", dt), in[1], in[0], b.number(0, dt))
	case windows.SelectAndScatterP:
		return b.scatterSelected(p.Dims, p.Strides, p.Padding, out[0], b.body(p.Select), b.body(p.Scatter), in[0], in[1], in[2])
	case indexed.SortByP:
		return b.generic("stablehlo.sort", fmt.Sprintf("dimension = %d : i64, is_stable = true", p.Dimension), out, []string{b.body(p.Before)}, in...)
	case indexed.SortP:
		return b.sort(p, in, out)
	}
	return b.scatters(p, in, out)
}

// scatterSelected writes select_and_scatter. Scalars become vectors of one element, since XLA
// has no windows without axes.
func (b *block) scatterSelected(size, strides, padding core.Dims, out core.ShapedArray, sel, scatter string, x, source, init operand) []operand {
	scalar := x.aval.Rank() == 0
	if scalar {
		line := dims([]int{1})
		size, strides, padding = line, line, dims([]int{0, 0})
		x, source = b.reshape(x, line), b.reshape(source, line)
	}
	attrs := fmt.Sprintf("window_dimensions = %s, window_strides = %s, padding = %s", i64s(size), i64s(strides), pairsText(padding))
	y := b.generic("stablehlo.select_and_scatter", attrs, []core.ShapedArray{x.aval}, []string{sel, scatter}, x, source, init)[0]
	if scalar {
		y = b.reshape(y, out.Shape)
	}
	return []operand{y}
}

// argReduce finds the position of the largest or smallest element, as JAX does.
func (b *block) argReduce(x operand, out core.ShapedArray, axis int, direction, name string) []operand {
	dt := x.aval.DType
	idx := operand{b.fresh(), core.ShapedArray{Shape: x.aval.Shape, DType: out.DType}}
	b.line("%s = stablehlo.iota dim = %d : %s", idx.name, axis, idx.typ())
	e, i, boolean := core.Aval(dt), core.Aval(out.DType), core.Aval(core.Bool)
	body := b.region([]core.ShapedArray{e, i, e, i}, func(b *block, in []operand) []operand {
		better := b.ordered(direction, in[0], in[2])
		if dt.IsFloat() || dt.IsComplex() {
			better = b.op("stablehlo.or", boolean, better, b.compare("NE", false, boolean, []operand{in[0], in[0]}))
		}
		equal := b.compare("EQ", false, boolean, []operand{in[0], in[2]})
		first := b.compare("LT", false, boolean, []operand{in[1], in[3]})
		takes := b.op("stablehlo.or", boolean, better, b.op("stablehlo.and", boolean, equal, first))
		return []operand{b.op("stablehlo.select", e, better, in[0], in[2]), b.op("stablehlo.select", i, takes, in[1], in[3])}
	})
	shape := core.ShapedArray{Shape: out.Shape, DType: dt}
	return b.generic("stablehlo.reduce", "dimensions = "+i64s(dims([]int{axis})), []core.ShapedArray{shape, out}, []string{body},
		x, idx, b.limit(name, dt), b.number(0, out.DType))[1:]
}

// ordered compares two scalars, complex ones by their real parts, then by the imaginary ones.
func (b *block) ordered(direction string, x, y operand) operand {
	boolean := core.Aval(core.Bool)
	part, ok := partOf[x.aval.DType]
	if !ok {
		return b.compare(direction, false, boolean, []operand{x, y})
	}
	split := func(name string) (p, q operand) {
		return b.op("stablehlo."+name, core.Aval(part), x), b.op("stablehlo."+name, core.Aval(part), y)
	}
	xr, yr := split("real")
	xi, yi := split("imag")
	tie := b.op("stablehlo.and", boolean, b.compare("EQ", false, boolean, []operand{xr, yr}), b.compare(direction, false, boolean, []operand{xi, yi}))
	return b.op("stablehlo.or", boolean, b.compare(direction, false, boolean, []operand{xr, yr}), tie)
}

var partOf = map[core.DType]core.DType{core.Complex64: core.Float32, core.Complex128: core.Float64}

// selectAndGather writes a windowed reduction of three arrays: the elements to be compared, the elements to be taken, and
// booleans, which are false in padding.
func (b *block) selectAndGather(p windows.SelectAndGatherAddP, in []operand, out []core.ShapedArray) []operand {
	t, x := in[0], in[1]
	boolean := core.Aval(core.Bool)
	direction := "GE"
	if p.Select == windows.SelectLe {
		direction = "LE"
	}
	dx, dt := core.Aval(x.aval.DType), core.Aval(t.aval.DType)
	types := []core.ShapedArray{dx, dt, boolean}
	body := b.region(append(types[:3:3], types...), func(b *block, in []operand) []operand {
		holds := b.compare(direction, false, boolean, []operand{in[0], in[3]})
		holds = b.op("stablehlo.and", boolean, in[2], holds)
		keeps := b.op("stablehlo.or", boolean, b.op("stablehlo.not", boolean, in[5]), holds)
		var next []operand
		for i, a := range types {
			next = append(next, b.op("stablehlo.select", a, keeps, in[i], in[3+i]))
		}
		return next
	})
	yes := b.widen(b.literal(core.Lit(core.BoolNumber(true), core.Bool)), x.aval.Shape)
	results := []core.ShapedArray{out[0].WithDType(x.aval.DType), out[0], out[0].WithDType(core.Bool)}
	return b.generic("stablehlo.reduce_window", windowText(p.Window), results, []string{body},
		x, t, yes, b.number(0, x.aval.DType), b.number(0, t.aval.DType), b.literal(core.Lit(core.BoolNumber(false), core.Bool)))[1:2]
}
