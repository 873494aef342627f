package runtime

import (
	"context"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Call runs the program of p on arrays and literals. It runs on p.Device or, if that is "", on the
// executor that [ExecutorOf] chooses. Donated operands are dead after a call
// that succeeds. ctx is checked between operations and on every iteration of a loop.
func Call(ctx context.Context, p *jaxpr.Jit, in []core.Value) []core.Value {
	arrays := make([]*Array, len(in))
	for i, v := range in {
		arrays[i] = concrete(p, v)
	}
	return typed(runJit(ctx, p, arrays), p.Jaxpr.OutAvals())
}

// runJit runs a program on arrays. If results are searched for NaNs or infinities, the reference
// executor runs it, because it has all intermediate results.
func runJit(ctx context.Context, p *jaxpr.Jit, args []*Array) []*Array {
	s := Current()
	e := currentExecutor(s)
	if p.Device == "" {
		e = executorOf(e, p.Fn, args, placedIn(p.Jaxpr))
	} else {
		d := e
		if p.Device != e.Name() {
			d = mustSelect(p.Fn, p.Device)
		}
		requireAt(d, p.Fn, p.Jaxpr.InAvals(), args, placedIn(p.Jaxpr))
		e = d
	}
	holdArgs(p.Fn, args)
	defer dropAll(args)
	if len(p.Donated) == 0 {
		return runOn(ctx, s, e, p, args)
	}
	return runDonating(ctx, s, e, p, args)
}

// runOn runs a program on arguments that the caller holds.
func runOn(ctx context.Context, s *Settings, e Executor, p *jaxpr.Jit, args []*Array) []*Array {
	if s.Watch == 0 {
		return compiledFor(e, p.Jaxpr, nil, s, p.Fn).run(ctx, args)
	}
	outs := asWritten(p.Jaxpr, p.Fn).run(ctx, args)
	if e.Memory() == Host {
		return outs
	}
	return placeAll(ctx, e, p.Fn, outs)
}

// runDonating is runOn for a program that may take the memory of donated arguments. If the run
// fails they stay alive, unless an executor may have overwritten them and its results are
// refused.
func runDonating(ctx context.Context, s *Settings, e Executor, p *jaxpr.Jit, args []*Array) []*Array {
	d := donate(p.Donated, args)
	failed := d.undo
	defer func() {
		if failed != nil {
			failed()
		}
	}()
	outs, lost := d.run(ctx, s, e, p, args)
	if lost {
		failed = d.lose
		checkResults(e, p.Fn, p.Jaxpr.OutAvals(), outs)
	}
	d.separate(p, args, outs)
	failed = nil
	d.commit(outs, p.Jaxpr.OutAvals())
	return outs
}
