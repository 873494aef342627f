package equinox_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	_ "github.com/weft-go/weft/equinox"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// program returns the function of a program's text, which must print as it is.
func program(t *testing.T, text string) func(in []weft.Array) []weft.Array {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err == nil {
		err = jaxpr.Check(j)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if got := j.String(); got != text {
		t.Fatalf("got\n%s\nwant\n%s", got, text)
	}
	return func(in []weft.Array) []weft.Array {
		args := make([]core.Value, len(in))
		for i, a := range in {
			args[i] = a.Value()
		}
		var out []weft.Array
		for _, v := range jaxpr.Eval(j, nil, args) {
			out = append(out, weft.FromValue(v))
		}
		return out
	}
}

func show(as []weft.Array) string {
	var s []string
	for _, a := range as {
		s = append(s, strings.Join(strings.Fields(fmt.Sprint(a)), " "))
	}
	text := strings.ReplaceAll(strings.ToLower(strings.Join(s, " ")), "[ ", "[")
	return wholeNumber.ReplaceAllString(text, "$1.0$2")
}

var wholeNumber = regexp.MustCompile(`(\d)\.([\] ])`)

// try returns the error with which f panics.
func try(f func()) error { return core.Catch(f) }

func f32(v ...float32) weft.Array { return weft.Of(v...) }

// The marks of batches have an effect only within Vmap.
func TestBatchMarks(t *testing.T) {
	f := program(t, "{ lambda ; a:bool[] b:i32[] c:f32[] d:f32[]. let\n    e:bool[] = unvmap_any a\n    f:bool[] = unvmap_all a\n    g:i32[] = unvmap_max b\n"+
		"    h:f32[] = select_if_vmap a c d\n  in (e, f, g, h) }")
	no := weft.Of(false).Reshape()
	if got := show(f([]weft.Array{no, weft.Scalar(int32(3)), weft.Scalar(float32(1)), weft.Scalar(float32(2))})); got != "false false 3 1.0" {
		t.Errorf("outside: got %s", got)
	}
	in := []weft.Array{weft.Of(true, false), weft.Of[int32](3, 7), f32(1, 2), f32(3, 4)}
	if got := show(weft.Vmap(f)(in)); got != "[true true] [false false] [7 7] [1.0 4.0]" {
		t.Errorf("within Vmap: got %s", got)
	}
	x := func(x weft.Array) weft.Array {
		return f([]weft.Array{no, weft.Scalar(int32(3)), x, x.Mul(x)})[3]
	}
	if got := weft.Grad(x)(weft.Scalar(float32(3))).Float(); got != 1 {
		t.Errorf("derivative outside: %v, want 1", got)
	}
	pred := func(p, x weft.Array) weft.Array {
		return f([]weft.Array{p, weft.Scalar(int32(3)), x, x.Mul(x)})[3]
	}
	total := func(x weft.Array) weft.Array {
		return weft.Vmap(func(in []weft.Array) weft.Array { return pred(in[0], in[1]) })([]weft.Array{weft.Of(true, false), x}).Sum()
	}
	if got := show([]weft.Array{weft.Grad(total)(f32(3, 4))}); got != "[1.0 8.0]" {
		t.Errorf("derivative within Vmap: %s", got)
	}
}

const setText = "{ lambda ; a:bool[] b:f32[3,2] c:f32[2] d:i32[]. let\n    e:f32[3,2] = maybe_set[\n      i_static=None\n      i_treedef=PyTreeDef(*)\n      kwargs=()\n" +
	"      makes_false_steps=%s\n    ] a b c d\n  in (e,) }"

// A buffer is written where the index is inside of it; pred counts within Vmap, or where steps may be
// false.
func TestMaybeSet(t *testing.T) {
	yes, no := weft.Of(true).Reshape(), weft.Of(false).Reshape()
	buffer, row := f32(0, 1, 2, 3, 4, 5).Reshape(3, 2), f32(8, 9)
	for _, c := range []struct {
		steps string
		pred  weft.Array
		at    int32
		want  string
	}{
		{"False", yes, 1, "[[0.0 1.0] [8.0 9.0] [4.0 5.0]]"},
		{"False", yes, -1, "[[0.0 1.0] [2.0 3.0] [8.0 9.0]]"},
		{"False", yes, 3, "[[0.0 1.0] [2.0 3.0] [4.0 5.0]]"},
		{"False", yes, -4, "[[0.0 1.0] [2.0 3.0] [4.0 5.0]]"},
		{"False", no, 1, "[[0.0 1.0] [8.0 9.0] [4.0 5.0]]"},
		{"True", no, 1, "[[0.0 1.0] [2.0 3.0] [4.0 5.0]]"},
	} {
		f := program(t, fmt.Sprintf(setText, c.steps))
		if got := show(f([]weft.Array{c.pred, buffer, row, weft.Scalar(c.at)})); got != c.want {
			t.Errorf("%s, %v, %d: got %s, want %s", c.steps, c.pred, c.at, got, c.want)
		}
	}
	f := program(t, fmt.Sprintf(setText, "False"))
	each := func(in []weft.Array) weft.Array { return f([]weft.Array{in[0], buffer, in[1], in[2]})[0] }
	in := []weft.Array{weft.Of(true, false), f32(6, 7, 8, 9).Reshape(2, 2), weft.Of[int32](0, 2)}
	if got, want := show([]weft.Array{weft.Vmap(each)(in)}), "[[[6.0 7.0] [2.0 3.0] [4.0 5.0]] [[0.0 1.0] [2.0 3.0] [4.0 5.0]]]"; got != want {
		t.Errorf("within Vmap: got %s, want %s", got, want)
	}
	// The buffer gets all cotangents, a row the cotangents at its position, and a row that is not written gets zeros.
	weights := f32(1, 2, 3, 4, 5, 6).Reshape(3, 2)
	loss := func(p []weft.Array) weft.Array {
		return weft.Vmap(func(in []weft.Array) weft.Array {
			return f([]weft.Array{in[0], p[0], in[1], in[2]})[0].Mul(weights).Sum()
		})([]weft.Array{in[0], p[1], in[2]}).Sum()
	}
	if got, want := show(weft.Grad(loss)([]weft.Array{buffer, in[1]})), "[[2.0 4.0] [6.0 8.0] [10.0 12.0]] [[1.0 2.0] [0.0 0.0]]"; got != want {
		t.Errorf("gradient within Vmap: got %s, want %s", got, want)
	}
}

// Indices along several axes, whole axes and narrow integers.
func TestMaybeSetIndices(t *testing.T) {
	for _, c := range []struct{ static, tree, index, want string }{
		{"(None, None)", "(*, *)", "c:f32[] d:i8[] e:u32[]", "[[0.0 1.0] [2.0 9.0] [4.0 5.0]]"},
		{"(Ellipsis, None)", "(None, *)", "c:f32[3] d:i8[]", "[[0.0 9.0] [2.0 9.0] [4.0 9.0]]"},
		{"(2, _HashableSlice(start=None, stop=None, step=None))", "(None, None)", "c:f32[2]", "[[0.0 1.0] [2.0 3.0] [9.0 9.0]]"},
	} {
		names := []string{"a", "b"}
		for _, b := range strings.Fields(c.index) {
			names = append(names, b[:1])
		}
		out := string(rune('a' + len(names)))
		f := program(t, "{ lambda ; a:bool[] b:f32[3,2] "+c.index+". let\n    "+out+":f32[3,2] = maybe_set[\n      i_static="+c.static+"\n      i_treedef=PyTreeDef("+c.tree+
			")\n      kwargs=()\n      makes_false_steps=False\n    ] "+strings.Join(names, " ")+"\n  in ("+out+",) }")
		in := []weft.Array{weft.Of(true).Reshape(), f32(0, 1, 2, 3, 4, 5).Reshape(3, 2)}
		for _, b := range strings.Fields(c.index) {
			switch b[2:] {
			case "i8[]":
				in = append(in, weft.Scalar(int8(1)))
			case "u32[]":
				in = append(in, weft.Scalar(uint32(1)))
			case "f32[]":
				in = append(in, weft.Scalar(float32(9)))
			case "f32[2]":
				in = append(in, f32(9, 9))
			default:
				in = append(in, f32(9, 9, 9))
			}
		}
		if got := show(f(in)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.static, got, c.want)
		}
	}
}

// A batch prints as vprim, reads back, and is batched and differentiated itself.
func TestBatchedPrimitives(t *testing.T) {
	j, err := jaxpr.Parse(fmt.Sprintf(setText, "False"), prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	one := transforms.VmapProgram(j, []int{0, transforms.Unmapped, 0, 0}, []int{0}, 2)
	two := transforms.VmapProgram(one, []int{0, 0, 0, transforms.Unmapped}, []int{0}, 3)
	for _, p := range []*jaxpr.Jaxpr{one, two, transforms.JVPProgram(one), transforms.VJPProgram(one)} {
		text := p.String()
		again, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := again.String(); got != text {
			t.Errorf("got\n%s\nwant\n%s", got, text)
		}
	}
	if !strings.Contains(two.String(), "prim=vprim") {
		t.Errorf("no batch of a batch in\n%v", two)
	}
	rows := func(n int) weft.Array { return weft.Iota(weft.Float32, 0, n) }
	pred := weft.Of(true, false, true, true, false, true).Reshape(3, 2)
	buffers, elements := rows(18).Reshape(3, 3, 2), rows(12).Reshape(3, 2, 2).Add(float32(100))
	at := weft.Of[int32](2, 0)
	got := evaluate(two, pred, buffers, elements, at)[0]
	f := program(t, fmt.Sprintf(setText, "True"))
	for i := range 3 {
		for k := range 2 {
			want := f([]weft.Array{pred.Index(i, k), buffers.Index(i), elements.Index(i, k), at.Index(k)})[0]
			if !got.Index(i, k).Equal(want) {
				t.Errorf("example %d, %d: got %v, want %v", i, k, got.Index(i, k), want)
			}
		}
	}
}

func evaluate(j *jaxpr.Jaxpr, in ...weft.Array) []weft.Array {
	args := make([]core.Value, len(in))
	for i, a := range in {
		args[i] = a.Value()
	}
	var out []weft.Array
	for _, v := range jaxpr.Eval(j, nil, args) {
		out = append(out, weft.FromValue(v))
	}
	return out
}

// Words that refuse a transformation refuse it with the message in their parameters.
func TestRefusals(t *testing.T) {
	const msg = "this cannot be done here. It is, e.g., wrong."
	back := program(t, "{ lambda ; a:f32[]. let\n    b:f32[] = nondifferentiable_backward[\n      msg="+msg+"\n      symbolic=True\n    ] a\n  in (b,) }")
	f := func(x weft.Array) weft.Array { return back([]weft.Array{x})[0] }
	if _, dy := weft.JVP(f, weft.Scalar(float32(2)), weft.Scalar(float32(3))); dy.Float() != 3 {
		t.Errorf("tangent %v, want 3", dy)
	}
	constant := program(t, "{ lambda ; a:i32[]. let\n    b:i32[] = nonbatchable[\n      allow_constant_across_batch=True\n      msg="+msg+"\n    ] a\n  in (b,) }")
	if got := show(weft.Vmap(constant)([]weft.Array{weft.Of[int32](5, 5)})); got != "[5 5]" {
		t.Errorf("a constant: got %s", got)
	}
	never := program(t, "{ lambda ; a:i32[]. let\n    b:i32[] = nonbatchable[\n      allow_constant_across_batch=False\n      msg="+msg+"\n    ] a\n  in (b,) }")
	traced := program(t, "{ lambda ; a:f32[]. let b:f32[] = nontraceable[name=the thing] a in (b,) }")
	for name, c := range map[string]struct {
		run  func()
		want string
	}{
		"reverse": {func() { weft.Grad(f)(weft.Scalar(float32(2))) }, msg},
		"batch":   {func() { weft.Vmap(never)([]weft.Array{weft.Of[int32](5, 5)}) }, msg},
		"traced":  {func() { weft.Vmap(traced)([]weft.Array{f32(1, 2)}) }, "detected batching of the thing"},
		"differentiated": {func() {
			weft.Grad(func(x weft.Array) weft.Array { return traced([]weft.Array{x})[0] })(weft.Scalar(float32(2)))
		}, "detected differentiation of the thing"},
	} {
		if err := try(c.run); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	for _, text := range []string{
		"{ lambda ; a:f32[]. let b:bool[] = unvmap_any a in (b,) }",
		"{ lambda ; a:bool[2] b:f32[2]. let c:f32[2] = select_if_vmap a b b in (c,) }",
		"{ lambda ; a:bool[] b:f32[2] c:f32[3]. let d:f32[2] = select_if_vmap a b c in (d,) }",
		strings.Replace(fmt.Sprintf(setText, "False"), "d:i32[]", "d:f32[]", 1),
		strings.Replace(fmt.Sprintf(setText, "False"), "c:f32[2]", "c:f32[3]", 1),
	} {
		if j, err := jaxpr.Parse(text, prim.Vocabulary); err == nil {
			t.Errorf("%s: reads as\n%v", text, j)
		}
	}
}

// A word that is registered already, or has no function, cannot be registered.
func TestRegisterTwice(t *testing.T) {
	read := func(*jaxpr.ParamReader) core.Primitive { return nil }
	for _, word := range []string{"unvmap_any", "jit"} {
		if err := try(func() { jaxpr.Register(jaxpr.Vocabulary{word: read}) }); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", word, err)
		}
	}
	if err := try(func() { jaxpr.Register(jaxpr.Vocabulary{"nil_word": nil}) }); err == nil {
		t.Error("a word without a function was registered")
	}
	if jaxpr.Registered("nil_word") != nil || jaxpr.Registered("maybe_set") == nil {
		t.Error("what is registered differs")
	}
}
