package native

import "errors"

// Unsupported is the reason why the machine cannot run native code at all. It is an
// [errors.ErrUnsupported].
type Unsupported string

// Error returns the reason.
func (u Unsupported) Error() string { return string(u) }

// Is reports whether target is [errors.ErrUnsupported].
func (Unsupported) Is(target error) bool { return target == errors.ErrUnsupported }

// Features contains the features of the processor that the code generator depends on.
type Features struct {
	AVX2   bool // AVX2, FMA, F16C, BMI1, BMI2, LZCNT, POPCNT
	AVX512 bool // AVX2, and AVX-512F, BW, DQ, VL and CD
	BF16   bool // AVX512, and its products of bf16
	VNNI   bool // AVX512, and its products of pairs of i16 and of fours of bytes, which are added to i32
	AMX    bool // VNNI, and products of matrices of bytes, which the system may refuse: see [Matrices]
	NEON   bool // the vectors that every 64-bit ARM processor has

	SIMD128     bool // WebAssembly's vectors
	RelaxedMadd bool // … and relaxed_madd, which rounds once
}

// CPU returns the processor's features.
func CPU() Features { return detected }
