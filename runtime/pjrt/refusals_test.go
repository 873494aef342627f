//go:build (linux || darwin) && (amd64 || arm64)

package pjrt

import (
	"errors"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/fakepjrt"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

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
	if err := scenario(t.Context(), f, ""); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"Plugin_Attributes", "Device_MemoryStats", "Executable_Serialize", "Executable_DeserializeAndLoad", "Buffer_CopyToDevice", "Executable_GetCompiledMemoryStats", "Client_PlatformVersion"} {
		f := fakepjrt.New()
		f.Remove(name)
		if err := scenario(t.Context(), f, t.TempDir()); err != nil {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// A file that WEFT_PJRT names and that is no plugin is an error of its own, at no line of the program.
func TestNamedFiles(t *testing.T) {
	t.Setenv(Variable, strings.Join([]string{"/nowhere/a.so", "", "/nowhere/b.so"}, string(filepath.ListSeparator)))
	found, err := sync.OnceValues(named)() // as it is called
	if len(found) > 0 || err == nil || !strings.Contains(err.Error(), "/nowhere/a.so") || !strings.Contains(err.Error(), "/nowhere/b.so") || strings.Contains(err.Error(), ".go:") {
		t.Errorf("got %d executors and %v, want an error about both files", len(found), err)
	}
}

// Of two plugins that WEFT_PJRT names and whose devices have the same names the first is used. The error
// about the other tells how to use both.
func TestNamedAlike(t *testing.T) {
	file := pluginFile(t)
	t.Setenv(Variable, file+string(filepath.ListSeparator)+file)
	found, err := named()
	if len(found) == 0 || len(found) != len(slices.Compact(slices.Clone(found))) || err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "pjrt.Name") || strings.Contains(err.Error(), ".go:") {
		t.Errorf("got %d executors and %v, want those of the first, and an error that names the file and pjrt.Name", len(found), err)
	}
}

// The compiler's error gets the user's line, where it names a line of the module.
func TestCompileErrors(t *testing.T) {
	f := fakepjrt.New()
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Break(fakepjrt.Faults{
		Message: "\n-:4:10: error: 'stablehlo.add' op is not liked",
		Fail:    func(function string, n int) bool { return function == "Client_Compile" },
	})
	j := scaled(5)
	_, err = runtime.Compile(p.devices[0], &runtime.Request{Jaxpr: j, Label: "scaled"})
	var e *core.Error
	if !errors.As(err, &e) || !errors.Is(err, core.ErrDevice) || !strings.Contains(e.Pos, "fake_test.go:") {
		t.Errorf("got %v, want an error at a line of this file", err)
	}
}

// What exchanges axes is refused where numbers of fewer than eight bits are, with plugins so old that they
// may end the process there.
func TestNarrowTranspositions(t *testing.T) {
	for minor, refused := range map[int32]bool{81: true, narrowTranspositions: false} {
		f := fakepjrt.New()
		f.SetVersion(0, minor)
		p, err := plugin(f, "")
		if err != nil {
			t.Fatal(err)
		}
		rows := indexed.Scattering{UpdateWindowDims: core.MakeDims(1), InsertedWindowDims: core.MakeDims(0), ScatterDimsToOperandDims: core.MakeDims(0)}
		columns := indexed.Scattering{UpdateWindowDims: core.MakeDims(0), InsertedWindowDims: core.MakeDims(1), ScatterDimsToOperandDims: core.MakeDims(1)}
		batch := indexed.Scattering{InsertedWindowDims: core.MakeDims(0), ScatterDimsToOperandDims: core.MakeDims(0), OperandBatchingDims: core.MakeDims(1), ScatterIndicesBatchingDims: core.MakeDims(0)}
		for _, dt := range []core.DType{core.Int4, core.Bool, core.Int8} {
			x, i := core.Aval(dt, 2, 3), core.Aval(core.Int32, 3, 1)
			for _, c := range []struct {
				p         core.Primitive
				in        []core.ShapedArray
				exchanges bool
			}{
				{prim.TransposeP{Perm: core.MakeDims(1, 0)}, []core.ShapedArray{x}, true},
				{indexed.GatherP{OffsetDims: core.MakeDims(1), CollapsedSliceDims: core.MakeDims(0), StartIndexMap: core.MakeDims(0), SliceSizes: core.MakeDims(1, 3)}, []core.ShapedArray{x, i}, false},
				{indexed.GatherP{OffsetDims: core.MakeDims(0), CollapsedSliceDims: core.MakeDims(1), StartIndexMap: core.MakeDims(1), SliceSizes: core.MakeDims(2, 1)}, []core.ShapedArray{x, i}, true},
				{rows.By(indexed.CombineSet, dt), []core.ShapedArray{x, i, core.Aval(dt, 3, 3)}, false},
				{columns.By(indexed.CombineSet, dt), []core.ShapedArray{x, i, core.Aval(dt, 2, 3)}, true},
				{prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0)}, []core.ShapedArray{x, core.Aval(dt, 3, 2)}, false},
				{prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(1)}, []core.ShapedArray{x, x}, true},
				{batch.By(indexed.CombineSet, dt), []core.ShapedArray{x, i, core.Aval(dt, 3)}, true},
			} {
				b := jaxpr.NewBuilder()
				var in []jaxpr.Atom
				for _, a := range c.in {
					in = append(in, b.Input(a))
				}
				_, err := p.devices[0].write(&runtime.Request{Jaxpr: b.Build(b.Eqn(c.p, in...)[0])}, false, nil)
				if want := refused && c.exchanges && dt == core.Int4; errors.Is(err, core.ErrDType) != want || (err == nil) == want {
					t.Errorf("version %d, %s of %v: got %v, want an error: %t", minor, c.p.Name(), c.in, err, want)
				}
			}
		}
	}
}

// A plugin that lacks an operation of CHLO gets its decomposition.
func TestOlderPlugin(t *testing.T) {
	f := fakepjrt.New()
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Break(fakepjrt.Faults{
		Message: ": unregistered operation 'chlo.asinh' found in dialect ('chlo')",
		Fail:    func(function string, n int) bool { return function == "Client_Compile" && n == 1 },
	})
	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, 3))
	j := b.Build(b.Eqn(prim.AsinhP{}, x)[0])
	var kept []*runtime.Compiled
	for range 2 { // the second time the plugin is known to be older
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

// With a plugin that lacks foreign functions, programs that call the host are refused. The error names
// the operation.
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

// A compiled program is refused if the types of its results are not those that were written.
func TestOtherResults(t *testing.T) {
	f := fakepjrt.New()
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	f.Break(fakepjrt.Faults{Spoil: func(function string, w *[24]uintptr) {
		if function == "Executable_OutputElementTypes" {
			**(**int32)(unsafe.Pointer(&w[3])) = 12
		}
	}})
	if _, err := runtime.Compile(p.devices[0], &runtime.Request{Jaxpr: scaled(3)}); err == nil || !strings.Contains(err.Error(), "element type 12") {
		t.Errorf("got %v, want an error about element type 12", err)
	}
}

// An executor with XLA's bits cannot be a default.
func TestNoDefault(t *testing.T) {
	p, err := plugin(fakepjrt.New(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := runtime.RegisterDefault(p.devices[0]); err == nil || !strings.Contains(err.Error(), "XLA's") {
		t.Errorf("got %v, want an error that tells whose bits it has", err)
	}
}
