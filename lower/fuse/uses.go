package fuse

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// A use is an element of an operand.
type use struct {
	atom jaxpr.Atom
	at   index
}

// usesOf returns the elements of operands that element x of a result of e is computed
// from: one for each operand, in their order, except where a comment says otherwise.
// value computes a coordinate from an element of an integer array, as [emitter.coordinate] does.
// ok is false where an index needs a division.
func usesOf(m *mapper, e *jaxpr.Eqn, result int, x index, value func(a jaxpr.Atom, x index) ir.Ref) (us []use, ok bool) {
	if isMove(e.Prim) {
		y, ok := m.moved(e, result, x)
		return []use{{e.Ins[0], y}}, ok
	}
	out := dims(e.Outs[result].Type.Shape)
	switch p := e.Prim.(type) {
	case prim.IotaP:
		_, ok = m.as(x, out)
		return nil, ok
	case prim.EmptyP, prim.Empty2P:
		return nil, true
	case prim.PadP:
		if x, ok = m.as(x, out); !ok {
			return nil, false
		}
		in := dims(e.Ins[0].Aval().Shape)
		y := index{shape: in, co: make([]coord, len(in)), loose: true}
		for i, c := range x.co {
			lo, _, interior := p.Config.At(3*i), p.Config.At(3*i+1), p.Config.At(3*i+2)
			y.co[i] = c.plus(-int64(lo))
			if interior > 0 {
				y.co[i] = coord{value: value(nil, index{shape: []int64{in[i], int64(interior) + 1}, co: []coord{y.co[i]}})}
			}
		}
		return []use{{e.Ins[0], y}, {e.Ins[1], index{}}}, true
	case prim.ConcatenateP:
		if x, ok = m.as(x, out); !ok {
			return nil, false
		}
		lo := int64(0)
		for _, a := range e.Ins {
			in := dims(a.Aval().Shape)
			y := index{shape: in, co: append([]coord(nil), x.co...), loose: true}
			y.co[p.Dimension] = y.co[p.Dimension].plus(-lo)
			us = append(us, use{a, y})
			lo += in[p.Dimension]
		}
		return us, true
	case prim.StackP:
		if x, ok = m.as(x, out); !ok {
			return nil, false
		}
		for _, a := range e.Ins {
			y := index{shape: dims(a.Aval().Shape), loose: x.loose}
			y.co = append(append(y.co, x.co[:p.Axis]...), x.co[p.Axis+1:]...)
			us = append(us, use{a, y})
		}
		return us, true
	case indexed.DynamicSliceP: // the starts first, then the operand
		if x, ok = m.as(x, out); !ok {
			return nil, false
		}
		in := dims(e.Ins[0].Aval().Shape)
		y := index{shape: in, co: append([]coord(nil), x.co...), loose: x.loose}
		for i, a := range e.Ins[1:] {
			us = append(us, use{a, index{}})
			if in[i] != out[i] { // else it starts at 0
				y.co[i] = m.sum(y.co[i], coord{value: value(a, index{shape: []int64{in[i] - out[i]}})})
			}
		}
		return append(us, use{e.Ins[0], y}), true
	case indexed.GatherP: // the index array's elements first, then the operand
		return gatherUses(m, e, p, x, value)
	case prim.RandomWrapP: // the two words
		if x, ok = m.as(x, out); !ok {
			return nil, false
		}
		for k := range int64(2) {
			y := index{shape: dims(e.Ins[0].Aval().Shape), co: append(append([]coord(nil), x.co...), constant(k)), loose: x.loose}
			us = append(us, use{e.Ins[0], y})
		}
		return us, true
	case prim.RandomUnwrapP:
		if x, ok = m.as(x, out); !ok {
			return nil, false
		}
		n := len(x.co) - 1
		return []use{{e.Ins[0], index{shape: x.shape[:n], co: x.co[:n], loose: x.loose}}}, true
	case rng.RandomBitsP, rng.RandomSplitP:
		if e.Ins[0].Aval().Rank() == 0 { // the position is the counter
			return []use{{e.Ins[0], index{}}}, true
		}
		if x, ok = m.as(x, out); !ok {
			return nil, false
		}
		n := e.Ins[0].Aval().Rank()
		return []use{{e.Ins[0], index{shape: x.shape[:n], co: x.co[:n], loose: x.loose}}}, true
	}
	us = make([]use, 0, len(e.Ins))
	for _, a := range e.Ins {
		if a.Aval().Shape == e.Outs[result].Type.Shape {
			us = append(us, use{a, x})
			continue
		}
		y, ok := m.aligned(a, out, x)
		if !ok {
			return nil, false
		}
		us = append(us, use{a, y})
	}
	return us, true
}

// windowAxes returns the axes of a gather's operand that windows extend along, in the
// order of OffsetDims.
func windowAxes(p indexed.GatherP) []int {
	var axes []int
	for i := range p.SliceSizes.Len() {
		if !p.CollapsedSliceDims.Has(i) && !p.OperandBatchingDims.Has(i) {
			axes = append(axes, i)
		}
	}
	return axes
}

func gatherUses(m *mapper, e *jaxpr.Eqn, p indexed.GatherP, x index, value func(a jaxpr.Atom, x index) ir.Ref) (us []use, ok bool) {
	out := dims(e.Outs[0].Type.Shape)
	if x, ok = m.as(x, out); !ok {
		return nil, false
	}
	in, at := e.Ins[0].Aval().Shape, e.Ins[1].Aval().Shape
	var batch []coord
	for i, c := range x.co {
		if !p.OffsetDims.Has(i) {
			batch = append(batch, c)
		}
	}
	y := index{shape: dims(in), co: make([]coord, in.Len()), loose: x.loose}
	for i := range y.co {
		y.co[i] = constant(0)
	}
	for k, i := range windowAxes(p) {
		y.co[i] = x.co[p.OffsetDims.At(k)]
	}
	for k, i := range p.OperandBatchingDims.All() {
		y.co[i] = batch[p.StartIndicesBatchingDims.At(k)]
	}
	for k, i := range p.StartIndexMap.All() {
		ix := index{shape: dims(at), co: append(append([]coord(nil), batch...), constant(int64(k))), loose: x.loose}
		us = append(us, use{e.Ins[1], ix})
		room := int64(in.At(i) - p.SliceSizes.At(i))
		start := value(e.Ins[1], index{shape: append([]int64{room}, ix.shape...), co: ix.co, loose: ix.loose})
		y.co[i] = m.sum(y.co[i], coord{value: start})
	}
	return append(us, use{e.Ins[0], y}), true
}

// weightOf estimates the operations per element of an equation.
func weightOf(e *jaxpr.Eqn) int {
	switch e.Prim.(type) {
	case prim.AddP, prim.AddAnyP, prim.SubP, prim.MulP, prim.NegP, prim.AbsP, prim.MaxP, prim.MinP, prim.EqP, prim.NeP, prim.LtP, prim.LeP, prim.GtP,
		prim.GeP, prim.AndP, prim.OrP, prim.XorP, prim.NotP, prim.SelectNP, prim.ConvertElementTypeP, prim.CopyP, prim.NameP, prim.StopGradientP,
		prim.SquareP, prim.RealP, prim.ImagP, prim.ComplexP, prim.BitcastConvertTypeP, rng.RandomCloneP, prim.RandomWrapP, prim.RandomUnwrapP:
		return 1
	case prim.ShiftLeftP, prim.ShiftRightArithmeticP, prim.ShiftRightLogicalP:
		return 3 // counts above the width are compared
	}
	return 100
}
