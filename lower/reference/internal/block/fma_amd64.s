//go:build !purego

#include "textflag.h"

// func fmaBlock32(d, a, b, c unsafe.Pointer, n int)
// d = a·b + c, rounded once, for n f32, a multiple of 8.
TEXT ·fmaBlock32(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), CX
	MOVQ n+32(FP), BX
	XORQ AX, AX
loop:
	VMOVUPS     (SI)(AX*4), Y0
	VMOVUPS     (DX)(AX*4), Y1
	VFMADD213PS (CX)(AX*4), Y1, Y0 // Y0 = Y1·Y0 + c
	VMOVUPS     Y0, (DI)(AX*4)
	ADDQ        $8, AX
	CMPQ        AX, BX
	JLT         loop
	VZEROUPPER
	RET

// func fmaBlock64(d, a, b, c unsafe.Pointer, n int)
// d = a·b + c, rounded once, for n f64, a multiple of 4.
TEXT ·fmaBlock64(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), CX
	MOVQ n+32(FP), BX
	XORQ AX, AX
loop:
	VMOVUPD     (SI)(AX*8), Y0
	VMOVUPD     (DX)(AX*8), Y1
	VFMADD213PD (CX)(AX*8), Y1, Y0
	VMOVUPD     Y0, (DI)(AX*8)
	ADDQ        $4, AX
	CMPQ        AX, BX
	JLT         loop
	VZEROUPPER
	RET
