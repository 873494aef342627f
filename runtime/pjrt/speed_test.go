//go:build !drivers

package pjrt

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

var speed = flag.Bool("speed", false, "measure what calls and compiling cost beside the plugin's own functions")

// measured opens the machine's plugin for a measurement. The test is skipped without the flag -speed.
func measured(t *testing.T) *device {
	if !*speed {
		t.Skip("pass -speed to measure")
	}
	files := filepath.SplitList(os.Getenv(Variable))
	if len(files) == 0 {
		t.Skip("no plugin: set WEFT_PJRT")
	}
	p, err := load(files[0], nil, fmt.Sprint("speed", time.Now().UnixNano()), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := p.devices[0]
	d.folder = nil
	if err := runtime.Register(d); err != nil {
		t.Fatal(err)
	}
	return d
}

// What a call costs compared with the plugin's own functions: start, wait and free, on buffers that are
// on the device.
func TestCallSpeed(t *testing.T) {
	d := measured(t)
	for _, n := range []int{8, 256} {
		layer := func(x, y weft.Array) weft.Array { return weft.Tanh(x.MatMul(y)).Add(1) }
		f := weft.Jit(layer, weft.On(weft.DeviceNamed(d.name)))
		x, y := weft.Ones(n, n).To(weft.DeviceNamed(d.name)), weft.Ones(n, n).To(weft.DeviceNamed(d.name))
		f(x, y)
		xb, yb := x.Value().(*runtime.Array).Buffer().(*buffer), y.Value().(*runtime.Array).Buffer().(*buffer)
		r := compiledOf(t, d, layer, x, y)
		const calls = 200
		var own, ours []float64
		for range 30 {
			start := time.Now()
			for range calls {
				var out [1]capi.Handle
				if err := d.api.Execute(r.exe.handle, out[:], 2, func(in []capi.Handle) { in[0], in[1] = xb.handle, yb.handle }, false); err != nil {
					t.Fatal(err)
				}
				if err := d.api.Wait(out[0]); err != nil {
					t.Fatal(err)
				}
				if err := d.api.DestroyBuffer(out[0]); err != nil {
					t.Fatal(err)
				}
			}
			own = append(own, float64(time.Since(start).Nanoseconds())/calls)
			start = time.Now()
			for range calls {
				z := f(x, y)
				if err := z.Value().(*runtime.Array).Wait(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			ours = append(ours, float64(time.Since(start).Nanoseconds())/calls)
		}
		t.Logf("%d: the plugin %.0f ns, a call %.0f ns, %.2f times (least of %d); medians %.0f, %.0f", n, slices.Min(own), slices.Min(ours), slices.Min(ours)/slices.Min(own), len(own), median(own), median(ours))
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// compiledOf compiles a function on a device.
func compiledOf(t *testing.T, d *device, f any, args ...any) *program {
	ir, err := weft.Jaxpr(f, args...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Compile(&runtime.Request{Jaxpr: ir})
	if err != nil {
		t.Fatal(err)
	}
	return e.(*program)
}

// How long writing a program and checking the compiled one take compared with XLA's compiling.
func TestCompileSpeed(t *testing.T) {
	d := measured(t)
	const batch, length, width, heads = 2, 32, 64, 4
	block := func(w []weft.Array, x weft.Array) weft.Array {
		q, k, v := x.MatMul(w[0]), x.MatMul(w[1]), x.MatMul(w[2])
		split := func(x weft.Array) weft.Array { return x.Reshape(batch, length, heads, width/heads) }
		a := nn.Attention(split(q), split(k), split(v), nn.AttentionConfig{}).Reshape(batch, length, width)
		x = x.Add(a.MatMul(w[3]))
		return x.Add(nn.Gelu(x.MatMul(w[4])).MatMul(w[5]))
	}
	const layers = 4
	loss := func(ws [][]weft.Array, x weft.Array) weft.Array {
		for _, w := range ws {
			x = block(w, x)
		}
		return x.Mul(x).Mean()
	}
	var ws [][]weft.Array
	for range layers {
		ws = append(ws, []weft.Array{weft.Ones(width, width), weft.Ones(width, width), weft.Ones(width, width), weft.Ones(width, width), weft.Ones(width, 4*width), weft.Ones(4*width, width)})
	}
	x := weft.Ones(batch, length, width)
	ir, err := weft.Jaxpr(weft.Grad(func(ws [][]weft.Array) weft.Array { return loss(ws, x) }), ws)
	if err != nil {
		t.Fatal(err)
	}
	r := &runtime.Request{Jaxpr: ir}
	var ours []float64
	var m *module
	for range 20 {
		start := time.Now()
		if m, err = d.write(r, false, nil); err != nil {
			t.Fatal(err)
		}
		ours = append(ours, float64(time.Since(start).Microseconds())/1000)
	}
	start := time.Now()
	exe, err := d.executable(m, target{ids: []int{d.id}})
	if err != nil {
		t.Fatal(err)
	}
	xla := time.Since(start)
	start = time.Now()
	if _, err := d.api.Results(exe.handle); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lines: written in %.2f ms (least of %d; median %.2f), compiled by XLA in %v, checked in %v", strings.Count(m.text, "\n"), slices.Min(ours), len(ours), median(ours), xla, time.Since(start))
}
