package core

import (
	"iter"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"weak"
)

// Dims is an immutable list of integers: a shape, a list of axes, a permutation.
// Equal lists are the same handle, so that Dims compare with == and primitives
// that hold them can be map keys. The zero Dims is the empty list.
type Dims struct{ p *dims }

type dims struct {
	v    []int
	size int    // product, -1 if it overflows or an element is negative
	key  string // in the intern table

	// Caches of the list without its first element, the last result of Prepend, and the result of
	// Next. Batching needs them at every operation, and a thousand nested batches have lists of a
	// thousand elements.
	rest   atomic.Pointer[dims]
	longer atomic.Pointer[weak.Pointer[dims]]
	next   atomic.Pointer[weak.Pointer[dims]]
}

// dimsShard is one shard of the intern table. Entries are weak: a list that nothing refers to any
// more leaves the table.
type dimsShard struct {
	mu sync.RWMutex
	m  map[string]weak.Pointer[dims]
}

var dimsTable [16]dimsShard

// MakeDims returns the handle of the list v, which it copies.
func MakeDims(v ...int) Dims {
	if len(v) == 0 {
		return Dims{}
	}
	var buf [128]byte
	key := buf[:0]
	if len(v) > len(buf) {
		key = make([]byte, 0, 2*len(v))
	}
	for _, x := range v {
		key = appendKey(key, x)
	}
	if p := interned(key); p != nil {
		return Dims{p}
	}
	return intern(string(key), append([]int(nil), v...))
}

// appendKey appends an element to the key of a list: seven bits per byte; the last byte is below
// 128.
func appendKey(key []byte, x int) []byte {
	u := uint64(x)<<1 ^ uint64(int64(x)>>63)
	for u >= 0x80 {
		key = append(key, byte(u)|0x80)
		u >>= 7
	}
	return append(key, byte(u))
}

// shardOf returns the shard that has the key, if any has. It looks at 16 bytes at most; the
// shard's map hashes the whole key.
func shardOf[K string | []byte](key K) *dimsShard {
	h := uint32(2166136261)
	for i := range min(len(key), 16) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return &dimsTable[h>>28]
}

// interned returns the list with a key, nil if there is none.
func interned[K string | []byte](key K) *dims {
	s := shardOf(key)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[string(key)].Value()
}

// intern returns the list with the key. If there is none it adds v, without copying it.
func intern(key string, v []int) Dims {
	s := shardOf(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.m[key].Value(); p != nil {
		return Dims{p}
	}
	if s.m == nil {
		s.m = make(map[string]weak.Pointer[dims])
	}
	p := &dims{v: v, size: product(v), key: key}
	w := weak.Make(p)
	s.m[key] = w
	runtime.AddCleanup(p, func(key string) {
		s.mu.Lock()
		if s.m[key] == w {
			delete(s.m, key)
		}
		s.mu.Unlock()
	}, key)
	return Dims{p}
}

// product returns -1 where an element is negative or the product does not fit; a zero
// makes it zero however large the others are.
func product(v []int) int {
	n := 1
	for _, x := range v {
		if x < 0 {
			return -1
		}
		if x == 0 {
			n = 0
		}
	}
	for _, x := range v {
		if n > 0 && x > math.MaxInt/n {
			return -1
		}
		n *= x
	}
	return n
}

func (d Dims) list() []int {
	if d.p == nil {
		return nil
	}
	return d.p.v
}

// Len returns the number of elements of the list: the rank, where d is a shape.
func (d Dims) Len() int { return len(d.list()) }

// At returns element i; negative i count from the end. It is not inlined, which keeps
// programs small.
//
//go:noinline
func (d Dims) At(i int) int {
	if i < 0 {
		i += d.Len()
	}
	return d.list()[i]
}

// Ints returns a copy of the list.
//
//go:noinline // keeps programs small
func (d Dims) Ints() []int { return append([]int(nil), d.list()...) }

// All ranges over index and element.
func (d Dims) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i, x := range d.list() {
			if !yield(i, x) {
				return
			}
		}
	}
}

// Size returns the product of the elements: the number of elements of an array of
// shape d. It is −1 if that overflows an int or an element is negative.
func (d Dims) Size() int {
	if d.p == nil {
		return 1
	}
	return d.p.size
}

// Index returns the first position of x in the list, or −1.
func (d Dims) Index(x int) int {
	for i, y := range d.list() {
		if x == y {
			return i
		}
	}
	return -1
}

// Has reports whether x stands in the list.
func (d Dims) Has(x int) bool { return d.Index(x) >= 0 }

// Append returns the list with v appended.
func (d Dims) Append(v ...int) Dims { return MakeDims(append(d.Ints(), v...)...) }

// Prepend returns the list with v before it.
func (d Dims) Prepend(v ...int) Dims {
	if d.p == nil || len(v) != 1 {
		return MakeDims(append(append([]int(nil), v...), d.list()...)...)
	}
	if lo, ok := d.isRange(); ok && lo == v[0]+1 {
		return Range(v[0], lo+d.Len())
	}
	if last := d.p.longer.Load(); last != nil {
		if p := last.Value(); p != nil && p.v[0] == v[0] {
			return Dims{p}
		}
	}
	// A batch axis was added: the list's key is that of the new element, followed by d's.
	var buf [128]byte
	key := append(appendKey(buf[:0], v[0]), d.p.key...)
	longer := Dims{interned(key)}
	if longer.p == nil {
		longer = intern(string(key), append([]int{v[0]}, d.p.v...))
	}
	last := weak.Make(longer.p)
	d.p.longer.Store(&last)
	return longer
}

// Slice returns the list from lo up to, not including, hi.
func (d Dims) Slice(lo, hi int) Dims {
	v := d.list()
	if lo != 1 || hi != len(v) || hi == 1 {
		return MakeDims(v[lo:hi]...)
	}
	if p := d.p.rest.Load(); p != nil {
		return Dims{p}
	}
	// A batch axis was removed: the list's key is d's without that of the first element.
	var buf [128]byte
	n := 0
	for d.p.key[n] >= 0x80 {
		n++
	}
	key := append(buf[:0], d.p.key[n+1:]...)
	rest := Dims{interned(key)}
	if rest.p == nil {
		rest = intern(string(key), append([]int(nil), v[1:]...))
	}
	d.p.rest.Store(rest.p)
	return rest
}

// Remove returns the list without the elements at the given positions.
func (d Dims) Remove(positions ...int) Dims {
	out := make([]int, 0, d.Len())
next:
	for i, x := range d.list() {
		for _, p := range positions {
			if i == p {
				continue next
			}
		}
		out = append(out, x)
	}
	return MakeDims(out...)
}

// Map returns the list of f(x) for each x.
func (d Dims) Map(f func(int) int) Dims {
	out := d.Ints()
	for i, x := range out {
		out[i] = f(x)
	}
	return MakeDims(out...)
}

// Next returns the list of x+1 for each x: the same axes after another axis was put in front.
func (d Dims) Next() Dims {
	if d.p == nil {
		return d
	}
	if lo, ok := d.isRange(); ok {
		return Range(lo+1, lo+1+d.Len())
	}
	if last := d.p.next.Load(); last != nil {
		if p := last.Value(); p != nil {
			return Dims{p}
		}
	}
	next := d.Map(func(x int) int { return x + 1 })
	last := weak.Make(next.p)
	d.p.next.Store(&last)
	return next
}

// Range returns the list lo, lo+1, …, hi−1, the empty one if hi ≤ lo.
func Range(lo, hi int) Dims {
	if hi <= lo {
		return Dims{}
	}
	if t := axesTable(); lo >= 0 && hi < len(t.v) {
		key := t.key[t.at[lo]:t.at[hi]]
		if p := interned(key); p != nil {
			return Dims{p}
		}
		return intern(key, t.v[lo:hi:hi])
	}
	v := make([]int, hi-lo)
	for i := range v {
		v[i] = lo + i
	}
	return MakeDims(v...)
}

// isRange reports whether d, which is not empty, lists consecutive integers, and returns the
// first.
func (d Dims) isRange() (lo int, ok bool) {
	for i, x := range d.p.v {
		if x != d.p.v[0]+i {
			return 0, false
		}
	}
	return d.p.v[0], true
}

// axesTable returns the integers whose ranges share memory: a thousand nested batches have ranges
// of a thousand axes.
var axesTable = sync.OnceValue(func() *axesOfRanges {
	const n = 1 << 12
	t, key := &axesOfRanges{v: make([]int, n), at: make([]int, n)}, make([]byte, 0, 2*n)
	for i := range n {
		t.v[i], t.at[i] = i, len(key)
		key = appendKey(key, i)
	}
	t.key = string(key)
	return t
})

// axesOfRanges are consecutive integers, the key of their list, and where the key of each begins.
type axesOfRanges struct {
	v, at []int
	key   string
}

// String returns the list as a tuple: (), (3,), (3, 4).
func (d Dims) String() string {
	switch v := d.list(); len(v) {
	case 0:
		return "()"
	case 1:
		return "(" + strconv.Itoa(v[0]) + ",)"
	default:
		return "(" + d.join(", ") + ")"
	}
}

func (d Dims) join(sep string) string {
	var b strings.Builder
	for i, x := range d.list() {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(strconv.Itoa(x))
	}
	return b.String()
}
