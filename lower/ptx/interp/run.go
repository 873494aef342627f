package interp

import (
	"encoding/binary"
	"fmt"
)

// The address of byte i of buffer n is n+1 in the upper 16 bits and i below. Shared,
// local and constant memory have addresses of their own.
const (
	bufferShift = 48
	sharedBase  = 0xfff0 << bufferShift
	localBase   = 0xfff1 << bufferShift
	constBase   = 0xfff2 << bufferShift
)

// machine runs one entry.
type machine struct {
	m       *Module
	e       *entry
	buffers [][]byte
	params  []uint64
	group   int
	groups  int

	shared  []byte
	consts  []byte
	tables  map[string]space
	threads []thread
	used    map[uint64]use
}

// use tells which thread read and wrote a byte since the last barrier: thread + 1, 0 for
// none, −1 for several.
type use struct{ reader, writer int }

// thread is the state of one thread.
type thread struct {
	id      int
	regs    []uint64
	written []bool
	local   []byte
	at      int
	done    bool
}

// limit bounds the instructions of a thread between barriers.
const limit = 50_000_000

// Run runs an entry with groups of threads, one group after the other.
func (m *Module) Run(name string, groups int, buffers [][]byte, symbols []int64) error {
	e := m.entries[name]
	if e == nil {
		return fmt.Errorf("there is no entry %s", name)
	}
	if e.params != len(buffers)+len(symbols) {
		return fmt.Errorf("entry %s takes %d parameters, got %d", name, e.params, len(buffers)+len(symbols))
	}
	v := &machine{m: m, e: e, buffers: buffers, groups: groups, tables: map[string]space{}}
	for i := range buffers {
		v.params = append(v.params, uint64(i+1)<<bufferShift)
	}
	for _, s := range symbols {
		v.params = append(v.params, uint64(s))
	}
	for n, data := range m.consts {
		v.tables[n] = space{int64(len(v.consts)), int64(len(data))}
		v.consts = append(v.consts, data...)
	}
	for v.group = range groups {
		if err := v.run(); err != nil {
			return fmt.Errorf("entry %s: %w", name, err)
		}
	}
	return nil
}

func (v *machine) run() error {
	v.shared = make([]byte, v.e.sharedN)
	v.used = map[uint64]use{}
	v.threads = make([]thread, v.e.threads)
	for i := range v.threads {
		v.threads[i] = thread{id: i, regs: make([]uint64, len(v.e.regs)), written: make([]bool, len(v.e.regs)), local: make([]byte, v.e.localN)}
	}
	for {
		at, waiting := -1, 0
		for i := range v.threads {
			t := &v.threads[i]
			if t.done {
				continue
			}
			if err := v.until(t); err != nil {
				return err
			}
			if t.done {
				continue
			}
			if waiting++; at >= 0 && at != t.at {
				return fmt.Errorf("line %d: threads wait at different barriers", v.e.code[t.at-1].line)
			}
			at = t.at
		}
		if waiting == 0 {
			return nil
		}
		if waiting != len(v.threads) {
			return fmt.Errorf("line %d: %d of %d threads reach the barrier", v.e.code[at-1].line, waiting, len(v.threads))
		}
		clear(v.used)
	}
}

// until runs a thread up to a barrier or its end.
func (v *machine) until(t *thread) error {
	for range limit {
		if t.at >= len(v.e.code) {
			return fmt.Errorf("thread %d runs off the end", t.id)
		}
		in := &v.e.code[t.at]
		t.at++
		fail := func(err error) error { return fmt.Errorf("line %d, thread %d: %w", in.line, t.id, err) }
		if in.guard >= 0 {
			if !t.written[in.guard] {
				return fail(fmt.Errorf("the guard is not set"))
			}
			if (t.regs[in.guard] != 0) == in.negate {
				continue
			}
		}
		switch in.op[0] {
		case "ret":
			t.done = true
			return nil
		case "bar":
			return nil
		case "bra":
			t.at = in.args[0].reg
			continue
		}
		if err := v.step(t, in); err != nil {
			return fail(err)
		}
	}
	return fmt.Errorf("thread %d does not end", t.id)
}

// value returns an operand.
func (v *machine) value(t *thread, o operand) (uint64, error) {
	switch o.kind {
	case register:
		if !t.written[o.reg] {
			return 0, fmt.Errorf("a register is read that nothing has written")
		}
		return t.regs[o.reg], nil
	case immediate:
		return o.bits, nil
	case special:
		switch o.name {
		case "%tid.x":
			return uint64(t.id), nil
		case "%ctaid.x":
			return uint64(v.group), nil
		}
		return uint64(v.groups), nil
	case symbol:
		if s, ok := v.e.shared[o.name]; ok {
			return sharedBase + uint64(s.at), nil
		}
		if s, ok := v.e.local[o.name]; ok {
			return localBase + uint64(s.at), nil
		}
		if s, ok := v.tables[o.name]; ok {
			return constBase + uint64(s.at), nil
		}
	}
	return 0, fmt.Errorf("operand %q has no value", o.name)
}

// place returns n bytes of memory at an address in a state space.
func (v *machine) place(t *thread, space string, address uint64, n int, write bool) ([]byte, error) {
	var data []byte
	at := address & (1<<bufferShift - 1)
	switch high := address >> bufferShift << bufferShift; {
	case space == "shared" && high == sharedBase:
		data = v.shared
	case space == "local" && high == localBase:
		data = t.local
	case space == "const" && high == constBase && !write:
		data = v.consts
	case space == "global" && high > 0 && int(address>>bufferShift) <= len(v.buffers):
		data = v.buffers[address>>bufferShift-1]
	default:
		return nil, fmt.Errorf("address %#x is not in %s memory", address, space)
	}
	if at+uint64(n) > uint64(len(data)) {
		return nil, fmt.Errorf("byte %d of %s memory of %d", at, space, len(data))
	}
	if at%uint64(n) != 0 {
		return nil, fmt.Errorf("%d bytes at byte %d, which is not aligned", n, at)
	}
	if space == "shared" || space == "global" {
		if err := v.touch(t.id+1, v.canonical(address), write); err != nil {
			return nil, err
		}
	}
	return data[at : at+uint64(n)], nil
}

// canonical returns the address in the first buffer that has the same memory.
func (v *machine) canonical(address uint64) uint64 {
	n := int(address>>bufferShift) - 1
	if n >= len(v.buffers) || len(v.buffers[n]) == 0 {
		return address
	}
	for i, b := range v.buffers[:n] {
		if len(b) > 0 && &b[0] == &v.buffers[n][0] {
			return address&(1<<bufferShift-1) | uint64(i+1)<<bufferShift
		}
	}
	return address
}

func (v *machine) touch(id int, address uint64, write bool) error {
	u := v.used[address]
	switch {
	case u.writer != 0 && u.writer != id, write && u.reader != 0 && u.reader != id:
		return fmt.Errorf("threads use address %#x at once, and one writes it", address)
	case write:
		u.writer = id
	case u.reader == 0:
		u.reader = id
	case u.reader != id:
		u.reader = -1
	}
	v.used[address] = u
	return nil
}

// sized returns the number of bits that a type name ends with.
func sized(t string) int {
	switch t {
	case "u8", "s8", "b8":
		return 8
	case "u16", "s16", "b16":
		return 16
	case "u64", "s64", "b64", "f64":
		return 64
	}
	return 32
}

// extended returns the low bits of x, extended to 64 as the type says.
func extended(t string, x uint64) uint64 {
	n := 64 - sized(t)
	if t[0] == 's' {
		return uint64(int64(x<<n) >> n)
	}
	return x << n >> n
}

// access runs ld and st.
func (v *machine) access(t *thread, in *inst) error {
	where, kind := in.op[1], in.op[2]
	if where == "param" {
		name := in.args[1].name
		var i int
		if _, err := fmt.Sscanf(name[len(v.e.name):], "_%d", &i); err != nil || i >= len(v.params) {
			return fmt.Errorf("there is no parameter %s", name)
		}
		v.set(t, in.args[0], v.params[i])
		return nil
	}
	load := in.op[0] == "ld"
	m, x := in.args[0], operand{}
	if load {
		m, x = in.args[1], in.args[0]
	} else {
		x = in.args[1]
	}
	address, err := v.value(t, operand{kind: register, reg: m.reg})
	if err != nil {
		return err
	}
	n := sized(kind) / 8
	b, err := v.place(t, where, address, n, !load)
	if err != nil {
		return err
	}
	var word [8]byte
	if load {
		copy(word[:], b)
		bits := extended(kind, binary.LittleEndian.Uint64(word[:]))
		if sized(kind) < 64 {
			bits &= 1<<32 - 1
		}
		v.set(t, x, bits)
		return nil
	}
	bits, err := v.value(t, x)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(word[:], bits)
	copy(b, word[:n])
	return nil
}

func (v *machine) set(t *thread, o operand, bits uint64) {
	t.regs[o.reg], t.written[o.reg] = bits, true
}
