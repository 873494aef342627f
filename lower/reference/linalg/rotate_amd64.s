//go:build !purego

#include "textflag.h"

// MASKS sets K1 … K4 to the masks of the first CX of 32 numbers; CX is at most 32.
#define MASKS \
	MOVQ $1, AX; \
	SHLQ CX, AX; \
	DECQ AX; \
	KMOVW AX, K1; \
	SHRQ $8, AX; \
	KMOVW AX, K2; \
	SHRQ $8, AX; \
	KMOVW AX, K3; \
	SHRQ $8, AX; \
	KMOVW AX, K4

#define LOAD4(AT, A, B, C, D) \
	VMOVUPD.Z (AT), K1, A; \
	VMOVUPD.Z 64(AT), K2, B; \
	VMOVUPD.Z 128(AT), K3, C; \
	VMOVUPD.Z 192(AT), K4, D

#define STORE4(AT, A, B, C, D) \
	VMOVUPD A, K1, (AT); \
	VMOVUPD B, K2, 64(AT); \
	VMOVUPD C, K3, 128(AT); \
	VMOVUPD D, K4, 192(AT)

// TURN makes x·c + s·y in P and y·c − s·x in Q, of X and Y; Z30 is c and Z31 is s.
#define TURN(X, Y, P, Q) \
	VMULPD Z31, Y, P; \
	VMULPD Z31, X, Q; \
	VFMADD231PD Z30, X, P; \
	VFMSUB231PD Z30, Y, Q

// func rotateDown(z unsafe.Pointer, ld int, rots unsafe.Pointer, count, cols int)
// Rotation k acts on rows k and k + 1 of z, whose rows are ld bytes apart, for k = 0, 1, …, count − 1.
TEXT ·rotateDown(SB), NOSPLIT, $0-40
	MOVQ z+0(FP), DI
	MOVQ ld+8(FP), DX
	MOVQ rots+16(FP), SI
	MOVQ count+24(FP), BX
	MOVQ cols+32(FP), CX
	MASKS
	CMPQ CX, $8
	JLE  narrow
	LOAD4(DI, Z0, Z1, Z2, Z3)
down:
	VBROADCASTSD (SI), Z30
	VBROADCASTSD 8(SI), Z31
	LEAQ (DI)(DX*1), R8
	LOAD4(R8, Z4, Z5, Z6, Z7)
	TURN(Z0, Z4, Z8, Z12)
	TURN(Z1, Z5, Z9, Z13)
	TURN(Z2, Z6, Z10, Z14)
	TURN(Z3, Z7, Z11, Z15)
	STORE4(DI, Z8, Z9, Z10, Z11)
	VMOVAPD Z12, Z0
	VMOVAPD Z13, Z1
	VMOVAPD Z14, Z2
	VMOVAPD Z15, Z3
	MOVQ R8, DI
	ADDQ $16, SI
	DECQ BX
	JNZ  down
	STORE4(DI, Z0, Z1, Z2, Z3)
	VZEROUPPER
	RET
narrow: // one register is a row
	VMOVUPD.Z (DI), K1, Z0
narrowDown:
	VBROADCASTSD (SI), Z30
	VBROADCASTSD 8(SI), Z31
	LEAQ (DI)(DX*1), R8
	VMOVUPD.Z (R8), K1, Z4
	TURN(Z0, Z4, Z8, Z12)
	VMOVUPD Z8, K1, (DI)
	VMOVAPD Z12, Z0
	MOVQ R8, DI
	ADDQ $16, SI
	DECQ BX
	JNZ  narrowDown
	VMOVUPD Z0, K1, (DI)
	VZEROUPPER
	RET

// func rotateUp(z unsafe.Pointer, ld int, rots unsafe.Pointer, count, cols int)
// rotateUp is rotateDown for k = count − 1, …, 1, 0.
TEXT ·rotateUp(SB), NOSPLIT, $0-40
	MOVQ z+0(FP), DI
	MOVQ ld+8(FP), DX
	MOVQ rots+16(FP), SI
	MOVQ count+24(FP), BX
	MOVQ cols+32(FP), CX
	MASKS
	MOVQ BX, AX
	IMULQ DX, AX
	ADDQ AX, DI
	MOVQ BX, AX
	SHLQ $4, AX
	ADDQ AX, SI
	CMPQ CX, $8
	JLE  narrow
	LOAD4(DI, Z4, Z5, Z6, Z7)
up:
	SUBQ $16, SI
	VBROADCASTSD (SI), Z30
	VBROADCASTSD 8(SI), Z31
	MOVQ DI, R8
	SUBQ DX, DI
	LOAD4(DI, Z0, Z1, Z2, Z3)
	TURN(Z0, Z4, Z8, Z12)
	TURN(Z1, Z5, Z9, Z13)
	TURN(Z2, Z6, Z10, Z14)
	TURN(Z3, Z7, Z11, Z15)
	STORE4(R8, Z12, Z13, Z14, Z15)
	VMOVAPD Z8, Z4
	VMOVAPD Z9, Z5
	VMOVAPD Z10, Z6
	VMOVAPD Z11, Z7
	DECQ BX
	JNZ  up
	STORE4(DI, Z4, Z5, Z6, Z7)
	VZEROUPPER
	RET
narrow: // one register is a row
	VMOVUPD.Z (DI), K1, Z4
narrowUp:
	SUBQ $16, SI
	VBROADCASTSD (SI), Z30
	VBROADCASTSD 8(SI), Z31
	MOVQ DI, R8
	SUBQ DX, DI
	VMOVUPD.Z (DI), K1, Z0
	TURN(Z0, Z4, Z8, Z12)
	VMOVUPD Z12, K1, (R8)
	VMOVAPD Z8, Z4
	DECQ BX
	JNZ  narrowUp
	VMOVUPD Z4, K1, (DI)
	VZEROUPPER
	RET
