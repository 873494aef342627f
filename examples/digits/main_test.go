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
		t.Fatal("the output holds no share")
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
