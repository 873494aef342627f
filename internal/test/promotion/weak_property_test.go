package promotion_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/runtime"
)

// Which operands decide whether a result is weak, where it is not all of them: the
// result is if they all are.
var decidesWeakness = map[string]func(n, result int) []int{
	"dynamic_slice": first, "gather": first, "scatter": first, "scatter-add": first, "scatter-mul": first,
	"scatter-sub": first, "scatter-min": first, "scatter-max": first,
	"select_n": func(n, _ int) []int { return core.Range(1, n).Ints() }, // the cases
	"sort":     itself,
	"sort_by":  itself, "scatter_with": itself, "optimization_barrier": itself, "device_put": itself,
	"ragged_dot_general": func(int, int) []int { return []int{0, 1} },
	"reduce":             func(n, i int) []int { return []int{i, n/2 + i} }, // an operand and where it starts
}

func first(int, int) []int { return []int{0} }

func itself(_, result int) []int { return []int{result} }

// neverWeak are the operations whose results have a type of their own.
var neverWeak = strings.Fields(`argmax argmin bitcast_convert_type reduce_and reduce_or reduce_xor iota empty empty2 axis_index
	random_bits random_fold_in random_seed random_split random_unwrap random_wrap random_clone threefry2x32 threefry4x32 philox2x32 philox4x32 rng_bit_generator pure_callback io_callback`)

// lawOfWeakness reports whether a result should be weak.
func lawOfWeakness(p core.Primitive, in []core.ShapedArray, result int) bool {
	if c, ok := p.(prim.ConvertElementTypeP); ok {
		return c.WeakType
	}
	if slices.Contains(neverWeak, p.Name()) || len(in) == 0 {
		return false
	}
	which := core.Range(0, len(in)).Ints()
	if f := decidesWeakness[p.Name()]; f != nil {
		which = f(len(in), result)
	}
	for _, i := range which {
		if !in[i].Weak {
			return false
		}
	}
	return true
}

// weakened returns the sample's operand types with every choice of weak marks; of more
// than four operands the choices of one, all and none.
func weakened(in []core.ShapedArray) (all [][]core.ShapedArray) {
	n := len(in)
	for set := range 1 << n {
		if single := set&(set-1) == 0; n > 4 && !single && set != 1<<n-1 {
			continue
		}
		marked := slices.Clone(in)
		for i := range marked {
			marked[i].Weak = set>>i&1 == 1
		}
		all = append(all, marked)
	}
	return all
}

// some returns at most n samples of each primitive and number of operands, spread over
// all of them. Left out are those of named axes, which TestWeaknessAlongNamedAxes
// takes, of keys, which are never weak, and those that print.
func some(n int) (out []primtest.Sample) {
	family := func(s primtest.Sample) string { return fmt.Sprint(s.Prim.Name(), len(s.In)) }
	all := slices.DeleteFunc(primtest.All(), func(s primtest.Sample) bool {
		return core.NamesAxes(s.Prim) || len(s.In) == 0 || core.EffectsOf(s.Prim) != 0 ||
			slices.ContainsFunc(s.In, func(a core.ShapedArray) bool { return a.DType.IsKey() })
	})
	count, seen := map[string]int{}, map[string]int{}
	for _, s := range all {
		count[family(s)]++
	}
	for _, s := range all {
		f := family(s)
		if k := seen[f]; k*n/count[f] != (k-1)*n/count[f] || k == 0 || count[f] <= n {
			out = append(out, s)
		}
		seen[f]++
	}
	return out
}

// mappings returns the choices of operands that vary over a batch: all of them, and each
// alone. The initial values of a reduction cannot.
func mappings(s primtest.Sample, in []core.ShapedArray) (choices [][]int) {
	n := len(in)
	if name := s.Prim.Name(); name == "reduce" || name == "reduce_window" {
		n /= 2
	}
	choices = append(choices, core.Range(0, n).Ints())
	for i := 0; i < n && n > 1; i++ {
		choices = append(choices, []int{i})
	}
	return choices
}

// drawn returns an array of the sample's values.
func drawn(r *rand.Rand, s primtest.Sample, i int, a core.ShapedArray) *runtime.Array {
	x, w := runtime.New(a), a.DType.Size()
	dom := primtest.Domain{}
	if s.Dom != nil {
		dom = s.Dom[i]
	}
	if dom.Lo == dom.Hi {
		dom.Lo, dom.Hi = 0, 1
	}
	for k := range a.Size() {
		at := x.Tensor().Data[k*w:][:w]
		v := dom.Lo + float64(r.IntN(3))*(dom.Hi-dom.Lo)/2
		if dom.Values != nil {
			v = dom.Values[r.IntN(len(dom.Values))]
		}
		switch {
		case a.DType.IsKey():
			at[0] = byte(r.Uint32())
		case w > 0:
			elem.Put(at, elem.Round(core.FloatNumber(v), a.DType), a.DType)
		}
	}
	return x
}

// Whether a result is weak follows from the types of the operands, by one law and its
// exceptions; and it is the same at once, traced, in a program that runs, in a batch and
// under differentiation, regardless of the values.
func TestWeaknessIsPartOfTheType(t *testing.T) {
	race.Values(t)
	statement.Shows(t, "P-15", "under JAX the value of a constant never decides a type, in and out of jit")
	statement.Shows(t, "P-38", "a Python scalar and a weak array promote alike, and weakness propagates")
	r := rand.New(rand.NewPCG(1, 2))
	applied, batched, differentiated := map[string]int{}, 0, 0
	for _, s := range samples.Of(t, some(12), 40) {
		name := s.Prim.Name()
		for _, in := range weakened(s.In) {
			what := func() string { return fmt.Sprintf("%s %+v of %v", name, s.Prim, avalTexts(in)) }
			want := core.AbstractOf(s.Prim, in)
			for i, a := range want {
				if a.Weak != lawOfWeakness(s.Prim, in, i) {
					t.Errorf("%s: result %d is %s", what(), i, a.Full())
				}
			}
			f := func(xs list) list {
				ys := core.Bind(s.Prim, valuesOf(xs)...)
				return fromValues(ys)
			}
			same := func(how string, ys list) {
				t.Helper()
				if !slices.Equal(fulls(ys), avalTexts(want)) {
					t.Errorf("%s %s: %v, want %v", what(), how, fulls(ys), avalTexts(want))
				}
			}
			args := func(mapped []int) (xs list) { // all operands, or batches of some
				for _, i := range mapped {
					a := in[i].WithShape(in[i].Shape.Prepend(2))
					xs = append(xs, weft.FromValue(drawn(r, s, i, a)))
				}
				for i := range in {
					if mapped == nil {
						xs = append(xs, weft.FromValue(drawn(r, s, i, in[i])))
					}
				}
				return xs
			}
			applied[name]++
			jitted := weft.Jit(f)
			for range 2 { // of other values each time
				same("at once", f(args(nil)))
				same("in Jit", jitted(args(nil)))
			}
			for _, mapped := range mappings(s, in) {
				batched++
				fixed := args(nil)
				inside := func(xs list) list {
					ys := slices.Clone(fixed)
					for k, i := range mapped {
						ys[i] = xs[k]
					}
					zs := f(ys)
					same("in a batch", zs)
					return zs
				}
				weft.Vmap(inside)(args(mapped))
				weft.Jit(weft.Vmap(inside))(args(mapped))
			}
			if differentiable(in, want) {
				differentiated++
				checkTangents(t, what(), f, args(nil), args(nil))
			}
		}
	}
	if samples.Whole() && (len(applied) < 130 || batched < 5000 || differentiated < 1000) {
		t.Errorf("only %d primitives, %d batches, %d derivatives", len(applied), batched, differentiated)
	}
	t.Logf("%d primitives, %d batches, %d derivatives", len(applied), batched, differentiated)
}

func valuesOf(xs list) []core.Value {
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = x.Value()
	}
	return vs
}

func fromValues(vs []core.Value) list {
	xs := make(list, len(vs))
	for i, v := range vs {
		xs[i] = weft.FromValue(v)
	}
	return xs
}

func avalTexts(avals []core.ShapedArray) (texts []string) {
	for _, a := range avals {
		texts = append(texts, a.Full())
	}
	return texts
}

// differentiable reports whether all operands and results have derivatives.
func differentiable(in, out []core.ShapedArray) bool {
	return !slices.ContainsFunc(slices.Concat(in, out), func(a core.ShapedArray) bool {
		return !a.DType.IsInexact() || a.DType.IsMinorFloat()
	})
}

// checkTangents differentiates f: results and tangents have the same types at once
// and in Jit, and the results those of f.
func checkTangents(t *testing.T, what string, f func(list) list, xs, ts list) {
	t.Helper()
	plain := fulls(f(xs))
	jvp := func(xs, ts list) (list, list) { return weft.JVP(f, xs, ts) }
	var ys, dys, zs, dzs list
	err := core.Catch(func() { ys, dys = jvp(xs, ts) })
	if err2 := core.Catch(func() { zs, dzs = weft.Jit(jvp)(xs, ts) }); (err == nil) != (err2 == nil) || err != nil && !errors.Is(err, core.ErrNoRule) {
		t.Errorf("%s under JVP: %v, in Jit %v", what, err, err2)
	} else if err != nil {
		return // it has no derivative
	}
	if !slices.Equal(fulls(ys), plain) || !slices.Equal(fulls(zs), plain) {
		t.Errorf("%s under JVP: %v, in Jit %v, want %v", what, fulls(ys), fulls(zs), plain)
	}
	if !slices.Equal(fulls(dys), fulls(dzs)) {
		t.Errorf("%s: tangents %v, in Jit %v", what, fulls(dys), fulls(dzs))
	}
}

// Collective operations are as weak as what they collect.
func TestWeaknessAlongNamedAxes(t *testing.T) {
	names := map[string]bool{}
	for _, s := range primtest.All() {
		if !core.NamesAxes(s.Prim) {
			continue
		}
		names[s.Prim.Name()] = true
		for _, in := range weakened(s.In) {
			f := func(xs list) list {
				ys := fromValues(core.Bind(s.Prim, valuesOf(xs)...))
				for i, y := range ys {
					if want := lawOfWeakness(s.Prim, in, i); y.Weak() != want {
						t.Errorf("%s of %v: result %d is %s", s.Prim.Name(), avalTexts(in), i, arraycheck.TypeText(y))
					}
				}
				return ys
			}
			var xs list
			r := rand.New(rand.NewPCG(3, 4))
			for i, a := range in {
				xs = append(xs, weft.FromValue(drawn(r, s, i, a.WithShape(a.Shape.Prepend(primtest.AxisSize)))))
			}
			batch := weft.Vmap(f, weft.AxisName(primtest.AxisName), weft.AxisSize(primtest.AxisSize))
			if at, staged := batch(xs), weft.Jit(batch)(xs); !slices.Equal(fulls(at), fulls(staged)) {
				t.Errorf("%s of %v: %v at once, %v in Jit", s.Prim.Name(), avalTexts(in), fulls(at), fulls(staged))
			}
		}
	}
	if len(names) < 8 {
		t.Errorf("only %v", names)
	}
}

// A constant's value decides nothing: what does not fit the array's type is refused, and a
// weak array with that value wraps. P-16, P-18: any bare number that is no float leaves an
// array of integers its type.
func TestConstantsDecideByTypeAlone(t *testing.T) {
	statement.Shows(t, "P-15", "under JAX the value of a constant never decides a type, in and out of jit")
	statement.Shows(t, "P-16", "any scalar with any array of its category has the type of the array")
	statement.Shows(t, "P-18", "x + 2 has the dtype of x for every signed integer dtype")
	ops := map[string]func(x weft.Array, y any) weft.Array{
		"Add": weft.Array.Add, "Sub": weft.Array.Sub, "Mul": weft.Array.Mul, "Div": weft.Array.Div, "FloorDiv": weft.Array.FloorDiv,
		"Mod": weft.Array.Mod, "Rem": weft.Array.Rem, "Lt": weft.Array.Lt, "Eq": weft.Array.Eq, "Pow": weft.Array.Pow,
		"Maximum": func(x weft.Array, y any) weft.Array { return weft.Maximum(x, arr(y)) },
		"Where":   func(x weft.Array, y any) weft.Array { return weft.Where(weft.Of(true), x, arr(y)) },
		"Set":     func(x weft.Array, y any) weft.Array { return x.At(0).Set(y) },
	}
	values := []any{1, 0, 2, 100, 127, 128, 1000, 70000, 1 << 31, -1, -129, 1., 0., 1.5, 1e300, math.Copysign(0, -1), 1i, 1e30 + 2i}
	agree, refused := 0, 0
	runs := samples.Named(t, 20)
	for _, dt := range []weft.DType{weft.Bool, weft.Int8, weft.Uint8, weft.Int16, weft.Int32, weft.Uint32, weft.Int64, weft.Uint64, weft.BFloat16, weft.Float16, weft.Float32, weft.Float64, weft.Complex64} {
		x := weft.OnesOf(dt, 3)
		for name, op := range ops {
			if !runs(fmt.Sprint(name, " of ", dt)) {
				continue
			}
			want := map[string]string{}
			for _, v := range values {
				kind := fmt.Sprintf("%T", v)
				got, err := weft.Try(func() weft.Array { return op(x, v) })
				staged, err2 := weft.Try(func() weft.Array { return weft.Jit(func(x weft.Array) weft.Array { return op(x, v) })(x) })
				if (err == nil) != (err2 == nil) {
					t.Errorf("%s of %v and %v: %v at once, %v in Jit", name, dt, v, err, err2)
					continue
				}
				if err != nil {
					refused++
					continue
				}
				agree++
				if want[kind] == "" {
					want[kind] = arraycheck.TypeText(got)
				}
				if arraycheck.TypeText(got) != want[kind] || arraycheck.TypeText(staged) != want[kind] {
					t.Errorf("%s of %v and %v is %s, in Jit %s; with another %s %s", name, dt, v, arraycheck.TypeText(got), arraycheck.TypeText(staged), kind, want[kind])
				}
			}
			if n, ok := want["int"]; name == "Add" && dt.IsInteger() && (!ok || n != dt.String()+"[3]") { // P-16, P-18
				t.Errorf("%v array + 2 is %s", dt, n)
			}
		}
	}
	if samples.Whole() && (agree < 1500 || refused < 300) {
		t.Errorf("only %d and %d", agree, refused)
	}
	x := weft.FromSlice([]int8{0})
	_, err := weft.Try(func() weft.Array { return x.Add(1000) })
	if !errors.Is(err, core.ErrDType) || !strings.Contains(err.Error(), "the constant 1000 does not fit i8") {
		t.Errorf("i8 + 1000: %v", err)
	}
	thousand := weft.Of(1000).Index(0) // an array is no constant
	weak := weft.FromValue(prim.Convert(thousand.Value(), core.Int32, true))
	for _, f := range []func(x, y weft.Array) weft.Array{weft.Add[weft.Array, weft.Array], weft.Jit(weft.Add[weft.Array, weft.Array])} {
		if got := f(x, weak); arraycheck.TypeText(got) != "i8[1]" || got.Index(0).Int() != -24 {
			t.Errorf("i8 + a weak array of 1000 is %v %s", got, arraycheck.TypeText(got))
		}
	}
	for _, d := range []weft.DType{weft.Int8, weft.Int16, weft.Int32, weft.Int64} { // P-18
		if x := weft.Arange(10).AsType(d); x.Add(2).DType() != d {
			t.Errorf("arange(10) of %v, and 2, is %v", d, x.Add(2).DType())
		}
	}
}
