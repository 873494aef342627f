package weft_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
)

// String prints arrays as NumPy does.
func TestString(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x    weft.Array
		want string
	}{
		{weft.Of(1., 2.5, 3.25), "[1.   2.5  3.25]"},
		{weft.Of(1.), "[1.]"},
		{weft.Of(1e10, 1), "[1.e+10 1.e+00]"},
		{weft.Of(0.1, 0.00001), "[1.e-01 1.e-05]"},
		{weft.Of(0.098928109, 1.3170485, 1.7406157e-08), "[9.8928109e-02 1.3170485e+00 1.7406157e-08]"},
		{weft.Of[float32](1e-5, 1.2345678e-5), "[9.9999997e-06 1.2345678e-05]"}, // the first has fewer digits alone
		{weft.Of(1, -20, 3), "[  1 -20   3]"},
		{weft.Of(true, false), "[ True False]"},
		{weft.Of(1i, 2-1.5i), "[0.+1.j  2.-1.5j]"},
		{weft.Of(nan, 1, -inf), "[ nan   1. -inf]"},
		{weft.Of(nan, inf), "[nan inf]"},
		{weft.Of(math.Copysign(0, -1), 1), "[-0.  1.]"},
		{weft.FromSlice([]float64{0.1, 1. / 3}), "[0.1        0.33333333]"},
		{weft.Scalar(0.1), "0.1"},
		{weft.Scalar(1e-5), "1e-05"},
		{weft.Scalar(1.), "1.0"},
		{weft.Scalar(-inf), "-inf"},
		{weft.Scalar(true), "True"},
		{weft.Scalar(3), "3"},
		{weft.Scalar(1 - 2i), "(1-2j)"},
		{weft.Of(1.5, 0.1).AsType(weft.BFloat16), "[1.5 0.1]"},
		{weft.Of(1.5, 0.1).AsType(weft.Float16), "[1.5 0.1]"},
		{weft.Zeros(0, 3), "[]"},
		{weft.Arange(2000), "[   0    1    2 ... 1997 1998 1999]"},
		{weft.Arange(24.).Reshape(2, 3, 4), `[[[ 0.  1.  2.  3.]
  [ 4.  5.  6.  7.]
  [ 8.  9. 10. 11.]]

 [[12. 13. 14. 15.]
  [16. 17. 18. 19.]
  [20. 21. 22. 23.]]]`},
		{weft.Arange(10000).Reshape(100, 100), `[[   0    1    2 ...   97   98   99]
 [ 100  101  102 ...  197  198  199]
 [ 200  201  202 ...  297  298  299]
 ...
 [9700 9701 9702 ... 9797 9798 9799]
 [9800 9801 9802 ... 9897 9898 9899]
 [9900 9901 9902 ... 9997 9998 9999]]`},
		{weft.Arange(20.).Div(7), `[0.         0.14285715 0.2857143  0.42857143 0.5714286  0.71428573
 0.85714287 1.         1.1428572  1.2857143  1.4285715  1.5714285
 1.7142857  1.8571428  2.         2.142857   2.2857144  2.4285715
 2.5714285  2.7142856 ]`},
	} {
		if d := cmp.Diff(c.want, c.x.String()); d != "" {
			t.Errorf("%v:\n%s", c.x, d)
		}
	}
}

func TestVerbs(t *testing.T) {
	x, n := weft.Of(1., 22.5), weft.Of(1, 22)
	for _, c := range []struct{ got, want string }{
		{fmt.Sprintf("%v", x), "[ 1.  22.5]"},
		{fmt.Sprintf("%s", n), "[ 1 22]"},
		{fmt.Sprintf("%.3f", x), "[ 1.000 22.500]"},
		{fmt.Sprintf("%8.2e", x), "[1.00e+00 2.25e+01]"},
		{fmt.Sprintf("%.1f", n), "[ 1.0 22.0]"},
		{fmt.Sprintf("%d", n), "[ 1 22]"},
		{fmt.Sprintf("%03d", weft.Scalar(5)), "005"},
		{fmt.Sprintf("%+v", n), "i32[2] [ 1 22]"},
		{fmt.Sprintf("%+v", weft.Scalar(2.)), "~f32[] 2.0"},
		{fmt.Sprintf("%x", weft.Of(1., -2)), "[3f800000 c0000000]"},
		{fmt.Sprintf("%x", weft.Of(1i)), "[00000000,3f800000]"},
		{fmt.Sprintf("%x", weft.Of(int16(258))), "[0102]"},
		{fmt.Sprintf("%t", n), "%!t(weft.Array=[ 1 22])"},
		{fmt.Sprintf("%q", weft.Scalar(2.5)), "%!q(weft.Array=2.5)"},
		// A width applies to an array without axes as to a number.
		{fmt.Sprintf("%7.3f|", weft.Scalar(2.5)), "  2.500|"},
		{fmt.Sprintf("%-7.3f|", weft.Scalar(2.5)), "2.500  |"},
		{fmt.Sprintf("%07.2f|", weft.Scalar(-2.5)), "-002.50|"},
		{fmt.Sprintf("% .1f|%+.1f|", weft.Scalar(2.5), weft.Scalar(2.5)), " 2.5|+2.5|"},
		{fmt.Sprintf("%10.2e|", weft.Scalar(2.5)), "  2.50e+00|"},
		{fmt.Sprintf("%8v|%-8v|%8s|", weft.Scalar(2.5), weft.Scalar(7), weft.Scalar(true)), "     2.5|7       |    True|"},
		{fmt.Sprintf("%5d|%-5d|%+d|%05d|", n.Index(1), n.Index(1), n.Index(1), n.Index(1)), "   22|22   |+22|00022|"},
		{fmt.Sprintf("%*d|", 4, weft.Scalar(7)), "   7|"},
		{fmt.Sprintf("%12x|%#x|%-10X|", weft.Scalar(1.), weft.Scalar(1.), weft.Scalar(1.)), "    3f800000|0x3f800000|3F800000  |"},
		{fmt.Sprintf("%12v|", weft.Array{}), "  <no Array>|"},
		// To an array with axes it applies element by element.
		{fmt.Sprintf("%6v", x), "[   1.    22.5]"},
		{fmt.Sprintf("%-5d|", n), "[1     22   ]|"},
		{fmt.Sprintf("%-2g|", weft.Of(1., 22.25)), "[1     22.25]|"},
		{fmt.Sprintf("%.2v", weft.Of(1.234, 22.5)), "[1.2  22]"},
		{fmt.Sprintf("%#x", weft.Of(true)), "[0x01]"},
		// Numbers have the digits that their type needs.
		{fmt.Sprintf("%g", weft.Of(0.1, 3.14159)), "[    0.1 3.14159]"},
		{fmt.Sprintf("%e", weft.Scalar(0.1)), "1.000000e-01"},
		{fmt.Sprintf("%g", weft.Scalar(0.1).AsType(weft.BFloat16)), "0.1"},
		{fmt.Sprintf("%.9g", weft.Scalar(float32(0.1))), "0.100000001"},
		{fmt.Sprintf("%d|%+d|%6d|", weft.Scalar(2.5), weft.Scalar(2.5), weft.Scalar(float32(0.1))), "2.5|+2.5|   0.1|"},
		{fmt.Sprintf("%d", weft.Of(1+2i)), "[(1+2i)]"},
		{fmt.Sprintf("%t", weft.Of(true, false)), "[ true false]"},
		{fmt.Sprintf("%b %o", weft.Scalar(5), weft.Of(8, 9)), "101 [10 11]"},
		{fmt.Sprintf("%d", weft.FromSlice([]uint64{1 << 63})), "[9223372036854775808]"},
		{fmt.Sprint(weft.Array{}), "<no Array>"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// Text takes memory in proportion to its length, at every rank: no axis copies what the axes
// below it wrote.
func TestTextOfManyAxes(t *testing.T) {
	for _, shape := range [][]int{slices.Repeat([]int{2}, 14), append(slices.Repeat([]int{1}, 400), 4096, 2)} {
		x := weft.Ones(shape...).Mul(0.5)
		text := x.String()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = x.String()
		runtime.ReadMemStats(&after)
		if got := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text)); got > 50 {
			t.Errorf("rank %d: got %.1f bytes allocated for each byte of text, want at most 50", len(shape), got)
		}
	}
}

func variety() []weft.Array {
	return []weft.Array{
		weft.Of(1.5, math.NaN(), math.Inf(-1), 0.1), weft.FromSlice([]float64{math.Copysign(0, -1), 1e300}), weft.Of(1i, 2),
		weft.Scalar(2), weft.Scalar(true), weft.FromSlice([]uint64{math.MaxUint64}), weft.FromSlice([]int64{math.MinInt64}),
		weft.Of(0.1, 3).AsType(weft.BFloat16), weft.Of(0.1, 3).AsType(weft.Float8E4M3FN), weft.Zeros(0, 3), weft.Arange(6).Reshape(1, 2, 3), {},
	}
}

func TestEncodings(t *testing.T) {
	for _, x := range variety() {
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var y weft.Array
		if err := json.Unmarshal(b, &y); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if !x.Equal(y) || x.String() != y.String() || !x.IsZero() && x.Weak() != y.Weak() {
			t.Errorf("%+v became %s, then %+v", x, b, y)
		}
		b, err = x.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := y.UnmarshalBinary(b); err != nil || !x.Equal(y) || x.String() != y.String() {
			t.Errorf("%+v became %+v, %v", x, y, err)
		}
		for n := range b {
			if !x.IsZero() && n > 0 && y.UnmarshalBinary(b[:n]) == nil && n < len(b) {
				t.Errorf("%d of %d bytes of %v are accepted", n, len(b), x)
			}
		}
	}
	type params struct{ W, B weft.Array }
	p, q := params{weft.Of(1., 2), weft.Scalar(3.)}, params{}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(p); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(&q); err != nil || !q.W.Equal(p.W) || !q.B.Equal(p.B) {
		t.Errorf("%v %v", q, err)
	}
	for _, bad := range []string{`{"dtype":"f33"}`, `{"dtype":"f32","shape":[2],"data":[1]}`, `{"dtype":"f32","shape":[1],"data":["x"]}`, `{"dtype":"f32","shape":[-1],"data":[]}`,
		`{"dtype":"f32","shape":[2],"data":[]}`, `{"dtype":"float0","shape":[2],"data":[1,2]}`} {
		var x weft.Array
		if err := json.Unmarshal([]byte(bad), &x); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func TestLog(t *testing.T) {
	var b strings.Builder
	slog.New(slog.NewTextHandler(&b, nil)).Info("step", "loss", weft.Of(1., 2, 6), "mask", weft.Of(true))
	if got := b.String(); !strings.Contains(got, "loss.type=f32[3] loss.min=1 loss.mean=3 loss.max=6 mask.type=bool[1]") {
		t.Error(got)
	}
}

type network struct {
	Layers []linear
	Head   map[string]weft.Array
}

func someNetwork() network {
	l := func(v float64) linear {
		return linear{weft.Of(v, 1), weft.Scalar(float32(v)), "l", weft.Of(uint8(v))}
	}
	return network{[]linear{l(1), l(2)}, map[string]weft.Array{"a.b": weft.Of(true)}}
}

func TestSaveAndLoad(t *testing.T) {
	p, q := someNetwork(), network{Layers: make([]linear, 2), Head: map[string]weft.Array{"a.b": {}}}
	var buf bytes.Buffer
	if err := weft.Save(&buf, p); err != nil {
		t.Fatal(err)
	}
	file := buf.Bytes()
	if err := weft.Load(bytes.NewReader(file), &q); err != nil {
		t.Fatal(err)
	}
	if !q.Layers[1].W.Equal(p.Layers[1].W) || !q.Head["a.b"].Equal(p.Head["a.b"]) {
		t.Errorf("loaded %v", q)
	}
	var all map[string]weft.Array
	if err := weft.Load(bytes.NewReader(file), &all); err != nil || len(all) != 7 || !all["Layers.1.B"].Equal(p.Layers[1].B) || all["Head.a.b"].IsZero() {
		t.Errorf("loaded %v, %v", all, err)
	}
	for n := range file {
		if weft.Load(bytes.NewReader(file[:n]), &q) == nil {
			t.Errorf("%d of %d bytes are accepted", n, len(file))
		}
	}
	short := network{Layers: make([]linear, 1), Head: map[string]weft.Array{"a.b": {}}}
	if err := weft.Load(bytes.NewReader(file), &short); err == nil || !strings.Contains(err.Error(), `no place for "Layers.1.B"`) {
		t.Error(err)
	}
	long := network{Layers: make([]linear, 3)}
	if err := weft.Load(bytes.NewReader(file), &long); err == nil || !strings.Contains(err.Error(), `no array "Layers.2.W"`) || !long.Layers[0].W.IsZero() {
		t.Error(err)
	}
	q.Layers[0].W = weft.Of(1., 2, 3)
	if err := weft.Load(bytes.NewReader(file), &q); err == nil || !strings.Contains(err.Error(), `"Layers.0.W" is f32[2], but the tree has f32[3]`) {
		t.Error(err)
	}
	if err := weft.Load(bytes.NewReader(file), q); err == nil || !strings.Contains(err.Error(), "pointer") {
		t.Error(err)
	}
	if err := weft.Save(&buf, network{Layers: make([]linear, 1)}); err == nil || !strings.Contains(err.Error(), "Layers.0.W") {
		t.Error(err)
	}
	// A file that another program wrote.
	other := "\x48\x00\x00\x00\x00\x00\x00\x00" + `{"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[1],"data_offsets"` + `:[0,4]}}`
	other = strings.Replace(other, "\x48", string(rune(len(other)-8)), 1) + "\x00\x00\x80\x3f"
	var m map[string]weft.Array
	if err := weft.Load(strings.NewReader(other), &m); err != nil || m["w"].String() != "[1.]" {
		t.Errorf("%v %v", m, err)
	}
}

func TestFrom(t *testing.T) {
	for _, c := range []struct {
		x    weft.Array
		want string
	}{
		{weft.From([][]float64{{1, 2}, {3, 4}}), "f64[2,2] [[1. 2.]\n [3. 4.]]"},
		{weft.From([][]float64{{1, 2}}, weft.Float32), "f32[1,2] [[1. 2.]]"},
		{weft.From([2][]int{{1}, {2}}), "i64[2,1] [[1]\n [2]]"},
		{weft.From([]bool{true}), "bool[1] [ True]"},
		{weft.From([][]float32{}), "f32[0,0] []"},
		{weft.From([][3]uint8{}), "u8[0,3] []"},
		{weft.From(3.), "f64[] 3.0"},
		{weft.From([]celsius{1, 2}), "f64[2] [1. 2.]"},
		{weft.From([][]weft.Array{{weft.Of(1., 2)}, {weft.Of(3., 4)}}), "f32[2,1,2] [[[1. 2.]]\n\n [[3. 4.]]]"},
	} {
		if got := c.x.Value().Aval().Full() + " " + c.x.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	fails(t, core.ErrShape, func() { weft.From([][]float64{{1, 2}, {3}}) }, "ragged", "axis 1", "2", "1")
	fails(t, core.ErrDType, func() { weft.From([]string{"a"}) }, "[]string")
	fails(t, core.ErrDType, func() { weft.From(nil) }, "nil")
}

// TestKeysInJSON checks that a tree with keys of random numbers is read again from JSON.
func TestKeysInJSON(t *testing.T) {
	type state struct{ One, Many random.Key }
	want := state{random.New(1 << 40), random.New(3).SplitN(3)}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if part := `{"dtype":"key\u003cfry\u003e","shape":[],"data":[256,0]}`; !bytes.Contains(b, []byte(part)) {
		t.Errorf("got %s, want the words of the key in it, %s", b, part)
	}
	var got state
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if !got.One.Data.Equal(want.One.Data) || !got.Many.Data.Equal(want.Many.Data) || !random.Normal(got.One, 3).Equal(random.Normal(want.One, 3)) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, text := range []string{`{"dtype":"key<fry>","shape":[],"data":[1]}`, `{"dtype":"key<fry>","shape":[1],"data":[1,-1]}`, `{"dtype":"key<rbg>","shape":[],"data":[1,2,3]}`, `{"dtype":"key<fry>","shape":[-1],"data":[1,2]}`} {
		var x weft.Array
		if err := json.Unmarshal([]byte(text), &x); err == nil {
			t.Errorf("%s is read as %v", text, x)
		}
	}
}

// TestPositionsBehindStandardPackages checks that a mistake met while encoding/json calls a method
// is reported at the user's line.
func TestPositionsBehindStandardPackages(t *testing.T) {
	var x weft.Array
	err := json.Unmarshal([]byte(`{"dtype":"f32","shape":[2],"data":[1]}`), &x)
	if err == nil || !strings.HasPrefix(err.Error(), "format_test.go:") {
		t.Errorf("got %v, want the line here", err)
	}
}
