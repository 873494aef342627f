//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
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

// It states so of large convolutions that tensor cores could compute.
func TestAccountOfLargeExactConvolutions(t *testing.T) {
	for _, c := range []struct {
		outputs   int
		precision runtime.Precision
		requested string
		want      bool
	}{
		{64, runtime.Exact, "", true},
		{64, runtime.Fast, "", false},
		{64, runtime.Exact, "(Precision.HIGHEST, Precision.HIGHEST)", false},
		{8, runtime.Exact, "", false},
	} {
		f := fakecuda.New()
		f.Capability = 80
		e := device.New(open(t, f, ""))
		b := jaxpr.NewBuilder()
		x, w := b.Input(core.Aval(core.Float32, 64, 64, 128, 128)), b.Input(core.Aval(core.Float32, c.outputs, 64, 3, 3))
		ones := core.MakeDims(1, 1)
		y := b.Eqn(windows.ConvP{Strides: ones, Padding: core.MakeDims(1, 1, 1, 1), LhsDilation: ones, RhsDilation: ones, LhsSpec: core.Range(0, 4), RhsSpec: core.Range(0, 4), OutSpec: core.Range(0, 4),
			FeatureGroups: 1, BatchGroups: 1, Precision: c.requested}, x, w)[0]
		p, err := runtime.Compile(e, &runtime.Request{Jaxpr: b.Build(y), Label: "f", Options: runtime.Options{Precision: c.precision}})
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(p.Account().Notes, ", "); strings.Contains(notes, "1 large convolution (") != c.want || notes != "" && !c.want {
			t.Errorf("%+v: got %q", c, notes)
		}
	}
}
