package ptxeval

import (
	"math/bits"
	"sync/atomic"

	"github.com/weft-go/weft/lower/simt"
)

// A Region is global memory from an address on. Two regions do not overlap.
type Region struct {
	Base uint64
	Data []byte

	marks shadow
	crowd shadow // which groups of a cluster used it
}

// shadow records who used the elements of a memory: which threads since the last barrier and,
// of global memory, which groups since the launch.
type shadow struct {
	uses   []use
	groups []groupUse
	size   int    // bytes of an element, a power of two
	shift  uint   // its logarithm
	launch uint32 // that size belongs to
}

// use records which threads, numbered from 1, used an element in an epoch.
type use struct {
	epoch uint32
	simt.Users[int16]
}

// groupUse records which groups, numbered from 1, used an element in a launch.
type groupUse struct {
	launch uint32
	simt.Users[int32]
}

// moment is when a thread uses memory: the stretch between barriers, the group, and the first
// group of the launch. Numbers never repeat between runs, so that marks need no clearing.
type moment struct{ epoch, group, launch uint32 }

var epochs, clock atomic.Uint32

// resize makes room for the marks of n bytes, the whole memory, that are used in elements of a size. Elements of
// several sizes are recorded byte by byte.
func (s *shadow) resize(n, size int, launch uint32) {
	if s.launch != launch {
		s.launch, s.size, s.shift = launch, size, uint(bits.Len(uint(size))-1)
	}
	if s.size != size && s.size != 1 {
		used := (n + s.size - 1) >> s.shift // more are there if another launch recorded bytes
		s.uses, s.groups = repeated(s.uses[:min(used, len(s.uses))], s.size), repeated(s.groups[:min(used, len(s.groups))], s.size)
		s.size, s.shift = 1, 0
	}
	if n = (n + s.size - 1) >> s.shift; len(s.uses) < n {
		s.uses = append(s.uses, make([]use, n-len(s.uses))...)
	}
}

// repeated returns each element n times.
func repeated[E any](s []E, n int) []E {
	out := make([]E, 0, n*len(s))
	for _, x := range s {
		for range n {
			out = append(out, x)
		}
	}
	return out
}

// touch records a use and reports whether no other thread conflicts with it.
func (s *shadow) touch(now *moment, id int16, at uint64, how simt.Usage) bool {
	u := &s.uses[at>>s.shift]
	if u.epoch != now.epoch {
		*u = use{epoch: now.epoch}
	}
	return u.Use(id, how)
}

// touchGroup records a use of global memory and reports whether no other group of the launch, or stretch, of now
// conflicts with it: no barrier separates these.
func (s *shadow) touchGroup(now *moment, at uint64, how simt.Usage) bool {
	if len(s.groups) < len(s.uses) {
		s.groups = append(s.groups, make([]groupUse, len(s.uses)-len(s.groups))...)
	}
	u := &s.groups[at>>s.shift]
	if u.launch != now.launch {
		*u = groupUse{launch: now.launch}
	}
	return u.Use(int32(now.group-now.launch)+1, how)
}

// used reports whether a thread used a byte in an epoch.
func (s *shadow) used(at int64, epoch uint32) bool {
	i := int(at >> s.shift)
	return i < len(s.uses) && s.uses[i].epoch == epoch
}
