package simteval

import "github.com/weft-go/weft/lower/simt"

// uses records who used each element of memory in a round, which ends with a barrier.
type uses struct {
	round   int32
	buffers [][]*page // by the first buffer that has the memory
	arrays  [][]*page
}

// page has neighbouring elements. Many kernels use a small part of their memory.
type page [256]use

type use struct {
	round int32 // the users are those of this round, and none in a later one
	users simt.Users[int32]
}

func (v *evaluator) newUses() *uses {
	u := &uses{buffers: make([][]*page, len(v.buffers)), arrays: make([][]*page, len(v.arrays))}
	grow := func(p *[]*page, elements int) {
		if n := (elements + len(page{}) - 1) / len(page{}); n > len(*p) {
			*p = make([]*page, n)
		}
	}
	for i, b := range v.buffers {
		grow(&u.buffers[v.memory[i]], len(b)/v.f.Kernel.Buffers[i].Type.Size())
	}
	for i, a := range v.arrays {
		if v.f.Arrays[i].Shared {
			grow(&u.arrays[i], len(a))
		}
	}
	return u
}

// of returns the users of an element in the present round.
func (u *uses) of(s spot) *simt.Users[int32] {
	memory := u.buffers
	if s.shared {
		memory = u.arrays
	}
	p := &memory[s.memory][s.at/int64(len(page{}))]
	if *p == nil {
		*p = new(page)
	}
	e := &(*p)[s.at%int64(len(page{}))]
	if e.round != u.round {
		*e = use{round: u.round}
	}
	return &e.users
}
