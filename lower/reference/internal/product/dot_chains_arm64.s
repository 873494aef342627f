//go:build !purego

#include "textflag.h"

// Eight chains of fused multiply-adds from +0, over a row of a and a row of b each,
// added to what c holds. k is not 0.
#define CHAINS(MOVE, FMA, PLUS, SIZE) \
	MOVD c+0(FP), R17; \
	MOVD a+8(FP), R0; \
	MOVD aStep+16(FP), R16; \
	ADD R16, R0, R1; \
	ADD R16, R1, R2; \
	ADD R16, R2, R3; \
	ADD R16, R3, R4; \
	ADD R16, R4, R5; \
	ADD R16, R5, R6; \
	ADD R16, R6, R7; \
	MOVD b+24(FP), R8; \
	MOVD bStep+32(FP), R16; \
	ADD R16, R8, R9; \
	ADD R16, R9, R10; \
	ADD R16, R10, R11; \
	ADD R16, R11, R12; \
	ADD R16, R12, R13; \
	ADD R16, R13, R14; \
	ADD R16, R14, R15; \
	MOVD k+40(FP), R16; \
	FMOVD ZR, F0; \
	FMOVD ZR, F1; \
	FMOVD ZR, F2; \
	FMOVD ZR, F3; \
	FMOVD ZR, F4; \
	FMOVD ZR, F5; \
	FMOVD ZR, F6; \
	FMOVD ZR, F7; \
loop: \
	MOVE.P SIZE(R0), F16; \
	MOVE.P SIZE(R1), F17; \
	MOVE.P SIZE(R2), F18; \
	MOVE.P SIZE(R3), F19; \
	MOVE.P SIZE(R4), F20; \
	MOVE.P SIZE(R5), F21; \
	MOVE.P SIZE(R6), F22; \
	MOVE.P SIZE(R7), F23; \
	MOVE.P SIZE(R8), F24; \
	MOVE.P SIZE(R9), F25; \
	MOVE.P SIZE(R10), F26; \
	MOVE.P SIZE(R11), F27; \
	MOVE.P SIZE(R12), F28; \
	MOVE.P SIZE(R13), F29; \
	MOVE.P SIZE(R14), F30; \
	MOVE.P SIZE(R15), F31; \
	FMA F24, F0, F16, F0; \
	FMA F25, F1, F17, F1; \
	FMA F26, F2, F18, F2; \
	FMA F27, F3, F19, F3; \
	FMA F28, F4, F20, F4; \
	FMA F29, F5, F21, F5; \
	FMA F30, F6, F22, F6; \
	FMA F31, F7, F23, F7; \
	SUBS $1, R16; \
	BNE loop; \
	MOVE (0*SIZE)(R17), F16; \
	PLUS F16, F0, F0; \
	MOVE F0, (0*SIZE)(R17); \
	MOVE (1*SIZE)(R17), F16; \
	PLUS F16, F1, F1; \
	MOVE F1, (1*SIZE)(R17); \
	MOVE (2*SIZE)(R17), F16; \
	PLUS F16, F2, F2; \
	MOVE F2, (2*SIZE)(R17); \
	MOVE (3*SIZE)(R17), F16; \
	PLUS F16, F3, F3; \
	MOVE F3, (3*SIZE)(R17); \
	MOVE (4*SIZE)(R17), F16; \
	PLUS F16, F4, F4; \
	MOVE F4, (4*SIZE)(R17); \
	MOVE (5*SIZE)(R17), F16; \
	PLUS F16, F5, F5; \
	MOVE F5, (5*SIZE)(R17); \
	MOVE (6*SIZE)(R17), F16; \
	PLUS F16, F6, F6; \
	MOVE F6, (6*SIZE)(R17); \
	MOVE (7*SIZE)(R17), F16; \
	PLUS F16, F7, F7; \
	MOVE F7, (7*SIZE)(R17); \
	RET

// func fmaChains32(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)
TEXT ·fmaChains32(SB), NOSPLIT, $0-48
	CHAINS(FMOVS, FMADDS, FADDS, 4)

// func fmaChains64(c, a unsafe.Pointer, aStep int, b unsafe.Pointer, bStep int, k int)
TEXT ·fmaChains64(SB), NOSPLIT, $0-48
	CHAINS(FMOVD, FMADDD, FADDD, 8)
