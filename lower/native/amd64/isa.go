package amd64

// An ISA is a set of instructions that code is written for.
type ISA uint8

// The instruction sets.
const (
	AVX2   ISA = iota // AVX2, FMA, F16C, BMI1, BMI2, LZCNT
	AVX512            // besides, AVX-512F, BW, DQ, VL and CD
)

// String returns the name of the instruction set.
func (i ISA) String() string {
	if i == AVX512 {
		return "avx512"
	}
	return "avx2"
}

// vectorBytes returns the size of the largest registers.
func (i ISA) vectorBytes() int {
	if i == AVX512 {
		return 64
	}
	return 32
}
