package simt

import "github.com/weft-go/weft/lower/scalar"

// warp is the number of neighbouring threads whose registers a Ballot collects.
const warp = 32

// Ballot assigns to a U32 register the Bool registers of 32 neighbouring threads of a
// group: bit i is that of the thread whose number mod 32 is i. All threads of the group
// reach it, and their number is a multiple of 32. It makes no writes visible.
type Ballot struct{ Dst, Src Reg }

// Add adds to an element of a shared array of I32 or U32. Threads may add to one element
// at once; a barrier separates this from other uses.
type Add struct {
	Array int
	At    Reg
	Value Reg
}

// AddTo adds to an element of a buffer of integers of four or eight bytes. Threads of all groups may add to one element at
// once; nothing else in the kernel uses it.
type AddTo struct {
	Buffer int
	At     Reg
	Value  Reg
}

func (*Ballot) isStmt() {}
func (*Add) isStmt()    {}
func (*AddTo) isStmt()  {}

func (e *emitter) ballot(src Reg) Reg {
	r := e.reg(scalar.U32)
	e.add(&Ballot{r, src})
	return r
}

func (e *emitter) addTo(array int, at, value Reg) { e.add(&Add{array, at, value}) }
