//go:build !purego

#include "textflag.h"

// Small matrices side by side: element e of matrix l is number l of run e, of 32 numbers. A call works on the matrices
// of one register: its argument t is element 0 of the first of them, and a run is RUN bytes long. Each number is computed
// as it is in the loops of lanes.go.

// TURN4 transposes four registers of four parts of 128 bits.
#define TURN4(A, B, C, D) \
	VSHUFF64X2 $0x44, B, A, Z28; \
	VSHUFF64X2 $0xEE, B, A, Z29; \
	VSHUFF64X2 $0x44, D, C, Z30; \
	VSHUFF64X2 $0xEE, D, C, Z31; \
	VSHUFF64X2 $0x88, Z30, Z28, A; \
	VSHUFF64X2 $0xDD, Z30, Z28, B; \
	VSHUFF64X2 $0x88, Z31, Z29, C; \
	VSHUFF64X2 $0xDD, Z31, Z29, D

// TURNPARTS transposes the parts of 128 bits of four registers, four numbers each.
#define TURNPARTS(A, B, C, D) \
	VUNPCKLPS B, A, Z28; \
	VUNPCKHPS B, A, Z29; \
	VUNPCKLPS D, C, Z30; \
	VUNPCKHPS D, C, Z31; \
	VUNPCKLPD Z30, Z28, A; \
	VUNPCKHPD Z30, Z28, B; \
	VUNPCKLPD Z31, Z29, C; \
	VUNPCKHPD Z31, Z29, D

#define LOADLANES(MOVE, R) \
	PREFETCHT0 (SI)(R8*1); \
	MOVE.Z (SI), K1, R; \
	ADDQ DX, SI

// STORELANES stores a row, with canonical NaNs if K4 has bits.
#define STORELANES(MOVE, COPY, CMP, R) \
	CMP $3, R, R, K4, K3; \
	COPY Z27, K3, R; \
	PREFETCHT0 (DI)(R9*1); \
	MOVE R, K2, (DI); \
	ADDQ CX, DI

#define TURNARGS \
	MOVQ dst+0(FP), DI; \
	MOVQ dstStep+8(FP), CX; \
	MOVQ src+16(FP), SI; \
	MOVQ srcStep+24(FP), DX; \
	MOVQ loads+32(FP), AX; \
	KMOVW AX, K1; \
	MOVQ stores+40(FP), AX; \
	KMOVW AX, K2; \
	MOVQ canon+48(FP), AX; \
	KMOVW AX, K4; \
	MOVQ loadAhead+56(FP), R8; \
	MOVQ storeAhead+64(FP), R9

// CHOLESKY factors n × n matrices from the left, column by column; bad gets a bit for each that has a pivot that is not positive,
// for which 1 is taken. R8 is the step of rows, R9 the diagonal element, BX the columns from it on.
#define CHOLESKY(MOVE, COPY, CMP, SQRT, DIV, FNMADD, RUN) \
	MOVQ t+0(FP), R9; \
	MOVQ n+8(FP), BX; \
	MOVQ BX, R8; \
	IMULQ $RUN, R8; \
	VPXORQ Z4, Z4, Z4; \
	XORQ R15, R15; \
column: \
	MOVE (R9), Z0; \
	CMP $0x1E, Z4, Z0, K1; \
	KNOTW K1, K2; \
	KMOVW K2, AX; \
	ORQ AX, R15; \
	SQRT Z0, Z0; \
	COPY Z5, Z1; \
	COPY Z0, K1, Z1; \
	MOVE Z1, (R9); \
	MOVQ BX, CX; \
	LEAQ (R9)(R8*1), R10; \
	JMP  divided; \
divide: \
	MOVE (R10), Z0; \
	DIV Z1, Z0, Z0; \
	MOVE Z0, (R10); \
	ADDQ R8, R10; \
divided: \
	DECQ CX; \
	JNZ  divide; \
	LEAQ (R9)(R8*1), R10; \
	LEAQ RUN(R10), R11; \
	MOVQ BX, DX; \
	JMP  lowered; \
lower: \
	MOVE (R10), Z1; \
	MOVQ R10, SI; \
	MOVQ R11, DI; \
	MOVQ DX, CX; \
element: \
	MOVE (DI), Z0; \
	FNMADD (SI), Z1, Z0; \
	MOVE Z0, (DI); \
	ADDQ R8, SI; \
	ADDQ R8, DI; \
	DECQ CX; \
	JNZ  element; \
	ADDQ R8, R10; \
	LEAQ RUN(R11)(R8*1), R11; \
lowered: \
	DECQ DX; \
	JNZ  lower; \
	LEAQ RUN(R9)(R8*1), R9; \
	DECQ BX; \
	JNZ  column; \
	MOVQ R15, bad+16(FP); \
	VZEROUPPER; \
	RET

// MEAN makes the lower triangles of all matrices those of (a + aᵀ)/2 and clears what is above them; Z5 is ½. R8 is the step of rows,
// R9 the diagonal element; R10 and R11 go along its column and its row.
#define MEAN(MOVE, ADD, MUL, RUN) \
	MOVQ t+0(FP), R9; \
	MOVQ n+8(FP), BX; \
	MOVQ BX, R8; \
	IMULQ $RUN, R8; \
	VPXORQ Z4, Z4, Z4; \
column: \
	MOVQ R9, R10; \
	MOVQ R9, R11; \
	MOVQ BX, CX; \
	XORQ AX, AX; \
diagonal: \
	MOVE (R9)(AX*1), Z0; \
	ADD Z0, Z0, Z0; \
	MUL Z5, Z0, Z0; \
	MOVE Z0, (R9)(AX*1); \
	ADDQ $64, AX; \
	CMPQ AX, $RUN; \
	JNE  diagonal; \
	JMP  paired; \
pair: \
	ADDQ R8, R10; \
	ADDQ $RUN, R11; \
	XORQ AX, AX; \
part: \
	MOVE (R10)(AX*1), Z0; \
	ADD (R11)(AX*1), Z0, Z0; \
	MUL Z5, Z0, Z0; \
	MOVE Z0, (R10)(AX*1); \
	MOVE Z4, (R11)(AX*1); \
	ADDQ $64, AX; \
	CMPQ AX, $RUN; \
	JNE  part; \
paired: \
	DECQ CX; \
	JNZ  pair; \
	LEAQ RUN(R9)(R8*1), R9; \
	DECQ BX; \
	JNZ  column; \
	VZEROUPPER; \
	RET

// SOLVE solves systems of n equations with m right sides. Element (i, k) of the matrices is si·i + sk·k bytes from t, and element
// (i, j) of the right sides ui·i + uj·j from x.
#define SOLVE(MOVE, DIV, FNMADD) \
	MOVQ t+0(FP), R8; \
	MOVQ x+24(FP), R9; \
	MOVQ n+48(FP), BX; \
equation: \
	CMPQ unit+64(FP), $0; \
	JNE  whole; \
	MOVE (R8), Z1; \
	MOVQ R9, DI; \
	MOVQ m+56(FP), CX; \
divide: \
	MOVE (DI), Z0; \
	DIV Z1, Z0, Z0; \
	MOVE Z0, (DI); \
	ADDQ uj+40(FP), DI; \
	DECQ CX; \
	JNZ  divide; \
whole: \
	MOVQ BX, DX; \
	MOVQ R8, R10; \
	MOVQ R9, R11; \
	JMP  lowered; \
lower: \
	ADDQ si+8(FP), R10; \
	ADDQ ui+32(FP), R11; \
	MOVE (R10), Z1; \
	MOVQ R9, SI; \
	MOVQ R11, DI; \
	MOVQ m+56(FP), CX; \
	MOVQ uj+40(FP), AX; \
element: \
	MOVE (DI), Z0; \
	FNMADD (SI), Z1, Z0; \
	MOVE Z0, (DI); \
	ADDQ AX, SI; \
	ADDQ AX, DI; \
	DECQ CX; \
	JNZ  element; \
lowered: \
	DECQ DX; \
	JNZ  lower; \
	ADDQ si+8(FP), R8; \
	ADDQ sk+16(FP), R8; \
	ADDQ ui+32(FP), R9; \
	DECQ BX; \
	JNZ  equation; \
	VZEROUPPER; \
	RET

// LU eliminates column by column. The pivot is the largest |x|, the first of equals, or the first NaN: Z2 has its size, Z3 its
// row. R9 is the diagonal element, R13 the row's first, R8 the step of rows; DX counts columns and BX rows from it on, R12 is its number.
#define LU(MOVE, COPY, CMP, AND, BROADCAST, CMPEQ, COPYINT, STOREROW, DIV, FNMADD, RUN) \
	MOVQ t+0(FP), R9; \
	MOVQ R9, R13; \
	MOVQ m+8(FP), BX; \
	MOVQ n+16(FP), DX; \
	MOVQ pivots+24(FP), R14; \
	MOVQ DX, R8; \
	IMULQ $RUN, R8; \
	VPXORQ Z4, Z4, Z4; \
	XORQ R12, R12; \
column: \
	MOVE (R9), Z2; \
	AND Z6, Z2, Z2; \
	BROADCAST R12, Z3; \
	MOVQ BX, CX; \
	MOVQ R12, AX; \
	MOVQ R9, R10; \
	JMP  compared; \
compare: \
	ADDQ R8, R10; \
	INCQ AX; \
	MOVE (R10), Z0; \
	AND Z6, Z0, Z0; \
	CMP $0x1E, Z2, Z0, K1; \
	CMP $3, Z0, Z0, K2; \
	CMP $7, Z2, Z2, K3; \
	KANDW K3, K2, K2; \
	KORW K2, K1, K1; \
	COPY Z0, K1, Z2; \
	BROADCAST AX, Z1; \
	COPYINT Z1, K1, Z3; \
compared: \
	DECQ CX; \
	JNZ  compare; \
	CMP $0, Z4, Z2, K1; \
	KMOVW K1, AX; \
	TESTQ AX, AX; \
	JNZ  singular; \
	STOREROW; \
	ADDQ $128, R14; \
	MOVQ BX, CX; \
	MOVQ R12, AX; \
	MOVQ R13, R10; \
	JMP  exchanged; \
exchange: \
	ADDQ R8, R10; \
	INCQ AX; \
	BROADCAST AX, Z1; \
	CMPEQ Z1, Z3, K1; \
	KORTESTW K1, K1; \
	JEQ  exchanged; \
	MOVQ R13, SI; \
	MOVQ R10, DI; \
	MOVQ n+16(FP), R11; \
swap: \
	MOVE (SI), Z0; \
	MOVE (DI), Z1; \
	MOVE Z0, K1, (DI); \
	MOVE Z1, K1, (SI); \
	ADDQ $RUN, SI; \
	ADDQ $RUN, DI; \
	DECQ R11; \
	JNZ  swap; \
exchanged: \
	DECQ CX; \
	JNZ  exchange; \
	MOVE (R9), Z2; \
	MOVQ BX, CX; \
	MOVQ R9, R10; \
	JMP  lowered; \
lower: \
	ADDQ R8, R10; \
	MOVE (R10), Z1; \
	DIV Z2, Z1, Z1; \
	MOVE Z1, (R10); \
	MOVQ R9, SI; \
	MOVQ R10, DI; \
	MOVQ DX, AX; \
	JMP  done; \
element: \
	ADDQ $RUN, SI; \
	ADDQ $RUN, DI; \
	MOVE (DI), Z0; \
	FNMADD (SI), Z1, Z0; \
	MOVE Z0, (DI); \
done: \
	DECQ AX; \
	JNZ  element; \
lowered: \
	DECQ CX; \
	JNZ  lower; \
	INCQ R12; \
	LEAQ RUN(R9)(R8*1), R9; \
	ADDQ R8, R13; \
	DECQ DX; \
	JZ   end; \
	DECQ BX; \
	JNZ  column; \
end: \
	MOVB $1, ok+32(FP); \
	VZEROUPPER; \
	RET; \
singular: \
	MOVB $0, ok+32(FP); \
	VZEROUPPER; \
	RET

#define ROWS32 VMOVDQU32 Z3, (R14)
#define ROWS64 VPMOVQD Z3, (R14)

// func transposeLanes32(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int, loads, stores, canon uint, loadAhead, storeAhead int)
// Sixteen rows of sixteen numbers, steps in bytes; loads and stores have a bit for each column of src and of dst;
// canon has bits if NaNs are to become canonical. What is so many bytes ahead is prefetched.
TEXT ·transposeLanes32(SB), NOSPLIT, $0-72
	TURNARGS
	MOVL $0x7FC00000, AX
	VPBROADCASTD AX, Z27
	LOADLANES(VMOVUPS, Z0)
	LOADLANES(VMOVUPS, Z1)
	LOADLANES(VMOVUPS, Z2)
	LOADLANES(VMOVUPS, Z3)
	TURNPARTS(Z0, Z1, Z2, Z3)
	LOADLANES(VMOVUPS, Z4)
	LOADLANES(VMOVUPS, Z5)
	LOADLANES(VMOVUPS, Z6)
	LOADLANES(VMOVUPS, Z7)
	TURNPARTS(Z4, Z5, Z6, Z7)
	LOADLANES(VMOVUPS, Z8)
	LOADLANES(VMOVUPS, Z9)
	LOADLANES(VMOVUPS, Z10)
	LOADLANES(VMOVUPS, Z11)
	TURNPARTS(Z8, Z9, Z10, Z11)
	LOADLANES(VMOVUPS, Z12)
	LOADLANES(VMOVUPS, Z13)
	LOADLANES(VMOVUPS, Z14)
	LOADLANES(VMOVUPS, Z15)
	TURNPARTS(Z12, Z13, Z14, Z15)
	TURN4(Z0, Z4, Z8, Z12)
	TURN4(Z1, Z5, Z9, Z13)
	TURN4(Z2, Z6, Z10, Z14)
	TURN4(Z3, Z7, Z11, Z15)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z0)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z1)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z2)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z3)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z4)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z5)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z6)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z7)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z8)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z9)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z10)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z11)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z12)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z13)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z14)
	STORELANES(VMOVUPS, VMOVAPS, VCMPPS, Z15)
	VZEROUPPER
	RET

// func transposeLanes64(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int, loads, stores, canon uint, loadAhead, storeAhead int)
// Eight rows of eight numbers.
TEXT ·transposeLanes64(SB), NOSPLIT, $0-72
	TURNARGS
	MOVQ $0x7FF8000000000000, AX
	VPBROADCASTQ AX, Z27
	LOADLANES(VMOVUPD, Z0)
	LOADLANES(VMOVUPD, Z1)
	LOADLANES(VMOVUPD, Z2)
	LOADLANES(VMOVUPD, Z3)
	LOADLANES(VMOVUPD, Z4)
	LOADLANES(VMOVUPD, Z5)
	LOADLANES(VMOVUPD, Z6)
	LOADLANES(VMOVUPD, Z7)
	VUNPCKLPD Z1, Z0, Z8
	VUNPCKHPD Z1, Z0, Z9
	VUNPCKLPD Z3, Z2, Z10
	VUNPCKHPD Z3, Z2, Z11
	VUNPCKLPD Z5, Z4, Z12
	VUNPCKHPD Z5, Z4, Z13
	VUNPCKLPD Z7, Z6, Z14
	VUNPCKHPD Z7, Z6, Z15
	TURN4(Z8, Z10, Z12, Z14)
	TURN4(Z9, Z11, Z13, Z15)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z8)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z9)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z10)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z11)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z12)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z13)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z14)
	STORELANES(VMOVUPD, VMOVAPD, VCMPPD, Z15)
	VZEROUPPER
	RET

// func choleskyLanes32(t unsafe.Pointer, n int) (bad uint)
TEXT ·choleskyLanes32(SB), NOSPLIT, $0-24
	MOVL $0x3F800000, AX
	VPBROADCASTD AX, Z5
	CHOLESKY(VMOVUPS, VMOVAPS, VCMPPS, VSQRTPS, VDIVPS, VFNMADD231PS, 128)

// func choleskyLanes64(t unsafe.Pointer, n int) (bad uint)
TEXT ·choleskyLanes64(SB), NOSPLIT, $0-24
	MOVQ $0x3FF0000000000000, AX
	VPBROADCASTQ AX, Z5
	CHOLESKY(VMOVUPD, VMOVAPD, VCMPPD, VSQRTPD, VDIVPD, VFNMADD231PD, 256)

// func meanLanes32(t unsafe.Pointer, n int)
TEXT ·meanLanes32(SB), NOSPLIT, $0-16
	MOVL $0x3F000000, AX
	VPBROADCASTD AX, Z5
	MEAN(VMOVUPS, VADDPS, VMULPS, 128)

// func meanLanes64(t unsafe.Pointer, n int)
TEXT ·meanLanes64(SB), NOSPLIT, $0-16
	MOVQ $0x3FE0000000000000, AX
	VPBROADCASTQ AX, Z5
	MEAN(VMOVUPD, VADDPD, VMULPD, 256)

// func solveLanes32(t unsafe.Pointer, si, sk int, x unsafe.Pointer, ui, uj, n, m, unit int)
TEXT ·solveLanes32(SB), NOSPLIT, $0-72
	SOLVE(VMOVUPS, VDIVPS, VFNMADD231PS)

// func solveLanes64(t unsafe.Pointer, si, sk int, x unsafe.Pointer, ui, uj, n, m, unit int)
TEXT ·solveLanes64(SB), NOSPLIT, $0-72
	SOLVE(VMOVUPD, VDIVPD, VFNMADD231PD)

// func luLanes32(t unsafe.Pointer, m, n int, pivots unsafe.Pointer) (ok bool)
// pivots are runs of i32. It returns false if a column is zero.
TEXT ·luLanes32(SB), NOSPLIT, $0-33
	MOVL $0x7FFFFFFF, AX
	VPBROADCASTD AX, Z6
	LU(VMOVUPS, VMOVAPS, VCMPPS, VPANDD, VPBROADCASTD, VPCMPEQD, VMOVDQA32, ROWS32, VDIVPS, VFNMADD231PS, 128)

// func luLanes64(t unsafe.Pointer, m, n int, pivots unsafe.Pointer) (ok bool)
TEXT ·luLanes64(SB), NOSPLIT, $0-33
	MOVQ $0x7FFFFFFFFFFFFFFF, AX
	VPBROADCASTQ AX, Z6
	LU(VMOVUPD, VMOVAPD, VCMPPD, VPANDQ, VPBROADCASTQ, VPCMPEQQ, VMOVDQA64, ROWS64, VDIVPD, VFNMADD231PD, 256)
