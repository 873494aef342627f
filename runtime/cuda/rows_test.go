//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
)

// Groups of a cluster share long rows if the device has clusters, in launches and in the nodes of graphs.
func TestRowsOfClusters(t *testing.T) {
	race.Values(t)
	f := fakecuda.New()
	f.Capability = 90
	d, _ := registered(t, f)
	x := weft.Sin(weft.Linspace(-9, 9, 18001)).Reshape(1, 18001)
	program := func(x weft.Array) weft.Array { return nn.Softmax(x.Neg().Sort(0), 1).Add(1) }
	want := program(x)
	g := weft.Jit(program, weft.On(d))
	for i := range 2 {
		if got := g(x); !testcheck.SameBinary(got, want) {
			t.Errorf("call %d differs", i)
		}
	}
	if f.Calls("cuGraphLaunch") == 0 {
		t.Error("no graph was launched")
	}
}
