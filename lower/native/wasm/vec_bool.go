package wasm

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// Bools are vectors whose elements are all ones or zeros and as wide as the elements that were compared.

var sized = [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}

// mask returns elements of size bytes as a bool.
func mask(x native.Value, size int) native.Value {
	return native.Value{T: scalar.Bool, R: x.R, W: uint8(size)}
}

func lanes(x native.Value) native.Value { return native.Value{T: sized[x.W], R: x.R} }

func (g *simd) BoolConst(x bool) native.Value {
	n := int64(0)
	if x {
		n = -1
	}
	return mask(g.Num(scalar.I32, n), 4)
}

func (g *simd) width(x native.Value, size int) native.Value {
	return mask(g.intToInt(sized[size], lanes(x)), size)
}

func (g *simd) BoolLike(x, like native.Value) native.Value { return g.width(x, int(like.W)) }

func (g *simd) BoolToInt(t scalar.Type, x native.Value) native.Value {
	ones := lanes(g.width(x, t.Size()))
	return g.UnI(ofSize(i8x16ShrU, t.Size()), ones, int64(t.Bits()-1)).As(t)
}

func (g *simd) Logic(op scalar.Op, x, y native.Value) native.Value {
	a, b := lanes(x), lanes(g.width(y, int(x.W)))
	var r native.Value
	switch op {
	case scalar.OpAnd, scalar.OpMin:
		r = g.Bin(v128And, a, b)
	case scalar.OpOr, scalar.OpMax:
		r = g.Bin(v128Or, a, b)
	case scalar.OpXor, scalar.OpNe:
		r = g.Bin(v128Xor, a, b)
	case scalar.OpEq:
		r = g.Un(v128Not, a.T, g.Bin(v128Xor, a, b))
	case scalar.OpLt:
		r = g.Bin(v128Andnot, b, a)
	case scalar.OpLe:
		r = g.Bin(v128Or, b, g.Un(v128Not, a.T, a))
	default:
		panic("BUG: " + op.String() + " of bools")
	}
	return mask(r, int(x.W))
}

func (g *simd) Not(x native.Value) native.Value {
	return mask(g.Un(v128Not, sized[x.W], lanes(x)), int(x.W))
}

func (g *simd) Choose(c, x, y native.Value) native.Value {
	if x.T == scalar.Bool {
		y = g.width(y, int(x.W))
		return mask(g.Choose(c, lanes(x), lanes(y)), int(x.W))
	}
	c = g.width(c, x.T.Size())
	op := v128Bitselect
	if g.relaxed { // for masks it is well defined
		op = i8x16RelaxedLaneselect + Op(native.Log2(x.T.Size()))
	}
	v := g.NewValue(x.T)
	for i := range x.R {
		v.R = append(v.R, g.three(op, x.R[i], y.R[i], c.R[i]))
	}
	return v
}

func (g *simd) three(op Op, a, b, c native.VReg) native.VReg {
	d := g.NewV(0)
	g.Put(native.Inst{Op: op, D: d, A: a, B: b, C: c, Third: true})
	return d
}

func (g *simd) Compare(op scalar.Op, x, y native.Value) native.Value {
	if x.T == scalar.Bool {
		return g.Logic(op, x, y)
	}
	size := x.T.Size()
	var r native.Value
	switch {
	case x.T.IsFloat():
		r = g.Bin(ofFloat(map[scalar.Op]Op{scalar.OpEq: f32x4Eq, scalar.OpNe: f32x4Ne, scalar.OpLt: f32x4Lt, scalar.OpLe: f32x4Le}[op], size), x, y)
	case size == 8:
		r = g.compare64(op, x, y)
	default:
		r = g.Bin(map[scalar.Op]Op{scalar.OpEq: i8x16Eq, scalar.OpNe: i8x16Ne,
			scalar.OpLt: bySign(x.T, i8x16LtS, i8x16LtU), scalar.OpLe: bySign(x.T, i8x16LeS, i8x16LeU)}[op]+Op(10*native.Log2(size)), x, y)
	}
	return mask(r, size)
}

// compare64 compares integers of 64 bits. It offsets unsigned ones to signed ones.
func (g *simd) compare64(op scalar.Op, x, y native.Value) native.Value {
	if !x.T.IsSigned() && (op == scalar.OpLt || op == scalar.OpLe) {
		top := g.Splat(scalar.U64, 1<<63)
		x, y = g.Bin(v128Xor, x, top), g.Bin(v128Xor, y, top)
	}
	return g.Bin(map[scalar.Op]Op{scalar.OpEq: i64x2Eq, scalar.OpNe: i64x2Ne, scalar.OpLt: i64x2LtS, scalar.OpLe: i64x2LeS}[op], x, y)
}

// numbers returns where neither x nor y is NaN.
func (g *simd) numbers(x, y native.Value) native.Value {
	size := x.T.Size()
	equal := ofFloat(f32x4Eq, size)
	return mask(g.Map2(sized[size], x, y, func(length uint8, a, b native.VReg) native.VReg {
		m := g.Op2(equal, length, a, a)
		if a == b {
			return m
		}
		return g.Op2(v128And, length, m, g.Op2(equal, length, b, b))
	}), size)
}

func (g *simd) Unordered(x, y native.Value) native.Value { return g.Not(g.numbers(x, y)) }

func (g *simd) BranchIfNone(c native.Value, to native.Label) {
	r := c.R[0]
	for _, x := range c.R[1:] {
		r = g.Op2(v128Or, 0, r, x)
	}
	if bytes := g.PerPart(int(c.W)) * int(c.W); bytes < vectorBytes { // the rest of the register contains no lanes
		part := make([]byte, vectorBytes)
		for i := range bytes {
			part[i] = 0xff
		}
		r = g.Op2(v128And, 0, r, g.VBytes(part))
	}
	g.BranchOp(native.Eq, native.Inst{Op: v128AnyTrue, B: r}, to)
}

func (g *simd) UpperLanes(x native.Value, from int) native.VReg {
	size := x.T.Size()
	if x.T == scalar.Bool {
		size = int(x.W)
	}
	bytes := make([]byte, vectorBytes)
	for i := range bytes {
		bytes[i] = byte((i + from*size) % vectorBytes)
	}
	return g.shuffled(x.R[0], x.R[0], bytes)
}

// shuffled returns the bytes of a and b with the given numbers: those of a are 0 to 15, those of b 16 to 31.
func (g *simd) shuffled(a, b native.VReg, bytes []byte) native.VReg {
	return g.Op2I(i8x16Shuffle, 0, a, b, int64(g.PoolBytes(bytes)))
}

// ofSize returns the instruction for elements of a size, given that for bytes.
func ofSize(op Op, size int) Op { return op + Op(0x20*native.Log2(size)) }

// ofFloat returns the instruction for floats of a size, given that for f32.
func ofFloat(op Op, size int) Op {
	switch {
	case size == 4:
		return op
	case op >= f32x4Eq && op <= f32x4Ge:
		return op + f64x2Eq - f32x4Eq
	case op >= f32x4Abs && op <= f32x4Pmax:
		return op + f64x2Abs - f32x4Abs
	}
	return map[Op]Op{f32x4Ceil: f64x2Ceil, f32x4Floor: f64x2Floor, f32x4Trunc: f64x2Trunc, f32x4Nearest: f64x2Nearest}[op]
}
