//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/cuda/internal/fake"
	"github.com/weft-go/weft/runtime/device"
)

// differentKernels returns functions of n kernels whose text differs.
func differentKernels(t *testing.T, n int) (fs []*simt.Func) {
	for i := range n {
		k, err := ir.Parse(fmt.Sprintf("kernel k(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%%0 = load f32 x[a0<8]\n%sstore y[a0<8], %%%d\n}\n}", sums(i+1), i+1))
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

// assembled returns how many modules a process with an empty memory assembles for n kernels.
func assembled(t *testing.T, dir string, n int) int {
	f := fake.New()
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
	other := []byte("no code of this driver")
	sum := sha256.Sum256(other)
	for name, data := range map[string][]byte{
		"empty": nil, "short": good[:10], "a hash alone": good[:sha256.Size], "cut": good[:len(good)-1], "changed": changed,
		"longer": append(bytes.Clone(good), 0), "code that the driver refuses": append(sum[:], other...),
	} {
		if err := os.WriteFile(files[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := assembled(t, dir, 1); n != 1 {
			t.Errorf("%s: %d modules are assembled, want 1", name, n)
		}
		if now, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(now, good) {
			t.Errorf("%s: the file is not made anew (%v)", name, err)
		}
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(files[0], 0o700); err != nil { // in the place of the file
		t.Fatal(err)
	}
	if n := assembled(t, dir, 1); n != 1 {
		t.Errorf("with a folder in the place of the file %d modules are assembled, want 1", n)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if n := assembled(t, "/dev/null/below", 1); n != 1 {
		t.Errorf("with a folder that cannot be made %d modules are assembled, want 1", n)
	}
	trimCache(dir, 0)
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 0 {
		t.Errorf("after trimming there are %v", files)
	}
}

// sharedCache names the folder that a process of TestDiskCacheOfProcesses shares with others.
const sharedCache = "WEFT_TEST_SHARED_CACHE"

// Processes that use one folder at once, one of which trims it, find whole files or none.
func TestDiskCacheOfProcesses(t *testing.T) {
	const kernels = 12
	if dir := os.Getenv(sharedCache); dir != "" {
		for i := range 20 {
			assembled(t, dir, kernels)
			if i%3 == 0 {
				trimCache(dir, int64(i)<<9)
			}
		}
		return
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			c := exec.Command(os.Args[0], "-test.run", "^TestDiskCacheOfProcesses$")
			c.Env = append(os.Environ(), sharedCache+"="+dir)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("a process fails: %v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	if n := assembled(t, t.TempDir(), kernels); n != kernels {
		t.Errorf("a process assembles %d modules, want %d", n, kernels)
	}
	assembled(t, dir, kernels)
	if n := assembled(t, dir, kernels); n != 0 {
		t.Errorf("a process that comes later assembles %d modules, want 0", n)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "new-*")); len(left) != 0 {
		t.Errorf("files that are not whole are left: %v", left)
	}
}

// Kernels of equal text are one module as long as one is in use.
func TestModulesAreShared(t *testing.T) {
	f := fake.New()
	d := open(t, f, "")
	k, err := ir.Parse("kernel k(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%0 = load f32 x[a0<8]\nstore y[a0<8], %0\n}\n}")
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

// Kernels of one program that differ in their numbers alone are compiled once, and those of
// other programs are found.
func TestEqualKernelsAreCompiledOnce(t *testing.T) {
	f := fake.New()
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
	f := fake.New()
	d := open(t, f, "")
	good, err := ir.Parse("kernel good(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%0 = load f32 x[a0<8]\nstore y[a0<8], %0\n}\n}")
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
