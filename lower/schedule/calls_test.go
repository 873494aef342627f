package schedule

import (
	"math"
	"testing"

	"github.com/weft-go/weft/lower/fuse"
)

// Launches are divided into calls of about CallTime, four per thread if several share them.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name    string
		points  int64
		each    float64
		n       int
		threads int
		call    int64
	}{
		{"no point", 0, 100, 4, 1, 0},
		{"one point", 1, 1e9, 4, 1, 1},
		{"little work", 100, 10, 4, 1, 100},
		{"work for one thread", 1000, 1e3, 1, 1, 100},
		{"work for all", 1000, 1e3, 4, 4, 63},
		{"few points", 3, 1e6, 4, 4, 1},
		{"many points", 1e9, 1, 2, 2, 100e3},
	} {
		if threads, call := Calls(c.points, c.each, c.n); threads != c.threads || call != c.call {
			t.Errorf("%s: got %d threads and calls of %d points, want %d and %d", c.name, threads, call, c.threads, c.call)
		}
	}
}

// A running fold that takes much longer than a call may is computed in parts.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		n, unit int64
		ns      float64
		want    int64
	}{{0, 64, 0, 0}, {1000, 64, 2*CallTime - 1, 0}, {1000, 64, 2 * CallTime, 448}, {1000, 64, math.Inf(1), 64}} {
		if got := Part(c.n, c.unit, c.ns); got != c.want {
			t.Errorf("%d elements that take %v ns: got parts of %d, want %d", c.n, c.ns, got, c.want)
		}
	}
}

// Sorts take whole rows; items of short rows have several.
func TestSortItems(t *testing.T) {
	for _, c := range [][3]int{{0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {100, 1 << 12, 2}, {100, 1 << 20, 1}, {3, 10, 3}} {
		if got := SortItem(c[0], c[1]); got != c[2] {
			t.Errorf("%d rows of %d elements: got items of %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// The strips and parts of a transposition cover it; a small one stays on one thread.
func TestTransposes(t *testing.T) {
	for _, rows := range []int{0, 1, 63, 1024, 5000} {
		for _, cols := range []int{0, 1, 64, 3000} {
			p := TransposeOf(&fuse.Transpose{Rows: fuse.TransposeAxis{N: rows}, Cols: fuse.TransposeAxis{N: cols}, Batch: []fuse.TransposeAxis{{N: 3}}}, 2)
			if p.Rows < 1 || p.Parts*p.Rows < rows || p.Strips*StripColumns < cols || p.Items != 3*p.Parts*p.Strips {
				t.Errorf("%d×%d: got %+v", rows, cols, p)
			}
			if want := 1 + min(1, rows*cols/moved); p.Threads != want {
				t.Errorf("%d×%d: got %d threads, want %d", rows, cols, p.Threads, want)
			}
		}
	}
}
