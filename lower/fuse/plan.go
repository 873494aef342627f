package fuse

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// A Plan is what an executor runs in the place of a program. To run it:
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

	programs int // this one and those in loops, each as often as it is used

	parts map[*jaxpr.Eqn]*jaxpr.Eqn // equations that Program lacks, by the one that they are parts of
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

// Place states where a value lies.
type Place uint8

// The places of values.
const (
	Unused  Place = iota // nowhere: only kernels' registers contain it
	Input                // input Index of the program
	Const                // constant Index of the program
	Result               // memory of result Index of the program, which the executor allocates
	Literal              // Lit, which has rank 0; a fallback or the caller reads it
	Arena                // byte Offset of the arena
	Band                 // memory for one band of the *Bands that makes and reads it: entry Index of its Local
)

// Value is an array that steps read or write: row-major and dense, as package reference
// stores tensors.
type Value struct {
	Type   core.ShapedArray
	Place  Place
	Index  int          // Input, Const, Result, Band
	Offset int          // Arena
	Lit    core.Literal // Literal
}

// Bytes returns the size of the value in memory.
func (v *Value) Bytes() int { return v.Type.Size() * v.Type.DType.Size() }

// Step is a *Launch, *Spin, *Call, *Product, *Conv, *Turn, *Attention, *Update, *Sort, *Bands or *Loop.
type Step interface{ isStep() }

// Launch runs a kernel. Its buffers are the given values. An output buffer may be the
// memory of an input buffer: then the kernel reads an element before it writes it.
type Launch struct {
	Kernel  *ir.Kernel
	Buffers []int        // ids of values, by buffer of the kernel; −1: scratch that the executor provides
	Eqn     *jaxpr.Eqn   // one that the kernel computes, for messages; nil: none
	Eqns    []*jaxpr.Eqn // all that it computes, or computes a part of
}

// Spin runs a loop whose arrays are in registers while a launch lasts. Before the first
// launch, Copies are made and the values of Zero are filled with zeros. The kernel is
// launched until the first byte of More is 0; a launch takes about 100 µs at most, so
// that a call can be cancelled between launches.
type Spin struct {
	Kernel  *ir.Kernel
	Buffers []int    // ids of values, by buffer of the kernel
	Copies  [][2]int // destination and source, of one size
	Zero    []int
	More    int
	// Launches is the number of launches, where the loop's length is known; else 0.
	Launches int
	Eqn      *jaxpr.Eqn // the loop, for messages
}

// Call runs an equation on the reference executor.
type Call struct {
	Eqn    *jaxpr.Eqn
	In     []int
	Out    []int // −1: nothing reads the result
	Reason string
}

// LoopKind distinguishes Loop's forms.
type LoopKind uint8

// The kinds of loops and branches.
const (
	WhileLoop LoopKind = iota // Plans: condition, body
	ScanLoop                  // Plans: body
	CondCall                  // Plans: branches
)

// Loop runs plans within the plan as the equation states: a while, a scan or a cond. In
// and Out are the operands and results of the equation. Equation and plans take their
// operands in the order of package jaxpr: constants of the condition, constants of the
// body, carries; constants, carries, slices of the scanned operands; the index, then
// the operands of the branch.
type Loop struct {
	Kind  LoopKind
	Eqn   *jaxpr.Eqn
	Plans []*Plan
	In    []int
	Out   []int // −1: nothing reads the result
}

func (*Launch) isStep() {}
func (*Spin) isStep()   {}
func (*Call) isStep()   {}
func (*Loop) isStep()   {}

// Fallbacks returns the equations that the reference executor runs, those in loops
// included.
func (p *Plan) Fallbacks() []*Call {
	var cs []*Call
	for _, s := range p.Steps {
		switch s := s.(type) {
		case *Call:
			cs = append(cs, s)
		case *Loop:
			for _, q := range s.Plans {
				cs = append(cs, q.Fallbacks()...)
			}
		}
	}
	return cs
}

// Kernels returns the kernels in the order of their launches, those in loops included.
func (p *Plan) Kernels() []*ir.Kernel {
	var ks []*ir.Kernel
	eachStep(p.Steps, func(s Step) {
		switch s := s.(type) {
		case *Launch:
			ks = append(ks, s.Kernel)
		case *Spin:
			ks = append(ks, s.Kernel)
		case *Update:
			ks = append(ks, s.Kernel)
		case *Loop:
			for _, q := range s.Plans {
				ks = append(ks, q.Kernels()...)
			}
		}
	})
	return ks
}

// String returns the plan as text: a line for each step.
func (p *Plan) String() string { return p.Text(func(c *Call) string { return c.Reason }) }

// Text returns the plan as text, with what reason returns of each equation without a kernel.
func (p *Plan) Text(reason func(c *Call) string) string {
	var b strings.Builder
	p.write(&b, "", reason)
	return b.String()
}

func (p *Plan) write(b *strings.Builder, indent string, reason func(c *Call) string) {
	all, reused := p.ResultBytes()
	fmt.Fprintf(b, "%splan: %s, arena of %d bytes, results of %d bytes, %d of them in inputs where those are donated: %d bytes over the arguments\n", indent, core.Count(len(p.Steps), "step"), p.Arena, all, reused, p.Arena+all-reused)
	p.writeSteps(b, indent, p.Steps, reason)
	fmt.Fprintf(b, "%s  results%s\n", indent, p.names(p.Outs))
}

func (p *Plan) writeSteps(b *strings.Builder, indent string, steps []Step, reason func(c *Call) string) {
	for _, s := range steps {
		switch s := s.(type) {
		case *Bands:
			fmt.Fprintf(b, "%s  bands %v\n", indent, s)
			p.writeSteps(b, indent+"  ", s.Steps, reason)
		case *Launch:
			p.writeKernel(b, indent+"  kernel", s.Kernel, s.Buffers)
		case *Spin:
			for _, c := range s.Copies {
				fmt.Fprintf(b, "%s  copy %s → %s\n", indent, p.name(c[1]), p.name(c[0]))
			}
			p.writeKernel(b, indent+"  spin", s.Kernel, s.Buffers)
		case *Call:
			fmt.Fprintf(b, "%s  call %s%s → %s: %s\n", indent, s.Eqn.Prim.Name(), p.names(s.In), strings.TrimSpace(p.names(s.Out)), reason(s))
		case *Product:
			fmt.Fprintf(b, "%s  product %v %s → %s\n", indent, s, p.names(s.In[:])[1:], p.name(s.Out))
		case *Conv:
			fmt.Fprintf(b, "%s  convolution %v %s → %s\n", indent, s, p.names(s.In[:])[1:], p.name(s.Out))
		case *Turn:
			fmt.Fprintf(b, "%s  transpose %v %s → %s\n", indent, s, p.name(s.In), p.name(s.Out))
		case *Attention:
			fmt.Fprintf(b, "%s  attention %v%s → %s\n", indent, s, p.names(s.In), p.name(s.Out))
		case *Update:
			fmt.Fprintf(b, "%s  update %s%s → %s\n", indent, s.Eqn.Prim.Name(), p.names(s.Args), p.name(s.Out))
		case *Sort:
			fmt.Fprintf(b, "%s  %v%s → %s\n", indent, s, p.names(s.In), strings.TrimSpace(p.names(s.Out)))
		case *Loop:
			fmt.Fprintf(b, "%s  loop %s%s → %s\n", indent, s.Eqn.Prim.Name(), p.names(s.In), strings.TrimSpace(p.names(s.Out)))
			for _, q := range s.Plans {
				q.write(b, indent+"    ", reason)
			}
		}
	}
}

func (p *Plan) writeKernel(b *strings.Builder, head string, k *ir.Kernel, ids []int) {
	fmt.Fprintf(b, "%s %s", head, k.Name)
	for i, id := range ids {
		fmt.Fprintf(b, " %v=%s", k.Buffers[i].Role, p.name(id))
	}
	b.WriteByte('\n')
}

func (p *Plan) names(ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteByte(' ')
		b.WriteString(p.name(id))
	}
	return b.String()
}

// name returns a value's type and place.
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
	case Band:
		return fmt.Sprintf("%s@band%d", s, v.Index)
	}
	return s
}
