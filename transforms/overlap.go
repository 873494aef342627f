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
	start    func(ctx context.Context, x Value) (wait func() Value)
	exchange Exchange
}

// going are the exchanges that have been started and not been waited for, by number.
var going struct {
	sync.Mutex
	last  uint32
	waits map[uint32]func() Value
}

// started returns the operation that starts the exchange. Its result is a number by which the one of
// awaited finds the exchange.
func (p acrossP) started() core.Primitive {
	f := &prim.HostFunc{Name: "start_" + p.fn.Name, Op: p.fn.Op}
	f.CallIn = func(ctx context.Context, in []Value) []Value {
		wait := p.of.start(ctx, in[0])
		going.Lock()
		defer going.Unlock()
		if going.waits == nil {
			going.waits = map[uint32]func() Value{}
		}
		going.last++
		going.waits[going.last] = wait
		return []Value{prim.Num(core.Aval(core.Uint32), float64(going.last))}
	}
	return prim.IOCallbackP{Fn: f, Results: prim.MakeAvals(core.Aval(core.Uint32)), Ordered: true}
}

// awaited returns the operation that waits for the rows of an exchange.
func (p acrossP) awaited(result core.ShapedArray) core.Primitive {
	f := &prim.HostFunc{Name: "wait_" + p.fn.Name, Op: p.fn.Op}
	f.CallIn = func(_ context.Context, in []Value) []Value {
		n, _ := in[0].(core.Concrete).Scalar()
		id := uint32(n.Int64())
		going.Lock()
		wait := going.waits[id]
		delete(going.waits, id)
		going.Unlock()
		if wait == nil {
			core.FailOp(core.ErrDevice, "ShardMap", nil, "the process has left its job while a program exchanges; compute before leaving")
		}
		return []Value{wait()}
	}
	return prim.IOCallbackP{Fn: f, Results: prim.MakeAvals(result), Ordered: true}
}

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
			q.Eqns = append(q.Eqns, &jaxpr.Eqn{Prim: x.started(), Ins: e.Ins, Outs: []*jaxpr.Var{token}, Site: e.Site})
			wait := &jaxpr.Eqn{Prim: x.awaited(e.Outs[0].Type), Ins: []jaxpr.Atom{token}, Outs: e.Outs, Site: e.Site}
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
