package mesh

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// echo is the transport of a process whose one peer has the same data.
type echo struct {
	place
	before func(bytes int) error // called before each exchange of data
}

func (e echo) Gather(_ context.Context, group []int, in, out []byte) error {
	for i := range group {
		copy(out[i*len(in):], in)
	}
	if len(in) == headerBytes {
		return nil
	}
	return e.before(len(in))
}

func (e echo) Exchange(_ context.Context, group []int, in, out []byte) error {
	copy(out, in)
	return e.before(len(in))
}

// An exchange runs while the device computes what does not depend on it.
func TestOverlap(t *testing.T) {
	m := New(Axis("d", 2))
	x := weft.Arange(64.)
	for _, put := range []bool{false, true} {
		later := make(chan struct{}, 1)
		leave := Join(echo{place{size: 2}, func(n int) error {
			if n < 128 { // the second exchange, which needs the first
				return nil
			}
			select {
			case <-later:
				return nil
			case <-time.After(20 * time.Second):
				return errors.New("nothing is computed meanwhile")
			}
		}})
		f := ShardMap(func(a weft.Array) (weft.Array, weft.Array) {
			sum := lax.Psum(a, "d").Mul(2)
			b := weft.Sin(a)
			weft.DebugCallback(func(weft.Array) {
				select {
				case later <- struct{}{}:
				default:
				}
			}, b.Index(0))
			return sum, lax.Pvary(b.Sum(), "d").Add(lax.Psum(sum.Index(0), "d"))
		}, m, In(P("d")), Out(P(), P()), Unchecked())
		a := x
		if put {
			a = Put(m, P("d"), x)
		}
		sum, _ := weft.Jit(f)(a)
		same(t, "the sum", sum, x.Index(weft.R(0, 32)).Mul(4))
		if err := leave(nil); err != nil {
			t.Error(err)
		}
	}
}

// Both halves of a large sum, and the addition between them, run while the device computes what does
// not depend on them.
func TestOverlapOfLargeSums(t *testing.T) {
	const n = 1 << 14
	x := weft.Arange(4. * n)
	computing, added := make(chan struct{}), make(chan struct{})
	var once, twice sync.Once
	within := func(c chan struct{}, what string) error {
		select {
		case <-c:
			return nil
		case <-time.After(20 * time.Second):
			return errors.New(what)
		}
	}
	leave := Join(echo{place{size: 4}, func(bytes int) error {
		if bytes < 4*n { // a second half
			twice.Do(func() { close(added) })
			return nil
		}
		return within(computing, "nothing is computed meanwhile")
	}})
	defer leave(nil)
	f := ShardMap(func(a weft.Array) (weft.Array, weft.Array) {
		sum := lax.Psum(a, "d")
		b := weft.Sin(a)
		weft.DebugCallback(func(weft.Array) {
			once.Do(func() { close(computing) })
			if err := within(added, "the second half waits for the device"); err != nil {
				t.Error(err)
			}
		}, b.Index(0))
		return sum, lax.Psum(b, "d")
	}, New(Axis("d", 4)), In(P("d")), Out(P(), P()), Unchecked())
	sum, _ := weft.Jit(f)(x)
	// Each process sends its first quarter to the first one.
	same(t, "the sum", sum.Index(weft.R(0, 4)), x.Index(weft.R(0, 4)).Add(x.Index(weft.R(n/4, n/4+4))).Add(x.Index(weft.R(n/2, n/2+4)).Add(x.Index(weft.R(3*n/4, 3*n/4+4)))))
}

// After an exchange that has failed, those that wait for their turn are not begun.
func TestNothingFollowsAFailure(t *testing.T) {
	calls := 0
	leave := Join(echo{place{size: 2}, func(int) error { calls++; return errors.New("the cable is cut") }})
	f := ShardMap(func(a weft.Array) (weft.Array, weft.Array) {
		return lax.Psum(a, "d"), lax.Psum(weft.Sin(a), "d")
	}, New(Axis("d", 2)), In(P("d")), Out(P(), P()))
	err := core.Catch(func() { weft.Jit(f)(weft.Arange(64.)) })
	if err == nil || !strings.Contains(err.Error(), "the cable is cut") {
		t.Errorf("got %v", err)
	}
	job.last.wait()
	if calls != 1 {
		t.Errorf("got %d exchanges, want 1", calls)
	}
	if err := leave(nil); err == nil || err.Error() != "the cable is cut" {
		t.Errorf("the process leaves with %v, want the failure", err)
	}
}
