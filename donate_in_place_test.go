package weft_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
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

// A donated or in-out argument that is updated is the result's memory, and the array is dead.
func TestDonatedArgumentsAreUpdatedInPlace(t *testing.T) {
	i := weft.Scalar(int32(3))
	donated := weft.Jit(func(x, i weft.Array) weft.Array { return x.At(i).Set(5.).At(i.Add(1)).Add(7.) }, weft.Donate(0))
	inOut := weft.Jit(func(x *weft.Array, i weft.Array) weft.Array {
		*x = x.At(i).Set(5.).At(i.Add(1)).Add(7.)
		return i
	}, weft.Donate(0))
	onReference(func() {
		for name, call := range map[string]func(x weft.Array) weft.Array{
			"donated": func(x weft.Array) weft.Array { return donated(x, i) },
			"in-out":  func(x weft.Array) weft.Array { y := x; inOut(&y, i); return y },
		} {
			x := weft.Ones(100).Add(1)
			at := memoryOf(x)
			y := call(x)
			if memoryOf(y) != at {
				t.Errorf("%s: the result has other memory, want the argument's", name)
			}
			if got := y.Index("2:6"); !got.Equal(weft.Of(2., 5, 9, 2)) {
				t.Errorf("%s: got %v, want [2 5 9 2]", name, got)
			}
			if _, err := weft.Try(func() weft.Array { return x.Add(1) }); !errors.Is(err, core.ErrDevice) {
				t.Errorf("%s: reading the argument: got %v, want %v", name, err, core.ErrDevice)
			}
		}
	})
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
