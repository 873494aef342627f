package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// visible calls f with the variables that may be used, own ones first, the latest first;
// it stops when f returns false.
func (g *gen) visible(f func(v *Var, own bool) bool) {
	own := true
	for b := g.blk; b != nil; b = b.around {
		for _, v := range slices.Backward(b.vars) {
			if !f(v, own) {
				return
			}
		}
		if b.closed {
			return
		}
		own = false
	}
}

// pick chooses a variable: often the latest, sometimes one of a function around.
func (g *gen) pick(ok func(v *Var) bool) *Var {
	var own, outer []*Var
	g.visible(func(v *Var, mine bool) bool {
		if ok(v) {
			if mine {
				own = append(own, v)
			} else {
				outer = append(outer, v)
			}
		}
		return len(own)+len(outer) < 60
	})
	how := g.s.n(8)
	switch {
	case len(own) > 0 && how < 4:
		return own[0]
	case len(own) > 0 && (how < 6 || len(outer) == 0):
		return own[g.s.n(len(own))]
	case len(outer) > 0:
		return outer[g.s.n(min(len(outer), 12))]
	}
	return nil
}

// operands picks n variables.
func (g *gen) operands(n int, ok func(*Var) bool) []*Var {
	var out []*Var
	for range n {
		if v := g.pick(ok); v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, g.latest(func(v *Var) bool { return ok(v) }))
	}
	return out
}

// latest returns the latest variable that suits, made if need be.
func (g *gen) latest(ok func(*Var) bool) *Var {
	var best *Var
	g.visible(func(v *Var, own bool) bool {
		if ok(v) {
			best = v
			return false
		}
		return true
	})
	if best == nil {
		return g.real()
	}
	return best
}

// outer picks a variable of a function around the one being written.
func (g *gen) outer(ok func(*Var) bool) *Var {
	var found []*Var
	g.visible(func(v *Var, own bool) bool {
		if !own && ok(v) {
			found = append(found, v)
		}
		return len(found) < 8
	})
	if len(found) == 0 {
		return nil
	}
	return found[g.s.n(len(found))]
}

// real returns a real variable; there always is one, or one is made.
func (g *gen) real() *Var {
	if v := g.pick(isReal); v != nil {
		return v
	}
	if v := g.pick(anyVar); v != nil {
		return g.fit(v, core.Aval(core.Float32, dims(v.Type)...))
	}
	return g.emit(&Node{Op: "iota", A: []int{3}, DType: core.Float32}, core.Aval(core.Float32, 3), 2)
}

// few returns an operand to differentiate with respect to, in all directions: not many.
func (g *gen) few(most int) *Var {
	count := func(v *Var) int {
		if isComplex(v) {
			return 2 * v.Type.Size()
		}
		return v.Type.Size()
	}
	if v := g.pick(func(v *Var) bool { return isInexact(v) && count(v) <= most && v.Type.DType.Bits() >= 32 }); v != nil {
		return v
	}
	dt := []core.DType{core.Float64, core.Float32}[g.s.n(2)]
	shape := []int{}
	if most >= 2 && g.s.n(3) == 1 {
		shape = []int{2}
	}
	return g.fit(g.latest(isInexact), core.Aval(dt, shape...))
}

// index returns an integer scalar.
func (g *gen) index() *Var {
	v := g.pick(func(v *Var) bool { return v.Type == core.Aval(core.Int32) })
	if v == nil {
		v = g.fit(g.latest(anyVar), core.Aval(core.Int32))
	}
	return v
}

// indexes returns a vector of indices.
func (g *gen) indexes() *Var {
	v := g.pick(func(v *Var) bool { return v.Type.DType == core.Int32 && v.Type.Rank() == 1 })
	if v != nil {
		return v
	}
	n := 2 + g.s.n(2)
	i := g.emit(&Node{Op: "iota", A: []int{n}, DType: core.Int32}, core.Aval(core.Int32, n), 2)
	return g.binaryOf("add", Arg{Var: i}, Arg{Var: g.index()}, 8)
}

func isReal(v *Var) bool { return v.Type.DType.IsFloat() }

func isComplex(v *Var) bool { return v.Type.DType.IsComplex() }

func isInexact(v *Var) bool { return v.Type.DType.IsInexact() }

func isIntegral(v *Var) bool { return v.Type.DType.IsInteger() }

func isBool(v *Var) bool { return v.Type.DType.IsBool() }

func anyVar(*Var) bool { return true }
