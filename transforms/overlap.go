package transforms

import (
	"context"
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// halves are an exchange that is started in one place of a program and waited for in another.
type halves struct {
	start func(ctx context.Context, x Value) (wait func() Value)
}

// started are the exchanges that have been started and not been waited for, by number.
var started struct {
	sync.Mutex
	last  uint32
	waits map[uint32]func() Value
}

// startP starts an exchange. Its result is a number by which waitP finds the exchange.
type startP struct{ fn *prim.HostFunc }

func (p acrossP) startP() startP {
	f := &prim.HostFunc{Name: "start_" + p.fn.Name, Op: p.fn.Op}
	f.CallIn = func(ctx context.Context, in []Value) []Value {
		wait := p.of.start(ctx, in[0])
		started.Lock()
		defer started.Unlock()
		if started.waits == nil {
			started.waits = map[uint32]func() Value{}
		}
		started.last++
		started.waits[started.last] = wait
		return []Value{prim.Num(core.Aval(core.Uint32), float64(started.last))}
	}
	return startP{f}
}

func (p startP) Name() string { return p.fn.Name }

// Host returns the function that is called.
func (p startP) Host() *prim.HostFunc { return p.fn }

func (startP) Abstract([]core.ShapedArray) []core.ShapedArray {
	return []core.ShapedArray{core.Aval(core.Uint32)}
}

func (startP) Effects() core.Effect { return core.EffectOrderedIO }

// waitP waits for the rows of an exchange.
type waitP struct {
	fn     *prim.HostFunc
	result prim.Avals
}

func (p acrossP) waitP(result core.ShapedArray) waitP {
	f := &prim.HostFunc{Name: "wait_" + p.fn.Name, Op: p.fn.Op}
	f.CallIn = func(_ context.Context, in []Value) []Value {
		n, _ := in[0].(core.Concrete).Scalar()
		id := uint32(n.Int64())
		started.Lock()
		wait := started.waits[id]
		delete(started.waits, id)
		started.Unlock()
		return []Value{wait()}
	}
	return waitP{f, prim.MakeAvals(result)}
}

func (p waitP) Name() string { return p.fn.Name }

// Host returns the function that is called.
func (p waitP) Host() *prim.HostFunc { return p.fn }

func (p waitP) Abstract([]core.ShapedArray) []core.ShapedArray { return p.result.List() }

func (waitP) Effects() core.Effect { return core.EffectOrderedIO }

// overlapped returns the program with exchanges that are started when their operands are ready and
// waited for as late as possible: what depends on them is put off until an exchange needs it, or
// until nothing else is left to do. Exchanges start in the order of j, which is that of all
// processes.
func overlapped(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	q := rearranged(j, j.Ins, j.Outs)
	q.Eqns = nil
	across := map[*jaxpr.Eqn]*jaxpr.Eqn{} // of the equations that wait
	makes := map[*jaxpr.Var]*jaxpr.Eqn{}  // what has been put off
	var demand func(as []jaxpr.Atom)
	demand = func(as []jaxpr.Atom) {
		for _, a := range as {
			v, _ := a.(*jaxpr.Var)
			e := makes[v]
			if e == nil {
				continue
			}
			for _, out := range e.Outs {
				delete(makes, out)
			}
			demand(e.Ins)
			if n := len(q.Eqns); across[e] != nil && len(q.Eqns[n-1].Outs) == 1 && e.Ins[0] == jaxpr.Atom(q.Eqns[n-1].Outs[0]) {
				q.Eqns[n-1] = across[e] // nothing is between start and wait
				continue
			}
			q.Eqns = append(q.Eqns, e)
		}
	}
	var off []*jaxpr.Eqn
	putOff := func(e *jaxpr.Eqn) {
		off = append(off, e)
		for _, v := range e.Outs {
			makes[v] = e
		}
	}
	for _, e := range j.Eqns {
		if x, ok := e.Prim.(acrossP); ok {
			demand(e.Ins)
			token := jaxpr.NewVar(core.Aval(core.Uint32))
			q.Eqns = append(q.Eqns, &jaxpr.Eqn{Prim: x.startP(), Ins: e.Ins, Outs: []*jaxpr.Var{token}, Site: e.Site})
			wait := &jaxpr.Eqn{Prim: x.waitP(e.Outs[0].Type), Ins: []jaxpr.Atom{token}, Outs: e.Outs, Site: e.Site}
			across[wait] = e
			putOff(wait)
			continue
		}
		if js := jaxpr.Programs(e.Prim); len(js) > 0 {
			js = slices.Clone(js)
			for k := range js {
				js[k] = overlapped(js[k])
			}
			if p, ok := jaxpr.WithPrograms(e.Prim, js); ok {
				e = &jaxpr.Eqn{Prim: p, Ins: e.Ins, Outs: e.Outs, Site: e.Site}
			}
		}
		waits := slices.ContainsFunc(e.Ins, func(a jaxpr.Atom) bool { v, _ := a.(*jaxpr.Var); return makes[v] != nil })
		if waits && core.EffectsOf(e.Prim) == 0 {
			putOff(e)
			continue
		}
		demand(e.Ins)
		q.Eqns = append(q.Eqns, e)
	}
	for _, e := range off {
		for _, v := range e.Outs {
			demand([]jaxpr.Atom{v})
		}
	}
	return q
}
