package rule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Word reads a primitive without parameters.
//
// It is not inlined: each of the many calls would have its own copy of the function.
//
//go:noinline
func Word(p core.Primitive) func(*jaxpr.ParamReader) core.Primitive {
	return func(*jaxpr.ParamReader) core.Primitive { return p }
}
