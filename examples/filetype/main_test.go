package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/wefttest"
)

// rows returns the columns of a file in testdata.
func rows(t *testing.T, name string) (list [][]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		list = append(list, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return list
}

// Samples have the types and probabilities that Magika returns. The model is too large for this repository: it is read
// from the folder WEFT_ONNX.
func TestOutput(t *testing.T) {
	name := filepath.Join(os.Getenv("WEFT_ONNX"), "magika", "model.onnx")
	if _, err := os.Stat(name); err != nil || os.Getenv("WEFT_ONNX") == "" {
		t.Skip("the folder WEFT_ONNX contains no magika/model.onnx")
	}
	var names []string
	var want strings.Builder
	for _, r := range rows(t, "expected.tsv") {
		names = append(names, "testdata/samples/"+r[0])
		fmt.Fprintf(&want, "%s: %s %s\n", names[len(names)-1], r[1], r[2])
	}
	k, err := NewTeller(name)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := k.Tell(&got, names); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Errorf("got\n%s, want\n%s", got.String(), want.String())
	}
	wefttest.Golden(t, "output.txt", got.String())
	if err := k.Tell(&got, []string{"testdata"}); err == nil {
		t.Error("a folder has a type")
	}
}

// The types of files of few bytes are found without the model.
func TestFewBytes(t *testing.T) {
	few := 0
	for _, r := range rows(t, "expected.tsv") {
		x, kind, err := fileFeatures("testdata/samples/" + r[0])
		if err != nil || x == nil && kind != r[1] {
			t.Errorf("%s: got %s, %v, want %s", r[0], kind, err, r[1])
		}
		if x == nil {
			few++
		}
	}
	if few != 3 {
		t.Errorf("%d files have few bytes, want 3", few)
	}
}

// made returns the content of n bytes that testdata/compare.py makes.
func made(n int, spaces bool) []byte {
	b, x := make([]byte, n), uint64(12345+n)
	for i := range b {
		x = (x*1103515245 + 12345) % (1 << 31)
		b[i] = byte(x >> 16)
		if spaces && b[i] > 5 {
			b[i] = white[b[i]%6]
		}
	}
	return b
}

// The features of a content are those that Magika computes.
func TestFeatures(t *testing.T) {
	for _, r := range rows(t, "features.tsv") {
		var n int
		fmt.Sscan(r[0], &n)
		data := made(n, r[1] == "1")
		cut := min(n, block)
		x := sides(bytes.TrimLeft(data[:cut], white), bytes.TrimRight(data[n-cut:], white))
		got, few, err := readFeatures(bytes.NewReader(data), int64(n))
		if err != nil || n < fewest && few == "" || few == "" && !slices.Equal(got, x) {
			t.Errorf("%s bytes: got %q, %v", r[0], few, err)
		}
		var b []byte
		for _, v := range x {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(b))[:16]; got != r[2] {
			t.Errorf("%s bytes, spaces %s: got %s, want %s", r[0], r[1], got, r[2])
		}
	}
}

// A file of whose type the model is not sure is a text, or unknown.
func TestDecide(t *testing.T) {
	k := &Teller{labels: []label{{"go", 0.5, "txt"}, {"png", 0.9, "unknown"}}}
	for want, scores := range map[string][]float32{"go 0.500": {0.5, 0.4}, "txt 0.450": {0.45, 0.2}, "png 0.950": {0.05, 0.95}, "unknown 0.800": {0.2, 0.8}} {
		if got := k.decide(scores); got != want {
			t.Errorf("got %s for %v, want %s", got, scores, want)
		}
	}
	if _, err := NewTeller("main.go"); err == nil {
		t.Error("a program is a model")
	}
}
