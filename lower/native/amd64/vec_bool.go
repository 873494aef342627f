package amd64

import (
	"github.com/weft-go/weft/lower/scalar"
)

// Bools are mask registers with AVX-512, one for each copy, and with AVX2 vectors whose
// elements are all ones or zeros and as wide as those of the values that were compared.

// kop returns the form of a mask instruction for the lanes of a copy.
func (g *x86) kop(b Op) Op {
	// The forms for 16, 8, 64 and 32 bits follow each other at equal distances.
	const step = Kandb - Kandw
	switch n := g.cx.n; {
	case n <= 8:
		return b + step
	case n <= 16:
		return b
	case n <= 32:
		return b + 3*step
	}
	return b + 2*step
}

func (g *x86) kreg(op Op, a, b vreg) vreg {
	d := g.newK()
	g.put(minst{op: op, d: d, a: a, b: b})
	return d
}

// joinMasks returns one mask for each copy from one for each register.
func (g *x86) joinMasks(ks []vreg, per int) []vreg {
	for parts := len(ks) / g.cx.u; parts > 1; parts /= 2 {
		op := Kunpckbw
		switch per {
		case 16:
			op = Kunpckwd
		case 32:
			op = Kunpckdq
		}
		half := ks[:0:0]
		for i := 0; i < len(ks); i += 2 {
			half = append(half, g.kreg(op, ks[i+1], ks[i]))
		}
		ks = half
		per *= 2
	}
	return ks
}

// maskFor returns the mask of register i of values of size bytes.
func (g *x86) maskFor(ks []vreg, i, size int) vreg {
	parts, _ := g.layout(size)
	k := ks[i/parts]
	if at := i % parts * g.perPart(size); at > 0 {
		op := Kshiftrw
		switch {
		case g.cx.n > 32:
			op = Kshiftrq
		case g.cx.n > 16:
			op = Kshiftrd
		}
		d := g.newK()
		g.put(minst{op: op, d: d, b: k, imm: int64(at)})
		return d
	}
	return k
}

func (g *x86) boolConst(x bool) value {
	if g.isa == AVX2 {
		bits := uint64(0)
		if x {
			bits = ^uint64(0)
		}
		v := g.konst(scalar.I32, bits&(1<<32-1))
		return value{scalar.Bool, v.r, 4}
	}
	v := g.newValue(scalar.Bool)
	for range g.cx.u {
		d := g.newK()
		g.put(minst{op: KmovqG, d: d, b: g.gConst(map[bool]int64{true: -1}[x])})
		v.r = append(v.r, d)
	}
	return v
}

// width returns the vector form of an AVX2 bool with elements of size bytes.
func (g *x86) width(x value, size int) value {
	if x.w == uint8(size) {
		return x
	}
	t := [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}
	from := value{t[x.w], x.r, 0}
	r := g.intToInt(t[size], from)
	return value{scalar.Bool, r.r, uint8(size)}
}

// logic applies an operation to bools.
func (g *x86) logic(op scalar.Op, x, y value) value {
	if g.isa == AVX2 {
		size := int(x.w)
		y = g.width(y, size)
		t := [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}[size]
		a, b := value{t, x.r, 0}, value{t, y.r, 0}
		var r value
		switch op {
		case scalar.OpAnd, scalar.OpMin:
			r = g.bin(Vpand, a, b)
		case scalar.OpOr, scalar.OpMax:
			r = g.bin(Vpor, a, b)
		case scalar.OpXor, scalar.OpNe:
			r = g.bin(Vpxor, a, b)
		case scalar.OpEq:
			r = g.bin(Vpxor, g.bin(Vpxor, a, b), g.num(t, -1))
		case scalar.OpLt:
			r = g.bin(Vpandn, a, b)
		case scalar.OpLe:
			r = g.bin(Vpor, g.bin(Vpxor, a, g.num(t, -1)), b)
		}
		return value{scalar.Bool, r.r, x.w}
	}
	v := g.newValue(scalar.Bool)
	for i, a := range x.r {
		b := y.r[i]
		var d vreg
		switch op {
		case scalar.OpAnd, scalar.OpMin:
			d = g.kreg(g.kop(Kandw), a, b)
		case scalar.OpOr, scalar.OpMax:
			d = g.kreg(g.kop(Korw), a, b)
		case scalar.OpXor, scalar.OpNe:
			d = g.kreg(g.kop(Kxorw), a, b)
		case scalar.OpEq:
			d = g.kreg(g.kop(Kxnorw), a, b)
		case scalar.OpLt:
			d = g.kreg(g.kop(Kandnw), a, b)
		case scalar.OpLe:
			d = g.kreg(g.kop(Korw), g.knot(a), b)
		}
		v.r = append(v.r, d)
	}
	return v
}

func (g *x86) knot(a vreg) vreg {
	d := g.newK()
	g.put(minst{op: g.kop(Knotw), d: d, b: a})
	return d
}

// not inverts a bool.
func (g *x86) not(x value) value {
	if g.isa == AVX2 {
		t := [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}[x.w]
		r := g.bin(Vpxor, value{t, x.r, 0}, g.num(t, -1))
		return value{scalar.Bool, r.r, x.w}
	}
	v := g.newValue(scalar.Bool)
	for _, a := range x.r {
		v.r = append(v.r, g.knot(a))
	}
	return v
}

// blendOps are the AVX-512 blends by the logarithm of the element's size.
var blendOps = [9]Op{1: Vpblendmb, 2: Vpblendmw, 4: Vpblendmd, 8: Vpblendmq}

// choose returns x where c is true, else y.
func (g *x86) choose(c, x, y value) value {
	if x.t == scalar.Bool {
		return g.logic(scalar.OpOr, g.logic(scalar.OpAnd, c, x), g.logic(scalar.OpLt, c, y))
	}
	size := x.t.Size()
	_, length := g.layout(size)
	v := g.newValue(x.t)
	if g.isa == AVX2 {
		c = g.width(c, size)
		for i := range x.r {
			d := g.newV(length)
			g.put(minst{op: Vpblendvb, len: length, d: d, a: y.r[i], b: x.r[i], c: c.r[i], third: true})
			v.r = append(v.r, d)
		}
		return v
	}
	op := blendOps[size]
	if x.t.IsFloat() {
		op = Vblendmps
		if size == 8 {
			op = Vblendmpd
		}
	}
	for i := range x.r {
		v.r = append(v.r, g.masked(op, length, g.maskFor(c.r, i, size), y.r[i], x.r[i]))
	}
	return v
}

// floatPredicates and intPredicates are the immediates of comparisons.
var (
	floatPredicates = map[scalar.Op]int64{scalar.OpEq: 0x00, scalar.OpNe: 0x04, scalar.OpLt: 0x11, scalar.OpLe: 0x12}
	intPredicates   = map[scalar.Op]int64{scalar.OpEq: 0, scalar.OpNe: 4, scalar.OpLt: 1, scalar.OpLe: 2}
)

// compare compares numbers or bools.
func (g *x86) compare(op scalar.Op, x, y value) value {
	switch {
	case x.t == scalar.Bool:
		return g.logic(op, x, y)
	case x.t.IsFloat():
		return g.compareFloats(floatPredicates[op], x, y)
	case g.isa == AVX512:
		cmp := [9]Op{1: Vpcmpb, 2: Vpcmpw, 4: Vpcmpd, 8: Vpcmpq}
		if !x.t.IsSigned() {
			cmp = [9]Op{1: Vpcmpub, 2: Vpcmpuw, 4: Vpcmpud, 8: Vpcmpuq}
		}
		return g.masksOf(cmp[x.t.Size()], intPredicates[op], x, y)
	}
	size := x.t.Size()
	var r value
	switch op {
	case scalar.OpEq, scalar.OpNe:
		r = g.bin([9]Op{1: Vpcmpeqb, 2: Vpcmpeqw, 4: Vpcmpeqd, 8: Vpcmpeqq}[size], x, y)
	default:
		if !x.t.IsSigned() { // flip the top bits: the order becomes that of signed numbers
			x, y = g.flipTop(x), g.flipTop(y)
		}
		if op == scalar.OpLt {
			x, y = y, x
		}
		r = g.bin([9]Op{1: Vpcmpgtb, 2: Vpcmpgtw, 4: Vpcmpgtd, 8: Vpcmpgtq}[size], x, y)
	}
	b := value{scalar.Bool, r.r, uint8(size)}
	if op == scalar.OpNe || op == scalar.OpLe {
		b = g.not(b)
	}
	return b
}

// flipTop returns integers with other top bits.
func (g *x86) flipTop(x value) value {
	top := uint64(1) << (x.t.Bits() - 1)
	if bits, ok := g.repeatedBits(x.r[0], x.t.Size()); ok {
		return g.konst(x.t, bits^top)
	}
	return g.bin(Vpxor, x, g.konst(x.t, top))
}

// repeatedBits returns the bits of an AVX2 constant all of whose elements of size bytes are equal.
func (g *x86) repeatedBits(r vreg, size int) (bits uint64, ok bool) {
	v := &g.regs[r]
	if !v.konst {
		return 0, false
	}
	b := g.pool[v.off:][:16<<v.len]
	for i := range b {
		if b[i] != b[i%size] {
			return 0, false
		}
	}
	for i := range size {
		bits |= uint64(b[i]) << (8 * i)
	}
	return bits, true
}

func (g *x86) compareFloats(predicate int64, x, y value) value {
	if g.isa == AVX512 {
		op := VcmppsK
		if x.t == scalar.F64 {
			op = VcmppdK
		}
		return g.masksOf(op, predicate, x, y)
	}
	op := Vcmpps
	if x.t == scalar.F64 {
		op = Vcmppd
	}
	r := g.map2(x.t, x, y, func(l uint8, a, b vreg) vreg { return g.op2I(op, l, a, b, predicate) })
	return value{scalar.Bool, r.r, uint8(x.t.Size())}
}

// unordered returns where x or y is NaN.
func (g *x86) unordered(x, y value) value { return g.compareFloats(3, x, y) }

// ordered returns where neither x nor y is NaN.
func (g *x86) ordered(x, y value) value { return g.compareFloats(7, x, y) }

// masksOf compares with an instruction that writes masks.
func (g *x86) masksOf(op Op, predicate int64, x, y value) value {
	_, length := g.layout(x.t.Size())
	ks := g.regSlice()
	for i := range x.r {
		k := g.newK()
		g.put(minst{op: op, len: length, d: k, a: x.r[i], b: y.r[i], imm: predicate})
		ks = append(ks, k)
	}
	return value{t: scalar.Bool, r: g.joinMasks(ks, g.perPart(x.t.Size()))}
}

// branchIfNone jumps where c is false in every element that counts.
func (g *x86) branchIfNone(c value, to label) {
	if g.isa == AVX2 {
		r := c.r[0]
		length := g.regs[r].len
		for _, x := range c.r[1:] {
			r = g.op2(Vpor, length, r, x)
		}
		if g.cx.one() {
			d := g.newG()
			g.put(minst{op: VmovdS, d: d, a: r})
			g.branchBits(Eq, d, 1, to)
		} else if n := g.cx.n * int(c.w); n < 16 { // the rest of the register is not ours
			d := g.newG()
			g.put(minst{op: VmovqS, d: d, a: r})
			if n == 4 {
				g.put(minst{op: Movl, d: d, b: d})
			}
			g.branchOp(Eq, minst{op: Test, a: d, b: d}, to)
		} else {
			g.branchOp(Eq, minst{op: Vptest, len: length, a: r, b: r}, to)
		}
		return
	}
	if g.cx.one() {
		d := g.newG()
		g.put(minst{op: KmovwR, d: d, b: c.r[0]})
		g.branchBits(Eq, d, 1, to)
		return
	}
	r := vreg(0)
	for i, k := range c.r {
		if g.cx.mask != nil {
			k = g.kreg(g.kop(Kandw), k, g.cx.mask[i])
		}
		if r == 0 {
			r = k
		} else {
			r = g.kreg(g.kop(Korw), r, k)
		}
	}
	g.branchOp(Eq, minst{op: g.kop(Kortestw), a: r, b: r}, to)
}

// boolToInt returns 0 or 1 as integers of type t.
func (g *x86) boolToInt(t scalar.Type, x value) value {
	size := t.Size()
	if g.isa == AVX2 {
		x = g.width(x, size)
		return g.bin(Vpand, value{t, x.r, 0}, g.num(t, 1))
	}
	op := [9]Op{1: Vmovdqu8, 2: Vmovdqu16, 4: Vmovdqu32, 8: Vmovdqu64}[size]
	parts, length := g.layout(size)
	one := g.num(t, 1)
	v := g.newValue(t)
	for i := range parts * g.cx.u {
		d := g.newV(length)
		g.put(minst{op: op, len: length, zero: true, d: d, b: one.r[i], k: g.maskFor(x.r, i, size)})
		v.r = append(v.r, d)
	}
	return v
}

// upperLanes returns the lanes of a value of one register from a number on.
func (g *x86) upperLanes(x value, from int) vreg {
	switch {
	case x.t != scalar.Bool:
		return g.chunk(x.r[0], from*x.t.Size())
	case g.isa == AVX2:
		return g.chunk(x.r[0], from*int(x.w))
	}
	op := Kshiftrw
	switch {
	case from > 16:
		op = Kshiftrq
	case from > 8:
		op = Kshiftrd
	}
	d := g.newK()
	g.put(minst{op: op, d: d, b: x.r[0], imm: int64(from)})
	return d
}

// boolLike returns a bool with elements as wide as those of another one.
func (g *x86) boolLike(x, like value) value {
	if g.isa == AVX512 {
		return x
	}
	return g.width(x, int(like.w))
}

// firstLanes returns a mask of n lanes without the first skip ones, of which there are at most
// as many as lanes. Its other bits are 0: elements smaller than a lane would be written beyond
// the vector.
func (g *x86) firstLanes(n vreg, skip, lanes int64) vreg {
	bits := g.newG()
	// bzhi reads 8 bits of the count: larger ones must not wrap.
	most := g.gConst(min(skip+lanes, 64))
	n = g.gMin(n, most)
	g.put(minst{op: Bzhiq, d: bits, b: g.gConst(-1), a: n})
	if skip > 0 {
		bits = g.gTiedI(ShrI, bits, skip)
	}
	k := g.newK()
	g.put(minst{op: KmovqG, d: k, b: bits})
	return k
}
