//go:build !purego

#include "textflag.h"

// Arithmetic on runs: one number of each of 32 matrices, side by side. Steps are in bytes, counts are at least 1.

#define LOADRUN(AT, A, B, C, D) \
	VMOVUPD (AT), A; \
	VMOVUPD 64(AT), B; \
	VMOVUPD 128(AT), C; \
	VMOVUPD 192(AT), D

#define STORERUN(AT, A, B, C, D) \
	VMOVUPD A, (AT); \
	VMOVUPD B, 64(AT); \
	VMOVUPD C, 128(AT); \
	VMOVUPD D, 192(AT)

// SUMARGS reads the arguments c, x, xStep, y, yStep, count, and clears the sums.
#define SUMARGS \
	MOVQ c+0(FP), DI; \
	MOVQ x+8(FP), SI; \
	MOVQ xStep+16(FP), R8; \
	MOVQ y+24(FP), DX; \
	MOVQ yStep+32(FP), R9; \
	MOVQ count+40(FP), CX; \
	VPXORQ Z4, Z4, Z4; \
	VPXORQ Z5, Z5, Z5; \
	VPXORQ Z6, Z6, Z6; \
	VPXORQ Z7, Z7, Z7; \
	VPXORQ Z8, Z8, Z8

// EACHRUN has the loop of functions with the arguments y, yStep, x, xStep, a, count.
#define EACHRUN(OP) \
	MOVQ y+0(FP), DI; \
	MOVQ yStep+8(FP), R8; \
	MOVQ x+16(FP), SI; \
	MOVQ xStep+24(FP), R9; \
	MOVQ a+32(FP), AX; \
	MOVQ count+40(FP), CX; \
	LOADRUN(AX, Z0, Z1, Z2, Z3); \
loop: \
	LOADRUN(DI, Z4, Z5, Z6, Z7); \
	OP (SI), Z0, Z4; \
	OP 64(SI), Z1, Z5; \
	OP 128(SI), Z2, Z6; \
	OP 192(SI), Z3, Z7; \
	STORERUN(DI, Z4, Z5, Z6, Z7); \
	ADDQ R8, DI; \
	ADDQ R9, SI; \
	DECQ CX; \
	JNZ  loop; \
	VZEROUPPER; \
	RET

// func lessRuns(y unsafe.Pointer, yStep int, x unsafe.Pointer, xStep int, a unsafe.Pointer, count int)
// y[i] = fma(−a, x[i], y[i])
TEXT ·lessRuns(SB), NOSPLIT, $0-48
	EACHRUN(VFNMADD231PD)

// func moreRuns(y unsafe.Pointer, yStep int, x unsafe.Pointer, xStep int, a unsafe.Pointer, count int)
// y[i] = fma(a, x[i], y[i])
TEXT ·moreRuns(SB), NOSPLIT, $0-48
	EACHRUN(VFMADD231PD)

// func scaleRuns(y unsafe.Pointer, yStep int, a unsafe.Pointer, count int)
// y[i] = a·y[i]
TEXT ·scaleRuns(SB), NOSPLIT, $0-32
	MOVQ y+0(FP), DI
	MOVQ yStep+8(FP), R8
	MOVQ a+16(FP), AX
	MOVQ count+24(FP), CX
	LOADRUN(AX, Z0, Z1, Z2, Z3)
loop:
	VMULPD (DI), Z0, Z4
	VMULPD 64(DI), Z1, Z5
	VMULPD 128(DI), Z2, Z6
	VMULPD 192(DI), Z3, Z7
	STORERUN(DI, Z4, Z5, Z6, Z7)
	ADDQ R8, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func innerRuns(c, x unsafe.Pointer, xStep int, y unsafe.Pointer, yStep, count int)
// c = Σ x[i]·y[i], a chain of fma, plus +0
TEXT ·innerRuns(SB), NOSPLIT, $0-48
	SUMARGS
loop:
	LOADRUN(SI, Z0, Z1, Z2, Z3)
	VFMADD231PD (DX), Z0, Z4
	VFMADD231PD 64(DX), Z1, Z5
	VFMADD231PD 128(DX), Z2, Z6
	VFMADD231PD 192(DX), Z3, Z7
	ADDQ R8, SI
	ADDQ R9, DX
	DECQ CX
	JNZ  loop
	VADDPD Z8, Z4, Z4
	VADDPD Z8, Z5, Z5
	VADDPD Z8, Z6, Z6
	VADDPD Z8, Z7, Z7
	STORERUN(DI, Z4, Z5, Z6, Z7)
	VZEROUPPER
	RET

// func sumRuns(c, x unsafe.Pointer, xStep int, y unsafe.Pointer, yStep, count int)
// c = Σ x[i]·y[i], products and sums rounded
TEXT ·sumRuns(SB), NOSPLIT, $0-48
	SUMARGS
loop:
	LOADRUN(SI, Z0, Z1, Z2, Z3)
	VMULPD (DX), Z0, Z0
	VMULPD 64(DX), Z1, Z1
	VMULPD 128(DX), Z2, Z2
	VMULPD 192(DX), Z3, Z3
	VADDPD Z0, Z4, Z4
	VADDPD Z1, Z5, Z5
	VADDPD Z2, Z6, Z6
	VADDPD Z3, Z7, Z7
	ADDQ R8, SI
	ADDQ R9, DX
	DECQ CX
	JNZ  loop
	STORERUN(DI, Z4, Z5, Z6, Z7)
	VZEROUPPER
	RET

// func largestRuns(big, x unsafe.Pointer, xStep, count int)
// big = the largest |x[i]|, NaN if one is
TEXT ·largestRuns(SB), NOSPLIT, $0-32
	MOVQ big+0(FP), DI
	MOVQ xStep+16(FP), R8
	MOVQ $0x7FFFFFFFFFFFFFFF, AX
	VPBROADCASTQ AX, Z31
	MOVQ $4, BX
	MOVQ x+8(FP), R10
register:
	MOVQ R10, SI
	MOVQ count+24(FP), CX
	VPXORQ Z0, Z0, Z0
	KXORW K1, K1, K1
loop:
	VPANDQ (SI), Z31, Z1
	VCMPPD $3, Z1, Z1, K2
	KORW K2, K1, K1
	VMAXPD Z1, Z0, Z0
	ADDQ R8, SI
	DECQ CX
	JNZ  loop
	VMOVAPD Z31, K1, Z0
	VMOVUPD Z0, (DI)
	ADDQ $64, DI
	ADDQ $64, R10
	DECQ BX
	JNZ  register
	VZEROUPPER
	RET

// func reflectorRuns(x unsafe.Pointer, xStep, count int, beta, tau unsafe.Pointer) (bad uint)
// It makes reflectors of vectors of two elements or more, none of them NaN. bad has a bit for each that is zero behind its first
// element, or tiny: the result is undefined there.
TEXT ·reflectorRuns(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), R10
	MOVQ xStep+8(FP), R8
	MOVQ beta+24(FP), DI
	MOVQ tau+32(FP), DX
	MOVQ $0x7FFFFFFFFFFFFFFF, AX
	VPBROADCASTQ AX, Z31
	MOVQ $0x8000000000000000, AX
	VPBROADCASTQ AX, Z30
	MOVQ $0x3FF0000000000000, AX
	VPBROADCASTQ AX, Z29
	MOVQ $0x07B0000000000000, AX // 2⁻⁹⁰⁰
	VPBROADCASTQ AX, Z28
	VPXORQ Z27, Z27, Z27
	XORQ R12, R12
	XORQ R13, R13
register:
	VMOVUPD (R10), Z0
	VPXORQ Z1, Z1, Z1
	MOVQ count+16(FP), CX
	DECQ CX
	LEAQ (R10)(R8*1), SI
size:
	VPANDQ (SI), Z31, Z2
	VMAXPD Z1, Z2, Z1
	ADDQ R8, SI
	DECQ CX
	JNZ  size
	VCMPPD $0, Z27, Z1, K1
	VPANDQ Z0, Z31, Z2
	VMAXPD Z1, Z2, Z2
	VCMPPD $0x19, Z28, Z2, K2
	KORW K1, K2, K1
	KMOVW K1, AX
	MOVQ R13, CX
	SHLQ CX, AX
	ORQ  AX, R12
	VGETEXPPD Z2, Z3
	VADDPD Z29, Z3, Z3
	VPXORQ Z30, Z3, Z4
	VPXORQ Z5, Z5, Z5
	MOVQ R10, SI
	MOVQ count+16(FP), CX
square:
	VMOVUPD (SI), Z6
	VSCALEFPD Z4, Z6, Z6
	VFMADD231PD Z6, Z6, Z5
	ADDQ R8, SI
	DECQ CX
	JNZ  square
	VSQRTPD Z5, Z5
	VSCALEFPD Z3, Z5, Z5
	VPANDQ Z30, Z0, Z6
	VPXORQ Z30, Z6, Z6
	VPORQ Z6, Z5, Z5
	VMOVUPD Z5, (DI)
	VSUBPD Z0, Z5, Z7
	VDIVPD Z5, Z7, Z7
	VMOVUPD Z7, (DX)
	VSUBPD Z5, Z0, Z8
	VMOVUPD Z29, (R10)
	LEAQ (R10)(R8*1), SI
	MOVQ count+16(FP), CX
	DECQ CX
divide:
	VMOVUPD (SI), Z6
	VDIVPD Z8, Z6, Z6
	VMOVUPD Z6, (SI)
	ADDQ R8, SI
	DECQ CX
	JNZ  divide
	ADDQ $64, R10
	ADDQ $64, DI
	ADDQ $64, DX
	ADDQ $8, R13
	CMPQ R13, $32
	JNE  register
	MOVQ R12, bad+40(FP)
	VZEROUPPER
	RET

// GIVENS makes C, S and R of F and G: see givens. K1 are the lanes that count; K7 gets those in which F or G is zero. Z25 is 1,
// Z28 and Z29 are the sign bits and the other bits, Z23 is zero.
#define GIVENS(F, G, C, S, R, T) \
	VPANDQ F, Z29, C; \
	VPANDQ G, Z29, S; \
	VMAXPD C, S, R; \
	VMINPD C, S, T; \
	VCMPPD $0x1A, Z23, T, K1, K2; \
	KORW K2, K7, K7; \
	VDIVPD R, T, T; \
	VMOVAPD Z25, S; \
	VFMADD231PD T, T, S; \
	VSQRTPD S, S; \
	VMULPD S, R, R; \
	VPANDQ F, Z28, T; \
	VPXORQ T, G, S; \
	VDIVPD R, C, C; \
	VDIVPD R, S, S; \
	VPORQ T, R, R

#define GIVENSCONSTANTS \
	MOVQ $0x8000000000000000, AX; \
	VPBROADCASTQ AX, Z28; \
	MOVQ $0x7FFFFFFFFFFFFFFF, AX; \
	VPBROADCASTQ AX, Z29; \
	MOVQ $0x3FF0000000000000, AX; \
	VPBROADCASTQ AX, Z25; \
	MOVQ $1, AX; \
	VPBROADCASTQ AX, Z24; \
	VPXORQ Z23, Z23, Z23; \
	KXORW K7, K7, K7

// func sweepTridiagonal(s unsafe.Pointer, count int) (bad uint)
// One sweep of each of eight tridiagonal matrices: see sweepLanes.
TEXT ·sweepTridiagonal(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ count+8(FP), CX
	GIVENSCONSTANTS
	VMOVUPD (DI), Z22
	VMOVUPD 64(DI), Z0
	VPXORQ Z1, Z1, Z1
	VMOVAPD Z25, Z2
	VMOVAPD Z25, Z3
	ADDQ $192, DI
loop:
	VPCMPQ $6, Z23, Z22, K1
	VMOVUPD 1088(DI), Z4
	VMULPD Z3, Z4, Z5
	VMULPD Z2, Z4, Z6
	GIVENS(Z0, Z5, Z2, Z3, Z7, Z8)
	VMOVUPD Z7, K1, 1024(DI)
	VMOVUPD Z2, 2112(DI)
	VMOVUPD Z3, 3136(DI)
	VMOVUPD (DI), Z9
	VSUBPD Z1, Z9, Z9
	VMOVUPD 64(DI), Z10
	VSUBPD Z9, Z10, Z10
	VADDPD Z2, Z2, Z11
	VMULPD Z6, Z11, Z11
	VFMADD231PD Z3, Z10, Z11
	VMULPD Z3, Z11, K1, Z1
	VADDPD Z1, Z9, Z9
	VMOVUPD Z9, K1, (DI)
	VFMSUB231PD Z11, Z2, Z6
	VMOVAPD Z6, K1, Z0
	VPSUBQ Z24, Z22, Z22
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	MOVQ s+0(FP), DI
	VMOVUPD Z0, 64(DI)
	VMOVUPD Z1, 128(DI)
	KMOVW K7, AX
	MOVQ AX, bad+16(FP)
	VZEROUPPER
	RET

// func sweepBidiagonal(s unsafe.Pointer, count int) (bad uint)
// One sweep with a shift of each of eight bidiagonal matrices: see sweepLanes.
TEXT ·sweepBidiagonal(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DI
	MOVQ count+8(FP), CX
	GIVENSCONSTANTS
	VMOVUPD (DI), Z22
	VMOVUPD 64(DI), Z0
	VMOVUPD 128(DI), Z1
	ADDQ $192, DI
loop:
	VPCMPQ $6, Z23, Z22, K1
	GIVENS(Z0, Z1, Z2, Z3, Z4, Z5)
	VMOVUPD Z4, K1, 1024(DI)
	VMOVUPD (DI), Z6
	VMOVUPD 1088(DI), Z7
	VMOVUPD 64(DI), Z8
	VMULPD Z3, Z7, Z9
	VFMADD231PD Z2, Z6, Z9
	VMULPD Z3, Z6, Z10
	VFMSUB231PD Z2, Z7, Z10
	VMULPD Z3, Z8, Z1
	VMULPD Z2, Z8, Z11
	GIVENS(Z9, Z1, Z12, Z13, Z14, Z5)
	VMOVUPD Z14, K1, (DI)
	VMULPD Z13, Z11, Z15
	VFMADD231PD Z12, Z10, Z15
	VMOVAPD Z15, K1, Z0
	VMULPD Z13, Z10, Z16
	VFMSUB231PD Z12, Z11, Z16
	VMOVUPD Z16, K1, 64(DI)
	VMOVUPD 1152(DI), Z17
	VMULPD Z13, Z17, Z1
	VMULPD Z12, Z17, Z17
	VMOVUPD Z17, K1, 1152(DI)
	VMOVUPD Z2, 2112(DI)
	VMOVUPD Z3, 3136(DI)
	VMOVUPD Z12, 4160(DI)
	VMOVUPD Z13, 5184(DI)
	VPSUBQ Z24, Z22, Z22
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	MOVQ s+0(FP), DI
	VMOVUPD Z0, 64(DI)
	KMOVW K7, AX
	MOVQ AX, bad+16(FP)
	VZEROUPPER
	RET
