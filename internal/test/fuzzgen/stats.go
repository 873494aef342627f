package fuzzgen

import "github.com/weft-go/weft/core"

// Stats describe a program.
type Stats struct {
	Equations int                  // leaf operations and wrappers
	Kinds     map[int]map[Kind]int // wrappers by how many are around them, counted from 1
	DTypes    map[core.DType]bool
	Ranks     map[int]bool
	Ops       map[string]bool
	Closures  bool // some function uses a variable of one around it
	NamedAxes bool // the index of a named axis is used
	Policies  bool
	TwoCalls  bool // a recorded program is called twice
	Stack     int  // the most wrappers around anything
}
