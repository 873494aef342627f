package cpu

import (
	"errors"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

func TestBlockClasses(t *testing.T) {
	last := -1
	for n := 1; n < 1<<22; n += 1 + n/50 {
		class, size := classOf(n)
		if size < n || class < last || n >= 4096 && size > n+n/4+1 {
			t.Fatalf("classOf(%d): got class %d of %d bytes after class %d, want at least as many and at most a quarter more", n, class, size, last)
		}
		if again, same := classOf(size); again != class || same != size {
			t.Fatalf("classOf(%d): got class %d of %d bytes, want %d of %d", size, again, same, class, size)
		}
		last = class
	}
}

// state returns the bytes of free blocks and of blocks in use.
func (m *blocks) state() (spare, out int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spare, m.out
}

func TestBlocksAreUsedAgain(t *testing.T) {
	m := newBlocks()
	a := m.alloc(100_000)
	if uintptr(address(a))%64 != 0 || len(a) != 100_000 {
		t.Errorf("alloc: got %d bytes at %#x, want 100000 at a multiple of 64", len(a), address(a))
	}
	if spare, out := m.state(); spare != 0 || out != cap(a) {
		t.Errorf("got %d bytes free and %d in use, want 0 and %d", spare, out, cap(a))
	}
	m.release(a)
	if b := m.alloc(300_000); address(b) == address(a) {
		t.Error("alloc: got a block of another class")
	}
	if b := m.alloc(99_999); address(b) != address(a) {
		t.Error("alloc: got new memory although a block of the class is free")
	}
	if b := m.alloc(99_999); address(b) == address(a) {
		t.Error("alloc: got a block that is in use")
	}
}

// Free blocks go back to the system after a while in which none is taken.
func TestBlocksAreGivenBack(t *testing.T) {
	m := newBlocks()
	m.wait = 5 * time.Millisecond
	for range 3 {
		m.release(m.alloc(1 << 20))
		for start := time.Now(); ; time.Sleep(time.Millisecond) {
			spare, out := m.state()
			if spare == 0 && out == 0 {
				break
			}
			if time.Since(start) > 10*time.Second {
				t.Fatalf("got %d bytes free and %d in use after 10 s, want 0 and 0", spare, out)
			}
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	m := newBlocks()
	m.most = func() int { return 1 << 20 }
	a := m.alloc(600 << 10)
	err := core.Catch(func() { m.alloc(600 << 10) })
	if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "do not fit in memory beside") {
		t.Errorf("alloc beyond the limit: got %v, want an error that states the sizes", err)
	}
	m.release(a)
	m.alloc(900 << 10) // the free block makes room
	if spare, out := m.state(); spare != 0 || out > 1<<20 {
		t.Errorf("got %d bytes free and %d in use, want 0 and at most 1 MiB", spare, out)
	}
}

// If the system refuses, it gets the free blocks back, then those of garbage; then it is an error.
func TestSystemRefuses(t *testing.T) {
	m := newBlocks()
	left := 3 << 20
	m.mapped = func(n int) []byte {
		if n > left {
			return nil
		}
		return make([]byte, n)
	}
	m.release(m.alloc(1 << 20))
	left = 0
	garbage := false
	m.collect = func() {
		if garbage = true; m.spare != 0 {
			t.Errorf("got a collection with %d bytes of free blocks, want none", m.spare)
		}
		left = 2 << 20
	}
	if b := m.alloc(2 << 20); len(b) != 2<<20 || !garbage {
		t.Errorf("got %d bytes, collected %v, want 2 MiB after a collection", len(b), garbage)
	}
	left = 0
	m.collect = func() {}
	if err := core.Catch(func() { m.alloc(1 << 20) }); !errors.Is(err, core.ErrDevice) {
		t.Errorf("got %v from a system without memory, want an error", err)
	}
	if spare, out := m.state(); spare != 0 || out != 2<<20 {
		t.Errorf("got %d bytes free and %d in use, want 0 and 2 MiB", spare, out)
	}
}

// Cleanups that run after a collection lower the limit that it sets: twice what is in use.
// Arenas and packed operands are no garbage, and do not count.
func TestLimitFollowsLateCleanups(t *testing.T) {
	m := newBlocks()
	var garbage [][]byte
	collected := 0
	m.collect = func() { collected++ } // cleanups run later
	m.release(m.alloc(4 * leastLimit))
	if collected != 0 {
		t.Errorf("got %d collections for an arena, want none", collected)
	}
	for range 10 {
		before := collected
		for m.results <= leastLimit {
			garbage = append(garbage, m.allocResult(4<<20))
		}
		if collected != before+1 {
			t.Errorf("got %d collections for %d MiB of results, want 1", collected-before, m.results>>20)
		}
		for _, b := range garbage {
			m.releaseResult(b)
		}
		garbage = nil
		if m.limit != leastLimit || m.results != 0 {
			t.Errorf("got a limit of %d MiB with %d bytes of results, want %d MiB with none", m.limit>>20, m.results, leastLimit>>20)
		}
		for class := range m.free { // the next results need new blocks
			m.free[class] = nil
		}
		m.spare = 0
	}
}

// Much memory in use makes the garbage collector run, which may free some.
func TestGarbageGivesMemoryBack(t *testing.T) {
	m := newBlocks()
	m.limit = 1 << 20
	a := m.allocResult(700 << 10)
	collected := 0
	m.collect = func() { collected++; m.releaseResult(a) }
	if b := m.allocResult(700 << 10); collected != 1 || address(b) != address(a) {
		t.Errorf("alloc: %d collections, and the block of a garbage result was not used; want 1", collected)
	}

	_, before := memory.state()
	r := newResult(&runtime.Slab{}, core.Aval(core.Float32, 1<<20))
	if _, out := memory.state(); out < before+4<<20 {
		t.Errorf("a result of 4 MiB: got %d bytes in use, want at least %d", out, before+4<<20)
	}
	v := r.WithType(core.Aval(core.Float32, 1<<10, 1<<10))
	r = nil
	goruntime.GC()
	goruntime.GC()
	v.Tensor().Data[4<<20-1] = 1 // an array that shares the memory keeps it
	goruntime.KeepAlive(v)
	v = nil
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		goruntime.GC()
		if _, out := memory.state(); out <= before {
			break
		}
		if time.Since(start) > 10*time.Second {
			t.Fatal("the memory of a garbage result is not given back")
		}
	}
}
