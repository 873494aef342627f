package args

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

func typ(t *testing.T, s string) core.ShapedArray {
	t.Helper()
	a, err := parseType(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Literals are read in all their forms, and written back in the full one.
func TestLiteral(t *testing.T) {
	for _, c := range []struct{ in, typ, want string }{
		{"f32[2,2]{{1,2},{3,4}}", "f32[2,2]", "f32[2,2]{{1.0,2.0},{3.0,4.0}}"},
		{" f32[2] { 1 , 2.5e3 } ", "f32[2]", "f32[2]{1.0,2500.0}"},
		{"{0.1,-inf,nan}", "f32[3]", "f32[3]{0.1,-inf,nan}"},
		{"f32[]{0.1}", "f32[]", "f32[]{0.1}"},
		{"f32 0.1", "f32[]", "f32[]{0.1}"},
		{"f32:0.1", "f32[]", "f32[]{0.1}"},
		{"float32 1", "f32[]", "f32[]{1.0}"},
		{"0.1", "f64[]", "f64[]{0.1}"},
		{"0.1", "bf16[]", "bf16[]{0.10009765625}"},
		{"-0.0", "f16[]", "f16[]{-0.0}"},
		{"1e-45", "f32[]", "f32[]{1e-45}"},
		{"1e300", "f32[]", "f32[]{inf}"},
		{"True", "bool[]", "bool[]{True}"},
		{"{True,False}", "bool[2]", "bool[2]{True,False}"},
		{"-128", "i8[]", "i8[]{-128}"},
		{"18446744073709551615", "u64[]", "u64[]{18446744073709551615}"},
		{"{(1+2j),3,-1j}", "c64[3]", "c64[3]{(1.0+2.0j),(3.0+0.0j),(0.0-1.0j)}"},
		{"(0.1-2j)", "c128[]", "c128[]{(0.1-2j)}"},
		{"{}", "f32[0]", "f32[0]{}"},
		{"{{},{}}", "f32[2,0]", "f32[2,0]{{},{}}"},
		{"{}", "f32[0,3]", "f32[0,3]{}"},
		{"{-8,7}", "i4[2]", "i4[2]{-8,7}"},
		{"{{0:42},{4294967295:7}}", "key<fry>[2,1]", "key<fry>[2,1]{{0:42},{4294967295:7}}"},
		{"1:2", "key<fry>[]", "key<fry>[]{1:2}"},
		{"{1:2:3:4,0:0:4294967295:5}", "key<rbg>[2]", "key<rbg>[2]{1:2:3:4,0:0:4294967295:5}"},
		{"{7}", "key<phx2>[1]", "key<phx2>[1]{7}"},
	} {
		a, err := Literal(c.in, typ(t, c.typ))
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		got := Text(a)
		if got != c.want {
			t.Errorf("%s is written back as %s, want %s", c.in, got, c.want)
		}
		b, err := Literal(got, typ(t, c.typ))
		if err != nil || string(b.Tensor().Data) != string(a.Tensor().Data) {
			t.Errorf("%s does not read back: %v", got, err)
		}
	}
}

// An array without elements may have more rows than anybody can write.
func TestManyEmptyRows(t *testing.T) {
	for _, c := range []struct{ typ, want string }{
		{"i32[4611686018427387904,4,0]", "i32[4611686018427387904,4,0]{}"},
		{"f32[40,40,0,7]", "f32[40,40,0,7]{}"},
		{"f32[2,0]", "f32[2,0]{{},{}}"},
		{"f32[0,4611686018427387904]", "f32[0,4611686018427387904]{}"},
	} {
		got := Text(runtime.New(typ(t, c.typ)))
		if got != c.want {
			t.Errorf("%s is written %s, want %s", c.typ, got, c.want)
		}
		if _, err := Literal(got, typ(t, c.typ)); err != nil {
			t.Errorf("%s does not read back: %v", got, err)
		}
	}
}

func TestLiteralErrors(t *testing.T) {
	for _, c := range []struct{ in, typ, want string }{
		{"f64[2]{1,2}", "f32[2]", "the program takes f32[2], got f64[2]"},
		{"f32[3]{1,2,3}", "f32[2]", "takes f32[2], got f32[3]"},
		{"f32 1", "f32[2]", "takes f32[2], got f32[]"},
		{"1", "f32[2,2]", "write its elements as f32[2,2]{{…}}"},
		{"{1,2}", "f32[3]", "axis 0 has 3 elements, got 2"},
		{"{1,2,3,4}", "f32[3]", "axis 0 has 3 elements, got more"},
		{"{{1},{2,3}}", "f32[2,1]", "axis 1 has 1 element, got more"},
		{"{1,2", "f32[2]", "expected } at the end"},
		{"{1,2}x", "f32[2]", `"x" is left over`},
		{"{1,x}", "f32[2]", "x is not a number of type f32"},
		{"{1,,2}", "f32[3]", "a number is missing"},
		{"", "f32[]", "a number is missing"},
		{"1.5", "i32[]", "1.5 is not a number of type i32"},
		{"256", "u8[]", "256 is not a number of type u8"},
		{"true", "bool[]", "true is not a number of type bool"},
		{"f31[2]{1,2}", "f32[2]", "is no type"},
		{"f32[n]{1}", "f32[1]", `"n" is no size`},
		{"f32[2{1}", "f32[1]", "is no type"},
		{"5", "key<fry>[]", "write its two words"},
		{"1:2:3", "key<urbg>[]", "write its four words"},
		{"1:2", "key<phx2>[]", "write its word"},
		{"0:4294967296", "key<fry>[]", "write its two words"},
	} {
		_, err := Literal(c.in, typ(t, c.typ))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q as %s: %v, want %q", c.in, c.typ, err, c.want)
		}
	}
	if _, err := Literal("1", core.ShapedArray{DType: core.Token}); err == nil {
		t.Error("a token is read")
	}
}

// Every dtype of numbers is written as text and as bits, and reads back the same.
func TestThereAndBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for dt := core.Bool; int(dt) < core.NumDTypes; dt++ {
		if !dt.IsNumber() && !dt.IsBool() && dt != core.Key {
			continue
		}
		for range 20 {
			shape := make([]int, rng.IntN(4))
			for i := range shape {
				shape[i] = rng.IntN(4)
			}
			a := runtime.New(core.Aval(dt, shape...))
			data := a.Tensor().Data
			for i := range data {
				data[i] = byte(rng.Uint32())
				for checkBytes(data[i:i+1], dt) != nil {
					data[i] = byte(rng.Uint32())
				}
			}
			lines := Bits(a) + "\n\n" + Bits(a)
			back, err := ReadBits(strings.NewReader(lines), []core.ShapedArray{a.Aval(), a.Aval()})
			if err != nil || string(back[1].Tensor().Data) != string(data) {
				t.Errorf("%s: %v", Bits(a), err)
			}
			b, err := Literal(Text(a), a.Aval())
			if err != nil {
				t.Errorf("%s: %v", Text(a), err)
			} else if string(b.Tensor().Data) != string(data) && !strings.Contains(Text(a), "nan") {
				t.Errorf("%s reads back as %s", Text(a), Text(b))
			}
		}
	}
}

func TestReadBitsErrors(t *testing.T) {
	f2 := typ(t, "f32[2]")
	for _, c := range []struct{ in, want string }{
		{"", "takes 1 argument (f32[2]), got 0"},
		{`{"dtype":"f32","shape":[2],"bits":"0000803f00000040"}{"dtype":"f32","shape":[],"bits":""}`, "got more"},
		{`{"dtype":"f32","shape":[2],"bits":"0000803f"}`, "has 8 bytes, got 4"},
		{`{"dtype":"f32","shape":[2],"bits":"0000803f0000004x"}`, "argument 1"},
		{`{"dtype":"f32","shape":[3],"bits":""}`, "takes f32[2], got f32[3]"},
		{`{"dtype":"f3","shape":[2],"bits":""}`, "no dtype"},
		{`{"dtype":"f32","shape":[-2],"bits":""}`, "no shape"},
		{`{"dtype":"f32","shape":[2],"bytes":""}`, `there is no field "bytes"`},
		{`[1,2]`, "the argument is a JSON array"},
	} {
		_, err := ReadBits(strings.NewReader(c.in), []core.ShapedArray{f2})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.in, err, c.want)
		}
	}
	for _, c := range []struct{ in, typ string }{
		{`{"dtype":"bool","shape":[],"bits":"02"}`, "bool[]"},
		{`{"dtype":"i4","shape":[],"bits":"08"}`, "i4[]"},
		{`{"dtype":"u2","shape":[],"bits":"04"}`, "u2[]"},
	} {
		if _, err := ReadBits(strings.NewReader(c.in), []core.ShapedArray{typ(t, c.typ)}); err == nil {
			t.Errorf("%s is read", c.in)
		}
	}
}

// Files and literals can be mixed among the words.
func TestRead(t *testing.T) {
	const dir = "../../../../internal/npy/testdata/"
	want := func(types ...string) []core.ShapedArray {
		out := make([]core.ShapedArray, len(types))
		for i, s := range types {
			out[i] = typ(t, s)
		}
		return out
	}
	for _, c := range []struct {
		words []string
		want  []core.ShapedArray
		text  string // or a part of the error
	}{
		{nil, nil, ""},
		{[]string{dir + "f32.npy", "2"}, want("f32[2,3]", "i8[]"), "f32[2,3]{{0.5,1.5,2.5},{3.5,4.5,5.5}} i8[]{2}"},
		{[]string{dir + "two.npz"}, want("i64[3]", "f32[]"), "i64[3]{0,1,2} f32[]{2.0}"},
		{[]string{dir + "two.npz:b", dir + "two.npz:w"}, want("f32[]", "i64[3]"), "f32[]{2.0} i64[3]{0,1,2}"},
		{[]string{dir + "scalar.npy", dir + "bf16.npy", dir + "bool.npy"}, want("f16[]", "bf16[2]", "bool[2]"), "f16[]{1.5} bf16[2]{1.0,2.0} bool[2]{True,False}"},
		{[]string{dir + "two.npz:x"}, want("f32[]"), "has no x, but w, b"},
		{[]string{dir + "f32.npy"}, want("f32[3,2]"), "takes f32[3,2], got f32[2,3]"},
		{[]string{dir + "bf16.npy"}, want("f16[2]"), "kind V and 2 bytes"},
		{[]string{dir + "two.npz"}, want("i64[3]"), "takes 1 argument (i64[3]), got more"},
		{[]string{"1"}, nil, "takes no arguments"},
		{[]string{"1"}, want("f32[]", "f32[2]"), "takes 2 arguments (f32[], f32[2]), got 1"},
		{[]string{"none.npy"}, want("f32[]"), "argument 1: open none.npy"},
	} {
		as, err := Read(c.words, c.want)
		var texts []string
		for _, a := range as {
			texts = append(texts, Text(a))
		}
		got := strings.Join(texts, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.text && (err == nil || !strings.Contains(got, c.text)) {
			t.Errorf("%v: %s, want %s", c.words, got, c.text)
		}
	}
}

// An open axis takes its size from the argument.
func TestLiteralOfOpenType(t *testing.T) {
	open := core.Aval(core.Float32, Open, Open)
	for literal, want := range map[string]string{
		"{{1,2},{3,4},{5,6}}":         "f32[3,2]{{1.0,2.0},{3.0,4.0},{5.0,6.0}}",
		" { { 1 , 2 } } ":             "f32[1,2]{{1.0,2.0}}",
		"{}":                          "f32[0,0]{}",
		"{{},{}}":                     "f32[2,0]{{},{}}",
		"f32[1,1]{{7}}":               "f32[1,1]{{7.0}}",
		"{{1,2},{3}}":                 "axis 1 has 2 elements, got 1",
		"{{1},{2,3}}":                 "axis 1 has 1 element, got more",
		"{1,2}":                       "expected {",
		"{{{1}}}":                     "",
		"{,}":                         "",
		"}{":                          "",
		"{{1,2}":                      "",
		"f32[2]{1,2}":                 "the program takes f32[?,?], got f32[2]",
		"i32[1,1]{{1}}":               "the program takes f32[?,?], got i32[1,1]",
		"{{1,2},{3,4}},{{1,2},{3,4}}": "is left over",
	} {
		a, err := Literal(literal, open)
		if err != nil {
			assert.Contains(t, err.Error(), want, literal)
			assert.False(t, strings.HasPrefix(want, "f32["), literal)
			continue
		}
		assert.Equal(t, want, Text(a), literal)
	}
}
