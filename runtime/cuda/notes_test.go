//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// The account of a program with large exact products states what they cost, on a device with tensor cores.
func TestAccountOfLargeExactProducts(t *testing.T) {
	for _, c := range []struct {
		capability, n int
		precision     runtime.Precision
		dt            core.DType
		want          bool
	}{
		{80, 2048, runtime.Exact, core.Float32, true},
		{80, 2048, runtime.Exact, core.BFloat16, true},
		{80, 2048, runtime.Fast, core.Float32, false},
		{80, 2048, runtime.Exact, core.Float64, false},
		{80, 256, runtime.Exact, core.Float32, false},
		{75, 2048, runtime.Exact, core.Float32, false},
	} {
		f := fakecuda.New()
		f.Capability = c.capability
		e := device.New(open(t, f, ""))
		b := jaxpr.NewBuilder()
		x := b.Input(core.Aval(c.dt, c.n, c.n))
		y := b.Eqn(prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0)}, x, x)[0]
		p, err := runtime.Compile(e, &runtime.Request{Jaxpr: b.Build(y), Label: "f", Options: runtime.Options{Precision: c.precision}})
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(p.Account().Notes, ", ")
		if strings.Contains(notes, "1 large product") != c.want || strings.Contains(notes, "weft.Precision(weft.Fast)") != c.want || notes != "" && !c.want {
			t.Errorf("%+v: got %q", c, notes)
		}
	}
}
