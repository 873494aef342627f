package mistakes

import (
	"reflect"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
)

// Mistakes of one line that are Go's alone: JAX's programs have none like them.
var onelineMistakes = []mistake{
	{"a method that is not called", func() { ones(2).Add(ones(2).Neg) }, core.ErrDType, []string{"Add", "func() weft.Array"}},
	{"a struct for an operand", func() { ones(2).Mul(struct{ W array }{one}) }, core.ErrDType, []string{"Mul", "struct"}},
	{"nil for an operand", func() { ones(2).Sub(nil) }, core.ErrDType, []string{"Sub", "nil"}},
	{"a text for an operand", func() { ones(2).Div("2") }, core.ErrDType, []string{"Div", "string"}},
	{"the zero Array for an operand", func() { ones(2).Add(weft.Array{}) }, core.ErrTree, []string{"Add"}},
	{"Jit of a call", func() { weft.Jit(one) }, core.ErrStatic, []string{"Jit", "did you call it?"}},
	{"Jit of a bare number", func() { weft.Jit(func(x array, rate float64) array { return x }) }, core.ErrStatic, []string{"float64", "weft.Scalar"}},
	{"Vmap of a pointer", func() { weft.Vmap(func(x *array) array { return *x }) }, core.ErrTree, []string{"Vmap", "*weft.Array"}},
	{"Grad that writes behind a pointer", func() {
		x := one
		weft.Grad(func(p *array) array { *p = p.Mul(2); return *p })(&x)
	}, core.ErrTree, []string{"Grad", "writes"}},
	{"the same pointer twice", func() {
		x := one
		weft.Jit(func(a, b *array) array { *a = b.Add(1); return *a })(&x, &x)
	}, core.ErrTree, []string{"pointer"}},
	{"an array that is hidden", func() { weft.Grad(func(p struct{ w array }) array { return p.w })(struct{ w array }{one}) }, core.ErrTree, []string{"unexported"}},
	{"Grad of integers", func() { weft.Grad(func(x array) array { return x.Sum() })(weft.Arange(4)) }, core.ErrDType, []string{"weft.Arange(4.)"}},
	{"a constant that does not fit", func() { weft.FromSlice([]int8{1}).Add(1000) }, core.ErrDType, []string{"i8", "1000"}},
	{"looking at many", func() { ones(2).Float() }, core.ErrShape, []string{"Float", "f32[2]"}},
	{"a look that loses", func() { weft.Scalar(2.5).Int() }, core.ErrDType, []string{"Int", "2.5"}},
	{"rows that are ragged", func() { weft.From([][]float64{{1, 2}, {3}}) }, core.ErrShape, []string{"From"}},
	{"a rank that is refused", func() {
		weft.With(weft.RankPromotion(weft.Raise), func() { ones(2, 3).Add(ones(3)) })
	}, core.ErrShape, []string{"f32[2,3]", "f32[3]"}},
}

func TestOneLine(t *testing.T) { run(t, "oneline_test.go", onelineMistakes) }

// What the compiler refuses: comparing arrays, reading through a Ref, drawing from an
// array, calculating with a key.
func TestTheCompilerRefuses(t *testing.T) {
	if reflect.TypeFor[weft.Array]().Comparable() {
		t.Error("x == y compiles")
	}
	for _, c := range []struct {
		t      reflect.Type
		method string
	}{{reflect.TypeFor[weft.Ref](), "Mean"}, {reflect.TypeFor[weft.Ref](), "Shape"}, {reflect.TypeFor[random.Key](), "Add"}, {reflect.TypeFor[random.Key](), "Mul"}} {
		if _, ok := c.t.MethodByName(c.method); ok {
			t.Errorf("%v has a method %s", c.t, c.method)
		}
	}
	if in := reflect.TypeOf(random.Normal).In(0); in != reflect.TypeFor[random.Key]() || reflect.TypeFor[weft.Array]().AssignableTo(in) {
		t.Errorf("Normal draws from %v", in)
	}
}
