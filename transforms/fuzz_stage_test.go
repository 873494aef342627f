package transforms_test

import "github.com/weft-go/weft/internal/test/fuzzstage"

// What random programs and the tests of the laws have in common.
var (
	staged          = fuzzstage.Staged
	stacked         = fuzzstage.Stacked
	jitOf           = fuzzstage.JitOf
	inputs          = fuzzstage.Inputs
	orZero          = fuzzstage.OrZero
	inexactTangents = fuzzstage.InexactTangents
)
