package simt_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// sortKey returns the key by which u32 or u64 are sorted from the greatest one down.
func sortKey(dt core.DType) *scalar.Prog {
	b := scalar.NewBuilder(dt)
	return b.Finish([]core.DType{dt}, []scalar.Ref{b.Not(b.Param(0, 0))})
}

// runRadix runs the kernels of a sort on elements and payloads, in several numbers of groups.
func runRadix(r *schedule.Radix, x, p []byte, run func(f *simt.Func, buffers [][]byte) error) (y, q []byte, err error) {
	byGroup, byRow := r.Counts()
	counts, totals := make([]byte, 4*byGroup), make([]byte, 4*byRow)
	for _, s := range simttest.Passes(r) {
		y, q = make([]byte, len(x)), make([]byte, r.Rows*r.N*int64(max(1, r.Payload.Size())))
		place := [][]byte{x}
		if r.Payload != scalar.NoType && !s.Fresh {
			place = append(place, p)
		}
		place = append(place, counts, totals, y)
		if r.Payload != scalar.NoType {
			place = append(place, q)
		}
		for _, l := range []struct {
			f       *simt.Func
			buffers [][]byte
		}{{s.Count, [][]byte{x, counts}}, {s.Sum, [][]byte{counts, totals}}, {s.Place, place}} {
			if err := run(l.f, l.buffers); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", l.f.Name, err)
			}
		}
		x, p = y, q
	}
	return y, q, nil
}

// Rows are sorted stably by all digits of their keys, with any number of tiles, of tiles of
// a group, and of groups at once.
func TestRadix(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for i, c := range []struct {
		rows, n, items int
		groups         int
		wide           bool
		payload        scalar.Type
		distinct       uint64
	}{
		{1, 1, 1, 0, false, scalar.NoType, 1 << 32},
		{1, 1500, 2, 0, false, scalar.I32, 1 << 32},
		{3, 700, 1, 0, false, scalar.I32, 5},
		{1, 700, 1, 0, true, scalar.F64, 1 << 63},
		{1, 2100, 4, 0, false, scalar.U8, 1 << 20},
		{2, 1000, 1, 4, false, scalar.I32, 1 << 10},
		{3, 600, 1, 1, true, scalar.I32, 300},
		{1, 5000, 1, 0, false, scalar.NoType, 200}, // many groups
	} {
		size, dt, element := 4, core.Uint32, scalar.U32
		if c.wide {
			size, dt, element = 8, core.Uint64, scalar.U64
		}
		total := c.rows * c.n
		s := &schedule.Radix{Element: element, Key: sortKey(dt), High: 8 * size, Payload: c.payload, Numbers: c.payload == scalar.I32, Rows: int64(c.rows), N: int64(c.n), Items: int64(c.items), Groups: int64(c.groups)}
		for s.High > 8 && c.distinct <= 1<<(s.High-8) {
			s.High -= 8
		}
		type pair struct{ key, payload uint64 }
		ps := make([]pair, total)
		x, p := make([]byte, total*size), make([]byte, total*max(1, c.payload.Size()))
		for i := range ps {
			k := r.Uint64N(c.distinct)
			if size == 4 {
				binary.NativeEndian.PutUint32(x[4*i:], uint32(k))
			} else {
				binary.NativeEndian.PutUint64(x[8*i:], k)
			}
			ps[i] = pair{k, uint64(i % c.n)}
			if !s.Numbers && c.payload != scalar.NoType {
				ps[i].payload = r.Uint64() >> (64 - c.payload.Bits())
				put(p, i, c.payload.Size(), ps[i].payload)
			}
		}
		y, q, err := runRadix(s, x, p, func(f *simt.Func, buffers [][]byte) error {
			return simteval.Run(f, nil, buffers, min(int(f.Groups(nil)), 2+i))
		})
		if err != nil {
			t.Errorf("%d×%d: %v", c.rows, c.n, err)
			continue
		}
		digits := ^uint64(0) >> (64 - s.High)
		for row := range c.rows {
			slices.SortStableFunc(ps[row*c.n:(row+1)*c.n], func(a, b pair) int { return cmp.Compare(b.key&digits, a.key&digits) })
		}
		for i, w := range ps {
			k, n := get(y, i, size), uint64(0)
			if c.payload != scalar.NoType {
				n = get(q, i, c.payload.Size())
			}
			if k != w.key || c.payload != scalar.NoType && n != w.payload {
				t.Errorf("%d×%d: element %d is %#x of %d, want %#x of %d", c.rows, c.n, i, k, n, w.key, w.payload)
				break
			}
		}
	}
}

// The evaluator reports additions that no barrier separates from other uses, and ballots that not all threads reach.
func TestRadixFaults(t *testing.T) {
	without := func(b []simt.Stmt, n int) []simt.Stmt { // the n-th barrier
		var out []simt.Stmt
		for _, s := range b {
			if f, ok := s.(*simt.For); ok && n >= 0 {
				kept := []simt.Stmt{}
				for _, s := range f.Body {
					if _, ok := s.(*simt.Barrier); ok {
						if n--; n == -1 {
							continue
						}
					}
					kept = append(kept, s)
				}
				f.Body = kept
			}
			out = append(out, s)
		}
		return out
	}
	for _, c := range []struct {
		want string
		seed func(p simttest.RadixFuncs) (*simt.Func, bool) // and whether it places elements
	}{
		{"at once", func(p simttest.RadixFuncs) (*simt.Func, bool) {
			p.Count.Body = without(p.Count.Body, 0)
			return p.Count, false
		}},
		{"at once", func(p simttest.RadixFuncs) (*simt.Func, bool) {
			p.Count.Body = without(p.Count.Body, 1)
			return p.Count, false
		}},
		{"does not reach a ballot", func(p simttest.RadixFuncs) (*simt.Func, bool) {
			seeded := false
			simt.Walk(p.Place.Body, func(s simt.Stmt) {
				f, ok := s.(*simt.For)
				if !ok || seeded {
					return
				}
				for i, s := range f.Body {
					if b, ok := s.(*simt.Ballot); ok && !seeded {
						f.Body[i] = &simt.If{Cond: b.Src, Then: []simt.Stmt{s}}
						seeded = true
					}
				}
			})
			return p.Place, true
		}},
	} {
		s := simttest.Radix(500, 1)
		n, rows := s.Counts()
		x := make([]byte, 4*500)
		for i := range x {
			x[i] = byte(i/4*5 + 1)
		}
		buffers := [][]byte{x, make([]byte, 4*n)}
		f, places := c.seed(simttest.Passes(s)[0])
		if places {
			buffers = append(buffers, make([]byte, 4*rows), make([]byte, 4*500), make([]byte, 4*500))
		}
		if err := simteval.Run(f, nil, buffers, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q: got %v", f.Name, c.want, err)
		}
	}
}

func put(b []byte, i, size int, x uint64) {
	for k := range size {
		b[i*size+k] = byte(x >> (8 * k))
	}
}

func get(b []byte, i, size int) (x uint64) {
	for k := range size {
		x |= uint64(b[i*size+k]) << (8 * k)
	}
	return x
}
