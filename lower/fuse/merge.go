package fuse

import (
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
)

// Bounds of the steps that become one launch.
const (
	mergedOps    = 1 << 14 // operations of a step
	mergedCopy   = 512     // numbers of an array that an update changes: it is copied
	mergedValues = 1 << 12 // values of the kernel
	mergedArrays = 128     // operands and results of the steps: each pair is checked for whether one overwrites the other
)

// mergeSmall makes one launch of neighbouring steps on small arrays, where more time would pass between the steps
// than in them.
func (p *planner) mergeSmall() {
	var out, run []Step
	var ops, values, arrays int64
	end := func() {
		if len(run) > 1 {
			run = []Step{p.merged(run, len(out))}
		}
		out = append(out, run...)
		run, ops, values, arrays = nil, 0, 0, 0
	}
	for _, s := range p.plan.Steps {
		if u, ok := s.(*Update); !canSplice(s) || ok && numbers(p.plan.Values[u.Out].Type) > mergedCopy {
			end()
			out = append(out, s)
			continue
		}
		n, m, a := p.plan.opsOf(s), int64(0), int64(len(s.Reads())+len(s.Writes()))
		for _, k := range s.Kernels() {
			m += int64(len(k.Types))
		}
		if n > mergedOps || ops+n > wholeOps || values+m > mergedValues || arrays+a > mergedArrays {
			end()
		}
		run = append(run, s)
		ops, values, arrays = ops+n, values+m, arrays+a
		if n > mergedOps {
			end()
		}
	}
	end()
	p.plan.Steps = out
}

// merged returns the launch that performs some steps. number names its kernel.
func (p *planner) merged(steps []Step, number int) *Launch {
	s := &registerWriter{p: p, u: newUnroller(ir.NewBuilder("k" + itoa(number) + "_steps"))}
	of := map[int]memory{} // by value that has memory of its own
	w := &splicer{registerWriter: s, q: p.plan, own: func(id int) memory {
		for {
			r, ok := p.aliasOf[id]
			if !ok {
				break
			}
			id = r
		}
		m, ok := of[id]
		if !ok {
			m.buffer = s.buffer(id, ir.InOut)
			of[id] = m
		}
		return m
	}}
	l := &Launch{}
	for _, st := range steps {
		w.step(st)
		l.Eqns = append(l.Eqns, equations(st)...)
	}
	l.Kernel = s.u.b.Finish()
	l.Buffers = irpass.Compact(l.Kernel, s.buffers)
	if len(l.Eqns) > 0 {
		l.Eqn = l.Eqns[0]
	}
	return l
}

// equations returns the equations that a step performs, if it is of a kind that merged launches contain.
func equations(s Step) []*jaxpr.Eqn {
	switch s := s.(type) {
	case *Launch:
		return s.Eqns
	case *Update:
		return []*jaxpr.Eqn{s.Eqn}
	case *Product:
		return []*jaxpr.Eqn{s.Eqn}
	case *RegisterLoop:
		return []*jaxpr.Eqn{s.Eqn}
	case *Loop:
		return []*jaxpr.Eqn{s.Eqn}
	}
	return nil
}
