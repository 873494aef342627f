package weft_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/npy"
	"github.com/weft-go/weft/random"
)

// TestSaveNameTags checks that a field's tag names its array in files, and only there.
func TestSaveNameTags(t *testing.T) {
	type layer struct {
		W weft.Array `weft:"name=weight"`
		B weft.Array `weft:"frozen,name=bias"`
	}
	type model struct {
		Layers []layer `weft:"name=h"`
	}
	m := model{[]layer{{weft.Of(1., 2), weft.Of(3.)}}}
	for name, save := range map[string]func(*bytes.Buffer) error{
		"Save":    func(b *bytes.Buffer) error { return weft.Save(b, m) },
		"SaveNpz": func(b *bytes.Buffer) error { return weft.SaveNpz(b, m) },
	} {
		var b bytes.Buffer
		if err := save(&b); err != nil {
			t.Fatal(err)
		}
		var all map[string]weft.Array
		if err := weft.Load(bytes.NewReader(b.Bytes()), &all); err != nil || all["h.0.weight"].IsZero() || all["h.0.bias"].IsZero() || len(all) != 2 {
			t.Errorf("%s: got %v, %v", name, all, err)
		}
		got := model{make([]layer, 1)}
		if err := weft.Load(&b, &got); err != nil || !got.Layers[0].W.Equal(m.Layers[0].W) || !got.Layers[0].B.Equal(m.Layers[0].B) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	for path := range weft.TreeLeaves(m) {
		if !slices.Contains([]string{".Layers[0].W", ".Layers[0].B"}, path) {
			t.Errorf("path: got %s", path)
		}
	}
	g := weft.Grad(func(m model) weft.Array { return m.Layers[0].W.Mul(m.Layers[0].B).Sum() })(m)
	if g.Layers[0].B.DType() != weft.Float0 {
		t.Errorf("a tag of two parts: got %v, want float0", g.Layers[0].B.DType())
	}
	type wrong struct {
		W weft.Array `weft:"name="`
	}
	err := weft.Save(&bytes.Buffer{}, wrong{weft.Of(1.)})
	if err == nil || !strings.Contains(err.Error(), `want "frozen", "name=…" or both`) {
		t.Errorf("an empty name: got %v", err)
	}
}

// TestSaveKeys checks that keys are read back as keys, alone, in arrays and into maps.
func TestSaveKeys(t *testing.T) {
	type state struct {
		Key  random.Key
		Many random.Key
		W    weft.Array
	}
	s := state{random.New(7), random.New(8).SplitN(3), weft.Of(1.)}
	var b bytes.Buffer
	if err := weft.Save(&b, s); err != nil {
		t.Fatal(err)
	}
	var all map[string]weft.Array
	if err := weft.Load(bytes.NewReader(b.Bytes()), &all); err != nil || !all["Key.Data"].DType().IsKey() {
		t.Errorf("into a map: got %v, %v", all, err)
	}
	var npz bytes.Buffer
	if err := weft.SaveNpz(&npz, s); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"safetensors": b.Bytes(), "npz": npz.Bytes()} {
		got := state{random.New(0), random.New(0).SplitN(3), weft.Of(0.)}
		if err := weft.Load(bytes.NewReader(file), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !random.Normal(got.Key, 3).Equal(random.Normal(s.Key, 3)) || !random.Normal(got.Many.At(2), 3).Equal(random.Normal(s.Many.At(2), 3)) {
			t.Errorf("%s: the keys draw other numbers", name)
		}
	}
}

// TestLoadNestedNilMaps checks that maps within a tree take what is there under their names.
func TestLoadNestedNilMaps(t *testing.T) {
	type layer struct{ W weft.Array }
	type model struct {
		Params map[string]weft.Array
		Layers map[string]layer
		Steps  map[int]weft.Array
		None   map[string]weft.Array
	}
	m := model{
		map[string]weft.Array{"a": weft.Of(1.), "b.c": weft.Of(2.)},
		map[string]layer{"x": {weft.Of(3.)}},
		map[int]weft.Array{-2: weft.Of(4.), 10: weft.Of(5.)},
		nil,
	}
	var b bytes.Buffer
	if err := weft.Save(&b, m); err != nil {
		t.Fatal(err)
	}
	var got model
	if err := weft.Load(bytes.NewReader(b.Bytes()), &got); err != nil {
		t.Fatal(err)
	}
	if !got.Params["b.c"].Equal(weft.Of(2.)) || !got.Layers["x"].W.Equal(weft.Of(3.)) || !got.Steps[-2].Equal(weft.Of(4.)) || len(got.Steps) != 2 || got.None != nil {
		t.Errorf("got %+v", got)
	}
	// Where something else is missing, nothing is changed.
	more := struct {
		model
		Other weft.Array
	}{}
	if err := weft.Load(bytes.NewReader(b.Bytes()), &more); err == nil || more.Params != nil {
		t.Errorf("got %v, %v", more.Params, err)
	}
}

// TestIntegerKeyedMaps checks that the order of keys is that of the numbers.
func TestIntegerKeyedMaps(t *testing.T) {
	m := map[int]weft.Array{10: weft.Of(3.), 2: weft.Of(2.), -1: weft.Of(1.)}
	var paths []string
	for path := range weft.TreeLeaves(m) {
		paths = append(paths, path)
	}
	if want := []string{"[-1]", "[2]", "[10]"}; !slices.Equal(paths, want) {
		t.Errorf("paths: got %v, want %v", paths, want)
	}
	flat, back := weft.Ravel(m)
	if !flat.Equal(weft.Of(1., 2, 3)) || !back(flat)[10].Equal(weft.Of(3.)) {
		t.Errorf("Ravel: got %v", flat)
	}
	f := weft.Jit(weft.Grad(func(m map[int]weft.Array) weft.Array { return m[2].Mul(m[10]).Sum() }))
	if g := f(m); !g[2].Equal(weft.Of(3.)) || !g[-1].Equal(weft.Of(0.)) {
		t.Errorf("Grad: got %v", g)
	}
	if y := weft.Vmap(func(m map[int]weft.Array) weft.Array { return m[2].Add(m[10]) })(m); !y.Equal(weft.Of(5.)) {
		t.Errorf("Vmap: got %v", y)
	}
}

// TestLoadRefusesTrailingBytes checks both formats that end with the last array.
func TestLoadRefusesTrailingBytes(t *testing.T) {
	var safe, npy bytes.Buffer
	if err := weft.Save(&safe, weft.Of(1., 2)); err != nil {
		t.Fatal(err)
	}
	if err := weft.SaveNpy(&npy, weft.Of(1., 2)); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*bytes.Buffer{"safetensors": &safe, "npy": &npy} {
		b.WriteByte(0)
		var x weft.Array
		if err := weft.Load(b, &x); err == nil || !strings.Contains(err.Error(), "bytes follow the last array") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestLoadSkipsUnreadableEntries reads an archive that contains Python objects and a text file.
func TestLoadSkipsUnreadableEntries(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, content []byte) {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	var one bytes.Buffer
	if err := weft.SaveNpy(&one, weft.Of(1., 2)); err != nil {
		t.Fatal(err)
	}
	add("x.npy", one.Bytes())
	header := "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }"
	header += strings.Repeat(" ", 118-len(header)-1) + "\n"
	add("objects.npy", append([]byte("\x93NUMPY\x01\x00\x76\x00"), header...))
	add("README.txt", []byte("no array"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	old := slog.Default()
	defer slog.SetDefault(old)
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	var all map[string]weft.Array
	if err := weft.Load(bytes.NewReader(b.Bytes()), &all); err != nil || len(all) != 1 || !all["x"].Equal(weft.Of(1., 2)) {
		t.Errorf("got %v, %v", all, err)
	}
	for _, name := range []string{"objects", "README.txt"} {
		if !strings.Contains(log.String(), name) {
			t.Errorf("the log does not name %s:\n%s", name, &log)
		}
	}
	var need struct {
		X weft.Array `weft:"name=x"`
		O weft.Array `weft:"name=objects"`
	}
	if err := weft.Load(bytes.NewReader(b.Bytes()), &need); err == nil || !strings.Contains(err.Error(), `"objects" cannot be read: elements of this type are not supported`) {
		t.Errorf("a needed entry: got %v", err)
	}
}

// TestFilesOfPythonObjects reads an archive that NumPy wrote with an array of objects.
func TestFilesOfPythonObjects(t *testing.T) {
	f, err := os.Open("testdata/numpy_objects.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all map[string]weft.Array
	if err := weft.Load(f, &all); err != nil || len(all) != 1 || !all["x"].Equal(weft.Arange(3.)) {
		t.Errorf("got %v, %v", all, err)
	}
}

// TestUnmarshalNestedLists reads arrays as other programs write them.
func TestUnmarshalNestedLists(t *testing.T) {
	for text, want := range map[string]weft.Array{
		`[[1, 2], [3, 4]]`:     weft.Of(1, 2, 3, 4).Reshape(2, 2),
		`[1, 2.5]`:             weft.Of(1, 2.5),
		`3`:                    weft.FromSlice([]int32{3}).Reshape(),
		`[true, false]`:        weft.Of(true, false),
		`[]`:                   weft.Zeros(0),
		`[[], []]`:             weft.Zeros(2, 0),
		` [ 5000000000 , 1 ] `: weft.FromSlice([]int64{5000000000, 1}),
		`[1e3]`:                weft.Of(1000.),
	} {
		var got weft.Array
		if err := json.Unmarshal([]byte(text), &got); err != nil || !got.Equal(want) || got.DType() != want.DType() || got.Weak() {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`[[1, 2], [3]]`:   "ragged",
		`[1, [2]]`:        "ragged",
		`[1, true]`:       "truth values and numbers",
		`["a"]`:           "neither a number",
		`[1, null]`:       "neither a number",
		`[1e999]`:         "too large",
		`[99999999999e9]`: "",
	} {
		var got weft.Array
		if err := json.Unmarshal([]byte(text), &got); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want an error with %q", text, err, want)
		}
	}
	var request struct{ X weft.Array }
	if err := json.Unmarshal([]byte(`{"X": [[0.5]]}`), &request); err != nil || request.X.Rank() != 2 {
		t.Errorf("in a struct: got %v, %v", request.X, err)
	}
}

// TestFloat0Leaves checks that leaves of frozen fields and integers pass through trees' functions.
func TestFloat0Leaves(t *testing.T) {
	type params struct {
		W     weft.Array
		Fixed weft.Array `weft:"frozen"`
		N     weft.Array
	}
	p := params{weft.Ones(2, 3), weft.Ones(2, 2), weft.Of(1, 2)}
	g := weft.Grad(func(p params) weft.Array { return p.W.Mul(p.Fixed.Sum()).Mul(p.N.Sum()).Sum() })(p)
	if g.Fixed.DType() != weft.Float0 || g.N.DType() != weft.Float0 {
		t.Fatalf("got %+v", g)
	}
	mean := weft.TreeMap(func(x weft.Array) weft.Array { return x.Mean(0) }, g)
	if !mean.W.Equal(weft.Full(weft.Shape{3}, 12.)) || mean.Fixed.DType() != weft.Float0 {
		t.Errorf("TreeMap: got %+v", mean)
	}
	flat, back := weft.Ravel(g)
	if flat.Size() != 6 {
		t.Errorf("Ravel: got %v", flat)
	}
	if again := back(flat.Mul(2)); !again.W.Equal(g.W.Mul(2)) || again.N.DType() != weft.Float0 {
		t.Errorf("back: got %+v", again)
	}
	for name, save := range map[string]func(*bytes.Buffer) error{
		"Save":    func(b *bytes.Buffer) error { return weft.Save(b, g) },
		"SaveNpz": func(b *bytes.Buffer) error { return weft.SaveNpz(b, g) },
	} {
		var b bytes.Buffer
		if err := save(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := weft.TreeMap(func(x weft.Array) weft.Array { return x.Mul(0) }, g)
		if err := weft.Load(&b, &got); err != nil || !got.W.Equal(g.W) || got.Fixed.DType() != weft.Float0 {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	text, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var got params
	if err := json.Unmarshal(text, &got); err != nil || got.Fixed.DType() != weft.Float0 || !slices.Equal(got.Fixed.Shape(), []int{2, 2}) {
		t.Errorf("JSON: got %+v, %v", got, err)
	}
	if s := weft.TreeStack(g, g); s.W.Dim(0) != 2 || !slices.Equal(s.N.Shape(), []int{2, 2}) || s.N.DType() != weft.Float0 {
		t.Errorf("TreeStack: got %+v", s)
	}
	if i := weft.TreeIndex(weft.TreeStack(g, g), 0); !i.W.Equal(g.W) || i.N.DType() != weft.Float0 || i.N.Rank() != 1 {
		t.Errorf("TreeIndex: got %+v", i)
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
