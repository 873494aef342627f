package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
)

type array = weft.Array

func jit1(f func(x array) array) func(array) array { return weft.Jit(f) }

// looks returns a jitted function that looks at its argument.
func looks[T any](x array, look func(array) T) func() {
	return func() { jit1(func(x array) array { look(x); return x })(x) }
}

func abs(x array) array {
	if x.Gt(0).Bool() {
		return x
	}
	return x.Neg()
}

var one = weft.Scalar(1.)

// Looking at what depends on an argument.
var tracerMistakes = []mistake{
	{"bool_if", func() { jit1(abs)(one) }, core.ErrConcrete, []string{"Bool", "bool[]", "argument"}},
	{"bool_while", func() {
		jit1(func(x array) array {
			for x.Lt(10).Bool() {
				x = x.Add(1)
			}
			return x
		})(weft.Scalar(1))
	}, core.ErrConcrete, []string{"Bool", "bool[]", "While"}},
	{"bool_and", func() {
		weft.Jit(func(x, y array) array {
			if x.Gt(0).Bool() && y.Gt(0).Bool() {
				return x
			}
			return y
		})(one, one)
	}, core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"bool_not", looks(weft.Scalar(true), func(x array) bool { return !x.Bool() }), core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"bool_array", looks(weft.Ones(3), array.Bool), core.ErrShape, []string{"f32[3]", "Any"}},
	{"bool_min", looks(one, func(x array) float64 { return min(x.Float(), 0) }), core.ErrConcrete, []string{"Float", "f32[]"}},
	{"bool_after_ops", func() {
		weft.Jit(func(x, y array) array {
			w := weft.Sin(x).Mul(y).Add(1)
			if w.Gt(0).Bool() {
				return w
			}
			return x
		})(one, one)
	}, core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"bool_grad_ok_vmap", func() { weft.Vmap(abs)(weft.Arange(3.)) }, core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"bool_eager_array", func() { weft.Arange(3).Bool() }, core.ErrShape, []string{"i32[3]", "Bool"}},
	{"bool_in_scan", func() {
		weft.Scan(func(c, x array) (array, array) {
			if x.Gt(0).Bool() {
				return c.Add(x), x
			}
			return c, x
		}, weft.Scalar(0.), weft.Arange(3.))
	}, core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"bool_in_cond_branch", func() {
		jit1(func(x array) array {
			return weft.Cond(weft.Scalar(true), func() array { return abs(x) }, func() array { return x })
		})(one)
	}, core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"int_range", looks(weft.Scalar(3), func(n array) (s int) {
		for i := range n.Int() {
			s += i
		}
		return s
	}), core.ErrConcrete, []string{"Int", "i32[]"}},
	{"int_index_list", looks(weft.Scalar(1), func(i array) int { return []int{1, 2, 3}[i.Int()] }), core.ErrConcrete, []string{"Int", "i32[]"}},
	{"int_cast", looks(one, array.Int), core.ErrConcrete, []string{"Int", "f32[]"}},
	{"float_cast", looks(one, array.Float), core.ErrConcrete, []string{"Float", "f32[]"}},
	{"complex_cast", looks(one, array.Complex), core.ErrConcrete, []string{"Complex", "f32[]"}},
	{"item", looks(one, array.Float), core.ErrConcrete, []string{"Float", "f32[]"}},
	{"tolist", looks(weft.Ones(3), weft.ToSlice[float32]), core.ErrConcrete, []string{"ToSlice", "f32[3]"}},
	{"shape_from_tracer", looks(weft.Scalar(3), func(n array) array { return weft.Zeros(n.Int()) }), core.ErrConcrete, []string{"Int", "i32[]"}},
	{"arange_tracer", looks(weft.Scalar(3), func(n array) array { return weft.Arange(n.Int()) }), core.ErrConcrete, []string{"Int", "i32[]"}},
	{"reshape_tracer", func() {
		weft.Jit(func(x, n array) array { return x.Reshape(n.Int(), 2) })(weft.Ones(4), weft.Scalar(2))
	}, core.ErrConcrete, []string{"Int", "i32[]", "argument 1"}},
	{"axis_tracer", func() {
		weft.Jit(func(x, a array) array { return x.Sum(a.Int()) })(weft.Ones(2, 2), weft.Scalar(0))
	}, core.ErrConcrete, []string{"Int", "i32[]"}},
	{"bool_mask", func() { jit1(func(x array) array { return x.Index(x.Gt(0)) })(weft.Ones(3)) }, core.ErrConcrete, []string{"bool[3]", "Where"}},
	{"nonzero", looks(weft.Ones(3), weft.Nonzero), core.ErrConcrete, []string{"Nonzero", "[3]"}},
	{"where_one_arg", looks(weft.Ones(3), func(x array) []array { return weft.Nonzero(x.Gt(0)) }), core.ErrConcrete, []string{"Nonzero", "[3]"}},
	{"unique", looks(weft.Ones(3), weft.Unique), core.ErrConcrete, []string{"[3]"}},
	{"slice_tracer", func() {
		weft.Jit(func(x, n array) array { return x.Index(weft.R(0, n.Int())) })(weft.Ones(5), weft.Scalar(2))
	}, core.ErrConcrete, []string{"Int", "i32[]"}},
	{"linspace_num", looks(weft.Scalar(5), func(n array) array { return weft.Linspace(0, 1, n.Int()) }), core.ErrConcrete, []string{"Int", "i32[]"}},
	{"one_hot_classes", looks(weft.Scalar(4), func(n array) array { return weft.OneHot(weft.Arange(3), n.Int()) }), core.ErrConcrete, []string{"Int", "i32[]"}},
	{"repeat_tracer", func() {
		weft.Jit(func(x, n array) array { return weft.Repeat(x, n.Int(), 0) })(weft.Ones(3), weft.Scalar(2))
	}, core.ErrConcrete, []string{"Int", "i32[]"}},
	{"split_tracer", func() {
		weft.Jit(func(x, n array) array { return weft.SplitEvenly(x, 0, n.Int())[0] })(weft.Ones(4), weft.Scalar(2))
	}, core.ErrConcrete, []string{"Int", "i32[]"}},
	{"iterate_scalar", looks(one, func(x array) int {
		for range x.Rows() {
		}
		return 0
	}), core.ErrShape, []string{"f32[]", "Rows"}},
}

func TestLooking(t *testing.T) { run(t, "tracer_test.go", tracerMistakes) }

// leak runs f, which saves its arguments, and then uses what was saved.
func leak(trace func(save func(array) array), use func(array)) func() {
	return func() {
		var saved array
		trace(func(x array) array { saved = x; return x })
		use(saved)
	}
}

func addOne(x array) { x.Add(1) }

// Tracers that outlive the function that they were made in.
var leakMistakes = []mistake{
	{"leak_global", leak(func(save func(array) array) { jit1(save)(one) }, addOne), core.ErrEscaped, []string{"f32[]"}},
	{"leak_intermediate", leak(func(save func(array) array) {
		jit1(func(x array) array { save(weft.Sin(x).Mul(2)); return x })(one)
	}, func(x array) { weft.Cos(x) }), core.ErrEscaped, []string{"f32[]"}},
	{"leak_two_jits", leak(func(save func(array) array) {
		jit1(func(x array) array { save(x.Add(1)); return x })(one)
	}, func(x array) { jit1(func(y array) array { return y.Add(x) })(one) }), core.ErrEscaped, []string{"f32[]"}},
	{"leak_grad", leak(func(save func(array) array) {
		weft.Grad(func(x array) array { save(x); return x.Mul(x) })(one)
	}, func(x array) { jit1(func(y array) array { return y.Add(x) })(one) }), core.ErrEscaped, []string{"f32[]"}},
	{"leak_vmap", leak(func(save func(array) array) { weft.Vmap(save)(weft.Arange(3.)) }, addOne), core.ErrEscaped, []string{"f32[]"}},
	{"leak_scan", leak(func(save func(array) array) {
		weft.Scan(func(c, x array) (array, array) { save(c); return c, x }, weft.Scalar(0.), weft.Arange(3.))
	}, addOne), core.ErrEscaped, []string{"f32[]"}},
	{"leak_print", leak(func(save func(array) array) { jit1(save)(one) }, func(x array) { x.Float() }), core.ErrEscaped, []string{"f32[]"}},
	{"leak_key_of_argument", func() {
		key := random.New(0)
		init := weft.Jit(func(x array) array {
			var k random.Key
			key, k = key.FoldIn(x).Split()
			return random.Normal(k)
		})
		init(weft.Scalar(1))
		random.Normal(key)
	}, core.ErrEscaped, []string{"key<fry>[]"}},
}

func TestLeaks(t *testing.T) { run(t, "tracer_test.go", leakMistakes) }
