package transforms

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// requireWhole refuses a primitive of package jaxpr that is nil, or lacks a program or function
// without which it cannot be interpreted.
func requireWhole(p core.Primitive) {
	switch p := p.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall, *jaxpr.While, *jaxpr.Scan, *jaxpr.Remat, *jaxpr.ShardMap, *jaxpr.LinearCall:
		jaxpr.Programs(p)
	case *jaxpr.Cond:
		if len(jaxpr.Programs(p)) == 0 {
			core.FailOp(core.ErrCheck, p.Name(), nil, "the primitive has no branches; write at least one")
		}
	case *jaxpr.LinearSolve:
		core.RequireReceiver("jaxpr.LinearSolve", p == nil)
		if p.Matvec == nil || p.Solve == nil {
			core.FailOp(core.ErrCheck, p.Name(), nil, "the primitive lacks a program; set Matvec and Solve")
		}
	case *jaxpr.CustomJVP:
		p.Function()
	case *jaxpr.CustomVJP:
		p.Function()
	case *jaxpr.CustomVmap:
		p.Function()
	case *jaxpr.CustomLin:
		core.RequireReceiver("jaxpr.CustomLin", p == nil)
	}
}
