package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/lower/fuse"
)

// Tiles have as many rows as fit in the cache, and are of about equal size. Except for the last
// tile, their rows are a multiple of the unit.
func TestTileRowCounts(t *testing.T) {
	for _, c := range []struct{ rows, unit, bytes, want int }{
		{1, 1, 0, 1}, {1, 1, 1 << 30, 1}, {100, 1, 1 << 30, 34}, {100, 32, 1 << 30, 64},
		{1000, 1, rowBytes / 100, 100}, {1001, 1, rowBytes / 100, 91}, {1000, 7, rowBytes / 100, 105}, {40, 1, 1 << 30, 40},
	} {
		if got := tileRows(&fuse.RowTiles{Rows: c.rows, Unit: c.unit, Items: 1}, c.bytes); got != c.want {
			t.Errorf("%d rows of %d bytes by %d: got tiles of %d, want %d", c.rows, c.bytes, c.unit, got, c.want)
		}
	}
}

// Values that are needed at the same time do not overlap; other values may.
func TestPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 33))
	for range 2000 {
		locals := make([]local, r.IntN(8))
		all := 0
		rows := 1 + r.IntN(100)
		for i := range locals {
			l := &locals[i]
			l.row, l.first = 1+r.IntN(300), r.IntN(6)
			l.last = l.first + r.IntN(6)
			all += aligned(l.row * rows)
		}
		size := place(locals, rows)
		if size > all {
			t.Fatalf("%+v: got %d bytes, want at most %d", locals, size, all)
		}
		for i, a := range locals {
			if a.at+a.row*rows > size {
				t.Fatalf("%+v: value %d ends behind %d bytes", locals, i, size)
			}
			for _, b := range locals[:i] {
				if a.first <= b.last && b.first <= a.last && a.at < b.at+b.row*rows && b.at < a.at+a.row*rows {
					t.Fatalf("values %+v and %+v of %d rows overlap", a, b, rows)
				}
			}
		}
	}
	apart := []local{{row: 10, first: 0, last: 1}, {row: 10, first: 2, last: 3}}
	if got := place(apart, 4); got != aligned(40) {
		t.Errorf("two values one after the other: got %d bytes, want %d", got, aligned(40))
	}
}
