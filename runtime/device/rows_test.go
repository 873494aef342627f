package device_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// clustered is a simulated device with small groups, which read each other's memory.
type clustered struct{ *drivertest.Simulated }

func (clustered) Machine() schedule.Device { return schedule.Device{Group: 128, Cluster: 4} }

// longRows are programs with reductions of rows.
var longRows = []struct {
	name string
	f    func(x weft.Array) weft.Array
}{
	{"softmax", func(x weft.Array) weft.Array { return nn.Softmax(x, -1) }},
	{"gradient of softmax", weft.Grad(func(x weft.Array) weft.Array { return weft.Square(nn.Softmax(x, -1)).Sum() })},
	{"layer norm", func(x weft.Array) weft.Array {
		n := x.Dim(1)
		l := nn.LayerNorm{Scale: weft.Linspace(-1, 1, n).AsType(x.DType()), Shift: weft.Linspace(0, 1, n).AsType(x.DType())}
		return l.Apply(x)
	}},
	{"cross-entropy", func(x weft.Array) weft.Array { return nn.CrossEntropy(x, weft.Arange(x.Dim(0)).Mul(7)) }},
	{"gradient of cross-entropy", weft.Grad(func(x weft.Array) weft.Array {
		return nn.CrossEntropy(x, weft.Arange(x.Dim(0)).Mul(7)).Sum()
	})},
	{"greatest and sum", func(x weft.Array) weft.Array { return x.Max(1).Add(x.Sum(1)) }},
}

// The threads of a group share rows of more than 1,024 elements, and the groups of a cluster longer ones, with the reference's bits.
func TestLongRowsOnDevices(t *testing.T) {
	race.Values(t)
	devices := []runtime.Executor{deviceOf(t)}
	if os.Getenv("WEFT_DEVICE") == "" {
		devices = append(devices, device.New(clustered{&drivertest.Simulated{}}))
	}
	r := rand.New(rand.NewPCG(3, 14))
	types := []core.DType{core.Float32, core.BFloat16, core.Float64, core.Float16}
	for i, p := range longRows {
		for k, n := range []int{1025, 6000, 50257} {
			if n > 10000 && !largeSizes() {
				continue
			}
			a := core.Aval(types[(i+k)%len(types)], 2, n)
			x := drivertest.Draw(r, a, primtest.Domain{})
			j, err := weft.Lower(p.f, weft.Zeros(2, n).AsType(a.DType))
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprint(p.name, a), func(t *testing.T) {
				e := devices[(i+k)%len(devices)]
				if a := drivertest.Compare(t, e, j, []*runtime.Array{x}, []string{p.name}); len(a.Fallbacks) > 0 {
					t.Errorf("the reference runs %v", a.Fallbacks)
				}
			})
		}
	}
}
