package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/lower/reference/special"
)

// SequenceOf returns how a device runs an equation that plans leave to the reference executor,
// or a sort; nil if it cannot.
func SequenceOf(c *fuse.Call, d Device) *Sequence {
	in := make([]core.ShapedArray, len(c.Eqn.Ins))
	for i, a := range c.Eqn.Ins {
		in[i] = a.Aval()
	}
	for _, v := range c.Eqn.Outs {
		if v.Type.Ref || v.Type.Size() < 0 || int64(v.Type.Size()) >= 1<<40 {
			return nil
		}
	}
	n := &Sequence{device: d}
	switch p := c.Eqn.Prim.(type) {
	case prim.OptimizationBarrierP:
		for i := range in {
			n.copy(operand(i), result(i))
		}
	case indexed.SortP:
		if !n.sort(in, p.Dimension, p.NumKeys) {
			return nil
		}
	case indexed.TopKP:
		if !n.topK(in[0], p.Axis, p.K) {
			return nil
		}
	case prim.TileP:
		if in[0].Size() == 0 || in[0].DType.Size() == 0 {
			return nil
		}
		n.tile(in[0], p.Reps)
	case indexed.ScatterP:
		if in[2].Size() != 0 {
			return nil
		}
		n.copy(operand(0), result(0))
	case indexed.DynamicUpdateSliceP:
		if in[1].Size() != 0 {
			return nil
		}
		n.copy(operand(0), result(0))
	case prim.IgammaP, prim.IgammacP, prim.IgammaGradAP, prim.RandomGammaGradP, prim.RegularizedIncompleteBetaP, prim.ZetaP:
		if !n.special(p, in, c.Eqn.Outs[0].Type) {
			return nil
		}
	case prim.ConvertElementTypeP:
		if c.Eqn.Outs[0].Type.DType != core.Float0 { // which has no bytes
			return nil
		}
	case prim.FFTP:
		if !n.fourier(p, in[0], c.Eqn.Outs[0].Type) {
			return nil
		}
	case matrices.CholeskyP:
		if !n.cholesky(in[0]) {
			return nil
		}
	case matrices.TriangularSolveP:
		if !n.triangularSolve(p, in[0], in[1]) {
			return nil
		}
	case matrices.LUP:
		if !n.lu(in[0], c.Eqn.Outs[2].Type) {
			return nil
		}
	case matrices.GeqrfP:
		if !n.geqrf(in[0], c.Eqn.Outs[1].Type) {
			return nil
		}
	case matrices.QRP:
		if !n.qr(p, in[0], c.Eqn.Outs[0].Type, c.Eqn.Outs[1].Type) {
			return nil
		}
	case matrices.HouseholderProductP:
		if !n.householderProduct(in[0], in[1]) {
			return nil
		}
	case matrices.OrmqrP:
		if !n.ormqr(p, in[0], in[1], in[2]) {
			return nil
		}
	case matrices.LUPivotsToPermutationP:
		if !n.pivotsToPermutation(in[0], c.Eqn.Outs[0].Type) {
			return nil
		}
	default:
		return nil
	}
	return n
}

func (n *Sequence) fourier(p prim.FFTP, in, out core.ShapedArray) bool {
	t := legalize.Fourier(p, in, out)
	if t == nil {
		return false
	}
	scratch := [2]Slot{n.Add(int64(t.Scratch)), n.Add(int64(t.Scratch))}
	n.Tables = t.Tables
	slot := func(m legalize.Memory) Slot {
		switch m {
		case legalize.FourierScratch0, legalize.FourierScratch1:
			return scratch[m]
		case legalize.FourierOperand:
			return operand(0)
		case legalize.FourierResult:
			return result(0)
		}
		return Slot{TableSlot, int(m - legalize.FourierTable)}
	}
	for _, pass := range t.Passes {
		k, memory := fourierKernel(pass)
		slots := make([]Slot, len(memory))
		for i, m := range memory {
			slots[i] = slot(m)
		}
		n.Run(k, slots...)
	}
	return true
}

// special adds the kernel of a special function, of operands in f64 that have the result's shape. It reports whether it did.
func (n *Sequence) special(p core.Primitive, in []core.ShapedArray, out core.ShapedArray) bool {
	slots := make([]Slot, len(in))
	for i, a := range in {
		if a.DType != core.Float64 || a.Shape != out.Shape || a.Size() == 0 {
			return false
		}
		slots[i] = operand(i)
	}
	n.Run(special.Kernel(p, out.Size()), append(slots, result(0))...)
	return true
}
