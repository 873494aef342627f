//go:build (darwin || linux || windows) && !purego

#include "textflag.h"

// func call(entry uintptr, args unsafe.Pointer)
//
// The barrier makes this thread forget instructions that it fetched before the code was written.
TEXT ·call(SB), NOSPLIT, $8-16
	MOVD entry+0(FP), R9
	MOVD args+8(FP), R0
	ISB  $15
	CALL (R9)
	RET

// func pause(n int)
TEXT ·pause(SB), NOSPLIT, $0-8
	MOVD n+0(FP), R0
again:
	YIELD
	SUBS $1, R0
	BGT  again
	RET
