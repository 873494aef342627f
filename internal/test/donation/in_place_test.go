package donation_test

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fakedevice"
	"github.com/weft-go/weft/runtime"
)

// memoryOf returns the address of an array's first element.
func memoryOf(x weft.Array) unsafe.Pointer {
	return unsafe.Pointer(&x.Value().(*runtime.Array).Tensor().Data[0])
}

// onReference runs f on the reference executor.
func onReference(f func()) {
	old := runtime.Default()
	if err := runtime.SetDefault(runtime.Reference); err != nil {
		panic(err)
	}
	defer runtime.SetDefault(old)
	f()
}

// A donated or in-out argument that is updated is the result's memory, and the array is dead. The
// memory of devices is that of runtime/device's tests.
func TestDonatedArgumentsAreUpdatedInPlace(t *testing.T) {
	i := weft.Scalar(int32(3))
	donated := weft.Jit(func(x, i weft.Array) weft.Array { return x.At(i).Set(5.).At(i.Add(1)).Add(7.) }, weft.Donate(0))
	inOut := weft.Jit(func(x *weft.Array, i weft.Array) weft.Array {
		*x = x.At(i).Set(5.).At(i.Add(1)).Add(7.)
		return i
	}, weft.Donate(0))
	check := func() {
		for name, call := range map[string]func(x weft.Array) weft.Array{
			"donated": func(x weft.Array) weft.Array { return donated(x, i) },
			"in-out":  func(x weft.Array) weft.Array { y := x; inOut(&y, i); return y },
		} {
			x := weft.Ones(100).Add(1)
			onHost := x.Value().(*runtime.Array).Memory() == runtime.Host
			at := memoryOf(x)
			y := call(x)
			if onHost && memoryOf(y) != at { // of the array of a device this is the address of a copy
				t.Errorf("%s: the result has other memory, want the argument's", name)
			}
			if got := y.Index("2:6"); !got.Equal(weft.Of(2., 5, 9, 2)) {
				t.Errorf("%s: got %v, want [2 5 9 2]", name, got)
			}
			if _, err := weft.Try(func() weft.Array { return x.Add(1) }); !errors.Is(err, core.ErrDevice) {
				t.Errorf("%s: reading the argument: got %v, want %v", name, err, core.ErrDevice)
			}
		}
	}
	for range 20 { // until the program is compiled
		check()
	}
	onReference(check)
}

// Of an in-out argument only the arrays that the call replaces are donated: the others stay behind
// the pointer, alive.
func TestDonatedArgumentsThatChangeInPart(t *testing.T) {
	type state struct {
		A, B weft.Array
		C    []weft.Array
	}
	step := weft.Jit(func(s *state, x weft.Array) weft.Array {
		s.A = s.A.At(0).Add(x)
		s.C[1] = s.C[1].Mul(2.)
		return s.B.Sum()
	}, weft.Donate(0))
	returned := weft.Jit(func(s *state) weft.Array { return s.A }, weft.Donate(0))
	value := weft.Jit(func(s state) state { return state{s.A.Add(1), s.B.Add(1), s.C} }, weft.Donate(0))
	onReference(func() {
		s := state{weft.Ones(100).Add(1), weft.Ones(100).Add(2), []weft.Array{weft.Ones(2).Add(3), weft.Ones(2).Add(4)}}
		a, b := s.A, memoryOf(s.A)
		for range 3 {
			step(&s, weft.Scalar(float32(1)))
		}
		if memoryOf(s.A) != b || s.A.Index(0).Float() != 5 || !s.B.Equal(weft.Full(weft.Shape{100}, float32(3))) {
			t.Errorf("got %v and %v, want 5 2 … in the same memory and 3 …", s.A, s.B)
		}
		if !s.C[0].Equal(weft.Of[float32](4, 4)) || !s.C[1].Equal(weft.Of[float32](40, 40)) {
			t.Errorf("got %v, want [4 4] and [40 40]", s.C)
		}
		if _, err := weft.Try(func() weft.Array { return a.Add(1) }); !errors.Is(err, core.ErrDevice) {
			t.Errorf("reading what was replaced: got %v, want %v", err, core.ErrDevice)
		}
		returned(&s) // writes nothing
		if !s.B.Equal(weft.Full(weft.Shape{100}, float32(3))) {
			t.Errorf("got %v, want 3 …", s.B)
		}
		old := s
		s = value(s)
		for _, x := range []weft.Array{old.A, old.B, old.C[0]} {
			if _, err := weft.Try(func() weft.Array { return x.Add(1) }); !errors.Is(err, core.ErrDevice) {
				t.Errorf("reading what was donated: got %v, want %v", err, core.ErrDevice)
			}
		}
	})
}

// Arrays that a donating call leaves to its caller twice are two: the next call, which is given one with
// Donate, leaves the other alive.
func TestDonatedArgumentsThatBecomeAlike(t *testing.T) {
	type nets struct{ Online, Target weft.Array }
	follow := weft.Jit(func(n *nets) weft.Array {
		n.Target = n.Online
		return n.Target
	}, weft.Donate(0))
	both := weft.Jit(func(x weft.Array) (weft.Array, weft.Array) { return x, x }, weft.Donate(0))
	onReference(func() {
		n := nets{weft.Ones(3).Add(1), weft.Ones(3)}
		for range 3 {
			if got := follow(&n); !got.Equal(n.Online) || !n.Target.Equal(weft.Of[float32](2, 2, 2)) {
				t.Errorf("got %v and %v, want [2 2 2] of each", got, n.Target)
			}
		}
		x, y := both(weft.Ones(2).Add(1))
		both(x)
		if !y.Equal(weft.Of[float32](2, 2)) {
			t.Errorf("got %v, want [2 2]", y)
		}
	})
}

// Results of a donating call are arrays of their own, also where the program that runs finds only
// then that they are one array, an argument or a constant: donating the second leaves the first, the
// argument and the constant alive.
func TestDonatedResultsAreApart(t *testing.T) {
	type fn = func(x, y weft.Array) (weft.Array, weft.Array)
	same := weft.Jit(func(x weft.Array) weft.Array { return x })
	last := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))
	c := weft.Ones(1000).Add(3)
	for name, f := range map[string]fn{
		"one array":            func(x, y weft.Array) (weft.Array, weft.Array) { return x, x },
		"one array by a call":  func(x, y weft.Array) (weft.Array, weft.Array) { return x, same(x) },
		"one value":            func(x, y weft.Array) (weft.Array, weft.Array) { return x.Mul(2), x.Mul(2) },
		"an argument":          func(x, y weft.Array) (weft.Array, weft.Array) { return x, y },
		"an argument by calls": func(x, y weft.Array) (weft.Array, weft.Array) { return x, same(y) },
		"another shape":        func(x, y weft.Array) (weft.Array, weft.Array) { return x, y.Reshape(10, 100) },
		"a constant":           func(x, y weft.Array) (weft.Array, weft.Array) { return x, c },
		"a branch": func(x, y weft.Array) (weft.Array, weft.Array) {
			return x, weft.Cond(x.Sum().Gt(0), func() weft.Array { return y }, func() weft.Array { return x })
		},
		"a loop": func(x, y weft.Array) (weft.Array, weft.Array) {
			return x, weft.ForRange(weft.Scalar(0), weft.Scalar(0), func(i, c weft.Array) weft.Array { return c }, y)
		},
	} {
		for _, d := range []runtime.Executor{runtime.Default(), runtime.Reference, fakedevice.Pair()[0], fakedevice.Pair()[1]} {
			g := weft.Jit(f, weft.Donate(0), weft.On(weft.DeviceNamed(d.Name())))
			for range 20 { // until the program is compiled
				x, y := weft.Ones(1000).Add(1), weft.Ones(1000).Add(2)
				wantP, wantQ := f(x, y)
				wantP, wantQ = wantP.Add(0), wantQ.Add(0)
				p, q := g(x, y)
				if !q.Equal(wantQ) {
					t.Errorf("%s on %s: got %v, want %v", name, d.Name(), q, wantQ)
				}
				last(q)
				for what, v := range map[string][2]weft.Array{"result": {p, wantP}, "argument": {y, weft.Full(weft.Shape{1000}, float32(3))}, "constant": {c, weft.Full(weft.Shape{1000}, float32(4))}} {
					if got, err := weft.Try(func() weft.Array { return v[0].Add(0) }); err != nil || !got.Equal(v[1]) {
						t.Fatalf("%s on %s: the %s is %v, %v, want %v", name, d.Name(), what, got, err, v[1])
					}
				}
				if _, err := weft.Try(func() weft.Array { return x.Add(0) }); !errors.Is(err, core.ErrDevice) {
					t.Errorf("%s on %s: reading what was donated: got %v, want %v", name, d.Name(), err, core.ErrDevice)
				}
			}
		}
	}
}

// A donated argument that something else reads is not written over.
func TestDonatedArgumentsOfOtherReaders(t *testing.T) {
	onReference(func() {
		f := weft.Jit(func(x, y weft.Array) (weft.Array, weft.Array) { return x.At(0).Set(5.), y }, weft.Donate(0, 1))
		x := weft.Ones(100).Add(1)
		if a, b := f(x, x); !a.Index("0:2").Equal(weft.Of(5., 2)) || !b.Index("0:2").Equal(weft.Of(2., 2)) {
			t.Errorf("given twice: got %v and %v, want [5 2] and [2 2]", a.Index("0:2"), b.Index("0:2"))
		}
		g := weft.Jit(func(x weft.Array) (weft.Array, weft.Array) { return x.At(0).Set(5.), x.Sum() }, weft.Donate(0))
		if a, b := g(weft.Ones(100).Add(1)); a.Index(0).Float() != 5 || b.Float() != 200 {
			t.Errorf("read later: got %v and %v, want 5 and 200", a.Index(0), b)
		}
		h := weft.Jit(func(x weft.Array) weft.Array { return x.At(0).Set(5.).Add(x) }, weft.Donate(0))
		if a := h(weft.Ones(100).Add(1)); !a.Index("0:2").Equal(weft.Of(7., 4)) {
			t.Errorf("an operand later: got %v, want [7 4]", a.Index("0:2"))
		}
	})
}

// After a run that fails, donated and in-out arguments are alive and as they were, also where
// they had been written over.
func TestDonatedArgumentsAfterFailure(t *testing.T) {
	onReference(func() {
		failure := errors.New("no answer")
		for _, name := range []string{"first run", "second run"} {
			f := weft.Jit(func(x, at weft.Array) (weft.Array, error) {
				y := x.At(at).Set(5.).At(0).Mul(3.).At("20:30").Add(1.) // element 1 twice, then others
				z := weft.PureCallback(func(y weft.Array) (weft.Array, error) { return y, failure }, y, y)
				return z.Add(y), nil
			}, weft.Donate(0))
			x := weft.Ones(100).Add(1)
			if _, err := f(x, weft.Of(1, 1, 7)); !errors.Is(err, failure) {
				t.Fatalf("%s: got %v, want %v", name, err, failure)
			}
			if !x.Equal(weft.Full(weft.Shape{100}, float32(2))) {
				t.Errorf("%s: got %v, want every element 2", name, x)
			}
		}
		g := weft.Jit(func(x *weft.Array) error {
			y := x.At(3).Set(5.)
			*x = weft.PureCallback(func(y weft.Array) (weft.Array, error) { return y, failure }, y, y)
			return nil
		}, weft.Donate(0))
		x := weft.Ones(100).Add(1)
		y := x
		if err := g(&y); !errors.Is(err, failure) {
			t.Fatalf("in-out: got %v, want %v", err, failure)
		}
		if !y.Equal(weft.Full(weft.Shape{100}, float32(2))) || memoryOf(y) != memoryOf(x) {
			t.Errorf("in-out: got %v, want every element 2", y)
		}
	})
}

// A function that a program calls reads a donated argument, and may keep what it received.
func TestDonatedArgumentsOfCallbacks(t *testing.T) {
	plus := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) })
	for _, d := range []runtime.Executor{runtime.Default(), runtime.Reference, fakedevice.Pair()[0], fakedevice.Pair()[1]} {
		for _, n := range []int{1, 100, 1 << 20} {
			for name, x := range map[string]weft.Array{"data": weft.FromSlice(slices.Repeat([]float32{1}, n)), "result": plus(weft.FromSlice(make([]float32, n)))} {
				var kept weft.Array
				f := weft.Jit(func(x weft.Array) weft.Array {
					weft.DebugCallback(func(x weft.Array) { kept = x }, x)
					return weft.PureCallback(func(x weft.Array) weft.Array { return x.Sum() }, weft.Zeros(), x)
				}, weft.Donate(0), weft.On(weft.DeviceNamed(d.Name())))
				got, err := weft.Try(func() weft.Array { return f(x) })
				if err != nil || got.Float() != float64(n) {
					t.Fatalf("%s of %d elements on %s: got %v, %v, want %d", name, n, d.Name(), got, err, n)
				}
				if sum, err := weft.Try(func() weft.Array { return kept.Sum() }); err != nil || sum.Float() != float64(n) {
					t.Errorf("%s of %d elements on %s: the sum of what the function keeps is %v, %v, want %d", name, n, d.Name(), sum, err, n)
				}
			}
		}
	}
}
