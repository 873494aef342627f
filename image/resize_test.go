package image_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/image"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
)

//go:embed testdata/image.jsonl
var data []byte // made by testdata/make_image.py

var methods = map[string]image.Method{
	"nearest": image.Nearest, "linear": image.Linear, "cubic": image.Cubic, "cubic-pytorch": image.CubicPyTorch,
	"lanczos3": image.Lanczos3, "lanczos5": image.Lanczos5, "area": image.Area,
}

// ulps is how many ε of the largest element results may be away from JAX's in f32: these are sums
// of weights times elements, and derivatives by a translation are sums of slopes of either sign.
const (
	ulps            = 5
	translationUlps = 12
)

func near(t *testing.T, what string, got weft.Array, want []float64, shape []int, ulps float64) {
	t.Helper()
	testcheck.NearLargest(t, what, got.Shape(), shape, weft.ToSlice[float64](got.AsType(weft.Float64)), want, ulps*0x1p-23)
}

// TestMatchesJAX compares values and derivatives with jax.image.
func TestMatchesJAX(t *testing.T) {
	seen := 0
	for r := range goldenfile.Records[struct {
		Method, Dtype, Type string
		Antialias           bool
		Shape, To, Axes     []int
		X, Y, R, Dx, Ds, Dt []float64
		Scale, Translation  []float64
	}](t, bytes.NewReader(data)) {
		if r.Method == "" {
			continue
		}
		seen++
		types := map[string]weft.DType{"float32": weft.Float32, "int32": weft.Int32}
		name := fmt.Sprintf("%s %v → %v", r.Method, r.Shape, r.To)
		array := func(v []float64, dims ...int) weft.Array { return weft.FromSlice(v, dims...).AsType(weft.Float32) }
		x := weft.FromSlice(r.X, r.Shape...).AsType(types[r.Dtype])
		config := image.ResizeConfig{Method: methods[r.Method], NoAntialias: !r.Antialias}
		type args struct{ X, Scale, Translation weft.Array }
		f := func(a args) weft.Array { return image.Resize(a.X, config, r.To...) }
		a := args{X: x, Scale: weft.Ones(1), Translation: weft.Ones(1)}
		if r.Axes != nil {
			f = func(a args) weft.Array {
				return image.ScaleAndTranslate(a.X, config, r.Axes, a.Scale, a.Translation, r.To...)
			}
			a.Scale, a.Translation = array(r.Scale, len(r.Scale)), array(r.Translation, len(r.Axes))
		}
		y := f(a)
		if want := types[r.Type]; y.DType() != want {
			t.Errorf("%s: got %v, want %v", name, y.DType(), want)
		}
		near(t, name, y, r.Y, r.To, ulps)
		near(t, name+" under Jit", weft.Jit(f)(a), r.Y, r.To, ulps)
		if r.R == nil {
			continue
		}
		g := weft.Grad(func(a args) weft.Array { return f(a).Mul(array(r.R, r.To...)).Sum() })(a)
		near(t, name+": dx", g.X, r.Dx, r.Shape, ulps)
		if r.Axes != nil {
			near(t, name+": dscale", g.Scale, r.Ds, []int{len(r.Axes)}, ulps)
			near(t, name+": dtranslation", g.Translation, r.Dt, []int{len(r.Axes)}, translationUlps)
		}
	}
	if seen < 40 {
		t.Errorf("compared %d records, want 40 or more", seen)
	}
}

// Images of f64 have weights of f64, also close to the middle of a kernel.
func TestResizeOfF64(t *testing.T) {
	x := weft.FromSlice([]float64{0, 1})
	got := image.Resize(x, image.ResizeConfig{Method: image.Linear}, 5)
	testcheck.NearLargest(t, "Resize", got.Shape(), []int{5}, weft.ToSlice[float64](got), []float64{0, 0.1, 0.5, 0.9, 1}, 4*0x1p-52)

	const shift = 5e-4
	lanczos := func(x float64) float64 {
		return 3 * math.Sin(math.Pi*x) * math.Sin(math.Pi*x/3) / (math.Pi * math.Pi * x * x)
	}
	total := 0.
	for k := -3.; k < 3; k++ {
		total += lanczos(k + shift)
	}
	impulse := weft.FromSlice([]float64{0, 0, 0, 0, 1, 0, 0, 0, 0})
	got = image.ScaleAndTranslate(impulse, image.ResizeConfig{Method: image.Lanczos3}, []int{0}, weft.Ones(1), weft.FromSlice([]float64{shift}), 9)
	testcheck.Within(t, "ScaleAndTranslate", got.Index(4).Float(), lanczos(shift)/total, 1e-12)
}

// The scale may have another type than the translation.
func TestScaleOfIntegers(t *testing.T) {
	x := weft.Arange(6.)
	c := image.ResizeConfig{Method: image.CubicPyTorch, NoAntialias: true}
	got := image.ScaleAndTranslate(x, c, []int{0}, weft.Of[int64](1), weft.FromSlice([]float64{0}), 6)
	testcheck.NearLargest(t, "ScaleAndTranslate", got.Shape(), []int{6}, weft.ToSlice[float64](got.AsType(weft.Float64)), []float64{0, 1, 2, 3, 4, 5}, 0x1p-22)
}

func TestResizeErrors(t *testing.T) {
	x := weft.Ones(4, 4)
	for want, f := range map[string]func() weft.Array{
		"Resize: there must be a size for each axis": func() weft.Array { return image.Resize(x, image.ResizeConfig{}, 2) },
		"Resize: axis 0 of f32[4,4] cannot get":      func() weft.Array { return image.Resize(x, image.ResizeConfig{}, -1, 2) },
		"Resize: there is no method 99":              func() weft.Array { return image.Resize(x, image.ResizeConfig{Method: 99}, 2, 2) },
		"axis 1 changes its size from 4 to 2": func() weft.Array {
			return image.ScaleAndTranslate(x, image.ResizeConfig{Method: image.Linear}, []int{0}, weft.Ones(1), weft.Zeros(1), 4, 2)
		},
		"scale and translation must have a number": func() weft.Array {
			return image.ScaleAndTranslate(x, image.ResizeConfig{Method: image.Linear}, []int{0}, weft.Ones(2), weft.Zeros(1), 4, 4)
		},
	} {
		if _, err := weft.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
