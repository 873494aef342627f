package onnx_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/runtime"
)

// growing returns a decoder whose caches grow, and the results that testdata/decoder/export.py computed for a
// batch of two, whose second row begins with padding: for a prompt of 4 tokens, and for 12 steps.
func growing(t *testing.T) (*onnx.Model, map[string]weft.Array) {
	t.Helper()
	m, err := onnx.LoadFile("testdata/decoder/growing.onnx")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/decoder/steps.npz")
	if err != nil {
		t.Fatal(err)
	}
	s := map[string]weft.Array{}
	if err := weft.Load(bytes.NewReader(data), &s); err != nil {
		t.Fatal(err)
	}
	return m, s
}

// memory returns the address of an array's elements.
func memory(x weft.Array) *byte { return &x.Value().(*runtime.Array).Tensor().Data[0] }

// Caches that grow by concatenation have the results of ONNX Runtime in caches with room, where
// they are written in place.
func TestDecoder(t *testing.T) {
	m, s := growing(t)
	const room, prompt, tokens = 24, 4, 16
	d, err := m.Decoder(room)
	if err != nil {
		t.Fatal(err)
	}
	part := func(name string, from, to int) weft.Array { return lax.SliceInDim(s[name], from, to, 1, 1) }
	masked := func(n int) weft.Array { return weft.Concat(1, part("mask", 0, n), weft.ZerosOf(weft.Int64, 2, room-n)) }
	for _, jit := range []bool{false, true} {
		prefill, step := d.Prefill, d.Step
		if jit {
			prefill, step = weft.Jit(d.Prefill), weft.Jit(d.Step, weft.Donate(0))
		}
		check := func(at int, got weft.Array) {
			t.Helper()
			if want := s["logits"].Index(at - prompt); !weft.AllClose(got, want, 1e-5, 1e-6).Bool() {
				t.Fatalf("jit %v, %d tokens: got %v, want %v", jit, at, got, want)
			}
		}
		out, caches := prefill([]weft.Array{part("ids", 0, prompt), part("mask", 0, prompt), part("places", 0, prompt)})
		check(prompt, out[0].Index(weft.All, -1))
		for at := prompt; at < tokens; at++ {
			before := memory(caches[1])
			out, caches = step(caches, weft.Scalar(int64(at)), []weft.Array{part("ids", at, at+1), masked(at + 1), part("places", at, at+1)})
			if check(at+1, out[0].Index(weft.All, 0)); jit && memory(caches[1]) != before {
				t.Fatalf("%d tokens: the cache has moved", at+1)
			}
		}
		if got := lax.SliceInDim(caches[0], 0, tokens, 1, 2); !weft.AllClose(got, s["key"], 1e-5, 1e-6).Bool() {
			t.Errorf("jit %v: the first cache is %v, want %v", jit, got, s["key"])
		}
	}
	if d.Room() != room || len(d.Caches(3)) != 4 || !slices.Equal(d.Caches(3)[0].Shape(), []int{3, 4, room, 8}) {
		t.Errorf("got caches %v for %d", d.Caches(3), d.Room())
	}
}

// branched returns a decoder that adds the allowed rows of its cache and the positions. As in the merged files of
// Hugging Face's Optimum, the cache grows in one branch of an If only. Its numbers are small integers, so sums are exact.
func branched(t *testing.T) *onnx.Model {
	t.Helper()
	node := func(op string, in []string, out string, attrs ...*format.Attr) *format.Node {
		n := &format.Node{Op: op, Inputs: in, Outputs: []string{out}, Attrs: map[string]*format.Attr{}}
		for _, a := range attrs {
			n.Attrs[a.Name] = a
		}
		return n
	}
	branch := func(n ...*format.Node) *format.Attr {
		return &format.Attr{Type: format.AttrGraph, Graph: &format.Graph{Name: "branch", Nodes: n, Outputs: []*format.ValueInfo{floats(n[len(n)-1].Outputs[0])}}}
	}
	with := branch(node("Concat", []string{"past", "x"}, "longer", &format.Attr{Name: "axis", Type: format.AttrInt, Int: -2}), node("Identity", []string{"longer"}, "kept"))
	without := branch(node("Identity", []string{"x"}, "new"))
	with.Name, without.Name = "then_branch", "else_branch"
	batch, two := format.Dim{Size: -1, Name: "batch"}, format.Dim{Size: 2}
	open := func(name string) format.Dim { return format.Dim{Size: -1, Name: name} }
	use := &format.ValueInfo{Name: "use_cache", Type: &format.Type{Tensor: &format.TensorType{Elem: 9, Shape: []format.Dim{{Size: 1}}, Known: true}}}
	return built(t, &format.Graph{Name: "g",
		Inputs: []*format.ValueInfo{floats("x", batch, open("n"), two), floats("mask", batch, format.Dim{Size: 1}, open("all")), floats("places", batch, open("n"), two), floats("past", batch, open("past"), two), use},
		Nodes: []*format.Node{
			node("If", []string{"use_cache"}, "present", with, without),
			node("MatMul", []string{"mask", "present"}, "sums"),
			node("Add", []string{"sums", "places"}, "y"),
		},
		Outputs: []*format.ValueInfo{floats("y"), floats("present")}})
}

// A cache may grow within a branch.
func TestDecoderBranches(t *testing.T) {
	const room, prompt = 5, 2
	m := branched(t)
	x := weft.Arange(float32(1), 2*room*2+1).Reshape(2, room, 2)
	part := func(x weft.Array, from, to int) weft.Array { return lax.SliceInDim(x, from, to, 1, 1) }
	mask := func(n, of int) weft.Array { return weft.Concat(2, weft.Ones(2, 1, n), weft.Zeros(2, 1, of-n)) }
	bound, err := m.Bind(map[string]weft.Array{"use_cache": weft.FromSlice([]bool{true})})
	if err != nil {
		t.Fatal(err)
	}
	d, err := bound.Decoder(room)
	if err != nil {
		t.Fatal(err)
	}
	for _, jit := range []bool{false, true} {
		prefill, step := d.Prefill, d.Step
		if jit {
			prefill, step = weft.Jit(d.Prefill), weft.Jit(d.Step, weft.Donate(0))
		}
		_, caches := prefill([]weft.Array{part(x, 0, prompt), mask(prompt, prompt), part(x, 0, prompt)})
		for at := prompt; at < room; at++ {
			token := part(x, at, at+1)
			want, err := bound.Call(token, mask(at+1, at+1), token, part(x, 0, at))
			if err != nil {
				t.Fatal(err)
			}
			var out []weft.Array
			out, caches = step(caches, weft.Scalar(at), []weft.Array{token, mask(at+1, room), token})
			if !out[0].Equal(want[0]) || !part(caches[0], 0, at+1).Equal(want[1]) {
				t.Fatalf("jit %v, %d tokens: got %v and %v, want %v", jit, at+1, out[0], caches[0], want)
			}
		}
	}
	two := part(x, 0, 2)
	_, err = weft.Try(func() int { d.Step(d.Caches(2), weft.Scalar(0), []weft.Array{two, mask(2, room), two}); return 0 })
	if err == nil || !strings.Contains(err.Error(), "pass one token of each sequence") {
		t.Errorf("two tokens: got %v", err)
	}
	fixed, err := bound.Bind(map[string]weft.Array{"places": part(x, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fixed.Decoder(room); err == nil || !strings.Contains(err.Error(), "takes 2 inputs, so it derives positions") {
		t.Errorf("no positions: got %v", err)
	}
	if d, err = m.Decoder(room); err != nil {
		t.Fatal(err)
	}
	one := part(x, 0, 1)
	_, err = weft.Try(func() int {
		weft.Jit(d.Step)(d.Caches(2), weft.Scalar(0), []weft.Array{one, mask(1, room), one, weft.FromSlice([]bool{true})})
		return 0
	})
	if err == nil || !strings.Contains(err.Error(), "If") {
		t.Errorf("a branch that is chosen while it runs: got %v", err)
	}
}

// Nodes without inputs or outputs, which a file may contain, are not taken for those that let caches grow.
func TestDecoderOfDamagedGraph(t *testing.T) {
	axis := map[string]*format.Attr{"axis": {Name: "axis", Type: format.AttrInt}}
	past := floats("past", format.Dim{Size: -1, Name: "n"})
	for name, nodes := range map[string][]*format.Node{
		"an Identity without inputs":  {{Op: "Concat", Inputs: []string{"past", "x"}, Outputs: []string{"all"}, Attrs: axis}, {Op: "Identity", Outputs: []string{"y"}}},
		"an Identity without outputs": {{Op: "Concat", Inputs: []string{"past", "x"}, Outputs: []string{"y"}, Attrs: axis}, {Op: "Identity", Inputs: []string{"y"}}},
		"a Concat without outputs":    {{Op: "Concat", Inputs: []string{"past", "x"}, Attrs: axis}, {Op: "Identity", Inputs: []string{"x"}, Outputs: []string{"y"}}},
	} {
		m := built(t, &format.Graph{Name: "g", Nodes: nodes, Inputs: []*format.ValueInfo{floats("x"), past}, Outputs: []*format.ValueInfo{floats("y")}})
		if _, err := m.Decoder(4); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// Arguments and models that do not suit a decoder are refused.
func TestDecoderRefuses(t *testing.T) {
	m, _ := growing(t)
	refused := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	_, err := m.Decoder(1)
	refused("room for 1 token", err)
	d, err := m.Decoder(8)
	if err != nil {
		t.Fatal(err)
	}
	shorter, err := m.Decoder(7)
	if err != nil {
		t.Fatal(err)
	}
	one, zero := weft.OnesOf(weft.Int64, 1, 1), weft.Scalar(0)
	mask := weft.OnesOf(weft.Int64, 1, 8)
	for want, f := range map[string]func(){
		"the model has 4 caches (got 1)":          func() { d.Step(d.Caches(1)[:1], zero, []weft.Array{one, mask, one}) },
		"the length is 8, want 0 to 7":            func() { d.Step(d.Caches(1), weft.Scalar(8), []weft.Array{one, mask, one}) },
		"the length is -1, want 0 to 7":           func() { d.Step(d.Caches(1), weft.Scalar(-1), []weft.Array{one, mask, one}) },
		"the length is no integer":                func() { d.Step(d.Caches(1), weft.Scalar(1.), []weft.Array{one, mask, one}) },
		"no input has an axis of 8":               func() { d.Step(d.Caches(1), zero, []weft.Array{one, one, one}) },
		"the model takes 3 inputs without the":    func() { d.Step(d.Caches(1), zero, []weft.Array{one, mask}) },
		"cache 0 has no room for 8":               func() { d.Step(shorter.Caches(1), zero, []weft.Array{one, mask, one}) },
		"there are 8 tokens and room for 8":       func() { d.Prefill([]weft.Array{mask, mask, mask}) },
		"the first input has no axis of sequence": func() { d.Prefill(nil) },
	} {
		_, err := weft.Try(func() int { f(); return 0 })
		refused(want, err)
	}
	fixed, err := onnx.LoadFile("../examples/generate/decoder.onnx")
	if err != nil {
		t.Fatal(err)
	}
	_, err = fixed.Decoder(8)
	refused("if caches keep their size", err)
}
