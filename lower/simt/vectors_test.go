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

// vectorMemory returns memory for simttest.Vectors and what it computes.
func vectorMemory(n int) (buffers [][]byte, want [][]byte) {
	x := make([]float32, 4*n)
	for i := range x {
		x[i] = float32(math.Sin(float64(i)))
	}
	buffers = [][]byte{make([]byte, 16*n), make([]byte, 8*n), make([]byte, 16*n), make([]byte, n), make([]byte, n)}
	want = [][]byte{nil, make([]byte, 8*n), make([]byte, 16*n), make([]byte, n), make([]byte, n)}
	for i, v := range x {
		binary.NativeEndian.PutUint32(buffers[0][4*i:], math.Float32bits(v))
	}
	got := func(t, i int) float32 { return x[4*(t^1)+2+i] }
	for t := range n {
		for i := range 2 {
			binary.NativeEndian.PutUint32(want[1][8*t+4*i:], math.Float32bits(got(t, i)+got(t^5, i)))
		}
		binary.NativeEndian.PutUint64(want[2][16*t:], math.Float64bits(float64(x[4*(t^16)])))
		binary.NativeEndian.PutUint64(want[2][16*t+8:], math.Float64bits(float64(x[4*t])))
		if u := t ^ 1; x[4*u] < x[4*u+1] {
			want[3][t] = 1
		}
		want[4][t] = 1
	}
	return buffers, want
}

// Accesses of neighbouring elements and exchanges in warps do what they state.
func TestVectors(t *testing.T) {
	f := simttest.Vectors(64)
	buffers, want := vectorMemory(64)
	if err := simteval.Run(f, nil, buffers, 1); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(want); i++ {
		if string(buffers[i]) != string(want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x", i, buffers[i], want[i])
		}
	}
}

// The evaluator reports accesses of neighbouring elements that are not aligned or leave a
// buffer, and exchanges that not all threads reach.
func TestVectorFaults(t *testing.T) {
	for want, seed := range map[string]func(f *simt.Func, buffers [][]byte) [][]byte{
		"is not aligned": func(f *simt.Func, b [][]byte) [][]byte {
			return [][]byte{append(make([]byte, 4), b[0]...)[4:], b[1], b[2], b[3], b[4]}
		},
		"uses element 252 of buffer 0": func(f *simt.Func, b [][]byte) [][]byte {
			return [][]byte{b[0][:252*4], b[1], b[2], b[3], b[4]}
		},
		"3 elements of type f32": func(f *simt.Func, b [][]byte) [][]byte {
			for _, s := range f.Body {
				if s, ok := s.(*simt.LoadVec); ok {
					s.Dst = s.Dst[:3]
				}
			}
			return b
		},
		"does not reach a shuffle": func(f *simt.Func, b [][]byte) [][]byte {
			var tid simt.Reg
			for i, s := range f.Body {
				switch s := s.(type) {
				case *simt.Special:
					if s.What == simt.Thread {
						tid = s.Dst
					}
				case *simt.Shuffle:
					f.Body[i] = &simt.If{Cond: tid, Then: []simt.Stmt{s}}
					return b
				}
			}
			return b
		},
	} {
		f := simttest.Vectors(64)
		buffers, _ := vectorMemory(64)
		if err := simteval.Run(f, nil, seed(f, buffers), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", want, err)
		}
	}
}
