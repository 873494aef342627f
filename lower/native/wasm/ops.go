package wasm

import "github.com/weft-go/weft/lower/native"

// Op is an instruction of package native, or one of the following: numbers behind the prefix of vectors.
type Op = native.Op

const vectorOps = native.NumOps

// Instructions by name. Instructions on larger integers follow the instruction on the smallest ones.
const (
	v128Load                  Op = vectorOps + 0x0
	v128Load8Splat            Op = vectorOps + 0x7
	v128Load16Splat           Op = vectorOps + 0x8
	v128Store                 Op = vectorOps + 0xb
	v128Const                 Op = vectorOps + 0xc
	i8x16Shuffle              Op = vectorOps + 0xd
	i8x16Splat                Op = vectorOps + 0xf
	i32x4Splat                Op = vectorOps + 0x11
	i64x2Splat                Op = vectorOps + 0x12
	i8x16ExtractLaneU         Op = vectorOps + 0x16
	i16x8ExtractLaneU         Op = vectorOps + 0x19
	i32x4ExtractLane          Op = vectorOps + 0x1b
	i64x2ExtractLane          Op = vectorOps + 0x1d
	i64x2ReplaceLane          Op = vectorOps + 0x1e
	f64x2ExtractLane          Op = vectorOps + 0x21
	i8x16Eq                   Op = vectorOps + 0x23
	i8x16Ne                   Op = vectorOps + 0x24
	i8x16LtS                  Op = vectorOps + 0x25
	i8x16LtU                  Op = vectorOps + 0x26
	i8x16LeS                  Op = vectorOps + 0x29
	i8x16LeU                  Op = vectorOps + 0x2a
	i32x4Eq                   Op = vectorOps + 0x37
	i32x4GeU                  Op = vectorOps + 0x40
	f32x4Eq                   Op = vectorOps + 0x41
	f32x4Ne                   Op = vectorOps + 0x42
	f32x4Lt                   Op = vectorOps + 0x43
	f32x4Le                   Op = vectorOps + 0x45
	f32x4Ge                   Op = vectorOps + 0x46
	f64x2Eq                   Op = vectorOps + 0x47
	f64x2Lt                   Op = vectorOps + 0x49
	f64x2Gt                   Op = vectorOps + 0x4a
	v128Not                   Op = vectorOps + 0x4d
	v128And                   Op = vectorOps + 0x4e
	v128Andnot                Op = vectorOps + 0x4f
	v128Or                    Op = vectorOps + 0x50
	v128Xor                   Op = vectorOps + 0x51
	v128Bitselect             Op = vectorOps + 0x52
	v128AnyTrue               Op = vectorOps + 0x53
	v128Load8Lane             Op = vectorOps + 0x54
	v128Load32Lane            Op = vectorOps + 0x56
	v128Store8Lane            Op = vectorOps + 0x58
	v128Store16Lane           Op = vectorOps + 0x59
	v128Store32Lane           Op = vectorOps + 0x5a
	v128Store64Lane           Op = vectorOps + 0x5b
	v128Load32Zero            Op = vectorOps + 0x5c
	v128Load64Zero            Op = vectorOps + 0x5d
	f32x4DemoteF64x2Zero      Op = vectorOps + 0x5e
	f64x2PromoteLowF32x4      Op = vectorOps + 0x5f
	i8x16Abs                  Op = vectorOps + 0x60
	i8x16Neg                  Op = vectorOps + 0x61
	i8x16Popcnt               Op = vectorOps + 0x62
	i8x16NarrowI16x8S         Op = vectorOps + 0x65
	i8x16NarrowI16x8U         Op = vectorOps + 0x66
	f32x4Ceil                 Op = vectorOps + 0x67
	f32x4Floor                Op = vectorOps + 0x68
	f32x4Trunc                Op = vectorOps + 0x69
	f32x4Nearest              Op = vectorOps + 0x6a
	i8x16Shl                  Op = vectorOps + 0x6b
	i8x16ShrS                 Op = vectorOps + 0x6c
	i8x16ShrU                 Op = vectorOps + 0x6d
	i8x16Add                  Op = vectorOps + 0x6e
	i8x16Sub                  Op = vectorOps + 0x71
	f64x2Ceil                 Op = vectorOps + 0x74
	f64x2Floor                Op = vectorOps + 0x75
	i8x16MinS                 Op = vectorOps + 0x76
	i8x16MinU                 Op = vectorOps + 0x77
	i8x16MaxS                 Op = vectorOps + 0x78
	i8x16MaxU                 Op = vectorOps + 0x79
	f64x2Trunc                Op = vectorOps + 0x7a
	i16x8ExtaddPairwiseI8x16U Op = vectorOps + 0x7d
	i32x4ExtaddPairwiseI16x8U Op = vectorOps + 0x7f
	i16x8NarrowI32x4S         Op = vectorOps + 0x85
	i16x8NarrowI32x4U         Op = vectorOps + 0x86
	i16x8ExtendLowI8x16S      Op = vectorOps + 0x87
	i16x8ExtendHighI8x16S     Op = vectorOps + 0x88
	i16x8ExtendLowI8x16U      Op = vectorOps + 0x89
	i16x8ExtendHighI8x16U     Op = vectorOps + 0x8a
	f64x2Nearest              Op = vectorOps + 0x94
	i16x8Mul                  Op = vectorOps + 0x95
	i16x8ExtmulLowI8x16S      Op = vectorOps + 0x9c
	i16x8ExtmulHighI8x16S     Op = vectorOps + 0x9d
	i16x8ExtmulLowI8x16U      Op = vectorOps + 0x9e
	i16x8ExtmulHighI8x16U     Op = vectorOps + 0x9f
	i32x4Bitmask              Op = vectorOps + 0xa4
	i32x4Add                  Op = vectorOps + 0xae
	i32x4Sub                  Op = vectorOps + 0xb1
	i32x4Mul                  Op = vectorOps + 0xb5
	i32x4MinU                 Op = vectorOps + 0xb7
	i32x4MaxU                 Op = vectorOps + 0xb9
	i32x4DotI16x8S            Op = vectorOps + 0xba
	i32x4AllTrue              Op = vectorOps + 0xa3
	i64x2AllTrue              Op = vectorOps + 0xc3
	i64x2ShrS                 Op = vectorOps + 0xcc
	i64x2ShrU                 Op = vectorOps + 0xcd
	i64x2Add                  Op = vectorOps + 0xce
	i64x2Sub                  Op = vectorOps + 0xd1
	i64x2Mul                  Op = vectorOps + 0xd5
	i64x2Eq                   Op = vectorOps + 0xd6
	i64x2Ne                   Op = vectorOps + 0xd7
	i64x2LtS                  Op = vectorOps + 0xd8
	i64x2LeS                  Op = vectorOps + 0xda
	f32x4Abs                  Op = vectorOps + 0xe0
	f32x4Neg                  Op = vectorOps + 0xe1
	f32x4Sqrt                 Op = vectorOps + 0xe3
	f32x4Add                  Op = vectorOps + 0xe4
	f32x4Sub                  Op = vectorOps + 0xe5
	f32x4Mul                  Op = vectorOps + 0xe6
	f32x4Div                  Op = vectorOps + 0xe7
	f32x4Min                  Op = vectorOps + 0xe8
	f32x4Max                  Op = vectorOps + 0xe9
	f32x4Pmin                 Op = vectorOps + 0xea
	f32x4Pmax                 Op = vectorOps + 0xeb
	f64x2Abs                  Op = vectorOps + 0xec
	f64x2Add                  Op = vectorOps + 0xf0
	f64x2Sub                  Op = vectorOps + 0xf1
	f64x2Mul                  Op = vectorOps + 0xf2
	f64x2Pmin                 Op = vectorOps + 0xf6
	f64x2Pmax                 Op = vectorOps + 0xf7
	i32x4TruncSatF32x4S       Op = vectorOps + 0xf8
	i32x4TruncSatF32x4U       Op = vectorOps + 0xf9
	f32x4ConvertI32x4S        Op = vectorOps + 0xfa
	f32x4ConvertI32x4U        Op = vectorOps + 0xfb
	i32x4TruncSatF64x2SZero   Op = vectorOps + 0xfc
	i32x4TruncSatF64x2UZero   Op = vectorOps + 0xfd
	f64x2ConvertLowI32x4S     Op = vectorOps + 0xfe
	f64x2ConvertLowI32x4U     Op = vectorOps + 0xff
	f32x4RelaxedMadd          Op = vectorOps + 0x105
	f64x2RelaxedMadd          Op = vectorOps + 0x107
	i8x16RelaxedLaneselect    Op = vectorOps + 0x109
)

// An opInfo states what an instruction takes from the stack and leaves there (i an i32, l an i64, d an f64, v a
// vector), and what follows its number.
type opInfo struct {
	name, params string
	result       string // "" if there is none
	imm          immediate
}

type immediate uint8

const (
	noImm  immediate = iota
	lane             // one byte
	memory           // alignment and offset
	memoryLane
	shuffle // 16 bytes
)

// opTable is indexed by the numbers of vector instructions.
var opTable = [...]opInfo{
	0x0:   {name: "v128.load", params: "i", result: "v", imm: memory},
	0x7:   {name: "v128.load8_splat", params: "i", result: "v", imm: memory},
	0x8:   {name: "v128.load16_splat", params: "i", result: "v", imm: memory},
	0x9:   {name: "v128.load32_splat", params: "i", result: "v", imm: memory},
	0xa:   {name: "v128.load64_splat", params: "i", result: "v", imm: memory},
	0xb:   {name: "v128.store", params: "iv", imm: memory},
	0xc:   {name: "v128.const", params: "", result: "v", imm: shuffle},
	0xd:   {name: "i8x16.shuffle", params: "vv", result: "v", imm: shuffle},
	0xe:   {name: "i8x16.swizzle", params: "vv", result: "v"},
	0xf:   {name: "i8x16.splat", params: "i", result: "v"},
	0x10:  {name: "i16x8.splat", params: "i", result: "v"},
	0x11:  {name: "i32x4.splat", params: "i", result: "v"},
	0x12:  {name: "i64x2.splat", params: "l", result: "v"},
	0x14:  {name: "f64x2.splat", params: "d", result: "v"},
	0x15:  {name: "i8x16.extract_lane_s", params: "v", result: "i", imm: lane},
	0x16:  {name: "i8x16.extract_lane_u", params: "v", result: "i", imm: lane},
	0x18:  {name: "i16x8.extract_lane_s", params: "v", result: "i", imm: lane},
	0x19:  {name: "i16x8.extract_lane_u", params: "v", result: "i", imm: lane},
	0x1b:  {name: "i32x4.extract_lane", params: "v", result: "i", imm: lane},
	0x1d:  {name: "i64x2.extract_lane", params: "v", result: "l", imm: lane},
	0x1e:  {name: "i64x2.replace_lane", params: "vl", result: "v", imm: lane},
	0x21:  {name: "f64x2.extract_lane", params: "v", result: "d", imm: lane},
	0x23:  {name: "i8x16.eq", params: "vv", result: "v"},
	0x24:  {name: "i8x16.ne", params: "vv", result: "v"},
	0x25:  {name: "i8x16.lt_s", params: "vv", result: "v"},
	0x26:  {name: "i8x16.lt_u", params: "vv", result: "v"},
	0x27:  {name: "i8x16.gt_s", params: "vv", result: "v"},
	0x28:  {name: "i8x16.gt_u", params: "vv", result: "v"},
	0x29:  {name: "i8x16.le_s", params: "vv", result: "v"},
	0x2a:  {name: "i8x16.le_u", params: "vv", result: "v"},
	0x2b:  {name: "i8x16.ge_s", params: "vv", result: "v"},
	0x2c:  {name: "i8x16.ge_u", params: "vv", result: "v"},
	0x2d:  {name: "i16x8.eq", params: "vv", result: "v"},
	0x2e:  {name: "i16x8.ne", params: "vv", result: "v"},
	0x2f:  {name: "i16x8.lt_s", params: "vv", result: "v"},
	0x30:  {name: "i16x8.lt_u", params: "vv", result: "v"},
	0x31:  {name: "i16x8.gt_s", params: "vv", result: "v"},
	0x32:  {name: "i16x8.gt_u", params: "vv", result: "v"},
	0x33:  {name: "i16x8.le_s", params: "vv", result: "v"},
	0x34:  {name: "i16x8.le_u", params: "vv", result: "v"},
	0x35:  {name: "i16x8.ge_s", params: "vv", result: "v"},
	0x36:  {name: "i16x8.ge_u", params: "vv", result: "v"},
	0x37:  {name: "i32x4.eq", params: "vv", result: "v"},
	0x38:  {name: "i32x4.ne", params: "vv", result: "v"},
	0x39:  {name: "i32x4.lt_s", params: "vv", result: "v"},
	0x3a:  {name: "i32x4.lt_u", params: "vv", result: "v"},
	0x3b:  {name: "i32x4.gt_s", params: "vv", result: "v"},
	0x3c:  {name: "i32x4.gt_u", params: "vv", result: "v"},
	0x3d:  {name: "i32x4.le_s", params: "vv", result: "v"},
	0x3e:  {name: "i32x4.le_u", params: "vv", result: "v"},
	0x3f:  {name: "i32x4.ge_s", params: "vv", result: "v"},
	0x40:  {name: "i32x4.ge_u", params: "vv", result: "v"},
	0x41:  {name: "f32x4.eq", params: "vv", result: "v"},
	0x42:  {name: "f32x4.ne", params: "vv", result: "v"},
	0x43:  {name: "f32x4.lt", params: "vv", result: "v"},
	0x44:  {name: "f32x4.gt", params: "vv", result: "v"},
	0x45:  {name: "f32x4.le", params: "vv", result: "v"},
	0x46:  {name: "f32x4.ge", params: "vv", result: "v"},
	0x47:  {name: "f64x2.eq", params: "vv", result: "v"},
	0x48:  {name: "f64x2.ne", params: "vv", result: "v"},
	0x49:  {name: "f64x2.lt", params: "vv", result: "v"},
	0x4a:  {name: "f64x2.gt", params: "vv", result: "v"},
	0x4b:  {name: "f64x2.le", params: "vv", result: "v"},
	0x4c:  {name: "f64x2.ge", params: "vv", result: "v"},
	0x4d:  {name: "v128.not", params: "v", result: "v"},
	0x4e:  {name: "v128.and", params: "vv", result: "v"},
	0x4f:  {name: "v128.andnot", params: "vv", result: "v"},
	0x50:  {name: "v128.or", params: "vv", result: "v"},
	0x51:  {name: "v128.xor", params: "vv", result: "v"},
	0x52:  {name: "v128.bitselect", params: "vvv", result: "v"},
	0x53:  {name: "v128.any_true", params: "v", result: "i"},
	0x54:  {name: "v128.load8_lane", params: "iv", result: "v", imm: memoryLane},
	0x55:  {name: "v128.load16_lane", params: "iv", result: "v", imm: memoryLane},
	0x56:  {name: "v128.load32_lane", params: "iv", result: "v", imm: memoryLane},
	0x57:  {name: "v128.load64_lane", params: "iv", result: "v", imm: memoryLane},
	0x58:  {name: "v128.store8_lane", params: "iv", imm: memoryLane},
	0x59:  {name: "v128.store16_lane", params: "iv", imm: memoryLane},
	0x5a:  {name: "v128.store32_lane", params: "iv", imm: memoryLane},
	0x5b:  {name: "v128.store64_lane", params: "iv", imm: memoryLane},
	0x5c:  {name: "v128.load32_zero", params: "i", result: "v", imm: memory},
	0x5d:  {name: "v128.load64_zero", params: "i", result: "v", imm: memory},
	0x5e:  {name: "f32x4.demote_f64x2_zero", params: "v", result: "v"},
	0x5f:  {name: "f64x2.promote_low_f32x4", params: "v", result: "v"},
	0x60:  {name: "i8x16.abs", params: "v", result: "v"},
	0x61:  {name: "i8x16.neg", params: "v", result: "v"},
	0x62:  {name: "i8x16.popcnt", params: "v", result: "v"},
	0x65:  {name: "i8x16.narrow_i16x8_s", params: "vv", result: "v"},
	0x66:  {name: "i8x16.narrow_i16x8_u", params: "vv", result: "v"},
	0x67:  {name: "f32x4.ceil", params: "v", result: "v"},
	0x68:  {name: "f32x4.floor", params: "v", result: "v"},
	0x69:  {name: "f32x4.trunc", params: "v", result: "v"},
	0x6a:  {name: "f32x4.nearest", params: "v", result: "v"},
	0x6b:  {name: "i8x16.shl", params: "vi", result: "v"},
	0x6c:  {name: "i8x16.shr_s", params: "vi", result: "v"},
	0x6d:  {name: "i8x16.shr_u", params: "vi", result: "v"},
	0x6e:  {name: "i8x16.add", params: "vv", result: "v"},
	0x71:  {name: "i8x16.sub", params: "vv", result: "v"},
	0x74:  {name: "f64x2.ceil", params: "v", result: "v"},
	0x75:  {name: "f64x2.floor", params: "v", result: "v"},
	0x76:  {name: "i8x16.min_s", params: "vv", result: "v"},
	0x77:  {name: "i8x16.min_u", params: "vv", result: "v"},
	0x78:  {name: "i8x16.max_s", params: "vv", result: "v"},
	0x79:  {name: "i8x16.max_u", params: "vv", result: "v"},
	0x7a:  {name: "f64x2.trunc", params: "v", result: "v"},
	0x7d:  {name: "i16x8.extadd_pairwise_i8x16_u", params: "v", result: "v"},
	0x7f:  {name: "i32x4.extadd_pairwise_i16x8_u", params: "v", result: "v"},
	0x80:  {name: "i16x8.abs", params: "v", result: "v"},
	0x81:  {name: "i16x8.neg", params: "v", result: "v"},
	0x85:  {name: "i16x8.narrow_i32x4_s", params: "vv", result: "v"},
	0x86:  {name: "i16x8.narrow_i32x4_u", params: "vv", result: "v"},
	0x87:  {name: "i16x8.extend_low_i8x16_s", params: "v", result: "v"},
	0x88:  {name: "i16x8.extend_high_i8x16_s", params: "v", result: "v"},
	0x89:  {name: "i16x8.extend_low_i8x16_u", params: "v", result: "v"},
	0x8a:  {name: "i16x8.extend_high_i8x16_u", params: "v", result: "v"},
	0x8b:  {name: "i16x8.shl", params: "vi", result: "v"},
	0x8c:  {name: "i16x8.shr_s", params: "vi", result: "v"},
	0x8d:  {name: "i16x8.shr_u", params: "vi", result: "v"},
	0x8e:  {name: "i16x8.add", params: "vv", result: "v"},
	0x91:  {name: "i16x8.sub", params: "vv", result: "v"},
	0x94:  {name: "f64x2.nearest", params: "v", result: "v"},
	0x95:  {name: "i16x8.mul", params: "vv", result: "v"},
	0x96:  {name: "i16x8.min_s", params: "vv", result: "v"},
	0x97:  {name: "i16x8.min_u", params: "vv", result: "v"},
	0x98:  {name: "i16x8.max_s", params: "vv", result: "v"},
	0x99:  {name: "i16x8.max_u", params: "vv", result: "v"},
	0x9c:  {name: "i16x8.extmul_low_i8x16_s", params: "vv", result: "v"},
	0x9d:  {name: "i16x8.extmul_high_i8x16_s", params: "vv", result: "v"},
	0x9e:  {name: "i16x8.extmul_low_i8x16_u", params: "vv", result: "v"},
	0x9f:  {name: "i16x8.extmul_high_i8x16_u", params: "vv", result: "v"},
	0xa0:  {name: "i32x4.abs", params: "v", result: "v"},
	0xa1:  {name: "i32x4.neg", params: "v", result: "v"},
	0xa3:  {name: "i32x4.all_true", params: "v", result: "i"},
	0xa4:  {name: "i32x4.bitmask", params: "v", result: "i"},
	0xa7:  {name: "i32x4.extend_low_i16x8_s", params: "v", result: "v"},
	0xa8:  {name: "i32x4.extend_high_i16x8_s", params: "v", result: "v"},
	0xa9:  {name: "i32x4.extend_low_i16x8_u", params: "v", result: "v"},
	0xaa:  {name: "i32x4.extend_high_i16x8_u", params: "v", result: "v"},
	0xab:  {name: "i32x4.shl", params: "vi", result: "v"},
	0xac:  {name: "i32x4.shr_s", params: "vi", result: "v"},
	0xad:  {name: "i32x4.shr_u", params: "vi", result: "v"},
	0xae:  {name: "i32x4.add", params: "vv", result: "v"},
	0xb1:  {name: "i32x4.sub", params: "vv", result: "v"},
	0xb5:  {name: "i32x4.mul", params: "vv", result: "v"},
	0xb6:  {name: "i32x4.min_s", params: "vv", result: "v"},
	0xb7:  {name: "i32x4.min_u", params: "vv", result: "v"},
	0xb8:  {name: "i32x4.max_s", params: "vv", result: "v"},
	0xb9:  {name: "i32x4.max_u", params: "vv", result: "v"},
	0xba:  {name: "i32x4.dot_i16x8_s", params: "vv", result: "v"},
	0xbc:  {name: "i32x4.extmul_low_i16x8_s", params: "vv", result: "v"},
	0xbd:  {name: "i32x4.extmul_high_i16x8_s", params: "vv", result: "v"},
	0xbe:  {name: "i32x4.extmul_low_i16x8_u", params: "vv", result: "v"},
	0xbf:  {name: "i32x4.extmul_high_i16x8_u", params: "vv", result: "v"},
	0xc0:  {name: "i64x2.abs", params: "v", result: "v"},
	0xc1:  {name: "i64x2.neg", params: "v", result: "v"},
	0xc3:  {name: "i64x2.all_true", params: "v", result: "i"},
	0xc7:  {name: "i64x2.extend_low_i32x4_s", params: "v", result: "v"},
	0xc8:  {name: "i64x2.extend_high_i32x4_s", params: "v", result: "v"},
	0xc9:  {name: "i64x2.extend_low_i32x4_u", params: "v", result: "v"},
	0xca:  {name: "i64x2.extend_high_i32x4_u", params: "v", result: "v"},
	0xcb:  {name: "i64x2.shl", params: "vi", result: "v"},
	0xcc:  {name: "i64x2.shr_s", params: "vi", result: "v"},
	0xcd:  {name: "i64x2.shr_u", params: "vi", result: "v"},
	0xce:  {name: "i64x2.add", params: "vv", result: "v"},
	0xd1:  {name: "i64x2.sub", params: "vv", result: "v"},
	0xd5:  {name: "i64x2.mul", params: "vv", result: "v"},
	0xd6:  {name: "i64x2.eq", params: "vv", result: "v"},
	0xd7:  {name: "i64x2.ne", params: "vv", result: "v"},
	0xd8:  {name: "i64x2.lt_s", params: "vv", result: "v"},
	0xd9:  {name: "i64x2.gt_s", params: "vv", result: "v"},
	0xda:  {name: "i64x2.le_s", params: "vv", result: "v"},
	0xdb:  {name: "i64x2.ge_s", params: "vv", result: "v"},
	0xdc:  {name: "i64x2.extmul_low_i32x4_s", params: "vv", result: "v"},
	0xdd:  {name: "i64x2.extmul_high_i32x4_s", params: "vv", result: "v"},
	0xde:  {name: "i64x2.extmul_low_i32x4_u", params: "vv", result: "v"},
	0xdf:  {name: "i64x2.extmul_high_i32x4_u", params: "vv", result: "v"},
	0xe0:  {name: "f32x4.abs", params: "v", result: "v"},
	0xe1:  {name: "f32x4.neg", params: "v", result: "v"},
	0xe3:  {name: "f32x4.sqrt", params: "v", result: "v"},
	0xe4:  {name: "f32x4.add", params: "vv", result: "v"},
	0xe5:  {name: "f32x4.sub", params: "vv", result: "v"},
	0xe6:  {name: "f32x4.mul", params: "vv", result: "v"},
	0xe7:  {name: "f32x4.div", params: "vv", result: "v"},
	0xe8:  {name: "f32x4.min", params: "vv", result: "v"},
	0xe9:  {name: "f32x4.max", params: "vv", result: "v"},
	0xea:  {name: "f32x4.pmin", params: "vv", result: "v"},
	0xeb:  {name: "f32x4.pmax", params: "vv", result: "v"},
	0xec:  {name: "f64x2.abs", params: "v", result: "v"},
	0xed:  {name: "f64x2.neg", params: "v", result: "v"},
	0xef:  {name: "f64x2.sqrt", params: "v", result: "v"},
	0xf0:  {name: "f64x2.add", params: "vv", result: "v"},
	0xf1:  {name: "f64x2.sub", params: "vv", result: "v"},
	0xf2:  {name: "f64x2.mul", params: "vv", result: "v"},
	0xf3:  {name: "f64x2.div", params: "vv", result: "v"},
	0xf4:  {name: "f64x2.min", params: "vv", result: "v"},
	0xf5:  {name: "f64x2.max", params: "vv", result: "v"},
	0xf6:  {name: "f64x2.pmin", params: "vv", result: "v"},
	0xf7:  {name: "f64x2.pmax", params: "vv", result: "v"},
	0xf8:  {name: "i32x4.trunc_sat_f32x4_s", params: "v", result: "v"},
	0xf9:  {name: "i32x4.trunc_sat_f32x4_u", params: "v", result: "v"},
	0xfa:  {name: "f32x4.convert_i32x4_s", params: "v", result: "v"},
	0xfb:  {name: "f32x4.convert_i32x4_u", params: "v", result: "v"},
	0xfc:  {name: "i32x4.trunc_sat_f64x2_s_zero", params: "v", result: "v"},
	0xfd:  {name: "i32x4.trunc_sat_f64x2_u_zero", params: "v", result: "v"},
	0xfe:  {name: "f64x2.convert_low_i32x4_s", params: "v", result: "v"},
	0xff:  {name: "f64x2.convert_low_i32x4_u", params: "v", result: "v"},
	0x105: {name: "f32x4.relaxed_madd", params: "vvv", result: "v"},
	0x107: {name: "f64x2.relaxed_madd", params: "vvv", result: "v"},
	0x109: {name: "i8x16.relaxed_laneselect", params: "vvv", result: "v"},
	0x10a: {name: "i16x8.relaxed_laneselect", params: "vvv", result: "v"},
	0x10b: {name: "i32x4.relaxed_laneselect", params: "vvv", result: "v"},
	0x10c: {name: "i64x2.relaxed_laneselect", params: "vvv", result: "v"},
}
