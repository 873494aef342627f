package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/scalar"
)

// A function of elements that StableHLO lacks is decomposed into the operations of its
// scalar program, which defines its numbers. StableHLO has no fused multiply-add: products
// of f32 are exact in f64, those of f64 are split into two numbers.

var scalarTypes = map[scalar.Type]core.DType{
	scalar.Bool: core.Bool, scalar.I8: core.Int8, scalar.I16: core.Int16, scalar.I32: core.Int32, scalar.I64: core.Int64,
	scalar.U8: core.Uint8, scalar.U16: core.Uint16, scalar.U32: core.Uint32, scalar.U64: core.Uint64, scalar.F32: core.Float32, scalar.F64: core.Float64,
}

// elementFunction returns the decomposition of a function of elements by its scalar program, nil
// where it has none.
func elementFunction(p core.Primitive, avals []core.ShapedArray) func(in []core.Value) []core.Value {
	if !expand.Has(p) {
		return nil
	}
	out := core.AbstractOf(p, avals)[0]
	types := make([]core.DType, len(avals))
	for i, a := range avals {
		types[i] = a.DType
		if a.DType.IsFloat() && a.DType.Bits() < 8 || a.DType.IsKey() {
			return nil
		}
	}
	prog, ok := expand.Program(p, types, out.DType)
	if !ok {
		return nil
	}
	return func(in []core.Value) []core.Value {
		e := &elements{prog: prog, shape: out.Shape, in: in, vals: make([]core.Value, len(prog.Code))}
		for i, c := range prog.Code {
			e.vals[i] = e.instruction(c)
		}
		return []core.Value{e.result(out.DType)}
	}
}

// elements evaluates a scalar program on arrays of one shape. Constants are scalars.
type elements struct {
	prog  *scalar.Prog
	shape core.Dims
	in    []core.Value
	vals  []core.Value
}

func (e *elements) full(x core.Value) core.Value {
	if s := x.Aval().Shape; s != e.shape {
		return prim.BroadcastInDim(x, e.shape, core.Range(0, s.Len()))
	}
	return x
}

func (e *elements) choose(c, yes, no core.Value) core.Value {
	return prim.Where(e.full(c), e.full(yes), e.full(no))
}

func bitsType(dt core.DType) core.DType {
	if dt.Bits() == 8 {
		return core.Uint8
	}
	return core.Uint16
}

func (e *elements) result(dt core.DType) core.Value {
	r := e.prog.Results
	x := e.full(e.vals[r[0]])
	switch {
	case dt.IsComplex():
		return prim.Complex(x, e.full(e.vals[r[1]]))
	case scalar.IsSmallFloat(dt):
		return prim.BitcastConvert(x, dt)
	}
	return convert(x, dt)
}

// param returns a component of an operand, small floats as their bits.
func (e *elements) param(imm uint64) core.Value {
	x := e.full(e.in[imm>>8])
	dt := x.Aval().DType
	switch {
	case dt.IsComplex() && imm&0xff == 0:
		return prim.Real(x)
	case dt.IsComplex():
		return prim.Imag(x)
	case scalar.IsSmallFloat(dt):
		return prim.BitcastConvert(x, bitsType(dt))
	}
	return convert(x, scalarTypes[scalar.Stored(dt)])
}

func constant(bits uint64, t scalar.Type) core.Value {
	dt := scalarTypes[t]
	buf := make([]byte, 8)
	for i := range dt.Size() {
		buf[i] = byte(bits >> (8 * i))
	}
	native(buf[:dt.Size()], dt)
	n, _ := elem.Get(buf, dt)
	return core.Lit(n, dt)
}

func (e *elements) instruction(c scalar.Inst) core.Value {
	arg := func(k int) core.Value { return e.vals[c.Args[k]] }
	dt := scalarTypes[c.Type]
	switch c.Op {
	case scalar.OpParam:
		return e.param(c.Imm)
	case scalar.OpConst:
		return constant(c.Imm, c.Type)
	case scalar.OpAdd:
		return prim.Add(arg(0), arg(1))
	case scalar.OpSub:
		return prim.Sub(arg(0), arg(1))
	case scalar.OpMul:
		return prim.Mul(arg(0), arg(1))
	case scalar.OpDiv:
		return prim.Div(arg(0), arg(1))
	case scalar.OpRem:
		return prim.Rem(arg(0), arg(1))
	case scalar.OpMulHi:
		return highProduct(arg(0), arg(1))
	case scalar.OpNeg:
		return prim.Neg(arg(0))
	case scalar.OpAbs:
		return prim.Abs(arg(0))
	case scalar.OpMin:
		return prim.Min(arg(0), arg(1))
	case scalar.OpMax:
		return prim.Max(arg(0), arg(1))
	case scalar.OpFMA:
		return e.multiplyAdd(arg(0), arg(1), arg(2))
	case scalar.OpScale:
		half := prim.Floor(prim.Mul(arg(1), prim.Num(core.Aval(dt), 0.5)))
		return prim.Mul(prim.Mul(arg(0), powerOfTwo(half)), powerOfTwo(prim.Sub(arg(1), half)))
	case scalar.OpSqrt:
		return prim.Sqrt(arg(0))
	case scalar.OpFloor:
		return prim.Floor(arg(0))
	case scalar.OpCeil:
		return prim.Ceil(arg(0))
	case scalar.OpTrunc:
		return e.choose(prim.Lt(arg(0), prim.Num(core.Aval(dt), 0)), prim.Ceil(arg(0)), prim.Floor(arg(0)))
	case scalar.OpRint:
		return prim.Round(arg(0), prim.ToNearestEven)
	case scalar.OpCanon:
		return arg(0)
	case scalar.OpAnd:
		return prim.And(arg(0), arg(1))
	case scalar.OpOr:
		return prim.Or(arg(0), arg(1))
	case scalar.OpXor:
		return prim.Xor(arg(0), arg(1))
	case scalar.OpNot:
		return prim.Not(arg(0))
	case scalar.OpShl:
		return prim.ShiftLeft(arg(0), arg(1))
	case scalar.OpShr:
		if c.Type.IsSigned() {
			return prim.ShiftRightArithmetic(arg(0), arg(1))
		}
		return prim.ShiftRightLogical(arg(0), arg(1))
	case scalar.OpClz:
		return prim.Clz(arg(0))
	case scalar.OpPopCount:
		return prim.PopulationCount(arg(0))
	case scalar.OpEq:
		return prim.Eq(arg(0), arg(1))
	case scalar.OpNe:
		return prim.Ne(arg(0), arg(1))
	case scalar.OpLt:
		return prim.Lt(arg(0), arg(1))
	case scalar.OpLe:
		return prim.Le(arg(0), arg(1))
	case scalar.OpSelect, scalar.OpRare:
		return e.choose(arg(0), arg(1), arg(2))
	case scalar.OpConvert:
		return convert(arg(0), dt)
	case scalar.OpBitcast:
		return prim.BitcastConvert(arg(0), dt)
	case scalar.OpWiden:
		return convert(prim.BitcastConvert(arg(0), c.DType), core.Float32)
	case scalar.OpNarrow:
		return prim.BitcastConvert(convert(arg(0), c.DType), bitsType(c.DType))
	case scalar.OpLookup:
		return e.lookup(e.prog.Tables[c.Imm], arg(0))
	}
	core.Failf(core.ErrNoRule, "the scalar operation %v has no counterpart in StableHLO; write the program without it", c.Op)
	return nil
}

// lookup chooses between the numbers of a table by the bits of an index, the lowest first.
func (e *elements) lookup(t scalar.Table, index core.Value) core.Value {
	a := core.Aval(index.Aval().DType)
	level := make([]core.Value, len(t.Bits))
	for i, bits := range t.Bits {
		level[i] = constant(bits, t.Type)
	}
	for bit := 1; len(level) > 1; bit *= 2 {
		odd := prim.Ne(prim.And(index, prim.Num(a, float64(bit))), prim.Num(a, 0))
		for i := range len(level) / 2 {
			level[i] = e.choose(odd, level[2*i+1], level[2*i])
		}
		level = level[:len(level)/2]
	}
	return level[0]
}

// powerOfTwo returns 2ⁿ for an integral float whose power is a normal number.
func powerOfTwo(n core.Value) core.Value {
	dt, integer, bias, mantissa := n.Aval().DType, core.Int32, 127.0, 23.0
	if dt == core.Float64 {
		integer, bias, mantissa = core.Int64, 1023, 52
	}
	a := core.Aval(integer)
	return prim.BitcastConvert(prim.ShiftLeft(prim.Add(convert(n, integer), prim.Num(a, bias)), prim.Num(a, mantissa)), dt)
}

// multiplyAdd returns nearly x·y + z rounded once: for f32 it rounds the sum in f64 first, for f64 it adds the errors of
// the product and of the sum.
func (e *elements) multiplyAdd(x, y, z core.Value) core.Value {
	if x.Aval().DType == core.Float32 {
		wide := func(v core.Value) core.Value { return convert(v, core.Float64) }
		return convert(prim.Add(prim.Mul(wide(x), wide(y)), wide(z)), core.Float32)
	}
	product := prim.Mul(x, y)
	simple := prim.Add(product, z)
	xh, xl := halves(x)
	yh, yl := halves(y)
	rest := prim.Sub(prim.Mul(xh, yh), product)
	rest = prim.Add(prim.Add(rest, prim.Mul(xh, yl)), prim.Mul(xl, yh))
	rest = prim.Add(rest, prim.Mul(xl, yl))
	// lost is the rounding error of the sum.
	part := prim.Sub(simple, product)
	lost := prim.Add(prim.Sub(product, prim.Sub(simple, part)), prim.Sub(z, part))
	errs := prim.Add(rest, lost)
	exact := prim.Add(simple, errs)
	// Without errors the sum is simple, whose zero has the right sign.
	return e.choose(prim.And(prim.IsFinite(exact), prim.Ne(errs, prim.Zeros(errs.Aval()))), exact, simple)
}

// halves returns numbers of 26 and 27 bits whose sum is x.
func halves(x core.Value) (hi, lo core.Value) {
	bits := prim.And(prim.BitcastConvert(x, core.Int64), core.Lit(core.IntNumber(-1<<27), core.Int64))
	hi = prim.BitcastConvert(bits, core.Float64)
	return hi, prim.Sub(x, hi)
}

func highProduct(x, y core.Value) core.Value {
	dt := x.Aval().DType
	n := dt.Bits()
	if n < 64 {
		wide := core.Int64
		if dt.IsUnsigned() {
			wide = core.Uint64
		}
		p := prim.Mul(convert(x, wide), convert(y, wide))
		return convert(prim.ShiftRightLogical(p, prim.Num(core.Aval(wide), float64(n))), dt)
	}
	a := core.Aval(core.Uint64)
	shift, mask := prim.Num(a, 32), core.Lit(core.UintNumber(1<<32-1), core.Uint64)
	low := func(v core.Value) core.Value { return prim.And(v, mask) }
	high := func(v core.Value) core.Value { return prim.ShiftRightLogical(v, shift) }
	u, v := convert(x, core.Uint64), convert(y, core.Uint64)
	first := prim.Mul(low(u), low(v))
	second := prim.Add(prim.Mul(high(u), low(v)), high(first))
	third := prim.Add(prim.Mul(low(u), high(v)), low(second))
	h := prim.Add(prim.Add(prim.Mul(high(u), high(v)), high(second)), high(third))
	if dt.IsUnsigned() {
		return h
	}
	// As unsigned integers, negative operands are 2⁶⁴ too large.
	p := convert(h, dt)
	negative := func(a, b core.Value) core.Value {
		return prim.And(prim.ShiftRightArithmetic(a, prim.Num(core.Aval(dt), 63)), b)
	}
	return prim.Sub(prim.Sub(p, negative(x, y)), negative(y, x))
}
