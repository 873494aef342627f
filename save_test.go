package weft_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
)

// A nil or empty map takes every array of the file, whatever its name.
func TestLoadFillsEmptyMaps(t *testing.T) {
	var file bytes.Buffer
	if err := weft.Save(&file, map[string]weft.Array{"w": weft.Of(1., 2), "b": weft.Scalar(3.)}); err != nil {
		t.Fatal(err)
	}
	read := func() *bytes.Reader { return bytes.NewReader(file.Bytes()) }
	type name string
	type params map[name]weft.Array
	made := map[string]weft.Array{}
	same := made
	if err := weft.Load(read(), &made); err != nil || !slices.Equal(slices.Sorted(maps.Keys(same)), []string{"b", "w"}) {
		t.Errorf("an empty map: %v, %v", same, err)
	}
	for _, p := range []params{nil, {}} {
		if err := weft.Load(read(), &p); err != nil || len(p) != 2 || !p["w"].Equal(weft.Of(1., 2)) {
			t.Errorf("a map of a name: %v, %v", p, err)
		}
	}
	// A map with arrays expects exactly these.
	some := map[string]weft.Array{"w": weft.Zeros(2)}
	if err := weft.Load(read(), &some); err == nil || !strings.Contains(err.Error(), `no place for "b"`) || len(some) != 1 {
		t.Errorf("got %v, %v", some, err)
	}
	empty := map[string]weft.Array{}
	if err := weft.Load(bytes.NewReader(file.Bytes()[:file.Len()-1]), &empty); err == nil || len(empty) != 0 {
		t.Errorf("half a file: %v, %v", empty, err)
	}
}

// The elements of a file begin at a multiple of eight bytes, with as few spaces before them as that needs.
func TestSaveAlignsElements(t *testing.T) {
	for n := 1; n <= 16; n++ {
		var file bytes.Buffer
		if err := weft.Save(&file, map[string]weft.Array{strings.Repeat("w", n): weft.Of(1., 2)}); err != nil {
			t.Fatal(err)
		}
		header := binary.LittleEndian.Uint64(file.Bytes())
		text := file.Bytes()[8 : 8+header]
		if spaces := len(text) - len(bytes.TrimRight(text, " ")); header%8 != 0 || spaces > 7 {
			t.Errorf("a name of %d letters: the header has %d bytes, %d of them spaces at its end", n, header, spaces)
		}
	}
}

// A header that claims to be long does not make Load allocate as much.
func TestLoadAllocation(t *testing.T) {
	file := append(binary.LittleEndian.AppendUint64(nil, 100<<20), "{}"...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all map[string]weft.Array
	if err := weft.Load(bytes.NewReader(file), &all); err == nil || !strings.Contains(err.Error(), "ends within its header") {
		t.Errorf("got %v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("reading ten bytes allocated %d", after.TotalAlloc-before.TotalAlloc)
	}
}

// What a file cannot hold is refused when it is written.
func TestSaveRoundTrip(t *testing.T) {
	x := weft.Ones(1)
	twice := map[string]any{"a.b": x, "a": map[string]any{"b": x}}
	saves := map[string]func(w io.Writer, tree any) error{"Save": weft.Save, "SaveNpz": weft.SaveNpz}
	for name, save := range saves {
		for what, c := range map[string]struct {
			tree any
			want string
		}{
			"two of one name": {twice, `two leaves, ["a"]["b"] and ["a.b"], are called "a.b" in the file`},
			"no tree":         {5, "an int contains no array; use weft.From"},
			"numbers":         {[]float64{1, 2}, "a []float64 contains no array; use weft.From"},
			"a function":      {func() {}, "contains no array"},
			"no UTF-8":        {map[string]weft.Array{"a\xff": x}, `a leaf is called "a\xff", which is not valid UTF-8`},
		} {
			var b bytes.Buffer
			if err := save(&b, c.tree); err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
				t.Errorf("%s of %s: %v, %d bytes", name, what, err, b.Len())
			}
		}
		if err := save(nil, x); err == nil || !strings.Contains(err.Error(), "the writer is nil") {
			t.Errorf("%s to no one: %v", name, err)
		}
	}
	if err := weft.SaveNpy(nil, x); err == nil || !strings.Contains(err.Error(), "the writer is nil") {
		t.Errorf("SaveNpy to no one: %v", err)
	}
	if err := weft.Save(&bytes.Buffer{}, map[string]weft.Array{"__metadata__": x}); err == nil || !strings.Contains(err.Error(), "keeps for itself") {
		t.Errorf("got %v", err)
	}
}

// Numbers without a value in the element type are refused, not converted.
func TestUnmarshalKeepsNumbers(t *testing.T) {
	for text, want := range map[string]string{
		`"i8","shape":[1],"data":[300]`:                   "element 0 is 300, which is no i8",
		`"u8","shape":[1],"data":[-1]`:                    "element 0 is -1, which is no u8",
		`"i32","shape":[2],"data":[1,1.5]`:                "element 1 is 1.5, which is no i32",
		`"i32","shape":[1],"data":["NaN"]`:                "no i32",
		`"u64","shape":[1],"data":[18446744073709551616]`: "no u64",
		`"i64","shape":[1],"data":[9223372036854775808]`:  "no i64",
		`"bool","shape":[1],"data":[2]`:                   "no bool",
		`"f32","shape":[1],"data":[true]`:                 "no f32",
		`"f32","shape":[1],"data":[[1,2]]`:                "no f32",
		`"f32","shape":[1],"data":[null]`:                 "element 0 is null, which is no f32",
		`"f32","shape":[1],"data":["x"]`:                  `element 0 is "x", which is no f32`,
	} {
		var x weft.Array
		if err := x.UnmarshalJSON([]byte(`{"dtype":` + text + `}`)); err == nil || !strings.Contains(err.Error(), want) || !x.IsZero() {
			t.Errorf("%s: got %v, %v", text, x, err)
		}
	}
	for text, want := range map[string]string{
		`"u64","shape":[2],"data":[18446744073709551615,0]`: "[18446744073709551615                    0]",
		`"i64","shape":[1],"data":[-9223372036854775808]`:   "[-9223372036854775808]",
		`"i32","shape":[2],"data":[1e3,2.0]`:                "[1000    2]",
		`"f16","shape":[2],"data":[0.1,"Inf"]`:              "[0.1 inf]",
		`"c64","shape":[2],"data":[1,[2,3]]`:                "[1.+0.j 2.+3.j]",
		`"i4","shape":[2],"data":[-8,7]`:                    "[-8  7]",
	} {
		var x weft.Array
		if err := x.UnmarshalJSON([]byte(`{"dtype":` + text + `}`)); err != nil || x.String() != want {
			t.Errorf("%s: got %v, %v, want %s", text, x, err, want)
		}
	}
	var x weft.Array
	if err := x.UnmarshalBinary([]byte("\x00junk")); err == nil {
		t.Error("junk is the zero Array")
	}
}

// A key is the array's name in the file, regardless of what characters it has.
func TestSaveKeepsOddNames(t *testing.T) {
	for _, save := range []func(w io.Writer, tree any) error{weft.Save, weft.SaveNpz} {
		odd := map[string]weft.Array{"\a\x00": weft.Of(1.), "é\u2028": weft.Of(2.), `"]\`: weft.Of(3.), "a<b": weft.Of(4.), "\U0001F600\n": weft.Of(5.)}
		var b bytes.Buffer
		if err := save(&b, odd); err != nil {
			t.Fatal(err)
		}
		var all map[string]weft.Array
		if err := weft.Load(&b, &all); err != nil {
			t.Fatal(err)
		}
		for k, x := range odd {
			if y, ok := all[k]; !ok || y.String() != x.String() {
				t.Errorf("%q is lost: %v", k, all)
			}
		}
	}
}

// An archive whose arrays could not be distinguished, or could not be written again, is refused.
func TestLoadRefusesNames(t *testing.T) {
	var one bytes.Buffer
	if err := weft.SaveNpy(&one, weft.Of(1.)); err != nil {
		t.Fatal(err)
	}
	for want, names := range map[string][]string{
		`two entries "a"`:               {"a.npy", "a.npy"},
		`"a\xff" is not named in UTF-8`: {"a\xff.npy"},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, n := range names {
			f, err := z.CreateHeader(&zip.FileHeader{Name: n, NonUTF8: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write(one.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		var all map[string]weft.Array
		if err := weft.Load(&b, &all); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v", names, all, err)
		}
	}
}

// Any byte but 0 is true, as in NumPy's files.
func TestLoadTruthValues(t *testing.T) {
	var b bytes.Buffer
	if err := weft.Save(&b, map[string]weft.Array{"x": weft.Of(false, true, true)}); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	file[len(file)-1] = 2
	var all map[string]weft.Array
	if err := weft.Load(&b, &all); err != nil || !all["x"].Equal(weft.Of(false, true, true)) || all["x"].AsType(weft.Int32).Sum().Int() != 2 {
		t.Errorf("got %v, %v", all, err)
	}
}

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
