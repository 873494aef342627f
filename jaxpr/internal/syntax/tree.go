// Package syntax reads the text of programs into trees. What the names mean is looked up afterwards,
// because a shared program may be used above its definition.
package syntax

import "github.com/weft-go/weft/core"

// A Text is definitions of shared programs, and a program.
type Text struct {
	Defs []Def
	Main *Program
}

// A Def is the definition of a shared program.
type Def struct {
	Name string
	Pos  int
	Prog *Program
}

// A Program is { lambda Consts ; Ins . let Eqns in (Outs) }.
type Program struct {
	Pos         int
	Consts, Ins []Binder
	Eqns        []Eqn
	Outs        []Atom
}

// A Binder is a variable with its type, where it is bound.
type Binder struct {
	Name string
	Type core.ShapedArray
	Pos  int
}

// An Atom is a variable, or a number with a type.
type Atom struct {
	Word    string
	Pos     int
	Literal bool
	Type    core.ShapedArray
}

// An Eqn is Outs = Prim[Params] Ins, or an operation on a reference.
type Eqn struct {
	Pos    int
	Outs   []Binder
	Prim   string
	Params []Param
	Ins    []Atom
	Ref    *Ref
}

// A Ref is a read or a write of a reference.
type Ref struct {
	Op    string
	Ref   Atom
	Index string
	Value *Atom
}

// A Param is key=value. Values are text, except for programs.
type Param struct {
	Key, Text string
	Pos       int
	Elems     []Elem // of a program or a tuple of programs
	Tuple     bool
	Texts     []*Text  // of a value with programs in it, as custom_linear_solve has
	Around    []string // the texts before, between and after them
}

// An Elem is a program or the name of a shared one.
type Elem struct {
	Prog *Program
	Name string
}
