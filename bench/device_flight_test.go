//go:build drivers

package main

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime/device"
)

// An H100, and what its memory needs: 3.35 TB/s times some 0.7 µs until a request is answered, and
// as much again since threads also do other things.
const (
	units       = 132
	unitThreads = 2048
	unitGroups  = 32
	unitShared  = 227 << 10
	unitFlight  = 32 << 10 // bytes
	sector      = 32       // the fewest bytes that memory moves
)

// Kernels request enough bytes at once to keep an H100's memory busy, and use the bytes that it moves: those of the rows that move
// memory and have a limit, at full size, and of other reductions. The time of a row's kernels is within a fifth of the time that
// their bytes take or, for scatters, within a limit of the row's own.
func TestDeviceRowsKeepMemoryBusy(t *testing.T) {
	t.Setenv("WEFT_SCALE", "1")
	const usual = 1.2
	limits := map[string]float64{
		"scatter-add of 1e6":        1.5, // counts of digits, a group's far from each other
		"scatter-add of 1e6 to one": 1.5,
		"gradient of embedding":     1.5, // sorts 2¹⁶ keys, in fewer groups than the device runs at once
		"count of 1e7":              2.3, // a thread requests one number at a time
	}
	own := len(limits)
	for _, f := range deviceFigures() {
		if limits[f.name] == 0 && (f.must > 0 || f.name == "copy") {
			limits[f.name] = usual
		}
	}
	rows := 0
	follow := func(name string, f func(x weft.Array) weft.Array, x weft.Array) {
		rows++
		limit := max(limits[name], usual)
		if limit > usual {
			own--
		}
		ir, err := weft.Lower(f, x)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		slowdown, log := slowdownOf(device.Functions(device.PlanOf(ir), schedule.Device{Digits: schedule.WarpDigits}))
		if t.Logf("%s: %.2f", name, slowdown); slowdown > limit {
			t.Errorf("%s: takes %.2f of the time of its bytes, want at most %v:\n%s", name, slowdown, limit, log)
		}
	}
	programs = func(name string, f func(x weft.Array) weft.Array, x weft.Array) {
		if limits[name] > 0 {
			follow(name, f, x)
		}
	}
	defer func() { programs = nil }()
	// Arrays that are traced need no memory.
	_, err := weft.Jaxpr(func(x weft.Array) weft.Array {
		BenchmarkMemoryDevice(nil)
		BenchmarkOrderDevice(nil)
		m := weft.Linspace(-1, 1, 1<<27).Reshape(1<<17, 1<<10)
		follow("column sums of 64 columns", func(m weft.Array) weft.Array { return m.Reshape(1<<21, 64).Sum(0) }, m)
		follow("argmax of columns", func(m weft.Array) weft.Array { return m.ArgMax(0) }, m)
		follow("softmax of columns", func(m weft.Array) weft.Array { return nn.Softmax(m, 0) }, m)
		follow("argmax of rows", func(m weft.Array) weft.Array { return m.ArgMax(1) }, m)
		follow("sums of long rows", func(m weft.Array) weft.Array { return m.Sum(1) }, weft.Ones(1<<14, 1<<13))
		follow("sums of few rows", func(m weft.Array) weft.Array { return m.Sum(1) }, weft.Ones(40, 1<<20))
		follow("softmax of one row", func(m weft.Array) weft.Array { return nn.Softmax(m.Reshape(-1), 0) }, m)
		follow("means of channels", func(m weft.Array) weft.Array { return m.Mean(0, 2, 3) }, weft.Ones(512, 64, 64, 64))
		return x
	}, weft.Ones(1))
	if err != nil || rows < 15 || own != 0 {
		t.Errorf("%d rows, %d with limits of their own are missing, %v", rows, own, err)
	}
}

// slowdownOf returns the time that functions take for the bytes of their buffers, as a multiple of the time
// that a busy memory takes for them, and a line about each function.
func slowdownOf(fs []*simt.Func) (slowdown float64, log string) {
	time, all := 0., 0.
	for _, f := range fs {
		l := flightOf(f)
		shared := f.DynamicBytes() + 1<<10
		for _, a := range f.Arrays {
			if a.Shared {
				shared += a.Len * a.Type.Size()
			}
		}
		groups := min(f.Groups(nil), units*int64(min(unitThreads/f.Threads, unitGroups, unitShared/shared)))
		busy := min(1, float64(int64(l.most)*groups)/(units*unitFlight))
		use := float64(l.useful) / float64(max(l.moved, 1))
		bytes := 0.
		for i, b := range f.Kernel.Buffers {
			if l.uses[i] {
				bytes += float64(b.Len.Value) * float64(b.Type.Size())
			}
		}
		log += fmt.Sprintf("%s: %d groups of %d threads, %d bytes of a group in flight, %.2f of %.0f MB in %.2f of the speed\n",
			f.Name, f.Groups(nil), f.Threads, l.most, use, bytes/1e6, busy)
		time += bytes * max(1/busy, 1/use)
		all += bytes
	}
	return time / all, log
}
