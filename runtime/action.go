package runtime

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/trace"
)

// action is a primitive made ready to run on arrays of certain types. It puts its
// results, counted for the caller, into out. Both lists are the caller's.
type action interface {
	run(x *run, in, out []*Array)
}

// A taker is an action that may take over operands: it writes over them, releases them or
// returns them, and nothing else reads them. `own` marks those operands.
type taker interface {
	action
	taking(x *run, in, out []*Array, own []bool)
}

// actionOf finds how p is run: by a kernel, by the programs in it, on another executor, by a
// Go function, or by its expansion.
func actionOf(p core.Primitive, avals, types []core.ShapedArray) action {
	switch p := p.(type) {
	case *jaxpr.Jit:
		if p.Device != "" && p.Device != Reference.Name() {
			return &deviceCall{p}
		}
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
		var keep []int
		for i := range avals {
			if i >= lo && i < lo+p.SolveConsts || i >= n {
				keep = append(keep, i)
			}
		}
		return &call{prog: programOf(p.Solve), keep: keep}
	case *jaxpr.CustomLin:
		core.FailOp(core.ErrNoRule, "Linearize", avals, "a function with a reverse rule alone (custom.VJP, rule %s) has no derivative to run forward; give it a forward rule (custom.JVP), or take Grad or VJP of it", p.BwdName)
	case *jaxpr.Cond:
		c := &cond{}
		for _, b := range p.Branches {
			c.branches = append(c.branches, programOf(b))
		}
		return c
	case *jaxpr.While:
		return &while{cond: programOf(p.Cond), body: programOf(p.Body), condConsts: p.CondConsts, bodyConsts: p.BodyConsts,
			carries: marksFrom(p.BodyConsts, len(p.Body.Ins))}
	case *jaxpr.Scan:
		return newScan(p, types)
	}
	if f, ok := reference.LookupProgram(p); ok {
		return &withProgram{p: p, f: f, types: types}
	}
	if f, ok := reference.Prepare(p, avals, types); ok {
		stopping, _ := reference.LookupStopping(p)
		return &leaf{p, f, stopping, types}
	}
	if h, ok := p.(host); ok {
		return &hostCall{h, types}
	}
	if d, ok := p.(hostcall.DebugPrintP); ok {
		return debugPrint{d}
	}
	if e, ok := p.(core.Expander); ok {
		j := core.Suspended(func() *jaxpr.Jaxpr { return trace.Stage(p.Name(), avals, e.Expand) })
		return &expansion{programOf(j)}
	}
	for name := range core.AxisNamesOf(p) {
		core.FailOp(core.ErrAxis, p.Name(), avals, "the axis %q is not bound; call this within a Vmap of that name", name)
	}
	core.FailOp(core.ErrNoRule, p.Name(), avals, "the reference executor has no kernel for it, and it has no expansion; declare one")
	return nil
}

func recorded(j *jaxpr.Jaxpr) *program {
	if j == nil {
		core.Failf(core.ErrCheck, "a call with user-defined rules within a program has no program; trace it with the program")
	}
	return programOf(j)
}

type leaf struct {
	p        core.Primitive
	f        reference.Func
	stopping reference.StoppingFunc // f for operations that may take long; else nil
	types    []core.ShapedArray
}

func (l *leaf) run(x *run, in, out []*Array) {
	for i, t := range l.types {
		out[i] = x.alloc(t)
	}
	l.into(x, in, out)
}

// into runs the kernel, which writes the results to the memory of out. A kernel that may take long stops if the
// run's context ends.
func (l *leaf) into(x *run, in, out []*Array) {
	if l.stopping != nil && x.done != nil {
		l.stopping(l.p, tensors(in), tensors(out), x.stopped)
		x.ask()
		return
	}
	l.f(l.p, tensors(in), tensors(out))
}

// call runs a program on the operands, or on some of them.
type call struct {
	prog *program
	keep []int // the operands that the program takes; nil: all
	args lists
}

func (c *call) run(x *run, in, out []*Array) { c.taking(x, in, out, nil) }

func (c *call) taking(x *run, in, out []*Array, own []bool) {
	if c.keep == nil {
		c.prog.callGiving(x, in, out, own)
		return
	}
	args := c.args.get(len(c.keep))
	for i, k := range c.keep {
		(*args)[i] = in[k]
	}
	c.prog.call(x, *args, out)
	c.args.put(args)
	x.releaseOwn(in, own)
}

type deviceCall struct{ p *jaxpr.Jit }

func (d *deviceCall) run(x *run, in, out []*Array) {
	args := make([]*Array, len(in))
	for i, a := range in {
		if a.refs != 0 {
			a = a.clone() // the executor may still be reading when the run uses the memory again
		}
		args[i] = a
	}
	outs := runOn(x.ctx, Current(), mustSelect(d.p.Fn, d.p.Device), d.p, args)
	copy(out, hostArrays(x.ctx, d.p.Fn, outs))
}

// expansion runs the program of an operation without a kernel. Only its results are watched, not
// what it computes within.
type expansion struct{ prog *program }

func (e *expansion) run(x *run, in, out []*Array) {
	watch := x.watch
	x.watch = 0
	e.prog.call(x, in, out)
	x.watch = watch
}

// cond runs the branch whose index is the first operand, clamped to the branches that there are.
type cond struct{ branches []*program }

func (c *cond) run(x *run, in, out []*Array) { c.taking(x, in, out, nil) }

func (c *cond) taking(x *run, in, out []*Array, own []bool) {
	n, _ := in[0].at(0)
	b := c.branches[min(max(n.Int64(), 0), int64(len(c.branches)-1))]
	ofBranch := own
	if own != nil {
		ofBranch = own[1:]
	}
	b.callGiving(x, in[1:], out, ofBranch)
	x.releaseOwn(in[:1], own)
}

// while repeats its body as long as the condition holds. A batched condition has one element for
// each lane: the loop runs until all are false, and a lane whose element is false keeps its carries.
type while struct {
	cond, body             *program
	condConsts, bodyConsts int
	carries                []bool // for each argument of the body, whether it is a carry

	condArgs, bodyArgs, nexts lists
}

func (w *while) run(x *run, in, out []*Array) { w.taking(x, in, out, nil) }

func (w *while) taking(x *run, in, out []*Array, own []bool) {
	cc, bc := w.condConsts, w.condConsts+w.bodyConsts
	n := len(in) - bc
	condList, bodyList, nextList := w.condArgs.get(cc+n), w.bodyArgs.get(len(in)-cc), w.nexts.get(n+1)
	condArgs, bodyArgs, next, pred := *condList, *bodyList, (*nextList)[:n], (*nextList)[n:]
	copy(condArgs, in[:cc])
	copy(bodyArgs, in[cc:])
	carry := bodyArgs[w.bodyConsts:]
	for i, a := range carry {
		if own == nil || !own[bc+i] {
			retain(a)
		}
	}
	var trip int
	if x.watch != 0 {
		defer nameTrip("while", &trip)
	}
	for ; ; trip++ {
		x.ask()
		copy(condArgs[cc:], carry)
		w.cond.call(x, condArgs, pred)
		running := pred[0].t.Data // one truth value a lane
		if !slices.Contains(running, 1) {
			break
		}
		if !slices.Contains(running, 0) {
			w.body.callGiving(x, bodyArgs, next, w.carries)
			copy(carry, next)
			x.release(pred[0])
			continue
		}
		w.body.call(x, bodyArgs, next)
		for i, a := range carry {
			kept := x.keepLanes(running, a, next[i])
			x.release(next[i])
			x.release(a)
			carry[i] = kept
		}
		x.release(pred[0])
	}
	x.release(pred[0])
	copy(out, carry)
	x.releaseOwn(in[:bc], own)
	w.condArgs.put(condList)
	w.bodyArgs.put(bodyList)
	w.nexts.put(nextList)
}

// keepLanes returns next where a lane is running and old where it is not. The axes of the lanes
// come first.
func (x *run) keepLanes(running []byte, old, next *Array) *Array {
	out := x.alloc(next.t.ShapedArray)
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
