package runtime

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/trace"
)

// action is a primitive made ready to run on arrays of certain types. The operands'
// slice is the caller's; the arrays in it may be kept.
type action interface {
	run(x *run, in []*Array) []*Array
}

// actionOf finds how p is run: by a kernel, as a program of programs, or by its
// expansion.
func actionOf(p core.Primitive, avals, types []core.ShapedArray) action {
	switch p := p.(type) {
	case *jaxpr.Jit:
		return &call{prog: programOf(p.Jaxpr)}
	case *jaxpr.CoreCall:
		return &call{prog: programOf(p.Jaxpr)}
	case *jaxpr.Remat:
		return &call{prog: programOf(p.Jaxpr)}
	case *jaxpr.CustomJVP:
		return &call{prog: recorded(p.Jaxpr)}
	case *jaxpr.CustomVJP:
		return &call{prog: recorded(p.Jaxpr)}
	case *jaxpr.CustomVmap:
		return &call{prog: recorded(p.Jaxpr)}
	case *jaxpr.LinearCall:
		return &call{prog: programOf(p.Jaxpr)}
	case *jaxpr.LinearSolve:
		lo := p.MatvecConsts + p.VecmatConsts
		n := lo + p.SolveConsts + p.TransposeSolveConsts
		return &call{prog: programOf(p.Solve), drop: [][2]int{{0, lo}, {lo + p.SolveConsts, n}}}
	case *jaxpr.CustomLin:
		core.FailOp(core.ErrNoRule, p.Name(), avals, "the derivative of a function with a reverse rule of the user's (CustomVJP) "+
			"cannot be run forward; give it a forward rule (CustomJVP), or differentiate it in reverse")
	case *jaxpr.Cond:
		return newCond(p)
	case *jaxpr.While:
		return newWhile(p)
	case *jaxpr.Scan:
		return newScan(p, types)
	}
	if f, ok := kernel.LookupProgram(p); ok {
		return &withProgram{p, f, types}
	}
	if f, ok := kernel.Lookup(p); ok {
		return &leaf{p, f, types}
	}
	if h, ok := p.(host); ok {
		return &hostCall{h, types}
	}
	if d, ok := p.(prim.DebugPrintP); ok {
		return debugPrint{d}
	}
	if e, ok := p.(core.Expander); ok {
		j := core.Suspended(func() *jaxpr.Jaxpr { return trace.Stage(p.Name(), avals, e.Expand) })
		return &call{prog: programOf(j)}
	}
	if names := core.AxisNamesOf(p); len(names) > 0 {
		core.FailOp(core.ErrAxis, p.Name(), avals, "no Vmap around it binds the axis %q", names[0])
	}
	core.FailOp(core.ErrNoRule, p.Name(), avals, "the reference executor has no kernel for it, and it has no expansion")
	return nil
}

func recorded(j *jaxpr.Jaxpr) *program {
	if j == nil {
		panic("BUG: a custom call within a program was not recorded")
	}
	return programOf(j)
}

// leaf runs a kernel.
type leaf struct {
	p     core.Primitive
	f     kernel.Func
	types []core.ShapedArray
}

func (l *leaf) run(x *run, in []*Array) []*Array {
	s := scratches.Get().(*scratch)
	ins, outs := s.in[:0], s.out[:0]
	for _, a := range in {
		ins = append(ins, &a.t)
	}
	arrays := make([]*Array, len(l.types))
	for i, t := range l.types {
		arrays[i] = New(t)
		outs = append(outs, &arrays[i].t)
	}
	l.f(l.p, ins, outs)
	s.in, s.out = [4]*kernel.Tensor{}, [4]*kernel.Tensor{}
	scratches.Put(s)
	return arrays
}

// call runs a program on the operands, some of them left out.
type call struct {
	prog *program
	drop [][2]int // ranges of operands that the program does not take
}

func (c *call) run(x *run, in []*Array) []*Array {
	if c.drop != nil {
		var kept []*Array
		at := 0
		for _, d := range c.drop {
			kept = append(kept, in[at:d[0]]...)
			at = d[1]
		}
		in = append(kept, in[at:]...)
	}
	return c.prog.call(x, make([]*Array, c.prog.slots), in)
}

// cond runs one of its branches: the first operand says which, clamped.
type cond struct{ branches []*program }

func newCond(p *jaxpr.Cond) *cond {
	c := &cond{}
	for _, b := range p.Branches {
		c.branches = append(c.branches, programOf(b))
	}
	return c
}

func (c *cond) run(x *run, in []*Array) []*Array {
	n, _ := in[0].Scalar()
	b := c.branches[min(max(n.Int64(), 0), int64(len(c.branches)-1))]
	return b.call(x, make([]*Array, b.slots), in[1:])
}

// while repeats its body as long as the condition holds.
type while struct {
	cond, body             *program
	condConsts, bodyConsts int
}

func newWhile(p *jaxpr.While) *while {
	return &while{programOf(p.Cond), programOf(p.Body), p.CondConsts, p.BodyConsts}
}

func (w *while) run(x *run, in []*Array) []*Array {
	cc, bc := w.condConsts, w.condConsts+w.bodyConsts
	condArgs := slices.Concat(in[:cc], in[bc:])
	bodyArgs := slices.Clone(in[cc:])
	condFrame, bodyFrame := make([]*Array, w.cond.slots), make([]*Array, w.body.slots)
	carry := bodyArgs[bc-cc:]
	for {
		x.ask()
		copy(condArgs[cc:], carry)
		running := w.cond.call(x, condFrame, condArgs)[0].t.Data // one truth value a lane
		if !slices.Contains(running, 1) {
			return carry
		}
		next := w.body.call(x, bodyFrame, bodyArgs)
		if slices.Contains(running, 0) {
			for i := range carry {
				carry[i] = keepLanes(running, carry[i], next[i])
			}
			continue
		}
		copy(carry, next)
	}
}

// keepLanes is next where a lane is running and old where it is not. The lanes lead
// the shape.
func keepLanes(running []byte, old, next *Array) *Array {
	out := New(next.t.ShapedArray)
	w := len(out.t.Data) / len(running)
	for i, r := range running {
		from := old
		if r != 0 {
			from = next
		}
		copy(out.t.Data[i*w:(i+1)*w], from.t.Data[i*w:])
	}
	return out
}
