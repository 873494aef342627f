package runtime

import (
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A Caller runs the program of a jitted function many times. Once the program is compiled, a call
// by a host executor on arrays in host memory allocates nothing but the results, unless it donates,
// names a device, captured an array that To placed on a device, or is searched for NaNs or infinities.
type Caller struct {
	p     *jaxpr.Jit
	types []core.ShapedArray
	plain bool // neither donates nor names a device nor captured an array that To placed on a device
	last  atomic.Pointer[prepared]
}

// prepared is a program as one executor runs it under certain options.
type prepared struct {
	jaxpr    *jaxpr.Jaxpr
	executor Executor
	options  Options
	compiled *Compiled
}

// NewCaller returns a Caller of p's program.
func NewCaller(p *jaxpr.Jit) *Caller {
	return &Caller{p: p, types: p.Jaxpr.OutAvals(), plain: len(p.Donated) == 0 && p.Device == "" && allReady(placedIn(p.Jaxpr))}
}

// Run runs the program on arguments and puts the results into outs. It panics as the
// evaluation of operations does. Both lists are the caller's.
func (c *Caller) Run(args, outs []*Array) {
	s := Current()
	s.ask()
	e := currentExecutor(s)
	if !c.plain || s.Watch != 0 || e.Memory() != Host || !allReady(args) {
		copy(outs, runJit(s.context(), c.p, args))
	} else {
		n, j := c.last.Load(), c.p.Jaxpr.Anew()
		if n == nil || n.jaxpr != j || n.executor != e || n.options != s.Options {
			n = &prepared{j, e, s.Options, compiledFor(e, j, nil, s, c.p.Fn)}
			c.last.Store(n)
		}
		c.run(s, n.compiled.now(), args, outs)
	}
	for i, a := range outs {
		if a.t.ShapedArray != c.types[i] {
			outs[i] = a.WithType(c.types[i])
		}
	}
}

func (c *Caller) run(s *Settings, k *Compiled, args, outs []*Array) {
	holdArgs(c.p.Fn, args)
	defer dropAll(args)
	k.into(s.context(), args, outs)
	if k.ref == nil {
		checkResults(k.executor, k.label, k.types, outs)
	}
}

// allReady reports whether all arrays are in host memory and ready.
func allReady(as []*Array) bool {
	for _, a := range as {
		if a.Buffer() != nil {
			return false
		}
	}
	return true
}
