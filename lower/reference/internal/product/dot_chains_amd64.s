//go:build !purego

#include "textflag.h"

// Eight chains of fused multiply-adds from +0, over a row of a and a row of b each,
// added to what c holds. k is not 0.
#define CHAINS(MOVE, FMA, ADD, SIZE) \
	MOVQ c+0(FP), DI; \
	MOVQ a+8(FP), SI; \
	MOVQ aStep+16(FP), R8; \
	MOVQ b+24(FP), BX; \
	MOVQ bStep+32(FP), R11; \
	MOVQ k+40(FP), CX; \
	LEAQ (R8)(R8*2), AX; \
	LEAQ (SI)(AX*1), R9; \
	LEAQ (SI)(AX*2), R10; \
	LEAQ (R11)(R11*2), AX; \
	LEAQ (BX)(AX*1), R12; \
	LEAQ (BX)(AX*2), R13; \
	VXORPS X0, X0, X0; \
	VXORPS X1, X1, X1; \
	VXORPS X2, X2, X2; \
	VXORPS X3, X3, X3; \
	VXORPS X4, X4, X4; \
	VXORPS X5, X5, X5; \
	VXORPS X6, X6, X6; \
	VXORPS X7, X7, X7; \
loop: \
	MOVE (SI), X8; \
	MOVE (SI)(R8*1), X9; \
	MOVE (SI)(R8*2), X10; \
	MOVE (R9), X11; \
	MOVE (SI)(R8*4), X12; \
	MOVE (R9)(R8*2), X13; \
	MOVE (R10), X14; \
	MOVE (R9)(R8*4), X15; \
	FMA (BX), X8, X0; \
	FMA (BX)(R11*1), X9, X1; \
	FMA (BX)(R11*2), X10, X2; \
	FMA (R12), X11, X3; \
	FMA (BX)(R11*4), X12, X4; \
	FMA (R12)(R11*2), X13, X5; \
	FMA (R13), X14, X6; \
	FMA (R12)(R11*4), X15, X7; \
	ADDQ $SIZE, SI; \
	ADDQ $SIZE, R9; \
	ADDQ $SIZE, R10; \
	ADDQ $SIZE, BX; \
	ADDQ $SIZE, R12; \
	ADDQ $SIZE, R13; \
	DECQ CX; \
	JNZ loop; \
	ADD (0*SIZE)(DI), X0, X0; \
	MOVE X0, (0*SIZE)(DI); \
	ADD (1*SIZE)(DI), X1, X1; \
	MOVE X1, (1*SIZE)(DI); \
	ADD (2*SIZE)(DI), X2, X2; \
	MOVE X2, (2*SIZE)(DI); \
	ADD (3*SIZE)(DI), X3, X3; \
	MOVE X3, (3*SIZE)(DI); \
	ADD (4*SIZE)(DI), X4, X4; \
	MOVE X4, (4*SIZE)(DI); \
	ADD (5*SIZE)(DI), X5, X5; \
	MOVE X5, (5*SIZE)(DI); \
	ADD (6*SIZE)(DI), X6, X6; \
	MOVE X6, (6*SIZE)(DI); \
	ADD (7*SIZE)(DI), X7, X7; \
	MOVE X7, (7*SIZE)(DI); \
	RET

// func fmaChains32(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)
TEXT ·fmaChains32(SB), NOSPLIT, $0-48
	CHAINS(VMOVSS, VFMADD231SS, VADDSS, 4)

// func fmaChains64(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)
TEXT ·fmaChains64(SB), NOSPLIT, $0-48
	CHAINS(VMOVSD, VFMADD231SD, VADDSD, 8)
