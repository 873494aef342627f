package cpu

import (
	"math/bits"
	goruntime "runtime"
	"sync"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// Results and arenas lie in blocks that are used again: fresh pages cost as much as the
// work on them. Blocks of garbage results come back through the garbage collector; since
// it does not count this memory, alloc starts it where much of it is out. Blocks that
// nobody took for a second go back to the system.

// smallBlock is the size up to which results lie on the Go heap.
const smallBlock = 16 << 10

// block is memory of the process. Its size is that of its class.
type block struct {
	data  []byte
	class int
}

// blocks are the free blocks by class, and the account of what is out.
type blocks struct {
	mu     sync.Mutex
	free   [64 * 4][]*block
	spare  int // bytes of free blocks
	out    int // bytes of blocks in use
	limit  int // collect garbage before more than this is out
	taken  int // blocks taken since the last trim
	timer  *time.Timer
	timing bool
}

// leastLimit is the memory in use below which no garbage is collected for it.
const leastLimit = 128 << 20

var memory = blocks{limit: leastLimit}

// trimAfter is how long free blocks wait for use.
const trimAfter = time.Second

// classOf returns the class of blocks of n bytes and their size: four sizes between
// powers of two, so that at most a fifth is lost.
func classOf(n int) (class, size int) {
	k := max(bits.Len(uint(n-1)), 12) // 2^(k−1) < n ≤ 2^k
	quarter := 1 << (k - 3)
	for q := 1; q <= 4; q++ {
		if s := 1<<(k-1) + q*quarter; n <= s {
			return k*4 + q - 1, s
		}
	}
	return k*4 + 3, 1 << k
}

// alloc returns a block of at least n bytes, whose contents are anything.
func (m *blocks) alloc(n int) *block {
	class, size := classOf(n)
	m.mu.Lock()
	if b := m.take(class); b != nil {
		m.mu.Unlock()
		return b
	}
	if m.out+size > m.limit {
		m.mu.Unlock()
		goruntime.GC() // garbage results give their blocks back
		goruntime.Gosched()
		m.mu.Lock()
		m.limit = max(leastLimit, 2*m.out)
		if b := m.take(class); b != nil {
			m.mu.Unlock()
			return b
		}
	}
	var data []byte
	if size <= runtime.MemoryLimit()-m.out {
		data = mapMemory(size)
	}
	if data == nil {
		out := m.out
		m.mu.Unlock()
		core.Failf(core.ErrDevice, "%d MB do not fit in memory beside the %d MB in use; make arrays smaller, or use fewer at once", n>>20, out>>20)
	}
	m.out += size
	m.mu.Unlock()
	return &block{data: data, class: class}
}

// take returns a free block of a class, nil if there is none.
func (m *blocks) take(class int) *block {
	m.taken++
	list := m.free[class]
	if len(list) == 0 {
		return nil
	}
	b := list[len(list)-1]
	m.free[class] = list[:len(list)-1]
	m.spare -= len(b.data)
	m.out += len(b.data)
	return b
}

// release takes a block back.
func (m *blocks) release(b *block) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free[b.class] = append(m.free[b.class], b)
	m.spare += len(b.data)
	m.out -= len(b.data)
	if !m.timing {
		m.timing = true
		if m.timer == nil {
			m.timer = time.AfterFunc(trimAfter, m.trim)
		} else {
			m.timer.Reset(trimAfter)
		}
	}
}

// trim gives free blocks back to the system if none was taken for a while.
func (m *blocks) trim() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.taken > 0 {
		m.taken = 0
		m.timer.Reset(trimAfter)
		return
	}
	m.timing = false
	for class, list := range m.free {
		for _, b := range list {
			unmapMemory(b.data)
		}
		m.free[class] = nil
	}
	m.spare = 0
}

// newResult returns an array of type t with any elements, and its memory.
func newResult(t core.ShapedArray) *runtime.Array {
	n := t.Size() * t.DType.Size()
	if n <= smallBlock {
		return runtime.New(t)
	}
	b := memory.alloc(n)
	return runtime.Made(t, b.data[:n:n], func() { memory.release(b) })
}

// keepAlive marks the ends of lives: machine code knows arrays by address alone.
func keepAlive(lists ...[]*runtime.Array) {
	for _, l := range lists {
		for _, a := range l {
			goruntime.KeepAlive(a)
		}
	}
}
