package amd64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// bySize are instructions by the bytes of an element.
type bySize [9]Op

var (
	addOps = bySize{1: Vpaddb, 2: Vpaddw, 4: Vpaddd, 8: Vpaddq}
	subOps = bySize{1: Vpsubb, 2: Vpsubw, 4: Vpsubd, 8: Vpsubq}
	minOps = [2]bySize{{1: Vpminub, 2: Vpminuw, 4: Vpminud, 8: Vpminuq}, {1: Vpminsb, 2: Vpminsw, 4: Vpminsd, 8: Vpminsq}}
	maxOps = [2]bySize{{1: Vpmaxub, 2: Vpmaxuw, 4: Vpmaxud, 8: Vpmaxuq}, {1: Vpmaxsb, 2: Vpmaxsw, 4: Vpmaxsd, 8: Vpmaxsq}}
	absOps = bySize{1: Vpabsb, 2: Vpabsw, 4: Vpabsd, 8: Vpabsq}

	shlConst = bySize{2: VpsllwI, 4: VpslldI, 8: VpsllqI}
	shrConst = bySize{2: VpsrlwI, 4: VpsrldI, 8: VpsrlqI}
	sarConst = bySize{2: VpsrawI, 4: VpsradI, 8: VpsraqI}
	shlEach  = bySize{2: Vpsllvw, 4: Vpsllvd, 8: Vpsllvq}
	shrEach  = bySize{2: Vpsrlvw, 4: Vpsrlvd, 8: Vpsrlvq}
	sarEach  = bySize{2: Vpsravw, 4: Vpsravd, 8: Vpsravq}
)

func signIndex(t scalar.Type) int {
	if t.IsSigned() {
		return 1
	}
	return 0
}

// bits applies and, or, or xor to vectors of integers.
func (g *x86) bits(op scalar.Op, x, y native.Value) native.Value {
	avx2, avx512 := Vpand, Vpandd
	switch op {
	case scalar.OpOr:
		avx2, avx512 = Vpor, Vpord
	case scalar.OpXor:
		avx2, avx512 = Vpxor, Vpxord
	}
	if g.isa == AVX2 {
		return g.Bin(avx2, x, y)
	}
	if x.T.Size() == 8 {
		avx512++
	}
	return g.Bin(avx512, x, y)
}

// IntOp computes an operation on integers other than comparisons and conversions.
func (g *x86) IntOp(op scalar.Op, x, y native.Value) native.Value {
	t := x.T
	size := t.Size()
	switch op {
	case scalar.OpAdd:
		return g.Bin(addOps[size], x, y)
	case scalar.OpSub:
		return g.Bin(subOps[size], x, y)
	case scalar.OpNeg:
		return g.Bin(subOps[size], g.Num(t, 0), x)
	case scalar.OpMul:
		return g.multiply(x, y)
	case scalar.OpMulHi:
		return g.multiplyHigh(x, y)
	case scalar.OpDiv, scalar.OpRem:
		return g.Divide(op, x, y)
	case scalar.OpAbs:
		switch {
		case !t.IsSigned():
			return x
		case size == 8 && g.isa == AVX2:
			neg := native.Value{T: t, R: g.Compare(scalar.OpLt, x, g.Num(t, 0)).R}
			return g.Bin(Vpsubq, g.bits(scalar.OpXor, x, neg), neg)
		}
		return g.Un(absOps[size], t, x)
	case scalar.OpMin, scalar.OpMax:
		if size == 8 && g.isa == AVX2 {
			if op == scalar.OpMin {
				return g.Choose(g.Compare(scalar.OpLt, x, y), x, y)
			}
			return g.Choose(g.Compare(scalar.OpLt, x, y), y, x)
		}
		if op == scalar.OpMin {
			return g.Bin(minOps[signIndex(t)][size], x, y)
		}
		return g.Bin(maxOps[signIndex(t)][size], x, y)
	case scalar.OpAnd, scalar.OpOr, scalar.OpXor:
		return g.bits(op, x, y)
	case scalar.OpNot:
		return g.bits(scalar.OpXor, x, g.Num(t, -1))
	case scalar.OpShl, scalar.OpShr:
		return g.shift(op, x, y)
	case scalar.OpClz:
		return g.leadingZeros(x)
	case scalar.OpPopCount:
		return g.ones(x)
	}
	panic("BUG: " + op.String() + " of " + t.String())
}

// multiply returns the low halves of products.
func (g *x86) multiply(x, y native.Value) native.Value {
	t := x.T
	switch size := t.Size(); {
	case size == 1:
		// Even and odd bytes in words of their own.
		even := g.Bin(Vpmullw, x, y)
		odd := g.UnI(VpsllwI, g.Bin(Vpmullw, g.UnI(VpsrlwI, x, 8), g.UnI(VpsrlwI, y, 8)), 8)
		mask := g.repeated(t, 0x00ff, 2)
		return g.bits(scalar.OpOr, g.bits(scalar.OpAnd, even, mask), odd)
	case size == 2:
		return g.Bin(Vpmullw, x, y)
	case size == 4:
		return g.Bin(Vpmulld, x, y)
	case g.isa == AVX512:
		return g.Bin(Vpmullq, x, y)
	}
	cross := g.Bin(Vpaddq, g.Bin(Vpmuludq, g.UnI(VpsrlqI, x, 32), y), g.Bin(Vpmuludq, x, g.UnI(VpsrlqI, y, 32)))
	return g.Bin(Vpaddq, g.Bin(Vpmuludq, x, y), g.UnI(VpsllqI, cross, 32))
}

// repeated returns a value of type t whose registers repeat bits of another size.
func (g *x86) repeated(t scalar.Type, bits uint64, size int) native.Value {
	p, length := g.Layout(t.Size())
	r := g.VConst(size, bits, length)
	v := g.NewValue(t)
	for range p * g.Lanes.U {
		v.R = append(v.R, r)
	}
	return v
}

func (g *x86) multiplyHigh(x, y native.Value) native.Value {
	t := x.T
	signed := t.IsSigned()
	switch t.Size() {
	case 1:
		wide := scalar.U16
		if signed {
			wide = scalar.I16
		}
		p := g.Bin(Vpmullw, g.intToInt(wide, x), g.intToInt(wide, y))
		return g.intToInt(t, g.UnI(VpsrlwI, p, 8))
	case 2:
		if signed {
			return g.Bin(Vpmulhw, x, y)
		}
		return g.Bin(Vpmulhuw, x, y)
	case 4:
		mul := Vpmuludq
		if signed {
			mul = Vpmuldq
		}
		even := g.UnI(VpsrlqI, g.Bin(mul, x, y), 32)
		odd := g.Bin(mul, g.UnI(VpsrlqI, x, 32), g.UnI(VpsrlqI, y, 32))
		return g.bits(scalar.OpOr, even, g.bits(scalar.OpAnd, odd, g.repeated(t, 0xffffffff00000000, 8)))
	}
	// Four products of halves.
	u := func(v native.Value) native.Value { return v.As(scalar.U64) }
	x0, y0 := u(x), u(y)
	x1, y1 := g.UnI(VpsrlqI, x0, 32), g.UnI(VpsrlqI, y0, 32)
	mul := func(a, b native.Value) native.Value { return g.Bin(Vpmuludq, a, b) }
	add := func(a, b native.Value) native.Value { return g.Bin(Vpaddq, a, b) }
	low := g.Splat(scalar.U64, 1<<32-1)
	m := add(mul(x1, y0), g.UnI(VpsrlqI, mul(x0, y0), 32))
	n := add(mul(x0, y1), g.bits(scalar.OpAnd, m, low))
	hi := add(add(mul(x1, y1), g.UnI(VpsrlqI, m, 32)), g.UnI(VpsrlqI, n, 32))
	if signed {
		zero := g.Num(scalar.I64, 0)
		hi = g.Bin(Vpsubq, hi, g.Choose(g.Compare(scalar.OpLt, x, zero), y0, u(zero)))
		hi = g.Bin(Vpsubq, hi, g.Choose(g.Compare(scalar.OpLt, y, zero), x0, u(zero)))
	}
	return hi.As(t)
}

// shift shifts by amounts that are read as unsigned.
func (g *x86) shift(op scalar.Op, x, y native.Value) native.Value {
	t := x.T
	size := t.Size()
	if size == 1 || size == 2 && g.isa == AVX2 {
		wide := [...]scalar.Type{scalar.U16, scalar.I16}
		if g.isa == AVX2 {
			wide = [...]scalar.Type{scalar.U32, scalar.I32}
		}
		amount := g.intToInt(wide[0], y.As(t.Unsigned()))
		w := g.intToInt(wide[signIndex(t)], x)
		return g.intToInt(t, g.shift(op, w, amount))
	}
	switch {
	case op == scalar.OpShl:
		return g.Bin(shlEach[size], x, y)
	case !t.IsSigned():
		return g.Bin(shrEach[size], x, y)
	case size == 8 && g.isa == AVX2:
		neg := native.Value{T: t, R: g.Compare(scalar.OpLt, x, g.Num(t, 0)).R}
		return g.bits(scalar.OpXor, g.Bin(Vpsrlvq, g.bits(scalar.OpXor, x, neg), y), neg)
	}
	return g.Bin(sarEach[size], x, y)
}

func (g *x86) ShiftConst(op scalar.Op, x native.Value, n uint64) native.Value {
	t := x.T
	size := t.Size()
	width := uint64(t.Bits())
	arithmetic := op == scalar.OpShr && t.IsSigned()
	if n >= width {
		if !arithmetic {
			return g.Num(t, 0)
		}
		n = width - 1
	}
	imm := int64(n)
	switch {
	case n == 0:
		return x
	case size == 1 && arithmetic:
		u := g.ShiftConst(op, x.As(scalar.U8), n)
		s := g.Num(scalar.U8, 0x80>>n)
		return g.Bin(Vpsubb, g.bits(scalar.OpXor, u, s), s).As(t)
	case size == 1 && op == scalar.OpShl:
		return g.bits(scalar.OpAnd, g.UnI(VpsllwI, x, imm), g.Num(t, 0xff<<n&0xff))
	case size == 1:
		return g.bits(scalar.OpAnd, g.UnI(VpsrlwI, x, imm), g.Num(t, 0xff>>n))
	case op == scalar.OpShl:
		return g.UnI(shlConst[size], x, imm)
	case !arithmetic:
		return g.UnI(shrConst[size], x, imm)
	case size == 8 && g.isa == AVX2:
		neg := native.Value{T: t, R: g.Compare(scalar.OpLt, x, g.Num(t, 0)).R}
		return g.bits(scalar.OpXor, g.UnI(VpsrlqI, g.bits(scalar.OpXor, x, neg), imm), neg)
	}
	return g.UnI(sarConst[size], x, imm)
}

// ones returns the number of one bits: of bytes by tables of half bytes, then sums.
func (g *x86) ones(x native.Value) native.Value {
	t := x.T
	_, length := g.Layout(t.Size())
	table := make([]byte, 16<<length)
	for i := range table {
		for b := i & 15; b != 0; b &= b - 1 {
			table[i]++
		}
	}
	lut := g.VBytes(table)
	mask := g.repeated(t, 0x0f, 1)
	count := func(v native.Value) native.Value {
		return g.Map1(t, v, func(l uint8, a native.VReg) native.VReg { return g.Op2(Vpshufb, l, lut, a) })
	}
	lo := count(g.bits(scalar.OpAnd, x, mask))
	hi := count(g.bits(scalar.OpAnd, g.UnI(VpsrlwI, x, 4), mask))
	n := g.Bin(Vpaddb, lo, hi)
	switch t.Size() {
	case 2:
		return g.Bin(Vpmaddubsw, n, g.repeated(t, 0x01, 1))
	case 4:
		return g.Bin(Vpmaddwd, g.Bin(Vpmaddubsw, n, g.repeated(t, 0x01, 1)), g.repeated(t, 0x0001, 2))
	case 8:
		return g.Bin(Vpsadbw, n, g.Num(t, 0))
	}
	return n
}

func (g *x86) SumBytes(x native.Value) native.Value { return g.Bin(Vpsadbw, x, g.Num(x.T, 0)) }

func (g *x86) leadingZeros(x native.Value) native.Value {
	t := x.T
	size := t.Size()
	if g.isa == AVX512 {
		switch size {
		case 4:
			return g.Un(Vplzcntd, t, x)
		case 8:
			return g.Un(Vplzcntq, t, x)
		}
		w := g.Un(Vplzcntd, scalar.U32, g.intToInt(scalar.U32, x.As(t.Unsigned())))
		return g.intToInt(t, g.Bin(Vpsubd, w, g.Num(scalar.U32, int64(32-t.Bits()))))
	}
	u := x.As(t.Unsigned())
	for n := 1; n < t.Bits(); n *= 2 {
		u = g.bits(scalar.OpOr, u, g.ShiftConst(scalar.OpShr, u, uint64(n)))
	}
	return g.ones(g.bits(scalar.OpXor, u, g.Num(u.T, -1))).As(t)
}

// Rotates reports whether there is an instruction that rotates integers by n bits: AVX-512 has one, AVX2 moves
// whole bytes.
func (g *x86) Rotates(t scalar.Type, n int64) bool { return g.isa == AVX512 || n%8 == 0 }

func (g *x86) Rotate(x native.Value, n int64) native.Value {
	if g.isa == AVX2 {
		return g.rotateBytes(x, int(n/8))
	}
	op := VproldI
	if x.T.Size() == 8 {
		op = VprolqI
	}
	return g.UnI(op, x, n)
}

// rotateBytes returns a value with the bytes of each element moved up by n and around.
func (g *x86) rotateBytes(x native.Value, n int) native.Value {
	size := x.T.Size()
	return g.Map1(x.T, x, func(length uint8, a native.VReg) native.VReg {
		order := make([]byte, 16<<length)
		for i := range order {
			order[i] = byte(i%16/size*size + (i+size-n)%size)
		}
		return g.Op2(Vpshufb, length, a, g.VBytes(order))
	})
}
