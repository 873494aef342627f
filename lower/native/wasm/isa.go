package wasm

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// SIMD128 is WebAssembly with vectors of 128 bits.
type SIMD128 struct {
	// Relaxed permits relaxed_madd, which the engine must round once; else fused multiply-adds are
	// computed by several instructions.
	Relaxed bool
}

// String returns the name of the instruction set, which ends in "-strict" unless Relaxed is set.
func (s SIMD128) String() string {
	if s.Relaxed {
		return "simd128"
	}
	return "simd128-strict"
}

const vectorBytes = 16

// model describes engines on processors with 16 vector registers. The numbers of registers are estimates
// of what an engine keeps in registers; the code has as many locals as it needs.
var model = native.Model{
	VectorBytes:    vectorBytes,
	Registers:      [native.NumClasses]uint32{native.ClassV: 1<<16 - 1, native.ClassG: 1<<12 - 1},
	Room:           14,
	FunctionCopies: 2,
	SumCopies:      2,

	// V8 keeps one of 16 registers to itself. It moves loads to the front of an iteration.
	Processor:    schedule.Processor{Threads: 1, Vector: vectorBytes, Registers: 15, Wide: 3, Early: true, Rate: 22, Statement: 0.15},
	MicroGeneral: make([]native.Reg, 13),
	Block:        vectorBytes, BlockVectors: 8,
	// Engines write the chain of each sum of a longer iteration in one go, and spill the other sums.
	TileStep: 1,
	LaneMask: func(_, n int) [4]uint64 { return [4]uint64{uint64(n)} },
}

// slow describes engines without relaxed_madd.
var slow = func() native.Model {
	m := model
	m.Processor.Rate, m.Processor.Statement = 2, 0.5
	return m
}()

// Model describes an engine to code generation.
func (s SIMD128) Model() *native.Model {
	if s.Relaxed {
		return &model
	}
	return &slow
}

// Target returns the target that writes g's operations.
func (s SIMD128) Target(g *native.Gen) native.Target {
	return &simd{PlainTarget: native.PlainTarget{Gen: g}, relaxed: s.Relaxed}
}

type simd struct {
	native.PlainTarget
	relaxed bool
}
