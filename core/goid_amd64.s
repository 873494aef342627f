//go:build !purego_goid

#include "textflag.h"

// func goid() uintptr
TEXT ·goid(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func framePCs(pcs *[24]uintptr) int
TEXT ·framePCs(SB), NOSPLIT, $0-16
	MOVQ pcs+0(FP), DI
	MOVQ BP, SI
	XORQ CX, CX
next:
	TESTQ SI, SI
	JZ   done
	MOVQ 8(SI), AX
	TESTQ AX, AX
	JZ   done
	MOVQ AX, (DI)(CX*8)
	INCQ CX
	MOVQ (SI), SI
	CMPQ CX, $24
	JLT  next
done:
	MOVQ CX, ret+8(FP)
	RET
