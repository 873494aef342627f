package device

import (
	"cmp"
	goruntime "runtime"
	"time"
)

// For Go's collector an array whose elements are on a device is small, and the collector runs
// only when Go's own heap has grown. A pool counts the bytes that it hands out and starts a
// collection when they exceed a bound and it has no memory left of the size that is needed. So
// results of successive calls reuse the same memory.

// collector counts what a pool has handed out between collections.
type collector struct {
	given   int           // bytes given out since the latest collection began
	live    int           // bytes in use after it
	cost    time.Duration // of a collection, a moving average
	running chan struct{} // closed at the end of the collection that is running; nil: none is

	idle     *time.Timer   // nil: the pool is not watched
	seen     int           // ticks of the pool when the timer was set
	patience time.Duration // of the timer; 0: idleTime
}

// bound returns the bytes that are given out between two collections: the live bytes or, if that is more, the
// bytes that commands can fill during a collection, up to 1/8 of the capacity. It is at least 1/32 of the capacity,
// but at most half of the bytes that are not live. The caller has locked p.
func (p *pool) bound() int {
	const bytesPerNanosecond = 4_000 // more than devices write
	all := p.capacity()
	slow := min(int(min(p.cost, time.Second))*bytesPerNanosecond, all/8)
	return min(max(p.live, all/32, slow), max(all-p.live, 0)/2)
}

// collected runs a collection if one is due, or waits for the one that is running. It reports
// whether there was one.
func (p *pool) collected() bool {
	p.mu.Lock()
	if p.running == nil && p.given < p.bound() {
		p.mu.Unlock()
		return false
	}
	p.start()
	done := p.running
	p.mu.Unlock()
	<-done
	return true
}

// collectAhead starts a collection, for which nothing waits, if one is due soon. The caller
// has locked p.
func (p *pool) collectAhead() {
	if p.given >= p.bound()/2 {
		p.start()
	}
}

// start starts a collection, unless one is running. The caller has locked p.
func (p *pool) start() {
	if p.running != nil {
		return
	}
	done := make(chan struct{})
	p.running = done
	p.given = 0
	go func() {
		cost := p.collect()
		p.mu.Lock()
		p.live = p.used
		p.cost = (p.cost + cost) / 2
		p.running = nil
		p.mu.Unlock()
		close(done)
	}()
}

// collect runs the collector, and gives arrays that are garbage time to return their memory:
// cleanups run in any order, and collect waits for one of its own. It returns the collector's time.
func (p *pool) collect() time.Duration {
	start := time.Now()
	done := make(chan struct{})
	goruntime.AddCleanup(new([4]int), func(done chan struct{}) { close(done) }, done)
	goruntime.GC()
	cost := time.Since(start)
	select {
	case <-done:
	case <-time.After(cleanupTime):
	}
	return cost
}

// cleanupTime bounds the wait for cleanups: cleanups of the user's may take any time.
const cleanupTime = 5 * time.Millisecond

// idleTime is the time after which a pool that has given out nothing releases what it keeps.
const idleTime = 10 * time.Second

// watch sets the timer of a pool, unless it is set. The caller has locked p.
func (p *pool) watch() {
	if p.idle == nil {
		p.seen = p.ticks
		p.idle = time.AfterFunc(cmp.Or(p.patience, idleTime), p.rest)
	}
}

// rest releases what a pool keeps if it has given out nothing since the timer was set. Otherwise it sets the timer again.
func (p *pool) rest() {
	p.mu.Lock()
	if p.ticks != p.seen {
		p.seen = p.ticks
		p.idle.Reset(cmp.Or(p.patience, idleTime))
		p.mu.Unlock()
		return
	}
	p.idle = nil
	p.most = 0 // other processes may have released memory
	p.given = 0
	p.mu.Unlock()
	p.collect()
	p.trim()
}
