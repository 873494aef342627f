package irpass

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

type definer struct{ q *ir.Kernel }

func (d *definer) define(b *ir.Block, t scalar.Type, op scalar.Op, imm uint64, args ...ir.Ref) ir.Ref {
	r := ir.Ref(len(d.q.Types))
	d.q.Types = append(d.q.Types, t)
	in := scalar.Inst{Op: op, Type: t, Args: [3]ir.Ref{ir.NoRef, ir.NoRef, ir.NoRef}, Imm: imm}
	copy(in.Args[:], args)
	*b = append(*b, &ir.Let{Dst: r, Inst: in})
	return r
}

func (d *definer) float(b *ir.Block, t scalar.Type, x float64) ir.Ref {
	bits := math.Float64bits(x)
	switch {
	case t == scalar.F32 && x != x:
		bits = scalar.NaNBits32
	case t == scalar.F32:
		bits = uint64(math.Float32bits(float32(x)))
	case x != x:
		bits = scalar.NaNBits64
	}
	return d.define(b, t, scalar.OpConst, bits)
}
