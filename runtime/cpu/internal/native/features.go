package native

// Features is what the code generator wants to know of the processor.
type Features struct {
	AVX2   bool // AVX2, FMA, F16C, BMI1, BMI2, LZCNT
	AVX512 bool // besides, AVX-512F, BW, DQ, VL and CD
}

// CPU returns the processor's features.
func CPU() Features { return detected }
