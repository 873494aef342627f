package weft

import (
	"container/list"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// The default bounds of ProgramCache.
const (
	cachePrograms = 1024
	cacheBytes    = 256 << 20
)

// ProgramCache bounds the programs that each jitted function keeps: their number, and the
// bytes of the arrays that they captured, their equations and their code.
// Unless set, the bounds are 1024 programs and 256 MiB. The least recently used programs
// are dropped first, and traced again when they are needed. A program that is running
// completes. The program that was used last always stays, and arrays that
// it captured do not count: large weights that all programs of a function share cannot
// exhaust its cache.
//
// The setting is read when a function is traced. The function of [ExplainRetracing]
// receives what is dropped; the log of log/slog reports it once for each function.
func ProgramCache(programs int, bytes int64) Setting {
	if programs < 1 || bytes < 1 {
		core.FailOp(core.ErrStatic, "ProgramCache", nil, "the bounds are not positive (got %d programs, %d bytes); pass at least 1 of both", programs, bytes)
	}
	return setting(func(s *runtime.Settings) { s.CachePrograms, s.CacheBytes = programs, bytes })
}

// programCache contains the programs of a jitted function, the least recently used last.
type programCache struct {
	mu      sync.Mutex
	entries map[string]*list.Element // of *cacheEntry
	order   list.List
	arrays  map[*runtime.Array]int // captured arrays, each with the number of programs that captured it
	bytes   int64
	logged  bool // whether the log has reported that programs were dropped
}

type cacheEntry struct {
	key    string
	t      *traced
	arrays []*runtime.Array
	bytes  int64 // without the arrays; 0 until it is measured
}

func (c *programCache) find(key string) *traced {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lookup(key)
}

func (c *programCache) lookup(key string) *traced {
	e := c.entries[key]
	if e == nil {
		return nil
	}
	t := e.Value.(*cacheEntry).t
	if !t.usable() {
		return nil
	}
	c.order.MoveToFront(e)
	return t
}

// add stores a program and drops those that exceed the bounds. last is the program of the latest call,
// which add moves to the front: repeated calls run it without a lookup. If another goroutine stored a
// program for the key meanwhile, add returns that one.
func (c *programCache) add(key string, t, last *traced) (kept *traced, dropped []*traced) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.lookup(key); old != nil {
		return old, nil
	}
	if c.entries == nil {
		c.entries, c.arrays = map[string]*list.Element{}, map[*runtime.Array]int{}
	}
	if old := c.entries[key]; old != nil {
		c.drop(old)
	}
	if e := c.order.Front(); e != nil { // it may have been compiled and transformed since it was added
		n := e.Value.(*cacheEntry)
		c.discount(n)
		c.count(n)
	}
	if last != nil {
		if e := c.entries[last.key]; e != nil && e.Value.(*cacheEntry).t == last {
			c.order.MoveToFront(e)
		}
	}
	n := &cacheEntry{key: key, t: t}
	t.key = key
	c.entries[key] = c.order.PushFront(n)
	if c.order.Len() > 1 {
		c.count(n)
	}
	s := runtime.Current()
	programs, bytes := s.CachePrograms, s.CacheBytes
	if programs == 0 {
		programs, bytes = cachePrograms, cacheBytes
	}
	for c.order.Len() > 1 && (c.order.Len() > programs || c.bytes-c.sizeOf(n) > bytes) {
		oldest := c.order.Back()
		dropped = append(dropped, oldest.Value.(*cacheEntry).t)
		c.drop(oldest)
	}
	return t, dropped
}

func (c *programCache) drop(e *list.Element) {
	n := c.order.Remove(e).(*cacheEntry)
	delete(c.entries, n.key)
	c.discount(n)
}

// count measures a program and adds its size. It walks through all inner programs, so the only
// program of a function is not measured: otherwise each of several nested functions would walk
// through all those inside it.
func (c *programCache) count(n *cacheEntry) {
	n.arrays, n.bytes = runtime.Footprint(n.t.prim.Jaxpr)
	c.bytes += n.bytes
	for _, a := range n.arrays {
		if c.arrays[a]++; c.arrays[a] == 1 {
			c.bytes += arrayBytes(a)
		}
	}
}

func (c *programCache) discount(n *cacheEntry) {
	c.bytes -= n.bytes
	for _, a := range n.arrays {
		if c.arrays[a]--; c.arrays[a] == 0 {
			delete(c.arrays, a)
			c.bytes -= arrayBytes(a)
		}
	}
}

func (c *programCache) sizeOf(n *cacheEntry) int64 {
	size := n.bytes
	for _, a := range n.arrays {
		size += arrayBytes(a)
	}
	return size
}

func arrayBytes(a *runtime.Array) int64 {
	t := a.Aval()
	return int64(t.Size()) * int64(t.DType.Size())
}

// firstDrop reports whether this is its first call.
func (c *programCache) firstDrop() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.logged
	c.logged = true
	return first
}

// stats returns the number of programs and their bytes, which are only measured if there are
// several.
func (c *programCache) stats() (programs int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len(), c.bytes
}
