package device_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/device"
)

// A reduction of few long columns is divided among launches, in loops and branches, too,
// and keeps its bits. Long rows, and columns with other folds than sums, are divided by the plan.
func TestDividedColumns(t *testing.T) {
	race.Values(t)
	d := weft.DeviceNamed(simulated().Name())
	few := weft.Sin(weft.Linspace(0, 500, 700*12)).Reshape(700, 12)
	many := weft.Tile(few, 1, 16)
	for name, f := range map[string]func(m weft.Array) weft.Array{
		"sums": func(m weft.Array) weft.Array { return m.Sum(0) },
		"both": func(m weft.Array) weft.Array { return m.Sum(0).Add(m.Max(0)) },
		"branch": func(m weft.Array) weft.Array {
			return weft.Cond(m.At(0, 0).Get().Lt(2), func() weft.Array { return m.Mul(m).Sum(0) }, func() weft.Array { return m.Index(0) })
		},
		"tall":  func(m weft.Array) weft.Array { return m.Reshape(4200, 2).ArgMax(0) },
		"rows":  func(m weft.Array) weft.Array { return weft.Tile(m.Reshape(8400), 9).Sum() },
		"means": func(m weft.Array) weft.Array { return m.Reshape(20, 12, 35).Sum(0, 2) },
		"variances": func(m weft.Array) weft.Array {
			x := m.Reshape(20, 12, 35)
			return weft.Square(x.Sub(x.Mean(0, 2).Reshape(1, 12, 1))).Mean(0, 2)
		},
	} {
		m := few
		if name == "sums" || name == "branch" {
			m = many
		}
		if ir, err := weft.Lower(f, m); err != nil || name == "sums" && len(device.Functions(device.PlanOf(ir), schedule.Device{})) != 2 {
			t.Errorf("%s: there are no parts: %v", name, err)
		}
		want := f(m).String()
		if got := weft.Jit(f, weft.On(d))(m.To(d)).String(); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
