//go:build !purego

#include "textflag.h"

// func call(entry uintptr, args unsafe.Pointer)
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ entry+0(FP), AX
	MOVQ args+8(FP), DI
	CALL AX
	RET

// func pause(n int)
TEXT ·pause(SB), NOSPLIT, $0-8
	MOVQ n+0(FP), CX
again:
	PAUSE
	DECQ CX
	JGT  again
	RET

// func cpuid(leaf, sub uint32) (a, b, c, d uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, a+8(FP)
	MOVL BX, b+12(FP)
	MOVL CX, c+16(FP)
	MOVL DX, d+20(FP)
	RET
