package main

import (
	"flag"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/runtime/opencl"
)

var update = flag.Bool("update", false, "write testdata/output.txt anew")

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	if err := run(&b, io.Discard, config{epochs: 60, dir: dir}); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/output.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the example prints\n%s\nwant\n%s", b.String(), want)
	}
	share := regexp.MustCompile(`([\d.]+) %`).FindStringSubmatch(b.String())
	if share == nil {
		t.Fatal("the output contains no share")
	}
	if x, err := strconv.ParseFloat(share[1], 64); err != nil || x < 97 {
		t.Errorf("%v %% of the held out digits are right, want 97", x)
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "loss.svg")); err != nil || !strings.Contains(string(svg), "</svg>") {
		t.Errorf("loss.svg: %v", err)
	}
	for _, name := range []string{"loss.png", "misread.png"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			t.Fatal(name, err)
		}
		if s := img.Bounds().Size(); s.X < 200 || s.Y < 100 {
			t.Errorf("%s is %v large", name, s)
		}
	}
}

// On a device the example prints the same as on the default executor, to the last digit: on the first OpenCL
// device, or on the one that WEFT_DEVICE names, which must be there.
func TestOnDevice(t *testing.T) {
	if testing.Short() {
		t.Skip("compiling for a device takes long")
	}
	on := os.Getenv("WEFT_DEVICE")
	if on == "" {
		on = "opencl"
		if lines, err := opencl.Devices(); err != nil || len(lines) == 0 {
			t.Skip("there is no OpenCL device:", err)
		}
	}
	var here, there strings.Builder
	if err := runOn(&here, io.Discard, config{epochs: 1, dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if err := runOn(&there, io.Discard, config{epochs: 1, dir: t.TempDir(), on: on}); err != nil {
		t.Fatal(err)
	}
	if here.String() != there.String() {
		t.Errorf("on a device the example prints\n%s\nwant\n%s", there.String(), here.String())
	}
}

// A device that is not there is an error that names it.
func TestOnMissingDevice(t *testing.T) {
	if err := runOn(io.Discard, io.Discard, config{on: "cuda:77"}); err == nil || !strings.Contains(err.Error(), "cuda:77") {
		t.Errorf("got %v", err)
	}
}
