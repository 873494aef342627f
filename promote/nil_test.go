package promote_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/promote"
)

func TestNilReceivers(t *testing.T) {
	testcheck.NilReceivers(t, new(promote.Graph), new(promote.Order), new(promote.Algebra), new(promote.Finite), new(promote.Report), new(promote.Score), new(promote.Laws), new(promote.Error), new(promote.CycleError))
}
