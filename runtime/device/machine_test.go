package device_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// little is a device of two multiprocessors with 4 KiB of shared memory.
type little struct {
	*drivertest.Simulated
	t     *testing.T
	built *int
}

func (d little) Machine() schedule.Device {
	return schedule.Device{Units: 2, Shared: 4 << 10, Room: 4 << 10}
}

func (d little) Build(fs []*simt.Func) (device.Code, error) {
	for _, f := range fs {
		if !strings.HasPrefix(f.Name, "convolution") {
			continue
		}
		bytes := 0
		for _, a := range f.Arrays {
			bytes += a.Len * a.Type.Size()
		}
		if *d.built++; bytes > 4<<10 {
			d.t.Errorf("%s of %d threads needs %d bytes", f.Name, f.Threads, bytes)
		}
	}
	return d.Simulated.Build(fs)
}

// few is a device whose kernels have few buffers.
type few struct {
	*drivertest.Simulated
	most *int
}

const fewBuffers = 62

func (d few) Machine() schedule.Device { return schedule.Device{Buffers: fewBuffers} }

func (d few) Build(fs []*simt.Func) (device.Code, error) {
	for _, f := range fs {
		*d.most = max(*d.most, len(f.Kernel.Buffers))
	}
	return d.Simulated.Build(fs)
}

// Programs with many arrays have kernels with as few buffers as the device demands.
func TestFewBuffers(t *testing.T) {
	t.Parallel()
	d := few{&drivertest.Simulated{}, new(int)}
	e := device.New(d)
	r := rand.New(rand.NewPCG(2, 3))
	xs := make([]weft.Array, 150)
	for i := range xs {
		xs[i] = weft.Ones(5)
	}
	beside := func(x []weft.Array) []weft.Array {
		next := make([]weft.Array, len(x))
		for i := range x {
			next[i] = x[i].Mul(0.5).Add(x[(i+1)%len(x)])
		}
		return next
	}
	for name, f := range map[string]func(x []weft.Array) []weft.Array{
		"elementwise": beside,
		"one sum": func(x []weft.Array) []weft.Array {
			s := x[0]
			for _, y := range x[1:] {
				s = s.Add(y.Mul(y).Sum())
			}
			return []weft.Array{s}
		},
		"loop": func(x []weft.Array) []weft.Array {
			return weft.While(func(x []weft.Array) weft.Array { return x[0].Sum().Lt(9) }, beside, x)
		},
		"loop of numbers": func(x []weft.Array) []weft.Array {
			y := make([]weft.Array, len(x))
			for i := range x {
				y[i] = x[i].Index(2)
			}
			return weft.ForI(3, func(_ weft.Array, y []weft.Array) []weft.Array { return beside(y) }, y)
		},
	} {
		j, err := weft.Lower(f, xs)
		if err != nil {
			t.Fatal(err)
		}
		var args []*runtime.Array
		for _, v := range j.Ins {
			args = append(args, drivertest.Draw(r, v.Type, primtest.Domain{}))
		}
		*d.most = 0
		drivertest.Compare(t, e, j, args, slices.Repeat([]string{name}, len(j.Outs)))
		if *d.most == 0 || *d.most > fewBuffers {
			t.Errorf("%s: a kernel has %d buffers, want %d at most", name, *d.most, fewBuffers)
		}
	}
}

// Products are cut into pieces for which the device has room.
func TestLittleSharedMemory(t *testing.T) {
	t.Parallel()
	d := little{&drivertest.Simulated{}, t, new(int)}
	drivertest.Operations(t, device.New(d), 12)
	if *d.built == 0 {
		t.Error("no convolution was built")
	}
}
