package jaxpr

import (
	"github.com/weft-go/weft/core"
)

// Reading goes in two steps: syntax first, into the types of this file, then meaning (parse.go),
// because a shared program may be used above its definition.

type rawText struct {
	defs []rawDef
	main *rawProgram
	src  string // from the first definition to the last brace
}

type rawDef struct {
	name string
	pos  int
	prog *rawProgram
}

type rawProgram struct {
	pos         int
	consts, ins []rawBinder
	eqns        []rawEqn
	outs        []rawAtom
}

type rawBinder struct {
	name string
	typ  core.ShapedArray
	pos  int
}

// rawAtom is a variable, or a number with a type.
type rawAtom struct {
	word    string
	pos     int
	literal bool
	typ     core.ShapedArray
}

type rawEqn struct {
	pos    int
	outs   []rawBinder
	prim   string
	params []rawParam
	ins    []rawAtom
	ref    *rawRef
}

// rawRef is the right-hand side of an equation on a reference.
type rawRef struct {
	op    string
	ref   rawAtom
	index string
	value *rawAtom
}

type rawParam struct {
	key, text string
	pos       int
	elems     []rawElem // of a program or a tuple of programs
	tuple     bool
	texts     []*rawText // of a value with programs in it, as custom_linear_solve has
	around    []string   // the texts before, between and behind them
}

// rawElem is a program or the name of a shared one.
type rawElem struct {
	prog *rawProgram
	name string
}
