package device_test

import (
	"runtime/debug"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// A donation does not change other arrays in the same memory: results that are arguments or
// constants of their program, and several results that are one value.
func TestDonationOfSharedMemory(t *testing.T) {
	simulated()
	d := weft.DeviceNamed("simulated")
	constant := weft.Linspace(3, 4, 3000).To(d)
	type pair struct{ A, B weft.Array }
	id := weft.Jit(func(x weft.Array) pair { return pair{x, constant} }, weft.On(d))
	both := weft.Jit(func(x weft.Array) pair { y := x.Mul(2); return pair{y, y} }, weft.On(d))
	donating := weft.Jit(func(x weft.Array) weft.Array { return x.Sum() }, weft.On(d), weft.Donate(0))
	other := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(-7).Add(1) }, weft.On(d))
	host := weft.Linspace(0, 1, 3000)
	x := host.To(d)
	for range 3 {
		p, q := id(x), both(x)
		donating(p.A)
		donating(p.B)
		donating(q.A)
		other(other(weft.Linspace(9, 8, 3000))) // takes memory that is free
		for _, c := range []struct {
			what      string
			got, want weft.Array
		}{{"the argument", x, host}, {"the constant", constant, weft.Linspace(3, 4, 3000)}, {"the other result", q.B, host.Mul(2)}} {
			if !testcheck.SameBinary(c.got, c.want) {
				t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
			}
		}
	}
}

// The next call uses the memory of donated arguments, before the collector finds the arrays.
func TestDonatedMemoryIsUsedAgain(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	s := simulated()
	d := weft.DeviceNamed("simulated")
	step := func(x weft.Array) weft.Array { return weft.Flip(x, 0).Mul(0.5).Add(1) } // not in the memory of x
	g := weft.Jit(step, weft.On(d), weft.Donate(0))
	x, want := weft.Linspace(0, 1, 1<<16).To(d), weft.Linspace(0, 1, 1<<16)
	x, want = g(x), step(want) // compiled
	before := s.Blocks()
	const calls = 20
	for range calls {
		x, want = g(x), step(want)
	}
	if n := s.Blocks() - before; n > 2 {
		t.Errorf("%d calls took %d pieces of memory, want 2 at most", calls, n)
	}
	if !testcheck.SameBinary(x, want) {
		t.Errorf("got %v, want %v", x, want)
	}
}
