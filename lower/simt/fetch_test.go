package simt_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/simt"
)

func fetchMemory(n int) (buffers [][]byte, want []float32) {
	buffers = [][]byte{make([]byte, 16*n), make([]byte, 8*n)}
	for i := range 4 * n {
		binary.NativeEndian.PutUint32(buffers[0][4*i:], math.Float32bits(float32(i+1)))
	}
	for i := range n {
		want = append(want, float32(4*(i^1)+4), 0)
		if i^1 < n/2 {
			want[2*i+1] = float32(4*(i^1) + 3)
		}
	}
	return buffers, want
}

// Fetches bring elements to shared memory, and zeros where they bring none.
func TestFetches(t *testing.T) {
	buffers, want := fetchMemory(64)
	if err := simteval.Run(simttest.Fetches(64), nil, buffers, 2); err != nil {
		t.Fatal(err)
	}
	for i, x := range want {
		if got := math.Float32frombits(binary.NativeEndian.Uint32(buffers[1][4*i:])); got != x {
			t.Errorf("element %d is %v, want %v", i, got, x)
		}
	}
}

// The evaluator reports uses of elements that are being fetched, waits without a barrier, and
// fetches that are not aligned, leave a buffer or never end.
func TestFetchFaults(t *testing.T) {
	without := func(f *simt.Func, drop func(simt.Stmt) bool) {
		for i, s := range f.Body {
			if drop(s) {
				f.Body = append(f.Body[:i:i], f.Body[i+1:]...)
				return
			}
		}
	}
	isFetch := func(f *simt.Func) *simt.Fetch {
		for _, s := range f.Body {
			if s, ok := s.(*simt.Fetch); ok {
				return s
			}
		}
		return nil
	}
	for want, seed := range map[string]func(f *simt.Func){
		"which is being fetched": func(f *simt.Func) {
			without(f, func(s simt.Stmt) bool { w, ok := s.(*simt.Await); return ok && w.Left == 1 })
		},
		"ends while":               func(f *simt.Func) { f.Body = f.Body[:len(f.Body)-6] },
		"at once":                  func(f *simt.Func) { without(f, func(s simt.Stmt) bool { _, ok := s.(*simt.Barrier); return ok }) },
		"is not aligned":           func(f *simt.Func) { isFetch(f).FromPlus = 2 },
		"uses element 256 of buff": func(f *simt.Func) { isFetch(f).FromPlus = 4 },
		"fetch of 3 elements":      func(f *simt.Func) { isFetch(f).N = 3 },
	} {
		f := simttest.Fetches(64)
		seed(f)
		buffers, _ := fetchMemory(64)
		if err := simteval.Run(f, nil, buffers, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
}
