package ptxeval

import (
	"regexp"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// Instructions of products on tensor cores and of the copies that feed them. Copies and
// wgmma take effect as late as what waits for them allows, so that a wait that is missing
// shows: memory that is being copied to is poisoned, and the sums of a wgmma cannot be read.

// dynamicAt is where the shared memory begins whose size the launch states: no alignment but
// that to 16 bytes is assumed.
const dynamicAt = 16

var (
	externLine = regexp.MustCompile(`^\.extern \.shared \.align 1024 \.b8 ([A-Za-z0-9_$]+)\[\];$`)
	mapLine    = regexp.MustCompile(`^\.param \.align 64 \.b8 ([A-Za-z0-9_$]+)\[128\],?$`)
	mapArg     = regexp.MustCompile(`\[(%\w+), \{([^}]*)\}\]`)
)

// tensorLine reads a directive of such an entry and reports whether it is one.
func (e *entry) tensorLine(line string) bool {
	if f := mapLine.FindStringSubmatch(line); f != nil {
		e.maps[f[1]] = len(e.maps)
		return true
	}
	return strings.HasPrefix(line, ".minnctapersm ")
}

// flattened returns the operands of an instruction without the braces of vectors; the
// coordinates of a tile follow its map.
func flattened(rest string) string {
	rest = mapArg.ReplaceAllString(rest, "$1, $2")
	rest = strings.NewReplacer("{", "", "}", "").Replace(rest)
	return strings.TrimPrefix(rest, "_, ")
}

// A perform runs an instruction of one thread.
type perform func(v *machine, t *thread, in *inst) error

// A together runs an instruction of all threads of a warp, or of four.
type together func(v *machine, ts []thread, in *inst) error

// ofTensors reports whether an instruction is one of those that this file decodes.
func ofTensors(name string) bool {
	for _, first := range []string{"mbarrier.", "fence.", "setmaxnreg.", "wgmma.", "tcgen05.", "mma.", "ldmatrix.", "bar.warp.", "cp.async.bulk."} {
		if strings.HasPrefix(name, first) {
			return true
		}
	}
	return false
}

// decodeTensor finds what an instruction does, and reports whether it is one of these.
func (e *entry) decodeTensor(in *inst) (bool, error) {
	name := strings.Join(in.op, ".")
	if !ofTensors(name) {
		return false, nil
	}
	args := func(n int) error {
		if len(in.args) != n {
			return bugf("%s takes %d operands, got %d", name, n, len(in.args))
		}
		return nil
	}
	in.kind = single
	e.asynchronous = e.asynchronous || in.op[0] == "mbarrier" || in.op[0] == "wgmma"
	switch {
	case name == "mbarrier.init.shared::cta.b64":
		in.perform = initBarrier
		return true, args(2)
	case name == "mbarrier.arrive.expect_tx.shared::cta.b64":
		in.perform = expect
		return true, args(2)
	case name == "mbarrier.arrive.shared::cta.b64":
		in.perform = arrive
		return true, args(1)
	case name == "mbarrier.try_wait.parity.shared::cta.b64":
		in.kind = spin
		in.perform = tryWait
		return true, args(3)
	case name == "fence.mbarrier_init.release.cluster":
		in.perform = func(v *machine, t *thread, _ *inst) error {
			for _, b := range v.async().barriers {
				b.visible = b.visible || b.thread == t.id
			}
			return nil
		}
		return true, args(0)
	case name == "fence.proxy.async.shared::cta":
		in.perform = fenceProxy
		return true, args(0)
	case strings.HasPrefix(name, "cp.async.bulk.tensor."):
		in.perform = copyTile
		return true, nil
	}
	if in.op[0] == "tcgen05" {
		return true, e.decodeTcgen05(in, name, args)
	}
	in.kind = collective
	switch {
	case name == "bar.warp.sync":
		in.together = func(*machine, []thread, *inst) error { return nil }
		return true, args(1)
	case strings.HasPrefix(name, "setmaxnreg."):
		in.warps = 4
		in.together = setRegisters
		if len(in.args) == 1 && (in.args[0].kind != immediate || in.args[0].bits < 24 || in.args[0].bits > 256 || in.args[0].bits%8 != 0) {
			return true, bugf("%s takes a multiple of 8 from 24 to 256", name)
		}
		return true, args(1)
	case strings.HasPrefix(name, "ldmatrix.sync.aligned.m8n8.x4"):
		in.together = loadMatrices
		return true, args(5)
	case strings.HasPrefix(name, "mma.sync.aligned."):
		in.together = multiplyWarp
		return true, args(14)
	case name == "wgmma.fence.sync.aligned":
		in.warps = 4
		in.together = func(v *machine, ts []thread, in *inst) error {
			v.async().fenced[ts[0].id/128] = true
			return nil
		}
		return true, args(0)
	case strings.HasPrefix(name, "wgmma.mma_async.sync.aligned."):
		in.warps = 4
		in.together = startWgmma
		return true, nil
	case name == "wgmma.commit_group.sync.aligned":
		in.warps = 4
		in.together = func(v *machine, ts []thread, in *inst) error {
			g := ts[0].id / 128
			a := v.async()
			a.committed[g] = append(a.committed[g], a.open[g])
			a.open[g], a.fenced[g] = nil, false
			return nil
		}
		return true, args(0)
	case name == "wgmma.wait_group.sync.aligned":
		in.warps = 4
		in.together = func(v *machine, ts []thread, in *inst) error {
			g := ts[0].id / 128
			a := v.async()
			for len(a.committed[g]) > int(in.args[0].bits) {
				w := a.committed[g][0]
				if len(w) == 0 {
					a.committed[g] = a.committed[g][1:]
					continue
				}
				a.committed[g][0] = w[1:]
				if err := v.finishWgmma(w[0]); err != nil {
					return err
				}
				for r := range w[0].n / 2 { // a later product may add to the sums
					reg := w[0].in.args[r].reg
					if a.pending(g, reg) {
						for i := range ts {
							ts[i].written[reg] = false
						}
					}
				}
			}
			return nil
		}
		return true, args(1)
	}
	return true, bugf("%s is not known", name)
}

// copying is a copy to shared memory that has been started.
type copying struct {
	at        int64
	data      []byte
	barrier   int64  // of which it completes bytes
	low, high uint64 // addresses between which it reads
}

// mbar is a barrier in shared memory.
type mbar struct {
	count, pending, bytes int64
	phase                 uint64
	thread                int  // that made it
	visible               bool // for copies
}

func (b *mbar) settle() {
	if b.pending == 0 && b.bytes == 0 {
		b.pending = b.count
		b.phase++
	}
}

// asynchronous is the state of copies and wgmma of a group.
type asynchronous struct {
	barriers  map[int64]*mbar
	flying    []*copying
	fenced    map[int]bool // by four warps
	registers map[int]int  // of each thread of four warps, where they have set them
	direct    direct
	open      map[int][]*product
	committed map[int][][]*product
	memory    tensorMemory
}

func (v *machine) async() *asynchronous {
	if v.tensor == nil {
		v.tensor = &asynchronous{map[int64]*mbar{}, nil, map[int]bool{}, map[int]int{}, direct{}, map[int][]*product{}, map[int][][]*product{}, tensorMemory{}}
	}
	return v.tensor
}

// barrierAt returns a barrier that a thread uses.
func (v *machine) barrierAt(t *thread, o *operand) (*mbar, error) {
	address := v.addressOf(t, o)
	if v.fault != nil {
		return nil, v.fault
	}
	b := v.async().barriers[int64(address&offsetMask)]
	if b == nil {
		return nil, bugf("there is no barrier at byte %d", address&offsetMask)
	}
	v.place(t, barrierAccess, address, 8, simt.Adds) // others use it at once
	return b, v.fault
}

// barrierAccess is an access to a barrier.
var barrierAccess = &inst{space: "shared", bytes: 8}

func (v *machine) addressOf(t *thread, o *operand) uint64 {
	if !t.written[o.reg] {
		v.fault = errUnset
	}
	return t.regs[o.reg] + o.bits
}

func initBarrier(v *machine, t *thread, in *inst) error {
	address := v.addressOf(t, &in.args[0])
	if v.fault != nil || v.place(t, barrierAccess, address, 8, simt.Writes) == nil {
		return v.fault
	}
	at, n := int64(address&offsetMask), int64(v.value(t, &in.args[1]))
	v.async().barriers[at] = &mbar{count: n, pending: n, thread: t.id}
	return nil
}

func expect(v *machine, t *thread, in *inst) error {
	b, err := v.barrierAt(t, &in.args[0])
	if err != nil {
		return err
	}
	b.bytes += int64(v.value(t, &in.args[1]))
	if err := t.order(); err != nil {
		return err
	}
	return b.arrive()
}

func (b *mbar) arrive() error {
	if b.pending == 0 {
		return bugf("more threads arrive at a barrier than it counts")
	}
	b.pending--
	b.settle()
	return nil
}

func arrive(v *machine, t *thread, in *inst) error {
	b, err := v.barrierAt(t, &in.args[0])
	if err != nil {
		return err
	}
	if err := t.order(); err != nil {
		return err
	}
	return b.arrive()
}

// tryWait sets the register if the phase of a parity is over.
func tryWait(v *machine, t *thread, in *inst) error {
	b, err := v.barrierAt(t, &in.args[1])
	if err != nil {
		return err
	}
	over := uint64(0)
	if b.phase&1 != v.value(t, &in.args[2])&1 {
		over = 1
		t.met = true
	}
	t.regs[in.args[0].reg], t.written[in.args[0].reg] = over, true
	t.spins = over == 0
	t.barrier = int64((t.regs[in.args[1].reg] + in.args[1].bits) & offsetMask)
	return nil
}

// setRegisters runs setmaxnreg: a multiprocessor has 65,536 registers.
func setRegisters(v *machine, ts []thread, in *inst) error {
	a := v.async()
	a.registers[ts[0].id/128] = int(in.args[0].bits)
	sum := 0
	for _, n := range a.registers {
		sum += 128 * n
	}
	if len(a.registers) == len(v.threads)/128 && sum > 1<<16 {
		return bugf("the threads of a group have %d registers", sum)
	}
	return nil
}

// overlaps returns an error if a thread accesses shared memory that a copy, a wgmma or a barrier
// is using.
func (v *machine) overlaps(t *thread, at, n int64, how simt.Usage) error {
	a := v.async()
	if err := a.copied(at, n); err != nil || how == simt.Reads {
		return err
	}
	if how == simt.Writes {
		for b := at - 7; b < at+n; b++ {
			if a.barriers[b] != nil {
				return bugf("byte %d of shared memory is written, where a barrier is", max(b, at))
			}
		}
		v.wrote(t, at, n)
	}
	return v.multiplied(at, n)
}

// copied returns an error if a copy is writing the memory.
func (a *asynchronous) copied(at, n int64) error {
	for _, c := range a.flying {
		if at < c.at+int64(len(c.data)) && c.at < at+n {
			return bugf("byte %d of shared memory is used while a copy writes it", max(at, c.at))
		}
	}
	return nil
}

// multiplied returns an error if a product is reading the memory.
func (v *machine) multiplied(at, n int64) error {
	a := v.async()
	for g := range len(v.threads) / 128 {
		for _, ps := range append(a.committed[g], a.open[g]) {
			for _, p := range ps {
				if p.reads(at, n) {
					return bugf("byte %d of shared memory is written while wgmma reads it", at)
				}
			}
		}
	}
	for _, w := range a.memory.queue {
		if !w.commit && (w.a.within(int64(w.rows), w.depth, at, n) || w.b.within(int64(w.n), w.depth, at, n)) {
			return bugf("byte %d of shared memory is written while tcgen05 reads it", at)
		}
	}
	return nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
