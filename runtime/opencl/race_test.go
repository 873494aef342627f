//go:build linux && (amd64 || arm64)

package opencl

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/race"
	printer "github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// onOclgrind is set in processes whose OpenCL is Oclgrind.
const onOclgrind = "WEFT_ON_OCLGRIND"

// oclgrind runs tests of this package in a process whose only device is Oclgrind, and returns what
// it reports. Kernels are compiled without optimization: optimized kernels use instructions that Oclgrind lacks.
func oclgrind(t *testing.T, tests string) (output, report string) {
	if os.Getenv(onOclgrind) != "" {
		t.Skip("this process is the one that uses Oclgrind")
	}
	files, err := filepath.Glob("/usr/lib/oclgrind/liboclgrind-rt-icd.so")
	if more, _ := filepath.Glob("/usr/lib/*/oclgrind/liboclgrind-rt-icd.so"); err == nil {
		files = append(files, more...)
	}
	if len(files) == 0 {
		devicecheck.Absent(t, "oclgrind", "Oclgrind is not installed (Debian: apt-get install oclgrind)")
	}
	if err := cl.Load(); err != nil {
		devicecheck.Absent(t, "opencl", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "oclgrind.icd"), []byte(files[0]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "report")
	c := exec.Command(self, "-test.v", "-test.run", tests)
	c.Env = append(os.Environ(), onOclgrind+"=1", cacheVariable+"=off", "OCL_ICD_VENDORS="+dir, "OCLGRIND_DATA_RACES=1", "OCLGRIND_CHECK_API=1", "OCLGRIND_LOG="+log, "OCLGRIND_BUILD_OPTIONS=-cl-opt-disable")
	out, err := c.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("Oclgrind Simulator")) {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(out), string(text)
}

// Oclgrind finds no race and no access out of bounds in the kernels of samples and of random
// operations.
func TestNoRaces(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	out, report := oclgrind(t, "^Test(Samples|Operations)OnDevices$")
	if report != "" {
		t.Errorf("Oclgrind reports\n%.4000s", report)
	}
	if strings.Count(out, "--- PASS: Test") < 2 {
		t.Errorf("got\n%.4000s", out)
	}
}

// Oclgrind finds the race of a kernel without its barriers, and accesses beyond the end of memory.
func TestRacesAreFound(t *testing.T) {
	race.Values(t)
	_, report := oclgrind(t, "^TestFaultyKernel$")
	for _, want := range []string{"data race", "Invalid read"} {
		if !strings.Contains(report, want) {
			t.Errorf("got no %q\n%.4000s", want, report)
		}
	}
}

// TestFaultyKernel runs the kernel of TestRacesAreFound, in a process that uses Oclgrind.
func TestFaultyKernel(t *testing.T) {
	if os.Getenv(onOclgrind) == "" {
		t.Skip("TestRacesAreFound runs it in a process of its own")
	}
	lines, err := Devices()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(lines)
	text, err := os.ReadFile("../../lower/opencl/testdata/cumulative.kernel")
	if err != nil {
		t.Fatal(err)
	}
	k, err := irtext.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	d := opened(t)
	f := simt.Lower(k, simt.Options{Mode: simt.PerGroup, Threads: 64})
	src := printer.Print(f)
	faulty := strings.ReplaceAll(src.Text, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)", "(void)0")
	if faulty == src.Text {
		t.Fatal("the kernel has no barrier")
	}
	run := func(text string, shorter int) {
		p, err := cl.Build(d.context, d.id, text, printer.BuildOptions)
		if err != nil {
			t.Fatal(err)
		}
		h, err := cl.NewKernel(p, src.Names[0])
		if err != nil {
			t.Fatal(err)
		}
		var places []device.Place
		for _, b := range k.Buffers {
			m, err := d.Alloc(int(b.Len.Value)*b.Type.Size() - shorter)
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, device.Place{Memory: m})
		}
		if err := d.Launch(&kernel{Label: device.LabelOf(f), handle: h, threads: f.Threads}, 1, places, nil); err != nil {
			t.Fatal(err)
		}
		m, err := d.Mark()
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Wait(m); err != nil {
			t.Fatal(err)
		}
	}
	run(faulty, 0)
	run(src.Text, 4)
}
