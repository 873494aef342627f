package prim

import (
	"maps"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Value is a value of the protocol; the short name keeps rules readable.
type Value = core.Value

// ShapedArray is an abstract value.
type ShapedArray = core.ShapedArray

// words is a family's part of the vocabulary: how its primitives are read from
// the parameters that text shows.
type words map[string]func(*jaxpr.ParamReader) core.Primitive

// word reads a primitive without parameters.
func word(p core.Primitive) func(*jaxpr.ParamReader) core.Primitive {
	return func(*jaxpr.ParamReader) core.Primitive { return p }
}

// Vocabulary is every leaf operation by name, for jaxpr.Parse.
var Vocabulary = func() jaxpr.Vocabulary {
	v := jaxpr.Vocabulary{}
	for _, w := range []words{elementwiseWords, structureWords, reductionWords} {
		maps.Copy(v, jaxpr.Vocabulary(w))
	}
	return v
}()

// one is the results of a rule with a single result.
func one(v Value) []Value {
	if v == nil {
		return []Value{nil}
	}
	return []Value{v}
}

// param is a shown parameter.
func param(key string, value any) core.Param { return core.Param{Key: key, Value: value} }

// pyBool writes a bool as Python does.
func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}
