//go:build !purego

#include "textflag.h"

// func lessBlock32(y, x unsafe.Pointer, a float32, n int)
// y = y − a·x, rounded once, for n f32, a multiple of 8.
TEXT ·lessBlock32(SB), NOSPLIT, $0-32
	MOVD  y+0(FP), R0
	MOVD  x+8(FP), R1
	FMOVS a+16(FP), F2
	MOVD  n+24(FP), R3
	VDUP  V2.S[0], V2.S4
loop:
	VLD1.P 32(R1), [V0.S4, V1.S4]
	VLD1   (R0), [V4.S4, V5.S4]
	VFMLS  V0.S4, V2.S4, V4.S4
	VFMLS  V1.S4, V2.S4, V5.S4
	VST1.P [V4.S4, V5.S4], 32(R0)
	SUBS   $8, R3
	BGT    loop
	RET

// func lessBlock64(y, x unsafe.Pointer, a float64, n int)
// y = y − a·x, rounded once, for n f64, a multiple of 4.
TEXT ·lessBlock64(SB), NOSPLIT, $0-32
	MOVD  y+0(FP), R0
	MOVD  x+8(FP), R1
	FMOVD a+16(FP), F2
	MOVD  n+24(FP), R3
	VDUP  V2.D[0], V2.D2
loop:
	VLD1.P 32(R1), [V0.D2, V1.D2]
	VLD1   (R0), [V4.D2, V5.D2]
	VFMLS  V0.D2, V2.D2, V4.D2
	VFMLS  V1.D2, V2.D2, V5.D2
	VST1.P [V4.D2, V5.D2], 32(R0)
	SUBS   $4, R3
	BGT    loop
	RET
