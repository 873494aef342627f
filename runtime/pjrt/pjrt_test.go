package pjrt_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt"
)

var pluginFlag = flag.String("plugin", "", "the file of a plugin; the first of WEFT_PJRT if it is empty")

// folder contains the compiled programs of this process's tests.
var folder string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "pjrt")
	if err != nil {
		panic(err)
	}
	folder = dir
	os.Setenv("WEFT_PJRT_CACHE", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var opened = sync.OnceValues(func() (*pjrt.Plugin, error) {
	file := *pluginFlag
	if list := filepath.SplitList(os.Getenv(pjrt.Variable)); file == "" && len(list) > 0 {
		file = list[0]
	}
	if file == "" {
		return nil, nil
	}
	return pjrt.Open(file, pjrt.Name("xla"), pjrt.Option("cpu_device_count", 4))
})

// device returns device i of the machine's plugin, which has four if it is for processors. Without a
// plugin the test is skipped, or fails if WEFT_REQUIRE demands one.
func device(t testing.TB, i int) weft.Device {
	t.Helper()
	p, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		if strings.Contains(os.Getenv("WEFT_REQUIRE"), "pjrt") {
			t.Fatal("WEFT_REQUIRE demands a plugin, and WEFT_PJRT names none")
		}
		t.Skip("no plugin: set WEFT_PJRT, or pass -plugin (docs/pjrt.md)")
	}
	names := p.Devices()
	if i >= len(names) {
		t.Skipf("the plugin has %d devices", len(names))
	}
	return weft.DeviceNamed(names[i])
}

func requireText(t *testing.T, what string, got any, want string) {
	t.Helper()
	if s := strings.Join(strings.Fields(fmt.Sprint(got)), " "); s != want {
		t.Errorf("%s: got %s, want %s", what, s, want)
	}
}

// near reports whether arrays are equal up to rounding.
func near(x, y weft.Array) bool {
	return weft.ToSlice[bool](weft.AllClose(x.To(weft.Device{}), y, 1e-5, 1e-6))[0]
}

func TestProgram(t *testing.T) {
	d := device(t, 0)
	large := weft.Arange(100) // an input of the compiled program
	f := weft.Jit(func(x, y weft.Array) weft.Array { return x.Mul(y).Add(large.Sum()).Sum() }, weft.On(d))
	y := f(weft.Arange(4), weft.Arange(4))
	requireText(t, "sum", y, "19814")
	if m := y.Value().(*runtime.Array).Memory(); m != runtime.Memory(d.String()) {
		t.Errorf("the result is in %s, want %s", m, d)
	}
	g := weft.Jit(weft.Grad(func(x weft.Array) weft.Array {
		_, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { c = c.Add(weft.Sin(x)); return c, c }, weft.Full(nil, 0.), x)
		return ys.Sum()
	}), weft.On(d))
	requireText(t, "gradient of a scan", g(weft.Zeros(3)), "[3. 2. 1.]")
}

// Eager operations run on the device of their operands; arrays can be moved between devices.
func TestEager(t *testing.T) {
	a, b := device(t, 0), device(t, 1)
	x := weft.Arange(4).To(a)
	y := x.Add(1).Mul(x)
	requireText(t, "eager", y, "[ 0 2 6 12]")
	z := y.To(b)
	if m := z.Value().(*runtime.Array).Memory(); m != runtime.Memory(b.String()) {
		t.Errorf("it is in %s, want %s", m, b)
	}
	requireText(t, "moved", z.Add(z), "[ 0 4 12 24]")
	if _, err := weft.Try(func() weft.Array { return y.Add(z) }); !errors.Is(err, core.ErrDevice) {
		t.Errorf("operands on two devices: got %v, want an error", err)
	}
	k := random.New(1)
	want := random.Normal(k, 3)
	weft.With(weft.DefaultDevice(a), func() {
		if got := random.Normal(k, 3); !near(got, want) {
			t.Errorf("random numbers: got %v, want %v", got, want)
		}
	})
}

// Keys are split, drawn from and collected within loops on the device: the host runs nothing.
func TestKeysInLoops(t *testing.T) {
	d := device(t, 0)
	type collected struct {
		Keys    random.Key
		Numbers weft.Array
	}
	walk := func(k, xs random.Key) (weft.Array, collected) {
		k, ys := weft.Scan(func(k, x random.Key) (random.Key, collected) {
			next, other := k.Split()
			return next, collected{other, random.Uniform(x)}
		}, k, xs)
		return k.Words(), ys
	}
	k, xs := random.New(1), random.New(2).SplitN(3)
	words, want := walk(k, xs)
	c, err := weft.Compile(weft.Jit(walk, weft.On(d)), k, xs)
	if err != nil {
		t.Fatal(err)
	}
	if list := c.Account().Fallbacks; len(list) > 0 {
		t.Errorf("the host runs %v", list)
	}
	gotWords, got := weft.Jit(walk, weft.On(d))(k, xs)
	if !gotWords.To(weft.Device{}).Equal(words) || !got.Keys.Words().To(weft.Device{}).Equal(want.Keys.Words()) || !near(got.Numbers, want.Numbers) {
		t.Errorf("got %v, %v, want %v, %v", gotWords, got, words, want)
	}
}

func TestDonation(t *testing.T) {
	d := device(t, 0)
	f := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(d), weft.Donate(0))
	x := weft.Zeros(1000).To(d)
	for range 5 {
		old := x
		x = f(x)
		if _, err := weft.Try(func() []float32 { return weft.ToSlice[float32](old) }); err == nil {
			t.Fatal("a donated array can be read")
		}
	}
	requireText(t, "sum", x.Sum(), "5000.0")
}

// Go functions and prints within programs run on the host, and so do factorizations.
func TestHostCalls(t *testing.T) {
	d := device(t, 0)
	calls := 0
	double := func(x weft.Array) weft.Array { calls++; return x.Add(x) }
	var out bytes.Buffer
	old := runtime.SetOutput(&out)
	defer runtime.SetOutput(old)
	f := weft.Jit(func(x weft.Array) weft.Array {
		weft.DebugPrint("x is {}", x)
		y := weft.PureCallback(double, x, x)
		return y.Add(1)
	}, weft.On(d))
	requireText(t, "callback", f(weft.Arange(3)), "[1 3 5]")
	requireText(t, "calls", calls, "1")
	requireText(t, "print", out.String(), "x is [0 1 2]")

	a := weft.FromSlice([]float32{4, 1, 1, 3}, 2, 2)
	want := linalg.EigvalsH(a)
	if got := weft.Jit(func(x weft.Array) weft.Array { return linalg.EigvalsH(x) }, weft.On(d))(a); !near(got, want) {
		t.Errorf("eigenvalues: got %v, want %v", got, want)
	}
}

var errOwn = errors.New("no such number")

// The error of a Go function within a program is the program's.
func TestHostErrors(t *testing.T) {
	d := device(t, 0)
	f := weft.Jit(func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) (weft.Array, error) { return x, errOwn }, x, x)
	}, weft.On(d))
	_, err := weft.Try(func() []int32 { return weft.ToSlice[int32](f(weft.Arange(3))) })
	if !errors.Is(err, errOwn) {
		t.Errorf("got %v, want the function's error", err)
	}
}

// A context ends a wait, and a call whose Go function does not return.
func TestContext(t *testing.T) {
	d := device(t, 0)
	block := make(chan struct{})
	f := weft.Jit(func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array { <-block; return x }, x, x)
	}, weft.On(d))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := weft.Try(func() (y weft.Array) {
		weft.With(weft.Context(ctx), func() { y = f(weft.Arange(3)) })
		return y
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the end of the context", err)
	}
	close(block)
}

// Many goroutines use a device at once.
func TestConcurrent(t *testing.T) {
	d := device(t, 0)
	f := weft.Jit(func(x weft.Array) weft.Array { return x.MatMul(x).Sum() }, weft.On(d))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			x := weft.Full(weft.Shape{8, 8}, float32(i))
			for range 20 {
				if got, want := weft.ToSlice[float32](f(x))[0], float32(8*8*8*i*i); got != want {
					t.Errorf("got %v, want %v", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// Compiled programs are kept on the disk.
func TestFolder(t *testing.T) {
	d := device(t, 0)
	files := func() int {
		list, err := filepath.Glob(filepath.Join(folder, "*.pjrt"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := files()
	f := func(x weft.Array) weft.Array { return x.Mul(12345).Sub(lax.Full(x.Shape(), 1, x.DType())) }
	requireText(t, "first", weft.Jit(f, weft.On(d))(weft.Arange(3)), "[ -1 12344 24689]")
	if n := files(); n <= before {
		t.Errorf("%d files, want more than %d", n, before)
	}
}

// Files that are no plugins are refused with the reason.
func TestBadFiles(t *testing.T) {
	text := written(t, "text.so", []byte("no library"))
	cases := map[string]string{
		"/nowhere/plugin.so": "there is no such file",
		t.TempDir():          "it is a folder",
		text:                 "it is no plugin with PJRT's C interface",
	}
	for _, lib := range []string{"/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"} {
		if data, err := os.ReadFile(lib); err == nil {
			cases[lib] = "it is no plugin with PJRT's C interface"
			half := data[:len(data)/2]
			cases[written(t, "half.so", half)] = "only a part of one"
			clear(half[0x28:0x30]) // without the list of sections, which loading needs not
			clear(half[0x3c:0x40])
			cases[written(t, "stripped.so", half)] = fmt.Sprintf("it has %d bytes of the", len(half))
		}
	}
	for file, want := range cases {
		_, err := pjrt.Open(file)
		if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: got %v, want an error with %q", file, err, want)
		}
	}
}

// written writes a file and returns its path.
func written(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

// Values by which a plugin would end the process are refused before it is loaded.
func TestRefusedOptions(t *testing.T) {
	for _, c := range []struct {
		option pjrt.Config
		want   string
	}{
		{pjrt.Option("cpu_device_count", "four"), "option cpu_device_count has type string (want int64)"},
		{pjrt.Option("cpu_device_count", -1), "option cpu_device_count is -1; pass 1 to 1024"},
		{pjrt.Option("cpu_device_count", 0), "pass 1 to 1024"},
		{pjrt.Option("cpu_device_count", int64(1)<<40), "pass 1 to 1024"},
		{pjrt.Option("memory_fraction", 0.5), "option memory_fraction has type float64 (want float32)"},
		{pjrt.Option("asynchronous", 1), "option asynchronous has type int64 (want bool)"},
	} {
		if _, err := pjrt.Open("plugin.so", c.option); !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}

// Options that the plugin refuses, and names that are taken or unusable, are errors.
func TestOptions(t *testing.T) {
	device(t, 0)
	file := *pluginFlag
	if file == "" {
		file = filepath.SplitList(os.Getenv(pjrt.Variable))[0]
	}
	for _, c := range []struct {
		options []pjrt.Config
		want    string
	}{
		{[]pjrt.Config{pjrt.Name("xla")}, "pjrt.Name"},
		{[]pjrt.Config{pjrt.Name("a:b")}, "without a colon"},
		{[]pjrt.Config{pjrt.Name("other"), pjrt.Option("x", struct{}{})}, "option x is a struct {}"},
	} {
		if _, err := pjrt.Open(file, c.options...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
}
