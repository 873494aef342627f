package transforms_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// What no tangent needs is not on the linear program, and its residuals are not kept: a
// scan used to stack them for every step.
func TestLinearProgramsKeepOnlyUsed(t *testing.T) {
	body := func(c, _ []val) ([]val, []val) {
		prim.Exp(prim.Cos(c[0])) // nothing uses it
		return []val{prim.Sin(c[0])}, nil
	}
	f := func(in []val) []val {
		prim.Tanh(in[0])
		c, _ := trace.Scan(body, in, nil, trace.ScanConfig{Length: 3})
		return c
	}
	_, lin := transforms.Linearize(f, []val{runtimeScalar(0.5)}, []bool{true})
	if n := len(lin.Jaxpr().Eqns); n != 1 {
		t.Errorf("%d equations on the tape, want the scan alone:\n%s", n, lin.Jaxpr())
	}
	j := trace.Stage("f", []core.ShapedArray{f64}, f)
	fwd, _ := transforms.LinearizeProgram(j)
	stacked := 0
	for _, e := range fwd.Eqns {
		if s, ok := e.Prim.(*jaxpr.Scan); ok {
			stacked += len(s.Jaxpr.Outs) - s.NumCarry
		}
	}
	if stacked != 1 {
		t.Errorf("%d residuals are stacked, want the cosine alone:\n%s", stacked, fwd)
	}
	// A reverse rule whose result is not used does not stand in the way of Apply.
	g := func(in []val) []val {
		weftMachine{}.customVJP(prim.Sin)(in[0])
		return []val{prim.Cos(in[0])}
	}
	_, lin = transforms.Linearize(g, []val{runtimeScalar(0.5)}, []bool{true})
	if err := testcheck.Recover(func() { lin.Apply([]val{weftMachine{}.num(1)}) }); err != nil || strings.Contains(lin.Jaxpr().String(), "custom_lin") {
		t.Errorf("%v\n%s", err, lin.Jaxpr())
	}
}
