package main

import (
	"bytes"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
)

// TestResume checks that training resumed from a checkpoint ends at the same bits, and that the
// checkpoint, the picture and the progress are there.
func TestResume(t *testing.T) {
	c := config{steps: 6, total: 300, dir: t.TempDir()}
	var progress strings.Builder
	whole, err := run(&progress, c)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(progress.String(), "step 6: loss") {
		t.Errorf("progress: got %s", progress.String())
	}
	svg, err := os.ReadFile(filepath.Join(c.dir, "loss.svg"))
	if err != nil || !bytes.Contains(svg, []byte("<polyline")) {
		t.Errorf("loss.svg: got %s, %v", svg, err)
	}
	c.steps = 3
	if _, err := run(io.Discard, c); err != nil {
		t.Fatal(err)
	}
	c.steps, c.resume = 6, true
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

// TestCacheMatchesWholeTexts checks that writing with caches draws from the scores that the model
// computes for the whole text.
func TestCacheMatchesWholeTexts(t *testing.T) {
	s := newState(len(alphabet), 1, 1)
	beginning := encode("Shall I compare")
	cold := weft.Scalar(float32(1e-6)) // always the likeliest character
	text := beginning
	for range 8 {
		next := s.Model.logits(text.ExpandDims(0)).Index(0, -1).ArgMax().AsType(weft.Int32)
		text = weft.Concat(0, text, next.Reshape(1))
	}
	want := text.Index(weft.R(beginning.Len(), text.Len()))
	if got := write(s.Model, beginning, cold, random.New(1), 8); !got.Equal(want) {
		t.Errorf("got %q, want %q", decode(got), decode(want))
	}
}

func TestServe(t *testing.T) {
	s := newState(len(alphabet), 1, 1)
	server := httptest.NewServer(s.handler())
	defer server.Close()
	get := func(query string) (int, string) {
		r, err := server.Client().Get(server.URL + "/continue?" + query)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(b)
	}
	status, text := get("text=Shall+I&length=10&seed=3")
	if status != 200 || len(text) != len("Shall I")+10+1 || !strings.HasPrefix(text, "Shall I") {
		t.Errorf("got %d, %q", status, text)
	}
	if _, again := get("text=Shall+I&length=10&seed=3"); again != text {
		t.Errorf("the same seed wrote %q and %q", text, again)
	}
	for _, bad := range []string{"", "text=a&length=1000", "text=a&length=x", "text=a&temperature=-1"} {
		if status, text := get(bad); status != 400 {
			t.Errorf("%s: got %d, %q", bad, status, text)
		}
	}
}
