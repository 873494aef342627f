package irpass

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Quotients rewrites quotients by a float that does not change in a vector loop of at least the
// given number of elements, for machines on which a quotient takes as long as many multiplications.
// Let z be 1/y, rounded, and e = 1 − y·z, which is a float. Then
//
//	q = x·z + x·(e·z), r = x − y·q, x/y = q + r·z
//
// where each sum is one fused operation. q is one of the two floats next to x/y, so that the
// remainder r is a float, and q + r·z differs from x/y by (x/y − q)·e. That is less than the
// distance d of x/y from the nearest middle of two floats of p bits: in units of the last place,
// d ≥ 1/(2Y) for y = Y·2ᵏ with Y < 2ᵖ, and the error is at most (½ + d)·Y·2⁻²ᵖ, less than d since
// Y² + Y < 2²ᵖ. Where x or y is too small or too large for that, the quotient is computed behind a
// branch. Loops with much other work stay as they are, since the machine computes quotients beside
// it. Quotients returns k itself if it rewrites nothing.
func Quotients(k *ir.Kernel, least int64) *ir.Kernel {
	d := &divider{least: least}
	if d.find(k.Body); len(d.found) == 0 {
		return k
	}
	q := *k
	q.Types, q.Body = slices.Clone(k.Types), k.Body.Copy(slices.Clone[[]ir.Term])
	d.q = &q
	q.Body = d.block(q.Body)
	return &q
}

type divider struct {
	definer
	least int64
	found map[ir.Ref]bool // by the quotient
}

// mostBeside is the greatest number of other operations for each quotient in loops that are rewritten.
const mostBeside = 6

func (d *divider) find(b ir.Block) {
	for _, st := range b {
		switch st := st.(type) {
		case *ir.Loop:
			if st.Kind == ir.Vector && st.Extent.IsConst() && st.Extent.Value >= d.least && st.Tail == nil {
				d.loop(st.Body)
			}
		}
		first, second := ir.Inner(st)
		for _, inner := range []*ir.Block{first, second} {
			if inner != nil {
				d.find(*inner)
			}
		}
	}
}

func (d *divider) loop(b ir.Block) {
	inside := map[ir.Ref]bool{}
	var quotients []ir.Ref
	operations := 0
	for _, st := range b {
		switch st := st.(type) {
		case *ir.Let:
			inside[st.Dst] = true
			operations++
			if in := &st.Inst; in.Op == scalar.OpDiv && (in.Type == scalar.F32 || in.Type == scalar.F64) && !inside[in.Args[1]] {
				quotients = append(quotients, st.Dst)
			}
		case *ir.Load:
			inside[st.Dst] = true
		case *ir.Store:
		default:
			return
		}
	}
	if operations > (1+mostBeside)*len(quotients) {
		return
	}
	for _, q := range quotients {
		if d.found == nil {
			d.found = map[ir.Ref]bool{}
		}
		d.found[q] = true
	}
}

// block rewrites the loops of a block. In front of each it puts what does not change in that loop.
func (d *divider) block(b ir.Block) ir.Block {
	var out ir.Block
	for _, st := range b {
		first, second := ir.Inner(st)
		if second != nil {
			*second = d.block(*second)
		}
		if first != nil {
			*first = d.block(*first)
		}
		if l, ok := st.(*ir.Loop); ok {
			l.Body = d.rewrite(l.Body, &out)
		}
		out = append(out, st)
	}
	return out
}

// rewrite rewrites the quotients of a loop. It appends to before what does not change in the loop.
func (d *divider) rewrite(b ir.Block, before *ir.Block) ir.Block {
	divisors := map[ir.Ref]*divisor{}
	var out ir.Block
	for _, st := range b {
		l, ok := st.(*ir.Let)
		if ok && l.Inst.Op == scalar.OpCanon && d.found[l.Inst.Args[0]] {
			l.Inst.Op = scalar.OpBitcast // its NaNs are canonical
		}
		if !ok || !d.found[l.Dst] {
			out = append(out, st)
			continue
		}
		y := divisors[l.Inst.Args[1]]
		if y == nil {
			y = d.divisor(before, l.Inst.Type, l.Inst.Args[1])
			divisors[l.Inst.Args[1]] = y
		}
		d.write(&out, l, y)
	}
	return out
}

// A divisor is what [Quotients] computes of y: −y, z, e·z, 1, and the bits of the magnitudes of x for which
// x/y = q + r·z: span numbers from least on.
type divisor struct{ negative, z, ez, one, least, span ir.Ref }

// divisor appends to b the operations that compute the parts of y.
func (d *divider) divisor(b *ir.Block, t scalar.Type, y ir.Ref) *divisor {
	u := t.Unsigned()
	// From 2⁻ⁿ·max(1, |y|) on, nothing is subnormal, not even the error of z times x; from 2ᵐ·min(1, |y|) on, q may
	// be too large.
	mantissa, n, m, infinity := 23, 78, 126, uint64(0x7f800000)
	if t == scalar.F64 {
		mantissa, n, m, infinity = 52, 900, 1022, 0x7ff<<52
	}
	one := d.float(b, t, 1)
	v := &divisor{negative: d.define(b, t, scalar.OpNeg, 0, y), z: d.define(b, t, scalar.OpDiv, 0, one, y), one: one}
	v.ez = d.define(b, t, scalar.OpMul, 0, d.define(b, t, scalar.OpFMA, 0, v.negative, v.z, one), v.z)
	size, unit := d.define(b, u, scalar.OpBitcast, 0, d.define(b, t, scalar.OpAbs, 0, y)), d.define(b, u, scalar.OpBitcast, 0, one)
	integer := func(x int) ir.Ref { return d.define(b, u, scalar.OpConst, uint64(x)<<mantissa) }
	v.least = d.define(b, u, scalar.OpSub, 0, d.define(b, u, scalar.OpMax, 0, size, unit), integer(n))
	most := d.define(b, u, scalar.OpAdd, 0, d.define(b, u, scalar.OpMin, 0, size, unit), integer(m))
	// Unless 2⁻ⁿ ≤ |y| < 2ⁿ there are no such numbers.
	inside := d.define(b, scalar.Bool, scalar.OpLt, 0, d.define(b, u, scalar.OpSub, 0, size, integer(int(infinity>>mantissa)/2-n)), integer(2*n))
	v.span = d.define(b, u, scalar.OpSelect, 0, inside, d.define(b, u, scalar.OpSub, 0, most, v.least), integer(0))
	return v
}

// write appends to out the operations that compute the quotient l by y.
func (d *divider) write(out *ir.Block, l *ir.Let, y *divisor) {
	t := l.Inst.Type
	u := t.Unsigned()
	size := d.define(out, u, scalar.OpBitcast, 0, d.define(out, t, scalar.OpAbs, 0, l.Inst.Args[0]))
	inside := d.define(out, scalar.Bool, scalar.OpLt, 0, d.define(out, u, scalar.OpSub, 0, size, y.least), y.span)
	rare := d.define(out, scalar.Bool, scalar.OpNot, 0, inside)
	x := d.define(out, t, scalar.OpSelect, 0, rare, y.one, l.Inst.Args[0]) // subnormal numbers slow every operation down
	q := d.define(out, t, scalar.OpFMA, 0, x, y.z, d.define(out, t, scalar.OpMul, 0, x, y.ez))
	r := d.define(out, t, scalar.OpFMA, 0, y.negative, q, x)
	common := d.define(out, t, scalar.OpFMA, 0, r, y.z, q)
	quotient := d.define(out, t, scalar.OpCanon, 0, d.define(out, t, scalar.OpDiv, 0, l.Inst.Args[0], l.Inst.Args[1]))
	l.Inst = scalar.Inst{Op: scalar.OpRare, Type: t, Args: [3]ir.Ref{rare, quotient, common}}
	*out = append(*out, l)
}
