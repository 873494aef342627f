package device

import (
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft/internal/test/race"
)

// counting is a driver that counts its memory.
type counting struct {
	Driver
	total int

	mu     sync.Mutex
	next   Memory
	sizes  map[Memory]int
	bytes  int
	allocs int
}

// errNoMemory is the error of a driver without memory.
type errNoMemory struct{}

func (errNoMemory) Error() string { return "no memory" }

func (errNoMemory) OutOfMemory() bool { return true }

func (c *counting) Available() error { return nil }

func (c *counting) Capacity() int { return c.total }

func (c *counting) Alloc(n int) (Memory, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes+n > c.total {
		return 0, errNoMemory{}
	}
	if c.sizes == nil {
		c.sizes = map[Memory]int{}
	}
	c.next++
	c.allocs++
	c.sizes[c.next] = n
	c.bytes += n
	return c.next, nil
}

func (c *counting) Free(m Memory) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes -= c.sizes[m]
	delete(c.sizes, m)
}

func (c *counting) state() (bytes, allocs int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes, c.allocs
}

// Results of calls in a row use the same memory again, before the device has none left.
func TestPoolReusesMemoryOfGarbage(t *testing.T) {
	if race.Enabled {
		t.Skip("the count depends on how long a collection takes, which the race detector makes many times as long")
	}
	c := &counting{total: 64 << 30}
	p := &pool{d: c}
	x, err := p.alloc(512 << 20)
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if _, err := p.alloc(512 << 20); err != nil {
			t.Fatal(err)
		}
	}
	goruntime.KeepAlive(x)
	// An eighth of the memory between two collections, if they take long, and the live memory.
	if bytes, allocs := c.state(); allocs > 20 {
		t.Errorf("500 pieces of 512 MiB, of which two are in use at once: got %d from the driver, %s in all; want 20 at most", allocs, Bytes(bytes))
	}
}

// Memory that is in use is never given out again, also after collections.
func TestPoolKeepsLiveMemory(t *testing.T) {
	c := &counting{total: 1 << 30}
	p := &pool{d: c}
	var live []*piece
	seen := map[Memory]bool{}
	for i := range 200 {
		x, err := p.alloc(4 << 20)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if seen[x.m] {
				t.Fatalf("piece %d has memory that is in use", i)
			}
			seen[x.m] = true
			live = append(live, x)
		} else if seen[x.m] {
			t.Fatalf("piece %d has memory that is in use", i)
		}
	}
	goruntime.KeepAlive(live)
}

// All memory of a device can be live: memory of other sizes that is kept makes room.
func TestPoolFillsTheDevice(t *testing.T) {
	c := &counting{total: 1 << 30}
	p := &pool{d: c}
	for _, size := range []int{1 << 20, 3 << 20, 64 << 20} {
		var live []*piece
		for range c.total / size {
			x, err := p.alloc(size)
			if err != nil {
				t.Fatalf("pieces of %s: after %d: %v", Bytes(size), len(live), err)
			}
			live = append(live, x)
		}
		if _, err := p.alloc(size); err == nil {
			t.Errorf("pieces of %s: more than the device has", Bytes(size))
		}
		goruntime.KeepAlive(live)
	}
}

// A pool that nothing uses releases what it keeps; one in use does not.
func TestIdlePoolReleasesMemory(t *testing.T) {
	c := &counting{total: 1 << 30}
	p := &pool{d: c}
	p.patience = 50 * time.Millisecond
	for range 20 {
		x, err := p.alloc(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		x.release()
		if bytes, _ := c.state(); bytes != 1<<20 {
			t.Fatalf("a pool in use has %s, want 1 MiB", Bytes(bytes))
		}
		time.Sleep(p.patience / 8)
	}
	for range 200 {
		if bytes, _ := c.state(); bytes == 0 {
			return
		}
		time.Sleep(p.patience / 2)
	}
	bytes, _ := c.state()
	t.Errorf("a pool that is idle keeps %s", Bytes(bytes))
}

// Large pieces waste a sixteenth at most, and a request for the size of a piece gets exactly that size.
func TestPieceBytes(t *testing.T) {
	for _, c := range []struct{ n, want int }{
		{0, 256}, {1, 256}, {256, 256}, {257, 512}, {100_000, 1 << 17}, {1 << 20, 1 << 20}, {1<<20 + 1, 1<<20 + 1<<16},
		{400_000_000, 402_653_184}, {512 << 20, 512 << 20}, {1<<29 + 1, 1<<29 + 1<<25},
	} {
		if got := pieceBytes(c.n); got != c.want {
			t.Errorf("a piece for %d bytes has %d, want %d", c.n, got, c.want)
		}
	}
	for n := 1; n < 1<<40; n += n/7 + 1 {
		size := pieceBytes(n)
		if size < n || n > fineBytes && size-n > n/16 || pieceBytes(size) != size {
			t.Errorf("a piece for %d bytes has %d, and one for those %d", n, size, pieceBytes(size))
		}
	}
}
