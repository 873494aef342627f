package transforms

import (
	"github.com/weft-go/weft/jaxpr"
)

type unknownKey struct{ unknown string }

// unknownResults marks the results of j that are unknown where the marked inputs are. It makes no
// programs, as a split does: most equations that contain programs return nothing known, and stay
// as they are.
func unknownResults(j *jaxpr.Jaxpr, unknown []bool) []bool {
	return j.Memo(unknownKey{bits(unknown)}, func() any {
		isUnknown := jaxpr.NumbersFor(j)
		for k, v := range j.Ins {
			if unknown[k] {
				isUnknown.Bind(v)
			}
		}
		for _, e := range j.Eqns {
			m := boundIn(isUnknown, e.Ins)
			if !anyTrue(m) {
				continue
			}
			for k, u := range unknownOf(e, m) {
				if u {
					isUnknown.Bind(e.Outs[k])
				}
			}
		}
		return boundIn(isUnknown, j.Outs)
	}).([]bool)
}

// boundIn marks the variables that have numbers.
func boundIn(numbers *jaxpr.Numbers, as []jaxpr.Atom) []bool {
	m := make([]bool, len(as))
	for k, a := range as {
		if v, ok := a.(*jaxpr.Var); ok {
			_, m[k] = numbers.Of(v)
		}
	}
	return m
}

// unknownOf marks the results of an equation that are unknown if the marked operands are; at least
// one is marked. Results that a program within the equation computes without them are known, all
// others unknown.
func unknownOf(e *jaxpr.Eqn, unknown []bool) []bool {
	everyResult := func() []bool { return all(len(e.Outs), true) }
	switch p := e.Prim.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall, *jaxpr.Remat, *jaxpr.ShardMap:
		return unknownResults(calledProgram(p), unknown)
	case *jaxpr.CustomJVP, *jaxpr.CustomVJP, *jaxpr.CustomVmap:
		if js := jaxpr.Programs(p); len(js) == 1 {
			return unknownResults(js[0], unknown)
		}
	case *jaxpr.Cond:
		if unknown[0] {
			return everyResult()
		}
		m := make([]bool, len(e.Outs))
		for _, b := range p.Branches {
			m = or(m, unknownResults(b, unknown[1:]))
		}
		return m
	case *jaxpr.While:
		mc, mb, mk := whileParts(p, unknown)
		mk = carryFixpoint(p.Body, concat(mb, mk), len(mb), len(mk), unknownResults)[len(mb):]
		if !anyTrue(unknownResults(p.Cond, concat(mc, mk))) {
			return mk
		}
	case *jaxpr.Scan:
		m := carryFixpoint(p.Jaxpr, unknown, p.NumConsts, p.NumCarry, unknownResults)
		_, mk, _ := scanParts(p, m)
		return concat(mk, unknownResults(p.Jaxpr, m)[len(mk):])
	}
	return everyResult()
}
