//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	printer "github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// counts are numbers of programs: created from source, created from binaries, and not released.
type counts struct{ source, binary, live int }

// building counts the programs that f creates and releases.
func building(f func()) counts {
	const source, binary = "clCreateProgramWithSource", "clCreateProgramWithBinary"
	programs, restore := countObjects("clReleaseProgram", source, binary)
	defer restore()
	f()
	return counts{programs.by(source), programs.by(binary), programs.left()}
}

// built counts the programs of a new process that builds a program of two kernels, with a folder of compiled programs.
func built(t *testing.T, dir string) counts {
	t.Helper()
	d := openedWith(t, dir)
	fs := []*simt.Func{
		lowered(t, strings.ReplaceAll(copyOf, "T", "f32"), "first", ""),
		lowered(t, strings.ReplaceAll(copyOf, "T", "i32"), "second", ""),
	}
	return building(func() {
		kernels, restore := countObjects("clReleaseKernel", "clCreateKernel")
		defer restore()
		code, err := d.Build(fs)
		if err != nil {
			t.Fatal(err)
		}
		if n := kernels.left(); n != len(fs) || n != len(code.Kernels) {
			t.Errorf("got %d kernels, want %d", n, len(fs))
		}
	})
}

// files returns the files of a folder of compiled programs.
func files(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+cacheSuffix))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

var (
	compiled = counts{source: 1, live: 1}
	loaded   = counts{binary: 1, live: 1}
	refused  = counts{source: 1, binary: 1, live: 1}
)

// Compiled programs are kept on the disk; a program is compiled anew if its file is damaged or the driver refuses it.
func TestDiskCache(t *testing.T) {
	dir := t.TempDir()
	if got := built(t, dir); got != compiled {
		t.Errorf("the first process: got %+v, want %+v", got, compiled)
	}
	if got := built(t, dir); got != loaded {
		t.Errorf("the second process: got %+v, want %+v", got, loaded)
	}
	names := files(t, dir)
	if len(names) != 1 {
		t.Fatalf("got the files %v, want one", names)
	}
	good, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(good)
	changed[len(changed)-1] ^= 1
	key, err := hex.DecodeString(strings.TrimSuffix(filepath.Base(names[0]), cacheSuffix))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		damage func() error
		want   counts
	}{
		"a file that is empty":    {func() error { return os.WriteFile(names[0], nil, 0o600) }, compiled},
		"a file that has changed": {func() error { return os.WriteFile(names[0], changed, 0o600) }, compiled},
		"code that the driver refuses": {func() error {
			codecache.In(dir, cacheSuffix).Write(codecache.Key(key), []byte("no program of this driver"))
			return nil
		}, refused},
	} {
		if err := c.damage(); err != nil {
			t.Fatal(err)
		}
		if got := built(t, dir); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
		if got := built(t, dir); got != loaded {
			t.Errorf("after %s: got %+v, want %+v", name, got, loaded)
		}
	}
	for _, none := range []string{"", "/dev/null/below"} {
		for range 2 {
			if got := built(t, none); got != compiled {
				t.Errorf("with the folder %q: got %+v, want %+v", none, got, compiled)
			}
		}
	}
}

// A program that cannot be loaded, or whose binary cannot be read, is compiled. Programs that are not used are released.
func TestDiskCacheFailures(t *testing.T) {
	for name, c := range map[string]struct {
		function string
		after    int
		cold     bool // the folder is empty
		want     counts
		files    int
	}{
		"a binary that is refused":               {"clCreateProgramWithBinary", 0, false, refused, 1},
		"a binary that cannot be built":          {"clBuildProgram", 0, false, refused, 1},
		"a binary without the first kernel":      {"clCreateKernel", 0, false, refused, 1},
		"a binary without the last kernel":       {"clCreateKernel", 1, false, refused, 1},
		"a program whose size is not stated":     {"clGetProgramInfo", 0, true, compiled, 0},
		"a program whose binary cannot be had":   {"clGetProgramInfo", 1, true, compiled, 0},
		"a program from the disk, no info asked": {"clGetProgramInfo", 0, false, loaded, 1},
	} {
		dir := t.TempDir()
		if !c.cold {
			built(t, dir)
		}
		_, restore := failing(c.function, c.after, 1, -999)
		got := built(t, dir)
		restore()
		if n := len(files(t, dir)); got != c.want || n != c.files {
			t.Errorf("%s: got %+v and %d files, want %+v and %d", name, got, n, c.want, c.files)
		}
	}
}

// No file is written if the driver has no binary of a program, or does not report what its binaries depend on.
func TestDriversWithoutBinaries(t *testing.T) {
	opened(t)
	dir := t.TempDir()
	info := cl.Function("clGetProgramInfo")
	restore := cl.Replace("clGetProgramInfo", purego.NewCallback(func(p, what, size, value, returned uintptr) uintptr {
		if what != 0x1165 {
			r, _, _ := purego.SyscallN(info, p, what, size, value, returned)
			return r
		}
		**(**uintptr)(unsafe.Pointer(&value)) = 0
		return 0
	}))
	got := built(t, dir)
	restore()
	if names := files(t, dir); got != compiled || len(names) != 0 {
		t.Errorf("no binary: got %+v and %v, want %+v and no file", got, names, compiled)
	}
	for _, function := range []string{"clGetPlatformInfo", "clGetDeviceInfo"} {
		ds, err := find(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, restore := failing(function, 0, 1000, -999)
		text := compilerOf(ds[0].id)
		restore()
		if text != "" {
			t.Errorf("%s fails: binaries depend on %q, want nothing stated", function, text)
		}
	}
	_, restore = failing("clGetPlatformInfo", 0, 1000, -999)
	got = built(t, dir)
	restore()
	if names := files(t, dir); got != compiled || len(names) != 0 {
		t.Errorf("no name of the platform: got %+v and %v, want %+v and no file", got, names, compiled)
	}
}

// The name of a program's file depends on the platform, device, version and driver, and on the text.
func TestKeysDependOnTheCompiler(t *testing.T) {
	d := opened(t)
	if !strings.Contains(d.compiler, printer.BuildOptions) {
		t.Errorf("the compiler is %q, want it to contain %q", d.compiler, printer.BuildOptions)
	}
	if keyOf("one", "text") == keyOf("other", "text") || keyOf("one", "text") == keyOf("one", "other") {
		t.Error("the key is the same for another compiler or text")
	}
	for _, c := range []struct {
		function string
		property uintptr
	}{
		{"clGetPlatformInfo", cl.PlatformName}, {"clGetPlatformInfo", cl.PlatformVersion},
		{"clGetDeviceInfo", cl.DeviceName}, {"clGetDeviceInfo", cl.DeviceVersion}, {"clGetDeviceInfo", cl.DriverVersion},
	} {
		info := cl.Function(c.function)
		restore := cl.Replace(c.function, purego.NewCallback(func(object, what, size, value, returned uintptr) uintptr {
			r, _, _ := purego.SyscallN(info, object, what, size, value, returned)
			if what == c.property && value != 0 {
				**(**byte)(unsafe.Pointer(&value)) ^= 1
			}
			return r
		}))
		other := compilerOf(d.id)
		restore()
		if other == d.compiler || compilerOf(d.id) != d.compiler {
			t.Errorf("%s 0x%x: got the compiler %q for another text", c.function, c.property, other)
		}
	}
}

// PoCL, which keeps compiled programs itself, has a folder only if the variable names one.
func TestFolderOfPoCL(t *testing.T) {
	d := opened(t)
	name := cl.PlatformText(d.id, cl.PlatformName)
	if name == "" {
		t.Fatal("the platform has no name")
	}
	folder := codecache.In(t.TempDir(), cacheSuffix)
	t.Setenv(cacheVariable, "")
	if got, want := folderOf(d.id, folder) != nil, name != pocl; got != want {
		t.Errorf("%s, no variable: got a folder: %v, want %v", name, got, want)
	}
	t.Setenv(cacheVariable, "/somewhere")
	if folderOf(d.id, folder) != folder {
		t.Errorf("%s: got no folder, want the one that the variable names", name)
	}
	t.Setenv(cacheVariable, "")
	_, restore := failing("clGetPlatformInfo", 0, 1000, -999)
	defer restore()
	if folderOf(d.id, folder) != folder {
		t.Error("a platform that is not PoCL: got no folder, want the usual one")
	}
}

// sharedCache names the folder that a process of TestDiskCacheOfProcesses uses.
const sharedCache = "WEFT_TEST_SHARED_CACHE"

// A process that finds compiled programs compiles none from source. Its results have the reference's bits, like
// those of a process that compiles. The driver's own cache is empty.
func TestDiskCacheOfProcesses(t *testing.T) {
	if dir := os.Getenv(sharedCache); dir != "" {
		dev := registered(openedWith(t, dir))
		got := building(func() {
			x := weft.Linspace(0, 1, 300)
			f := func(x weft.Array) weft.Array { return weft.Sin(x).Mul(x.Sum()).CumSum(0) }
			if got, want := weft.Jit(f, weft.On(dev))(x), f(x); !testcheck.SameBinary(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
		fmt.Printf("programs: source %d, binary %d\n", got.source, got.binary)
		return
	}
	opened(t)
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	dir := t.TempDir()
	var got []string
	for range 2 {
		c := exec.Command(os.Args[0], "-test.run", "^TestDiskCacheOfProcesses$")
		c.Env = append(os.Environ(), sharedCache+"="+dir, "POCL_CACHE_DIR="+t.TempDir())
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		first, _, _ := bytes.Cut(out, []byte("\n"))
		got = append(got, string(first))
	}
	n := len(files(t, dir))
	cold, warm := fmt.Sprintf("programs: source %d, binary 0", n), fmt.Sprintf("programs: source 0, binary %d", n)
	if want := []string{cold, warm}; n == 0 || !slices.Equal(got, want) {
		t.Errorf("with %d programs got %v, want %v", n, got, want)
	}
}
