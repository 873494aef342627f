package donation_test

import (
	"runtime"
	"testing"

	"github.com/weft-go/weft"
)

// allocatedBytes returns how many bytes f allocates, when it has run before.
func allocatedBytes(f func()) uint64 {
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A loop that updates an element of its carry in each iteration allocates a few arrays of the carry's
// size, and not one for each iteration; a call that updates a donated or in-out argument allocates none.
// What is written into memory that exists, TestUpdatesWriteFewBytes counts in package fuse.
func TestUpdatesAllocateNoCopies(t *testing.T) {
	const size, iterations = 1 << 16, 500
	const array = 4 * size // bytes
	x := weft.Zeros(size)
	i := weft.Scalar(int32(3))
	loops := map[string]func(weft.Array) weft.Array{
		"ForI": func(b weft.Array) weft.Array {
			return weft.ForI(iterations, func(i, b weft.Array) weft.Array { return b.At(i).Set(i) }, b)
		},
		"While": func(b weft.Array) weft.Array {
			type carry struct{ I, B weft.Array }
			return weft.While(func(c carry) weft.Array { return c.I.Lt(iterations) }, func(c carry) carry {
				return carry{c.I.Add(1), c.B.At(c.I).Set(c.I)}
			}, carry{weft.Scalar(int32(0)), b}).B
		},
		"ScanN": func(b weft.Array) weft.Array {
			b, _ = weft.ScanN(func(b weft.Array) (weft.Array, weft.Array) { return b.At(i).Add(1.), b.Index(i) }, b, iterations)
			return b
		},
	}
	check := func(where string) {
		for name, f := range loops {
			for how, f := range map[string]func(weft.Array) weft.Array{"eager": f, "staged": weft.Jit(f)} {
				if got := allocatedBytes(func() { f(x).Index(0).Float() }); got > 32*array {
					t.Errorf("%s, %s %s: got %d bytes for %d iterations, want at most 32 arrays of %d", where, how, name, got, iterations, array)
				}
			}
		}
		donated := weft.Jit(func(x, i weft.Array) weft.Array { return x.At(i).Set(5.) }, weft.Donate(0))
		y := weft.Zeros(size).Add(1)
		if got := allocatedBytes(func() { y = donated(y, i) }); got > array/4 {
			t.Errorf("%s: a donated argument: got %d bytes, want less than a quarter of the array's %d", where, got, array)
		}
		inOut := weft.Jit(func(x *weft.Array, i weft.Array) weft.Array { *x = x.At(i).Set(5.); return i }, weft.Donate(0))
		z := weft.Zeros(size).Add(1)
		if got := allocatedBytes(func() { inOut(&z, i) }); got > array/4 {
			t.Errorf("%s: an in-out argument: got %d bytes, want less than a quarter of the array's %d", where, got, array)
		}
	}
	check("default executor")
	onReference(func() { check("reference") })
}
