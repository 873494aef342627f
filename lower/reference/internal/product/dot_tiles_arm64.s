//go:build !purego

#include "textflag.h"

// PLUS is V(D) += V(M), an instruction that the assembler does not know. FADD is its code without registers.
#define PLUS(FADD, D, M) WORD $(FADD + D + (D << 5) + (M << 16))

// Four rows by four registers, each sum a chain of fused multiply-adds from +0, added
// to what c holds. k is not 0.
#define TILE(T, SIZE, FADD) \
	MOVD c+0(FP), R0; \
	MOVD a+8(FP), R1; \
	MOVD step+16(FP), R2; \
	MOVD b+24(FP), R3; \
	MOVD k+32(FP), R4; \
	ADD R2, R1, R5; \
	ADD R2, R5, R6; \
	ADD R2, R6, R7; \
	VEOR V0.B16, V0.B16, V0.B16; \
	VEOR V1.B16, V1.B16, V1.B16; \
	VEOR V2.B16, V2.B16, V2.B16; \
	VEOR V3.B16, V3.B16, V3.B16; \
	VEOR V4.B16, V4.B16, V4.B16; \
	VEOR V5.B16, V5.B16, V5.B16; \
	VEOR V6.B16, V6.B16, V6.B16; \
	VEOR V7.B16, V7.B16, V7.B16; \
	VEOR V8.B16, V8.B16, V8.B16; \
	VEOR V9.B16, V9.B16, V9.B16; \
	VEOR V10.B16, V10.B16, V10.B16; \
	VEOR V11.B16, V11.B16, V11.B16; \
	VEOR V12.B16, V12.B16, V12.B16; \
	VEOR V13.B16, V13.B16, V13.B16; \
	VEOR V14.B16, V14.B16, V14.B16; \
	VEOR V15.B16, V15.B16, V15.B16; \
loop: \
	VLD1.P 64(R3), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	VLD1R.P SIZE(R1), [V20.T]; \
	VLD1R.P SIZE(R5), [V21.T]; \
	VLD1R.P SIZE(R6), [V22.T]; \
	VLD1R.P SIZE(R7), [V23.T]; \
	VFMLA V16.T, V20.T, V0.T; \
	VFMLA V17.T, V20.T, V1.T; \
	VFMLA V18.T, V20.T, V2.T; \
	VFMLA V19.T, V20.T, V3.T; \
	VFMLA V16.T, V21.T, V4.T; \
	VFMLA V17.T, V21.T, V5.T; \
	VFMLA V18.T, V21.T, V6.T; \
	VFMLA V19.T, V21.T, V7.T; \
	VFMLA V16.T, V22.T, V8.T; \
	VFMLA V17.T, V22.T, V9.T; \
	VFMLA V18.T, V22.T, V10.T; \
	VFMLA V19.T, V22.T, V11.T; \
	VFMLA V16.T, V23.T, V12.T; \
	VFMLA V17.T, V23.T, V13.T; \
	VFMLA V18.T, V23.T, V14.T; \
	VFMLA V19.T, V23.T, V15.T; \
	SUBS $1, R4; \
	BNE loop; \
	VLD1 (R0), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	PLUS(FADD, 0, 16); \
	PLUS(FADD, 1, 17); \
	PLUS(FADD, 2, 18); \
	PLUS(FADD, 3, 19); \
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R0); \
	VLD1 (R0), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	PLUS(FADD, 4, 16); \
	PLUS(FADD, 5, 17); \
	PLUS(FADD, 6, 18); \
	PLUS(FADD, 7, 19); \
	VST1.P [V4.B16, V5.B16, V6.B16, V7.B16], 64(R0); \
	VLD1 (R0), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	PLUS(FADD, 8, 16); \
	PLUS(FADD, 9, 17); \
	PLUS(FADD, 10, 18); \
	PLUS(FADD, 11, 19); \
	VST1.P [V8.B16, V9.B16, V10.B16, V11.B16], 64(R0); \
	VLD1 (R0), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	PLUS(FADD, 12, 16); \
	PLUS(FADD, 13, 17); \
	PLUS(FADD, 14, 18); \
	PLUS(FADD, 15, 19); \
	VST1.P [V12.B16, V13.B16, V14.B16, V15.B16], 64(R0); \
	RET

// func fmaTile32(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)
TEXT ·fmaTile32(SB), NOSPLIT, $0-40
	TILE(S4, 4, 0x4e20d400)

// func fmaTile64(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)
TEXT ·fmaTile64(SB), NOSPLIT, $0-40
	TILE(D2, 8, 0x4e60d400)
