// Package equinox makes the primitives of Equinox and Lineax known to the parser of programs.
// With them these libraries of JAX mark what is batched, write to buffers of loops, refuse
// transformations, and solve linear systems. Import it for its side effect:
//
//	import _ "github.com/weft-go/weft/equinox"
//
// The primitives mean what the libraries define, outside and inside Vmap and under derivatives,
// as of Equinox 0.13 and Lineax 0.1. Iterative solvers take real numbers only. The package uses
// exported parts of Weft alone: a package for the primitives of another library looks the same.
package equinox

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

type (
	value = core.Value
	aval  = core.ShapedArray
)

// words returns the words that init registers. It is a function and not a variable, since readBatched looks words up.
func words() jaxpr.Vocabulary {
	return jaxpr.Vocabulary{
		"unvmap_any":                 func(*jaxpr.ParamReader) core.Primitive { return unvmapP{"any"} },
		"unvmap_all":                 func(*jaxpr.ParamReader) core.Primitive { return unvmapP{"all"} },
		"unvmap_max":                 func(*jaxpr.ParamReader) core.Primitive { return unvmapP{"max"} },
		"nonbatchable":               readNonbatchable,
		"nontraceable":               readNontraceable,
		"nondifferentiable_backward": readNoReverse,
		"select_if_vmap":             func(*jaxpr.ParamReader) core.Primitive { return selectP{} },
		"maybe_set":                  readMaybeSet,
		"linear_solve":               readSolve,
		"vprim":                      readBatched,
	}
}

func init() { jaxpr.Register(words()) }

// operands fails unless there are n operands.
func operands(in []aval, n int) {
	if len(in) != n {
		core.Failf(core.ErrCheck, "takes %s, got %d; pass as many as the word takes", core.Count(n, "operand"), len(in))
	}
}

func param(key string, v any) core.Param { return core.Param{Key: key, Value: v} }

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}
