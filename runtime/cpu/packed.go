package cpu

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

// packedOnce is a right operand that many products read, packed for the first of them: a
// constant of the program, for all calls, or a constant of a loop, for all iterations.
type packedOnce struct {
	plan   *compiledProduct
	slot   int // in the frame, of a loop's constant; −1: a constant of the program
	groups int // number of operands that are columns beside each other: the groups of a convolution, else 1

	mu     sync.Mutex
	panels atomic.Pointer[byte] // of a constant of the program; nil: not packed yet
}

// productStep returns the step of a product. If its right operand is a constant of the program, the plan decides
// whether it is packed once.
func (p *program) productStep(s *fuse.Product, plan *compiledProduct) *productStep {
	st := &productStep{step: s, plan: plan, copy: aligned(p.plan.Arena)}
	if p.plan.Values[plan.right(s)].Place == fuse.Const && plan.PacksOnce() {
		st.pack = &packedOnce{plan: plan, slot: -1, groups: 1}
	}
	return st
}

// constantStep makes, from constants alone, an operand that only one product reads. Once the product has packed it,
// the step does nothing.
type constantStep struct {
	*launchStep
	pack *packedOnce
}

func (s constantStep) run(x *execution, f *frame) error {
	if s.pack.packed() != 0 {
		return nil
	}
	return s.launchStep.run(x, f)
}

// An operand that is computed from constants is kept packed only if it has at most mostWidened times their bytes.
const mostWidened = 4

// packComputed lets products pack once what a step before them computes from constants, such as weights in another type.
func (p *program) packComputed() {
	uses, owner := map[int]int{}, map[int]int{} // owner: by offset in the arena, the value that was written there last
	use := func(id int) int {                   // counts a use of the value that was last written to id's memory in the arena
		if id < 0 || p.plan.Values[id].Place != fuse.Arena {
			return -1
		}
		of := owner[p.plan.Values[id].Offset]
		uses[of]++
		return of
	}
	steps, packed := map[int]int{}, map[int]*productStep{} // by value: what writes it from constants, and the product that packs it
	for i, s := range p.plan.Steps {
		q, product := p.steps[i].(*productStep)
		constant, bytes := true, 0 // bytes: of the constants
		for _, id := range s.Reads() {
			of := use(id)
			if product && of == id && id == q.plan.right(q.step) && q.pack == nil && q.plan.PacksOnce() {
				packed[id] = q
			}
			switch {
			case id >= 0 && p.plan.Values[id].Place == fuse.Const:
				bytes += p.plan.Values[id].Bytes()
			case id < 0 || p.plan.Values[id].Place != fuse.Literal:
				constant = false
			}
		}
		w := s.Writes()
		for _, id := range w {
			if id >= 0 && p.plan.Values[id].Place == fuse.Arena {
				owner[p.plan.Values[id].Offset] = id
			}
		}
		if _, launch := p.steps[i].(*launchStep); launch && constant && len(w) == 1 && p.plan.Values[w[0]].Bytes() <= mostWidened*bytes {
			steps[w[0]] = i
		}
	}
	for _, id := range p.plan.Outs {
		use(id)
	}
	for id, q := range packed {
		if at, ok := steps[id]; ok && uses[id] == 1 {
			q.pack = &packedOnce{plan: q.plan, slot: -1, groups: 1}
			p.steps[at] = constantStep{p.steps[at].(*launchStep), q.pack}
		}
	}
}

// address returns the address of the panels; 0 if the context ends before they are packed.
func (o *packedOnce) address(f *frame, j *productJob) uint64 {
	if o.slot >= 0 {
		return f.packed[o.slot]
	}
	if p := o.packed(); p != 0 {
		return p
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.packed() == 0 {
		n := o.plan.PackedBytes() * o.groups
		data := runtime.NewUncleared(core.ShapedArray{Shape: core.MakeDims(n + scratchAlign), DType: core.Uint8}).Tensor().Data
		skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(data)))) & (scratchAlign - 1)
		if !o.plan.packGroups(j.space, j.stop, j.at[1], address(data[skip:]), o.groups) {
			return 0
		}
		o.panels.Store(&data[skip])
	}
	return o.packed()
}

// packed returns the address of the panels of a constant of the program, 0 if they are not made
// yet.
func (o *packedOnce) packed() uint64 { return uint64(uintptr(unsafe.Pointer(o.panels.Load()))) }

// packAll packs the operand at address b. It reports whether all was packed before stop
// reported true.
func (p *compiledProduct) packAll(s *space, stop func() bool, b, to uint64) bool {
	j := &productJob{compiledProduct: p, space: s, stop: stop, at: [3]uint64{1: b}}
	w := s.worker(0, 0)
	j.allPanels(w, to, 0, p.K)
	return !j.stopped()
}

// packGroups packs operands that are columns beside each other.
func (p *compiledProduct) packGroups(s *space, stop func() bool, b, to uint64, groups int) bool {
	for g := range groups {
		if !p.packAll(s, stop, b+uint64(g*p.N*p.ColB), to+uint64(g*p.PackedBytes())) {
			return false
		}
	}
	return true
}

// loopPack is an operand that a loop packs before its first iteration.
type loopPack struct {
	pack *packedOnce
	in   int // operand of the loop
	at   int // offset in the loop's memory
}

// packedConstants finds the products of a loop's body whose right operand is one of the
// constants of the body, n operands of the loop from first on, and assigns them memory.
func packedConstants(body *program, first, n int, take func(int) int) []loopPack {
	var packs []loopPack
	for _, s := range body.steps {
		p, ok := s.(*productStep)
		if !ok || p.pack != nil || !p.plan.PacksOnce() {
			continue
		}
		v := &body.plan.Values[p.plan.right(p.step)]
		if v.Place != fuse.Input || v.Index >= n {
			continue
		}
		p.pack = &packedOnce{plan: p.plan, slot: body.packs, groups: 1}
		body.packs++
		packs = append(packs, loopPack{p.pack, first + v.Index, take(p.plan.PackedBytes())})
	}
	return packs
}

// packConstants packs the constants of the loop's body, unless the context ends.
func (s *loopStep) packConstants(x *execution, l *loopFrame) {
	if len(s.packs) == 0 {
		return
	}
	f := l.frames[len(l.frames)-1]
	for _, p := range s.packs {
		f.packed[p.pack.slot] = address(l.memory[p.at:])
		p.pack.plan.packAll(x.space, x.stop, address(l.in[p.in].data), f.packed[p.pack.slot])
	}
}
