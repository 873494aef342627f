package args

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// fuzzTypes are the types as which words are read.
var fuzzTypes = []core.ShapedArray{
	core.Aval(core.Float32), core.Aval(core.Float64, 2, 2), core.Aval(core.Complex64, 2), core.Aval(core.Bool, 3), core.Aval(core.Int4, 2),
	core.Aval(core.Key), core.Aval(core.Float8E8M0FNU, 2), core.Aval(core.Int32, 0, 3), core.Aval(core.Uint64), core.Aval(core.BFloat16, 1, 2, 1),
	core.Aval(core.Float32, 1<<40),
}

// No word of a command line crashes Literal. An array that it reads is written as a word that reads as the same array.
func FuzzLiteral(f *testing.F) {
	for k, s := range []string{"1.5", "f64[2,2]{{1,2},{3,4}}", "{(1+2j), 3}", "{True,False,1}", "{-8, 7}", "0:42", "{nan, inf}", "{}", "u64:18446744073709551615",
		"{{{1e-05},{-0.0}}}", "{1", "f32 ", "f32[99999999999999999999]{1}", "{{{{{{", "f32[-1]{}", "\xff", "1e999999999", "(", "1+2j)"} {
		f.Add(s, uint8(k%len(fuzzTypes)))
	}
	f.Fuzz(func(t *testing.T, s string, which uint8) {
		want := fuzzTypes[int(which)%len(fuzzTypes)]
		a, err := Literal(s, want)
		if err != nil {
			return
		}
		if !a.Aval().SameType(want) {
			t.Fatalf("%q reads as %v, want %v", s, a.Aval(), want)
		}
		text := Text(a)
		b, err := Literal(text, want)
		if err != nil {
			t.Fatalf("%q is written as %q, which does not read: %v", s, text, err)
		}
		if again := Text(b); again != text {
			t.Errorf("%q is written as %q, and then as %q", s, text, again)
		}
	})
}

// No line of JSON crashes ReadBits. An array that it reads is written as a line that reads as the same array.
func FuzzReadBits(f *testing.F) {
	for _, s := range []string{`{"dtype":"f32","shape":[],"bits":"0000c03f"}`, `{"dtype":"float32","shape":[2],"bits":"0000c03f0000c03f"}`, `{"dtype":"bool","shape":[1],"bits":"02"}`,
		`{"dtype":"i4","shape":[1],"bits":"ff"}`, `{"dtype":"f32","shape":[-1],"bits":""}`, `{"dtype":"f32","shape":[9223372036854775807,2],"bits":""}`, `{"dtype":"key<fry>","shape":[],"bits":"0000000000000000"}`,
		`[]`, `{`, `{"dtype":"f32","shape":[0,99999999999],"bits":""}`, `{"dtype":"c64","shape":[],"bits":"0"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, want := range fuzzTypes {
			got, err := ReadBits(strings.NewReader(s), []core.ShapedArray{want})
			if err != nil {
				continue
			}
			text := Bits(got[0])
			again, err := ReadBits(strings.NewReader(text), []core.ShapedArray{want})
			if err != nil {
				t.Fatalf("%s is written as %s, which does not read: %v", s, text, err)
			}
			if !sameBits(got[0], again[0]) {
				t.Errorf("%s is written as %s", s, text)
			}
		}
	})
}

func sameBits(a, b *runtime.Array) bool { return string(a.Tensor().Data) == string(b.Tensor().Data) }
