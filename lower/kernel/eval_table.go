package kernel

import "unsafe"

// opLoops[op][type] is the loop of an operation. For comparisons the type is that
// of the operands, for the others that of the result. Convert, Widen and Narrow
// have tables of their own, and Param and Const no loop.
var opLoops = func() (t [NumOps][NumTypes]loop) {
	numbers := func(o Op, row [NumTypes]loop) { t[o] = row }
	numbers(OpAdd, [NumTypes]loop{
		I8: addLoop[int8], I16: addLoop[int16], I32: addLoop[int32], I64: addLoop[int64],
		U8: addLoop[uint8], U16: addLoop[uint16], U32: addLoop[uint32], U64: addLoop[uint64],
		F32: addLoop[float32], F64: addLoop[float64]})
	numbers(OpSub, [NumTypes]loop{
		I8: subLoop[int8], I16: subLoop[int16], I32: subLoop[int32], I64: subLoop[int64],
		U8: subLoop[uint8], U16: subLoop[uint16], U32: subLoop[uint32], U64: subLoop[uint64],
		F32: subLoop[float32], F64: subLoop[float64]})
	numbers(OpMul, [NumTypes]loop{
		I8: mulLoop[int8], I16: mulLoop[int16], I32: mulLoop[int32], I64: mulLoop[int64],
		U8: mulLoop[uint8], U16: mulLoop[uint16], U32: mulLoop[uint32], U64: mulLoop[uint64],
		F32: mulLoop[float32], F64: mulLoop[float64]})
	numbers(OpDiv, [NumTypes]loop{
		I8: divInt[int8], I16: divInt[int16], I32: divInt[int32], I64: divInt[int64],
		U8: divInt[uint8], U16: divInt[uint16], U32: divInt[uint32], U64: divInt[uint64],
		F32: divFloat[float32], F64: divFloat[float64]})
	numbers(OpRem, [NumTypes]loop{
		I8: remInt[int8], I16: remInt[int16], I32: remInt[int32], I64: remInt[int64],
		U8: remInt[uint8], U16: remInt[uint16], U32: remInt[uint32], U64: remInt[uint64]})
	numbers(OpMulHi, [NumTypes]loop{
		I8: mulHiSmall[int8], I16: mulHiSmall[int16], I32: mulHiSmall[int32], I64: mulHiI64,
		U8: mulHiSmall[uint8], U16: mulHiSmall[uint16], U32: mulHiSmall[uint32], U64: mulHiU64})
	numbers(OpNeg, [NumTypes]loop{
		I8: negInt[int8], I16: negInt[int16], I32: negInt[int32], I64: negInt[int64],
		U8: negInt[uint8], U16: negInt[uint16], U32: negInt[uint32], U64: negInt[uint64],
		F32: flipSign[uint32], F64: flipSign[uint64]})
	numbers(OpAbs, [NumTypes]loop{
		I8: absInt[int8], I16: absInt[int16], I32: absInt[int32], I64: absInt[int64],
		U8: copyLoop[uint8], U16: copyLoop[uint16], U32: copyLoop[uint32], U64: copyLoop[uint64],
		F32: clearSign[uint32], F64: clearSign[uint64]})
	numbers(OpMin, [NumTypes]loop{
		I8: minInt[int8], I16: minInt[int16], I32: minInt[int32], I64: minInt[int64],
		U8: minInt[uint8], U16: minInt[uint16], U32: minInt[uint32], U64: minInt[uint64],
		F32: minF32, F64: minF64})
	numbers(OpMax, [NumTypes]loop{
		I8: maxInt[int8], I16: maxInt[int16], I32: maxInt[int32], I64: maxInt[int64],
		U8: maxInt[uint8], U16: maxInt[uint16], U32: maxInt[uint32], U64: maxInt[uint64],
		F32: maxF32, F64: maxF64})

	t[OpFMA][F32], t[OpFMA][F64] = fmaF32, fmaF64
	t[OpSqrt][F32], t[OpSqrt][F64] = sqrtLoop[float32], sqrtLoop[float64]
	t[OpFloor][F32], t[OpFloor][F64] = floorLoop[float32], floorLoop[float64]
	t[OpCeil][F32], t[OpCeil][F64] = ceilLoop[float32], ceilLoop[float64]
	t[OpTrunc][F32], t[OpTrunc][F64] = truncLoop[float32], truncLoop[float64]
	t[OpRint][F32], t[OpRint][F64] = rintLoop[float32], rintLoop[float64]
	t[OpCanon][F32], t[OpCanon][F64] = canonF32, canonF64

	// bitwise lists one loop a size, in bytes 1, 2, 4, 8.
	bitwise := func(o Op, l1, l2, l4, l8 loop) {
		t[o] = [NumTypes]loop{Bool: l1, I8: l1, I16: l2, I32: l4, I64: l8, U8: l1, U16: l2, U32: l4, U64: l8}
	}
	bitwise(OpAnd, andLoop[uint8], andLoop[uint16], andLoop[uint32], andLoop[uint64])
	bitwise(OpOr, orLoop[uint8], orLoop[uint16], orLoop[uint32], orLoop[uint64])
	bitwise(OpXor, xorLoop[uint8], xorLoop[uint16], xorLoop[uint32], xorLoop[uint64])
	bitwise(OpNot, notLoop[uint8], notLoop[uint16], notLoop[uint32], notLoop[uint64])
	t[OpNot][Bool] = notBool
	bitwise(OpShl, shlLoop[uint8], shlLoop[uint16], shlLoop[uint32], shlLoop[uint64])
	t[OpShr] = [NumTypes]loop{
		I8: shrLoop[int8, uint8], I16: shrLoop[int16, uint16], I32: shrLoop[int32, uint32], I64: shrLoop[int64, uint64],
		U8: shrLoop[uint8, uint8], U16: shrLoop[uint16, uint16], U32: shrLoop[uint32, uint32], U64: shrLoop[uint64, uint64]}
	bitwise(OpClz, clzLoop[uint8], clzLoop[uint16], clzLoop[uint32], clzLoop[uint64])
	bitwise(OpPopCount, popLoop[uint8], popLoop[uint16], popLoop[uint32], popLoop[uint64])

	numbers(OpEq, [NumTypes]loop{Bool: eqLoop[uint8],
		I8: eqLoop[int8], I16: eqLoop[int16], I32: eqLoop[int32], I64: eqLoop[int64],
		U8: eqLoop[uint8], U16: eqLoop[uint16], U32: eqLoop[uint32], U64: eqLoop[uint64],
		F32: eqLoop[float32], F64: eqLoop[float64]})
	numbers(OpNe, [NumTypes]loop{Bool: neLoop[uint8],
		I8: neLoop[int8], I16: neLoop[int16], I32: neLoop[int32], I64: neLoop[int64],
		U8: neLoop[uint8], U16: neLoop[uint16], U32: neLoop[uint32], U64: neLoop[uint64],
		F32: neLoop[float32], F64: neLoop[float64]})
	numbers(OpLt, [NumTypes]loop{Bool: ltLoop[uint8],
		I8: ltLoop[int8], I16: ltLoop[int16], I32: ltLoop[int32], I64: ltLoop[int64],
		U8: ltLoop[uint8], U16: ltLoop[uint16], U32: ltLoop[uint32], U64: ltLoop[uint64],
		F32: ltLoop[float32], F64: ltLoop[float64]})
	numbers(OpLe, [NumTypes]loop{Bool: leLoop[uint8],
		I8: leLoop[int8], I16: leLoop[int16], I32: leLoop[int32], I64: leLoop[int64],
		U8: leLoop[uint8], U16: leLoop[uint16], U32: leLoop[uint32], U64: leLoop[uint64],
		F32: leLoop[float32], F64: leLoop[float64]})

	for _, o := range []Op{OpSelect, OpRare} {
		bitwise(o, selectLoop[uint8], selectLoop[uint16], selectLoop[uint32], selectLoop[uint64])
		t[o][F32], t[o][F64] = selectLoop[uint32], selectLoop[uint64]
	}
	return t
}()

// loopOf is the loop of an instruction of p.
func (p *Prog) loopOf(in Inst) loop {
	t := in.Type
	switch in.Op {
	case OpConvert:
		return convertLoops[p.Code[in.Args[0]].Type][t]
	case OpWiden:
		return widenLoop(in.DType)
	case OpNarrow:
		return narrowLoop(in.DType)
	case OpEq, OpNe, OpLt, OpLe:
		t = p.Code[in.Args[0]].Type
	}
	return opLoops[in.Op][t]
}

// copyOf is the loop that copies values of a size.
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

// fill writes n copies of a value of the given size.
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
var canonLoops = func() (t [NumOps][NumTypes]loop) {
	t[OpAdd][F32], t[OpAdd][F64] = addCanon[float32], addCanon[float64]
	t[OpSub][F32], t[OpSub][F64] = subCanon[float32], subCanon[float64]
	t[OpMul][F32], t[OpMul][F64] = mulCanon[float32], mulCanon[float64]
	t[OpDiv][F32], t[OpDiv][F64] = divCanon[float32], divCanon[float64]
	t[OpSqrt][F32], t[OpSqrt][F64] = sqrtCanon[float32], sqrtCanon[float64]
	return t
}()

// shiftBy is the loop of a shift by a constant.
func shiftBy(o Op, t Type, n uint64) loop {
	if n >= uint64(t.Bits()) {
		return opLoops[o][t]
	}
	s := uint(n)
	switch {
	case o == OpShl && t.Size() == 4:
		return shl32(s)
	case o == OpShl && t.Size() == 8:
		return shl64(s)
	case o == OpShr && t == I32:
		return sar32(s)
	case o == OpShr && t == I64:
		return sar64(s)
	case o == OpShr && t == U32:
		return shr32(s)
	case o == OpShr && t == U64:
		return shr64(s)
	}
	return opLoops[o][t]
}
