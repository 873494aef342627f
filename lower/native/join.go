package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

type definition struct {
	*ir.Let
	block int32
	bits  uint8 // what is known of the bits of the result
}

// A joint is an operation that is written in another form, mostly together with operations that only it reads.
type joint struct {
	kind    jointKind
	op      scalar.Op
	x, y, z ir.Ref
	n       uint64
}

type jointKind uint8

const (
	jointTest        jointKind = iota // x & y ≠ 0
	jointOrder                        // x op y
	jointCopySign                     // |x| with the sign of y
	jointFlip                         // x, its sign flipped if y << n is negative, and once more if z is negative
	jointFixed                        // x · 2⁻ⁿ of an integer x, as a float
	jointProduct                      // x + y·z whose product is exact; n is the result's ir.Ref
	jointLessProduct                  // x + y·z where x is the result of a jointProduct with the same product, of the other sign
	jointPlusShifted                  // y + x << n
	jointLessShifted                  // y − x << n
)

// A bound is a condition of OpRares: x op limit, limit op x where other is set, or its opposite where unmet is set.
// It holds for one of several numbers x if it holds for the one that extremeOf chooses, the greatest or the least.
type bound struct {
	op           scalar.Op
	x, limit     ir.Ref
	other, unmet bool
}

func (g *Gen) define(b ir.Block) {
	g.blocks++
	for _, s := range b {
		if l, ok := s.(*ir.Let); ok {
			g.defs[l.Dst] = definition{Let: l, block: g.blocks}
		}
	}
}

func (g *Gen) definedBy(r ir.Ref, op scalar.Op) *ir.Let {
	if r == ir.NoRef || g.defs[r].Let == nil || g.defs[r].Inst.Op != op {
		return nil
	}
	return g.defs[r].Let
}

// part is definedBy for an operation of the present block that is read once. It adds the operation to parts.
func (g *Gen) part(r ir.Ref, op scalar.Op, parts *[]ir.Ref) *ir.Let {
	l := g.definedBy(r, op)
	if l == nil || g.defs[r].block != g.blocks || g.isDeferred(r) || g.usesOf(r) != 1 {
		return nil
	}
	*parts = append(*parts, r)
	return l
}

func (g *Gen) number(r ir.Ref) (uint64, bool) {
	if l := g.definedBy(r, scalar.OpConst); l != nil {
		return l.Inst.Imm, true
	}
	return 0, false
}

// masked returns x of a part x & mask.
func (g *Gen) masked(r ir.Ref, mask uint64, parts *[]ir.Ref) (x ir.Ref, ok bool) {
	l := g.part(r, scalar.OpAnd, parts)
	if l == nil {
		return ir.NoRef, false
	}
	n, ok := g.number(l.Inst.Args[1])
	return l.Inst.Args[0], ok && n == mask
}

// signOf returns the bits of −0 of a type.
func signOf(t scalar.Type) uint64 { return 1 << (t.Bits() - 1) }

// findJoints finds the joints of a block, and the bounds, where the machine has instructions for them.
func (g *Gen) findJoints(b ir.Block) {
	var exponents map[ir.Ref]ir.Ref // by x: x without the bits of a float's mantissa
	var room [4]ir.Ref
	for _, s := range b {
		l, ok := s.(*ir.Let)
		if !ok || g.isDeferred(l.Dst) {
			continue
		}
		in := &l.Inst
		x, y := in.Args[0], in.Args[1]
		parts := room[:0]
		switch in.Op {
		case scalar.OpNe:
			if j, ok := g.testOf(x, y, &parts); ok {
				g.join(l.Dst, j, parts)
			}
		case scalar.OpNot:
			for _, op := range []scalar.Op{scalar.OpLt, scalar.OpLe} {
				if c := g.part(x, op, &parts); c != nil && g.k.Types[c.Inst.Args[0]].IsInt() {
					opposite := scalar.OpLt + scalar.OpLe - op
					g.join(l.Dst, joint{kind: jointOrder, op: opposite, x: c.Inst.Args[1], y: c.Inst.Args[0]}, parts)
				}
			}
		case scalar.OpOr:
			if j, ok := g.copySignOf(in, &parts); ok {
				g.join(l.Dst, j, parts)
			}
		case scalar.OpXor:
			if j, ok := g.flipOf(in, &parts); ok {
				g.join(l.Dst, j, parts)
			}
		case scalar.OpAnd:
			if n, ok := g.number(y); ok && (n == 0xff800000 && in.Type == scalar.U32 || n == 0xfff<<52 && in.Type == scalar.U64) {
				if exponents == nil {
					exponents = map[ir.Ref]ir.Ref{}
				}
				exponents[x] = l.Dst
			}
		case scalar.OpConvert:
			if j, ok := g.fixedOf(in, exponents, &parts); ok {
				g.join(l.Dst, j, parts)
			}
		case scalar.OpAdd, scalar.OpSub:
			if j, ok := g.shiftedOf(in, &parts); ok {
				g.join(l.Dst, j, parts)
			}
		case scalar.OpFMA:
			g.findExact(l)
		case scalar.OpRare:
			if c, ok := g.boundOf(x, &parts); ok && g.isDeferred(y) {
				if g.bounds == nil {
					g.bounds = map[ir.Ref]bound{}
				}
				g.bounds[x] = c
				g.merge(parts)
			}
		}
	}
}

func (g *Gen) join(r ir.Ref, j joint, parts []ir.Ref) {
	if g.joints == nil {
		g.joints = map[ir.Ref]joint{}
	}
	g.joints[r] = j
	g.merge(parts)
}

func (g *Gen) merge(parts []ir.Ref) {
	if g.merged == nil {
		g.merged = map[ir.Ref]bool{}
	}
	for _, r := range parts {
		g.merged[r] = true
	}
}

// testOf returns the joint of x ≠ y, where y is the constant 0: a & b ≠ 0 if x is the part a & b, else x & x ≠ 0.
func (g *Gen) testOf(x, y ir.Ref, parts *[]ir.Ref) (joint, bool) {
	if n, ok := g.number(y); !ok || n != 0 || !g.k.Types[x].IsInt() {
		return joint{}, false
	}
	if _, ok := g.Target.(TestTarget); !ok {
		return joint{}, false
	}
	l := g.part(x, scalar.OpAnd, parts)
	if l == nil {
		return joint{kind: jointTest, x: x, y: x}, true
	}
	return joint{kind: jointTest, x: l.Inst.Args[0], y: l.Inst.Args[1]}, true
}

// copySignOf returns the joint of `in`, a bitwise or, if it joins the bits of |x| and the sign bit of y.
func (g *Gen) copySignOf(in *scalar.Inst, parts *[]ir.Ref) (j joint, ok bool) {
	if _, ok := g.Target.(SignTarget); !ok {
		return j, false
	}
	bits := g.part(in.Args[0], scalar.OpBitcast, parts)
	if bits == nil {
		return j, false
	}
	size := g.part(bits.Inst.Args[0], scalar.OpAbs, parts)
	if size == nil || !size.Inst.Type.IsFloat() {
		return j, false
	}
	y, ok := g.masked(in.Args[1], signOf(in.Type), parts)
	return joint{kind: jointCopySign, x: size.Inst.Args[0], y: y}, ok
}

// flipOf returns the joint of x ^ (y & sign>>n) << n ^ z & sign, where only the sign bit is set in sign.
func (g *Gen) flipOf(in *scalar.Inst, parts *[]ir.Ref) (j joint, ok bool) {
	sign := signOf(in.Type)
	z, ok := g.masked(in.Args[1], sign, parts)
	if !ok {
		return j, false
	}
	once := g.part(in.Args[0], scalar.OpXor, parts)
	if once == nil {
		return j, false
	}
	shift := g.part(once.Inst.Args[1], scalar.OpShl, parts)
	if shift == nil {
		return j, false
	}
	n, ok := g.number(shift.Inst.Args[1])
	if !ok || n >= uint64(in.Type.Bits()) {
		return j, false
	}
	y, ok := g.masked(shift.Inst.Args[0], sign>>n, parts)
	return joint{kind: jointFlip, x: once.Inst.Args[0], y: y, z: z, n: n}, ok
}

// fixedOf returns the joint of x >> n as a float, if the block also computes x without its lower n bits.
func (g *Gen) fixedOf(in *scalar.Inst, exponents map[ir.Ref]ir.Ref, parts *[]ir.Ref) (j joint, ok bool) {
	if _, ok := g.Target.(FixedTarget); !ok || len(exponents) == 0 || !in.Type.IsFloat() {
		return j, false
	}
	shift := g.part(in.Args[0], scalar.OpShr, parts)
	if shift == nil || !shift.Inst.Type.IsSigned() || shift.Inst.Type.Size() != in.Type.Size() {
		return j, false
	}
	n, ok := g.number(shift.Inst.Args[1])
	bits := g.definedBy(shift.Inst.Args[0], scalar.OpBitcast)
	if !ok || bits == nil || n != 23 && in.Type == scalar.F32 || n != 52 && in.Type == scalar.F64 {
		return j, false
	}
	x, ok := exponents[bits.Inst.Args[0]]
	if !ok || g.merged[x] {
		return j, false
	}
	g.reads[x]++ // no other joint becomes its only reader
	return joint{kind: jointFixed, x: x, n: n}, true
}

// shiftedOf returns the joint of the sum or difference of a constant and a shifted number. The bits of a power of
// two are computed as such a sum.
func (g *Gen) shiftedOf(in *scalar.Inst, parts *[]ir.Ref) (j joint, ok bool) {
	if _, ok := g.Target.(ShiftedTarget); !ok || !in.Type.IsInt() || in.Type.Size() != 4 {
		return j, false
	}
	j, y, x := joint{kind: jointPlusShifted}, in.Args[0], in.Args[1]
	if in.Op == scalar.OpSub {
		j.kind = jointLessShifted
	} else if _, ok := g.number(x); ok {
		x, y = y, x
	}
	if _, ok := g.number(y); !ok {
		return j, false
	}
	shift := g.part(x, scalar.OpShl, parts)
	if shift == nil {
		return j, false
	}
	j.x, j.y = shift.Inst.Args[0], y
	j.n, ok = g.number(shift.Inst.Args[1])
	return j, ok && j.n < 32
}

// boundOf returns the bound that a condition states, if the machine decides bounds by extremes.
func (g *Gen) boundOf(c ir.Ref, parts *[]ir.Ref) (b bound, ok bool) {
	if t, ok := g.Target.(ExtremeTarget); !ok || !t.BoundsByExtremes() {
		return b, false
	}
	var compared *ir.Let
	if not := g.part(c, scalar.OpNot, parts); not != nil {
		b.unmet = true
		c = not.Inst.Args[0]
	}
	for _, op := range []scalar.Op{scalar.OpLt, scalar.OpLe} {
		if l := g.part(c, op, parts); l != nil {
			b.op, compared = op, l
		}
	}
	if compared == nil {
		return b, false
	}
	b.x, b.limit = compared.Inst.Args[0], compared.Inst.Args[1]
	if _, ok := g.number(b.x); ok {
		b.x, b.limit, b.other = b.limit, b.x, true
	}
	if _, ok := g.number(b.limit); !ok {
		return b, false
	}
	t := g.k.Types[b.x]
	// If one of several floats is NaN, so is their extreme. An unmet bound holds for NaN.
	return b, t.IsFloat() && b.unmet || t.IsInt() && t.Size() <= 4
}

func (g *Gen) holds(b bound, x, limit Value) Value {
	limit.R = limit.R[:len(x.R)]
	if b.other {
		x, limit = limit, x
	}
	if b.unmet && x.T.IsInt() {
		return g.Compare(scalar.OpLt+scalar.OpLe-b.op, limit, x)
	}
	c := g.Compare(b.op, x, limit)
	if b.unmet {
		c = g.Not(c)
	}
	return c
}

// extremeOf returns the least or greatest number of each lane among the registers of x: the bound holds for at
// least one of them if it holds for that number.
func (g *Gen) extremeOf(b bound, x Value) Value {
	op := scalar.OpMin // x < limit
	if b.other != b.unmet {
		op = scalar.OpMax
	}
	m := Value{T: x.T, R: x.R[:1:1]}
	for i := 1; i < len(x.R); i++ {
		next := Value{T: x.T, R: x.R[i : i+1 : i+1]}
		if x.T.IsFloat() {
			m = g.FloatOp(op, m, next, Value{})
		} else {
			m = g.IntOp(op, m, next)
		}
	}
	return m
}

func (g *Gen) joined(t scalar.Type, j joint) Value {
	x := g.get(j.x)
	switch j.kind {
	case jointTest:
		return g.Target.(TestTarget).Test(x, g.get(j.y))
	case jointOrder:
		return g.Compare(j.op, x, g.get(j.y))
	case jointCopySign:
		return g.Target.(SignTarget).CopySign(x, g.get(j.y)).As(t)
	case jointFixed:
		return g.Target.(FixedTarget).Fixed(t, x, int64(j.n))
	case jointPlusShifted, jointLessShifted:
		return g.Target.(ShiftedTarget).AddShifted(g.get(j.y), x.As(t), j.n, j.kind == jointLessShifted)
	case jointProduct:
		return g.sumOfExact(j)
	case jointLessProduct:
		return g.lessProduct(j)
	}
	sign := g.ShiftConst(scalar.OpShl, g.get(j.y), j.n)
	sign = g.IntOp(scalar.OpXor, sign, g.get(j.z))
	return g.IntOp(scalar.OpXor, x, g.IntOp(scalar.OpAnd, sign, g.Splat(t, signOf(t))))
}

func (j *joint) reads(f func(ir.Ref)) {
	f(j.x)
	if j.kind != jointFixed {
		f(j.y)
	}
	if j.kind == jointFlip || j.kind == jointProduct {
		f(j.z)
	}
}
