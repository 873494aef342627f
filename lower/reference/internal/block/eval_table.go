package block

import (
	"unsafe"

	"github.com/weft-go/weft/lower/scalar"
)

// OpLoops[op][type] is the loop of an operation. The type is that of the operands for comparisons, else that of
// the result. Convert, Widen and Narrow have tables of their own, and each Lookup its own loop. Param and Const
// have none.
var OpLoops = func() (t [scalar.NumOps][scalar.NumTypes]loop) {
	numbers := func(o scalar.Op, row [scalar.NumTypes]loop) { t[o] = row }
	numbers(scalar.OpAdd, [scalar.NumTypes]loop{
		scalar.I8: addLoop[int8], scalar.I16: addLoop[int16], scalar.I32: addLoop[int32], scalar.I64: addLoop[int64],
		scalar.U8: addLoop[uint8], scalar.U16: addLoop[uint16], scalar.U32: addLoop[uint32], scalar.U64: addLoop[uint64],
		scalar.F32: addLoop[float32], scalar.F64: addLoop[float64]})
	numbers(scalar.OpSub, [scalar.NumTypes]loop{
		scalar.I8: subLoop[int8], scalar.I16: subLoop[int16], scalar.I32: subLoop[int32], scalar.I64: subLoop[int64],
		scalar.U8: subLoop[uint8], scalar.U16: subLoop[uint16], scalar.U32: subLoop[uint32], scalar.U64: subLoop[uint64],
		scalar.F32: subLoop[float32], scalar.F64: subLoop[float64]})
	numbers(scalar.OpMul, [scalar.NumTypes]loop{
		scalar.I8: mulLoop[int8], scalar.I16: mulLoop[int16], scalar.I32: mulLoop[int32], scalar.I64: mulLoop[int64],
		scalar.U8: mulLoop[uint8], scalar.U16: mulLoop[uint16], scalar.U32: mulLoop[uint32], scalar.U64: mulLoop[uint64],
		scalar.F32: mulLoop[float32], scalar.F64: mulLoop[float64]})
	numbers(scalar.OpDiv, [scalar.NumTypes]loop{
		scalar.I8: divInt[int8], scalar.I16: divInt[int16], scalar.I32: divInt[int32], scalar.I64: divInt[int64],
		scalar.U8: divInt[uint8], scalar.U16: divInt[uint16], scalar.U32: divInt[uint32], scalar.U64: divInt[uint64],
		scalar.F32: divFloat[float32], scalar.F64: divFloat[float64]})
	numbers(scalar.OpRem, [scalar.NumTypes]loop{
		scalar.I8: remInt[int8], scalar.I16: remInt[int16], scalar.I32: remInt[int32], scalar.I64: remInt[int64],
		scalar.U8: remInt[uint8], scalar.U16: remInt[uint16], scalar.U32: remInt[uint32], scalar.U64: remInt[uint64]})
	numbers(scalar.OpMulHi, [scalar.NumTypes]loop{
		scalar.I8: mulHiSmall[int8], scalar.I16: mulHiSmall[int16], scalar.I32: mulHiSmall[int32], scalar.I64: mulHiI64,
		scalar.U8: mulHiSmall[uint8], scalar.U16: mulHiSmall[uint16], scalar.U32: mulHiSmall[uint32], scalar.U64: mulHiU64})
	numbers(scalar.OpNeg, [scalar.NumTypes]loop{
		scalar.I8: negInt[int8], scalar.I16: negInt[int16], scalar.I32: negInt[int32], scalar.I64: negInt[int64],
		scalar.U8: negInt[uint8], scalar.U16: negInt[uint16], scalar.U32: negInt[uint32], scalar.U64: negInt[uint64],
		scalar.F32: flipSign[uint32], scalar.F64: flipSign[uint64]})
	numbers(scalar.OpAbs, [scalar.NumTypes]loop{
		scalar.I8: absInt[int8], scalar.I16: absInt[int16], scalar.I32: absInt[int32], scalar.I64: absInt[int64],
		scalar.U8: copyLoop[uint8], scalar.U16: copyLoop[uint16], scalar.U32: copyLoop[uint32], scalar.U64: copyLoop[uint64],
		scalar.F32: clearSign[uint32], scalar.F64: clearSign[uint64]})
	numbers(scalar.OpMin, [scalar.NumTypes]loop{
		scalar.I8: minInt[int8], scalar.I16: minInt[int16], scalar.I32: minInt[int32], scalar.I64: minInt[int64],
		scalar.U8: minInt[uint8], scalar.U16: minInt[uint16], scalar.U32: minInt[uint32], scalar.U64: minInt[uint64],
		scalar.F32: minF32, scalar.F64: minF64})
	numbers(scalar.OpMax, [scalar.NumTypes]loop{
		scalar.I8: maxInt[int8], scalar.I16: maxInt[int16], scalar.I32: maxInt[int32], scalar.I64: maxInt[int64],
		scalar.U8: maxInt[uint8], scalar.U16: maxInt[uint16], scalar.U32: maxInt[uint32], scalar.U64: maxInt[uint64],
		scalar.F32: maxF32, scalar.F64: maxF64})

	t[scalar.OpFMA][scalar.F32], t[scalar.OpFMA][scalar.F64] = FmaF32, fmaF64
	t[scalar.OpScale][scalar.F32], t[scalar.OpScale][scalar.F64] = scaleF32, scaleF64
	t[scalar.OpSqrt][scalar.F32], t[scalar.OpSqrt][scalar.F64] = sqrtLoop[float32], sqrtLoop[float64]
	t[scalar.OpFloor][scalar.F32], t[scalar.OpFloor][scalar.F64] = floorLoop[float32], floorLoop[float64]
	t[scalar.OpCeil][scalar.F32], t[scalar.OpCeil][scalar.F64] = ceilLoop[float32], ceilLoop[float64]
	t[scalar.OpTrunc][scalar.F32], t[scalar.OpTrunc][scalar.F64] = truncLoop[float32], truncLoop[float64]
	t[scalar.OpRint][scalar.F32], t[scalar.OpRint][scalar.F64] = rintLoop[float32], rintLoop[float64]
	t[scalar.OpCanon][scalar.F32], t[scalar.OpCanon][scalar.F64] = canonLoop[float32], canonLoop[float64]

	// bitwise takes a loop for each size of elements: 1, 2, 4 and 8 bytes.
	bitwise := func(o scalar.Op, l1, l2, l4, l8 loop) {
		t[o] = [scalar.NumTypes]loop{scalar.Bool: l1, scalar.I8: l1, scalar.I16: l2, scalar.I32: l4, scalar.I64: l8, scalar.U8: l1, scalar.U16: l2, scalar.U32: l4, scalar.U64: l8}
	}
	bitwise(scalar.OpAnd, andLoop[uint8], andLoop[uint16], andLoop[uint32], andLoop[uint64])
	bitwise(scalar.OpOr, orLoop[uint8], orLoop[uint16], orLoop[uint32], orLoop[uint64])
	bitwise(scalar.OpXor, xorLoop[uint8], xorLoop[uint16], xorLoop[uint32], xorLoop[uint64])
	bitwise(scalar.OpNot, notLoop[uint8], notLoop[uint16], notLoop[uint32], notLoop[uint64])
	t[scalar.OpNot][scalar.Bool] = notBool
	bitwise(scalar.OpShl, shlLoop[uint8], shlLoop[uint16], shlLoop[uint32], shlLoop[uint64])
	t[scalar.OpShr] = [scalar.NumTypes]loop{
		scalar.I8: shrLoop[int8, uint8], scalar.I16: shrLoop[int16, uint16], scalar.I32: shrLoop[int32, uint32], scalar.I64: shrLoop[int64, uint64],
		scalar.U8: shrLoop[uint8, uint8], scalar.U16: shrLoop[uint16, uint16], scalar.U32: shrLoop[uint32, uint32], scalar.U64: shrLoop[uint64, uint64]}
	bitwise(scalar.OpClz, clzLoop[uint8], clzLoop[uint16], clzLoop[uint32], clzLoop[uint64])
	bitwise(scalar.OpPopCount, popLoop[uint8], popLoop[uint16], popLoop[uint32], popLoop[uint64])

	numbers(scalar.OpEq, [scalar.NumTypes]loop{scalar.Bool: eqLoop[uint8],
		scalar.I8: eqLoop[int8], scalar.I16: eqLoop[int16], scalar.I32: eqLoop[int32], scalar.I64: eqLoop[int64],
		scalar.U8: eqLoop[uint8], scalar.U16: eqLoop[uint16], scalar.U32: eqLoop[uint32], scalar.U64: eqLoop[uint64],
		scalar.F32: eqLoop[float32], scalar.F64: eqLoop[float64]})
	numbers(scalar.OpNe, [scalar.NumTypes]loop{scalar.Bool: neLoop[uint8],
		scalar.I8: neLoop[int8], scalar.I16: neLoop[int16], scalar.I32: neLoop[int32], scalar.I64: neLoop[int64],
		scalar.U8: neLoop[uint8], scalar.U16: neLoop[uint16], scalar.U32: neLoop[uint32], scalar.U64: neLoop[uint64],
		scalar.F32: neLoop[float32], scalar.F64: neLoop[float64]})
	numbers(scalar.OpLt, [scalar.NumTypes]loop{scalar.Bool: ltLoop[uint8],
		scalar.I8: ltLoop[int8], scalar.I16: ltLoop[int16], scalar.I32: ltLoop[int32], scalar.I64: ltLoop[int64],
		scalar.U8: ltLoop[uint8], scalar.U16: ltLoop[uint16], scalar.U32: ltLoop[uint32], scalar.U64: ltLoop[uint64],
		scalar.F32: ltLoop[float32], scalar.F64: ltLoop[float64]})
	numbers(scalar.OpLe, [scalar.NumTypes]loop{scalar.Bool: leLoop[uint8],
		scalar.I8: leLoop[int8], scalar.I16: leLoop[int16], scalar.I32: leLoop[int32], scalar.I64: leLoop[int64],
		scalar.U8: leLoop[uint8], scalar.U16: leLoop[uint16], scalar.U32: leLoop[uint32], scalar.U64: leLoop[uint64],
		scalar.F32: leLoop[float32], scalar.F64: leLoop[float64]})

	for _, o := range []scalar.Op{scalar.OpSelect, scalar.OpRare} {
		bitwise(o, selectLoop[uint8], selectLoop[uint16], selectLoop[uint32], selectLoop[uint64])
		t[o][scalar.F32], t[o][scalar.F64] = selectLoop[uint32], selectLoop[uint64]
	}
	return t
}()

func loopOf(p *scalar.Prog, in scalar.Inst) loop {
	t := in.Type
	switch in.Op {
	case scalar.OpConvert:
		return convertLoops[p.Code[in.Args[0]].Type][t]
	case scalar.OpLookup:
		return lookupLoop(p.Tables[in.Imm])
	case scalar.OpWiden:
		return smallFloats[in.DType].widen
	case scalar.OpNarrow:
		return smallFloats[in.DType].narrow
	case scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		t = p.Code[in.Args[0]].Type
	}
	return OpLoops[in.Op][t]
}

func copyOf(size int) loop {
	switch size {
	case 1:
		return copyLoop[uint8]
	case 2:
		return copyLoop[uint16]
	case 4:
		return copyLoop[uint32]
	}
	return copyLoop[uint64]
}

func fill(d unsafe.Pointer, size int, bits uint64, n int) {
	switch size {
	case 1:
		fillWith(vec[uint8](d, n), uint8(bits))
	case 2:
		fillWith(vec[uint16](d, n), uint16(bits))
	case 4:
		fillWith(vec[uint32](d, n), uint32(bits))
	case 8:
		fillWith(vec[uint64](d, n), bits)
	}
}

func fillWith[T any](d []T, x T) {
	for i := range d {
		d[i] = x
	}
}

// canonLoops[op][type] are the loops of arithmetic whose results are canonical.
var canonLoops = func() (t [scalar.NumOps][scalar.NumTypes]loop) {
	t[scalar.OpAdd][scalar.F32], t[scalar.OpAdd][scalar.F64] = addCanon[float32], addCanon[float64]
	t[scalar.OpSub][scalar.F32], t[scalar.OpSub][scalar.F64] = subCanon[float32], subCanon[float64]
	t[scalar.OpMul][scalar.F32], t[scalar.OpMul][scalar.F64] = mulCanon[float32], mulCanon[float64]
	t[scalar.OpDiv][scalar.F32], t[scalar.OpDiv][scalar.F64] = divCanon[float32], divCanon[float64]
	t[scalar.OpSqrt][scalar.F32], t[scalar.OpSqrt][scalar.F64] = sqrtCanon[float32], sqrtCanon[float64]
	return t
}()

func shiftBy(o scalar.Op, t scalar.Type, n uint64) loop {
	if n >= uint64(t.Bits()) {
		return OpLoops[o][t]
	}
	s := uint(n)
	switch {
	case o == scalar.OpShl && t.Size() == 4:
		return shlBy[uint32](s)
	case o == scalar.OpShl && t.Size() == 8:
		return shlBy[uint64](s)
	case o == scalar.OpShr && t == scalar.I32:
		return shrBy[int32](s)
	case o == scalar.OpShr && t == scalar.I64:
		return shrBy[int64](s)
	case o == scalar.OpShr && t == scalar.U32:
		return shrBy[uint32](s)
	case o == scalar.OpShr && t == scalar.U64:
		return shrBy[uint64](s)
	}
	return OpLoops[o][t]
}
