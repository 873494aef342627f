package weft_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/x448/float16"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
)

type celsius float64

func TestMake(t *testing.T) {
	for _, c := range []struct {
		x    weft.Array
		want string
	}{
		{weft.Scalar(1), "~i32[]"},
		{weft.Scalar(1.), "~f32[]"},
		{weft.Scalar(1i), "~c64[]"},
		{weft.Scalar(true), "bool[]"},
		{weft.Scalar(float32(1)), "f32[]"},
		{weft.Scalar(uint8(1)), "u8[]"},
		{weft.Scalar(celsius(1)), "~f32[]"},
		{weft.Of(1, 2, 3), "i32[3]"},
		{weft.Of(1., 2), "f32[2]"},
		{weft.Of[float64](), "f32[0]"},
		{weft.Of(celsius(1)), "f32[1]"},
		{weft.Of(1i), "c64[1]"},
		{weft.Of(int64(1)), "i64[1]"},
		{weft.Of(true, false), "bool[2]"},
		{weft.FromSlice([]float64{1, 2}), "f64[2]"},
		{weft.FromSlice([]int{1, 2, 3, 4}, 2, 2), "i64[2,2]"},
		{weft.FromSlice([]int32{1, 2, 3, 4}, -1, 2), "i32[2,2]"},
		{weft.FromSlice([]uint{1}), "u64[1]"},
		{weft.FromSlice([]complex128{1}), "c128[1]"},
		{weft.AsArray(2), "~i32[]"},
		{weft.AsArray(weft.Of(2)), "i32[1]"},
	} {
		if got := arraycheck.TypeText(c.x); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	weft.With(weft.DefaultBits(64), func() {
		if got := arraycheck.TypeText(weft.Of(1.)) + arraycheck.TypeText(weft.Scalar(1)) + arraycheck.TypeText(weft.Scalar(1i)); got != "f64[1]~i64[]~c128[]" {
			t.Errorf("under DefaultBits(64): %v", got)
		}
	})
}

func TestElementsAreCopiedAndRounded(t *testing.T) {
	data := []float32{1, 2}
	x := weft.FromSlice(data)
	data[0] = 7
	a := x.Value().(*runtime.Array)
	if n, _ := a.At(0); n.Float() != 1 {
		t.Errorf("the array shares the slice's memory")
	}
	if n, _ := weft.Of(0.1).Value().(*runtime.Array).At(0); n.Float() != 0.10000000149011612 {
		t.Errorf("0.1 is %v", n.Float())
	}
}

func TestAccessors(t *testing.T) {
	x := weft.FromSlice(make([]float32, 6), 2, 3)
	if x.Dim(-1) != 3 || x.Dim(0) != 2 || x.Rank() != 2 || x.Size() != 6 || x.Len() != 2 || x.DType() != weft.Float32 || x.Weak() {
		t.Errorf("accessors of %v", arraycheck.TypeText(x))
	}
	if !reflect.DeepEqual(x.Shape(), weft.Shape{2, 3}) || x.Shape().String() != "(2, 3)" || x.Shape().Size() != 6 {
		t.Errorf("shape %v", x.Shape())
	}
	if !(weft.Array{}).IsZero() || x.IsZero() {
		t.Error("IsZero")
	}
	if unsafe.Sizeof(x) != unsafe.Sizeof(uintptr(0)) {
		t.Errorf("an Array takes %d bytes", unsafe.Sizeof(x))
	}
	if n := testing.AllocsPerRun(10, func() { sink = x }); n != 0 {
		t.Errorf("an Array as an interface costs %v allocations", n)
	}
}

var sink any

// fails requires that f panics with a *core.Error of the given kind whose message contains all
// words and the test's file.
func fails(t *testing.T, kind error, f func(), words ...string) {
	t.Helper()
	testcheck.Fails(t, kind, f, append(words, "_test.go:")...)
}

func TestMistakes(t *testing.T) {
	fails(t, core.ErrDType, func() { weft.Scalar(1 << 40) }, "1099511627776", "i32", "int64")
	fails(t, core.ErrDType, func() { weft.Of(1, 1<<40) }, "does not fit i32")
	fails(t, core.ErrShape, func() { weft.FromSlice([]int{1, 2, 3}, 2, 2) }, "3 elements", "(2, 2)")
	fails(t, core.ErrShape, func() { weft.FromSlice([]int{1, 2, 3}, -1, 2) }, "3 elements")
	fails(t, core.ErrShape, func() { weft.FromSlice([]int{1, 2, 3}, -1, -1) }, "-1")
	fails(t, core.ErrIndex, func() { weft.Of(1).Dim(1) }, "axis 1", "i32[1]")
	fails(t, core.ErrIndex, func() { weft.Of(1).ExpandDims(5) }, "ExpandDims", "axis 5", "2 axes", "i32[1]")
	fails(t, core.ErrShape, func() { weft.Scalar(1).Len() }, "no axis")
	fails(t, core.ErrTree, func() { _ = weft.Array{}.Shape() }, "zero Array")
	fails(t, core.ErrDType, func() { weft.DefaultBits(16) }, "32 or 64")
}

func TestTooLarge(t *testing.T) {
	huge := core.Aval(core.Float32, 1<<30, 1<<30)
	fails(t, core.ErrShape, func() { runtime.New(huge) }, "does not fit in memory")
	fails(t, core.ErrShape, func() { runtime.New(core.Aval(core.Int8, 1<<40, 1<<40)) }, "does not fit in memory")
	fails(t, core.ErrShape, func() { runtime.New(core.Aval(core.Int8, -1)) }, "negative")
	if a := runtime.New(core.Aval(core.Float0, 1<<40)); len(a.Tensor().Data) != 0 {
		t.Error("float0 has bytes")
	}
}

func TestSettingsAreTheGoroutines(t *testing.T) {
	weft.With(weft.DefaultBits(64), func() {
		done := make(chan string)
		go func() { done <- arraycheck.TypeText(weft.Scalar(1.)) }()
		if got := <-done; got != "~f32[]" {
			t.Errorf("another goroutine makes %v", got)
		}
	})
	if got := arraycheck.TypeText(weft.Scalar(1.)); got != "~f32[]" {
		t.Errorf("afterwards: %v", got)
	}
}

// ToSlice takes the arrays whose values the element type represents, and no others.
func TestToSliceTypes(t *testing.T) {
	takes := func(name string, f func(weft.Array), want ...weft.DType) {
		t.Helper()
		for _, dt := range []weft.DType{weft.Bool, weft.Int8, weft.Int16, weft.Int32, weft.Int64, weft.Uint8, weft.Uint16, weft.Uint32, weft.Uint64,
			weft.BFloat16, weft.Float16, weft.Float32, weft.Float64, weft.Complex64, weft.Complex128} {
			x := weft.OnesOf(dt, 2)
			err := core.Catch(func() { f(x) })
			if slices.Contains(want, dt) != (err == nil) || err != nil && !errors.Is(err, core.ErrDType) {
				t.Errorf("ToSlice[%s] of %v: got error %v", name, dt, err)
			}
		}
	}
	i8, i16, i32, i64 := weft.Int8, weft.Int16, weft.Int32, weft.Int64
	u8, u16, u32, u64 := weft.Uint8, weft.Uint16, weft.Uint32, weft.Uint64
	b16, f16, f32, f64 := weft.BFloat16, weft.Float16, weft.Float32, weft.Float64
	takes("bool", func(x weft.Array) { weft.ToSlice[bool](x) }, weft.Bool)
	takes("int8", func(x weft.Array) { weft.ToSlice[int8](x) }, i8)
	takes("int16", func(x weft.Array) { weft.ToSlice[int16](x) }, i8, i16, u8)
	takes("int32", func(x weft.Array) { weft.ToSlice[int32](x) }, i8, i16, i32, u8, u16)
	takes("int64", func(x weft.Array) { weft.ToSlice[int64](x) }, i8, i16, i32, i64, u8, u16, u32)
	takes("int", func(x weft.Array) { weft.ToSlice[int](x) }, i8, i16, i32, i64, u8, u16, u32)
	takes("uint8", func(x weft.Array) { weft.ToSlice[uint8](x) }, u8)
	takes("uint16", func(x weft.Array) { weft.ToSlice[uint16](x) }, u8, u16)
	takes("uint32", func(x weft.Array) { weft.ToSlice[uint32](x) }, u8, u16, u32)
	takes("uint64", func(x weft.Array) { weft.ToSlice[uint64](x) }, u8, u16, u32, u64)
	takes("float32", func(x weft.Array) { weft.ToSlice[float32](x) }, i8, i16, u8, u16, b16, f16, f32)
	takes("float64", func(x weft.Array) { weft.ToSlice[float64](x) }, i8, i16, i32, u8, u16, u32, b16, f16, f32, f64)
	takes("complex64", func(x weft.Array) { weft.ToSlice[complex64](x) }, i8, i16, u8, u16, b16, f16, f32, weft.Complex64)
	takes("complex128", func(x weft.Array) { weft.ToSlice[complex128](x) }, i8, i16, i32, u8, u16, u32, b16, f16, f32, f64, weft.Complex64, weft.Complex128)
}

// float16.Float16 is Go's number of f16: arrays are made of it and read into it, and it is a
// strong operand.
func TestFloat16Numbers(t *testing.T) {
	h := func(f float32) float16.Float16 { return float16.Fromfloat32(f) }
	x := weft.Of(h(1.5), h(-2))
	for name, y := range map[string]weft.Array{
		"FromSlice": weft.FromSlice([]float16.Float16{h(1.5), h(-2)}, 2), "From": weft.From([]float16.Float16{h(1.5), h(-2)}),
		"AsType": weft.Of(1.5, -2).AsType(weft.Float16), "Stack": weft.Stack(0, weft.Scalar(h(1.5)), weft.AsArray(h(-2))),
		"Where": weft.Where(weft.Of(true, false), h(1.5), h(-2)), "Set": weft.Full(weft.Shape{2}, h(1.5)).At(1).Set(h(-2)),
	} {
		if !y.Equal(x) || y.DType() != weft.Float16 {
			t.Errorf("%s: got %v of %v, want %v of f16", name, y, y.DType(), x)
		}
	}
	for name, y := range map[string]weft.Array{"x.Add": x.Add(h(0.5)), "Mul": weft.Mul(h(2), x), "Arange": weft.Arange(h(3)), "nested": weft.From([][]float16.Float16{{h(1)}})} {
		if y.DType() != weft.Float16 || y.Weak() {
			t.Errorf("%s: got %v, want a strong f16", name, y.DType())
		}
	}
	if got := weft.ToSlice[float16.Float16](x); got[0] != h(1.5) || got[1] != h(-2) {
		t.Errorf("ToSlice: got %v", got)
	}
	dst := make([]float16.Float16, 3)
	if n := weft.CopyTo(dst, x); n != 2 || dst[1] != h(-2) {
		t.Errorf("CopyTo: got %d of %v", n, dst)
	}
	i := 0
	for v := range weft.Values[float16.Float16](x) {
		if v != dst[i] {
			t.Errorf("Values: got %v at %d, want %v", v, i, dst[i])
		}
		i++
	}
	// Arrays of types whose values f16 represents are read as f16; others are refused.
	for _, y := range []weft.Array{weft.FromSlice([]int8{1, -2}), weft.FromSlice([]uint8{255}), weft.Of(1.5).AsType(weft.Float8E5M2)} {
		if got := weft.ToSlice[float16.Float16](y); got[0].Float32() != float32(y.Index(0).Float()) {
			t.Errorf("ToSlice of %v: got %v", y.DType(), got)
		}
	}
	for _, dt := range []weft.DType{weft.BFloat16, weft.Float32, weft.Int16} {
		fails(t, core.ErrDType, func() { weft.ToSlice[float16.Float16](x.AsType(dt)) }, "a []float16.Float16 does not hold", "AsType(weft.Float16)")
	}
	fails(t, core.ErrStatic, func() { weft.Jit(func(x weft.Array, h float16.Float16) weft.Array { return x.Mul(h) }) }, "argument 1 is a bare float16.Float16")
	// All bit patterns go through unchanged, NaNs included.
	bits := make([]float16.Float16, 1<<16)
	for i := range bits {
		bits[i] = float16.Frombits(uint16(i))
	}
	for i, v := range weft.ToSlice[float16.Float16](weft.FromSlice(bits)) {
		if v != bits[i] {
			t.Fatalf("bits %04x became %04x", uint16(bits[i]), uint16(v))
		}
	}
}
