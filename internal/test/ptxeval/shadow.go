package ptxeval

import (
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
	size   int    // bytes of an element that is recorded at its first byte
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

// resize makes room for the marks of n bytes that are used in elements of a size. Elements of
// several sizes are recorded byte by byte.
func (s *shadow) resize(n, size int, launch uint32) {
	if s.launch != launch {
		s.launch, s.size = launch, size
	}
	if len(s.uses) < n {
		s.uses = append(s.uses, make([]use, n-len(s.uses))...)
	}
	if s.size == size || s.size == 1 {
		return
	}
	for i := 0; i < len(s.uses); i += s.size {
		for j := i + 1; j < min(i+s.size, len(s.uses)); j++ {
			s.uses[j] = s.uses[i]
			if j < len(s.groups) {
				s.groups[j] = s.groups[i]
			}
		}
	}
	s.size = 1
}

// touch records a use and reports whether no other thread conflicts with it.
func (s *shadow) touch(now *moment, id int16, at uint64, how simt.Usage) bool {
	u := &s.uses[at]
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
	u := &s.groups[at]
	if u.launch != now.launch {
		*u = groupUse{launch: now.launch}
	}
	return u.Use(int32(now.group-now.launch)+1, how)
}
