package mistakes_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// Errors state what is true of the case, and a fix that exists.
func TestErrorAdvice(t *testing.T) {
	type A = weft.Array
	type params struct {
		W, B A
		Name string
	}
	x, n := weft.Of(1., 2, 3), weft.Of(1, 2, 3)
	k := random.New(1)
	file := func(save func(b *bytes.Buffer) error) *bytes.Buffer {
		var b bytes.Buffer
		if err := save(&b); err != nil {
			t.Fatal(err)
		}
		return &b
	}
	two := file(func(b *bytes.Buffer) error { return weft.SaveNpz(b, map[string]A{"a": x, "b": x}) })
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	over := func(axes any) func() {
		return func() {
			weft.Vmap(func(p params) A { return p.W.Add(p.B) }, weft.In(axes))(params{W: x, B: x})
		}
	}
	for _, c := range []struct {
		f    func()
		want string
	}{
		// Indices outside.
		{func() { x.Index(5) }, "index 5 is out of range for axis 0 of f32[3], which has 3 elements; index with an Array that has an axis or is an argument, which outside reads the nearest element"},
		{func() { x.At(5).Get() }, "which outside reads the nearest element"},
		{func() { x.At(5).Set(1) }, "which has 3 elements; index with an Array that has an axis or is an argument, which outside writes nothing"},
		{func() { x.At(-4).Add(1) }, "which outside writes nothing"},
		{func() { weft.Of(1.).Index(1) }, "which has 1 element; "},
		// Numbers that do not go into an array.
		{func() { n.At(0).Set(1.5) }, "At.Set: the number 1.5 of f32 does not go into an array of i32; convert the array with AsType, or give an int"},
		{func() { x.At(0).Set(1i) }, "of c64 does not go into an array of f32; convert the array with AsType, or give a float64"},
		{func() { n.Gt(0).At(0).Set(1) }, "At.Set: the number 1 of i32 does not go into an array of bool; convert the array with AsType, or give true or false"},
		{func() { n.At(0).Set(int64(1)) }, "the number 1 of i64 does not go into an array of i32; "},
		{func() { n.At(0).Set(x.Index(0)) }, "f32[] does not go into an array of i32; convert one of them with AsType"},
		// Keys.
		{func() { k.Data.AsType(weft.Uint32) }, "AsType: key<fry>[] is a key of random numbers and no number itself; take its words, k.Words(), of which random.Wrap makes the key again"},
		{func() { weft.Of(1).AsType(k.Data.DType()) }, "make one with random.New"},
		// Files.
		{func() { var y A; must(weft.Load(strings.NewReader("1,2,3\n4,5,6\n"), &y)) }, `Load: the file begins with "1,2,3\n4,", as neither safetensors nor .npz nor .npy do; read`},
		{func() { var y A; must(weft.Load(bytes.NewReader(two.Bytes()), &y)) }, `the file does not hold one array alone but "a", "b"; load into a map[string]weft.Array, or into a struct with such fields`},
		{func() { var y []float64; must(weft.Load(bytes.NewReader(two.Bytes()), &y)) }, `a []float64 contains no array; pass a pointer to an Array`},
		{func() {
			y := struct{ A weft.Array }{}
			must(weft.Load(bytes.NewReader(two.Bytes()), &y))
		}, `the file has no array "A" (it has "a", "b")`},
		{func() {
			y := map[string]A{"a": {}}
			must(weft.Load(bytes.NewReader(two.Bytes()), &y))
		}, `the tree has no place for "b"; load into a map[string]weft.Array to get all`},
		// Axes of trees.
		{over(weft.Axes{"w": 0}), `has no field w with leaves, which its specification map[w:0] names; name what is there: W, B`},
		{over(weft.Axes{"W": 0, "B": 0, "Name": 0}), `name what is there: W, B`},
		{over(weft.Axes{"W": 0}), `does not mention the field B; name it, too`},
		{over(nil), "an axis cannot be nil; give an int"},
		{over("W"), "an axis cannot be a string; give an int"},
		{func() { weft.Vmap(weft.Sin, weft.AxisName("i\x00j")) }, `an axis cannot be named "i\x00j", since printed programs`},
		{func() { weft.Vmap(weft.Sin, weft.AxisName("batch axis")) }, `use letters and digits, without blanks`},
		{func() {
			weft.Vmap(func(p map[string]A) A { return p["W"] }, weft.In(weft.Axes{"w": 0}))(map[string]A{"W": x, "B": x})
		}, `has no key "w", which its specification map[w:0] names; name what is there: "B", "W"`},
		// Losses and choices in their own names.
		{func() { nn.CrossEntropy(weft.Ones(2, 3), n) }, "CrossEntropy: axis 0 of the labels and of the logits differ (got i32[3] and f32[2,3]: 3 labels and 2 rows); make them equal"},
		{func() { weft.Select([]A{n.Gt(1)}, []A{weft.Ones(2)}, 0) }, "Select: the shapes of "},
		{func() { weft.Select([]A{n.Gt(1)}, nil, 0) }, "Select: got 1 condition and 0 cases; give each condition a case"},
		{func() { weft.TreeStack(params{W: x, B: x}, params{W: x, B: weft.Ones(2)}) }, `TreeStack: tree 0 has f32[3] and tree 1 has f32[2] at ".B"; give all one shape`},
		// One and many.
		{func() { x.Index(0, 0) }, "f32[3] has 1 axis, the index names 2"},
		{func() { x.Sum(1) }, "which has 1 axis; "},
		{func() { weft.FromSlice([]float64{1}, 2) }, "1 element cannot fill the shape (2,)"},
		{func() { weft.Ones(1).Reshape(2) }, "f32[1] has 1 element, "},
		{func() { weft.Vmap(weft.Sin, weft.In(0, 0)) }, "In has axes for 2 arguments, the function has 1;"},
		{func() {
			weft.Vmap(func(x A, n int) A { return x }, weft.In(0, 0))(weft.Ones(3), 2)
		}, "argument 1 is static and has no axis to map over (got 0 in In); give it None"},
		{func() {
			weft.Vmap(func(x A) (A, int) { return x, 2 }, weft.Out(0, 0))(weft.Ones(3))
		}, "result 1 is static and has no axis (got 0 in Out); give it None"},
		{func() { weft.Vmap(weft.Add[A, A], weft.In(0)) }, "In has axes for 1 argument, the function has 2;"},
		{func() { _, err := weft.Compile(weft.Sin); must(err) }, "takes 1 argument, got 0"},
		{func() { weft.Einsum("ij->i", x) }, "names 2 axes, its operand f32[3] has 1"},
		{func() { weft.Einsum("i,i->", x, weft.Ones(1, 1)) }, "names 1 axis, "},
		{func() { x.Index(1.5) }, "a float64 is no index"},
		{func() { x.Index(struct{}{}) }, "a struct {} is no index"},
	} {
		_, err := weft.Try(func() int { c.f(); return 0 })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nholds no %q", err, c.want)
		}
	}
}

// What outside of an array is read and written is what the errors state.
func TestErrorsOfIndicesOutOfRange(t *testing.T) {
	x := weft.Of(1., 2, 3)
	if got := x.Index(weft.Of(5)); !got.Equal(weft.Of(3.)) {
		t.Errorf("read %v", got)
	}
	if got := x.At(weft.Of(5)).Set(7); !got.Equal(x) {
		t.Errorf("written %v", got)
	}
	at := weft.Jit(func(i weft.Array) (weft.Array, weft.Array) { return x.Index(i), x.At(i).Set(7) })
	if got, put := at(weft.Scalar(int32(5))); !got.Equal(weft.Scalar(float32(3))) || !put.Equal(x) {
		t.Errorf("under Jit %v, %v", got, put)
	}
}

// An empty static text is printed.
func TestRetracingQuotesTexts(t *testing.T) {
	type named struct {
		X    weft.Array
		Name string
		Tags []string
	}
	var why []string
	weft.ExplainRetracing(func(s string) { why = append(why, s) })
	defer weft.ExplainRetracing(nil)
	f := weft.Jit(func(p named) weft.Array { return p.X })
	x := weft.Ones(1)
	f(named{X: x})
	f(named{X: x, Name: "q"})
	f(named{X: x, Name: "q", Tags: []string{"", "a b"}})
	want := []string{`.Name was static "", now static "q"`, `.Tags was static [], now static ["" "a b"]`}
	if len(why) != len(want) {
		t.Fatalf("explained %q", why)
	}
	for i, w := range want {
		if !strings.Contains(why[i], w) {
			t.Errorf("%s\nholds no %s", why[i], w)
		}
	}
}
