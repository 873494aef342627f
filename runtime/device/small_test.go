package device_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// smallGroups is a simulated device whose groups have few threads. It says so, or only when a kernel is built that needs more.
type smallGroups struct {
	*drivertest.Simulated
	threads int
	silent  bool
}

// Name returns the device's name.
func (s smallGroups) Name() string { return fmt.Sprint("groups-of-", s.threads, "-", s.silent) }

// Machine returns a device with small groups.
func (s smallGroups) Machine() schedule.Device {
	if s.silent {
		return schedule.Device{}
	}
	return schedule.Device{Group: s.threads}
}

// Build refuses functions of larger groups.
func (s smallGroups) Build(fs []*simt.Func) (device.Code, error) {
	for _, f := range fs {
		if f.Threads > s.threads {
			if !s.silent {
				return device.Code{}, fmt.Errorf("kernel %s has groups of %d threads", f.Name, f.Threads)
			}
			return device.Code{}, device.LabelOf(f).Fail(&device.GroupError{Threads: s.threads})
		}
	}
	return s.Simulated.Build(fs)
}

// Where groups have fewer threads than kernels usually need, programs compute the same bits.
func TestSmallGroups(t *testing.T) {
	type array = weft.Array
	spread := func(x array) array { return x.Add(weft.Eye(70).Mul(80)) }
	programs := map[string]func(x array) array{
		"product":   func(x array) array { return x.MatMul(x.T().Add(1)) },
		"long sums": func(x array) array { return x.Reshape(1, -1).MatMul(x.Reshape(-1, 1)).Add(x.Sum()).Add(x.Sum(1)) },
		"softmax": func(x array) array {
			e := weft.Exp(x.Sub(x.Max(1).Reshape(-1, 1)))
			return e.Div(e.Sum(1).Reshape(-1, 1))
		},
		"arguments":   func(x array) array { return x.ArgMax(0).Add(x.Reshape(-1).ArgMax(0)) },
		"columns":     func(x array) array { return x.Sum(0).Add(x.Max(0)) },
		"running sum": func(x array) array { return x.CumSum(1).Add(x.Reshape(-1).CumSum(0).Reshape(70, 70)) },
		"transpose":   func(x array) array { return x.T().AsType(weft.Float64).Add(x.AsType(weft.Float64)) },
		"sort":        func(x array) array { return x.Sort().Add(x.Reshape(-1).Sort().Reshape(70, 70)) },
		"top":         func(x array) array { v, _ := lax.TopK(x.Reshape(-1), 9, 0); return v },
		"scatter":     func(x array) array { return x.At(x.ArgMax(0)).Add(x) },
		"integers":    func(x array) array { return x.Mul(99).AsType(weft.Int32).At(x.ArgMax(1)).Add(1) },
		"gather":      func(x array) array { return weft.Take(x, x.ArgMax(0), 0) },
		"fourier":     func(x array) array { return weft.Abs(fft.FFT(x)) },
		"convolution": func(x array) array {
			return lax.Conv(x.Reshape(1, 1, 70, 70), x.Reshape(-1).Index(":27").Reshape(3, 1, 3, 3), []int{1, 1}, lax.Same)
		},
		"cholesky": func(x array) array { return linalg.Cholesky(spread(x).MatMul(spread(x).T())) },
		"solve":    func(x array) array { return linalg.Solve(spread(x), x) },
		"qr":       func(x array) array { q, r := linalg.QR(x); return q.Add(r) },
		"loops": func(x array) array {
			y := weft.While(func(y array) array { return y.Max().Lt(9) }, func(y array) array { return y.Mul(1.5).Add(0.25).Sort() }, x)
			return weft.Cond(y.Sum().Gt(0), func() array { return y.MatMul(x) }, func() array { return x })
		},
	}
	x := weft.Sin(weft.Iota(weft.Float32, 0, 70*70)).Reshape(70, 70)
	for _, s := range []smallGroups{{threads: 64}, {threads: 1}, {threads: 48, silent: true}} {
		s.Simulated = &drivertest.Simulated{}
		if err := runtime.Register(device.New(s)); err != nil {
			t.Fatal(err)
		}
		d := weft.DeviceNamed(s.Name())
		for name, f := range programs {
			want := f(x)
			if got := weft.Jit(f, weft.On(d))(x); !testcheck.SameBinary(got, want) {
				t.Errorf("%s, %s: the bits differ from the reference's", s.Name(), name)
			}
			if got := f(x.To(d)); !testcheck.SameBinary(got, want) {
				t.Errorf("%s, %s, eager: the bits differ from the reference's", s.Name(), name)
			}
		}
	}
}
