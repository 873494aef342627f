package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Value is a value of the protocol; the short name keeps rules readable.
type Value = core.Value

// ShapedArray is an abstract value.
type ShapedArray = core.ShapedArray

//go:generate go run ../../internal/test/vocabulary/generate

// Vocabulary is every leaf operation by name, for jaxpr.Parse. Which operations those
// are is generated: see vocabulary.go. A type without parameters needs no more than its
// Name; one with parameters has a method read beside it, which reads them.
var Vocabulary = vocabulary()

// word reads a primitive without parameters.
//
// It is not inlined: each of the many calls would have its own copy of the function.
//
//go:noinline
func word(p core.Primitive) func(*jaxpr.ParamReader) core.Primitive {
	return func(*jaxpr.ParamReader) core.Primitive { return p }
}

// accurate reads p, whose accuracy a text may show: see [AccurateP].
func accurate(r *jaxpr.ParamReader, p core.Primitive) core.Primitive {
	if !r.Has("accuracy") || r.IsNone("accuracy") {
		r.Ignore("accuracy")
		return p
	}
	if _, ok := p.(core.JVPer); !ok {
		r.MustBe("accuracy", "None")
	}
	return AccurateP{p, r.Text("accuracy")}
}

// one returns the results of a rule with a single result.
func one(v Value) []Value {
	if v == nil {
		return []Value{nil}
	}
	return []Value{v}
}

// param returns a shown parameter.
func param(key string, value any) core.Param { return core.Param{Key: key, Value: value} }

// pyBool writes a bool as Python does.
func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}
