package ptxeval

import (
	"fmt"

	"github.com/weft-go/weft/lower/simt"
)

// The address of byte i of buffer n is n+1 in the upper 16 bits and i below. Shared,
// local and constant memory have addresses of their own.
const (
	bufferShift = 48
	sharedBase  = 0xfff0 << bufferShift
	localBase   = 0xfff1 << bufferShift
	constBase   = 0xfff2 << bufferShift
	offsetMask  = 1<<bufferShift - 1
)

// machine runs one entry.
type machine struct {
	m      *Module
	e      *entry
	find   func(address uint64) *Region
	recent *Region
	params []uint64
	group  int
	groups int
	when   moment

	shared  []byte
	marks   shadow
	flight  []bool // the words of shared memory that are being fetched
	flying  int    // how many are
	sources int    // copies to shared memory whose source may still be read
	threads []thread
	fault   error // of the instruction that runs

	tensor *asynchronous // nil: nothing has been started

	cluster *cluster // nil: the group is in none
	rank    int      // in it
	crowd   shadow   // which groups of the cluster used shared memory
	far     bool     // another group's memory was read since the last barrier of the cluster
}

// thread is the state of one thread.
type thread struct {
	id       int
	regs     []uint64 // the entry's, then fixed ones
	written  []bool
	local    []byte
	at       int
	done     bool
	arrived  bool        // at a barrier of the cluster
	spins    bool        // what it tries has failed
	waits    bool        // for other threads
	barrier  int64       // that it tried last
	accessed bool        // tensor memory, since its last fence before it meets others
	met      bool        // others, since its last fence after that
	open     []fetched   // since the last commit
	sets     [][]fetched // committed

	arguments []uint64 // of a call
}

// limit bounds the instructions of a thread between barriers.
const limit = 50_000_000

// Run runs an entry with groups of threads, one group after the other.
func (m *Module) Run(name string, groups int, buffers [][]byte, symbols []int64) error {
	regions := make([]*Region, len(buffers))
	var params []uint64
	for i, b := range buffers {
		at := i // two buffers may be one memory
		for j, c := range buffers[:i] {
			if len(c) > 0 && len(b) > 0 && &c[0] == &b[0] {
				at = j
				break
			}
		}
		address := uint64(at+1) << bufferShift
		if regions[i] = regions[at]; at == i || len(b) > len(regions[at].Data) {
			regions[i] = &Region{Base: address, Data: b}
			regions[at] = regions[i]
		}
		params = append(params, address)
	}
	for _, s := range symbols {
		params = append(params, uint64(s))
	}
	return m.RunAt(name, groups, 0, params, func(address uint64) *Region {
		if n := int(address >> bufferShift); n > 0 && n <= len(regions) {
			return regions[n-1]
		}
		return nil
	})
}

// RunAt runs an entry on memory that find returns for the address of a byte: the region that
// contains it, or one that ends before it; nil if there is none. A group has shared bytes of
// shared memory besides those that the entry declares.
func (m *Module) RunAt(name string, groups, shared int, params []uint64, find func(address uint64) *Region) error {
	e := m.entries[name]
	if e == nil {
		return bugf("there is no entry %s", name)
	}
	if n := e.words(); n != len(params) {
		return bugf("entry %s takes %d parameters, got %d", name, n, len(params))
	}
	size := max(e.cluster, 1)
	if groups%size != 0 {
		return bugf("entry %s: %d groups in clusters of %d", name, groups, size)
	}
	c := &cluster{}
	for rank := range size {
		v := &machine{m: m, e: e, find: find, groups: groups, params: params, shared: make([]byte, e.sharedN+int64(shared)), threads: make([]thread, e.threads), rank: rank}
		n := len(e.regs) + len(e.fixed)
		memory := registers.Get().(*registerFile)
		defer registers.Put(memory)
		memory.resize(e.threads * n)
		regs, written, local := memory.bits, memory.written, make([]byte, int64(e.threads)*e.localN)
		for i := range v.threads {
			t := thread{id: i, regs: regs[i*n:][:n], written: written[i*n:][:n], local: local[int64(i)*e.localN:][:e.localN]}
			fixed := len(e.regs)
			copy(t.regs[fixed:], e.fixed)
			t.regs[fixed+tid], t.regs[fixed+nctaid] = uint64(i), uint64(groups)
			for r := range e.fixed {
				t.written[fixed+r] = true
			}
			v.threads[i] = t
		}
		if e.cluster > 0 {
			v.cluster = c
		}
		c.machines = append(c.machines, v)
	}
	launch := clock.Add(uint32(groups)) - uint32(groups) + 1
	for first := 0; first < groups; first += size {
		for rank, v := range c.machines {
			v.group = first + rank
			v.when = moment{group: launch + uint32(first), launch: launch} // a cluster's barriers separate its groups
		}
		if err := c.run(); err != nil {
			return fmt.Errorf("entry %s: %w", name, err)
		}
	}
	return nil
}

// Parameters returns the number of parameters of an entry and of threads of its groups;
// ok is false if there is no such entry.
func (m *Module) Parameters(name string) (params, threads int, ok bool) {
	e, ok := m.entries[name]
	if !ok {
		return 0, 0, false
	}
	return e.words(), e.threads, true
}

func (v *machine) nextEpoch() { v.when.epoch = epochs.Add(1) }

// start prepares the run of a group.
func (v *machine) start() {
	v.nextEpoch()
	poison(v.shared)
	for i := range v.threads {
		t := &v.threads[i]
		poison(t.local)
		clear(t.written[:len(v.e.regs)])
		t.regs[len(v.e.regs)+ctaid] = uint64(v.group)
		t.at, t.done, t.arrived = 0, false, false
		t.open, t.sets = nil, nil
	}
	if v.flight == nil || v.flying > 0 {
		v.flight = make([]bool, (len(v.shared)+3)/4)
	}
	v.flying, v.sources = 0, 0
}

// run runs a group up to a barrier of its cluster, or to its end: nil.
func (v *machine) run() (*inst, error) {
	if v.e.tensor {
		return nil, v.runWarps()
	}
	for {
		at, waiting := -1, 0
		for i := 0; i < len(v.threads); i += warpSize {
			if err := v.warp(v.threads[i:min(i+warpSize, len(v.threads))]); err != nil {
				return nil, err
			}
		}
		for i := range v.threads {
			t := &v.threads[i]
			if t.done {
				continue
			}
			if waiting++; at >= 0 && at != t.at {
				return nil, bugf("line %d: threads wait at different barriers", v.e.code[t.at-1].line)
			}
			at = t.at
		}
		if waiting == 0 {
			return nil, nil
		}
		in := &v.e.code[at-1]
		if waiting != len(v.threads) {
			return nil, bugf("line %d: %d of %d threads reach the barrier", in.line, waiting, len(v.threads))
		}
		if in.space == clusterSpace {
			return in, nil
		}
		v.nextEpoch()
	}
}

// poison fills memory that a kernel must write before it reads it.
func poison(b []byte) {
	for i := range b {
		b[i] = 0xa5
	}
}

// bugf returns the error of a program that breaks the rules of PTX, or that uses what this
// package lacks. Weft prints the programs, so that only a mistake in it can cause one.
func bugf(format string, args ...any) error { return fmt.Errorf("BUG: "+format, args...) }

var errUnset = bugf("a register is read that nothing has written")

// until runs a thread up to a barrier or its end.
func (v *machine) until(t *thread) error {
	for range limit {
		if t.at >= len(v.e.code) {
			return bugf("thread %d runs off the end", t.id)
		}
		in := &v.e.code[t.at]
		t.at++
		if in.guard >= 0 {
			if !t.written[in.guard] {
				return bugf("line %d, thread %d: the guard is not set", in.line, t.id)
			}
			if (t.regs[in.guard] != 0) == in.negate {
				continue
			}
		}
		switch in.kind {
		case ret:
			t.done = true
			return nil
		case barrier, exchange, collective:
			return nil
		case single, spin:
			if err := in.perform(v, t, in); v.fault == nil {
				v.fault = err
			}
			if t.spins && v.fault == nil {
				return nil
			}
		case branch:
			t.at = in.args[0].reg
			continue
		case fetch:
			v.fetch(t, in)
		case commit:
			t.sets, t.open = append(t.sets, t.open), nil
		case await:
			v.await(t, in)
		case arithmetic:
			x, y, z := in.src[0], in.src[1], in.src[2]
			if !t.written[x] || !t.written[y] || !t.written[z] {
				v.fault = errUnset
				break
			}
			r, err := in.run(t.regs[x], t.regs[y], t.regs[z])
			if err == nil {
				t.regs[in.dst], t.written[in.dst] = r, true
				continue
			}
			v.fault = err
		default:
			v.access(t, in)
		}
		if err := v.fault; err != nil {
			return fmt.Errorf("line %d, thread %d: %w", in.line, t.id, err)
		}
	}
	return bugf("thread %d does not end", t.id)
}

// value returns the value of an operand.
func (v *machine) value(t *thread, o *operand) uint64 {
	switch o.kind {
	case register:
		if !t.written[o.reg] {
			v.fault = errUnset
		}
		return t.regs[o.reg]
	case immediate:
		return o.bits
	case special:
		switch o.reg {
		case tid:
			return uint64(t.id)
		case ctaid:
			return uint64(v.group)
		}
		return uint64(v.groups)
	}
	v.fault = bugf("operand %q has no value", o.name)
	return 0
}

// place returns n bytes of memory at an address in a state space.
func (v *machine) place(t *thread, in *inst, address uint64, n int, how simt.Usage) []byte {
	if in.space == clusterSpace {
		return v.farPlace(in, address, n)
	}
	var data []byte
	var marks, crowd *shadow
	at := address & offsetMask
	high := address &^ uint64(offsetMask)
	if in.space == "shared" && high == 0 { // an address of 32 bits
		high = sharedBase
	}
	switch {
	case in.space == "shared" && high == sharedBase:
		data, marks, crowd = v.shared, &v.marks, &v.crowd
	case in.space == "local" && high == localBase:
		data = t.local
	case in.space == "const" && high == constBase && how == simt.Reads:
		data = v.m.constData
	case in.space == "global" && high < sharedBase:
		r := v.recent
		if r == nil || address < r.Base || address-r.Base >= uint64(len(r.Data)) {
			r = v.find(address)
			v.recent = r
		}
		if r != nil {
			data, marks, crowd, at = r.Data, &r.marks, &r.crowd, address-r.Base
		}
	}
	if data == nil && n > 0 {
		v.fault = bugf("address %#x is not in %s memory", address, in.space)
		return nil
	}
	if at+uint64(n) > uint64(len(data)) {
		v.fault = bugf("byte %d of %s memory of %d", at, in.space, len(data))
		return nil
	}
	if at%uint64(n) != 0 {
		v.fault = bugf("%d bytes at byte %d, which is not aligned", n, at)
		return nil
	}
	if marks == &v.marks && v.flying > 0 {
		for word := at / 4; word*4 < at+uint64(n); word++ {
			if v.flight[word] {
				v.fault = bugf("byte %d of shared memory is being fetched", max(word*4, at))
				return nil
			}
		}
	}
	if marks == &v.marks && v.e.asynchronous {
		if v.fault = v.overlaps(t, int64(at), int64(n), how); v.fault != nil {
			return nil
		}
	}
	if marks != nil && marks != &v.marks && how != simt.Reads && v.sources > 0 && v.isSource(address, n) {
		v.fault = bugf("address %#x is written while a copy to shared memory reads it", address)
		return nil
	}
	if marks != nil {
		marks.resize(len(data), in.bytes, v.when.launch)
		for i := 0; i < n; i += marks.size {
			if marks.touch(&v.when, int16(t.id+1), at+uint64(i), how) {
				continue
			}
			v.fault = bugf("threads use address %#x at once, and one writes it", address+uint64(i))
			return nil
		}
		if v.cluster != nil && !v.cluster.touch(crowd, len(data), v.rank, in, at, n, how) {
			return nil
		}
		if marks != &v.marks {
			for i := 0; i < n; i += marks.size {
				if !marks.touchGroup(&v.when, at+uint64(i), how) {
					v.fault = bugf("groups use address %#x, and one writes it", address+uint64(i))
					return nil
				}
			}
		}
	}
	return data[at : at+uint64(n)]
}
