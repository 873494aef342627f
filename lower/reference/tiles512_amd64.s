//go:build !purego

#include "textflag.h"

// Rows of a: 0, 1, 2 and 4 from SI, 3 from R10, 5, 6 and 7 from R9; R8 is the step.
#define ROWS8 \
	LEAQ (SI)(R8*2), R10; \
	ADDQ R8, R10; \
	LEAQ (R10)(R8*2), R9

// Eight rows by two registers of 512 bits: OP adds a product of each.
#define STEP8(MOVE, BROADCAST, OP, SIZE) \
	MOVE (BX), Z16; \
	MOVE 64(BX), Z17; \
	BROADCAST (SI), Z18; \
	BROADCAST (SI)(R8*1), Z19; \
	BROADCAST (SI)(R8*2), Z20; \
	BROADCAST (R10), Z21; \
	BROADCAST (SI)(R8*4), Z22; \
	BROADCAST (R9), Z23; \
	BROADCAST (R9)(R8*1), Z24; \
	BROADCAST (R9)(R8*2), Z25; \
	OP Z16, Z18, Z0; \
	OP Z17, Z18, Z1; \
	OP Z16, Z19, Z2; \
	OP Z17, Z19, Z3; \
	OP Z16, Z20, Z4; \
	OP Z17, Z20, Z5; \
	OP Z16, Z21, Z6; \
	OP Z17, Z21, Z7; \
	OP Z16, Z22, Z8; \
	OP Z17, Z22, Z9; \
	OP Z16, Z23, Z10; \
	OP Z17, Z23, Z11; \
	OP Z16, Z24, Z12; \
	OP Z17, Z24, Z13; \
	OP Z16, Z25, Z14; \
	OP Z17, Z25, Z15; \
	ADDQ $128, BX; \
	ADDQ $SIZE, SI; \
	ADDQ $SIZE, R9; \
	ADDQ $SIZE, R10

// LOADROW and STOREROW move a row of c and go on to the next one.
#define LOADROW(MOVE, R, S) \
	MOVE (R11), R; \
	MOVE 64(R11), S; \
	ADDQ DX, R11

#define STOREROW(MOVE, R, S) \
	MOVE R, (DI); \
	MOVE S, 64(DI); \
	ADDQ DX, DI

// LOWER lowers c by a·b, each element one chain from its own value. k is not 0.
#define LOWER(MOVE, BROADCAST, FNMADD, SIZE) \
	MOVQ c+0(FP), DI; \
	MOVQ ldc+8(FP), DX; \
	MOVQ a+16(FP), SI; \
	MOVQ lda+24(FP), R8; \
	MOVQ b+32(FP), BX; \
	MOVQ k+40(FP), CX; \
	ROWS8; \
	MOVQ DI, R11; \
	LOADROW(MOVE, Z0, Z1); \
	LOADROW(MOVE, Z2, Z3); \
	LOADROW(MOVE, Z4, Z5); \
	LOADROW(MOVE, Z6, Z7); \
	LOADROW(MOVE, Z8, Z9); \
	LOADROW(MOVE, Z10, Z11); \
	LOADROW(MOVE, Z12, Z13); \
	LOADROW(MOVE, Z14, Z15); \
loop: \
	STEP8(MOVE, BROADCAST, FNMADD, SIZE); \
	DECQ CX; \
	JNZ  loop; \
	STOREROW(MOVE, Z0, Z1); \
	STOREROW(MOVE, Z2, Z3); \
	STOREROW(MOVE, Z4, Z5); \
	STOREROW(MOVE, Z6, Z7); \
	STOREROW(MOVE, Z8, Z9); \
	STOREROW(MOVE, Z10, Z11); \
	STOREROW(MOVE, Z12, Z13); \
	STOREROW(MOVE, Z14, Z15); \
	VZEROUPPER; \
	RET

#define ADD2(ADD, MOVE, R, S, AT) \
	ADD AT(DI), R, R; \
	MOVE R, AT(DI); \
	ADD AT+64(DI), S, S; \
	MOVE S, AT+64(DI)

// TILE is a tile of eight rows by two registers: see dot_tiles_amd64.s.
#define TILE(MOVE, BROADCAST, FMA, ADD, SIZE) \
	MOVQ c+0(FP), DI; \
	MOVQ a+8(FP), SI; \
	MOVQ step+16(FP), R8; \
	MOVQ b+24(FP), BX; \
	MOVQ k+32(FP), CX; \
	ROWS8; \
	VPXORQ Z0, Z0, Z0; \
	VMOVAPS Z0, Z1; \
	VMOVAPS Z0, Z2; \
	VMOVAPS Z0, Z3; \
	VMOVAPS Z0, Z4; \
	VMOVAPS Z0, Z5; \
	VMOVAPS Z0, Z6; \
	VMOVAPS Z0, Z7; \
	VMOVAPS Z0, Z8; \
	VMOVAPS Z0, Z9; \
	VMOVAPS Z0, Z10; \
	VMOVAPS Z0, Z11; \
	VMOVAPS Z0, Z12; \
	VMOVAPS Z0, Z13; \
	VMOVAPS Z0, Z14; \
	VMOVAPS Z0, Z15; \
loop: \
	STEP8(MOVE, BROADCAST, FMA, SIZE); \
	DECQ CX; \
	JNZ  loop; \
	ADD2(ADD, MOVE, Z0, Z1, 0); \
	ADD2(ADD, MOVE, Z2, Z3, 128); \
	ADD2(ADD, MOVE, Z4, Z5, 256); \
	ADD2(ADD, MOVE, Z6, Z7, 384); \
	ADD2(ADD, MOVE, Z8, Z9, 512); \
	ADD2(ADD, MOVE, Z10, Z11, 640); \
	ADD2(ADD, MOVE, Z12, Z13, 768); \
	ADD2(ADD, MOVE, Z14, Z15, 896); \
	VZEROUPPER; \
	RET

// LESS lowers y by a·x. The last numbers are masked: K1 is theirs.
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

// DIVIDE divides y by the d of Z2. The last numbers are masked: K1 is theirs; the others of the register are 0, and their
// quotients are not stored.
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

// func lowerTile32(c unsafe.Pointer, ldc int, a unsafe.Pointer, lda int, b unsafe.Pointer, k int)
TEXT ·lowerTile32(SB), NOSPLIT, $0-48
	LOWER(VMOVUPS, VBROADCASTSS, VFNMADD231PS, 4)

// func lowerTile64(c unsafe.Pointer, ldc int, a unsafe.Pointer, lda int, b unsafe.Pointer, k int)
TEXT ·lowerTile64(SB), NOSPLIT, $0-48
	LOWER(VMOVUPD, VBROADCASTSD, VFNMADD231PD, 8)

// func fmaTile32x512(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)
TEXT ·fmaTile32x512(SB), NOSPLIT, $0-40
	TILE(VMOVUPS, VBROADCASTSS, VFMADD231PS, VADDPS, 4)

// func fmaTile64x512(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int)
TEXT ·fmaTile64x512(SB), NOSPLIT, $0-40
	TILE(VMOVUPD, VBROADCASTSD, VFMADD231PD, VADDPD, 8)

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

// COLUMNS makes K1 … K4 the columns of at most 32 that are left, R8.
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

// JOINROW joins the row at R to Z0 … Z3, times the number C.
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
