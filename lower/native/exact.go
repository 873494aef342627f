package native

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// findExact notes the joints of l if l computes s − n·c, where s = n·c + x and n·c is exact:
// logarithms do so with an exponent n and a short constant c. Written as p = n·c, x + p and s − p,
// no instruction overwrites an operand that is read again.
func (g *Gen) findExact(l *ir.Let) {
	t, ok := g.Target.(TiedTarget)
	if !ok || !t.SumsOverwrite() {
		return
	}
	rest := &l.Inst
	s := g.definedBy(rest.Args[2], scalar.OpFMA)
	if s == nil || g.defs[s.Dst].block != g.blocks || g.isDeferred(s.Dst) || s.Inst.Args[0] != rest.Args[0] {
		return
	}
	c, ok := g.number(s.Inst.Args[1])
	less, also := g.number(rest.Args[1])
	if !ok || !also || c^less != signOf(rest.Type) || !g.exactly(rest.Type, rest.Args[0], c) {
		return
	}
	g.join(s.Dst, joint{kind: jointProduct, x: s.Inst.Args[2], y: s.Inst.Args[0], z: s.Inst.Args[1], n: uint64(s.Dst)}, nil)
	g.join(l.Dst, joint{kind: jointLessProduct, x: s.Dst, y: rest.Args[0], z: rest.Args[1]}, nil)
}

// exactly reports whether n·c is exact because n is the exponent of a float, and c, a number between ¼ and 4, ends
// with as many zeros as n has bits.
func (g *Gen) exactly(t scalar.Type, n ir.Ref, c uint64) bool {
	var size float64
	mantissa := uint64(23)
	switch t {
	case scalar.F32:
		size = math.Abs(float64(math.Float32frombits(uint32(c))))
	case scalar.F64:
		size, mantissa = math.Abs(math.Float64frombits(c)), 52
	}
	if !(0.25 <= size && size <= 4) || c&(1<<(uint64(t.Bits())-mantissa-1)-1) != 0 {
		return false
	}
	number := g.definedBy(n, scalar.OpConvert)
	if number == nil {
		return false
	}
	shift := g.definedBy(number.Inst.Args[0], scalar.OpShr)
	if shift == nil || !shift.Inst.Type.IsSigned() || shift.Inst.Type.Size() != t.Size() {
		return false
	}
	by, ok := g.number(shift.Inst.Args[1])
	return ok && by == mantissa
}

// sumOfExact writes s of findExact.
func (g *Gen) sumOfExact(j joint) Value {
	p := g.FloatOp(scalar.OpMul, g.get(j.y), g.get(j.z), Value{})
	if g.products == nil {
		g.products = map[ir.Ref]Value{}
	}
	g.products[ir.Ref(j.n)] = p
	return g.FloatOp(scalar.OpAdd, g.get(j.x), p, Value{})
}

// lessProduct writes s − p. Where s was written for another number of copies, p does not match it.
func (g *Gen) lessProduct(j joint) Value {
	s, p := g.get(j.x), g.products[j.x]
	if len(p.R) != len(s.R) {
		return g.FloatOp(scalar.OpFMA, g.get(j.y), g.get(j.z), s)
	}
	return g.FloatOp(scalar.OpSub, s, p, Value{})
}
