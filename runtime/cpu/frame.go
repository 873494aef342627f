package cpu

import (
	"unsafe"

	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/runtime"
)

// frame is the memory of one run of one plan. A program's frames are reused; they contain the
// frames of the programs in its loops.
type frame struct {
	refs  []ref    // by value id
	addr  []uint64 // by value id
	calls []callLists
	loops []*loopFrame
	// packed are the addresses of packed constants of the loop, by slot.
	packed []uint64

	results  []*runtime.Array // by result, of the outermost program
	memory   []byte           // of the arena, the loops and steps that need some while they run
	borrowed bool             // the memory goes back when the run ends
	bufs     []uint64         // addresses of the buffers of the launch that runs
}

type ref struct {
	data  []byte
	array *runtime.Array // that has the memory; nil for memory of the arena or of a loop
}

// smallMemory is the size up to which a frame keeps its memory between runs, on the Go
// heap.
const smallMemory = 64 << 10

// newFrame returns a frame without memory.
func (p *program) newFrame() *frame {
	n := len(p.plan.Values)
	f := &frame{refs: make([]ref, n), addr: make([]uint64, n), calls: make([]callLists, p.calls), packed: make([]uint64, p.packs)}
	for _, c := range p.fixed {
		f.set(c.id, refOf(c.a))
	}
	for _, s := range p.steps {
		if l, ok := s.(*loopStep); ok {
			f.loops = append(f.loops, l.newFrame())
		}
	}
	return f
}

// frame returns a frame of the outermost program with its memory.
func (p *program) frame() *frame {
	f, _ := p.frames.Get().(*frame)
	if f == nil {
		f = p.newFrame()
		f.results = make([]*runtime.Array, len(p.plan.Outs))
		if p.memory > 0 && p.memory <= smallMemory {
			data := make([]byte, p.memory+scratchAlign)
			skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(data)))) & (scratchAlign - 1)
			p.place(f, data[skip:][:p.memory:p.memory])
		}
	}
	if p.memory > smallMemory {
		p.place(f, memory.alloc(p.memory))
		f.borrowed = true
	}
	return f
}

// done makes a frame available to later runs.
func (p *program) done(f *frame) {
	if !p.onlyAddresses {
		for _, v := range p.inputs {
			f.refs[v.id] = ref{}
		}
		for _, v := range p.results {
			f.refs[v.id] = ref{}
		}
	}
	clear(f.results)
	if f.borrowed {
		memory.release(f.memory)
		f.borrowed = false
	}
	p.frames.Put(f)
}

// place assigns a frame its memory: the arena, and behind it the memory that loops and other steps use in turn.
func (p *program) place(f *frame, data []byte) {
	if len(f.memory) == len(data) && len(data) > 0 && &f.memory[0] == &data[0] {
		return
	}
	f.memory = data
	for _, v := range p.arena {
		n := p.plan.Values[v.id].Bytes()
		f.set(v.id, ref{data: data[v.at:][:n:n]})
	}
	for _, s := range p.steps {
		if l, ok := s.(*loopStep); ok {
			l.place(f.loops[l.number], data[aligned(p.plan.Arena):])
		}
	}
}

// nothing is the memory of values without elements.
var nothing [64]byte

func address(b []byte) uint64 {
	if len(b) == 0 {
		return uint64(uintptr(unsafe.Pointer(&nothing)))
	}
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

func refOf(a *runtime.Array) ref { return ref{a.Tensor().Data, a} }

func (f *frame) set(id int, r ref) {
	f.refs[id] = r
	f.addr[id] = address(r.data)
}

// bind binds an input or a result to its array, which the caller keeps reachable.
func (p *program) bind(f *frame, id int, a *runtime.Array) {
	if p.onlyAddresses {
		f.addr[id] = address(a.Tensor().Data)
		return
	}
	f.set(id, refOf(a))
}

// index returns which of n branches a value selects: the value, clamped to 0 … n−1.
func (p *program) index(f *frame, id, n int) int {
	k, _ := elem.Get(f.refs[id].data, p.plan.Values[id].Type.DType)
	return int(min(max(k.Int64(), 0), int64(n-1)))
}
