//go:build !purego

#include "textflag.h"

// Stages of Fourier transforms, four complex numbers of 128 bits a register. Each number is computed as the loops of
// fft.go do. Arguments are src, to, m, l, w: src has l groups of q rows of m numbers, from which l·m numbers of each of
// q results come, l·m numbers apart; w has the twiddles.

// TIMES makes v·t of four complex numbers in V: T has t, S has t with its parts exchanged.
// Each part is a product that an fma joins to the rounded other one.
#define TIMES(V, T, S, P) \
	VPERMILPD $0xFF, V, P; \
	VMOVDDUP V, V; \
	VMULPD S, P, P; \
	VFMADDSUB213PD P, T, V

// ONES fills Z26 with ones, the factor of instructions that add one part and subtract the other.
#define ONES \
	MOVQ $0x3FF0000000000000, AX; \
	VPBROADCASTQ AX, Z26

// TWIDDLE and TWIDDLES load twiddles: one for all numbers, or one for each.
#define TWIDDLE(AT, T, S) \
	VBROADCASTF64X2 AT(BX), T; \
	VPERMILPD $0x55, T, S

#define TWIDDLES(AT, T, S) \
	VMOVUPD AT(BX), T; \
	VPERMILPD $0x55, T, S

// BUTTERFLY4 makes the results Z11, Z13, Z12, Z9 of Z0 … Z3.
#define BUTTERFLY4 \
	TIMES(Z1, Z20, Z23, Z4); \
	TIMES(Z2, Z21, Z24, Z5); \
	TIMES(Z3, Z22, Z25, Z6); \
	VADDPD Z2, Z0, Z7; \
	VADDPD Z3, Z1, Z8; \
	VSUBPD Z2, Z0, Z9; \
	VSUBPD Z3, Z1, Z10; \
	VADDPD Z8, Z7, Z11; \
	VSUBPD Z8, Z7, Z12; \
	VPERMILPD $0x55, Z10, Z10; \
	VMOVAPD Z9, Z13; \
	VFMSUBADD213PD Z10, Z26, Z13; \
	VFMADDSUB213PD Z10, Z26, Z9

// BUTTERFLY2 makes the results Z2, Z3 of Z0 and Z1.
#define BUTTERFLY2 \
	TIMES(Z1, Z20, Z23, Z4); \
	VADDPD Z1, Z0, Z2; \
	VSUBPD Z1, Z0, Z3

// TIMES3 and TIMES5 multiply the operands of butterflies.
#define TIMES3 \
	TIMES(Z1, Z16, Z20, Z10); \
	TIMES(Z2, Z17, Z21, Z11)

#define TIMES5 \
	TIMES3; \
	TIMES(Z3, Z18, Z22, Z12); \
	TIMES(Z4, Z19, Z23, Z13)

// ROTATED makes C ± i·D of C and D: the first in R, the second in C.
#define ROTATED(C, D, R) \
	VPERMILPD $0x55, D, D; \
	VMOVAPD C, R; \
	VFMADDSUB213PD D, Z26, R; \
	VFMSUBADD213PD D, Z26, C

// BUTTERFLY3 makes the results Z6, Z8, Z7 of Z0, Z1, Z2; Z24 and Z25 have the parts of a third turn.
#define BUTTERFLY3 \
	VADDPD Z2, Z1, Z3; \
	VSUBPD Z2, Z1, Z4; \
	VADDPD Z3, Z0, Z6; \
	VMOVAPD Z0, Z7; \
	VFMADD231PD Z24, Z3, Z7; \
	VPXORQ Z5, Z5, Z5; \
	VFMADD231PD Z25, Z4, Z5; \
	ROTATED(Z7, Z5, Z8)

// BUTTERFLY5 makes the results Z9, Z14, Z15, Z12, Z10 of Z0 … Z4; Z24, Z25, Z27 have the cosines and Z28, Z29, Z30 the
// sines of one, two and four fifths of a turn.
#define BUTTERFLY5 \
	VADDPD Z4, Z1, Z5; \
	VSUBPD Z4, Z1, Z6; \
	VADDPD Z3, Z2, Z7; \
	VSUBPD Z3, Z2, Z8; \
	VADDPD Z5, Z0, Z9; \
	VADDPD Z7, Z9, Z9; \
	VMOVAPD Z0, Z10; \
	VFMADD231PD Z24, Z5, Z10; \
	VFMADD231PD Z25, Z7, Z10; \
	VPXORQ Z11, Z11, Z11; \
	VFMADD231PD Z28, Z6, Z11; \
	VFMADD231PD Z29, Z8, Z11; \
	VMOVAPD Z0, Z12; \
	VFMADD231PD Z25, Z5, Z12; \
	VFMADD231PD Z27, Z7, Z12; \
	VPXORQ Z13, Z13, Z13; \
	VFMADD231PD Z29, Z6, Z13; \
	VFMADD231PD Z30, Z8, Z13; \
	ROTATED(Z10, Z11, Z14); \
	ROTATED(Z12, Z13, Z15)

// MASK sets K1 to the mask of the last m mod 4 numbers of a row, and CX to the number of bytes of the others. R15 is 0 if
// m mod 4 is.
#define MASK \
	MOVQ CX, R15; \
	ANDQ $3, R15; \
	SUBQ R15, CX; \
	SHLQ $4, CX; \
	ADDQ R15, R15; \
	MOVQ CX, AX; \
	MOVQ R15, CX; \
	MOVQ $1, R14; \
	SHLQ CX, R14; \
	DECQ R14; \
	KMOVB R14, K1; \
	MOVQ AX, CX

// ARGS loads the arguments: m in CX, the bytes of m numbers in DX, of l·m numbers in R13, and l in AX.
#define ARGS \
	MOVQ src+0(FP), SI; \
	MOVQ to+8(FP), DI; \
	MOVQ m+16(FP), CX; \
	MOVQ l+24(FP), AX; \
	MOVQ w+32(FP), BX; \
	MOVQ CX, DX; \
	SHLQ $4, DX; \
	MOVQ DX, R13; \
	IMULQ AX, R13

// func stageRows4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// Rows of any m; w has three twiddles of each group.
TEXT ·stageRows4(SB), NOSPLIT, $8-40
	ARGS
	MOVQ AX, left-8(SP)
	MASK
	ONES
group:
	TWIDDLE(0, Z20, Z23)
	TWIDDLE(16, Z21, Z24)
	TWIDDLE(32, Z22, Z25)
	ADDQ $48, BX
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	LEAQ (DI)(R13*1), R11
	LEAQ (R11)(R13*1), R12
	LEAQ (R12)(R13*1), R14
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  last
loop:
	VMOVUPD (SI)(AX*1), Z0
	VMOVUPD (R8)(AX*1), Z1
	VMOVUPD (R9)(AX*1), Z2
	VMOVUPD (R10)(AX*1), Z3
	BUTTERFLY4
	VMOVUPD Z11, (DI)(AX*1)
	VMOVUPD Z13, (R11)(AX*1)
	VMOVUPD Z12, (R12)(AX*1)
	VMOVUPD Z9, (R14)(AX*1)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
last:
	TESTQ R15, R15
	JZ   next
	VMOVUPD.Z (SI)(AX*1), K1, Z0
	VMOVUPD.Z (R8)(AX*1), K1, Z1
	VMOVUPD.Z (R9)(AX*1), K1, Z2
	VMOVUPD.Z (R10)(AX*1), K1, Z3
	BUTTERFLY4
	VMOVUPD Z11, K1, (DI)(AX*1)
	VMOVUPD Z13, K1, (R11)(AX*1)
	VMOVUPD Z12, K1, (R12)(AX*1)
	VMOVUPD Z9, K1, (R14)(AX*1)
next:
	LEAQ (R10)(DX*1), SI
	ADDQ DX, DI
	DECQ left-8(SP)
	JNZ  group
	VZEROUPPER
	RET

// func stageLast4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// Rows of one number: four groups at a time, whose twiddles are side by side.
TEXT ·stageLast4(SB), NOSPLIT, $0-40
	ARGS
	SHRQ $2, AX
	MOVQ AX, CX
	ONES
	LEAQ (R13)(R13*2), DX
loop:
	TWIDDLES(0, Z20, Z23)
	TWIDDLES(64, Z21, Z24)
	TWIDDLES(128, Z22, Z25)
	VMOVUPD (SI), Z4
	VMOVUPD 64(SI), Z5
	VMOVUPD 128(SI), Z6
	VMOVUPD 192(SI), Z7
	VSHUFF64X2 $0x44, Z5, Z4, Z8
	VSHUFF64X2 $0xEE, Z5, Z4, Z9
	VSHUFF64X2 $0x44, Z7, Z6, Z10
	VSHUFF64X2 $0xEE, Z7, Z6, Z11
	VSHUFF64X2 $0x88, Z10, Z8, Z0
	VSHUFF64X2 $0xDD, Z10, Z8, Z1
	VSHUFF64X2 $0x88, Z11, Z9, Z2
	VSHUFF64X2 $0xDD, Z11, Z9, Z3
	BUTTERFLY4
	VMOVUPD Z11, (DI)
	VMOVUPD Z13, (DI)(R13*1)
	VMOVUPD Z12, (DI)(R13*2)
	VMOVUPD Z9, (DI)(DX*1)
	ADDQ $192, BX
	ADDQ $256, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func stagePairs4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// Rows of two numbers: two groups at a time, with a twiddle for each number.
TEXT ·stagePairs4(SB), NOSPLIT, $0-40
	ARGS
	SHRQ $1, AX
	MOVQ AX, CX
	ONES
	LEAQ (R13)(R13*2), DX
loop:
	TWIDDLES(0, Z20, Z23)
	TWIDDLES(64, Z21, Z24)
	TWIDDLES(128, Z22, Z25)
	VMOVUPD (SI), Z4
	VMOVUPD 64(SI), Z5
	VMOVUPD 128(SI), Z6
	VMOVUPD 192(SI), Z7
	VSHUFF64X2 $0x44, Z6, Z4, Z0
	VSHUFF64X2 $0xEE, Z6, Z4, Z1
	VSHUFF64X2 $0x44, Z7, Z5, Z2
	VSHUFF64X2 $0xEE, Z7, Z5, Z3
	BUTTERFLY4
	VMOVUPD Z11, (DI)
	VMOVUPD Z13, (DI)(R13*1)
	VMOVUPD Z12, (DI)(R13*2)
	VMOVUPD Z9, (DI)(DX*1)
	ADDQ $192, BX
	ADDQ $256, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func stageRows2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
TEXT ·stageRows2(SB), NOSPLIT, $8-40
	ARGS
	MOVQ AX, left-8(SP)
	MASK
group:
	TWIDDLE(0, Z20, Z23)
	ADDQ $16, BX
	LEAQ (SI)(DX*1), R8
	LEAQ (DI)(R13*1), R11
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  last
loop:
	VMOVUPD (SI)(AX*1), Z0
	VMOVUPD (R8)(AX*1), Z1
	BUTTERFLY2
	VMOVUPD Z2, (DI)(AX*1)
	VMOVUPD Z3, (R11)(AX*1)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
last:
	TESTQ R15, R15
	JZ   next
	VMOVUPD.Z (SI)(AX*1), K1, Z0
	VMOVUPD.Z (R8)(AX*1), K1, Z1
	BUTTERFLY2
	VMOVUPD Z2, K1, (DI)(AX*1)
	VMOVUPD Z3, K1, (R11)(AX*1)
next:
	LEAQ (R8)(DX*1), SI
	ADDQ DX, DI
	DECQ left-8(SP)
	JNZ  group
	VZEROUPPER
	RET

// func stageLast2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
TEXT ·stageLast2(SB), NOSPLIT, $0-40
	ARGS
	SHRQ $2, AX
	MOVQ AX, CX
loop:
	TWIDDLES(0, Z20, Z23)
	VMOVUPD (SI), Z4
	VMOVUPD 64(SI), Z5
	VSHUFF64X2 $0x88, Z5, Z4, Z0
	VSHUFF64X2 $0xDD, Z5, Z4, Z1
	BUTTERFLY2
	VMOVUPD Z2, (DI)
	VMOVUPD Z3, (DI)(R13*1)
	ADDQ $64, BX
	ADDQ $128, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// TURN loads the parts of a turn, which stand at AT of the twiddles.
#define TURN(AT, C, S) \
	VBROADCASTSD AT(BX), C; \
	VBROADCASTSD AT+8(BX), S

#define THIRD \
	TURN(0, Z24, Z25); \
	ADDQ $16, BX

#define FIFTHS \
	TURN(0, Z24, Z28); \
	TURN(16, Z25, Z29); \
	TURN(32, Z27, Z30); \
	ADDQ $48, BX

// ROW loads number AT of four groups, whose numbers are STEP bytes apart.
#define ROW(AT, STEP, X, Z) \
	VMOVUPD AT(SI), X; \
	VINSERTF64X2 $1, AT+STEP(SI), Z, Z; \
	VINSERTF64X2 $2, AT+STEP+STEP(SI), Z, Z; \
	VINSERTF64X2 $3, AT+STEP+STEP+STEP(SI), Z, Z

// func stageRows3(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// w has the parts of a third turn, then two twiddles of each group but the first, whose numbers are not multiplied.
TEXT ·stageRows3(SB), NOSPLIT, $8-40
	ARGS
	MOVQ AX, left-8(SP)
	MASK
	ONES
	THIRD
	LEAQ (DI)(R13*1), R11
	LEAQ (R11)(R13*1), R12
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  lastone
one:
	VMOVUPD (SI)(AX*1), Z0
	VMOVUPD (R8)(AX*1), Z1
	VMOVUPD (R9)(AX*1), Z2
	BUTTERFLY3
	VMOVUPD Z6, (DI)(AX*1)
	VMOVUPD Z8, (R11)(AX*1)
	VMOVUPD Z7, (R12)(AX*1)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  one
lastone:
	TESTQ R15, R15
	JZ   next
	VMOVUPD.Z (SI)(AX*1), K1, Z0
	VMOVUPD.Z (R8)(AX*1), K1, Z1
	VMOVUPD.Z (R9)(AX*1), K1, Z2
	BUTTERFLY3
	VMOVUPD Z6, K1, (DI)(AX*1)
	VMOVUPD Z8, K1, (R11)(AX*1)
	VMOVUPD Z7, K1, (R12)(AX*1)
next:
	DECQ left-8(SP)
	JZ   done
	TWIDDLE(0, Z16, Z20)
	TWIDDLE(16, Z17, Z21)
	ADDQ $32, BX
	LEAQ (R9)(DX*1), SI
	ADDQ DX, DI
	ADDQ DX, R11
	ADDQ DX, R12
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  last
loop:
	VMOVUPD (SI)(AX*1), Z0
	VMOVUPD (R8)(AX*1), Z1
	VMOVUPD (R9)(AX*1), Z2
	TIMES3
	BUTTERFLY3
	VMOVUPD Z6, (DI)(AX*1)
	VMOVUPD Z8, (R11)(AX*1)
	VMOVUPD Z7, (R12)(AX*1)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
last:
	TESTQ R15, R15
	JZ   next
	VMOVUPD.Z (SI)(AX*1), K1, Z0
	VMOVUPD.Z (R8)(AX*1), K1, Z1
	VMOVUPD.Z (R9)(AX*1), K1, Z2
	TIMES3
	BUTTERFLY3
	VMOVUPD Z6, K1, (DI)(AX*1)
	VMOVUPD Z8, K1, (R11)(AX*1)
	VMOVUPD Z7, K1, (R12)(AX*1)
	JMP  next
done:
	VZEROUPPER
	RET

// func stageLast3(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// Rows of one number. src and to begin with group 4, as do the twiddles of w, behind the parts of a third turn. l is the
// number of groups from there on; the results of a group are m numbers apart.
TEXT ·stageLast3(SB), NOSPLIT, $0-40
	ARGS
	SHRQ $2, AX
	MOVQ AX, CX
	MOVQ DX, R13
	ONES
	THIRD
loop:
	TWIDDLES(0, Z16, Z20)
	TWIDDLES(64, Z17, Z21)
	ROW(0, 48, X0, Z0)
	ROW(16, 48, X1, Z1)
	ROW(32, 48, X2, Z2)
	TIMES3
	BUTTERFLY3
	VMOVUPD Z6, (DI)
	VMOVUPD Z8, (DI)(R13*1)
	VMOVUPD Z7, (DI)(R13*2)
	ADDQ $128, BX
	ADDQ $192, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func stageRows5(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// w has the parts of one, two and four fifths of a turn, then four twiddles of each group but the first, whose numbers are not multiplied.
TEXT ·stageRows5(SB), NOSPLIT, $16-40
	ARGS
	MOVQ AX, left-8(SP)
	MASK
	MOVQ R15, some-16(SP)
	ONES
	FIFTHS
	LEAQ (R13)(R13*2), R14
	LEAQ (DI)(R13*1), R12
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	LEAQ (R10)(DX*1), R11
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  lastone
one:
	VMOVUPD (SI)(AX*1), Z0
	VMOVUPD (R8)(AX*1), Z1
	VMOVUPD (R9)(AX*1), Z2
	VMOVUPD (R10)(AX*1), Z3
	VMOVUPD (R11)(AX*1), Z4
	BUTTERFLY5
	LEAQ (DI)(AX*1), R15
	VMOVUPD Z9, (R15)
	VMOVUPD Z14, (R15)(R13*1)
	VMOVUPD Z15, (R15)(R13*2)
	VMOVUPD Z12, (R15)(R14*1)
	VMOVUPD Z10, (R15)(R13*4)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  one
lastone:
	CMPQ some-16(SP), $0
	JEQ  next
	VMOVUPD.Z (SI)(AX*1), K1, Z0
	VMOVUPD.Z (R8)(AX*1), K1, Z1
	VMOVUPD.Z (R9)(AX*1), K1, Z2
	VMOVUPD.Z (R10)(AX*1), K1, Z3
	VMOVUPD.Z (R11)(AX*1), K1, Z4
	BUTTERFLY5
	LEAQ (DI)(AX*1), R15
	VMOVUPD Z9, K1, (R15)
	VMOVUPD Z14, K1, (R15)(R13*1)
	VMOVUPD Z15, K1, (R15)(R13*2)
	VMOVUPD Z12, K1, (R15)(R14*1)
	VMOVUPD Z10, K1, (R15)(R13*4)
next:
	DECQ left-8(SP)
	JZ   done
	TWIDDLE(0, Z16, Z20)
	TWIDDLE(16, Z17, Z21)
	TWIDDLE(32, Z18, Z22)
	TWIDDLE(48, Z19, Z23)
	ADDQ $64, BX
	LEAQ (R11)(DX*1), SI
	ADDQ DX, DI
	LEAQ (SI)(DX*1), R8
	LEAQ (R8)(DX*1), R9
	LEAQ (R9)(DX*1), R10
	LEAQ (R10)(DX*1), R11
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  last
loop:
	VMOVUPD (SI)(AX*1), Z0
	VMOVUPD (R8)(AX*1), Z1
	VMOVUPD (R9)(AX*1), Z2
	VMOVUPD (R10)(AX*1), Z3
	VMOVUPD (R11)(AX*1), Z4
	TIMES5
	BUTTERFLY5
	LEAQ (DI)(AX*1), R15
	VMOVUPD Z9, (R15)
	VMOVUPD Z14, (R15)(R13*1)
	VMOVUPD Z15, (R15)(R13*2)
	VMOVUPD Z12, (R15)(R14*1)
	VMOVUPD Z10, (R15)(R13*4)
	ADDQ $64, AX
	CMPQ AX, CX
	JLT  loop
last:
	CMPQ some-16(SP), $0
	JEQ  next
	VMOVUPD.Z (SI)(AX*1), K1, Z0
	VMOVUPD.Z (R8)(AX*1), K1, Z1
	VMOVUPD.Z (R9)(AX*1), K1, Z2
	VMOVUPD.Z (R10)(AX*1), K1, Z3
	VMOVUPD.Z (R11)(AX*1), K1, Z4
	TIMES5
	BUTTERFLY5
	LEAQ (DI)(AX*1), R15
	VMOVUPD Z9, K1, (R15)
	VMOVUPD Z14, K1, (R15)(R13*1)
	VMOVUPD Z15, K1, (R15)(R13*2)
	VMOVUPD Z12, K1, (R15)(R14*1)
	VMOVUPD Z10, K1, (R15)(R13*4)
	JMP  next
done:
	VZEROUPPER
	RET

// func stageLast5(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)
// It is stageLast3 for groups of five rows; the twiddles are behind the parts of one, two and four fifths of a turn.
TEXT ·stageLast5(SB), NOSPLIT, $0-40
	ARGS
	SHRQ $2, AX
	MOVQ AX, CX
	MOVQ DX, R13
	ONES
	FIFTHS
	LEAQ (R13)(R13*2), R14
loop:
	TWIDDLES(0, Z16, Z20)
	TWIDDLES(64, Z17, Z21)
	TWIDDLES(128, Z18, Z22)
	TWIDDLES(192, Z19, Z23)
	ROW(0, 80, X0, Z0)
	ROW(16, 80, X1, Z1)
	ROW(32, 80, X2, Z2)
	ROW(48, 80, X3, Z3)
	ROW(64, 80, X4, Z4)
	TIMES5
	BUTTERFLY5
	VMOVUPD Z9, (DI)
	VMOVUPD Z14, (DI)(R13*1)
	VMOVUPD Z15, (DI)(R13*2)
	VMOVUPD Z12, (DI)(R14*1)
	VMOVUPD Z10, (DI)(R13*4)
	ADDQ $256, BX
	ADDQ $320, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func wideC64(to, src unsafe.Pointer, n int)
// n complex numbers of f32 in f64; 4 divides n.
TEXT ·wideC64(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $2, CX
loop:
	VCVTPS2PD (SI), Z0
	VMOVUPD Z0, (DI)
	ADDQ $32, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func wideF32(to, src unsafe.Pointer, n int)
// n numbers of f32 as complex numbers of f64; 4 divides n.
TEXT ·wideF32(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $2, CX
loop:
	VPMOVZXDQ (SI), Y0
	VCVTPS2PD Y0, Z0
	VMOVUPD Z0, (DI)
	ADDQ $16, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func wideF64(to, src unsafe.Pointer, n int)
// n numbers of f64 as complex numbers; 4 divides n.
TEXT ·wideF64(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ $0x55, AX
	KMOVB AX, K1
	SHRQ $2, CX
loop:
	VEXPANDPD.Z (SI), K1, Z0
	VMOVUPD Z0, (DI)
	ADDQ $32, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func narrowC64(to, src unsafe.Pointer, n int)
// n complex numbers of f64 in f32, NaNs canonical; 4 divides n.
TEXT ·narrowC64(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVL $0x7FC00000, AX
	VPBROADCASTD AX, Z1
	SHRQ $2, CX
loop:
	VCVTPD2PS (SI), Y0
	VCMPPS $3, Z0, Z0, K1
	VMOVAPS Z1, K1, Z0
	VMOVUPS Y0, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func loadColumns(to, src unsafe.Pointer, step, n int)
// n rows of four complex numbers, step bytes apart, are copied side by side; the next four of each are prefetched.
TEXT ·loadColumns(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ step+16(FP), DX
	MOVQ n+24(FP), CX
loop:
	VMOVUPD (SI), Z0
	PREFETCHT0 64(SI)
	VMOVUPD Z0, (DI)
	ADDQ DX, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func storeColumnsC64(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)
// n rows of four complex numbers of f64 become rows of f32, step bytes apart, NaNs canonical; columns has two bits for each column that is stored.
TEXT ·storeColumnsC64(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ step+8(FP), DX
	MOVQ src+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ columns+32(FP), AX
	KMOVW AX, K2
	MOVL $0x7FC00000, AX
	VPBROADCASTD AX, Z1
loop:
	VCVTPD2PS (SI), Y0
	VCMPPS $3, Z0, Z0, K1
	VMOVAPS Z1, K1, Z0
	VMOVUPS Z0, K2, (DI)
	PREFETCHT0 32(DI)
	ADDQ $64, SI
	ADDQ DX, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

// func storeColumnsC128(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)
TEXT ·storeColumnsC128(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ step+8(FP), DX
	MOVQ src+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ columns+32(FP), AX
	KMOVW AX, K2
	MOVQ $0x7FF8000000000000, AX
	VPBROADCASTQ AX, Z1
loop:
	VMOVUPD (SI), Z0
	VCMPPD $3, Z0, Z0, K1
	VMOVAPD Z1, K1, Z0
	VMOVUPD Z0, K2, (DI)
	PREFETCHT0 64(DI)
	ADDQ $64, SI
	ADDQ DX, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET
