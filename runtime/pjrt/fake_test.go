//go:build (linux || darwin) && (amd64 || arm64)

package pjrt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/fakepjrt"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// plugin opens a fake plugin whose compiled programs are kept in a folder.
func plugin(f *fakepjrt.Plugin, folder string) (*Plugin, error) { return sharing(f, folder, nil) }

// sharing is plugin with a store.
func sharing(f *fakepjrt.Plugin, folder string, store Store) (*Plugin, error) {
	api, err := capi.New(f.Table())
	if err != nil {
		return nil, err
	}
	l, err := newLibrary(api, "fake 0 0")
	if err != nil {
		return nil, err
	}
	return l.client(nil, "", store, codecache.In(folder, ".pjrt"))
}

// ramp returns the array 0, 1, …, n−1.
func ramp(n int) *runtime.Array {
	a := runtime.New(core.Aval(core.Float32, n))
	for i := range n {
		*elementAt(a, i) = float32(i)
	}
	return a
}

func elementAt(a *runtime.Array, i int) *float32 {
	return (*float32)(unsafe.Pointer(&a.Tensor().Data[4*i]))
}

// scaled returns the program of x·c + y, with c captured.
func scaled(n int) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	a := core.Aval(core.Float32, n)
	x, y := b.Input(a), b.Input(a)
	c := b.Const(ramp(n))
	return b.Build(b.Eqn(prim.AddP{}, b.Eqn(prim.MulP{}, x, c)[0], y)[0])
}

// scenario uses every function of a plugin, most of them several times. Its second client finds the
// programs of the first on the disk.
func scenario(ctx context.Context, f *fakepjrt.Plugin, folder string) error {
	for range 2 {
		if err := once(ctx, f, folder); err != nil {
			return err
		}
	}
	return nil
}

func once(ctx context.Context, f *fakepjrt.Plugin, folder string) error {
	p, err := plugin(f, folder)
	if err != nil {
		return err
	}
	_ = p.devices[0].Description()
	for i, n := range []int{100, 5, 100} {
		d := p.devices[i%2]
		c, err := runtime.Compile(d, &runtime.Request{Jaxpr: scaled(n), Label: "scaled"})
		if err != nil {
			return err
		}
		x := ramp(n)
		outs, err := c.Run(ctx, []*runtime.Array{x, x})
		if err != nil {
			return err
		}
		if outs, err = c.Run(ctx, []*runtime.Array{outs[0], x}); err != nil {
			return err
		}
		if err := outs[0].Wait(ctx); err != nil {
			return err
		}
		moved, err := runtime.Place(ctx, p.devices[(i+1)%2], outs[0])
		if err != nil {
			return err
		}
		for _, a := range []*runtime.Array{outs[0], moved} {
			h, err := runtime.Reference.Place(ctx, a)
			if err != nil {
				return err
			}
			if got, k := *elementAt(h, n-1), float32(n-1); got != (k*k+k)*k+k {
				return fmt.Errorf("got %v, want %v", got, (k*k+k)*k+k)
			}
		}
	}
	if err := aheadOnce(p.client.api); err != nil {
		return err
	}
	return dividedOnce(ctx, p)
}

// aheadOnce compiles a program for devices that are not there.
func aheadOnce(api *capi.API) error {
	devices, err := api.NewTopology("two", []capi.Value{{Name: "count", Value: int64(2)}})
	if err != nil {
		return err
	}
	n, err := api.CompileFor(devices, []byte("func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>) {\n return %a : tensor<2xf32>\n}"), target{ids: []int{0}}.options())
	if err == nil && n == 0 && api.Has(capi.ExecutableSerialize) {
		err = errors.New("the program has no bytes")
	}
	return errors.Join(err, api.DestroyTopology(devices))
}

// dividedOnce runs a program on both devices, on whole and on cut arguments.
func dividedOnce(ctx context.Context, p *Plugin) error {
	g, err := p.devices[0].group([]runtime.Executor{p.devices[0], p.devices[1]})
	if err != nil {
		return err
	}
	const n = 100
	c, err := runtime.Compile(g, &runtime.Request{Jaxpr: scaled(n), Label: "scaled"})
	if err != nil {
		return err
	}
	m := jaxpr.Mesh{Axes: []jaxpr.MeshAxis{{Name: "x", Size: 2}}}
	for _, s := range []jaxpr.Spec{nil, {{"x"}}} {
		x, err := runtime.Cut(ctx, g, ramp(n), m, s)
		if err != nil {
			return err
		}
		outs, err := c.Run(ctx, []*runtime.Array{x, x})
		if err != nil {
			return err
		}
		if err := outs[0].Wait(ctx); err != nil {
			return err
		}
		if _, got, _ := g.Pieces(outs[0]); got.String() != s.String() {
			return fmt.Errorf("the result is cut as %v, want %v", got, s)
		}
		if got, want := c.Account().ResultBytes, 4*n/(1+len(s)); got != want {
			return fmt.Errorf("a device has %d bytes of the result, want %d", got, want)
		}
		whole, err := runtime.Cut(ctx, g, outs[0], m, nil)
		if err != nil {
			return err
		}
		for _, a := range []*runtime.Array{outs[0], whole} {
			h, err := runtime.Reference.Place(ctx, a)
			if err != nil {
				return err
			}
			if got, k := *elementAt(h, n-1), float32(n-1); got != k*k+k {
				return fmt.Errorf("on two devices: got %v, want %v", got, k*k+k)
			}
		}
	}
	return nil
}

// A program on the disk that was compiled under other flags of XLA is compiled again.
func TestFlagsOfXLA(t *testing.T) {
	folder := t.TempDir()
	for i, flags := range []string{"", "", "--xla_cpu_enable_fast_math=true"} {
		t.Setenv("XLA_FLAGS", flags)
		f := fakepjrt.New()
		if err := once(t.Context(), f, folder); err != nil {
			t.Fatal(err)
		}
		if n := f.Calls()["Client_Compile"]; (n > 0) != (i != 1) {
			t.Errorf("run %d, under the flags %q: %d programs were compiled", i, flags, n)
		}
	}
}

// left returns the objects that a plugin has after everything is garbage, but the client, which is
// never closed.
func left(f *fakepjrt.Plugin) []string {
	var live []string
	for range 20 {
		collect()
		if live = slices.DeleteFunc(f.Live(), func(s string) bool { return s == "client" }); len(live) == 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return live
}

func TestScenario(t *testing.T) {
	f := fakepjrt.New()
	if err := scenario(t.Context(), f, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if live := left(f); len(live) > 0 {
		t.Errorf("objects are left: %v", live)
	}
}
