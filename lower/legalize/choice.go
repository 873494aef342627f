package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// Chosen returns a program without the operations in which windows choose elements to gather or to add to.
// Kernels have them for small windows, but other targets do not.
func Chosen(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return lower.Replace(j, func(e *jaxpr.Eqn) lower.Expansion {
		switch p := e.Prim.(type) {
		case windows.SelectAndGatherAddP:
			return gathers(p, operand(e, 0))
		case windows.SelectAndScatterAddP:
			return scatters(p, operand(e, 0), operand(e, 1))
		}
		return nil
	})
}

// gatherChosen returns the elements of the first operand at the positions that windows choose in the second
// one, nil where kernels have the operation.
func gatherChosen(p windows.SelectAndGatherAddP, t core.ShapedArray) lower.Expansion {
	if isDense(p.Window) && p.Window.Dims.Size() <= fewPositions && t.DType.Bits() >= 8 {
		return nil
	}
	return gathers(p, t)
}

func gathers(p windows.SelectAndGatherAddP, t core.ShapedArray) lower.Expansion {
	return func(in []core.Value) []core.Value {
		zero := number(0, t.DType)
		shape := in[0].Aval().Shape
		some := filled(number(1, core.Int32), shape)
		out := windows.ReduceWindow([]core.Value{in[1], some, in[0]}, []core.Value{zero, number(-1, core.Int32), zero}, p.Window, choice(p.Select, t.DType, core.Int32, t.DType))
		return []core.Value{out[2]}
	}
}

// scatterChosen adds elements of the first operand at the positions that windows choose in the second one, nil
// where kernels have the operation.
func scatterChosen(p windows.SelectAndScatterAddP, source, x core.ShapedArray) lower.Expansion {
	if p.Dims.Size() <= fewPositions && x.DType.Bits() >= 8 {
		return nil
	}
	return scatters(p, source, x)
}

func scatters(p windows.SelectAndScatterAddP, source, x core.ShapedArray) lower.Expansion {
	wide := x.DType
	switch {
	case wide.IsFloat() && wide.Bits() < 32:
		wide = core.Float32
	case wide.IsInteger() && wide.Bits() < 8:
		wide = core.Int32
	}
	return func(in []core.Value) []core.Value {
		n, m := x.Size(), source.Size()
		dt := core.Int32
		if int64(n) >= 1<<31 {
			dt = core.Int64
		}
		at := prim.Reshape(prim.Iota(dt, core.MakeDims(n), 0), x.Shape)
		w := windows.SimpleWindow(p.Dims, p.Strides, p.Padding)
		chosen := windows.ReduceWindow([]core.Value{in[1], at}, []core.Value{number(0, x.DType), number(-1, dt)}, w, choice(p.Select, x.DType, dt))[1]
		axis := core.MakeDims(0)
		add := indexed.Scattering{InsertedWindowDims: axis, ScatterDimsToOperandDims: axis, Mode: indexed.FillOrDrop}.By(indexed.CombineAdd, wide)
		y := core.Bind1(add, filled(number(0, wide), core.MakeDims(n)), prim.Reshape(chosen, core.MakeDims(m, 1)),
			prim.Reshape(prim.Convert(in[0], wide, false), core.MakeDims(m)))
		return []core.Value{prim.Convert(prim.Reshape(y, x.Shape), x.DType, false)}
	}
}

// choice returns the program that keeps one of two elements of type dt, each with a number that is negative if
// there is no element, and with other values that belong to it. `with` has the types of the numbers and values.
func choice(sel windows.Select, dt core.DType, with ...core.DType) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	var x, y []jaxpr.Atom
	for _, list := range []*[]jaxpr.Atom{&x, &y} {
		*list = append(*list, b.Input(core.Aval(dt)))
		for _, t := range with {
			*list = append(*list, b.Input(core.Aval(t)))
		}
	}
	var compare core.Primitive = prim.GeP{}
	if sel != windows.SelectGe {
		compare = prim.LeP{}
	}
	zero := core.Lit(core.IntNumber(0), with[0])
	stays := b.Eqn(prim.AndP{}, b.Eqn(prim.GeP{}, x[1], zero)[0], b.Eqn(compare, x[0], y[0])[0])[0]
	keep := b.Eqn(prim.OrP{}, stays, b.Eqn(prim.LtP{}, y[1], zero)[0])[0]
	outs := make([]jaxpr.Atom, len(x))
	for i := range x {
		outs[i] = b.Eqn(prim.SelectNP{}, keep, y[i], x[i])[0]
	}
	return b.Build(outs...)
}
