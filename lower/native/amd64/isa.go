package amd64

import "math"

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

// models are what code generation knows of the instruction sets.
var models = [...]model{
	AVX2: {
		vectorBytes:     32,
		registers:       [numClasses]uint32{classV: 0xffff, classG: freeGeneral, classK: 0xfe},
		functionVectors: 0xffff,
		room:            12,
		functionCopies:  1,
		sumCopies:       1,
		streams:         true,
		args:            RDI, scratch: RSI, link: linkReg,
		generalTemps: generalTemps, maskTemps: maskTemps,
	},
	AVX512: {
		vectorBytes:     64,
		masks:           true,
		broadcasts:      true,
		registers:       [numClasses]uint32{classV: math.MaxUint32, classG: freeGeneral, classK: 0xfe},
		functionVectors: 1<<24 - 1,
		room:            32,
		functionCopies:  2,
		sumCopies:       2,
		streams:         true,
		args:            RDI, scratch: RSI, link: linkReg,
		generalTemps: generalTemps, maskTemps: maskTemps,
	},
}

// freeGeneral are the general registers that are given out: RAX, RCX, RDX serve spilled operands,
// RDI and RSI are fixed, RSP and RBP Go's.
const freeGeneral = 0xff08

func (i ISA) model() *model { return &models[i] }

func (i ISA) target(g *gen) target { return &x86{gen: g, isa: i, enc: &Encoder{}} }

// x86 writes the operations of a kernel.
type x86 struct {
	*gen
	isa ISA
	enc *Encoder
}

func (g *x86) assembly(e *emitter) assembly {
	g.enc.Reset()
	return &writer{emitter: e, isa: g.isa, enc: g.enc}
}
