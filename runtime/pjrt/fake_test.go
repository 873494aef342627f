//go:build (linux || darwin) && (amd64 || arm64)

package pjrt

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"
	"weak"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/internal/test/fakepjrt"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// plugin opens the pretended plugin, with compiled programs in a folder.
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

// ramp returns the numbers from 0 on.
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
func scenario(f *fakepjrt.Plugin, folder string) error {
	for range 2 {
		if err := once(f, folder); err != nil {
			return err
		}
	}
	return nil
}

func once(f *fakepjrt.Plugin, folder string) error {
	p, err := plugin(f, folder)
	if err != nil {
		return err
	}
	_ = p.devices[0].Description()
	ctx := context.Background()
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
	return dividedOnce(p)
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
func dividedOnce(p *Plugin) error {
	ctx := context.Background()
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
	if err := scenario(f, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if live := left(f); len(live) > 0 {
		t.Errorf("objects are left: %v", live)
	}
}

// Each function fails at its first, middle and last call: that is an error or goes unnoticed, nothing
// is lost, and nothing waits for ever.
func TestFailures(t *testing.T) {
	f := fakepjrt.New()
	if err := scenario(f, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	left(f)
	calls := f.Calls()
	unnoticed := map[string]bool{ // what is lost is a figure, a file or a free
		"Device_MemoryStats": true, "Executable_GetCompiledMemoryStats": true, "Executable_Serialize": true, "Executable_DeserializeAndLoad": true,
		"Buffer_Destroy": true, "LoadedExecutable_Destroy": true, "Executable_Destroy": true, "Error_Destroy": true, "Error_Message": true, "Error_GetCode": true,
	}
	for _, fn := range capi.Called() {
		name := strings.TrimPrefix(fn.String(), "PJRT_")
		n := calls[name]
		if n == 0 && !strings.HasPrefix(name, "Error_") && name != "Client_Destroy" {
			t.Errorf("%s was not called", name)
		}
		for _, at := range slices.Compact([]int{1, (n + 1) / 2, max(n, 1)}) {
			f := fakepjrt.New()
			f.Fail = func(function string, n int) bool {
				return function == name && n == at || strings.HasPrefix(name, "Error_") && function == "LoadedExecutable_Execute"
			}
			done := make(chan error, 1)
			go func() { done <- scenario(f, t.TempDir()) }()
			select {
			case err := <-done:
				switch {
				case strings.HasPrefix(name, "Error_"), name == "Client_Destroy", err == nil && unnoticed[name]:
				case err == nil && name == "LoadedExecutable_GetExecutable": // of those for figures and files
				case err == nil:
					t.Errorf("call %d of %s fails, and no error reports it", at, name)
				case !unnoticed[name] && !strings.Contains(err.Error(), fmt.Sprintf("%v failed: call %d of %s fails", fn, at, name)):
					t.Errorf("call %d of %s fails, and the error is %v", at, name, err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("call %d of %s fails, and something hangs", at, name)
			}
			f.Fail = nil
			if live := left(f); len(live) > 0 {
				t.Errorf("call %d of %s fails, and objects are left: %v", at, name, live)
			}
		}
	}
}

// A function that succeeds without its result is an error, too.
func TestMissingResults(t *testing.T) {
	for name, word := range map[string]int{"Client_Create": 8, "Client_Compile": 6, "Client_BufferFromHostBuffer": 14, "Buffer_CopyToDevice": 4, "Executable_NumOutputs": 3,
		"TopologyDescription_Create": 6, "Compile": 7} {
		f := fakepjrt.New()
		f.Spoil = func(function string, w *[24]uintptr) {
			if function == name {
				w[word] = 0
			}
		}
		if err := scenario(f, ""); err == nil {
			t.Errorf("%s returns nothing, and no error reports it", name)
		}
	}
}

// Plugins of other versions, and those that lack a function, are refused by name.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		change func(f *fakepjrt.Plugin)
		want   string
	}{
		{func(f *fakepjrt.Plugin) { f.SetVersion(1, 2) }, "the plugin has version 1.2 of the interface, and 0 is supported"},
		{func(f *fakepjrt.Plugin) { f.SetVersion(0, 7); f.Truncate("Buffer_ReadyEvent") }, "version 0.7 of the interface, without PJRT_Buffer_ReadyEvent"},
		{func(f *fakepjrt.Plugin) { f.Remove("Client_Compile") }, "without PJRT_Client_Compile"},
		{func(f *fakepjrt.Plugin) { f.Truncate("Error_Destroy") }, "without PJRT_Error_Destroy"},
	} {
		f := fakepjrt.New()
		c.change(f)
		if _, err := capi.New(f.Table()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	if _, err := capi.New(0); err == nil {
		t.Error("a plugin without a table is used")
	}
	f := fakepjrt.New()
	f.SetVersion(0, 900) // newer, with what an older one has
	if err := scenario(f, ""); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"Plugin_Attributes", "Device_MemoryStats", "Executable_Serialize", "Executable_DeserializeAndLoad", "Buffer_CopyToDevice", "Executable_GetCompiledMemoryStats", "Client_PlatformVersion"} {
		f := fakepjrt.New()
		f.Remove(name)
		if err := scenario(f, t.TempDir()); err != nil {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// The compiler's error gets the user's line, where it names a line of the module.
func TestCompileErrors(t *testing.T) {
	f := fakepjrt.New()
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Message = "\n-:4:10: error: 'stablehlo.add' op is not liked"
	f.Fail = func(function string, n int) bool { return function == "Client_Compile" }
	j := scaled(5)
	_, err = runtime.Compile(p.devices[0], &runtime.Request{Jaxpr: j, Label: "scaled"})
	var e *core.Error
	if !errors.As(err, &e) || !errors.Is(err, core.ErrDevice) || !strings.Contains(e.Pos, "fake_test.go:") {
		t.Errorf("got %v, want an error at a line of this file", err)
	}
}

// A plugin that lacks an operation of CHLO gets its decomposition.
func TestOlderPlugin(t *testing.T) {
	f := fakepjrt.New()
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Message = ": unregistered operation 'chlo.asinh' found in dialect ('chlo')"
	f.Fail = func(function string, n int) bool { return function == "Client_Compile" && n == 1 }
	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, 3))
	j := b.Build(b.Eqn(prim.AsinhP{}, x)[0])
	var kept []*runtime.Compiled
	for range 2 { // the second time it knows
		c, err := runtime.Compile(p.devices[0], &runtime.Request{Jaxpr: j})
		if err != nil {
			t.Error(err)
		}
		kept = append(kept, c)
	}
	defer goruntime.KeepAlive(kept)
	if n := f.Calls()["Client_Compile"]; n != 2 {
		t.Errorf("%d programs were compiled, want 2", n)
	}
}

// A plugin without foreign functions refuses what calls the host, by name.
func TestHostCallsAreRefused(t *testing.T) {
	p, err := plugin(fakepjrt.New(), "")
	if err != nil {
		t.Fatal(err)
	}
	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, 3))
	b.Eqn(hostcall.DebugPrintP{Format: "{}", Positional: 1}, x)
	_, err = runtime.Compile(p.devices[0], &runtime.Request{Jaxpr: b.Build(x), Label: "printing"})
	if err == nil || !strings.Contains(err.Error(), "debug_print") {
		t.Errorf("got %v, want an error that names debug_print", err)
	}
}

// A program of other results than it was written with is refused.
func TestOtherResults(t *testing.T) {
	f := fakepjrt.New()
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Spoil = func(function string, w *[24]uintptr) {
		if function == "Executable_OutputElementTypes" {
			**(**int32)(unsafe.Pointer(&w[3])) = 12
		}
	}
	if _, err := runtime.Compile(p.devices[0], &runtime.Request{Jaxpr: scaled(3)}); err == nil || !strings.Contains(err.Error(), "element type 12") {
		t.Errorf("got %v, want an error about element type 12", err)
	}
}

// Such an executor cannot be a default.
func TestNoDefault(t *testing.T) {
	p, err := plugin(fakepjrt.New(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := runtime.RegisterDefault(p.devices[0]); err == nil || !strings.Contains(err.Error(), "XLA's") {
		t.Errorf("got %v, want an error that tells whose bits it has", err)
	}
}

// badStore fails, or panics.
type badStore struct{ panics bool }

func (s badStore) Put(string, []byte) error { return nil }

func (s badStore) Get(string, time.Duration) ([]byte, error) {
	if s.panics {
		panic("a mistake")
	}
	return nil, errors.New("the network is down")
}

// storeOf is another store of the same values.
type storeOf struct{ Store }

// A plugin that shares values with other processes reads what it has written; errors of the store are
// those of the client.
func TestStore(t *testing.T) {
	f := fakepjrt.New()
	s := NewStore()
	if _, err := sharing(f, "", s); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Get("fake", 0); err != nil || string(v) != "here" {
		t.Errorf("got %q (%v), want what the plugin has written", v, err)
	}
	if n := f.Calls()["values"]; n != 2 {
		t.Errorf("the plugin has got %d values, want 2", n)
	}
	for want, s := range map[string]Store{"the network is down": badStore{}, "the store panicked: a mistake": badStore{true}} {
		if _, err := sharing(f, "", s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	if live := left(f); len(live) > 0 {
		t.Errorf("objects are left: %v", live)
	}
	for _, function := range []string{"Client_Create", "Client_PlatformName"} { // a store lasts as long as its client
		f.Fail = func(name string, _ int) bool { return name == function }
		lost := &storeOf{s}
		gone := weak.Make(lost)
		if _, err := sharing(f, "", lost); err == nil {
			t.Errorf("%s fails, and no error reports it", function)
		}
		lost = nil
		if collect(); gone.Value() != nil {
			t.Errorf("%s fails, and the store is kept", function)
		}
	}
	begin := time.Now()
	if _, err := s.Get("none", 30*time.Millisecond); !errors.Is(err, ErrNoValue) || time.Since(begin) < 30*time.Millisecond {
		t.Errorf("got %v after %v, want ErrNoValue after 30 ms", err, time.Since(begin))
	}
	go func() { time.Sleep(time.Millisecond); _ = s.Put("late", []byte{1}) }()
	if v, err := s.Get("late", time.Minute); err != nil || len(v) != 1 {
		t.Errorf("got %v (%v), want the value that comes late", v, err)
	}
	if _, err := Open("plugin.so", Share(nil)); err == nil || !strings.Contains(err.Error(), "pjrt.Share is nil") {
		t.Errorf("got %v, want an error about the store", err)
	}
}
