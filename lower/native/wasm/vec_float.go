package wasm

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

var floatOps = map[scalar.Op]Op{
	scalar.OpAdd: f32x4Add, scalar.OpSub: f32x4Sub, scalar.OpMul: f32x4Mul, scalar.OpDiv: f32x4Div, scalar.OpMin: f32x4Min, scalar.OpMax: f32x4Max,
	scalar.OpNeg: f32x4Neg, scalar.OpAbs: f32x4Abs, scalar.OpSqrt: f32x4Sqrt,
	scalar.OpFloor: f32x4Floor, scalar.OpCeil: f32x4Ceil, scalar.OpTrunc: f32x4Trunc, scalar.OpRint: f32x4Nearest,
}

// FloatOp computes an operation on floats other than comparisons and conversions.
func (g *simd) FloatOp(op scalar.Op, x, y, z native.Value) native.Value {
	t := x.T
	switch op {
	case scalar.OpFMA:
		v := g.NewValue(t)
		for i := range x.R {
			d := g.NewV(0)
			fma(g.Draft, g.relaxed, t.Size(), d, x.R[i], y.R[i], z.R[i])
			v.R = append(v.R, d)
		}
		return v
	case scalar.OpCanon:
		return g.Choose(g.numbers(x, x), x, g.NaN(t))
	}
	one, ok := floatOps[op]
	if !ok {
		panic("BUG: " + op.String() + " of " + t.String())
	}
	one = ofFloat(one, t.Size())
	if op.Args() == 1 {
		return g.Un(one, t, x)
	}
	return g.Bin(one, x, y)
}

func (g *simd) Extreme(x, y native.Value, least bool) native.Value {
	op := f32x4Pmax
	if least {
		op = f32x4Pmin
	}
	return g.Bin(ofFloat(op, x.T.Size()), y, x)
}

// Scale returns x·2ⁿ for integral floats n, rounded once: x·2^⌊n/2⌋ is exact, and its product with
// the rest rounds.
func (g *simd) Scale(x, n native.Value) native.Value {
	t := x.T
	i, bias, bits := scalar.I32, int64(127), uint64(23)
	if t == scalar.F64 {
		i, bias, bits = scalar.I64, 1023, 52
	}
	power := func(k native.Value) native.Value {
		return g.ShiftConst(scalar.OpShl, g.IntOp(scalar.OpAdd, k, g.Num(i, bias)), bits).As(t)
	}
	k := g.Truncate(scalar.I32, n)
	if t == scalar.F64 {
		k = g.intToInt(i, k)
	}
	first := g.ShiftConst(scalar.OpShr, k, 1)
	mul := ofFloat(f32x4Mul, t.Size())
	return g.Bin(mul, g.Bin(mul, x, power(first)), power(g.IntOp(scalar.OpSub, k, first)))
}

// Lookup returns the entries of a table at the low bits of x, which it reads one by one.
func (g *simd) Lookup(table ir.Table, x native.Value) native.Value {
	size := table.Type.Size()
	bytes := make([]byte, len(table.Bits)*size)
	for i, entry := range table.Bits {
		for k := range size {
			bytes[i*size+k] = byte(entry >> (8 * k))
		}
	}
	base := g.NewG()
	g.Put(native.Inst{Op: native.Address, D: base, Mem: true, Pool: true, Disp: g.PoolBytes(bytes)})
	index := g.IntOp(scalar.OpAnd, x.As(sized[size]), g.Num(sized[size], int64(len(table.Bits)-1)))
	v := g.NewValue(table.Type)
	for _, r := range index.R {
		at := native.Inst{Mem: true, Base: base, Scale: uint8(native.Log2(size))}
		v.R = append(v.R, g.eachElement(size, g.PerPart(size), at, func(lane int) native.VReg {
			return g.element(extracts[size], r, lane)
		}))
	}
	return v
}

// extracts are instructions that copy an element to a general register, by its size.
var extracts = [...]Op{1: i8x16ExtractLaneU, 2: i16x8ExtractLaneU, 4: i32x4ExtractLane, 8: i64x2ExtractLane}

// eachElement returns a register whose elements are read one by one. index returns the index register of each.
func (g *simd) eachElement(size, n int, at native.Inst, index func(lane int) native.VReg) native.VReg {
	var d native.VReg
	for lane := range n {
		in := at
		in.Index, in.D = index(lane), g.NewV(0)
		if lane == 0 {
			in.Op = native.LoadOp(size)
		} else {
			in.Op, in.A, in.Imm = v128Load8Lane+Op(native.Log2(size)), d, int64(lane)
		}
		g.Put(in)
		d = in.D
	}
	return d
}
