package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

func (e *emitter) words(key ir.Ref) (k0, k1 ir.Ref) {
	high := e.op(scalar.OpShr, scalar.U64, key, e.b.Const(scalar.U64, 32))
	k0, k1 = e.op(scalar.OpConvert, scalar.U32, key), e.op(scalar.OpConvert, scalar.U32, high)
	if littleEndian {
		return k0, k1
	}
	return k1, k0
}

var littleEndian = bitsAt([]byte{1, 0}, 2) == 1

// keyOf returns the key, or the number of 64 bits, whose first word in memory is k0.
func (e *emitter) keyOf(k0, k1 ir.Ref) ir.Ref {
	if !littleEndian {
		k0, k1 = k1, k0
	}
	high := e.op(scalar.OpShl, scalar.U64, e.op(scalar.OpConvert, scalar.U64, k1), e.b.Const(scalar.U64, 32))
	return e.op(scalar.OpOr, scalar.U64, high, e.op(scalar.OpConvert, scalar.U64, k0))
}

func (e *emitter) seed(dt core.DType, r ir.Ref) ir.Ref {
	if dt.Bits() == 64 {
		u := r
		if e.b.TypeOf(r) != scalar.U64 {
			u = e.op(scalar.OpConvert, scalar.U64, r)
		}
		high := e.op(scalar.OpShr, scalar.U64, u, e.b.Const(scalar.U64, 32))
		return e.keyOf(e.op(scalar.OpConvert, scalar.U32, high), e.op(scalar.OpConvert, scalar.U32, u))
	}
	return e.keyOf(e.b.Const(scalar.U32, 0), e.convert(scalar.U32, r))
}

// threefry writes 20 rounds of threefry2x32, as the reference's kernel has them.
func (e *emitter) threefry(k0, k1, x0, x1 ir.Ref) (a, b ir.Ref) {
	u32 := func(o scalar.Op, x, y ir.Ref) ir.Ref { return e.op(o, scalar.U32, x, y) }
	num := func(n uint64) ir.Ref { return e.b.Const(scalar.U32, n) }
	k := [3]ir.Ref{k0, k1, u32(scalar.OpXor, u32(scalar.OpXor, k0, k1), num(0x1BD11BDA))}
	a, b = u32(scalar.OpAdd, x0, k0), u32(scalar.OpAdd, x1, k1)
	rotations := [2][4]uint64{{13, 15, 26, 6}, {17, 29, 16, 24}}
	for i := range 5 {
		for _, r := range rotations[i%2] {
			a = u32(scalar.OpAdd, a, b)
			rotated := u32(scalar.OpOr, u32(scalar.OpShl, b, num(r)), u32(scalar.OpShr, b, num(32-r)))
			b = u32(scalar.OpXor, rotated, a)
		}
		a = u32(scalar.OpAdd, a, k[(i+1)%3])
		b = u32(scalar.OpAdd, u32(scalar.OpAdd, b, k[(i+2)%3]), num(uint64(i+1)))
	}
	return a, b
}
