package exchange

import (
	"context"
	"slices"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
)

// halves are an exchange that one equation of a program starts and a later one waits for.
type halves struct {
	begin    Start
	exchange Exchange
	rows     int // of the result
}

func (h *halves) start(ctx context.Context, x Value) (wait func() Value) {
	return h.begin(ctx, h.exchange, x, WithRows(x.Aval(), h.rows))
}

// going are the exchanges that have been started and not been waited for, by number.
var going struct {
	sync.Mutex
	last  uint32
	waits map[uint32]func() Value
}

// Forget forgets exchanges of programs that failed between start and wait.
func Forget() {
	going.Lock()
	defer going.Unlock()
	clear(going.waits)
}

// started returns the operation that starts the exchange. Its result is a number by which the
// operation of awaited finds the exchange.
func (p acrossP) started() core.Primitive {
	f := &hostcall.HostFunc{Name: "start_" + p.fn.Name, Op: p.fn.Op}
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
	return hostcall.IOCallbackP{Fn: f, Results: hostcall.MakeAvals(core.Aval(core.Uint32)), Ordered: true}
}

// awaited returns the operation that waits for the rows of an exchange.
func (p acrossP) awaited(result core.ShapedArray) core.Primitive {
	f := &hostcall.HostFunc{Name: "wait_" + p.fn.Name, Op: p.fn.Op}
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
	return hostcall.IOCallbackP{Fn: f, Results: hostcall.MakeAvals(result), Ordered: true}
}

// schedule writes the equations of a program in another order: what depends on exchanges is put off
// until something needs it, or until nothing else is left to do.
type schedule struct {
	eqns  []*jaxpr.Eqn
	makes map[*jaxpr.Var]*jaxpr.Eqn // what has been put off
	off   []*jaxpr.Eqn
	write func(e *jaxpr.Eqn)
	end   *jaxpr.Eqn // of a run, not written yet
}

// demand writes the equations that atoms depend on, if they have been put off.
func (s *schedule) demand(as []jaxpr.Atom) {
	for _, a := range as {
		v, _ := a.(*jaxpr.Var)
		e := s.makes[v]
		if e == nil {
			continue
		}
		for _, out := range e.Outs {
			delete(s.makes, out)
		}
		s.demand(e.Ins)
		s.write(e)
	}
}

func (s *schedule) append(e *jaxpr.Eqn) { s.eqns = append(s.eqns, e) }

func (s *schedule) putOff(e *jaxpr.Eqn) {
	s.off = append(s.off, e)
	for _, v := range e.Outs {
		s.makes[v] = e
	}
}

// waits reports whether an operand of an equation has been put off.
func (s *schedule) waits(e *jaxpr.Eqn) bool {
	return slices.ContainsFunc(e.Ins, func(a jaxpr.Atom) bool { v, _ := a.(*jaxpr.Var); return s.makes[v] != nil })
}

// of returns j in the new order. within rewrites the programs of its equations. exchange is called
// for each exchange: it writes the exchange or puts it off. The end of a run is put off
// until all of its exchanges are written. If another run begins before that, its beginning replaces
// the end.
func (s *schedule) of(j *jaxpr.Jaxpr, within func(*jaxpr.Jaxpr) *jaxpr.Jaxpr, exchange func(e *jaxpr.Eqn, p acrossP)) *jaxpr.Jaxpr {
	s.makes = map[*jaxpr.Var]*jaxpr.Eqn{}
	for _, e := range j.Eqns {
		switch x := e.Prim.(type) {
		case acrossP:
			exchange(e, x)
			continue
		case endP:
			s.end = e
			continue
		case beginP:
			if s.end != nil {
				s.end = nil
				x.follows = true
				e = &jaxpr.Eqn{Prim: x, Site: e.Site}
			}
		default:
			if s.end != nil && beginsRuns(e) {
				s.finish()
			}
		}
		if js := jaxpr.Programs(e.Prim); len(js) > 0 {
			js = slices.Clone(js)
			for k := range js {
				js[k] = within(js[k])
			}
			if p, ok := jaxpr.WithPrograms(e.Prim, js); ok {
				e = &jaxpr.Eqn{Prim: p, Ins: e.Ins, Outs: e.Outs, Site: e.Site}
			}
		}
		if s.waits(e) && core.EffectsOf(e.Prim) == 0 {
			s.putOff(e)
			continue
		}
		s.demand(e.Ins)
		s.append(e)
	}
	s.finish()
	return &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: j.Ins, Eqns: s.eqns, Outs: j.Outs}
}

// finish writes what has been put off, and the end of a run after it.
func (s *schedule) finish() {
	for i := 0; i < len(s.off); i++ {
		e := s.off[i]
		for _, v := range e.Outs {
			s.demand([]jaxpr.Atom{v})
		}
	}
	s.off = nil
	if s.end != nil {
		s.append(s.end)
		s.end = nil
	}
}

// Overlap returns the program with exchanges combined as by [Together], started as soon as their
// operands are ready, and waited for as late as possible.
func Overlap(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { return overlapped(Together(j)) }

// overlapped returns the program with exchanges that are started when their operands are ready and
// waited for as late as possible. An exchange that needs another one, as a sum over a second axis
// does, is started before the next exchange that needs none: the device computes until then.
// The order follows from the program, so that all processes have the same one.
func overlapped(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	s := &schedule{}
	across := map[*jaxpr.Eqn]*jaxpr.Eqn{} // the exchange that each waiting equation came from
	var later []*jaxpr.Eqn                // exchanges that need others, in their order
	start := func(e *jaxpr.Eqn) {
		s.demand(e.Ins)
		x := e.Prim.(acrossP)
		token := jaxpr.NewVar(core.Aval(core.Uint32))
		s.append(&jaxpr.Eqn{Prim: x.started(), Ins: e.Ins, Outs: []*jaxpr.Var{token}, Site: e.Site})
		wait := &jaxpr.Eqn{Prim: x.awaited(e.Outs[0].Type), Ins: []jaxpr.Atom{token}, Outs: e.Outs, Site: e.Site}
		across[wait] = e
		s.putOff(wait)
	}
	startLater := func(n int) {
		for _, e := range later[:n] {
			start(e)
		}
		later = later[n:]
	}
	s.write = func(e *jaxpr.Eqn) {
		if i := slices.Index(later, e); i >= 0 {
			startLater(i + 1)
			s.demand([]jaxpr.Atom{e.Outs[0]})
			return
		}
		if n := len(s.eqns); across[e] != nil && len(s.eqns[n-1].Outs) == 1 && e.Ins[0] == jaxpr.Atom(s.eqns[n-1].Outs[0]) {
			s.eqns[n-1] = across[e] // nothing is between start and wait
			return
		}
		s.append(e)
	}
	return s.of(j, overlapped, func(e *jaxpr.Eqn, _ acrossP) {
		if s.waits(e) {
			later = append(later, e)
			s.putOff(e)
			return
		}
		startLater(len(later))
		start(e)
	})
}
