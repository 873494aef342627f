package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/examples/handwriting"
	"github.com/weft-go/weft/random"
)

// TestResume trains, resumes from a checkpoint in the middle, and compares every bit of the states.
func TestResume(t *testing.T) {
	c := config{epochs: 2, total: 8, dir: t.TempDir()}
	var progress strings.Builder
	whole, err := run(&progress, c)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(progress.String(), "epoch 2: loss") {
		t.Errorf("progress: got %s", progress.String())
	}
	svg, err := os.ReadFile(filepath.Join(c.dir, "loss.svg"))
	if err != nil || !bytes.Contains(svg, []byte("<polyline")) {
		t.Errorf("loss.svg: got %s, %v", svg, err)
	}
	c.epochs = 1
	if _, err := run(io.Discard, c); err != nil {
		t.Fatal(err)
	}
	c.epochs, c.resume = 2, true
	resumed, err := run(io.Discard, c)
	if err != nil {
		t.Fatal(err)
	}
	leaves := map[string]weft.Array{}
	for path, x := range weft.TreeLeaves(whole) {
		leaves[path] = x
	}
	for path, x := range weft.TreeLeaves(resumed) {
		if x.DType().IsKey() {
			if !(random.Key{Data: x}).Words().Equal((random.Key{Data: leaves[path]}).Words()) {
				t.Errorf("%s: the keys differ", path)
			}
			continue
		}
		if !x.Equal(leaves[path]) {
			t.Errorf("%s: got %v, want %v", path, x, leaves[path])
		}
	}
}

// TestAccuracy trains as the command does by default.
func TestAccuracy(t *testing.T) {
	s, err := run(io.Discard, config{epochs: 8, total: 8, dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := handwriting.Load()
	if err != nil {
		t.Fatal(err)
	}
	if n := right(s.Model, d); n < 1770 {
		t.Errorf("%d of 1797 digits are right, want 1770", n)
	}
}

func TestServe(t *testing.T) {
	d, err := handwriting.Load()
	if err != nil {
		t.Fatal(err)
	}
	m := newState(0, 1).Model
	server := httptest.NewServer(handler(m))
	defer server.Close()
	post := func(body string) (int, answer) {
		r, err := http.Post(server.URL, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		var a answer
		if r.StatusCode == http.StatusOK {
			if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
				t.Fatal(err)
			}
		}
		return r.StatusCode, a
	}
	var rows [][]float32
	for i := range 3 {
		rows = append(rows, weft.ToSlice[float32](d.Pixels.Index(i)))
	}
	body, err := json.Marshal(map[string]any{"pixels": rows})
	if err != nil {
		t.Fatal(err)
	}
	status, a := post(string(body))
	want := weft.ToSlice[int32](m.logits(d.Pixels.Index(weft.R(0, 3))).ArgMax(-1).AsType(weft.Int32))
	if status != 200 || len(a.Digits) != 3 || a.Digits[0] != want[0] || a.Digits[2] != want[2] || len(a.Probabilities[0]) != 10 {
		t.Errorf("got %d, %+v, want %v", status, a, want)
	}
	for _, bad := range []string{"", "{}", `{"pixels": [1, 2]}`, `{"pixels": "x"}`, `{"pixels": [[1], [2, 3]]}`, `{"pixels": []}`,
		`{"pixels": {"dtype": "f32", "shape": [64], "data": ["NaN"` + strings.Repeat(", 0", 63) + `]}}`} {
		if status, _ := post(bad); status != 400 {
			t.Errorf("%q: got %d, want 400", bad, status)
		}
	}
}
