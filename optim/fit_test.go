package optim_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/optim"
)

// layer is a tree whose leaves have paths.
type layer struct{ W, B weft.Array }

func TestGradientOfAnotherShapeOrType(t *testing.T) {
	p := layer{weft.Ones(2, 3), weft.Ones(3)}
	for _, c := range []struct {
		what string
		grad layer
		kind error
		want []string
	}{
		{"a scalar that would broadcast", layer{weft.Ones(2, 3), weft.Ones()}, core.ErrShape, []string{"B", "f32[]", "f32[3]", "give a gradient of its shape"}},
		{"a row for a matrix", layer{weft.Ones(3), weft.Ones(3)}, core.ErrShape, []string{"W", "f32[3]", "f32[2,3]"}},
		{"a matrix for a row", layer{weft.Ones(2, 3), weft.Ones(7, 3)}, core.ErrShape, []string{"B", "f32[7,3]", "f32[3]", "take the mean over the first axis"}},
		{"what broadcasts with nothing", layer{weft.Ones(4, 5), weft.Ones(3)}, core.ErrShape, []string{"W", "f32[4,5]", "f32[2,3]"}},
		{"a wider type", layer{weft.Ones(2, 3), weft.Ones(3).AsType(weft.Float64)}, core.ErrDType, []string{"B", "f64[3]", "f32[3]", "AsType"}},
		{"integers", layer{weft.Ones(2, 3).AsType(weft.Int32), weft.Ones(3)}, core.ErrDType, []string{"W", "i32[2,3]", "f32[2,3]", "AsType"}},
		{"complex numbers", layer{weft.Ones(2, 3), weft.Ones(3).AsType(weft.Complex64)}, core.ErrDType, []string{"B", "c64[3]"}},
	} {
		for name, make := range all(p) {
			for how, update := range map[string]func(p, g layer) layer{
				"eagerly":   make().Update,
				"under Jit": weft.Jit(func(p, g layer) layer { return make().Update(p, g) }),
			} {
				_, err := weft.Try(func() layer { return update(p, c.grad) })
				if !errors.Is(err, c.kind) {
					t.Errorf("%s of %s %s: %v", name, c.what, how, err)
					continue
				}
				for _, w := range append(c.want, strings.TrimSuffix(name, "W"), "the gradient at \".", "fit_test.go:") {
					if !strings.Contains(err.Error(), w) {
						t.Errorf("%s of %s %s: %v\nholds no %q", name, c.what, how, err, w)
					}
				}
			}
		}
	}
}

func TestStateOfOtherParameters(t *testing.T) {
	p, other := layer{weft.Ones(2, 3), weft.Ones(3)}, layer{weft.Ones(2, 3), weft.Ones(1)}
	for name, make := range all(other) {
		if name == "SGD" { // which has no state
			continue
		}
		_, err := weft.Try(func() layer { return make().Update(p, p) })
		if !errors.Is(err, core.ErrShape) || !strings.Contains(err.Error(), `state at ".B" is f32[1]`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A parameter that is one array has no path.
func TestGradientOfOneArray(t *testing.T) {
	o := optim.NewSGD(weft.Ones(3), optim.Rate(1))
	_, err := weft.Try(func() weft.Array { return o.Update(weft.Ones(3), weft.Ones()) })
	if err == nil || !strings.Contains(err.Error(), "the gradient is f32[], the parameter f32[3]") {
		t.Error(err)
	}
}

func TestNormOfHalves(t *testing.T) {
	for _, dt := range []weft.DType{weft.Float16, weft.BFloat16} {
		g := weft.Of(30000., 40000., -30000).AsType(dt)
		clipped, norm := optim.ClipByNorm(g, 1)
		a, b := g.AsType(weft.Float64).Index(0).Float(), g.AsType(weft.Float64).Index(1).Float()
		want := math.Sqrt(2*a*a + b*b)
		testcheck.Within(t, fmt.Sprintf("the norm of %v", dt), norm.Float(), want, want*0x1p-23) // computed in f32
		testcheck.Within(t, fmt.Sprintf("the clipped norm of %v", dt), optim.Norm(clipped).Float(), 1, testcheck.ULP(1, dt)/2+0x1p-23)
		if norm.DType() != weft.Float32 || clipped.DType() != dt {
			t.Errorf("the norm of %v is %v, clipped it is %v, want f32 and %[1]v", dt, norm.DType(), clipped.DType())
		}
		// Many small ones: their sum would stop growing.
		many := weft.Ones(1 << 14).AsType(dt)
		if n := optim.Norm(many).Float(); n != 1<<7 {
			t.Errorf("%v: the norm of %d ones is %v", dt, many.Len(), n)
		}
	}
}
