package promotion_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/arraycheck"
)

// numberOps are operations between an array and a number, or a scalar array, that is converted to
// the array's type.
var numberOps = map[string]func(x weft.Array, v any) weft.Array{
	"Add":      func(x weft.Array, v any) weft.Array { return x.Add(v) },
	"Sub":      func(x weft.Array, v any) weft.Array { return x.Sub(v) },
	"Mul":      func(x weft.Array, v any) weft.Array { return x.Mul(v) },
	"Maximum":  func(x weft.Array, v any) weft.Array { return withNumber("Maximum", x, v) },
	"Minimum":  func(x weft.Array, v any) weft.Array { return withNumber("Minimum", x, v) },
	"Where":    func(x weft.Array, v any) weft.Array { return withNumber("Where", x, v) },
	"Lt":       func(x weft.Array, v any) weft.Array { return x.Lt(v) },
	"Set":      func(x weft.Array, v any) weft.Array { return x.At(0).Set(v) },
	"At.Add":   func(x weft.Array, v any) weft.Array { return x.At(0).Add(v) },
	"Pad":      func(x weft.Array, v any) weft.Array { return weft.Pad(x, [][2]int{{1, 1}}, weft.PadConfig{Value: v}) },
	"FullLike": func(x weft.Array, v any) weft.Array { return withNumber("FullLike", x, v) },
}

// withNumber applies a generic function to an Array and a number of a type known when it runs.
func withNumber(name string, x weft.Array, v any) weft.Array {
	switch v := v.(type) {
	case weft.Array:
		return generic(name, x, v)
	case int:
		return generic(name, x, v)
	case float64:
		return generic(name, x, v)
	}
	panic(fmt.Sprintf("no case for %T", v))
}

func generic[T weft.Operand](name string, x weft.Array, v T) weft.Array {
	switch name {
	case "Maximum":
		return weft.Maximum(x, v)
	case "Minimum":
		return weft.Minimum(v, x)
	case "Where":
		return weft.Where(x.Gt(0), x, v)
	}
	return weft.FullLike(x, v)
}

// A Go number that does not fit the array's type is an error; a scalar array is converted as
// every array is. Both hold alike at once, in Jit, in Vmap and in Grad, whether or not the
// scalar's value is known there.
func TestGoNumbersAreCheckedAndArraysConverted(t *testing.T) {
	for _, c := range []struct {
		x      weft.Array
		number any
		scalar weft.Array
		as     float64 // the scalar in x's type
	}{
		{weft.Of(int8(1), 2), 1000, weft.Scalar(1000), -24},
		{weft.Of(uint8(1), 2), -1, weft.Scalar(-1), 255},
		{weft.Of(uint16(1), 2), 1 << 16, weft.Scalar(1 << 16), 0},
		{weft.Of(float32(1), 2).AsType(weft.Float16), 1e6, weft.Scalar(1e6), math.Inf(1)},
		{weft.Of(float32(1), 2).AsType(weft.Float16), 1 << 20, weft.Scalar(1 << 20), math.Inf(1)},
	} {
		strong := weft.FullLike(c.x.Index(0), 1).Mul(weft.FromSlice([]float64{c.as}).Index(0).AsType(c.x.DType()))
		for name, op := range numberOps {
			what := fmt.Sprintf("%s of %s and %v", name, arraycheck.TypeText(c.x), c.number)
			refused := func(how string, f func() weft.Array) {
				if y, err := weft.Try(f); !errors.Is(err, core.ErrDType) {
					t.Errorf("%s %s: got %v, %v, want an error that the constant does not fit", what, how, y, err)
				}
			}
			refused("at once", func() weft.Array { return op(c.x, c.number) })
			refused("in Jit", func() weft.Array { return weft.Jit(func(x weft.Array) weft.Array { return op(x, c.number) })(c.x) })
			refused("in Vmap", func() weft.Array {
				return weft.Vmap(func(x weft.Array) weft.Array { return op(x, c.number) })(weft.Stack(0, c.x, c.x))
			})
			want := op(c.x, strong)
			same := func(how string, f func() weft.Array) {
				y, err := weft.Try(f)
				if err != nil || !y.Equal(want) {
					t.Errorf("%s as a scalar array, %s: got %v, %v, want %v", what, how, y, err, want)
				}
			}
			same("at once", func() weft.Array { return op(c.x, c.scalar) })
			same("an element", func() weft.Array { return op(c.x, weft.Stack(0, c.scalar).Index(0)) })
			same("captured by Jit", func() weft.Array { return weft.Jit(func(x weft.Array) weft.Array { return op(x, c.scalar) })(c.x) })
			same("made in Jit", func() weft.Array {
				return weft.Jit(func(x weft.Array) weft.Array { return op(x, weft.AsArray(c.scalar)) })(c.x)
			})
			same("an argument of Jit", func() weft.Array {
				return weft.Jit(func(x, v weft.Array) weft.Array { return op(x, v) })(c.x, c.scalar)
			})
			same("an element of Vmap", func() weft.Array {
				return weft.Vmap(func(v weft.Array) weft.Array { return op(c.x, v) })(weft.Stack(0, c.scalar)).Index(0)
			})
			same("captured by Vmap", func() weft.Array {
				return weft.Vmap(func(x weft.Array) weft.Array { return op(x, c.scalar) })(weft.Stack(0, c.x)).Index(0)
			})
			if !c.x.DType().IsFloat() || name == "Lt" {
				continue
			}
			tangent := func(x weft.Array, v any) (y weft.Array) {
				y, _ = weft.JVP(func(x weft.Array) weft.Array { return op(x, v) }, x, weft.OnesLike(x))
				return y
			}
			refused("in JVP", func() weft.Array { return tangent(c.x, c.number) })
			same("in JVP", func() weft.Array { return tangent(c.x, c.scalar) })
			refused("in Grad", func() weft.Array {
				return weft.Grad(func(x weft.Array) weft.Array { return op(x, c.number).Sum() })(c.x)
			})
			want = want.Sum()
			same("in Grad", func() weft.Array {
				y, _ := weft.ValueAndGrad(func(x weft.Array) weft.Array { return op(x, c.scalar).Sum() })(c.x)
				return y
			})
		}
	}
}

// Scalar arrays have the value of their type wherever they are converted: 0.1 is not a float64.
func TestScalarArraysHaveTheirTypesValue(t *testing.T) {
	x := weft.FromSlice([]float64{1, 3})
	want := weft.FromSlice([]float64{float64(float32(0.1)), 3 * float64(float32(0.1))})
	mul := func(x, v weft.Array) weft.Array { return x.Mul(v) }
	for how, y := range map[string]weft.Array{
		"at once": mul(x, weft.Scalar(0.1)), "in Jit": weft.Jit(mul)(x, weft.Scalar(0.1)),
		"captured": weft.Jit(func(x weft.Array) weft.Array { return mul(x, weft.Scalar(0.1)) })(x),
	} {
		if !y.Equal(want) {
			t.Errorf("%s: got %v, want %v", how, y, want)
		}
	}
	if tenth := 0.1; !x.Mul(tenth).Equal(weft.FromSlice([]float64{tenth, 3 * tenth})) {
		t.Errorf("a Go number: got %v", x.Mul(tenth))
	}
	pow := func(x, n weft.Array) weft.Array { return x.Pow(n) }
	for _, x := range []weft.Array{weft.Of(float32(1.1), -2.3), weft.Of(2, 3)} {
		if a, b := pow(x, weft.Scalar(5)), weft.Jit(pow)(x, weft.Scalar(5)); !a.Equal(b) || arraycheck.TypeText(a) != arraycheck.TypeText(b) {
			t.Errorf("powers: %v %s at once, %v %s in Jit", a, arraycheck.TypeText(a), b, arraycheck.TypeText(b))
		}
	}
	at := func(x, i weft.Array) weft.Array { return x.Index(i) }
	for _, i := range []int{-9, -2, -1, 0, 1, 7} {
		if a, b := at(x, weft.Scalar(i)), weft.Jit(at)(x, weft.Scalar(i)); !a.Equal(b) {
			t.Errorf("index %d: %v at once, %v in Jit", i, a, b)
		}
		put := func(x, i weft.Array) weft.Array { return x.At(i).Set(5.) }
		if a, b := put(x, weft.Scalar(i)), weft.Jit(put)(x, weft.Scalar(i)); !a.Equal(b) {
			t.Errorf("set at %d: %v at once, %v in Jit", i, a, b)
		}
	}
}

// Numbers that a constructor converts must have a value in the type.
func TestConstructorsCheckNumbers(t *testing.T) {
	x := weft.Of(int8(1), 2)
	for name, f := range map[string]func() weft.Array{
		"From 300":            func() weft.Array { return weft.From(300, weft.Uint8) },
		"From slice":          func() weft.Array { return weft.From([][]int{{1, 2}, {3, -1}}, weft.Uint8) },
		"From 1e300":          func() weft.Array { return weft.From([]float64{1, 1e300}, weft.Float32) },
		"From NaN":            func() weft.Array { return weft.From(math.NaN(), weft.Int32) },
		"From 1e10":           func() weft.Array { return weft.From(1e10, weft.Int32) },
		"From 1<<63":          func() weft.Array { return weft.From([]uint64{1 << 63}, weft.Int64) },
		"From -1 as i2":       func() weft.Array { return weft.From(2, weft.Int2) },
		"From complex":        func() weft.Array { return weft.From(complex(1, 1e300), weft.Complex64) },
		"Scalar 1e300":        func() weft.Array { return weft.Scalar(1e300) },
		"Of 1e300":            func() weft.Array { return weft.Of(1, 1e300) },
		"Fill":                func() weft.Array { return x.At(weft.Of(7)).Fill(1000).Get() },
		"FullLike of a float": func() weft.Array { return weft.FullLike(x, 300.5) },
		"FullLike of NaN":     func() weft.Array { return weft.FullLike(x, math.NaN()) },
	} {
		if y, err := weft.Try(f); !errors.Is(err, core.ErrDType) {
			t.Errorf("%s: got %v, %v, want an error that the number does not fit", name, y, err)
		}
	}
	if y := weft.From([]float64{2.7, -2.7}, weft.Int8); !y.Equal(weft.Of(int8(2), -2)) {
		t.Errorf("fractions: got %v, want [2 -2]", y)
	}
	if y := weft.From([]float64{math.Inf(1)}, weft.Float16); !math.IsInf(y.Index(0).Float(), 1) {
		t.Errorf("infinity: got %v", y)
	}
}

func TestFullLikeRoundsOnce(t *testing.T) {
	if got := weft.FullLike(weft.ZerosOf(weft.Float64), math.Pi).Float(); got != math.Pi {
		t.Errorf("FullLike(f64, π) = %v, want %v", got, math.Pi)
	}
	if got := weft.FullLike(weft.ZerosOf(weft.Complex128), math.Pi).Complex(); got != math.Pi {
		t.Errorf("FullLike(c128, π) = %v, want %v", got, math.Pi)
	}
}
