//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"context"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// profile measures the steps of a function of an f32[50] on a device, for atLeast or longer.
func profile(d *driver, f func(x weft.Array) weft.Array, atLeast time.Duration) (times []device.StepTime, runs int, err error) {
	x := runtime.New(core.Aval(core.Float32, 50))
	j, err := weft.Jaxpr(f, weft.Ones(50))
	if err != nil {
		return nil, 0, err
	}
	exe, err := device.New(d).Compile(&runtime.Request{Jaxpr: lower.Program(j)})
	if err != nil {
		return nil, 0, err
	}
	return device.Profile(context.Background(), exe, []*runtime.Array{x}, atLeast)
}

// All steps, also those within loops, are measured by the device's clock, and all events are destroyed.
func TestProfile(t *testing.T) {
	f := fakecuda.New()
	d := open(t, f, "")
	times, runs, err := profile(d, func(x weft.Array) weft.Array {
		y, _ := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(x).Sort(), x }, weft.Zeros(50), weft.Ones(3, 50).Mul(x))
		return y
	}, 0)
	if err != nil || runs != 1 || len(times) == 0 {
		t.Fatal(times, runs, err)
	}
	for _, s := range times {
		want := time.Duration(0)
		switch {
		case len(s.Step.Inner()) > 0: // the steps within
			for _, q := range times {
				if q.Plan == s.Step.Inner()[0] {
					want += q.Time
				}
			}
			if s.Time < want || want == 0 {
				t.Errorf("%s: %v, of which %v within", s.Plan.Line(s.Step), s.Time, want)
			}
		case s.Time < 250*time.Microsecond*time.Duration(s.Calls):
			t.Errorf("%s: %v of %d calls", s.Plan.Line(s.Step), s.Time, s.Calls)
		}
	}
	left := f.Objects().Events
	for _, m := range []*marks{&d.marks, &d.up.marks, &d.down.marks, &d.inner.marks} {
		for _, e := range m.events {
			if e != 0 {
				left--
			}
		}
	}
	if n := f.Calls("cuEventDestroy_v2"); left != 0 || n == 0 {
		t.Errorf("%d events are left, %d are destroyed", left, n)
	}
	if _, _, err := device.Profile(t.Context(), nil, nil, 0); err == nil {
		t.Error("what is no program is profiled")
	}
}
