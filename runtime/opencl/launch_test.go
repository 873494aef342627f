//go:build linux && (amd64 || arm64)

package opencl

import (
	"testing"

	"github.com/weft-go/weft/internal/race"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
)

// A launch allocates nothing, and an argument that differs from that of the launch before is set.
func TestLaunchAllocatesNothing(t *testing.T) {
	d := opened(t)
	k, err := ir.Parse("kernel k(in x f32[2], out y f32[2]) {\nvector a0<2 {\n%0 = load f32 x[a0<2]\nstore y[a0<2], %0\n}\n}")
	if err != nil {
		t.Fatal(err)
	}
	code, err := d.Build([]*simt.Func{simt.Lower(k, simt.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Free(m)
	memory := make([]byte, 64)
	for i := range memory {
		memory[i] = byte(i)
	}
	if err := d.Write(m, 0, memory); err != nil {
		t.Fatal(err)
	}
	launch := func(from, to int) {
		if err := d.Launch(code.Kernels[0], 1, []device.Place{{Memory: m, Offset: from}, {Memory: m, Offset: to}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][2]int{{0, 16}, {8, 24}, {8, 32}, {16, 40}} {
		launch(c[0], c[1])
		copy(memory[c[1]:c[1]+8], memory[c[0]:c[0]+8])
	}
	got := make([]byte, 64)
	if err := d.Read(got, m, 0); err != nil {
		t.Fatal(err)
	}
	if string(got) != string(memory) {
		t.Errorf("got %v, want %v", got, memory)
	}
	if race.Enabled {
		return // it allocates on its own
	}
	places := []device.Place{{Memory: m, Offset: 0}, {Memory: m, Offset: 48}}
	if n := testing.AllocsPerRun(200, func() {
		if err := d.Launch(code.Kernels[0], 1, places, nil); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}
