package runtime

import (
	"context"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Reference is the executor that evaluates programs operation by operation.
var Reference Executor = referenceExecutor{}

type referenceExecutor struct{}

func (referenceExecutor) Name() string { return "reference" }

// Available returns nil: pure Go runs everywhere.
func (referenceExecutor) Available() error { return nil }

func (referenceExecutor) Memory() Memory { return Host }

func (referenceExecutor) Compile(r *Request) (x Executable, err error) {
	err = core.Catch(func() { x = programOf(r.Jaxpr) })
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Leaf returns nil: eager operations are the reference executor's own.
func (referenceExecutor) Leaf(core.Primitive, []core.ShapedArray, []core.ShapedArray) Leaf {
	return nil
}

func (referenceExecutor) Place(ctx context.Context, a *Array) (*Array, error) { return a.onHost(ctx) }

// Run runs the program on arguments in any memory.
func (p *program) Run(ctx context.Context, args, outs []*Array) error {
	err := core.Catch(func() {
		p.checkCounts(args, outs)
		checkArgs("", p.jaxpr, args)
		checkOuts("", p.types, outs)
	})
	if err != nil {
		return err
	}
	in, err := allOnHost(ctx, args)
	if err != nil {
		return err
	}
	return core.Catch(func() { p.runInto(ctx, in, outs) })
}

// runInto runs the program on arguments in host memory. It panics where Run returns an
// error.
func (p *program) runInto(ctx context.Context, args, outs []*Array) {
	p.runTaking(ctx, args, outs, nil)
}

func (p *program) checkCounts(args, outs []*Array) {
	if n := len(p.ins) - len(p.consts); len(args) != n || len(outs) != len(p.outs) {
		core.Failf(core.ErrCheck, "the program takes %s and has %s (got %d and %d); pass one array for each", core.Count(n, "argument"), core.Count(len(p.outs), "result"), len(args), len(outs))
	}
}

// runTaking is runInto, but may overwrite and return the arguments in t.
func (p *program) runTaking(ctx context.Context, args, outs []*Array, t *taken) {
	p.checkCounts(args, outs)
	held := holdConsts(p.jaxpr)
	if len(held) > 0 {
		defer dropAll(held)
	}
	x := newRun(ctx, p.jaxpr)
	x.taken = t
	if !slices.ContainsFunc(outs, func(a *Array) bool { return a != nil }) {
		var own []bool
		if t != nil {
			own = marksFrom(0, len(args)) // the arguments that are not donated are not counted
		}
		p.callGiving(x, args, outs, own)
		retype(outs, p.types)
		x.end(outs)
		return
	}
	results := make([]*Array, len(outs))
	p.call(x, args, results)
	x.hand(results, outs)
}

// hand ends a run like end and stores the results in outs. Where outs already has an array, the
// elements are copied into it.
func (x *run) hand(results, outs []*Array) {
	for i, a := range results {
		if dst := outs[i]; dst != nil {
			if !dst.t.SameType(a.t.ShapedArray) || len(dst.t.Data) != len(a.t.Data) {
				core.Failf(core.ErrCheck, "the memory for result %d does not fit (got %v, want %v); pass memory of the result's type", i, dst.t.ShapedArray.Full(), a.t.ShapedArray.Full())
			}
			copy(dst.t.Data, a.t.Data)
			x.release(a)
			results[i] = dst
		}
	}
	x.end(results)
	copy(outs, results)
}

// Account counts the operations of the program and of those within it, and the bytes of their
// constants and of what their slots hold.
func (p *program) Account() Account {
	var a Account
	p.account(&a, map[*program]bool{})
	return a
}

func (p *program) account(a *Account, seen map[*program]bool) {
	if seen[p] {
		return
	}
	seen[p] = true
	for _, c := range p.consts {
		a.ConstantBytes += len(c.t.Data)
	}
	largest := make([]int, p.slots)
	for i := range p.steps {
		s := &p.steps[i]
		for k, slot := range s.out {
			if slot >= 0 {
				t := s.eqn.Outs[k].Type
				largest[slot] = max(largest[slot], t.Size()*t.DType.Size())
			}
		}
		within := programsOf(s.act)
		if len(within) == 0 {
			a.Kernels++
		}
		for _, q := range within {
			q.account(a, seen)
		}
	}
	for _, n := range largest {
		a.ArenaBytes += n
	}
}

// programsOf returns the programs that an action runs here: not those that another executor, or a
// kernel, runs.
func programsOf(act action) []*program {
	switch act := act.(type) {
	case *call:
		return []*program{act.prog}
	case *expansion:
		return []*program{act.prog}
	case *cond:
		return act.branches
	case *while:
		return []*program{act.cond, act.body}
	case *scan:
		return []*program{act.body}
	}
	return nil
}

// Step prepares one equation of the program for the reference executor: host calls, prints, and
// whatever an executor has no code for.
func (r *Request) Step(e *jaxpr.Eqn) (s Step, err error) {
	err = core.Catch(func() {
		if e == nil || e.Prim == nil {
			core.Failf(core.ErrCheck, "the equation is nil or has no operation; pass one of the program")
		}
		st := &eqnStep{top: r.Jaxpr, eqn: e, act: eqnAction(e)}
		for _, v := range e.Outs {
			st.types = append(st.types, v.Type)
		}
		s = st
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

type eqnStep struct {
	top *jaxpr.Jaxpr
	eqn *jaxpr.Eqn
	act action

	types []core.ShapedArray // of the results
}

func (s *eqnStep) Run(ctx context.Context, in, outs []*Array) error {
	if err := core.Catch(func() { s.check(in, outs) }); err != nil {
		return err
	}
	args, err := allOnHost(ctx, in)
	if err != nil {
		return err
	}
	return core.Catch(func() {
		x := newRun(ctx, s.top)
		x.ask()
		if l, ok := s.act.(*leaf); ok && !slices.Contains(outs, nil) { // no copy
			l.into(x, args, outs)
			x.end(nil)
			return
		}
		results := make([]*Array, len(outs))
		s.act.run(x, args, results)
		x.hand(results, outs)
	})
}

// check refuses operands, and memory for results, that are not of the equation's types:
// kernels do not check them.
func (s *eqnStep) check(in, outs []*Array) {
	e := s.eqn
	if len(in) != len(e.Ins) || len(outs) != len(e.Outs) {
		core.FailOp(core.ErrCheck, e.Prim.Name(), core.AvalsOf(e.Ins), "takes %s and has %s (got %d and %d); pass one array for each",
			core.Count(len(e.Ins), "operand"), core.Count(len(e.Outs), "result"), len(in), len(outs))
	}
	for i, a := range in {
		if why := ill(a, e.Ins[i].Aval()); why != "" {
			core.FailOp(core.ErrCheck, e.Prim.Name(), core.AvalsOf(e.Ins), "operand %d %s; pass an array of the operand's type", i, why)
		}
	}
	checkOuts(e.Prim.Name(), s.types, outs)
}
