//go:build !purego

#include "textflag.h"

// func cleanCaches(start, end uintptr)
TEXT ·cleanCaches(SB), NOSPLIT, $0-16
	MOVD start+0(FP), R0
	MOVD end+8(FP), R1
	MRS  CTR_EL0, R2
	MOVD $4, R5
	// The data cache: bits 16 to 19 are log₂ of the number of 4-byte words of a line.
	UBFX $16, R2, $4, R3
	LSL  R3, R5, R3
	SUB  $1, R3, R4
	BIC  R4, R0, R6
data:
	DC   CVAU, R6
	ADD  R3, R6
	CMP  R1, R6
	BLO  data
	DSB  $11
	// The instruction cache: bits 0 to 3.
	UBFX $0, R2, $4, R3
	LSL  R3, R5, R3
	SUB  $1, R3, R4
	BIC  R4, R0, R6
code:
	WORD $0xd50b7526 // ic ivau, x6
	ADD  R3, R6
	CMP  R1, R6
	BLO  code
	DSB  $11
	ISB  $15
	RET
