package weft_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"math"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/npy"
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

func TestDebugPrintFieldWidth(t *testing.T) {
	for _, spec := range []string{"99999999999999", "99999999999999d", ">99999999999f", ".99999999999f", "10001"} {
		got := printed(func() { weft.DebugPrint("{:"+spec+"}", 1.5) })
		if !strings.Contains(got, "is no format") {
			t.Errorf("{:%s} prints %.60q (%d bytes), want a text that refuses the format", spec, got, len(got))
		}
	}
	if got := printed(func() { weft.DebugPrint("{:>10000}", 1.5) }); len(got) != 10001 {
		t.Errorf("{:>10000} prints %d bytes, want 10001", len(got))
	}
}

// IsIn takes memory for its operands, not for their pairs.
func TestIsInMemory(t *testing.T) {
	const n = 40_000
	x := weft.Arange(n)
	set := x.Mul(2)
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	got := weft.IsIn(x, set)
	goruntime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("IsIn of %d in %d elements allocated %d MB, want at most 64", n, n, used>>20)
	}
	if want := weft.Arange(n).Rem(2).Eq(0); !got.Equal(want) {
		t.Error("IsIn: got other elements than the even numbers")
	}
}

// IsIn compares few elements pair by pair and sorts many: both agree.
func TestIsInManyElements(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string][2]weft.Array{
		"f32":     {weft.Of(float32(nan), -1, 0, float32(math.Copysign(0, -1)), 7, float32(inf)), weft.Of(float32(math.Copysign(0, -1)), float32(nan), 7, 1e30)},
		"zero":    {weft.Of(0., 1), weft.Of(math.Copysign(0, -1), 5)},
		"mixed":   {weft.Of(int8(-1), 3, 127), weft.Of(255., 3.5, 127)},
		"u64":     {weft.Of(uint64(1<<63), 1, math.MaxUint64), weft.Of(uint64(math.MaxUint64), 3)},
		"bool":    {weft.Of(true, false), weft.Of(true, true)},
		"complex": {weft.Of(complex64(1+2i), 1i, 3), weft.Of(complex64(1i), 1+3i, 0, 3)},
	} {
		x, set := c[0], c[1]
		want := weft.IsIn(x, set)
		many := weft.Tile(set, 2000)
		for way, f := range map[string]func(x, y weft.Array) weft.Array{"eager": weft.IsIn, "jit": weft.Jit(weft.IsIn)} {
			if got := f(x, many); !got.Equal(want) {
				t.Errorf("%s, %s: got %v among %d elements, want %v", name, way, got, many.Size(), want)
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

func TestLoadLimit(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"x.npy", "y.npy"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := npy.Write(w, &npy.Array{Kind: 'f', Size: 4, Shape: []int{1000}, Data: make([]byte, 4000)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var all map[string]weft.Array
	if err := weft.Load(bytes.NewReader(b.Bytes()), &all, weft.LoadLimit(8000)); err != nil || len(all) != 2 {
		t.Errorf("limit 8000: got %d arrays and error %v, want 2", len(all), err)
	}
	err := weft.Load(bytes.NewReader(b.Bytes()), &all, weft.LoadLimit(7999))
	if err == nil || !strings.Contains(err.Error(), "(limit 7999 bytes); read more with weft.LoadLimit") {
		t.Errorf("limit 7999: got error %v", err)
	}
	if err := weft.Load(bytes.NewReader(b.Bytes()), &all, weft.LoadLimit(0)); !errors.Is(err, core.ErrStatic) {
		t.Errorf("limit 0: got error %v, want ErrStatic", err)
	}
	bad := "\x93NUMPY\x01\x00\x3b\x00{'descr': '<b4', 'fortran_order': False, 'shape': (1,), }  \n\x01\x00\x00\x00"
	if err := weft.Load(strings.NewReader(bad), &all); !errors.Is(err, core.ErrParse) {
		t.Errorf("bools of 4 bytes: got error %v, want ErrParse", err)
	}
}
