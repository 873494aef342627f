//go:build !purego

#include "textflag.h"

// Stages of Fourier transforms in f32, eight complex numbers a register. Each number is computed as the loops of
// fft_single.go do. Arguments are those of the stages of fft_amd64.s.

// TIMES makes v·t of eight complex numbers in V: T has t, S has t with its parts exchanged. All products and sums are rounded.
#define TIMES(V, T, S, P) \
	VMOVSHDUP V, P; \
	VMOVSLDUP V, V; \
	VMULPS S, P, P; \
	VMULPS T, V, V; \
	VFMADDSUB213PS P, Z26, V

// ONES fills Z26 with ones, the factor of instructions that add one part and subtract the other.
#define ONES \
	MOVL $0x3F800000, AX; \
	VPBROADCASTD AX, Z26

// TWIDDLE and TWIDDLES load twiddles: one for all numbers, or one for each.
#define TWIDDLE(AT, T, S) \
	VBROADCASTSD AT(BX), T; \
	VPERMILPS $0xB1, T, S

#define TWIDDLES(AT, T, S) \
	VMOVUPS AT(BX), T; \
	VPERMILPS $0xB1, T, S

// JOIN4 makes the results Z11, Z13, Z12, Z9 of Z0 … Z3, BUTTERFLY4 after it has multiplied them.
#define JOIN4 \
	VADDPS Z2, Z0, Z7; \
	VADDPS Z3, Z1, Z8; \
	VSUBPS Z2, Z0, Z9; \
	VSUBPS Z3, Z1, Z10; \
	VADDPS Z8, Z7, Z11; \
	VSUBPS Z8, Z7, Z12; \
	VPERMILPS $0xB1, Z10, Z10; \
	VMOVAPS Z9, Z13; \
	VFMSUBADD213PS Z10, Z26, Z13; \
	VFMADDSUB213PS Z10, Z26, Z9

#define BUTTERFLY4 \
	TIMES(Z1, Z20, Z23, Z4); \
	TIMES(Z2, Z21, Z24, Z5); \
	TIMES(Z3, Z22, Z25, Z6); \
	JOIN4

// BUTTERFLY2 makes the results Z2, Z3 of Z0 and Z1.
#define BUTTERFLY2 \
	TIMES(Z1, Z20, Z23, Z4); \
	VADDPS Z1, Z0, Z2; \
	VSUBPS Z1, Z0, Z3

// ARGS loads the arguments: the bytes of m numbers in DX and CX, of l·m numbers in R13, and l in AX.
#define ARGS \
	MOVQ src+0(FP), SI; \
	MOVQ to+8(FP), DI; \
	MOVQ m+16(FP), CX; \
	MOVQ l+24(FP), AX; \
	MOVQ w+32(FP), BX; \
	SHLQ $3, CX; \
	MOVQ CX, DX; \
	MOVQ DX, R13; \
	IMULQ AX, R13

// ROWS4 sets R11, R12 and R14 to the rows of results that follow the one at DI.
#define ROWS4 \
	LEAQ (DI)(R13*1), R11; \
	LEAQ (R11)(R13*1), R12; \
	LEAQ (R12)(R13*1), R14

#define STORE4 \
	VMOVUPS Z11, (DI)(AX*1); \
	VMOVUPS Z13, (R11)(AX*1); \
	VMOVUPS Z12, (R12)(AX*1); \
	VMOVUPS Z9, (R14)(AX*1)

// func singleFirst4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// The first stage: one group, whose numbers are not multiplied; 8 divides m.
TEXT ·singleFirst4(SB), NOSPLIT, $0-40
	ARGS
	ONES
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	ROWS4
	XORQ AX, AX
loop:
	VMOVUPS (SI)(AX*1), Z0
	VMOVUPS (R8)(AX*1), Z1
	VMOVUPS (R9)(AX*1), Z2
	VMOVUPS (R10)(AX*1), Z3
	JOIN4
	STORE4
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
	VZEROUPPER
	RET

// func singleReal4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// singleFirst4 of real numbers.
TEXT ·singleReal4(SB), NOSPLIT, $0-40
	ARGS
	ONES
	SHRQ $1, DX
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	ROWS4
	XORQ AX, AX
	XORQ BX, BX
loop:
	VPMOVZXDQ (SI)(BX*1), Z0
	VPMOVZXDQ (R8)(BX*1), Z1
	VPMOVZXDQ (R9)(BX*1), Z2
	VPMOVZXDQ (R10)(BX*1), Z3
	JOIN4
	STORE4
	ADDQ $32, BX
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
	VZEROUPPER
	RET

// func singleRows4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// 8 divides m; w has three twiddles of each group.
TEXT ·singleRows4(SB), NOSPLIT, $8-40
	ARGS
	MOVQ AX, left-8(SP)
	ONES
group:
	TWIDDLE(0, Z20, Z23)
	TWIDDLE(8, Z21, Z24)
	TWIDDLE(16, Z22, Z25)
	ADDQ $24, BX
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	ROWS4
	XORQ AX, AX
loop:
	VMOVUPS (SI)(AX*1), Z0
	VMOVUPS (R8)(AX*1), Z1
	VMOVUPS (R9)(AX*1), Z2
	VMOVUPS (R10)(AX*1), Z3
	BUTTERFLY4
	STORE4
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
	LEAQ (R10)(DX*1), SI
	ADDQ DX, DI
	DECQ left-8(SP)
	JNZ  group
	VZEROUPPER
	RET

// func singleRows2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
TEXT ·singleRows2(SB), NOSPLIT, $8-40
	ARGS
	MOVQ AX, left-8(SP)
	ONES
group:
	TWIDDLE(0, Z20, Z23)
	ADDQ $8, BX
	LEAQ (SI)(DX*1), R8
	LEAQ (DI)(R13*1), R11
	XORQ AX, AX
loop:
	VMOVUPS (SI)(AX*1), Z0
	VMOVUPS (R8)(AX*1), Z1
	BUTTERFLY2
	VMOVUPS Z2, (DI)(AX*1)
	VMOVUPS Z3, (R11)(AX*1)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
	LEAQ (R8)(DX*1), SI
	ADDQ DX, DI
	DECQ left-8(SP)
	JNZ  group
	VZEROUPPER
	RET

// SIDE4 computes a stage, as many groups at a time as fill a register with a row of each: SHUFFLE makes the rows Z0 … Z3
// of Z4 … Z7. Each number has twiddles of its own.
#define SIDE4(SHIFT, SHUFFLE) \
	SHRQ $SHIFT, AX; \
	MOVQ AX, CX; \
	ONES; \
	LEAQ (R13)(R13*2), DX; \
loop: \
	TWIDDLES(0, Z20, Z23); \
	TWIDDLES(64, Z21, Z24); \
	TWIDDLES(128, Z22, Z25); \
	VMOVUPS (SI), Z4; \
	VMOVUPS 64(SI), Z5; \
	VMOVUPS 128(SI), Z6; \
	VMOVUPS 192(SI), Z7; \
	SHUFFLE; \
	BUTTERFLY4; \
	VMOVUPS Z11, (DI); \
	VMOVUPS Z13, (DI)(R13*1); \
	VMOVUPS Z12, (DI)(R13*2); \
	VMOVUPS Z9, (DI)(DX*1); \
	ADDQ $192, BX; \
	ADDQ $256, SI; \
	ADDQ $64, DI; \
	DECQ CX; \
	JNZ  loop; \
	VZEROUPPER; \
	RET

// Two groups of rows of four numbers.
#define SHUFFLE4 \
	VSHUFF64X2 $0x44, Z6, Z4, Z0; \
	VSHUFF64X2 $0xEE, Z6, Z4, Z1; \
	VSHUFF64X2 $0x44, Z7, Z5, Z2; \
	VSHUFF64X2 $0xEE, Z7, Z5, Z3

// Four groups of rows of two numbers.
#define SHUFFLE2 \
	VSHUFF64X2 $0x44, Z5, Z4, Z8; \
	VSHUFF64X2 $0xEE, Z5, Z4, Z9; \
	VSHUFF64X2 $0x44, Z7, Z6, Z10; \
	VSHUFF64X2 $0xEE, Z7, Z6, Z11; \
	VSHUFF64X2 $0x88, Z10, Z8, Z0; \
	VSHUFF64X2 $0xDD, Z10, Z8, Z1; \
	VSHUFF64X2 $0x88, Z11, Z9, Z2; \
	VSHUFF64X2 $0xDD, Z11, Z9, Z3

// Eight groups of rows of one number: Z27 and Z28 take the first and second, and the third and fourth numbers of two registers.
#define SHUFFLE1 \
	VMOVAPS Z4, Z8; \
	VPERMT2PD Z5, Z27, Z8; \
	VPERMT2PD Z5, Z28, Z4; \
	VMOVAPS Z6, Z9; \
	VPERMT2PD Z7, Z27, Z9; \
	VPERMT2PD Z7, Z28, Z6; \
	VSHUFF64X2 $0x44, Z9, Z8, Z0; \
	VSHUFF64X2 $0xEE, Z9, Z8, Z1; \
	VSHUFF64X2 $0x44, Z6, Z4, Z2; \
	VSHUFF64X2 $0xEE, Z6, Z4, Z3

DATA quarters<>+0(SB)/8, $0
DATA quarters<>+8(SB)/8, $4
DATA quarters<>+16(SB)/8, $8
DATA quarters<>+24(SB)/8, $12
DATA quarters<>+32(SB)/8, $1
DATA quarters<>+40(SB)/8, $5
DATA quarters<>+48(SB)/8, $9
DATA quarters<>+56(SB)/8, $13
DATA quarters<>+64(SB)/8, $2
DATA quarters<>+72(SB)/8, $6
DATA quarters<>+80(SB)/8, $10
DATA quarters<>+88(SB)/8, $14
DATA quarters<>+96(SB)/8, $3
DATA quarters<>+104(SB)/8, $7
DATA quarters<>+112(SB)/8, $11
DATA quarters<>+120(SB)/8, $15
GLOBL quarters<>(SB), RODATA|NOPTR, $128

DATA halves<>+0(SB)/8, $0
DATA halves<>+8(SB)/8, $2
DATA halves<>+16(SB)/8, $4
DATA halves<>+24(SB)/8, $6
DATA halves<>+32(SB)/8, $8
DATA halves<>+40(SB)/8, $10
DATA halves<>+48(SB)/8, $12
DATA halves<>+56(SB)/8, $14
DATA halves<>+64(SB)/8, $1
DATA halves<>+72(SB)/8, $3
DATA halves<>+80(SB)/8, $5
DATA halves<>+88(SB)/8, $7
DATA halves<>+96(SB)/8, $9
DATA halves<>+104(SB)/8, $11
DATA halves<>+112(SB)/8, $13
DATA halves<>+120(SB)/8, $15
GLOBL halves<>(SB), RODATA|NOPTR, $128

// func singleFours4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
TEXT ·singleFours4(SB), NOSPLIT, $0-40
	ARGS
	SIDE4(1, SHUFFLE4)

// func singlePairs4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
TEXT ·singlePairs4(SB), NOSPLIT, $0-40
	ARGS
	SIDE4(2, SHUFFLE2)

// func singleLast4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
TEXT ·singleLast4(SB), NOSPLIT, $0-40
	ARGS
	VMOVUPD quarters<>+0(SB), Z27
	VMOVUPD quarters<>+64(SB), Z28
	SIDE4(3, SHUFFLE1)

// func singleLast2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// Eight groups of rows of one number, a twiddle of each.
TEXT ·singleLast2(SB), NOSPLIT, $0-40
	ARGS
	VMOVUPD halves<>+0(SB), Z27
	VMOVUPD halves<>+64(SB), Z28
	MOVQ AX, CX
	SHRQ $3, CX
	ONES
loop:
	TWIDDLES(0, Z20, Z23)
	VMOVUPS (SI), Z0
	VMOVUPS 64(SI), Z5
	VMOVAPS Z0, Z1
	VPERMT2PD Z5, Z27, Z0
	VPERMT2PD Z5, Z28, Z1
	BUTTERFLY2
	VMOVUPS Z2, (DI)
	VMOVUPS Z3, (DI)(R13*1)
	ADDQ $64, BX
	ADDQ $128, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func storeSingleColumns(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)
// n rows of eight complex numbers become rows step bytes apart, NaNs canonical; columns has two bits for each column that is stored.
TEXT ·storeSingleColumns(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ step+8(FP), DX
	MOVQ src+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ columns+32(FP), AX
	KMOVW AX, K2
	MOVL $0x7FC00000, AX
	VPBROADCASTD AX, Z1
loop:
	VMOVUPS (SI), Z0
	VCMPPS $3, Z0, Z0, K1
	VMOVAPS Z1, K1, Z0
	VMOVUPS Z0, K2, (DI)
	PREFETCHT0 64(DI)
	ADDQ $64, SI
	ADDQ DX, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET
