//go:build (amd64 || (arm64 && (darwin || linux || windows))) && !purego

package native

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestEveryMapper(t *testing.T) {
	for _, m := range mappers() {
		require.NoError(t, try(m), "%T", m)
	}
	require.NoError(t, Available())
}

// Released memory is used again, and code that lives keeps its bytes.
func TestLoadAndRelease(t *testing.T) {
	x := new(uint64)
	var kept []*Code
	for i := range 2000 {
		c, err := Load("store", storeCode(uint32(i)))
		require.NoError(t, err)
		c.Call(unsafe.Pointer(x))
		require.Equal(t, uint64(i), *x)
		if i%100 == 0 {
			kept = append(kept, c)
			runtime.GC()
		}
	}
	for i, c := range kept {
		c.Call(unsafe.Pointer(x))
		require.Equal(t, uint64(i*100), *x)
	}
}

func TestLargeCode(t *testing.T) {
	code := make([]byte, 1<<20+100)
	for i := range code {
		code[i] = idle[i%len(idle)]
	}
	store := storeCode(7)
	copy(code[len(code)-len(store):], store)
	c, err := Load("large", code)
	require.NoError(t, err)
	x := new(uint64)
	c.Call(unsafe.Pointer(x))
	require.Equal(t, uint64(7), *x)
	require.Equal(t, len(code), c.Size())
}

// A fault is an error that names the code, for addresses near 0 and others.
func TestFaultIsError(t *testing.T) {
	for _, address := range []uint64{8, 0xdead0000} {
		c, err := Load("faulty", []byte(storesThere))
		require.NoError(t, err)
		err = c.Guard(func() { c.Call(unsafe.Pointer(&address)) })
		var f *Fault
		require.ErrorAs(t, err, &f)
		require.Equal(t, "faulty", f.Name)
		require.ErrorContains(t, err, "faulty: memory fault")
	}
	c, err := Load("good", storeCode(1))
	require.NoError(t, err)
	require.PanicsWithValue(t, "other", func() { _ = c.Guard(func() { panic("other") }) })
}

// Code and constants of a loaded program cannot be written.
func TestCodeIsReadOnly(t *testing.T) {
	c, err := Load("const", storeCode(5))
	require.NoError(t, err)
	entry := c.entry
	w, err := Load("writer", []byte(storesThere))
	require.NoError(t, err)
	err = w.Guard(func() { w.Call(unsafe.Pointer(&entry)) })
	require.Error(t, err)
	x := new(uint64)
	c.Call(unsafe.Pointer(x))
	require.Equal(t, uint64(5), *x)
}

type countJob struct {
	hits  []atomic.Int32
	where [64]atomic.Int32
	fail  int
}

func (j *countJob) Chunk(i, worker int) {
	if j.where[worker].Add(1) != 1 {
		panic("two chunks at once on one worker")
	}
	j.hits[i].Add(1)
	j.where[worker].Add(-1)
	if i == j.fail {
		panic(errors.New("chunk failed"))
	}
}

// Every chunk runs once, also where callers compete for the pool and where threads sleep.
func TestPoolRunsEveryChunkOnce(t *testing.T) {
	p := NewPool(4)
	defer p.Close()
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			for round := range 300 {
				j := &countJob{hits: make([]atomic.Int32, round%37), fail: -1}
				p.Run(j, len(j.hits))
				for i := range j.hits {
					if n := j.hits[i].Load(); n != 1 {
						t.Errorf("chunk %d ran %d times", i, n)
						return
					}
				}
				if round%100 == g {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
}

func TestPoolPropagatesPanics(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	for range 50 {
		j := &countJob{hits: make([]atomic.Int32, 20), fail: 7}
		require.PanicsWithError(t, "chunk failed", func() { p.Run(j, 20) })
		j.fail = -1
		p.Run(j, 20)
	}
}

func TestPoolRunAllocatesNothing(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	j := &countJob{hits: make([]atomic.Int32, 20), fail: -1}
	require.Zero(t, testing.AllocsPerRun(100, func() { p.Run(j, 20) }))
}

func BenchmarkCall(b *testing.B) {
	c, err := Load("store", storeCode(1))
	require.NoError(b, err)
	x := new(uint64)
	for b.Loop() {
		c.Call(unsafe.Pointer(x))
	}
}

func BenchmarkLoad(b *testing.B) {
	code := make([]byte, 1024)
	for b.Loop() {
		_, err := Load("store", code)
		require.NoError(b, err)
	}
}
