package prim

import "github.com/weft-go/weft/core"

// NotP inverts every bit; for booleans it is negation.
type NotP struct {
	unary[logical]
	constant
}

// Not inverts every bit.
func Not(x Value) Value { return core.Apply1(NotP{}, x) }

func (NotP) Name() string { return "not" }

// AndP is the bitwise and.
type AndP struct {
	binary[logical]
	constant
}

// And returns the bitwise and.
func And(x, y Value) Value { return core.Apply2(AndP{}, x, y) }

func (AndP) Name() string { return "and" }

// OrP is the bitwise or.
type OrP struct {
	binary[logical]
	constant
}

// Or returns the bitwise or.
func Or(x, y Value) Value { return core.Apply2(OrP{}, x, y) }

func (OrP) Name() string { return "or" }

// XorP is the bitwise exclusive or.
type XorP struct {
	binary[logical]
	constant
}

// Xor returns the bitwise exclusive or.
func Xor(x, y Value) Value { return core.Apply2(XorP{}, x, y) }

func (XorP) Name() string { return "xor" }

// ShiftLeftP is x·2ʸ modulo 2ⁿ: 0 if y is negative or at least the width n.
type ShiftLeftP struct {
	binary[integers]
	constant
}

// ShiftLeft shifts x by y bits to the left.
func ShiftLeft(x, y Value) Value { return core.Apply2(ShiftLeftP{}, x, y) }

func (ShiftLeftP) Name() string { return "shift_left" }

// ShiftRightArithmeticP shifts to the right and fills with the top bit, for unsigned integers
// too. If y is negative or at least the width, only copies of the top bit remain.
type ShiftRightArithmeticP struct {
	binary[integers]
	constant
}

// ShiftRightArithmetic shifts x by y bits to the right, filling with the top bit.
func ShiftRightArithmetic(x, y Value) Value { return core.Apply2(ShiftRightArithmeticP{}, x, y) }

func (ShiftRightArithmeticP) Name() string { return "shift_right_arithmetic" }

// ShiftRightLogicalP shifts to the right and fills with zeros, signed integers too:
// 0 if y is negative or at least the width.
type ShiftRightLogicalP struct {
	binary[integers]
	constant
}

// ShiftRightLogical shifts x by y bits to the right, filling with zeros.
func ShiftRightLogical(x, y Value) Value { return core.Apply2(ShiftRightLogicalP{}, x, y) }

func (ShiftRightLogicalP) Name() string { return "shift_right_logical" }

// PopulationCountP is the number of bits that are set.
type PopulationCountP struct {
	unary[integers]
	constant
}

// PopulationCount returns the number of bits that are set.
func PopulationCount(x Value) Value { return core.Apply1(PopulationCountP{}, x) }

func (PopulationCountP) Name() string { return "population_count" }

// ClzP is the number of zeros before the highest bit that is set; the width at 0.
type ClzP struct {
	unary[integers]
	constant
}

// Clz returns the number of leading zeros.
func Clz(x Value) Value { return core.Apply1(ClzP{}, x) }

func (ClzP) Name() string { return "clz" }
