package stablehlo_test

import "github.com/weft-go/weft/core/prim"

var vocabulary = prim.Vocabulary
