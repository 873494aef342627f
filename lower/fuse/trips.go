package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

const unbounded = -1

// mostTrips returns a bound on the iterations of a while with the given operands, or unbounded. There is one
// if the condition demands, among other things, that a carried integer is less than a literal, and each
// iteration adds one to that integer, which begins as a literal.
func mostTrips(w *jaxpr.While, ins []jaxpr.Atom) int {
	defs := func(j *jaxpr.Jaxpr) map[jaxpr.Atom]*jaxpr.Eqn {
		m := map[jaxpr.Atom]*jaxpr.Eqn{}
		for _, e := range j.Eqns {
			for _, v := range e.Outs {
				m[v] = e
			}
		}
		return m
	}
	tests, body := defs(w.Cond), defs(w.Body)
	input := func(j *jaxpr.Jaxpr, a jaxpr.Atom) int {
		return slices.IndexFunc(j.Ins, func(v *jaxpr.Var) bool { return jaxpr.Atom(v) == a })
	}
	// less returns the bound on the iterations if the condition demands x < y.
	less := func(x, y jaxpr.Atom) int {
		if at := input(w.Cond, y); at >= 0 && at < w.CondConsts {
			y = ins[at]
		}
		end, ok := smallInteger(y)
		k := input(w.Cond, x) - w.CondConsts
		if !ok || k < 0 {
			return unbounded
		}
		start, ok := smallInteger(ins[w.CondConsts+w.BodyConsts+k])
		if !ok || !addsOne(body[w.Body.Outs[k]], w.Body.Ins[w.BodyConsts+k]) {
			return unbounded
		}
		return max(0, end-start)
	}
	var demanded func(a jaxpr.Atom) int
	demanded = func(a jaxpr.Atom) int {
		e := tests[a]
		if e == nil {
			return unbounded
		}
		switch e.Prim.(type) {
		case prim.AndP:
			x, y := demanded(e.Ins[0]), demanded(e.Ins[1])
			if x == unbounded || y != unbounded && y < x {
				return y
			}
			return x
		case prim.LtP:
			return less(e.Ins[0], e.Ins[1])
		case prim.GtP:
			return less(e.Ins[1], e.Ins[0])
		}
		return unbounded
	}
	return demanded(w.Cond.Outs[0])
}

// smallInteger returns the value of a literal that is a signed integer far from where its type wraps.
func smallInteger(a jaxpr.Atom) (int, bool) {
	l, ok := a.(core.Literal)
	if !ok || l.Type != core.Int32 && l.Type != core.Int64 || l.Num.Kind() != core.KindInt {
		return 0, false
	}
	v := l.Num.Int64()
	return int(v), -1<<29 < v && v < 1<<29
}

func addsOne(e *jaxpr.Eqn, x jaxpr.Atom) bool {
	if e == nil {
		return false
	}
	if _, ok := e.Prim.(prim.AddP); !ok {
		return false
	}
	for i, a := range e.Ins {
		if n, ok := smallInteger(a); ok && n == 1 && e.Ins[1-i] == x {
			return true
		}
	}
	return false
}
