package weft_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// refusedOr runs f and reports whether it was refused with a message for users; any other panic
// is a mistake.
func refusedOr(t *testing.T, what string, f func()) (refused bool) {
	t.Helper()
	_, err := weft.Try(func() bool { f(); return true })
	var e *core.Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("%q: %v", what, err)
	}
	return err != nil
}

// No file crashes Load. What it reads can be saved and read again unchanged.
func FuzzLoad(f *testing.F) {
	for _, tree := range []map[string]weft.Array{
		{}, {"a": weft.Of(1., 2)}, {"a": weft.Of(true), "b": weft.Arange(6.).Reshape(2, 3)}, {"x.y": weft.Of(float32(1)).AsType(core.BFloat16), "": weft.Of(int8(3))},
	} {
		for _, save := range []func(*bytes.Buffer) error{
			func(b *bytes.Buffer) error { return weft.Save(b, tree) },
			func(b *bytes.Buffer) error { return weft.SaveNpz(b, tree) },
		} {
			var b bytes.Buffer
			if save(&b) == nil {
				f.Add(b.Bytes())
			}
		}
	}
	for _, header := range []string{
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, `{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,-4]}}`, `{"a":{"dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`,
		`{"a":{"dtype":"U8","shape":[9223372036854775807],"data_offsets":[0,9223372036854775807]}}`, `{"__metadata__":1}`, `{"a":null}`, `[]`,
	} {
		f.Add(append([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}, header+"\x00\x00\x00\x00"...))
	}
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return
		}
		var all map[string]weft.Array
		if err := weft.Load(bytes.NewReader(data), &all); err != nil {
			var e *core.Error
			if !errors.As(err, &e) {
				t.Fatalf("an error that is none of the library's: %v", err)
			}
			return
		}
		if _, kept := all["__metadata__"]; kept {
			return // a .npz may use the name that safetensors keeps for itself
		}
		var b bytes.Buffer
		if err := weft.Save(&b, all); err != nil {
			t.Fatalf("what was read is not written: %v", err)
		}
		var again map[string]weft.Array
		if err := weft.Load(&b, &again); err != nil || len(again) != len(all) {
			t.Fatalf("what was written is not read: %v, %d of %d arrays", err, len(again), len(all))
		}
		for k, x := range all {
			if y := again[k]; x.DType() != y.DType() || !slices.Equal(x.Shape(), y.Shape()) {
				t.Errorf("%q was %v%v and is %v%v", k, x.DType(), x.Shape(), y.DType(), y.Shape())
			}
		}
	})
}

// No subscripts crash Einsum, and the result is linear in each operand.
func FuzzEinsum(f *testing.F) {
	for _, s := range []string{"ij,jk->ik", "ij->ji", "ii->i", "ii", "...i,...i->...", "ij,ij->", "i,j->ij", "ijk->", "->", "", ",", "i->ii", "ij,jk,kl->il", "é->é", "... ->...", "i...->i", "ij->k", "a-b>c"} {
		f.Add(s, uint8(3))
	}
	m := weft.Arange(4.).Reshape(2, 2)
	operands := []weft.Array{m, weft.Of(1., 2), weft.Of(3.), weft.Arange(8.).Reshape(2, 2, 2)}
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		if len(s) > 60 {
			return
		}
		for k := range operands {
			xs := slices.Concat(operands[k:], operands[:k])[:n%4]
			if len(xs) == 0 {
				xs = []weft.Array{m, m}
			}
			var y weft.Array
			if refusedOr(t, s, func() { y = weft.Einsum(s, xs...) }) {
				continue
			}
			if y.Size() > 1<<12 {
				t.Errorf("%q returns %d elements", s, y.Size())
			}
			// It is linear in each operand.
			twice := slices.Clone(xs)
			twice[0] = xs[0].Mul(2.)
			z := weft.Einsum(s, twice...)
			if !z.Equal(y.Mul(2.)) {
				t.Errorf("%q of twice the first operand: %v, of it %v", s, z, y)
			}
		}
	})
}

// No text crashes Index, and Python's rules hold: reading where a value was written returns that value.
func FuzzIndex(f *testing.F) {
	for _, s := range []string{"1", "1:", "::-1", "...", "None", "1:, ::2", "..., 0", "-1, None, :", "9223372036854775807:", ":-9223372036854775808", "::9223372036854775807", "::-9223372036854775808", "1,,2", "1:2:0", "a", "", " ", "0,0,0,0", "...,..."} {
		f.Add(s)
	}
	x := weft.Arange(24.).Reshape(2, 3, 4)
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 60 {
			return
		}
		var y weft.Array
		if refusedOr(t, s, func() { y = x.Index(s) }) {
			return
		}
		if y.Size() > x.Size() {
			t.Errorf("%q takes %d of %d elements", s, y.Size(), x.Size())
		}
		back := x.At(s).Set(y.Mul(-1.)).Index(s)
		if !back.Equal(y.Mul(-1.)) {
			t.Errorf("%q reads %v where %v was written", s, back, y.Mul(-1.))
		}
	})
}

// No JSON and no bytes crash the readers of Arrays. What they accept can be written and read again
// unchanged.
func FuzzUnmarshal(f *testing.F) {
	for _, x := range []weft.Array{weft.Of(1., 2), weft.Of(true), weft.Of(1i), weft.Of(int8(-3)).AsType(core.Int4), weft.Of(1.5).AsType(core.Float8E4M3FN), weft.Zeros(0, 3), {}} {
		j, err := x.MarshalJSON()
		if err != nil {
			f.Fatal(err)
		}
		b, err := x.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(j)
		f.Add(b)
	}
	for _, s := range []string{`{"dtype":"f32","shape":[1000000000000],"data":[]}`, `{"dtype":"f32","shape":[4294967296,4294967296],"data":[]}`, `{"dtype":"f32","shape":[-1],"data":[]}`, `{"dtype":"Tok","shape":[],"data":[1]}`,
		`{"dtype":"float0","shape":[1],"data":[1]}`, `{"dtype":"key<fry>","shape":[],"data":[1]}`, `{"dtype":"key<rbg>","shape":[],"data":[1]}`, `{"dtype":"invalid","shape":[],"data":[0]}`, `{"dtype":"c64","data":[[1]]}`, `{"dtype":"c64","data":[[[1,2],3]]}`,
		"\x01\x03f32\x01\xff\xff\xff\xff\x0f", "\x01\x03Tok\x00", "\x01\x06float0\x01\x05", "\x03\x04bool\x00\x02", "\x01\x07invalid\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return
		}
		var x, y weft.Array
		if x.UnmarshalBinary(data) == nil {
			b, err := x.MarshalBinary()
			if err != nil {
				t.Fatalf("what was read is not written: %v", err)
			}
			if err := y.UnmarshalBinary(b); err != nil {
				t.Fatalf("what was written is not read: %v", err)
			}
			if c, err := y.MarshalBinary(); err != nil || !bytes.Equal(b, c) {
				t.Errorf("%x is written as %x, and then as %x", data, b, c)
			}
		}
		if x.UnmarshalJSON(data) == nil {
			b, err := x.MarshalJSON()
			if err != nil {
				t.Fatalf("%s: what was read is not written: %v", data, err)
			}
			if err := y.UnmarshalJSON(b); err != nil {
				t.Fatalf("%s: what was written is not read: %v", b, err)
			}
			if c, err := y.MarshalJSON(); err != nil || !bytes.Equal(b, c) {
				t.Errorf("%s is written as %s, and then as %s", data, b, c)
			}
		}
	})
}
