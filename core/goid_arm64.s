//go:build !purego_goid

#include "textflag.h"

// func goid() uintptr
TEXT ·goid(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET

// func framePCs(pcs *uintptr, n int) int
TEXT ·framePCs(SB), NOSPLIT, $0-24
	MOVD pcs+0(FP), R1
	MOVD n+8(FP), R5
	MOVD R29, R2
	MOVD $0, R3
next:
	CBZ  R2, done
	MOVD 8(R2), R4
	CBZ  R4, done
	MOVD R4, (R1)(R3<<3)
	ADD  $1, R3
	MOVD (R2), R2
	CMP  R5, R3
	BLT  next
done:
	MOVD R3, ret+16(FP)
	RET
