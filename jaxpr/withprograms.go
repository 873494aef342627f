package jaxpr

import (
	"github.com/weft-go/weft/core"
)

// Rebuilder is a primitive of another package that contains programs and can be made
// with others.
type Rebuilder interface {
	Holder
	// WithPrograms is the primitive with other programs, in the order of Programs.
	WithPrograms(js []*Jaxpr) core.Primitive
}

// WithPrograms returns p with other programs in the order of Programs(p); ok is false if p is no
// [Holder] or has no way to replace its programs, as a primitive of another package that is no
// [Rebuilder].
func WithPrograms(p core.Primitive, js []*Jaxpr) (q core.Primitive, ok bool) {
	if n := len(Programs(p)); len(js) != n {
		core.FailOp(core.ErrCheck, p.Name(), nil, "the primitive has %s (got %d); pass one for each", core.Count(n, "program"), len(js))
	}
	if len(js) == 0 { // nothing to replace, as in a custom call that was not recorded
		_, ok = p.(Holder)
		return p, ok
	}
	switch p := p.(type) {
	case *Jit:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CoreCall:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *Cond:
		c := *p
		c.Branches = js
		return &c, true
	case *While:
		c := *p
		c.Body, c.Cond = js[0], js[1]
		return &c, true
	case *Scan:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *Remat:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *ShardMap:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CustomJVP:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CustomVJP:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *CustomVmap:
		c := *p
		c.Jaxpr = js[0]
		return &c, true
	case *LinearCall:
		c := *p
		c.Jaxpr, c.Transposed = js[0], js[1]
		return &c, true
	case *LinearSolve:
		c := *p
		k := 0
		for _, j := range []**Jaxpr{&c.Matvec, &c.Vecmat, &c.Solve, &c.TransposeSolve} {
			if *j != nil {
				*j = js[k]
				k++
			}
		}
		return &c, true
	case Rebuilder:
		return p.WithPrograms(js), true
	}
	return p, false
}
