package amd64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// Bools are mask registers with AVX-512, one for each copy. With AVX2 they are vectors whose elements are all
// ones or zeros and as wide as the elements that were compared.

// kop returns the form of a mask instruction for the lanes of a copy.
func (g *x86) kop(b Op) Op {
	// The forms for 16, 8, 64 and 32 bits follow each other at equal distances.
	const step = Kandb - Kandw
	switch n := g.Lanes.N; {
	case n <= 8:
		return b + step
	case n <= 16:
		return b
	case n <= 32:
		return b + 3*step
	}
	return b + 2*step
}

func (g *x86) kreg(op Op, a, b native.VReg) native.VReg {
	d := g.NewK()
	g.Put(native.Inst{Op: op, D: d, A: a, B: b})
	return d
}

// joinMasks returns one mask for each copy from one for each register.
func (g *x86) joinMasks(ks []native.VReg, per int) []native.VReg {
	for parts := len(ks) / g.Lanes.U; parts > 1; parts /= 2 {
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

func (g *x86) maskFor(ks []native.VReg, i, size int) native.VReg {
	parts, _ := g.Layout(size)
	k := ks[i/parts]
	if at := i % parts * g.PerPart(size); at > 0 {
		op := Kshiftrw
		switch {
		case g.Lanes.N > 32:
			op = Kshiftrq
		case g.Lanes.N > 16:
			op = Kshiftrd
		}
		d := g.NewK()
		g.Put(native.Inst{Op: op, D: d, B: k, Imm: int64(at)})
		return d
	}
	return k
}

func (g *x86) BoolConst(x bool) native.Value {
	if g.isa == AVX2 {
		bits := uint64(0)
		if x {
			bits = ^uint64(0)
		}
		v := g.Splat(scalar.I32, bits&(1<<32-1))
		return native.Value{T: scalar.Bool, R: v.R, W: 4}
	}
	v := g.NewValue(scalar.Bool)
	for range g.Lanes.U {
		d := g.NewK()
		g.Put(native.Inst{Op: KmovqG, D: d, B: g.GConst(map[bool]int64{true: -1}[x])})
		v.R = append(v.R, d)
	}
	return v
}

// width returns the vector form of an AVX2 bool with elements of size bytes.
func (g *x86) width(x native.Value, size int) native.Value {
	if x.W == uint8(size) {
		return x
	}
	t := [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}
	from := native.Value{T: t[x.W], R: x.R, W: 0}
	r := g.intToInt(t[size], from)
	return native.Value{T: scalar.Bool, R: r.R, W: uint8(size)}
}

func (g *x86) Logic(op scalar.Op, x, y native.Value) native.Value {
	if g.isa == AVX2 {
		size := int(x.W)
		y = g.width(y, size)
		t := [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}[size]
		a, b := native.Value{T: t, R: x.R, W: 0}, native.Value{T: t, R: y.R, W: 0}
		var r native.Value
		switch op {
		case scalar.OpAnd, scalar.OpMin:
			r = g.Bin(Vpand, a, b)
		case scalar.OpOr, scalar.OpMax:
			r = g.Bin(Vpor, a, b)
		case scalar.OpXor, scalar.OpNe:
			r = g.Bin(Vpxor, a, b)
		case scalar.OpEq:
			r = g.Bin(Vpxor, g.Bin(Vpxor, a, b), g.Num(t, -1))
		case scalar.OpLt:
			r = g.Bin(Vpandn, a, b)
		case scalar.OpLe:
			r = g.Bin(Vpor, g.Bin(Vpxor, a, g.Num(t, -1)), b)
		}
		return native.Value{T: scalar.Bool, R: r.R, W: x.W}
	}
	v := g.NewValue(scalar.Bool)
	for i, a := range x.R {
		b := y.R[i]
		var d native.VReg
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
		v.R = append(v.R, d)
	}
	return v
}

func (g *x86) knot(a native.VReg) native.VReg {
	d := g.NewK()
	g.Put(native.Inst{Op: g.kop(Knotw), D: d, B: a})
	return d
}

func (g *x86) Not(x native.Value) native.Value {
	if g.isa == AVX2 {
		t := [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}[x.W]
		r := g.Bin(Vpxor, native.Value{T: t, R: x.R, W: 0}, g.Num(t, -1))
		return native.Value{T: scalar.Bool, R: r.R, W: x.W}
	}
	v := g.NewValue(scalar.Bool)
	for _, a := range x.R {
		v.R = append(v.R, g.knot(a))
	}
	return v
}

var blendOps = [9]Op{1: Vpblendmb, 2: Vpblendmw, 4: Vpblendmd, 8: Vpblendmq}

func (g *x86) Choose(c, x, y native.Value) native.Value {
	if x.T == scalar.Bool {
		return g.Logic(scalar.OpOr, g.Logic(scalar.OpAnd, c, x), g.Logic(scalar.OpLt, c, y))
	}
	size := x.T.Size()
	_, length := g.Layout(size)
	v := g.NewValue(x.T)
	if g.isa == AVX2 {
		c = g.width(c, size)
		for i := range x.R {
			d := g.NewV(length)
			g.Put(native.Inst{Op: Vpblendvb, Len: length, D: d, A: y.R[i], B: x.R[i], C: c.R[i], Third: true})
			v.R = append(v.R, d)
		}
		return v
	}
	op := blendOps[size]
	if x.T.IsFloat() {
		op = Vblendmps
		if size == 8 {
			op = Vblendmpd
		}
	}
	for i := range x.R {
		v.R = append(v.R, g.Masked(op, length, g.maskFor(c.R, i, size), y.R[i], x.R[i]))
	}
	return v
}

// floatPredicates and intPredicates are the immediates of comparisons.
var (
	floatPredicates = map[scalar.Op]int64{scalar.OpEq: 0x00, scalar.OpNe: 0x04, scalar.OpLt: 0x11, scalar.OpLe: 0x12}
	intPredicates   = map[scalar.Op]int64{scalar.OpEq: 0, scalar.OpNe: 4, scalar.OpLt: 1, scalar.OpLe: 2}
)

func (g *x86) Compare(op scalar.Op, x, y native.Value) native.Value {
	switch {
	case x.T == scalar.Bool:
		return g.Logic(op, x, y)
	case x.T.IsFloat():
		return g.compareFloats(floatPredicates[op], x, y)
	case g.isa == AVX512:
		cmp := [9]Op{1: Vpcmpb, 2: Vpcmpw, 4: Vpcmpd, 8: Vpcmpq}
		if !x.T.IsSigned() {
			cmp = [9]Op{1: Vpcmpub, 2: Vpcmpuw, 4: Vpcmpud, 8: Vpcmpuq}
		}
		return g.masksOf(cmp[x.T.Size()], intPredicates[op], x, y)
	}
	size := x.T.Size()
	var r native.Value
	switch op {
	case scalar.OpEq, scalar.OpNe:
		r = g.Bin([9]Op{1: Vpcmpeqb, 2: Vpcmpeqw, 4: Vpcmpeqd, 8: Vpcmpeqq}[size], x, y)
	default:
		if !x.T.IsSigned() { // flip the top bits: the order becomes that of signed numbers
			x, y = g.flipTop(x), g.flipTop(y)
		}
		if op == scalar.OpLt {
			x, y = y, x
		}
		r = g.Bin([9]Op{1: Vpcmpgtb, 2: Vpcmpgtw, 4: Vpcmpgtd, 8: Vpcmpgtq}[size], x, y)
	}
	b := native.Value{T: scalar.Bool, R: r.R, W: uint8(size)}
	if op == scalar.OpNe || op == scalar.OpLe {
		b = g.Not(b)
	}
	return b
}

func (g *x86) flipTop(x native.Value) native.Value {
	top := uint64(1) << (x.T.Bits() - 1)
	if bits, ok := g.repeatedBits(x.R[0], x.T.Size()); ok {
		return g.Splat(x.T, bits^top)
	}
	return g.Bin(Vpxor, x, g.Splat(x.T, top))
}

// repeatedBits returns the bits of an AVX2 constant all of whose elements of size bytes are equal.
func (g *x86) repeatedBits(r native.VReg, size int) (bits uint64, ok bool) {
	v := &g.Regs[r]
	if !v.Const {
		return 0, false
	}
	b := g.Pool[v.Off:][:16<<v.Len]
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

func (g *x86) compareFloats(predicate int64, x, y native.Value) native.Value {
	if g.isa == AVX512 {
		op := VcmppsK
		if x.T == scalar.F64 {
			op = VcmppdK
		}
		return g.masksOf(op, predicate, x, y)
	}
	op := Vcmpps
	if x.T == scalar.F64 {
		op = Vcmppd
	}
	r := g.Map2(x.T, x, y, func(l uint8, a, b native.VReg) native.VReg { return g.Op2I(op, l, a, b, predicate) })
	return native.Value{T: scalar.Bool, R: r.R, W: uint8(x.T.Size())}
}

func (g *x86) Unordered(x, y native.Value) native.Value { return g.compareFloats(3, x, y) }

// ordered returns where neither x nor y is NaN.
func (g *x86) ordered(x, y native.Value) native.Value { return g.compareFloats(7, x, y) }

// masksOf compares with an instruction that writes masks.
func (g *x86) masksOf(op Op, predicate int64, x, y native.Value) native.Value {
	_, length := g.Layout(x.T.Size())
	ks := g.RegSlice()
	for i := range x.R {
		k := g.NewK()
		g.Put(native.Inst{Op: op, Len: length, D: k, A: x.R[i], B: y.R[i], Imm: predicate})
		ks = append(ks, k)
	}
	return native.Value{T: scalar.Bool, R: g.joinMasks(ks, g.PerPart(x.T.Size()))}
}

func (g *x86) BranchIfNone(c native.Value, to native.Label) {
	if g.isa == AVX2 {
		r := c.R[0]
		length := g.Regs[r].Len
		for _, x := range c.R[1:] {
			if x != r { // all copies share a bool that does not change in the loop
				r = g.Op2(Vpor, length, r, x)
			}
		}
		if g.Lanes.One() {
			d := g.NewG()
			g.Put(native.Inst{Op: VmovdS, D: d, A: r})
			g.BranchBits(native.Eq, d, 1, to)
		} else if n := g.Lanes.N * int(c.W); n < 16 { // the rest of the register contains no lanes
			d := g.NewG()
			g.Put(native.Inst{Op: VmovqS, D: d, A: r})
			if n == 4 {
				g.Put(native.Inst{Op: Movl, D: d, B: d})
			}
			g.BranchOp(native.Eq, native.Inst{Op: Test, A: d, B: d}, to)
		} else {
			g.BranchOp(native.Eq, native.Inst{Op: Vptest, Len: length, A: r, B: r}, to)
		}
		return
	}
	if g.Lanes.One() {
		d := g.NewG()
		g.Put(native.Inst{Op: KmovwR, D: d, B: c.R[0]})
		g.BranchBits(native.Eq, d, 1, to)
		return
	}
	if bits := g.Regs[c.R[0]].Bits; bits != 0 && g.Lanes.Mask == nil { // all copies share the mask
		g.BranchOp(native.Eq, native.Inst{Op: Test, A: bits, B: bits}, to)
		return
	}
	r := native.VReg(0)
	for i, k := range c.R {
		if g.Lanes.Mask != nil {
			k = g.kreg(g.kop(Kandw), k, g.Lanes.Mask[i])
		}
		if r == 0 {
			r = k
		} else {
			r = g.kreg(g.kop(Korw), r, k)
		}
	}
	g.BranchOp(native.Eq, native.Inst{Op: g.kop(Kortestw), A: r, B: r}, to)
}

func (g *x86) BoolToInt(t scalar.Type, x native.Value) native.Value {
	size := t.Size()
	if g.isa == AVX2 {
		x = g.width(x, size)
		return g.Bin(Vpand, native.Value{T: t, R: x.R, W: 0}, g.Num(t, 1))
	}
	op := [9]Op{1: Vmovdqu8, 2: Vmovdqu16, 4: Vmovdqu32, 8: Vmovdqu64}[size]
	parts, length := g.Layout(size)
	one := g.Num(t, 1)
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		d := g.NewV(length)
		g.Put(native.Inst{Op: op, Len: length, Zero: true, D: d, B: one.R[i], K: g.maskFor(x.R, i, size)})
		v.R = append(v.R, d)
	}
	return v
}

func (g *x86) UpperLanes(x native.Value, from int) native.VReg {
	switch {
	case x.T != scalar.Bool:
		return g.chunk(x.R[0], from*x.T.Size())
	case g.isa == AVX2:
		return g.chunk(x.R[0], from*int(x.W))
	}
	op := Kshiftrw
	switch {
	case from > 16:
		op = Kshiftrq
	case from > 8:
		op = Kshiftrd
	}
	d := g.NewK()
	g.Put(native.Inst{Op: op, D: d, B: x.R[0], Imm: int64(from)})
	return d
}

func (g *x86) BoolLike(x, like native.Value) native.Value {
	if g.isa == AVX512 {
		return x
	}
	return g.width(x, int(like.W))
}

// FirstLanes returns a mask of lanes skip … n − 1, moved down to lane 0, at most `lanes` of them. Its other bits
// are 0: if they were 1, an instruction on elements that do not fill a vector would write more of them than there
// are lanes.
func (g *x86) FirstLanes(n native.VReg, skip, lanes int64) native.VReg {
	bits := g.NewG()
	// bzhi reads only the low 8 bits of the count, so larger counts are lowered.
	most := g.GConst(min(skip+lanes, 64))
	n = g.GMin(n, most)
	g.Put(native.Inst{Op: Bzhiq, D: bits, B: g.GConst(-1), A: n})
	if skip > 0 {
		bits = g.GTiedI(ShrI, bits, skip)
	}
	k := g.NewK()
	g.Put(native.Inst{Op: KmovqG, D: k, B: bits})
	return k
}
