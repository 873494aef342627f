//go:build !purego

#include "textflag.h"

// TIMES makes v·t of four complex numbers in V: T has t, S has t with its parts exchanged.
// Each part is a product that an fma joins to the rounded other one.
#define TIMES(V, T, S, P) \
	VPERMILPD $0xFF, V, P; \
	VMOVDDUP V, V; \
	VMULPD S, P, P; \
	VFMADDSUB213PD P, T, V

// func stage4x512(src, to unsafe.Pointer, m, quarter int, w unsafe.Pointer)
// m and quarter are in bytes; 64 divides m.
TEXT ·stage4x512(SB), NOSPLIT, $0-40
	MOVQ src+0(FP), SI
	MOVQ to+8(FP), DI
	MOVQ m+16(FP), CX
	MOVQ quarter+24(FP), DX
	MOVQ w+32(FP), BX
	VBROADCASTF64X2 (BX), Z20
	VBROADCASTF64X2 16(BX), Z21
	VBROADCASTF64X2 32(BX), Z22
	VPERMILPD $0x55, Z20, Z23
	VPERMILPD $0x55, Z21, Z24
	VPERMILPD $0x55, Z22, Z25
	MOVQ $0x3FF0000000000000, AX
	VPBROADCASTQ AX, Z26
	LEAQ (SI)(CX*1), R8
	LEAQ (R8)(CX*1), R9
	LEAQ (R9)(CX*1), R10
	LEAQ (DI)(DX*1), R11
	LEAQ (R11)(DX*1), R12
	LEAQ (R12)(DX*1), R13
	XORQ AX, AX
loop:
	VMOVUPD (SI)(AX*1), Z0
	VMOVUPD (R8)(AX*1), Z1
	VMOVUPD (R9)(AX*1), Z2
	VMOVUPD (R10)(AX*1), Z3
	TIMES(Z1, Z20, Z23, Z4)
	TIMES(Z2, Z21, Z24, Z5)
	TIMES(Z3, Z22, Z25, Z6)
	VADDPD Z2, Z0, Z7
	VADDPD Z3, Z1, Z8
	VSUBPD Z2, Z0, Z9
	VSUBPD Z3, Z1, Z10
	VADDPD Z8, Z7, Z11
	VSUBPD Z8, Z7, Z12
	VPERMILPD $0x55, Z10, Z10
	VMOVAPD Z9, Z13
	VFMSUBADD213PD Z10, Z26, Z13
	VFMADDSUB213PD Z10, Z26, Z9
	VMOVUPD Z11, (DI)(AX*1)
	VMOVUPD Z13, (R11)(AX*1)
	VMOVUPD Z12, (R12)(AX*1)
	VMOVUPD Z9, (R13)(AX*1)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
	VZEROUPPER
	RET
