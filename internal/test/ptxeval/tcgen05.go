package ptxeval

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// The size of the tensor memory of a group: lanes of columns of 32 bits. Bits 16 and up of an address are the lane.
const (
	tensorLanes   = 128
	tensorColumns = 512
)

// tensorMemory is the tensor memory of a group, and the products into it that have been started.
type tensorMemory struct {
	sums         [tensorColumns][]float32 // by column; nil: no product has begun there
	first, count int                      // columns that are allocated; no count: none
	relinquished bool
	issuer       int             // the thread that starts products, from 1; 0: none has
	queue        []*tensorWork   // products and commits, in order
	loads        [][]*tensorLoad // that have not been waited for, by warp
}

// tensorWork is a product that has been started, or a commit.
type tensorWork struct {
	commit  bool
	barrier int64 // of a commit
	kind    string
	a, b    matrix
	rows, n int
	depth   int
	column  int
	add     bool
}

// tensorLoad is a load that has been started.
type tensorLoad struct {
	in           *inst
	lane, column int
}

// touches reports whether a product writes one of n columns.
func (w *tensorWork) touches(column, n int) bool {
	return !w.commit && column < w.column+w.n && w.column < column+n
}

// order records that a thread has met others, after which tensor memory may only be accessed behind a fence; and reports an
// error if its accesses so far are not ordered before.
func (t *thread) order() error {
	if t.accessed {
		return bugf("thread %d arrives at a barrier after it has used tensor memory: there is no tcgen05.fence::before_thread_sync between them", t.id)
	}
	t.met = true
	return nil
}

// ordered returns an error if a thread must not access tensor memory.
func (t *thread) ordered(in *inst) error {
	if t.met {
		return bugf("%s behind a barrier: there is no tcgen05.fence::after_thread_sync between them", strings.Join(in.op[:2], "."))
	}
	return nil
}

func (m *tensorMemory) allocated(column, n int) error {
	if column < m.first || column+n > m.first+m.count {
		return bugf("columns %d to %d of tensor memory, of which %d to %d are allocated", column, column+n-1, m.first, m.first+m.count-1)
	}
	return nil
}

var tensorLoadShape = regexp.MustCompile(`^tcgen05\.ld\.sync\.aligned\.16x256b\.x(\d+)\.b32$`)

// decodeTcgen05 finds what an instruction of the fifth generation of tensor cores does.
func (e *entry) decodeTcgen05(in *inst, name string, args func(n int) error) error {
	e.asynchronous = true
	in.kind = single
	switch name {
	case "tcgen05.fence::before_thread_sync":
		in.perform = func(_ *machine, t *thread, _ *inst) error { t.accessed = false; return nil }
		return args(0)
	case "tcgen05.fence::after_thread_sync":
		in.perform = func(_ *machine, t *thread, _ *inst) error { t.met = false; return nil }
		return args(0)
	case "tcgen05.mma.cta_group::1.kind::tf32", "tcgen05.mma.cta_group::1.kind::f16":
		in.perform = startTcgen05
		return args(5)
	case "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64":
		in.perform = commitTcgen05
		return args(1)
	}
	in.kind = collective
	switch {
	case name == "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32":
		in.together = allocate
		return args(2)
	case name == "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned":
		in.together = func(v *machine, _ []thread, _ *inst) error { v.async().memory.relinquished = true; return nil }
		return args(0)
	case name == "tcgen05.dealloc.cta_group::1.sync.aligned.b32":
		in.together = deallocate
		return args(2)
	case name == "tcgen05.wait::ld.sync.aligned":
		in.together = waitForLoads
		return args(0)
	}
	if f := tensorLoadShape.FindStringSubmatch(name); f != nil {
		in.together = loadTensorMemory
		n, _ := strconv.Atoi(f[1])
		if n > 32 || n&(n-1) != 0 {
			return bugf("%s is not known", name)
		}
		return args(4*n + 1)
	}
	return bugf("%s is not known", name)
}

// same returns the value of an operand that must be equal in all threads.
func same(v *machine, ts []thread, o *operand) (uint64, error) {
	x := uint64(0)
	for i := range ts {
		var y uint64
		if o.kind == memory {
			y = v.addressOf(&ts[i], o)
		} else {
			y = v.value(&ts[i], o)
		}
		if i > 0 && x != y {
			return 0, bugf("threads of a warp have different operands")
		}
		x = y
	}
	return x, v.fault
}

func allocate(v *machine, ts []thread, in *inst) error {
	m, n := &v.async().memory, int(in.args[1].bits)
	address, err := same(v, ts, &in.args[0])
	switch {
	case err != nil:
		return err
	case in.args[1].kind != immediate || n < 32 || n > tensorColumns || n&(n-1) != 0:
		return bugf("columns of tensor memory are allocated by powers of two from 32 to %d", tensorColumns)
	case m.relinquished:
		return bugf("tensor memory is allocated after the permit has been relinquished")
	case m.count > 0:
		return bugf("tensor memory is allocated twice")
	}
	m.first, m.count = tensorColumns-n, n // others may have the columns before
	b := v.place(&ts[0], barrierAccess4, address, 4, simt.Writes)
	if b == nil {
		return v.fault
	}
	write(b, 4, uint64(m.first))
	for i := range ts {
		ts[i].accessed = true
	}
	return nil
}

var barrierAccess4 = &inst{space: "shared", bytes: 4}

func deallocate(v *machine, ts []thread, in *inst) error {
	m := &v.async().memory
	at, err := same(v, ts, &in.args[0])
	switch {
	case err != nil:
		return err
	case m.count == 0 || int(at) != m.first || int(in.args[1].bits) != m.count:
		return bugf("%d columns of tensor memory from %d on are freed, and %d from %d on are allocated", in.args[1].bits, at, m.count, m.first)
	}
	for i := range ts {
		if err := ts[i].ordered(in); err != nil {
			return err
		}
	}
	for _, w := range m.queue {
		if !w.commit {
			return bugf("tensor memory is freed while a product is under way")
		}
	}
	for _, l := range m.loads {
		if len(l) > 0 {
			return bugf("tensor memory is freed while a load is under way")
		}
	}
	m.count = 0
	return nil
}

// startTcgen05 starts a product. Its sums can be read when a barrier that it has been committed to has been waited for.
func startTcgen05(v *machine, t *thread, in *inst) error {
	a := v.async()
	m := &a.memory
	to, what := v.addressOf(t, &in.args[0]), v.value(t, &in.args[3])
	w := &tensorWork{column: int(to & 0xffff), add: v.value(t, &in.args[4]) != 0}
	x, y := v.value(t, &in.args[1]), v.value(t, &in.args[2])
	if v.fault != nil {
		return v.fault
	}
	if err := t.ordered(in); err != nil {
		return err
	}
	if m.issuer != 0 && m.issuer != t.id+1 {
		return bugf("threads %d and %d start products, whose order is open", m.issuer-1, t.id)
	}
	m.issuer = t.id + 1
	format := what >> 7 & 7
	size := int64(2)
	w.kind = map[uint64]string{0: "f16", 1: "bf16", 2: "tf32"}[format]
	if w.kind == "tf32" {
		size = 4
	}
	w.depth, w.n, w.rows = int(32/size), int(what>>17&63)*8, int(what>>24&31)*16
	const others = 1<<0 | 1<<1 | 1<<2 | 1<<3 | 1<<6 | 1<<13 | 1<<14 | 1<<23 | 7<<29
	switch {
	case what&others != 0 || what>>4&3 != 1 || what>>10&7 != format || w.kind == "" || (w.kind == "tf32") != (in.op[3] == "kind::tf32"):
		return bugf("an instruction of %s has the descriptor %#x", in.op[3], what)
	case w.rows != tensorLanes || w.n == 0 || w.n > 256 || w.n%16 != 0:
		return bugf("a product of %d rows and %d columns", w.rows, w.n)
	case size == 4 && what>>15&3 != 0:
		return bugf("operands of tf32 whose neighbours along k are no neighbours in lines of 128 bytes")
	case to>>16 != 0:
		return bugf("a product into lane %d of tensor memory", to>>16)
	}
	if err := m.allocated(w.column, w.n); err != nil {
		return err
	}
	for side, d := range []uint64{x, y} {
		const fixed, reserved = 2<<61 | 1<<46, 3<<14 | 3<<30 | 0x3fff<<47
		if d&(7<<61|1<<46) != fixed || d&reserved != 0 {
			return bugf("a descriptor %#x: not of this unit, or without the exchange in lines of 128 bytes", d)
		}
		o, lines := &w.a, w.rows
		if side == 1 {
			o, lines = &w.b, w.n
		}
		*o = matrixOf(d, what>>(15+side)&1 != 0, size)
		if err := v.readable(o, int64(lines), w.depth, "tcgen05"); err != nil {
			return err
		}
	}
	pending := slices.ContainsFunc(m.queue, func(q *tensorWork) bool { return q.touches(w.column, w.n) })
	for i := range w.n {
		if w.add && !pending && m.sums[w.column+i] == nil {
			return bugf("a product is added to column %d of tensor memory, which nothing has written", w.column+i)
		}
	}
	for _, ls := range m.loads {
		for _, l := range ls {
			if w.touches(l.column, (len(l.in.args)-1)/4*8) {
				return bugf("a product into column %d of tensor memory, while a load reads it", l.column)
			}
		}
	}
	m.queue = append(m.queue, w)
	return nil
}

func commitTcgen05(v *machine, t *thread, in *inst) error {
	if _, err := v.barrierAt(t, &in.args[0]); err != nil {
		return err
	}
	m := &v.async().memory
	m.queue = append(m.queue, &tensorWork{commit: true, barrier: int64(v.addressOf(t, &in.args[0]) & offsetMask)})
	return nil
}

// deliverProducts completes the products up to a commit to a barrier that a thread waits for. Earlier commits may arrive later.
func (v *machine) deliverProducts() (bool, error) {
	a := v.async()
	m := &a.memory
	for i, w := range m.queue {
		if !w.commit || !v.awaited(w.barrier) {
			continue
		}
		var rest []*tensorWork
		for _, q := range m.queue[:i] {
			if q.commit {
				rest = append(rest, q)
			} else {
				v.finishTcgen05(q)
			}
		}
		m.queue = append(rest, m.queue[i+1:]...)
		return true, a.barriers[w.barrier].arrive()
	}
	return false, nil
}

// finishTcgen05 computes the sums in f64, rounded once.
func (v *machine) finishTcgen05(w *tensorWork) {
	kind := kinds[w.kind]
	a, b := v.numbers(&w.a, kind, w.rows, w.depth), v.numbers(&w.b, kind, w.n, w.depth)
	for c := range w.n {
		sums := &v.async().memory.sums[w.column+c]
		if *sums == nil {
			*sums = make([]float32, tensorLanes)
		}
		for r := range w.rows {
			sum := 0.
			if w.add {
				sum = float64((*sums)[r])
			}
			for k := range w.depth {
				sum += a[r][k] * b[c][k]
			}
			(*sums)[r] = float32(sum)
		}
	}
}

// loadTensorMemory starts a load of 16 lanes of blocks of eight columns. Registers can be read when it has been waited for.
func loadTensorMemory(v *machine, ts []thread, in *inst) error {
	m := &v.async().memory
	last := len(in.args) - 1
	address, err := same(v, ts, &in.args[last])
	if err != nil {
		return err
	}
	l := &tensorLoad{in: in, lane: int(address >> 16), column: int(address & 0xffff)}
	warp, n := ts[0].id/warpSize, last/4*8
	if l.lane/32 != warp%4 || l.lane%16 != 0 {
		return bugf("warp %d loads from lane %d of tensor memory", warp, l.lane)
	}
	if err := m.allocated(l.column, n); err != nil {
		return err
	}
	for i := range ts {
		if err := ts[i].ordered(in); err != nil {
			return err
		}
		ts[i].accessed = true
		for _, r := range in.args[:last] {
			ts[i].written[r.reg] = false
		}
	}
	for _, w := range m.queue {
		if w.touches(l.column, n) {
			return bugf("column %d of tensor memory is read while a product writes it", max(l.column, w.column))
		}
	}
	for c := range n {
		if m.sums[l.column+c] == nil {
			return bugf("column %d of tensor memory is read, which nothing has written", l.column+c)
		}
	}
	for len(m.loads) <= warp {
		m.loads = append(m.loads, nil)
	}
	m.loads[warp] = append(m.loads[warp], l)
	return nil
}

func waitForLoads(v *machine, ts []thread, _ *inst) error {
	m := &v.async().memory
	warp := ts[0].id / warpSize
	if warp >= len(m.loads) {
		return nil
	}
	for _, l := range m.loads[warp] {
		for i := range ts {
			for r, o := range l.in.args[:len(l.in.args)-1] {
				if ts[i].written[o.reg] {
					return bugf("a register is written while tcgen05.ld uses it")
				}
				x := m.sums[l.column+r/4*8+i%4*2+r&1][l.lane+i/4+r>>1&1*8]
				ts[i].regs[o.reg], ts[i].written[o.reg] = uint64(math.Float32bits(x)), true
			}
		}
	}
	m.loads[warp] = nil
	return nil
}

// left returns an error if a group ends while its tensor memory is in use.
func (m *tensorMemory) left() error {
	if len(m.queue) > 0 {
		return bugf("tcgen05 is under way when the group ends")
	}
	if m.count > 0 {
		return bugf("%d columns of tensor memory are allocated when the group ends", m.count)
	}
	return nil
}
