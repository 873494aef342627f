package rule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Word returns the function that reads the primitive p, which has no parameters.
//
// It is not inlined: each of its many calls would have its own copy of the function.
//
//go:noinline
func Word(p core.Primitive) func(*jaxpr.ParamReader) core.Primitive {
	return func(*jaxpr.ParamReader) core.Primitive { return p }
}
