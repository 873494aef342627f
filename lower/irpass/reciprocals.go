package irpass

import (
	"math"
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Reciprocals keeps quotients c/y of a constant c of f32, 2⁻⁶⁴ ≤ c < 4, as in the logistic function, from
// results that are subnormal, which take a hundred cycles on some machines. Where y is so large that the
// quotient may be subnormal, a branch computes it in units of the least subnormal number: the
// integer i nearest to the rounded quotient is at most one away from the right one, and the
// remainder c − i·y, which is a float, decides. Quotients outside of vector loops and reductions
// stay.
func Reciprocals(k *ir.Kernel) *ir.Kernel {
	r := &reciprocals{constants: map[ir.Ref]float64{}}
	found := false
	k.Body.Walk(func(st ir.Stmt) {
		if l, ok := st.(*ir.Let); ok {
			if l.Inst.Op == scalar.OpConst && l.Inst.Type == scalar.F32 {
				if c, ok := float(&l.Inst); ok && c >= 0x1p-64 && c < 4 {
					r.constants[l.Dst] = c
				}
			}
			found = found || r.is(l)
		}
	})
	if !found {
		return k
	}
	q := *k
	q.Types, q.Body = slices.Clone(k.Types), k.Body.Copy(slices.Clone[[]ir.Term])
	r.q = &q
	q.Body = r.block(q.Body)
	return &q
}

type reciprocals struct {
	definer
	constants map[ir.Ref]float64 // the dividends that may be rewritten
}

func (r *reciprocals) is(l *ir.Let) bool {
	return l.Inst.Op == scalar.OpDiv && r.constants[l.Inst.Args[0]] != 0
}

// block rewrites the vector loops and reductions of a block. In front of each it puts what does not change in it.
func (r *reciprocals) block(b ir.Block) ir.Block {
	var out ir.Block
	for _, st := range b {
		switch l := st.(type) {
		case *ir.Loop:
			if l.Body = r.block(l.Body); l.Kind == ir.Vector {
				l.Body = r.loop(l.Body, &out)
			}
		case *ir.Reduce:
			l.Body = r.loop(l.Body, &out)
		}
		out = append(out, st)
	}
	return out
}

func (r *reciprocals) loop(b ir.Block, before *ir.Block) ir.Block {
	var out ir.Block
	for _, st := range b {
		if l, ok := st.(*ir.Let); ok && r.is(l) {
			r.write(&out, l, before)
		}
		out = append(out, st)
	}
	return out
}

// write makes l compute its quotient in units where that is less than 2⁻¹²⁵ in magnitude. There the divisor
// and c are multiplied by powers of two so that their quotient is the number of units.
func (r *reciprocals) write(out *ir.Block, l *ir.Let, before *ir.Block) {
	const t, u, down, up = scalar.F32, scalar.U32, -64, 149 - 64
	y, c := l.Inst.Args[1], r.constants[l.Inst.Args[0]]
	op := func(o scalar.Op, args ...ir.Ref) ir.Ref { return r.define(out, t, o, 0, args...) }
	less := func(x, y ir.Ref) ir.Ref { return r.define(out, scalar.Bool, scalar.OpLt, 0, x, y) }
	bound, one := r.float(before, t, math.Ldexp(c, 125)), r.float(before, t, 1)
	size := op(scalar.OpAbs, y)
	rare := less(bound, size)
	usual := op(scalar.OpDiv, l.Inst.Args[0], op(scalar.OpSelect, rare, one, y))

	dividend := r.float(before, t, math.Ldexp(c, up))
	divisor := op(scalar.OpMul, op(scalar.OpSelect, rare, size, bound), r.float(before, t, math.Ldexp(1, down)))
	i := op(scalar.OpRint, op(scalar.OpDiv, dividend, divisor))
	rest := op(scalar.OpFMA, op(scalar.OpNeg, i), divisor, dividend)
	twice := op(scalar.OpAdd, rest, rest)
	i = op(scalar.OpSelect, less(divisor, twice), op(scalar.OpAdd, i, one), i)
	i = op(scalar.OpSelect, less(twice, op(scalar.OpNeg, divisor)), op(scalar.OpSub, i, one), i)
	bits := r.define(out, u, scalar.OpBitcast, 0, op(scalar.OpBitcast, r.define(out, scalar.I32, scalar.OpConvert, 0, i)))
	sign := r.define(out, u, scalar.OpAnd, 0, r.define(out, u, scalar.OpBitcast, 0, y), r.define(before, u, scalar.OpConst, 1<<31))
	units := op(scalar.OpBitcast, r.define(out, u, scalar.OpOr, 0, bits, sign))
	l.Inst = scalar.Inst{Op: scalar.OpRare, Type: t, Args: [3]ir.Ref{rare, units, usual}}
}
