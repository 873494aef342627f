package fuse

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
)

// A Step is one action of an executor that runs a plan. A kind of step is a type with these
// methods, and a case in each executor that can run such steps.
type Step interface {
	// Reads returns the values whose elements the step needs, and Writes the values that it makes;
	// −1 stands for no value.
	Reads() []int
	Writes() []int

	// Kernels returns the kernels that the step launches, those of inner plans included.
	Kernels() []*ir.Kernel

	// Inner returns the plans that run within the step.
	Inner() []*Plan

	// MayFail reports whether the step may fail or be cancelled.
	MayFail() bool

	// reusing returns the values of Writes that may lie in the memory of an operand.
	reusing() []int

	// overwrites returns the operand in whose memory written value out may lie, −1 if there is
	// none. candidate reports whether a root value qualifies.
	overwrites(u *memoryUse, out int, candidate func(root int) bool) int

	// launches returns the step itself if it is a launch, and the launches among the steps of a
	// RowTiles.
	launches() []*Launch

	// mayRunBefore reports whether the step may run before steps whose results it does not
	// read.
	mayRunBefore() bool

	// joins returns how the step runs on the tiles of b, and notes in b what it makes. ok is false if it does not fit.
	joins(b *tiler) (part RowTilePart, ok bool)

	// write writes the step as text.
	write(w *planWriter)
}

type step struct{}

func (step) Kernels() []*ir.Kernel                          { return nil }
func (step) Inner() []*Plan                                 { return nil }
func (step) MayFail() bool                                  { return false }
func (step) reusing() []int                                 { return nil }
func (step) overwrites(*memoryUse, int, func(int) bool) int { return -1 }
func (step) launches() []*Launch                            { return nil }
func (step) mayRunBefore() bool                             { return false }
func (step) joins(*tiler) (part RowTilePart, ok bool)       { return part, false }

func touches(s Step, f func(id int)) {
	for _, ids := range [2][]int{s.Reads(), s.Writes()} {
		for _, id := range ids {
			if id >= 0 {
				f(id)
			}
		}
	}
}

// without returns the values, of ids, whose buffers do not have the given role.
func without(role ir.Role, k *ir.Kernel, ids []int) []int {
	var out []int
	for i, id := range ids {
		if k.Buffers[i].Role != role {
			out = append(out, id)
		}
	}
	return out
}

type planWriter struct {
	*strings.Builder
	p      *Plan
	indent string
	reason func(c *Call) string // of an equation without a kernel
}

func (w *planWriter) line(format string, args ...any) {
	w.WriteString(w.indent)
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (w *planWriter) plan(p *Plan) {
	in := *w
	in.p = p
	all, reused := p.ResultBytes()
	in.line("plan: %s, arena of %d bytes, results of %d bytes, %d of them in inputs where those are donated: %d bytes over the arguments", core.Count(len(p.Steps), "step"), p.Arena, all, reused, p.Arena+all-reused)
	in.indent += "  "
	in.steps(p.Steps)
	in.line("results%s", p.names(p.Outs))
}

// Line returns the first line of a step's text.
func (p *Plan) Line(s Step) string {
	var b strings.Builder
	s.write(&planWriter{Builder: &b, p: p, reason: func(c *Call) string { return c.Reason }})
	line, _, _ := strings.Cut(b.String(), "\n")
	return line
}

func (w *planWriter) steps(steps []Step) {
	for _, s := range steps {
		s.write(w)
	}
}

// within returns a writer that indents its lines as parts of a step.
func (w *planWriter) within() *planWriter {
	in := *w
	in.indent += "  "
	return &in
}

func (w *planWriter) kernel(head string, k *ir.Kernel, ids []int) {
	var b strings.Builder
	for i, id := range ids {
		fmt.Fprintf(&b, " %v=%s", k.Buffers[i].Role, w.p.name(id))
	}
	w.line("%s %s%s", head, k.Name, b.String())
}

func (w *planWriter) list(ids []int) string { return strings.TrimSpace(w.p.names(ids)) }
