package cpu

import "sync"

// codeCache keeps compiled kernels by their keys, so that equal kernels of a program, of several programs, or
// of a program that is compiled again, are compiled once. It may forget a kernel once codeBytes of others have
// been added since its last use.
type codeCache struct {
	mu         sync.Mutex
	young, old map[string]*kernel
	bytes      int // of code and keys in young
}

// codeBytes is the size of young beyond which the next kernel begins a new map.
const codeBytes = 16 << 20

func (c *codeCache) get(key []byte) *kernel {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.young[string(key)]; k != nil {
		return k
	}
	k := c.old[string(key)]
	if k != nil {
		c.add(string(key), k)
	}
	return k
}

func (c *codeCache) put(key string, k *kernel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, k)
}

func (c *codeCache) add(key string, k *kernel) {
	if c.young == nil || c.bytes > codeBytes {
		c.young, c.old, c.bytes = map[string]*kernel{}, c.young, 0
	}
	c.young[key] = k
	c.bytes += len(key) + k.code.Size()
}
