package amd64

import (
	"math"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

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

// models describe the instruction sets to code generation. The costs of statements were measured
// by BenchmarkEstimates of runtime/cpu on an EPYC (Zen 5, 3.7 GHz): for each four bytes they lie
// between 0.006 and 0.023 ns with AVX-512 and 0.008 and 0.046 with AVX2.
var models = [...]native.Model{
	AVX2: {
		VectorBytes:     32,
		Registers:       [native.NumClasses]uint32{native.ClassV: 0xffff, native.ClassG: freeGeneral, native.ClassK: 0xfe},
		FunctionVectors: 0xffff,
		Room:            12,
		FunctionCopies:  1,
		SumCopies:       1,
		Streams:         true,
		SlowExtremes:    true,
		Args:            RDI, Scratch: RSI, Link: linkReg,
		GeneralTemps: generalTemps, MaskTemps: maskTemps,
		// A register of a tile holds the mask.
		Processor:    schedule.Processor{Threads: 1, Vector: 32, Registers: 15, Wide: 4, Rate: 45, Statement: 0.046},
		MicroGeneral: microGeneral, Block: 16, BlockVectors: 8, TileStep: 4, LaneMask: AVX2.laneMask,
	},
	AVX512: {
		VectorBytes:     64,
		Masks:           true,
		Broadcasts:      true,
		Registers:       [native.NumClasses]uint32{native.ClassV: math.MaxUint32, native.ClassG: freeGeneral, native.ClassK: 0xfe},
		FunctionVectors: 1<<24 - 1,
		Room:            32,
		FunctionCopies:  2,
		SumCopies:       2,
		Streams:         true,
		Scales:          true,
		Quotients:       64,
		SlowExtremes:    true,
		SignedExtremes:  true,
		Args:            RDI, Scratch: RSI, Link: linkReg,
		GeneralTemps: generalTemps, MaskTemps: maskTemps,
		Processor:    schedule.Processor{Threads: 1, Vector: 64, Registers: 32, Wide: 2, Rate: 90, Statement: 0.023},
		MicroGeneral: microGeneral, Block: 32, BlockVectors: 24, TileStep: 4, TileRoom: tileRoom, Pairs: true, LaneMask: AVX512.laneMask, MatrixShape: matrixShape,
	},
}

// tileRoom leaves four instructions for addresses and the count: a processor that keeps loops of up to 144 in a buffer
// (Sapphire Rapids) multiplies 5 % faster in tiles of 14 rows and two vectors where the loop is half as long.
const tileRoom = 140

// freeGeneral are the general registers that are given out. Of the others, RAX, RCX and RDX serve
// spilled operands, RDI and RSI are fixed, RSP and RBP are Go's.
const freeGeneral = 0xff08

// microGeneral are the general registers of micro-kernels: all but RDI, which has the arguments, and Go's RSP
// and RBP.
var microGeneral = []Reg{RAX, RCX, RDX, RBX, RSI, 8, 9, 10, 11, 12, 13, 14, 15}

func (i ISA) Model() *native.Model { return &models[i] }

func (i ISA) Target(g *native.Gen) native.Target { return &x86{Gen: g, isa: i, enc: &Encoder{}} }

type x86 struct {
	*native.Gen
	isa ISA
	enc *Encoder
}

func (g *x86) Assembler(e *native.Emitter) native.Assembler {
	g.enc.Reset()
	return &writer{Emitter: e, isa: g.isa, enc: g.enc}
}
