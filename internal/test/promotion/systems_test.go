package promotion_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/promote"
)

// operand stands for an element of a promotion system: an array or a Go constant.
type operand struct {
	name string
	typ  promote.Type
	v    any
}

// promoted returns what package promote looks at.
func (o operand) promoted() promote.Operand {
	p := promote.Operand{Type: o.typ}
	if o.constant() {
		p.Scalar, p.Value = true, o.v
	}
	return p
}

func (o operand) constant() bool { _, array := o.v.(weft.Array); return !array }

func (o operand) String() string {
	if o.constant() {
		return fmt.Sprintf("%s (the constant %v)", o.name, o.v)
	}
	return o.name
}

// operands returns the operands of a system's table: strong and weak arrays of one
// element, and Go constants. What no array can be is left out: MAX's index, and
// nodes that are no types.
func operands(s promote.System) []operand {
	var out []operand
	for _, name := range s.Algebra().Names() {
		base, ambiguous := strings.CutSuffix(name, "?")
		typ, ok := promote.ParseType(base)
		switch {
		case !ok || typ.DType >= core.DType(core.NumDTypes):
		case ambiguous && typ.DType.IsBool(): // truth values are never weak
		case ambiguous:
			typ.Weak = true
			v := prim.Convert(weft.OnesOf(typ.DType, 1).Value(), typ.DType, true)
			out = append(out, operand{name, typ, weft.FromValue(v)})
		case typ.Weak:
			for _, v := range map[core.Kind][]any{
				core.KindInt:     {1, weft.Full(weft.Shape{1}, 1)},
				core.KindFloat:   {1., weft.Full(weft.Shape{1}, 1.)},
				core.KindComplex: {1 + 0i, weft.Full(weft.Shape{1}, 1+0i)},
			}[typ.DType.Kind()] {
				out = append(out, operand{name, typ, v})
			}
		default:
			out = append(out, operand{name, typ, weft.OnesOf(typ.DType, 1)})
		}
	}
	return out
}

// joining are operations whose results have the type that their operands promote to.
var joining = []struct {
	name  string
	apply func(x, y any) weft.Array
}{
	{"Add", func(x, y any) weft.Array { return arr(x).Add(y) }},
	{"Mul", func(x, y any) weft.Array { return arr(x).Mul(y) }},
	{"Maximum", func(x, y any) weft.Array { return weft.Maximum(arr(x), arr(y)) }},
	{"Where", func(x, y any) weft.Array { return weft.Where(weft.Scalar(true), arr(x), arr(y)) }},
	{"Stack", func(x, y any) weft.Array { return weft.Stack(0, spreadOne(x), spreadOne(y)) }},
}

// spreadOne returns an operand that can be stacked with an array of one element.
func spreadOne(x any) weft.Array {
	if a, ok := x.(weft.Array); ok {
		return a
	}
	return arr(x).Reshape(1)
}

// jittedOps applies operations in programs. Each is jitted once for all systems: the
// system is part of the key under which its programs are kept.
type jittedOps map[string]any

func (j jittedOps) apply(op int, x, y operand) weft.Array {
	f := joining[op].apply
	key := joining[op].name
	switch {
	case x.constant() && y.constant():
		key = fmt.Sprint(key, x, y)
		if j[key] == nil {
			j[key] = weft.Jit(func(weft.Array) weft.Array { return f(x.v, y.v) })
		}
		return j[key].(func(weft.Array) weft.Array)(weft.Of(0.))
	case x.constant():
		key = fmt.Sprint(key, x, " left")
		if j[key] == nil {
			j[key] = weft.Jit(func(b weft.Array) weft.Array { return f(x.v, b) })
		}
		return j[key].(func(weft.Array) weft.Array)(y.v.(weft.Array))
	case y.constant():
		key = fmt.Sprint(key, y, " right")
		if j[key] == nil {
			j[key] = weft.Jit(func(a weft.Array) weft.Array { return f(a, y.v) })
		}
		return j[key].(func(weft.Array) weft.Array)(x.v.(weft.Array))
	}
	if j[key] == nil {
		j[key] = weft.Jit(func(a, b weft.Array) weft.Array { return f(a, b) })
	}
	return j[key].(func(a, b weft.Array) weft.Array)(x.v.(weft.Array), y.v.(weft.Array))
}

// Every cell of every system is what arrays do under it, in and out of Jit, errors
// included: P-34 and P-38 on arrays; a bare number and a weak array are alike.
func TestEverySystemOnArrays(t *testing.T) {
	race.Values(t)
	statement.Shows(t, "P-34", "every cell of the five tables, in both orders, with an error for each undefined one")
	statement.Shows(t, "P-38", "a Python scalar and a weak array promote alike, and weakness propagates")
	cells, refused := 0, 0
	jitted, runs := jittedOps{}, samples.Named(t, 200)
	for _, s := range promote.Systems() {
		weft.With(weft.Promotion(s), func() {
			all := operands(s)
			for _, x := range all {
				for _, y := range all {
					dt, weak, wantErr := promote.ResultOf(s, 32, x.promoted(), y.promoted())
					if wantErr == nil {
						cells++
					} else {
						refused++
					}
					cell := s.Algebra().Cell(x.name, y.name)
					if typ, ok := promote.ParseType(cell); ok && !typ.Weak && wantErr == nil && !withWeakArrays(s, x, y) && typ.DType != dt {
						t.Errorf("%s: the table has %s for %s and %s, the promotion %v", s.Name(), cell, x, y, dt)
					}
					for i, op := range joining {
						if op.name == "Stack" && s == promote.NumPy1 && (x.constant() || y.constant()) {
							continue // what is stacked has a dimension: it is no scalar any more
						}
						what := fmt.Sprintf("%s: %s of %s and %s", s.Name(), op.name, x, y)
						if !runs(what) {
							continue
						}
						eager, err := weft.Try(func() weft.Array { return op.apply(x.v, y.v) })
						staged, err2 := weft.Try(func() weft.Array { return jitted.apply(i, x, y) })
						if wantErr != nil {
							for _, e := range []error{err, err2} {
								if !errors.Is(e, core.ErrPromotion) || !strings.Contains(e.Error(), wantErr.Error()) || !strings.Contains(e.Error(), op.name) {
									t.Fatalf("%s: want the error %v, got %v", what, wantErr, e)
								}
							}
							continue
						}
						if err != nil || err2 != nil {
							t.Fatalf("%s: %v, %v", what, err, err2)
						}
						for _, got := range []weft.Array{eager, staged} {
							if got.DType() != dt || got.Weak() != weak {
								t.Errorf("%s is %s, want %v weak=%v", what, got.Value().Aval().Full(), dt, weak)
							}
						}
						if !eager.Equal(staged) {
							t.Errorf("%s: %v at once, %v in Jit", what, eager, staged)
						}
					}
				}
			}
		})
	}
	t.Logf("%d pairs promoted, %d refused, each by %d operations, in and out of Jit", cells, refused, len(joining))
	if cells < 5000 || refused < 3000 {
		t.Errorf("only %d and %d pairs", cells, refused)
	}
}

// withWeakArrays reports whether NumPy 1, whose table is about scalars, is given a weak
// array, which NumPy does not have.
func withWeakArrays(s promote.System, xs ...operand) bool {
	return s == promote.NumPy1 && slices.ContainsFunc(xs, func(x operand) bool { return x.typ.Weak && !x.constant() })
}

// What the documents state of arrays, system by system, with the documents' numbers.
func TestSentencesOnArrays(t *testing.T) {
	statement.Shows(t, "P-1", "under NumPy i32+f32 is f64; under JAX no two inputs of 32 bits or less make a 64-bit type, unsigned integers aside")
	statement.Shows(t, "P-2", "Python's table is the join on int, float, complex")
	statement.Shows(t, "P-22", "f32 promotes to c64, f64 to c128, and an unsigned integer to the next wider signed one")
	statement.Shows(t, "P-23", "u64+i64 is f64 under NumPy and weak float under JAX")
	statement.Shows(t, "P-25", "in option 0 integers do not promote to floats, and Python scalars work")
	statement.Shows(t, "P-26", "in option 1 u16+f16 is f64, and two more edges make a lattice")
	statement.Shows(t, "P-27", "in option 2 i16+f16 is f16, f32+u32 is f64, and one more edge makes a lattice")
	statement.Shows(t, "P-28", "in option 3 integers defer to floats of any width, and bf16 fits in")
	statement.Shows(t, "P-35", "under TensorFlow the second operand is converted to the first one's type, or refused")
	statement.Shows(t, "P-36", "PyTorch has no u16, u32 and u64, and its scalars have its defaults")
	statement.Shows(t, "P-37", "under lax nothing promotes, and a scalar needs its own 64-bit default beside it")
	statement.Shows(t, "P-39", "NumPy has no bf16: any operation with it is an error")
	statement.Shows(t, "P-40", "weak arrays print as weak; strict promotion refuses what is not a scalar of the same or a lower kind")
	statement.Shows(t, "M-2", "i16+f32 is f32")
	statement.Shows(t, "M-4", "bf16 and tf32 appear only if an input has them")
	statement.Shows(t, "A-8", "u64 with a signed integer is i64, which may overflow")
	for _, c := range []struct {
		s     promote.System
		cells string // x+y=z; - is an error
	}{
		{promote.JAX, "i32+f32=f32 u8+i8=i16 u32+i32=i64 f16+c64=c64 f64+c64=c128 u64+i64=~f32 bf16+f16=f32 i64+f16=f16 i*+i8=i8 i8+i*=i8 i64+f*=~f32 b+i*=~i32"},
		{promote.JAX32, "u32+i32=i32 u64+i64=~f32"},
		{promote.JAXStrict, "f32+i32=- f32+i*=f32 i32+f*=- b+b=b b+i8=-"},
		{promote.JAXLax, "i32+i32=i32 i32+i*=- i64+i*=i64 f32+f64=- b+b=-"},
		{promote.NumPy, "i32+f32=f64 i8+u8=i16 i16+f16=f32 u64+i64=f64 i8+i*=i8 f32+f*=f32"},
		{promote.NumPy1, "i32+f32=f64 u64+i64=f64 bf16+f32=- bf16+bf16=-"},
		{promote.PyTorch, "u8+i8=i16 f16+bf16=f32 u16+u8=- f64+c64=c128 f16+c*=- f*+i*=f32"},
		{promote.PyTorchDesign, "i*+i*=i64 f*+i*=f32 b+f*=f32 f*+f*=f64 f*+c*=c64 c*+c*=c128 u16+u16=-"},
		{promote.TensorFlow, "u8+i*=u8 i*+u8=- i*+i32=i32 f*+i*=f32 c*+f*=c128 f32+f64=- b+b=-"},
		{promote.MAX, "i16+f32=f32 f16+bf16=bf16 bf16+f32=f32 i64+u64=f16 b+u8=u8 f32+c64=- f32+f*=-"},
		{promote.Anvil, "u64+i64=i64 i1+i16=i16 f32+i64=f32 u8+i8=i16"},
		{promote.Option0, "i32+f32=- i*+f16=f16 u64+i64=-"},
		{promote.Option1, "u16+f16=f64 i64+f64=- i8+f16=f16"},
		{promote.Option2, "i16+f16=f16 i32+f32=f32 f32+u32=f64 u64+f64=-"},
		{promote.Option3, "i64+f16=f16 i8+f32=f32 i64+f*=~f32 u64+f32=-"},
		{promote.Python, "i*+f*=~f32 c*+i*=~c64 f32+f*=-"},
	} {
		for _, text := range strings.Fields(c.cells) {
			sum, want, _ := strings.Cut(text, "=")
			l, r, _ := strings.Cut(sum, "+")
			for _, jit := range []bool{false, true} {
				var got weft.Array
				var err error
				weft.With(weft.Promotion(c.s), func() {
					x, y := operandNamed(t, l), operandNamed(t, r)
					add := func(x, y weft.Array) weft.Array { return x.Add(y) }
					if jit {
						add = weft.Jit(add)
					}
					got, err = weft.Try(func() weft.Array { return add(x, y) })
				})
				have := "-"
				if err == nil {
					have = strings.ReplaceAll(strings.TrimSuffix(got.Value().Aval().Full(), "[1]"), "bool", "b")
				}
				if have != want {
					t.Errorf("%s: %s+%s = %s, want %s (%v)", c.s.Name(), l, r, have, want, err)
				}
			}
		}
	}
}

// operandNamed returns an array of one element of the named type.
func operandNamed(t *testing.T, name string) weft.Array {
	t.Helper()
	typ, ok := promote.ParseType(name)
	if !ok {
		t.Fatalf("no type %q", name)
	}
	x := weft.OnesOf(typ.DType, 1)
	if typ.Weak {
		x = weft.FromValue(prim.Convert(x.Value(), typ.DType, true))
	}
	return x
}

// Under NumPy the brackets of a sum decide its type, under JAX they do not.
func TestBracketsOnArrays(t *testing.T) {
	statement.Shows(t, "P-7", "under NumPy (i8+u8)+f16 is f32 and i8+(u8+f16) is f16; under JAX every bracketing is f16")
	statement.Shows(t, "P-9", "under JAX a+b+c has the dtype of c+b+a, and x*(y+z) that of x*y+x*z")
	for _, c := range []struct {
		s           promote.System
		left, right string
	}{{promote.NumPy, "f32[1]", "f16[1]"}, {promote.NumPy1, "f32[1]", "f16[1]"}, {promote.JAX, "f16[1]", "f16[1]"}} {
		weft.With(weft.Promotion(c.s), func() {
			a, b, h := operandNamed(t, "i8"), operandNamed(t, "u8"), operandNamed(t, "f16")
			if l, r := arraycheck.TypeText(a.Add(b).Add(h)), arraycheck.TypeText(a.Add(b.Add(h))); l != c.left || r != c.right {
				t.Errorf("%s: %s and %s", c.s.Name(), l, r)
			}
		})
	}
}

// Under JAX's lattice neither order nor brackets decide the type of a sum of three
// or four arrays, nor does spreading a product over a sum, at either default width.
func TestOrderOfSumsOnArrays(t *testing.T) {
	race.Values(t)
	statement.Shows(t, "P-9", "neither order nor brackets decide type and numbers of a sum")
	names := strings.Fields("b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128 i* f* c*")
	for _, bits := range []int{32, 64} {
		weft.With(weft.DefaultBits(bits), func() {
			xs := make([]weft.Array, len(names))
			for i, n := range names {
				if xs[i] = operandNamed(t, n); xs[i].Weak() { // of the default width
					xs[i] = weft.FromValue(prim.Convert(xs[i].Value(), promote.WeakOf(xs[i].DType().Kind(), bits).DType, true))
				}
			}
			equal := func(what string, at []int, l, r weft.Array) {
				if arraycheck.TypeText(l) != arraycheck.TypeText(r) {
					var of []string
					for _, i := range at {
						of = append(of, names[i])
					}
					t.Errorf("%d bits: %s of %v: %s and %s", bits, what, of, arraycheck.TypeText(l), arraycheck.TypeText(r))
				}
			}
			for i, a := range xs {
				for j, b := range xs {
					for k, c := range xs {
						at := []int{i, j, k}
						sum := a.Add(b).Add(c)
						equal("a+b+c and c+b+a", at, sum, c.Add(b).Add(a))
						equal("a+b+c and a+(b+c)", at, sum, a.Add(b.Add(c)))
						equal("a·(b+c) and a·b+a·c", at, a.Mul(b.Add(c)), a.Mul(b).Add(a.Mul(c)))
						l := (i + 5*j + 7*k) % len(xs) // the types of all fours are those of promote's own test
						d := xs[l]
						at = append(at, l)
						equal("((a+b)+c)+d and d+(c+(b+a))", at, sum.Add(d), d.Add(c.Add(b.Add(a))))
						equal("((a+b)+c)+d and (a+c)+(d+b)", at, sum.Add(d), a.Add(c).Add(d.Add(b)))
						equal("a·(b+c+d) and a·b+a·c+a·d", at, a.Mul(b.Add(c).Add(d)), a.Mul(b).Add(a.Mul(c)).Add(a.Mul(d)))
					}
				}
			}
		})
	}
}

// Also the numbers of a sum do not depend on its order where each partial sum is exact in
// the type of the whole.
func TestOrderOfSumsOfWeakFloats(t *testing.T) {
	statement.Shows(t, "P-9", "neither order nor brackets decide type and numbers of a sum")
	a, b, c := weft.Of(uint32(1<<24+1)), weft.Of(int8(0)), weft.Scalar(0.)
	for _, got := range []weft.Array{a.Add(b).Add(c), a.Add(b.Add(c)), c.Add(b).Add(a), b.Add(c).Add(a)} {
		if arraycheck.TypeText(got) != "~f32[1]" || got.Index(0).Float() != 1<<24 {
			t.Errorf("got %v %s, want [16777216] ~f32[1]", got, arraycheck.TypeText(got))
		}
	}
	for name, f := range map[string]func(weft.Array) weft.Array{
		"quotient": func(x weft.Array) weft.Array { return x.Div(x) },
		"mean":     func(x weft.Array) weft.Array { return x.Mean() },
		"sqrt":     weft.Sqrt,
		"angle":    weft.Angle,
		"var":      func(x weft.Array) weft.Array { return x.Var() },
	} {
		x := weft.FromSlice([]int64{1, 4})
		if got := f(x); got.DType() != weft.Float32 || got.Weak() {
			t.Errorf("%s of i64: got %s, want a strong f32", name, arraycheck.TypeText(got))
		}
		weft.With(weft.DefaultBits(64), func() {
			if got := f(x); got.DType() != weft.Float64 || got.Weak() {
				t.Errorf("%s of i64 under DefaultBits(64): got %s, want a strong f64", name, arraycheck.TypeText(got))
			}
		})
	}
}
