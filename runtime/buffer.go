package runtime

import (
	"context"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
)

// remote is an array outside of the Go heap: in a buffer, or in host memory that may have to be
// freed. The array's state has the bit outside.
type remote struct {
	Array
	buf   Buffer // nil where the elements are ready in host memory
	owner *Array // is kept reachable, because it has the memory's cleanup
	made  *made  // of an owner: how the memory is freed; nil: it is not

	mu   sync.Mutex
	host *Array // the elements in host memory, once they were requested
}

// remote returns the remote that a is part of, or nil.
func (a *Array) remote() *remote {
	if atomic.LoadUint32(&a.state)&outside == 0 { // never changes
		return nil
	}
	return (*remote)(unsafe.Pointer(a))
}

func (r *remote) discard() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.buf, r.host = nil, nil
}

func newRemote(t reference.Tensor, buf Buffer, owner *Array) *remote {
	r := &remote{Array: Array{t: t, state: outside}, buf: buf, owner: owner}
	if t.Size()*t.DType.Size() > smallBytes {
		r.state |= counted
	}
	boxed(&r.Array)
	return r
}

// Made returns an array of type t whose elements are data, in host memory outside of
// the Go heap, aligned to 16 bytes. free, unless it is nil, is called with data when the
// array and all arrays that share its memory are garbage.
func Made(t core.ShapedArray, data []byte, free func(data []byte)) *Array {
	r := newRemote(reference.Tensor{ShapedArray: t, Data: data}, nil, nil)
	if free != nil {
		r.made = &made{data, free, goruntime.AddCleanup(r, free, data)}
	}
	return &r.Array
}

// made is memory outside of the Go heap and the function that frees it.
type made struct {
	data    []byte
	free    func(data []byte)
	cleanup goruntime.Cleanup
}

// release frees the host memory of a dead array at once, rather than when the array is garbage,
// unless other arrays share the memory. The caller owns the memory.
func (a *Array) release() {
	r := a.remote()
	if r == nil || atomic.LoadUint32(&a.state)&aliased != 0 {
		return
	}
	if r.owner != nil {
		r = r.owner.remote()
	}
	r.mu.Lock()
	m := r.made
	r.made = nil
	r.mu.Unlock()
	if m != nil {
		m.cleanup.Stop()
		m.free(m.data)
	}
	goruntime.KeepAlive(r)
}

// MadeIn returns an array of type t whose elements are in b.
func MadeIn(t core.ShapedArray, b Buffer) *Array {
	return &newRemote(reference.Tensor{ShapedArray: t}, b, nil).Array
}

// Buffer returns the buffer of the elements, nil if they are in host memory and ready.
func (a *Array) Buffer() Buffer {
	if r := a.remote(); r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.buf
	}
	return nil
}

// Memory returns the memory in which the array lies.
func (a *Array) Memory() Memory {
	b := a.Buffer()
	if b == nil {
		return Host
	}
	if e := b.Executor(); e != nil {
		return e.Memory()
	}
	return "" // checkResults and checkPlaced refuse it
}

// Wait waits until the elements have been computed. It returns the error of what failed, or that of
// a context that ends first.
func (a *Array) Wait(ctx context.Context) error {
	if b := a.Buffer(); b != nil {
		return b.Wait(ctx)
	}
	return nil
}

// successor returns a new array with a's memory. sole is true if a is dead and the caller owns
// its memory.
func (a *Array) successor(sole bool) *Array {
	r := a.remote()
	if r == nil {
		b := &Array{t: a.t, state: stateOf(&a.t)}
		if !sole && b.state&counted != 0 {
			a.markAliased()
			b.state |= aliased
		}
		return boxed(b)
	}
	r.mu.Lock()
	buf, owner := r.buf, r.owner
	r.mu.Unlock()
	if owner == nil {
		owner = a
	}
	n := newRemote(a.t, buf, owner)
	if !sole {
		a.markAliased()
		n.state |= aliased
	}
	return &n.Array
}

// onHost returns an array with a's elements in host memory: a itself if they are there, else a
// copy, which is made once. It waits for them. The caller holds a, or ensures that it is not
// donated. Every read of elements in the library passes here.
func (a *Array) onHost(ctx context.Context) (*Array, error) {
	r := a.remote()
	if r == nil {
		return a, nil
	}
	r.mu.Lock()
	buf, host := r.buf, r.host
	r.mu.Unlock()
	switch {
	case buf == nil:
		return a, nil
	case host != nil:
		return host, nil
	}
	data, err := buf.Bytes(ctx)
	if err != nil {
		return nil, placeError(buf.Executor(), a, err)
	}
	if why := illMemory(data, a.t.ShapedArray); why != "" {
		return nil, executorErrorf(buf.Executor(), "", "the buffer of an array %s", why)
	}
	n := newRemote(reference.Tensor{ShapedArray: a.t.ShapedArray, Data: data}, nil, a)
	n.state |= aliased | hostView
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.host == nil {
		r.host = &n.Array
	}
	return r.host, nil
}

// ofItsOwn returns the array, or a new array with the same memory if a is a view that onHost
// made. A program may return such a view of an argument or a constant; donating the result must
// leave the device's array alive.
func (a *Array) ofItsOwn() *Array {
	if atomic.LoadUint32(&a.state)&hostView == 0 {
		return a
	}
	return a.successor(false)
}

// allOnHost returns the arrays in host memory: the list itself if all are there.
func allOnHost(ctx context.Context, as []*Array) ([]*Array, error) {
	out := as
	for i, a := range as {
		h, err := a.onHost(ctx)
		if err != nil {
			return nil, err
		}
		if h == a {
			continue
		}
		if &out[0] == &as[0] {
			out = append([]*Array(nil), as...)
		}
		out[i] = h
	}
	return out, nil
}

// here is onHost under the goroutine's context. It panics with the error; op is the operation
// that reads the array.
func (a *Array) here(op string) *Array {
	if atomic.LoadUint32(&a.state)&outside == 0 {
		return a
	}
	h, err := a.onHost(Context())
	if err != nil {
		fail(op, err)
	}
	return h
}
