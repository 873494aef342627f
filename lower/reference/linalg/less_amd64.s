//go:build !purego

#include "textflag.h"

// func lessBlock32(y, x unsafe.Pointer, a float32, n int)
// y = y − a·x, rounded once, for n f32, a multiple of 8.
TEXT ·lessBlock32(SB), NOSPLIT, $0-32
	MOVQ         y+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS a+16(FP), Y2
	MOVQ         n+24(FP), BX
	XORQ         AX, AX
loop:
	VMOVUPS      (DI)(AX*4), Y0
	VFNMADD231PS (SI)(AX*4), Y2, Y0
	VMOVUPS      Y0, (DI)(AX*4)
	ADDQ         $8, AX
	CMPQ         AX, BX
	JLT          loop
	VZEROUPPER
	RET

// func lessBlock64(y, x unsafe.Pointer, a float64, n int)
// y = y − a·x, rounded once, for n f64, a multiple of 4.
TEXT ·lessBlock64(SB), NOSPLIT, $0-32
	MOVQ         y+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSD a+16(FP), Y2
	MOVQ         n+24(FP), BX
	XORQ         AX, AX
loop:
	VMOVUPD      (DI)(AX*8), Y0
	VFNMADD231PD (SI)(AX*8), Y2, Y0
	VMOVUPD      Y0, (DI)(AX*8)
	ADDQ         $4, AX
	CMPQ         AX, BX
	JLT          loop
	VZEROUPPER
	RET
