package ptxeval

import "github.com/weft-go/weft/lower/simt"

// direct is what threads have written to shared memory by themselves, or by cp.async. wgmma, tcgen05 and TMA can rely on it behind a fence of the
// thread that wrote, and a barrier.
type direct struct {
	writer []int16 // by byte: the thread, from 1 on, that wrote to it and has had no fence since
	fenced []uint32
	spans  map[int][]span // that threads have written since their last fence
}

type span struct{ at, n int64 }

// by returns the thread, from 1 on, that has written to a byte without a fence since; 0: none.
func (d *direct) by(at int64) int16 {
	if d.writer == nil {
		return 0
	}
	return d.writer[at]
}

// fencedIn returns the epoch of the fence of the thread that wrote to a byte last.
func (d *direct) fencedIn(at int64) uint32 {
	if d.fenced == nil {
		return 0
	}
	return d.fenced[at]
}

// wrote records that a thread has written to shared memory.
func (v *machine) wrote(t *thread, at, n int64) {
	d := &v.async().direct
	if d.writer == nil {
		*d = direct{make([]int16, len(v.shared)), make([]uint32, len(v.shared)), map[int][]span{}}
	}
	for i := range n {
		d.writer[at+i] = int16(t.id + 1)
	}
	d.spans[t.id] = append(d.spans[t.id], span{at, n})
}

// fenceProxy orders what a thread has written before what wgmma reads, but for copies that it has not waited for.
func fenceProxy(v *machine, t *thread, _ *inst) error {
	d := &v.async().direct
	var left []span
	for _, s := range d.spans[t.id] {
		if v.flight[s.at/4] {
			left = append(left, s)
			continue
		}
		for i := s.at; i < s.at+s.n; i++ {
			if d.writer[i] == int16(t.id+1) {
				d.writer[i], d.fenced[i] = 0, v.when.epoch
			}
		}
	}
	if d.spans != nil {
		d.spans[t.id] = left
	}
	return nil
}

// wasRead records that wgmma, for which threads have waited, has read memory that threads write: they must meet before one of them writes there again. Where
// TMA writes, barriers in memory are what is waited for.
func (v *machine) wasRead(p *product) error {
	if len(v.e.maps) > 0 || p.left != nil {
		return nil
	}
	word := &inst{space: "shared", bytes: 4}
	for i, m := range []*matrix{&p.a, &p.b} {
		for line := range int64([]int{64, p.n}[i]) {
			for k := range int64(p.depth) {
				at := m.place(line, k)
				if at%4 != 0 {
					continue
				}
				for _, t := range []*thread{&p.ts[0], &p.ts[1]} { // no thread may write, neither may one of the two
					if v.place(t, word, sharedBase|uint64(at), 4, simt.Reads) == nil {
						return v.fault
					}
				}
			}
		}
	}
	return nil
}
