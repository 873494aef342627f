package hostile_test

import (
	"errors"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Sizes that no memory has room for are errors, eagerly and in Jit, before anything of
// that size is allocated.
func TestSizesBeyondMemory(t *testing.T) {
	const huge = 1 << 40
	x := weft.Of(1., 2, 3)
	none := weft.Zeros(0, huge)
	for name, f := range map[string]func() weft.Array{
		"Pad":         func() weft.Array { return weft.Pad(x, [][2]int{{huge, 0}}, weft.PadConfig{}) },
		"Pad reflect": func() weft.Array { return weft.Pad(x, [][2]int{{0, huge}}, weft.PadConfig{Mode: weft.PadReflect}) },
		"Pad wrap": func() weft.Array {
			return weft.Pad(x, [][2]int{{math.MaxInt, math.MaxInt}}, weft.PadConfig{Mode: weft.PadWrap})
		},
		"Pad edge": func() weft.Array { return weft.Pad(x, [][2]int{{huge, huge}}, weft.PadConfig{Mode: weft.PadEdge}) },
		"Pad ramp": func() weft.Array {
			return weft.Pad(x, [][2]int{{1, math.MaxInt}}, weft.PadConfig{Mode: weft.PadLinearRamp})
		},
		"RepeatEach":          func() weft.Array { return weft.RepeatEach(x, []int{1, huge, 1}, 0) },
		"RepeatEach overflow": func() weft.Array { return weft.RepeatEach(x, []int{1, math.MaxInt, 1}, 0) },
		"Repeat":              func() weft.Array { return weft.Repeat(x, huge, 0) },
		"Repeat overflow":     func() weft.Array { return weft.Repeat(weft.Of(1., 2, 3, 4), 1<<62, 0) },
		"Tile":                func() weft.Array { return weft.Tile(x, huge) },
		"Histogram":           func() weft.Array { _, e := weft.Histogram(x, huge, 0, 1); return e },
		"Bincount":            func() weft.Array { return weft.Bincount(weft.Of(1, 2), huge) },
		"OneHot":              func() weft.Array { return weft.OneHot(weft.Of(1, 2), huge) },
		"Linspace":            func() weft.Array { return weft.Linspace(0., 1., huge) },
		"Arange":              func() weft.Array { return weft.Arange(huge) },
		"Eye":                 func() weft.Array { return weft.Eye(1 << 30) },
		"Unstack":             func() weft.Array { return weft.Unstack(none, 1)[0] },
		"SplitEvenly":         func() weft.Array { return weft.SplitEvenly(none, 1, huge)[0] },
		"UniqueSize":          func() weft.Array { return weft.UniqueSize(x, huge) },
		"NonzeroSize":         func() weft.Array { return weft.NonzeroSize(x, huge, 0)[0] },
	} {
		for way, run := range map[string]func() weft.Array{"eager": f, "jit": func() weft.Array {
			return weft.Jit(func(weft.Array) weft.Array { return f() })(x)
		}} {
			var e *weft.Error
			if _, err := weft.Try(run); !errors.As(err, &e) {
				t.Errorf("%s, %s: got error %v, want one of weft", name, way, err)
			}
		}
	}
}

func TestInvalidElementTypes(t *testing.T) {
	for _, dt := range []weft.DType{0, 33, 34, 35, 200, 255} {
		for name, f := range map[string]func() weft.Array{
			"OnesOf":  func() weft.Array { return weft.OnesOf(dt, 2) },
			"ZerosOf": func() weft.Array { return weft.ZerosOf(dt, 2) },
			"Full":    func() weft.Array { return weft.Full(weft.Shape{2}, 1).AsType(dt) },
			"Iota":    func() weft.Array { return weft.Iota(dt, 0, 2) },
		} {
			if name == "ZerosOf" && dt.IsKey() {
				if x := f(); x.DType() != dt || x.Size() != 2 { // keys are made of zeros
					t.Errorf("ZerosOf(%d): got %s of %d elements, want %s of 2", dt, x.DType(), x.Size(), dt)
				}
				continue
			}
			_, err := weft.Try(f)
			if !errors.Is(err, core.ErrDType) {
				t.Errorf("%s(%d): got error %v, want one of type ErrDType", name, dt, err)
			}
			if _, err := weft.Try(func() weft.Array { return weft.Jit(func(weft.Array) weft.Array { return f() })(weft.Scalar(1)) }); !errors.Is(err, core.ErrDType) {
				t.Errorf("%s(%d) in Jit: got error %v, want one of type ErrDType", name, dt, err)
			}
		}
	}
}
