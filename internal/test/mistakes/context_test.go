package mistakes_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/random"
)

// A look at a value that Vmap maps states so, and the fix.
func TestErrorsReadingMappedValues(t *testing.T) {
	type A = weft.Array
	x := weft.Ones(2, 3)
	for _, c := range []struct {
		f    func(r A) A
		want string
	}{
		{func(r A) A {
			if r.Sum().Gt(0).Bool() {
				return r
			}
			return r.Neg()
		}, ": Bool: the value of a bool[] is not known here: it is mapped by Vmap, and each element of the batch has its own; use Where or Cond instead of a Go if, or loop over the elements outside of Vmap"},
		{func(r A) A { return r.Mul(r.Max().Float()) }, ": Float: the value of a f32[] is not known here: it is mapped by Vmap"},
		{func(r A) A { return r.Index(r.Gt(0)) }, ": Index: how many elements the mask bool[3] chooses is not known here: it is mapped by Vmap, and each element of the batch has its own, so the result has no shape; select with Where, or loop over the elements outside of Vmap"},
		{weft.Grad(func(r A) A { return r.Index(r.Gt(0)).Sum() }), ": Index: how many elements the mask bool[3] chooses is not known here: it is mapped by Vmap"},
		{weft.Grad(func(r A) A { return r.Sum().Mul(r.Sum().Float()) }), ": Float: the value of a f32[] is not known here: it is mapped by Vmap"},
	} {
		_, err := weft.Try(func() A { return weft.Vmap(c.f)(x) })
		if err == nil || !strings.Contains(err.Error(), "context_test.go:") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "traced") {
			t.Errorf("%v\nholds no %q", err, c.want)
		}
	}
	// What is not mapped can be looked at.
	if got := weft.Vmap(func(r A) A { return r.Mul(x.Sum().Float()) })(x); !got.Equal(x.Mul(6)) {
		t.Errorf("by a number: %v", got)
	}
}

// Results for which no memory has room are refused in the name of the function.
func TestErrorsOfMemoryNameTheFunction(t *testing.T) {
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { weft.Zeros(1<<31, 1<<10) }, ": Zeros: an array of type f32[2147483648,1024] does not fit in memory; make it smaller"},
		{func() { weft.Outer(weft.Zeros(1<<20), weft.Zeros(1<<20)) }, ": Outer: the result of f32[1048576] and f32[1048576] cannot be allocated: an array of type f32[1048576,1048576] does not fit in memory; make it smaller"},
		{func() { weft.Scalar(1.).BroadcastTo(1<<30, 1<<20) }, ": BroadcastTo: the result of ~f32[] cannot be allocated: an array of type ~f32[1073741824,1048576] does not fit in memory; make it smaller"},
		{func() { weft.Zeros(1<<20, 1).Add(weft.Zeros(1 << 20)) }, ": Add: the result of f32[1048576,1] and f32[1048576] cannot be allocated: an array of type f32[1048576,1048576] does not fit"},
	} {
		_, err := weft.Try(func() int { c.f(); return 0 })
		if err == nil || !strings.Contains(err.Error(), "context_test.go:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nholds no %q", err, c.want)
		}
	}
}

// An error of Conv's operands states how they were read.
func TestConvErrorLayout(t *testing.T) {
	for _, c := range []struct {
		x, w weft.Array
		c    weft.ConvConfig
		want string
	}{
		{weft.Ones(1, 8, 8, 1), weft.Ones(3, 3, 1, 2), weft.ConvConfig{},
			`: Conv: by Layout "NCHW,OIHW->NCHW", the default, x is f32[1,8,8,1] with 8 features and w is f32[3,3,1,2], which takes 3; make them equal, or state the order of the axes, as with Layout: "NHWC,HWIO->NHWC"`},
		{weft.Ones(1, 8, 1), weft.Ones(3, 1, 2), weft.ConvConfig{}, `by Layout "NCW,OIW->NCW", the default, x is f32[1,8,1] with 8 features and w is f32[3,1,2], which takes 1; make them equal, or state the order of the axes, as with Layout: "NWC,WIO->NWC"`},
		{weft.Ones(1, 8, 8, 1), weft.Ones(3, 3, 2, 2), weft.ConvConfig{Layout: "NHWC,HWIO->NHWC"}, `by Layout "NHWC,HWIO->NHWC", x is f32[1,8,8,1] with 1 feature and w is f32[3,3,2,2], which takes 2; make them equal, or set Groups or another Layout`},
		{weft.Ones(1, 6, 8, 8), weft.Ones(2, 2, 3, 3), weft.ConvConfig{Groups: 2}, `with 6 features and w is f32[2,2,3,3], which takes 2 in each of 2 groups; `},
		{weft.Ones(1, 2, 8, 8), weft.Ones(3, 1, 3, 3), weft.ConvConfig{Groups: 2}, `: Conv: `},
		{weft.Ones(1, 2, 8, 8), weft.Ones(3, 2, 3, 3), weft.ConvConfig{Strides: []int{0, 1}}, `: Conv: `},
	} {
		for _, f := range []func(x, w weft.Array) weft.Array{
			func(x, w weft.Array) weft.Array { return weft.Conv(x, w, c.c) },
			func(x, w weft.Array) weft.Array {
				return weft.Vmap(func(x weft.Array) weft.Array { return weft.Conv(x, w, c.c) })(weft.Stack(0, x, x))
			},
		} {
			_, err := weft.Try(func() weft.Array { return f(c.x, c.w) })
			if err == nil || !strings.Contains(err.Error(), "context_test.go:") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nholds no %q", err, c.want)
			}
		}
	}
}

// A key that is used twice is an error of the check for that, not of a primitive.
func TestErrorsOfReusedKeys(t *testing.T) {
	k := random.New(0)
	_, err := weft.Try(func() (x weft.Array) {
		weft.With(weft.DebugKeyReuse(true), func() { x = random.Normal(k, 3).Add(random.Normal(k, 3)) })
		return x
	})
	if err == nil || !strings.Contains(err.Error(), ": DebugKeyReuse: a key that was drawn from at ") || strings.Contains(err.Error(), "random_bits") {
		t.Error(err)
	}
}

// Messages name function literals by their places: their numbers identify nothing.
func TestErrorsNameFunctionLiterals(t *testing.T) {
	const place = `context_test\.go:\d+`
	f := custom.JVP(func(x weft.Array) weft.Array { return x.Mul(2) },
		func(x, tx weft.Array) (weft.Array, weft.Array) { return x.Mul(2), tx.Sum() })
	_, err := weft.Try(func() weft.Array { return weft.Grad(func(x weft.Array) weft.Array { return f(x).Sum() })(weft.Ones(3)) })
	if want := `^` + place + `: the function at ` + place + `: rule at ` + place + ` returns the tangent f32\[\] `; err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
		t.Errorf("%v\ndoes not match %s", err, want)
	}
	// Names that are given, and programs, are as they were.
	g := custom.JVP(func(x weft.Array) weft.Array { return x.Mul(2) },
		func(x, tx weft.Array) (weft.Array, weft.Array) { return x.Mul(2), tx.Sum() }, "double", "slope")
	_, err = weft.Try(func() weft.Array { return weft.Grad(func(x weft.Array) weft.Array { return g(x).Sum() })(weft.Ones(3)) })
	if err == nil || !strings.Contains(err.Error(), ": double: rule slope returns the tangent f32[] ") {
		t.Error(err)
	}
	var said []string
	weft.ExplainRetracing(func(s string) { said = append(said, s) })
	defer weft.ExplainRetracing(nil)
	h := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) })
	h(weft.Ones(2))
	h(weft.Ones(3))
	if len(said) != 1 || !regexp.MustCompile(`the function at `+place+` retraced: `).MatchString(said[0]) {
		t.Errorf("%q", said)
	}
}
