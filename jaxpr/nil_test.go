package jaxpr_test

import (
	"testing"

	"github.com/weft-go/weft/internal/testcheck"
	"github.com/weft-go/weft/jaxpr"
)

func TestNilReceivers(t *testing.T) {
	testcheck.NilReceivers(t, new(jaxpr.Jaxpr), new(jaxpr.Var), new(jaxpr.Builder), new(jaxpr.ParamReader), new(jaxpr.Slots), new(jaxpr.Numbers), new(jaxpr.ParseError))
}
