package wasm

import "encoding/binary"

// Value types, and the type of a block without a result.
const (
	typeI32   byte = 0x7f
	typeI64   byte = 0x7e
	typeV128  byte = 0x7b
	typeEmpty byte = 0x40
)

// Instructions of control flow, of locals and of integers.
const (
	opBlock     byte = 0x02
	opLoop      byte = 0x03
	opIf        byte = 0x04
	opElse      byte = 0x05
	opEnd       byte = 0x0b
	opBr        byte = 0x0c
	opBrIf      byte = 0x0d
	opReturn    byte = 0x0f
	opCall      byte = 0x10
	opSelect    byte = 0x1b
	opLocalGet  byte = 0x20
	opLocalSet  byte = 0x21
	opLocalTee  byte = 0x22
	opGlobalGet byte = 0x23

	i32Load    byte = 0x28
	i64Load    byte = 0x29
	i64Load8U  byte = 0x31
	i64Load16U byte = 0x33
	i64Load32U byte = 0x35
	i64Store   byte = 0x37
	i64Store8  byte = 0x3c
	i64Store16 byte = 0x3d
	i64Store32 byte = 0x3e
	i32Const   byte = 0x41
	i64Const   byte = 0x42
	i32Eqz     byte = 0x45
	i64Eqz     byte = 0x50
	i64Eq      byte = 0x51
	i64Ne      byte = 0x52
	i64LtS     byte = 0x53
	i64LtU     byte = 0x54
	i64GtS     byte = 0x55
	i64LeS     byte = 0x57
	i64GeS     byte = 0x59
	i64GeU     byte = 0x5a
	i32Add     byte = 0x6a
	i32Or      byte = 0x72
	i32Shl     byte = 0x74
	i64Clz     byte = 0x79
	i64Add     byte = 0x7c
	i64Sub     byte = 0x7d
	i64Mul     byte = 0x7e
	i64And     byte = 0x83
	i64Or      byte = 0x84
	i64Xor     byte = 0x85
	i64Shl     byte = 0x86
	i64ShrU    byte = 0x88
	i32WrapI64 byte = 0xa7
	extendS    byte = 0xac // i32 to i64
	extendU    byte = 0xad

	f64Add      byte = 0xa0
	f64Mul      byte = 0xa2
	bitsOfF64   byte = 0xbd
	f64FromBits byte = 0xbf

	vectorPrefix byte = 0xfd
	satPrefix    byte = 0xfc
	truncSatF64S byte = 0x06 // behind satPrefix: f64 to i64
	truncSatF64U byte = 0x07
)

func appendUint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

// appendInt appends a number with a sign: seven bits a byte, the last with the sign.
func appendInt(b []byte, n int64) []byte {
	for n < -64 || n > 63 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}

func appendString(b []byte, s string) []byte {
	return append(appendUint(b, uint64(len(s))), s...)
}
