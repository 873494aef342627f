//go:build !purego

#include "textflag.h"

// func fmaBlock32(d, a, b, c unsafe.Pointer, n int)
// d = a·b + c, rounded once, for n f32, a multiple of 8.
TEXT ·fmaBlock32(SB), NOSPLIT, $0-40
	MOVD d+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD c+24(FP), R3
	MOVD n+32(FP), R4
loop:
	VLD1.P 32(R1), [V0.S4, V1.S4]
	VLD1.P 32(R2), [V2.S4, V3.S4]
	VLD1.P 32(R3), [V4.S4, V5.S4]
	VFMLA  V0.S4, V2.S4, V4.S4
	VFMLA  V1.S4, V3.S4, V5.S4
	VST1.P [V4.S4, V5.S4], 32(R0)
	SUBS   $8, R4
	BGT    loop
	RET

// func fmaBlock64(d, a, b, c unsafe.Pointer, n int)
// d = a·b + c, rounded once, for n f64, a multiple of 4.
TEXT ·fmaBlock64(SB), NOSPLIT, $0-40
	MOVD d+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD c+24(FP), R3
	MOVD n+32(FP), R4
loop:
	VLD1.P 32(R1), [V0.D2, V1.D2]
	VLD1.P 32(R2), [V2.D2, V3.D2]
	VLD1.P 32(R3), [V4.D2, V5.D2]
	VFMLA  V0.D2, V2.D2, V4.D2
	VFMLA  V1.D2, V3.D2, V5.D2
	VST1.P [V4.D2, V5.D2], 32(R0)
	SUBS   $4, R4
	BGT    loop
	RET
