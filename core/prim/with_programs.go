package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Methods that make operations with other programs: see jaxpr.Rebuilder.

// WithPrograms returns p with another program.
func (p ReduceP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.Program = js[0]
	return p
}

// WithPrograms returns p with another program.
func (p ReduceWindowP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.Program = js[0]
	return p
}

// WithPrograms returns p with another update program.
func (p ScatterApplyP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.F = js[0]
	return p
}
