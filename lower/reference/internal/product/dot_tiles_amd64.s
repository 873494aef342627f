//go:build !purego

#include "textflag.h"

// Four rows by two registers, each sum a chain of fused multiply-adds from +0, added
// to what c holds. k is not 0.
#define TILE(MOVE, BROADCAST, FMA, ADD, SIZE) \
	MOVQ c+0(FP), DI; \
	MOVQ a+8(FP), SI; \
	MOVQ step+16(FP), R8; \
	MOVQ b+24(FP), BX; \
	MOVQ k+32(FP), CX; \
	LEAQ (SI)(R8*1), R9; \
	LEAQ (R9)(R8*1), R10; \
	LEAQ (R10)(R8*1), R11; \
	VXORPS Y0, Y0, Y0; \
	VXORPS Y1, Y1, Y1; \
	VXORPS Y2, Y2, Y2; \
	VXORPS Y3, Y3, Y3; \
	VXORPS Y4, Y4, Y4; \
	VXORPS Y5, Y5, Y5; \
	VXORPS Y6, Y6, Y6; \
	VXORPS Y7, Y7, Y7; \
	XORQ AX, AX; \
loop: \
	MOVE (BX), Y8; \
	MOVE 32(BX), Y9; \
	BROADCAST (SI)(AX*SIZE), Y10; \
	BROADCAST (R9)(AX*SIZE), Y11; \
	BROADCAST (R10)(AX*SIZE), Y12; \
	BROADCAST (R11)(AX*SIZE), Y13; \
	FMA Y8, Y10, Y0; \
	FMA Y9, Y10, Y1; \
	FMA Y8, Y11, Y2; \
	FMA Y9, Y11, Y3; \
	FMA Y8, Y12, Y4; \
	FMA Y9, Y12, Y5; \
	FMA Y8, Y13, Y6; \
	FMA Y9, Y13, Y7; \
	ADDQ $64, BX; \
	INCQ AX; \
	CMPQ AX, CX; \
	JLT  loop; \
	ADD (DI), Y0, Y0; \
	MOVE Y0, (DI); \
	ADD 32(DI), Y1, Y1; \
	MOVE Y1, 32(DI); \
	ADD 64(DI), Y2, Y2; \
	MOVE Y2, 64(DI); \
	ADD 96(DI), Y3, Y3; \
	MOVE Y3, 96(DI); \
	ADD 128(DI), Y4, Y4; \
	MOVE Y4, 128(DI); \
	ADD 160(DI), Y5, Y5; \
	MOVE Y5, 160(DI); \
	ADD 192(DI), Y6, Y6; \
	MOVE Y6, 192(DI); \
	ADD 224(DI), Y7, Y7; \
	MOVE Y7, 224(DI); \
	VZEROUPPER; \
	RET

// func fmaTile32(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)
TEXT ·fmaTile32(SB), NOSPLIT, $0-40
	TILE(VMOVUPS, VBROADCASTSS, VFMADD231PS, VADDPS, 4)

// func fmaTile64(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)
TEXT ·fmaTile64(SB), NOSPLIT, $0-40
	TILE(VMOVUPD, VBROADCASTSD, VFMADD231PD, VADDPD, 8)
