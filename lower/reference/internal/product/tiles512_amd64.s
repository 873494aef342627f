//go:build !purego

#include "textflag.h"

// Rows of a: 0, 1, 2 and 4 from SI, 3 from R10, 5, 6 and 7 from R9; R8 is the step.
#define ROWS8 \
	LEAQ (SI)(R8*2), R10; \
	ADDQ R8, R10; \
	LEAQ (R10)(R8*2), R9

// Eight rows by two registers of 512 bits: OP adds a product to each, or subtracts it.
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
