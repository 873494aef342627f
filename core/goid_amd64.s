//go:build !purego_goid

#include "textflag.h"

// func goid() uintptr
TEXT ·goid(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func framePCs(pcs *uintptr, n int) int
TEXT ·framePCs(SB), NOSPLIT, $0-24
	MOVQ pcs+0(FP), DI
	MOVQ n+8(FP), DX
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
	CMPQ CX, DX
	JLT  next
done:
	MOVQ CX, ret+16(FP)
	RET
