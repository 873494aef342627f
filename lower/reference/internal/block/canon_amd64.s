//go:build !purego

#include "textflag.h"

#define CANON(MOVE, CMP, SHIFT) \
	MOVQ x+0(FP), DI; \
	MOVQ n+8(FP), CX; \
	SHRQ $SHIFT, CX; \
loop: \
	MOVE (DI), Z0; \
	CMP $3, Z0, Z0, K1; \
	MOVE Z1, K1, (DI); \
	ADDQ $64, DI; \
	DECQ CX; \
	JNZ  loop; \
	VZEROUPPER; \
	RET

// func canon32(x unsafe.Pointer, n int)
// NaNs become canonical; 16 divides n.
TEXT ·canon32(SB), NOSPLIT, $0-16
	MOVL $0x7FC00000, AX
	VPBROADCASTD AX, Z1
	CANON(VMOVUPS, VCMPPS, 4)

// func canon64(x unsafe.Pointer, n int)
// NaNs become canonical; 8 divides n.
TEXT ·canon64(SB), NOSPLIT, $0-16
	MOVQ $0x7FF8000000000000, AX
	VPBROADCASTQ AX, Z1
	CANON(VMOVUPD, VCMPPD, 3)
