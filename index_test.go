package weft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// testdata/index.jsonl contains indices into arrays of 0, 1, 2, …, each with what NumPy reads there
// and the array after NumPy wrote −7 there.
func TestIndexAsNumPy(t *testing.T) {
	n := 0
	for r := range goldenfile.Records[struct {
		Shape  []int
		Index  string
		Arrays map[string]struct {
			Shape, Data []int
			Mask        bool
		}
		Out struct{ Shape, Data []int }
		Set []int
	}](t, goldenfile.OpenFile(t, "testdata/index.jsonl")) {
		n++
		x := weft.Arange(core.MakeDims(r.Shape...).Size()).Reshape(r.Shape...)
		var idx []any
		for part := range strings.SplitSeq(r.Index, ", ") {
			a, ok := r.Arrays[part]
			switch {
			case !ok:
				idx = append(idx, part)
			case a.Mask:
				m := weft.FromSlice(a.Data, a.Shape...).Ne(0)
				idx = append(idx, m)
			default:
				idx = append(idx, weft.FromSlice(a.Data, a.Shape...))
			}
		}
		err := core.Catch(func() {
			y := x.Index(idx...)
			if !slices.Equal(y.Shape(), r.Out.Shape) || !slices.Equal(weft.ToSlice[int](y), r.Out.Data) {
				t.Errorf("%v[%s] is %v %v, want %v %v", r.Shape, r.Index, y.Shape(), y, r.Out.Shape, r.Out.Data)
			}
			z := x.At(idx...).Set(-7)
			if !slices.Equal(weft.ToSlice[int](z), r.Set) {
				t.Errorf("%v.At(%s).Set(-7) is %v, want %v", r.Shape, r.Index, z.Ravel(), r.Set)
			}
			// At reads what Index reads.
			if got := x.At(idx...).Get(); !got.Equal(y) {
				t.Errorf("%v.At(%s).Get() is %v", r.Shape, r.Index, got)
			}
		})
		if err != nil {
			t.Errorf("%v[%s]: %v", r.Shape, r.Index, err)
		}
	}
	if n < 300 {
		t.Errorf("only %d indices", n)
	}
}

func TestIndexValues(t *testing.T) {
	x := weft.Arange(12).Reshape(3, 4)
	for _, c := range []struct {
		got  weft.Array
		want string
	}{
		{x.Index(1), "[4 5 6 7]"},
		{x.Index(-1, 2), "10"},
		{x.Index(weft.R(1, weft.End), weft.R(0, 4).By(2)), "[[ 4  6]\n [ 8 10]]"},
		{x.Index("::-1, 0"), "[8 4 0]"},
		{x.Index(weft.All, nil, 1).Index("..., 0"), "[1 5 9]"},
		{x.Index(weft.Of(2, 0)), "[[ 8  9 10 11]\n [ 0  1  2  3]]"},
		{x.Index(weft.Ellipsis, weft.Of(-1, 0)), "[[ 3  0]\n [ 7  4]\n [11  8]]"},
		{x.Index(x.Gt(8)), "[ 9 10 11]"},
		{x.Index(uint8(2), int64(0)), "8"},
		{x.At(0).Add(1), "[[ 1  2  3  4]\n [ 4  5  6  7]\n [ 8  9 10 11]]"},
		{weft.Of(1., 2, 3).At(weft.Of(0, 0, 2)).Add(1), "[3. 2. 4.]"},
		{weft.Of(1., 2, 3).At(weft.Of(0, 0, 2)).Mul(2), "[4. 2. 6.]"},
		{weft.Of(1., 2, 3).At("1:").Div(2), "[1.  1.  1.5]"},
		{weft.Arange(24).Reshape(2, 3, 4).Index(weft.Of(0, 1), weft.All, weft.Of(0, 1)), "[[ 0  4  8]\n [13 17 21]]"},
		{weft.Arange(24).Reshape(2, 3, 4).Index(weft.Of(0, 0, 1, 0, 1, 0).Eq(1).Reshape(2, 3), weft.Of(1, 0, 0, 1).Eq(1)), "[ 8 19]"},
		{weft.Arange(16).Reshape(2, 2, 2, 2).Index(weft.All, weft.Of(0, 1), weft.All, weft.Of(0, 1)), "[[[ 0  2]\n  [ 8 10]]\n\n [[ 5  7]\n  [13 15]]]"},
		{weft.Diagonal(x, -1), "[4 9]"},
		{weft.Diagonal(x, 2), "[2 7]"},
		{weft.Diagonal(x.Index("::2, :1"), -2), "[]"},
		{weft.Arange(5, 0, -2), "[5 3 1]"},
		{weft.Arange(0, 5, -2), "[]"},
		{weft.Of(1., 2, 3).At(2).Pow(2), "[1. 2. 9.]"},
		{weft.Of(1., 2, 3).At(0).Max(5), "[5. 2. 3.]"},
		{weft.Of(1., 2, 3).At(":2").Min(weft.Of(0., 5)), "[0. 2. 3.]"},
		{weft.Of(1., 2, 3).At(0).Sub(3), "[-2.  2.  3.]"},
		{weft.Of(1., 4, 9).At(weft.Of(0, 2)).Apply(weft.Sqrt), "[1. 4. 3.]"},
		{weft.Of(1., 2, 3).At(weft.Of(1., 2, 3).Gt(1)).Set(0), "[1. 0. 0.]"},
		{weft.Of(1., 2, 3).At(weft.Of(7)).Get(), "[3.]"},
		{weft.Of(1., 2, 3).At(weft.Of(7)).Fill(-1).Get(), "[-1.]"},
		{weft.Of(1., 2, 3).At(weft.Of(7)).Set(5), "[1. 2. 3.]"},
		{weft.Of(1., 2, 3).At(weft.Of(7)).Mode(weft.ClipIndex).Set(5), "[1. 2. 5.]"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestIndexMistakes(t *testing.T) {
	x := weft.Arange(12.).Reshape(3, 4)
	fails(t, core.ErrIndex, func() { x.Index(3) }, "index 3 is out of range", "axis 0", "3 elements")
	fails(t, core.ErrIndex, func() { x.Index(0, -5) }, "index -5", "axis 1")
	fails(t, core.ErrIndex, func() { x.Index(0, 0, 0) }, "2 axes", "names 3")
	fails(t, core.ErrIndex, func() { x.Index("...", "...") }, "one ellipsis")
	fails(t, core.ErrIndex, func() { x.Index("1:2:3:4") }, "1:2:3:4")
	fails(t, core.ErrIndex, func() { x.Index("x") }, "no integer")
	fails(t, core.ErrIndex, func() { x.Index("::0") }, "step")
	fails(t, core.ErrIndex, func() { x.Index(1.5) }, "float64 is no index")
	fails(t, core.ErrIndex, func() { x.Index([]int{1}) }, "[]int", "weft.FromSlice")
	fails(t, core.ErrIndex, func() { x.Index(weft.Of(1.)) }, "f32[1]")
	fails(t, core.ErrDType, func() { weft.Of(1, 2).At(0).Set(1.5) }, "does not go into", "i32")
	fails(t, core.ErrShape, func() { x.At(0).Set(weft.Of(1., 2)) }, "f32[2]")
	fails(t, core.ErrIndex, func() { weft.R(0, 3).By(0) }, "step")
}

// A slice with steps ends at the end of its axis, as JAX writes it; one with negative steps ends
// after its last element.
func TestSteppedSliceText(t *testing.T) {
	for _, c := range []struct {
		index, want string
		size        int
	}{
		{"::2", "limit_indices=(6,) start_indices=(0,) strides=(2,)", 6},
		{"::2", "limit_indices=(7,) start_indices=(0,) strides=(2,)", 7},
		{"1::3", "limit_indices=(9,) start_indices=(1,) strides=(3,)", 9},
		{"1:5:3", "limit_indices=(5,) start_indices=(1,) strides=(3,)", 9},
		{"::-2", "limit_indices=(6,) start_indices=(1,) strides=(2,)", 6},
	} {
		ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { return x.Index(c.index) }, weft.Zeros(c.size))
		if got := strings.Join(strings.Fields(ir.String()), " "); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("[%s] of %d elements: got %s, %v, want %s", c.index, c.size, got, err, c.want)
		}
	}
}

// Traced scalars of one index may have several types, and weak ones.
func TestTracedIndexTypes(t *testing.T) {
	x := weft.Arange(24).Reshape(2, 3, 4)
	at := weft.Jit(func(x, i, j, k weft.Array) weft.Array { return x.Index(i, j, k) })
	types := []weft.Array{weft.Scalar(1), weft.Scalar(int8(1)), weft.Scalar(int32(1)), weft.Scalar(int64(1)), weft.Scalar(uint32(1))}
	for _, i := range types {
		for _, j := range types {
			for _, k := range types {
				if got := at(x, i, j, k).Int(); got != 17 {
					t.Errorf("%v, %v, %v: got %d, want 17", i.DType(), j.DType(), k.DType(), got)
				}
			}
		}
	}
}

func TestTracedIndex(t *testing.T) {
	x, i := weft.Arange(12.).Reshape(3, 4), weft.Of(2, 1)
	f := weft.Jit(func(x, i weft.Array) (weft.Array, weft.Array, weft.Array) {
		k := i.Index(0)
		return x.Index(k, "1:3"), x.Index(i, -1), x.At(k, 0).Set(0)
	})
	a, b, c := f(x, i)
	if got := a.String() + b.String() + c.Index(":, 0").String(); got != "[ 9. 10.][11.  7.][0. 4. 0.]" {
		t.Error(got)
	}
	mask := weft.Jit(func(x weft.Array) weft.Array { return x.At(x.Lt(5)).Set(0).Sum() })
	if got := mask(x).Float(); got != 56 {
		t.Error(got)
	}
	bad := weft.Jit(func(x weft.Array) weft.Array { return x.Index(x.Lt(5)) })
	fails(t, core.ErrConcrete, func() { bad(x) }, "bool[3,4]", "Where")
	g := weft.Grad(func(x weft.Array) weft.Array {
		return x.Index(weft.Of(0, 0, 2), 1).Sum().Add(x.Index("::2, ::-3").Sum())
	})(x)
	if got := g.String(); got != "[[1. 2. 0. 1.]\n [0. 0. 0. 0.]\n [1. 1. 0. 1.]]" {
		t.Error(got)
	}
}

// Unique and Sorted change no result and are parameters of the gather and the scatter.
func TestUniqueAndSortedPositions(t *testing.T) {
	x, at := weft.Arange(5.), weft.Of(1, 3)
	if got := x.At(at).Unique().Sorted().Set(0); !got.Equal(weft.Of(0., 0, 2, 0, 4)) {
		t.Errorf("got %v, want [0 0 2 0 4]", got)
	}
	if got := x.At(at).Sorted().Unique().Get(); !got.Equal(weft.Of(1., 3)) {
		t.Errorf("got %v, want [1 3]", got)
	}
	for _, c := range []struct {
		f    func(x, at weft.Array) weft.Array
		want []string
	}{
		{func(x, at weft.Array) weft.Array { return x.At(at).Set(0) }, []string{"indices_are_sorted=False", "unique_indices=False"}},
		{func(x, at weft.Array) weft.Array { return x.At(at).Sorted().Set(0) }, []string{"indices_are_sorted=True", "unique_indices=False"}},
		{func(x, at weft.Array) weft.Array { return x.At(at).Unique().Get() }, []string{"indices_are_sorted=False", "unique_indices=True"}},
	} {
		j, err := weft.Jaxpr(c.f, x, at)
		if err != nil {
			t.Fatal(err)
		}
		testcheck.Contains(t, j.String(), c.want...)
	}
}

func TestPutAlongAxis(t *testing.T) {
	x := vec(10, 30, 20, 60, 40, 50).Reshape(2, 3)
	at := weft.Of(1, 0).Reshape(2, 1)
	nearAll(t, "PutAlongAxis", weft.PutAlongAxis(x, at, 99, 1).Ravel(), 10, 99, 20, 99, 40, 50)
	g := weft.Grad(func(x weft.Array) weft.Array { return weft.PutAlongAxis(x, at, 99, 1).Sum() })(x)
	nearAll(t, "gradient of PutAlongAxis", g.Ravel(), 1, 0, 1, 0, 1, 1)
}
