package weft_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/weft-go/weft"
)

type savedModel struct {
	W, B  weft.Array
	Extra []weft.Array
	Name  string
}

// What NumPy's formats contain is read back, and Load distinguishes the formats.
func TestNumPyFiles(t *testing.T) {
	m := savedModel{W: weft.Arange(6.).Reshape(2, 3), B: weft.Of(true, false), Extra: []weft.Array{weft.Of(1 + 2i), weft.Scalar(int8(-3)), weft.Zeros(0, 2), weft.Of(0.1).AsType(weft.Float16)}}
	for name, save := range map[string]func(*bytes.Buffer) error{
		"npz":         func(b *bytes.Buffer) error { return weft.SaveNpz(b, m) },
		"safetensors": func(b *bytes.Buffer) error { return weft.Save(b, m) },
	} {
		var b bytes.Buffer
		if err := save(&b); err != nil {
			t.Fatal(err)
		}
		whole := b.Bytes()
		got := savedModel{Extra: make([]weft.Array, 4)}
		if err := weft.Load(bytes.NewReader(whole), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !got.W.Equal(m.W) || !got.B.Equal(m.B) {
			t.Errorf("%s: %v", name, got)
		}
		for i, x := range m.Extra {
			if !got.Extra[i].Equal(x) {
				t.Errorf("%s: %d is %v, want %v", name, i, got.Extra[i], x)
			}
		}
		for cut := range len(whole) {
			var all map[string]weft.Array
			if err := weft.Load(bytes.NewReader(whole[:cut]), &all); err == nil {
				t.Fatalf("%s: the first %d of %d bytes were read without an error", name, cut, len(whole))
			}
		}
	}
}

func TestNpy(t *testing.T) {
	var b bytes.Buffer
	x := weft.Arange(5)
	if err := weft.SaveNpy(&b, x); err != nil {
		t.Fatal(err)
	}
	if b.Len()%64 != 5*4%64 {
		t.Errorf("the elements do not begin at a multiple of 64 bytes")
	}
	var got struct{ Value weft.Array }
	var all map[string]weft.Array
	if err := weft.Load(bytes.NewReader(b.Bytes()), &all); err != nil || !all["value"].Equal(x) {
		t.Errorf("%v, %v", all, err)
	}
	if err := weft.Load(bytes.NewReader(b.Bytes()), &got.Value); err != nil || !got.Value.Equal(x) {
		t.Errorf("%v, %v", got.Value, err)
	}
	if err := weft.SaveNpy(&b, weft.Of(1.).AsType(weft.BFloat16)); err == nil {
		t.Error("NumPy has no bf16")
	}
}

// Files that NumPy wrote: see testdata/numpy_files.py.
func TestFilesOfNumPy(t *testing.T) {
	f, err := os.Open("testdata/numpy.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all map[string]weft.Array
	if err := weft.Load(f, &all); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]weft.Array{
		"columns": weft.Arange(6.).Reshape(2, 3).AsType(weft.Float64),
		"big":     weft.Of(int16(1), 2, 3),
		"flags":   weft.Of(true, false, true),
		"z":       weft.Of(complex64(1 - 2i)),
		"scalar":  weft.Scalar(int64(7)),
	} {
		if !all[name].Equal(want) {
			t.Errorf("%s is %+v, want %+v", name, all[name], want)
		}
	}
}
