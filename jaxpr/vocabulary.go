package jaxpr

import "github.com/weft-go/weft/core"

// Vocabulary is a parser's table of the leaf operations: for each name
// a function that makes the primitive from its printed parameters.
type Vocabulary map[string]func(*ParamReader) core.Primitive
