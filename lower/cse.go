package lower

import (
	"hash/maphash"
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
)

// cse computes each expression once: an equation with the same primitive, operands and
// types as an earlier one is dropped, and its results are replaced.
func cse(j *jaxpr.Jaxpr, top bool) *jaxpr.Jaxpr {
	if len(j.Eqns) < 2 {
		return j
	}
	r, results := replacementsFor(j), resultsOf(j, top)
	t := newExprTable(len(j.Eqns))
	var eqns []*jaxpr.Eqn // nil: unchanged so far
	for i, e := range j.Eqns {
		d := r.eqn(e)
		if repeatable(d) {
			if f := t.insert(d, r.number); f != nil && mayReplace(results, d, f) {
				for k, v := range d.Outs {
					r.set(v, f.Outs[k])
				}
				if eqns == nil {
					eqns = append(make([]*jaxpr.Eqn, 0, len(j.Eqns)), j.Eqns[:i]...)
				}
				continue
			}
		}
		if d != e && eqns == nil {
			eqns = append(make([]*jaxpr.Eqn, 0, len(j.Eqns)), j.Eqns[:i]...)
		}
		if eqns != nil {
			eqns = append(eqns, d)
		}
	}
	if eqns == nil {
		return j
	}
	out := withEqns(j, eqns)
	out.Outs = r.all(j.Outs)
	return out
}

// mayReplace reports whether the results of f may replace those of e, by the rule of [results.replace].
func mayReplace(r *results, e, f *jaxpr.Eqn) bool {
	for i, v := range e.Outs {
		if !r.replace(v, f.Outs[i]) {
			return false
		}
	}
	return true
}

// repeatable reports whether one equation may compute the results of all that equal it. Equations that have effects,
// hold or call a Go function, name axes, or have parameters that cannot be compared may not. Neither may those that
// exist to keep values apart or to compute them again.
func repeatable(e *jaxpr.Eqn) bool {
	switch p := e.Prim.(type) {
	case prim.CopyP, prim.OptimizationBarrierP:
		return false
	case core.Elementwise:
		return true
	case *jaxpr.CustomLin, *jaxpr.Remat:
		return false
	default:
		return core.EffectsOf(p) == 0 && !core.IsClosureful(p) && !callsHost(p) && !core.NamesAxes(p) && reflect.TypeOf(p).Comparable()
	}
}

func callsHost(p core.Primitive) bool {
	_, ok := p.(interface{ Host() *hostcall.HostFunc })
	return ok
}

// exprTable is a hash table of equations by their primitives, operands and types.
type exprTable struct {
	seed  maphash.Seed
	slots []exprSlot // their number is a power of two
}

type exprSlot struct {
	hash uint64
	eqn  *jaxpr.Eqn
}

var exprSeed = maphash.MakeSeed()

func newExprTable(n int) *exprTable {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &exprTable{seed: exprSeed, slots: make([]exprSlot, size)}
}

// insert adds e and returns nil, or returns an equation that computes the same.
func (t *exprTable) insert(e *jaxpr.Eqn, number *jaxpr.Numbers) *jaxpr.Eqn {
	h := maphash.Comparable(t.seed, e.Prim)
	for _, a := range e.Ins {
		switch a := a.(type) {
		case *jaxpr.Var:
			n, _ := number.Bind(a)
			h = mix(h, uint64(n)+1)
		case core.Literal:
			h = mix(h, maphash.Comparable(t.seed, a))
		}
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.eqn == nil {
			s.hash, s.eqn = h, e
			return nil
		}
		if s.hash == h && sameExpr(s.eqn, e) {
			return s.eqn
		}
	}
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func sameExpr(a, b *jaxpr.Eqn) bool {
	if len(a.Ins) != len(b.Ins) || len(a.Outs) != len(b.Outs) || a.Prim != b.Prim {
		return false
	}
	for i, x := range a.Ins {
		if x != b.Ins[i] {
			return false
		}
	}
	for i, v := range a.Outs {
		if v.Type != b.Outs[i].Type {
			return false
		}
	}
	return true
}
