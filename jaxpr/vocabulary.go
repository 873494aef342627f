package jaxpr

import "github.com/weft-go/weft/core"

// Vocabulary is what a parser needs to know of the leaf operations: for each name
// a function that makes the primitive from its printed parameters.
type Vocabulary map[string]func(*ParamReader) core.Primitive
