package weft_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

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
	// Another program's file.
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
