package donation_test

import (
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakedevice"
	"github.com/weft-go/weft/runtime"
)

// Loops and branches that write over arrays of the loop around them have the values of Go's loops,
// also where something else reads the array, and leave their argument alone.
func TestUpdatesInLoopsAndBranches(t *testing.T) {
	type a = weft.Array
	type two struct{ A, B a }
	const n = 100
	loop := func(b a, body func(i, b a) a) a { return weft.ForI(8, body, b) }
	plainLoop := func(b []float64, body func(i int, b []float64)) []float64 {
		b = slices.Clone(b)
		for i := range 8 {
			body(i, b)
		}
		return b
	}
	sum := func(b []float64) (s float64) {
		for _, v := range b {
			s += v
		}
		return s
	}
	for name, c := range map[string]struct {
		f     func(b a) a
		plain func(b []float64) []float64
	}{
		"loop in a loop": {func(b a) a {
			return loop(b, func(i, b a) a {
				return weft.ForI(3, func(j, b a) a { return b.At(i.Add(j)).Add(i) }, b).At(i).Mul(2.)
			})
		}, func(b []float64) []float64 {
			return plainLoop(b, func(i int, b []float64) {
				for j := range 3 {
					b[i+j] += float64(i)
				}
				b[i] *= 2
			})
		}},
		"the array is read behind the inner loop": {func(b a) a {
			return loop(b, func(i, b a) a {
				c := weft.ForI(3, func(j, c a) a { return c.At(j).Add(1.) }, b)
				return b.At(i).Add(c.Index(2))
			})
		}, func(b []float64) []float64 {
			return plainLoop(b, func(i int, b []float64) { b[i] += b[2] + 1 })
		}},
		"a branch updates, the other does not": {func(b a) a {
			return loop(b, func(i, b a) a {
				return weft.Cond(i.Rem(2).Eq(0), func() a { return b.At(i).Set(7.) }, func() a { return b })
			})
		}, func(b []float64) []float64 {
			return plainLoop(b, func(i int, b []float64) {
				if i%2 == 0 {
					b[i] = 7
				}
			})
		}},
		"a branch reads what it updates": {func(b a) a {
			return loop(b, func(i, b a) a {
				r := weft.Cond(i.Rem(2).Eq(0), func() two { return two{b.At(i).Set(7.), b.Sum()} }, func() two { return two{b, b.Index(i)} })
				return r.A.At(n - 1).Add(r.B)
			})
		}, func(b []float64) []float64 {
			return plainLoop(b, func(i int, b []float64) {
				add := b[i]
				if i%2 == 0 {
					add = sum(b)
					b[i] = 7
				}
				b[n-1] += add
			})
		}},
		"the array is read behind the branches": {func(b a) a {
			return loop(b, func(i, b a) a {
				c := weft.Switch(i, func() a { return b.At(3).Set(2.) }, func() a { return b.At(4).Set(i) }, func() a { return b })
				return c.At(5).Add(b.Index(4))
			})
		}, func(b []float64) []float64 {
			return plainLoop(b, func(i int, b []float64) {
				old := b[4]
				switch i {
				case 0:
					b[3] = 2
				case 1:
					b[4] = 1
				}
				b[5] += old
			})
		}},
		"two arrays that branches exchange": {func(b a) a {
			r := weft.ForI(8, func(i a, r two) two {
				return weft.Cond(i.Rem(3).Eq(0), func() two { return two{r.B, r.A} }, func() two { return two{r.A.At(i).Add(1.), r.B.At(i).Set(r.A.Index(0))} })
			}, two{b, b.Mul(2)})
			return r.A.Sub(r.B)
		}, func(b []float64) []float64 {
			x, y := slices.Clone(b), slices.Clone(b)
			for i := range y {
				y[i] *= 2
			}
			for i := range 8 {
				if i%3 == 0 {
					x, y = y, x
				} else {
					first := x[0]
					x[i]++
					y[i] = first
				}
			}
			for i := range x {
				x[i] -= y[i]
			}
			return x
		}},
		"one array in both results": {func(b a) a {
			r := weft.ForI(8, func(i a, r two) two {
				return weft.Cond(i.Lt(4), func() two { return two{r.A, r.A} }, func() two { return two{r.A.At(i).Add(1.), r.B.At(0).Add(2.)} })
			}, two{b, b.Mul(2)})
			return r.A.Sub(r.B)
		}, func(b []float64) []float64 {
			x := make([]float64, n)
			x[0] = -8
			for i := 4; i < 8; i++ {
				x[i]++
			}
			return x
		}},
		"a while loop in a scan": {func(b a) a {
			type carry struct{ I, B a }
			b, ys := weft.ScanN(func(b a) (a, a) {
				c := weft.While(func(c carry) a { return c.I.Lt(3) }, func(c carry) carry { return carry{c.I.Add(1), c.B.At(c.I).Add(1.)} }, carry{weft.Scalar(int32(0)), b})
				return c.B, c.B.Index(1)
			}, b, 4)
			return b.At(9).Set(ys.Sum())
		}, func(b []float64) []float64 {
			b = slices.Clone(b)
			ys := 0.
			for range 4 {
				for i := range 3 {
					b[i]++
				}
				ys += b[1]
			}
			b[9] = ys
			return b
		}},
		"a loop that does not run": {func(b a) a {
			return loop(b, func(i, b a) a {
				return weft.ForRange(weft.Scalar(3), i, func(j, b a) a { return b.At(j).Add(1.) }, b)
			})
		}, func(b []float64) []float64 {
			return plainLoop(b, func(i int, b []float64) {
				for j := 3; j < i; j++ {
					b[j]++
				}
			})
		}},
	} {
		start := make([]float64, n)
		for i := range start {
			start[i] = float64(i % 17)
		}
		want := c.plain(start)
		for _, d := range []runtime.Executor{runtime.Default(), runtime.Reference, fakedevice.Pair()[0], fakedevice.Pair()[1]} {
			f := weft.Jit(c.f, weft.On(weft.DeviceNamed(d.Name())))
			for range 20 { // until the program is compiled
				x := weft.FromSlice(start)
				got := weft.ToSlice[float64](f(x))
				if !slices.Equal(got, want) {
					t.Fatalf("%s on %s: got %v, want %v", name, d.Name(), got, want)
				}
				if !slices.Equal(weft.ToSlice[float64](x), start) {
					t.Fatalf("%s on %s: the argument changed: %v", name, d.Name(), x)
				}
			}
		}
	}
}
