//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/internal/codecache"
)

// differentKernels returns functions of n kernels whose text differs.
func differentKernels(t *testing.T, n int) (fs []*simt.Func) {
	for i := range n {
		k, err := irtext.Parse(fmt.Sprintf("kernel k(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%%0 = load f32 x[a0<8]\n%sstore y[a0<8], %%%d\n}\n}", sums(i+1), i+1))
		if err != nil {
			t.Fatal(err)
		}
		fs = append(fs, simt.Lower(k, simt.Options{}))
	}
	return fs
}

// sums returns the lines of n additions.
func sums(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%%%d = add f32 %%%d, %%0\n", i+1, i)
	}
	return b.String()
}

// assembled returns how many modules a new process assembles for n kernels.
func assembled(t *testing.T, dir string, n int) int {
	f := fakecuda.New()
	if _, err := open(t, f, dir).Build(differentKernels(t, n)); err != nil {
		t.Fatal(err)
	}
	return f.Calls("cuLinkComplete")
}

// Machine code is kept on the disk; a file that is damaged is made anew.
func TestDiskCache(t *testing.T) {
	dir := t.TempDir()
	if n := assembled(t, dir, 1); n != 1 {
		t.Errorf("the first process assembles %d modules, want 1", n)
	}
	if n := assembled(t, dir, 1); n != 0 {
		t.Errorf("the second process assembles %d modules, want 0", n)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"+cacheSuffix))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	good, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(good)
	changed[len(changed)-1] ^= 1
	key, err := hex.DecodeString(strings.TrimSuffix(filepath.Base(files[0]), cacheSuffix))
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() error{
		"a file that is empty":    func() error { return os.WriteFile(files[0], nil, 0o600) },
		"a file that has changed": func() error { return os.WriteFile(files[0], changed, 0o600) },
		"code that the driver refuses": func() error {
			codecache.In(dir, cacheSuffix).Write(codecache.Key(key), []byte("no code of this driver"))
			return nil
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if n := assembled(t, dir, 1); n != 1 {
			t.Errorf("%s: %d modules are assembled, want 1", name, n)
		}
		if now, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(now, good) {
			t.Errorf("%s: the file is not made anew (%v)", name, err)
		}
	}
	if n := assembled(t, "/dev/null/below", 1); n != 1 {
		t.Errorf("with a folder that cannot be made %d modules are assembled, want 1", n)
	}
}

// Kernels of equal text are one module as long as one is in use.
func TestModulesAreShared(t *testing.T) {
	f := fakecuda.New()
	d := open(t, f, "")
	k, err := irtext.Parse("kernel k(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%0 = load f32 x[a0<8]\nstore y[a0<8], %0\n}\n}")
	if err != nil {
		t.Fatal(err)
	}
	var codes []device.Code
	for range 3 {
		c, err := d.Build([]*simt.Func{simt.Lower(k, simt.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, c)
	}
	if n := f.Objects().Modules; n != 1 {
		t.Errorf("%d modules, want 1", n)
	}
	goruntime.KeepAlive(codes)
}

// Kernels of one program that differ in their numbers alone are compiled once, and not again for
// other programs.
func TestEqualKernelsAreCompiledOnce(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	layers := func(n int) func(x weft.Array) weft.Array {
		return weft.Jit(func(x weft.Array) weft.Array {
			for range n {
				x = x.Mul(2).CumSum(0)
			}
			return x
		}, weft.On(dev))
	}
	x := weft.Linspace(0, 1, 5)
	two := layers(2)
	_ = two(x).String()
	n := f.Calls("cuLinkComplete")
	if _ = layers(20)(x).String(); f.Calls("cuLinkComplete") > n+2 { // the kernels that copy
		t.Errorf("two layers: %d links; twenty: %d more, want 2 at most", n, f.Calls("cuLinkComplete")-n)
	}
	goruntime.KeepAlive(two) // modules live as long as what uses them
}

// Text that the driver's compiler refuses is an error that names the kernel and its line.
func TestRefusedText(t *testing.T) {
	f := fakecuda.New()
	d := open(t, f, "")
	good, err := irtext.Parse("kernel good(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%0 = load f32 x[a0<8]\nstore y[a0<8], %0\n}\n}")
	if err != nil {
		t.Fatal(err)
	}
	bad := simt.Lower(good, simt.Options{})
	bad.Name, bad.Pos = "bad", "user.go:12"
	bad.Body = append(bad.Body, &simt.Special{Dst: simt.Reg(len(bad.Types)), What: simt.Symbol, Index: 3}) // it has no symbols
	bad.Types = append(bad.Types, scalar.I64)
	_, err = d.Build([]*simt.Func{simt.Lower(good, simt.Options{}), bad})
	if err == nil || !strings.Contains(err.Error(), "kernel bad (user.go:12)") {
		t.Errorf("got %v", err)
	}
}

// The machine code of one driver is not used by another: a newer driver assembles again.
func TestDiskCacheOfAnotherDriver(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ version, want int }{{13000, 1}, {13010, 1}, {13000, 0}, {13010, 0}} {
		f := fakecuda.New()
		f.Version = c.version
		if _, err := open(t, f, dir).Build(differentKernels(t, 1)); err != nil {
			t.Fatal(err)
		}
		if n := f.Calls("cuLinkComplete"); n != c.want {
			t.Errorf("driver %d: %d modules are assembled, want %d", c.version, n, c.want)
		}
	}
}

// Eager operations on arrays of another shape load no module.
func TestEagerShapesShareModules(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	operations := func(x weft.Array) weft.Array {
		return weft.Where(x.Gt(0), weft.Sin(x), x.Mul(2)).T().AsType(weft.Float16).BroadcastTo(2, x.Dim(1), x.Dim(0))
	}
	loaded := 0
	for i, shape := range [][]int{{3, 5}, {7, 33}, {64, 2}, {129, 3}} {
		x := weft.Sin(weft.Iota(weft.Float32, 0, shape[0]*shape[1])).Reshape(shape...)
		if got, want := operations(x.To(dev)), operations(x); !testcheck.SameBinary(got, want) {
			t.Errorf("%v: got %v, want %v", shape, got, want)
		}
		n := f.Calls("cuModuleLoadData")
		if i == 0 {
			loaded = n
		}
		if n == 0 || n != loaded {
			t.Errorf("%v: %d modules are loaded, want the first %d", shape, n, loaded)
		}
	}
	if err := f.Fault(); err != nil {
		t.Error(err)
	}
}
