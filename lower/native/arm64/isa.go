package arm64

import (
	"math"
	"slices"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// NEON is the instruction set of every 64-bit ARM processor.
type NEON struct{}

// String returns the name of the instruction set.
func (NEON) String() string { return "neon" }

const vectorBytes = 16

// Registers with a use of their own. R18 is the system's, R28 Go's; the frame pointer R29, the link
// register R30 and the stack pointer are the caller's, and Go's traceback of a fault needs them.
const (
	argsReg    Reg = 0
	scratchReg Reg = 1
	linkReg    Reg = 16
	sumReg     Reg = 17 // the sum of a base and an index
	poolReg    Reg = 26 // the pool of constants, where some are read each time
	constReg   Reg = 27 // numbers that cannot be immediate operands
)

// generalTemps serve spilled operands.
var generalTemps = [3]Reg{10, 11, 12}

var model = native.Model{
	VectorBytes:     vectorBytes,
	Registers:       [native.NumClasses]uint32{native.ClassV: math.MaxUint32, native.ClassG: 0x03f9e3fc},
	FunctionVectors: 1<<24 - 1,
	Args:            argsReg,
	Scratch:         scratchReg,
	Link:            linkReg,
	GeneralTemps:    generalTemps,
	Room:            24,
	FunctionCopies:  2,
	SumCopies:       2,

	// Estimates, not measurements. Register tiles leave registers for elements of A.
	Processor:    schedule.Processor{Threads: 1, Vector: vectorBytes, Registers: 26, Wide: 3, Rate: 30, Statement: 0.07},
	MicroGeneral: []Reg{2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 19, 20, 21, 22, 23, 24, 25, 10, 11, 12},
	Block:        vectorBytes, BlockVectors: 8, TileStep: 4,
	LaneMask: func(_, n int) [4]uint64 { return [4]uint64{uint64(n)} },
}

func (NEON) Model() *native.Model { return &model }

func (NEON) Target(g *native.Gen) native.Target {
	return &neon{PlainTarget: native.PlainTarget{Gen: g}, enc: &encoder{}}
}

type neon struct {
	native.PlainTarget
	enc *encoder
}

// CombineLoads leaves constants that only start sums of products in memory, next to the code. A
// multiply-add overwrites the operand that its sum starts from: a load of the constant takes the place
// of a copy.
func (*neon) CombineLoads(c *native.Draft) {
	const starts, other = 1, 2
	sums := [...]Op{vFmla, vFmla + 1, ofSize(vMla, 4), ofSize(vMls, 4)}
	uses := make([]uint8, len(c.Regs))
	note := func(r native.VReg, use uint8) {
		if r > 0 {
			uses[r] |= use
		}
	}
	for i := range c.List {
		in := &c.List[i]
		note(in.A, other)
		note(in.B, other)
		if in.Kind == native.KindOp && slices.Contains(sums[:], in.Op) {
			note(in.C, starts)
		} else {
			note(in.C, other)
		}
	}
	for i := range c.Calls {
		for _, r := range c.Calls[i].Args {
			note(r, other)
		}
	}
	for i, use := range uses {
		if v := &c.Regs[i]; v.Const && use == starts {
			v.Pooled = true
		}
	}
}

func (g *neon) Assembler(e *native.Emitter) native.Assembler { return &writer{Emitter: e, enc: g.enc} }
