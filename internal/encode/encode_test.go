package encode_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// arrayOf returns 2 rows of 2 elements of a type, counted from 0.
func arrayOf(dt core.DType, weak bool) *runtime.Array {
	a := runtime.New(core.ShapedArray{Shape: core.MakeDims(2, 2), DType: dt, Weak: weak})
	for i := range 4 {
		elem.Put(a.Tensor().Data[i*dt.Size():], core.IntNumber(int64(i%2)), dt)
	}
	return a
}

func TestReadsBack(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(core.Value) ([]byte, error)
		read  func([]byte) (core.Value, error)
	}{{"JSON", encode.JSON, encode.FromJSON}, {"Binary", encode.Binary, encode.FromBinary}} {
		for _, dt := range []core.DType{core.Bool, core.Int8, core.Uint64, core.BFloat16, core.Float32, core.Float64, core.Complex64} {
			for _, weak := range []bool{false, true} {
				want := arrayOf(dt, weak)
				b, err := c.write(want)
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.read(b)
				if err != nil || got.Aval() != want.Aval() || !bytes.Equal(nd.Look("test", got).Tensor().Data, want.Tensor().Data) {
					t.Errorf("%s of %v: got %v, %v", c.name, want.Aval().Full(), got, err)
				}
			}
		}
		b, err := c.write(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.read(b); got != nil || err != nil {
			t.Errorf("%s of nil: got %v, %v", c.name, got, err)
		}
	}
}

func TestBinaryEndsEarly(t *testing.T) {
	b, err := encode.Binary(arrayOf(core.Float32, false))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(b) {
		if got, err := encode.FromBinary(b[:n]); got != nil || err == nil {
			t.Errorf("%d of %d bytes: got %v, %v, want an error", n, len(b), got, err)
		}
	}
	if _, err := encode.FromBinary(b[:1]); err == nil || !strings.HasSuffix(err.Error(), io.ErrUnexpectedEOF.Error()) {
		t.Errorf("one byte: got %v, want %v", err, io.ErrUnexpectedEOF)
	}
}

func TestListsInJSON(t *testing.T) {
	for text, want := range map[string]string{
		"[[1, 2], [3, 4]]": "i32[2,2]",
		"[1, 3000000000]":  "i64[2]",
		"[1, 2.5]":         "f32[2]",
		"[true, false]":    "bool[2]",
		"[[], []]":         "f32[2,0]",
		"7":                "i32[]",
		"[[1], [2, 3]]":    "the lists are ragged (want shape [2 1]); make all of one length",
		"[1, true]":        "the lists contain truth values and numbers; use one of them",
		`[1, "a"]`:         `the element "a" is neither a number nor a truth value; write numbers, true or false`,
	} {
		got, err := encode.FromJSON([]byte(text))
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got error %v, want %s", text, err, want)
			}
		case got.Aval().Full() != want:
			t.Errorf("%s: got %v, want %s", text, got.Aval().Full(), want)
		}
	}
}

func TestWordsOf(t *testing.T) {
	for _, c := range [][2]core.ShapedArray{
		{core.Aval(core.Key, 3), core.Aval(core.Uint32, 3, 2)},
		{core.Aval(core.Float32, 3), core.Aval(core.Float32, 3)},
	} {
		if got := encode.WordsOf(c[0]); got != c[1] {
			t.Errorf("%v: got %v, want %v", c[0].Full(), got.Full(), c[1].Full())
		}
	}
}

// Bytes that no element of a type is stored as are refused.
func TestForeignElements(t *testing.T) {
	for _, dt := range []core.DType{core.Bool, core.Int2, core.Uint2, core.Int4, core.Uint4, core.Float4E2M1FN, core.Int8} {
		own := map[byte]bool{}
		for n := range 256 {
			a := runtime.New(core.Aval(dt))
			v, ok := elem.Get([]byte{byte(n)}, dt)
			if !ok {
				t.Fatalf("%v has no element for byte %d", dt, n)
			}
			elem.Put(a.Tensor().Data, v, dt)
			own[a.Tensor().Data[0]] = true
		}
		for n := range 256 {
			a := runtime.New(core.Aval(dt, 3))
			b, err := encode.Binary(a)
			if err != nil {
				t.Fatal(err)
			}
			b[len(b)-2] = byte(n)
			got, err := encode.FromBinary(b)
			switch {
			case own[byte(n)] && (err != nil || nd.Look("test", got).Tensor().Data[1] != byte(n)):
				t.Errorf("%v, byte %d: got %v, %v", dt, n, got, err)
			case !own[byte(n)] && (err == nil || !strings.Contains(err.Error(), "element 1 is byte")):
				t.Errorf("%v, byte %d: got %v, %v, want an error", dt, n, got, err)
			}
		}
	}
}

// The first byte has the marks that MarshalBinary writes, and no others.
func TestForeignMarks(t *testing.T) {
	for dt, last := range map[core.DType]byte{core.Float32: 3, core.Key: 1, core.Bool: 3} {
		b, err := encode.Binary(runtime.New(core.Aval(dt)))
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n < 256; n++ {
			b[0] = byte(n)
			_, err := encode.FromBinary(b)
			if ok := byte(n) <= last; ok != (err == nil) {
				t.Errorf("%v, first byte %d: got %v", dt, n, err)
			}
		}
	}
}

// Floats are written with the fewest digits that read as the same bits in their type.
func TestShortFloatsInJSON(t *testing.T) {
	for _, c := range []struct {
		x    weft.Array
		want string
	}{
		{weft.FromSlice([]float32{0.1, 1e-45, 16777216, 1. / 3}), `[0.1,1e-45,1.6777216e+07,0.33333334]`},
		{weft.FromSlice([]float64{0.1, 1. / 3}), `[0.1,0.3333333333333333]`},
		{weft.FromSlice([]complex64{0.1 - 0.3i}), `[[0.1,-0.3]]`},
		{weft.FromSlice([]float32{0.1}).AsType(weft.BFloat16), `[0.100097656]`},
	} {
		b, err := encode.JSON(c.x.Value())
		if err != nil || !strings.Contains(string(b), c.want) {
			t.Errorf("got %s, %v, want %s", b, err, c.want)
		}
		back, err := encode.FromJSON(b)
		if err != nil || !weft.FromValue(back).Equal(c.x) {
			t.Errorf("%s reads as %v, %v, want %v", b, back, err, c.x)
		}
	}
	// Read through 64 bits, this text, just above the middle of two numbers of f32, would be rounded to
	// the middle, and then down.
	back, err := encode.FromJSON([]byte(`{"dtype":"f32","shape":[1],"data":[1.00000005960464477540]}`))
	if err != nil || !weft.FromValue(back).Equal(weft.FromSlice([]float32{1 + 0x1p-23})) {
		t.Errorf("got %v, %v, want %v", back, err, float32(1+0x1p-23))
	}
}
