package staging_test

import (
	"github.com/weft-go/weft/internal/test/arraycheck"
)

var s, near = arraycheck.F32, arraycheck.Near
