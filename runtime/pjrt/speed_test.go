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

// What a call costs compared with the plugin's own functions, on buffers that are on the device: start,
// wait and free. A call's result lives until the collector has run, so it lies in other memory than the
// results before it. The plugin's functions have the same work where as many results are kept, and where a
// result takes the memory of the argument that it replaces.
func TestCallSpeed(t *testing.T) {
	d := measured(t)
	on := weft.On(weft.DeviceNamed(d.name))
	layer := func(x, y weft.Array) weft.Array { return weft.Tanh(x.MatMul(y)).Add(1) }
	handle := func(x weft.Array) capi.Handle { return x.Value().(*runtime.Array).Buffer().(*buffer).handle }
	for _, n := range []int{8, 256} {
		ones := func() weft.Array { return weft.Ones(n, n).To(weft.DeviceNamed(d.name)) }
		x, y := ones(), ones()
		f, step := weft.Jit(layer, on), weft.Jit(layer, on, weft.Donate(1))
		plain, replacing := compiledOf(t, d, layer, nil, x, y), compiledOf(t, d, layer, []bool{false, true}, x, y)
		execute := func(r *program, y capi.Handle) capi.Handle {
			var out [1]capi.Handle
			if err := d.api.Execute(r.exe.handle, out[:], 2, func(in []capi.Handle) { in[0], in[1] = handle(x), y }, false); err != nil {
				t.Fatal(err)
			}
			if err := d.api.Wait(out[0]); err != nil {
				t.Fatal(err)
			}
			return out[0]
		}
		free := func(list ...capi.Handle) {
			for _, h := range list {
				if err := d.api.DestroyBuffer(h); err != nil {
					t.Fatal(err)
				}
			}
		}
		wait := func(z weft.Array) weft.Array {
			if err := z.Value().(*runtime.Array).Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
			return z
		}
		var kept []capi.Handle
		state, given := execute(plain, handle(y)), wait(f(x, y))
		const calls = 200
		rows := []struct {
			name string
			call func()
			µs   []float64
		}{
			{name: "a result freed at once", call: func() { free(execute(plain, handle(y))) }},
			{name: "results kept", call: func() {
				if kept = append(kept, execute(plain, handle(y))); len(kept) >= leastGiven/(4*n*n) {
					free(kept...)
					kept = kept[:0]
				}
			}},
			{name: "a call", call: func() { wait(f(x, y)) }},
			{name: "an argument replaced", call: func() {
				z := execute(replacing, state)
				free(state)
				state = z
			}},
			{name: "a call with Donate", call: func() { given = wait(step(x, given)) }},
		}
		for range 30 {
			for i := range rows {
				start := time.Now()
				for range calls {
					rows[i].call()
				}
				rows[i].µs = append(rows[i].µs, float64(time.Since(start).Nanoseconds())/calls/1000)
			}
		}
		free(append(kept, state)...)
		ratio := func(a, b int) float64 {
			var list []float64
			for i, µs := range rows[a].µs {
				list = append(list, µs/rows[b].µs[i])
			}
			return median(list)
		}
		t.Logf("%d: medians of pairs: a call takes %.2f times as long as where a result is freed at once, %.2f where results are kept; with Donate %.2f", n, ratio(2, 0), ratio(2, 1), ratio(4, 3))
		for _, r := range rows {
			t.Logf("%d: %s: least %.1f, median %.1f µs", n, r.name, slices.Min(r.µs), median(r.µs))
		}
	}
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// compiledOf compiles a function on a device, with arguments that are donated unless donated is nil.
func compiledOf(t *testing.T, d *device, f any, donated []bool, args ...any) *program {
	ir, err := weft.Jaxpr(f, args...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Compile(&runtime.Request{Jaxpr: ir, Donated: donated})
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
