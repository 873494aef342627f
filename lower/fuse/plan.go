package fuse

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// A Plan is what an executor runs in place of a program. To run it:
//
//  1. Allocate Arena bytes, aligned to [Align], and one array for each result whose
//     value has the place Result.
//  2. Perform Steps in order. Each reads and writes the values that it names.
//  3. Return Outs.
//
// A plan contains no pointers to memory and is used by many calls at once.
type Plan struct {
	Program *jaxpr.Jaxpr
	Values  []Value // by id
	Consts  []int   // ids of the program's constants
	Ins     []int   // ids of its inputs
	Outs    []int   // ids of its results; an id may stand twice, or be an input's or a constant's
	Steps   []Step
	Reuse   []Reuse // by result
	Arena   int     // bytes

	programs int // number of programs: this one and the programs in loops, each counted for every use

	parts map[*jaxpr.Eqn]*jaxpr.Eqn // maps equations that Program lacks to the equations of Program that they are parts of
}

// Source returns the equation of the program that e is a part of: e itself, or the one
// that was translated into e and others.
func (p *Plan) Source(e *jaxpr.Eqn) *jaxpr.Eqn {
	if s, ok := p.parts[e]; ok {
		return s
	}
	return e
}

// Align is the alignment, in bytes, of the arena and of each value in it.
const Align = 64

// Place tells where a value lies.
type Place uint8

// The places of values.
const (
	Unused  Place = iota // nowhere: only kernels' registers contain it
	Input                // input Index of the program
	Const                // constant Index of the program
	Result               // memory of result Index of the program, which the executor allocates
	Literal              // Lit, which has rank 0; a step or the caller reads it
	Arena                // byte Offset of the arena
	Tile                 // memory for one tile of the *RowTiles that makes and reads it: entry Index of its Local
)

// Value is an array that steps read or write: row-major and dense, as package reference
// stores tensors.
type Value struct {
	Type   core.ShapedArray
	Place  Place
	Index  int          // Input, Const, Result, Tile
	Offset int          // Arena
	Lit    core.Literal // Literal
}

// Bytes returns the size of the value in memory.
func (v *Value) Bytes() int { return v.Type.Size() * v.Type.DType.Size() }

// Fallbacks returns the equations that have no kernels, those in loops included.
func (p *Plan) Fallbacks() []*Call {
	var cs []*Call
	for _, s := range p.Steps {
		if c, ok := s.(*Call); ok {
			cs = append(cs, c)
		}
		for _, q := range s.Inner() {
			cs = append(cs, q.Fallbacks()...)
		}
	}
	return cs
}

// Kernels returns the kernels in the order of their launches, those in loops included.
func (p *Plan) Kernels() []*ir.Kernel {
	var ks []*ir.Kernel
	for _, s := range p.Steps {
		ks = append(ks, s.Kernels()...)
	}
	return ks
}

// MayFail returns the number of steps up to the last one that may fail or be cancelled.
func (p *Plan) MayFail() int {
	for i := len(p.Steps) - 1; i >= 0; i-- {
		if p.Steps[i].MayFail() {
			return i + 1
		}
	}
	return 0
}

// String returns the plan as text.
func (p *Plan) String() string { return p.Text(func(c *Call) string { return c.Reason }) }

// Text returns the plan as text. reason returns the text for an equation without a kernel.
func (p *Plan) Text(reason func(c *Call) string) string {
	var b strings.Builder
	w := planWriter{Builder: &b, reason: reason}
	w.plan(p)
	return b.String()
}

func (p *Plan) names(ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteByte(' ')
		b.WriteString(p.name(id))
	}
	return b.String()
}

func (p *Plan) name(id int) string {
	if id < 0 {
		return "_"
	}
	v := &p.Values[id]
	s := v.Type.String()
	switch v.Place {
	case Input:
		return fmt.Sprintf("%s@in%d", s, v.Index)
	case Const:
		return fmt.Sprintf("%s@const%d", s, v.Index)
	case Result:
		return fmt.Sprintf("%s@out%d", s, v.Index)
	case Literal:
		return v.Lit.String()
	case Arena:
		return fmt.Sprintf("%s@%d", s, v.Offset)
	case Tile:
		return fmt.Sprintf("%s@tile%d", s, v.Index)
	}
	return s
}
