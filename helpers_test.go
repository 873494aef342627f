package weft_test

import (
	"github.com/weft-go/weft/internal/test/arraycheck"
)

var (
	s, vec, f64   = arraycheck.F32, arraycheck.Vector32, arraycheck.Vector64
	near, nearAll = arraycheck.Near, arraycheck.NearAll
)
