//go:build !purego

#include "textflag.h"

// LESS lowers y by a·x. K1 is the mask of the last numbers, which do not fill a register.
#define LESS(MOVE, FNMADD, PER, SHIFT, SIZE) \
	MOVQ n+24(FP), BX; \
	MOVQ BX, CX; \
	ANDQ $(PER-1), CX; \
	MOVQ $1, DX; \
	SHLQ CX, DX; \
	DECQ DX; \
	KMOVW DX, K1; \
	XORQ AX, AX; \
	MOVQ BX, CX; \
	SHRQ $SHIFT, CX; \
	JZ   tail; \
loop: \
	MOVE (DI)(AX*SIZE), Z0; \
	FNMADD (SI)(AX*SIZE), Z2, Z0; \
	MOVE Z0, (DI)(AX*SIZE); \
	ADDQ $PER, AX; \
	DECQ CX; \
	JNZ  loop; \
tail: \
	TESTQ DX, DX; \
	JZ   done; \
	MOVE.Z (DI)(AX*SIZE), K1, Z0; \
	MOVE.Z (SI)(AX*SIZE), K1, Z1; \
	FNMADD Z1, Z2, Z0; \
	MOVE Z0, K1, (DI)(AX*SIZE); \
done: \
	VZEROUPPER; \
	RET

// DIVIDE divides y by the d of Z2. K1 is the mask of the last numbers, which do not fill a register; its other numbers
// are 0, and their quotients are not stored.
#define DIVIDE(MOVE, DIV, PER, SHIFT, SIZE) \
	MOVQ n+16(FP), BX; \
	MOVQ BX, CX; \
	ANDQ $(PER-1), CX; \
	MOVQ $1, DX; \
	SHLQ CX, DX; \
	DECQ DX; \
	KMOVW DX, K1; \
	XORQ AX, AX; \
	MOVQ BX, CX; \
	SHRQ $SHIFT, CX; \
	JZ   tail; \
loop: \
	MOVE (DI)(AX*SIZE), Z0; \
	DIV Z2, Z0, Z0; \
	MOVE Z0, (DI)(AX*SIZE); \
	ADDQ $PER, AX; \
	DECQ CX; \
	JNZ  loop; \
tail: \
	TESTQ DX, DX; \
	JZ   done; \
	MOVE.Z (DI)(AX*SIZE), K1, Z0; \
	DIV Z2, Z0, Z0; \
	MOVE Z0, K1, (DI)(AX*SIZE); \
done: \
	VZEROUPPER; \
	RET

// func less512x32(y, x unsafe.Pointer, a float32, n int)
TEXT ·less512x32(SB), NOSPLIT, $0-32
	MOVQ         y+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS a+16(FP), Z2
	LESS(VMOVUPS, VFNMADD231PS, 16, 4, 4)

// func less512x64(y, x unsafe.Pointer, a float64, n int)
TEXT ·less512x64(SB), NOSPLIT, $0-32
	MOVQ         y+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSD a+16(FP), Z2
	LESS(VMOVUPD, VFNMADD231PD, 8, 3, 8)

// func divide512x32(y unsafe.Pointer, d float32, n int)
TEXT ·divide512x32(SB), NOSPLIT, $0-24
	MOVQ         y+0(FP), DI
	VBROADCASTSS d+8(FP), Z2
	DIVIDE(VMOVUPS, VDIVPS, 16, 4, 4)

// func divide512x64(y unsafe.Pointer, d float64, n int)
TEXT ·divide512x64(SB), NOSPLIT, $0-24
	MOVQ         y+0(FP), DI
	VBROADCASTSD d+8(FP), Z2
	DIVIDE(VMOVUPD, VDIVPD, 8, 3, 8)

// COLUMNS loads the next 32 columns of y to Z0 … Z3, or the R8 that are left if there are fewer, and sets K1 … K4 to
// their masks.
#define COLUMNS \
	MOVQ $-1, AX; \
	CMPQ R8, $32; \
	JGE  whole; \
	MOVQ R8, CX; \
	MOVQ $1, AX; \
	SHLQ CX, AX; \
	DECQ AX; \
whole: \
	KMOVW AX, K1; \
	SHRQ $8, AX; \
	KMOVW AX, K2; \
	SHRQ $8, AX; \
	KMOVW AX, K3; \
	SHRQ $8, AX; \
	KMOVW AX, K4; \
	VMOVUPD.Z (DI), K1, Z0; \
	VMOVUPD.Z 64(DI), K2, Z1; \
	VMOVUPD.Z 128(DI), K3, Z2; \
	VMOVUPD.Z 192(DI), K4, Z3

// JOINROW adds the row at R, times C, to Z0 … Z3, or subtracts it; FMA is the instruction.
#define JOINROW(FMA, R, C) \
	VMOVUPD.Z (R), K1, Z6; \
	VMOVUPD.Z 64(R), K2, Z7; \
	VMOVUPD.Z 128(R), K3, Z8; \
	VMOVUPD.Z 192(R), K4, Z9; \
	FMA Z6, C, Z0; \
	FMA Z7, C, Z1; \
	FMA Z8, C, Z2; \
	FMA Z9, C, Z3

#define STORECOLUMNS \
	VMOVUPD Z0, K1, (DI); \
	VMOVUPD Z1, K2, 64(DI); \
	VMOVUPD Z2, K3, 128(DI); \
	VMOVUPD Z3, K4, 192(DI); \
	ADDQ $256, DI

// func lessPairs512(y unsafe.Pointer, n int, a unsafe.Pointer, aStep int, x, b, z unsafe.Pointer, step, count int)
TEXT ·lessPairs512(SB), NOSPLIT, $0-72
	MOVQ y+0(FP), DI
	MOVQ n+8(FP), R8
	MOVQ aStep+24(FP), R11
	MOVQ x+32(FP), R9
	MOVQ z+48(FP), R10
	MOVQ step+56(FP), R12
block:
	COLUMNS
	MOVQ a+16(FP), SI
	MOVQ b+40(FP), BX
	MOVQ R9, R13
	MOVQ R10, R15
	MOVQ count+64(FP), DX
row:
	VBROADCASTSD (SI), Z4
	VBROADCASTSD (BX), Z5
	JOINROW(VFNMADD231PD, R13, Z4)
	JOINROW(VFNMADD231PD, R15, Z5)
	ADDQ R11, SI
	ADDQ R11, BX
	ADDQ R12, R13
	ADDQ R12, R15
	DECQ DX
	JNZ  row
	STORECOLUMNS
	ADDQ $256, R9
	ADDQ $256, R10
	SUBQ $32, R8
	JGT  block
	VZEROUPPER
	RET

// func addRows512(y unsafe.Pointer, n int, c, rows unsafe.Pointer, step, count int)
TEXT ·addRows512(SB), NOSPLIT, $0-48
	MOVQ y+0(FP), DI
	MOVQ n+8(FP), R8
	MOVQ rows+24(FP), R9
	MOVQ step+32(FP), R12
block:
	COLUMNS
	MOVQ c+16(FP), SI
	MOVQ R9, R13
	MOVQ count+40(FP), DX
row:
	VBROADCASTSD (SI), Z4
	JOINROW(VFMADD231PD, R13, Z4)
	ADDQ $8, SI
	ADDQ R12, R13
	DECQ DX
	JNZ  row
	STORECOLUMNS
	ADDQ $256, R9
	SUBQ $32, R8
	JGT  block
	VZEROUPPER
	RET
