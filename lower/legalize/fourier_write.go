package legalize

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

type writer struct{ *ir.Builder }

func (w writer) op(o scalar.Op, t scalar.Type, args ...ir.Ref) ir.Ref {
	in := scalar.Inst{Op: o, Type: t}
	copy(in.Args[:], args)
	return w.Op(in)
}

func (w writer) add(a, b ir.Ref) ir.Ref    { return w.op(scalar.OpAdd, w.TypeOf(a), a, b) }
func (w writer) sub(a, b ir.Ref) ir.Ref    { return w.op(scalar.OpSub, w.TypeOf(a), a, b) }
func (w writer) mul(a, b ir.Ref) ir.Ref    { return w.op(scalar.OpMul, w.TypeOf(a), a, b) }
func (w writer) div(a, b ir.Ref) ir.Ref    { return w.op(scalar.OpDiv, w.TypeOf(a), a, b) }
func (w writer) neg(a ir.Ref) ir.Ref       { return w.op(scalar.OpNeg, w.TypeOf(a), a) }
func (w writer) sel(c, a, b ir.Ref) ir.Ref { return w.op(scalar.OpSelect, w.TypeOf(a), c, a, b) }
func (w writer) or(a, b ir.Ref) ir.Ref     { return w.op(scalar.OpOr, scalar.Bool, a, b) }
func (w writer) le(a, b ir.Ref) ir.Ref     { return w.op(scalar.OpLe, scalar.Bool, a, b) }
func (w writer) eq(a, b ir.Ref) ir.Ref     { return w.op(scalar.OpEq, scalar.Bool, a, b) }

func (w writer) fma(a, b, c ir.Ref) ir.Ref { return w.op(scalar.OpFMA, w.TypeOf(a), a, b, c) }
