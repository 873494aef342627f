package weft_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
)

type unary = func(weft.Array) weft.Array

var (
	s, vec, f64   = arraycheck.F32, arraycheck.Vector32, arraycheck.Vector64
	near, nearAll = arraycheck.Near, arraycheck.NearAll
)
