package amd64

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A model is what code generation knows of a machine: its registers, and what pays.
type model struct {
	vectorBytes int  // of the largest registers
	masks       bool // bools are masks, a bit a lane, in a class of registers; else vectors as wide as what was compared
	broadcasts  bool // constants are single elements, which instructions that read them from memory repeat
	streams     bool // VStream writes past the caches

	registers           [numClasses]uint32 // those that are given out
	functionVectors     uint32             // those of functions; the others are the callers'
	args, scratch, link Reg                // the block of arguments; scratch memory; where functions return to
	generalTemps        [3]Reg             // for spilled operands
	maskTemps           [2]Reg

	room           int // vectors that copies side by side may occupy
	functionCopies int // copies of what calls functions
	sumCopies      int // least copies of sums in any order
}

// A target writes the operations of the scalar IR for the present lanes, and what goes to memory.
type target interface {
	// Numbers.
	floatOp(op scalar.Op, x, y, z value) value
	intOp(op scalar.Op, x, y value) value
	shiftConst(op scalar.Op, x value, n uint64) value
	convert(t scalar.Type, x value) value
	truncate(t scalar.Type, x value) value
	widenHalf(x value) value
	narrowHalf(x value) value
	rounded(x value) value
	scale(x, n value) value
	lookup(table ir.Table, x value) value
	extreme(x, y value, least bool) value
	rotates(t scalar.Type, n int64) bool
	rotate(x value, n int64) value

	// Bools.
	boolConst(x bool) value
	boolLike(x, like value) value
	boolToInt(t scalar.Type, x value) value
	compare(op scalar.Op, x, y value) value
	unordered(x, y value) value
	logic(op scalar.Op, x, y value) value
	not(x value) value
	choose(c, x, y value) value
	branchIfNone(c value, to label)

	// Lanes.
	spread(x value) value
	spreadGeneral(t scalar.Type, x vreg) value
	spreadBool(in vreg) value
	toGeneral(x value) vreg
	upperLanes(x value, from int) vreg
	firstLanes(n vreg, skip, lanes int64) vreg

	// Memory.
	loadScalar(t scalar.Type, p *place) value
	storeScalar(x value, p *place)
	loadSame(t scalar.Type, p *place) value
	loadRun(t scalar.Type, p *place) value
	storeRun(x value, p *place) bool
	gather(t scalar.Type, p *place) value

	// Encoding.
	combineLoads(c *code)
	assembly(e *emitter) assembly
}

// An assembly encodes instructions whose registers are known.
type assembly interface {
	begin(labels int, scratch bool)
	inst(in *minst)
	copyReg(c class, length uint8, d, s Reg)
	loadSlot(c class, length uint8, d Reg, at int32)
	storeSlot(c class, length uint8, s Reg, at int32)
	loadConst(d Reg, v *vinfo)
	bind(l label)
	jump(to label)
	call(to label)
	ret()
	end(streamed bool)
	finish(pool []byte) (code []byte, size int)
}
