//go:build !purego_goid

#include "textflag.h"

// func goid() uintptr
TEXT ·goid(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET
