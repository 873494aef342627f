package mistakes_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/random"
)

// Messages name the operation and the shapes that the user wrote, and advise what can be done.
func TestErrorsAdviseWhatHelps(t *testing.T) {
	x, none := weft.Of(1., 2), func(weft.Array) weft.Array { return weft.Array{} }
	keys := random.New(1).SplitN(2).Data
	frozen := weft.Grad(func(p frozenPart) weft.Array { return p.A.Sum().Mul(p.W.Sum()) })(frozenPart{x, weft.Ones(3)})
	reverse := custom.VJP(weft.Sin, func(x weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), x },
		func(x, ct weft.Array) weft.Array { return ct.Mul(weft.Cos(x)) })
	const body = "the body returned the zero Array, which has no value; return an array"
	const function = "the function returned the zero Array, which has no value; return an array"
	const noKey = "takes numbers (got key<fry>[2]): keys of random numbers are no numbers; draw from them with package random"
	const noNumber = `takes numbers (got float0[3]): these are derivatives of integers, or of a field tagged weft:"frozen", which have no elements; leave them out`
	for _, c := range []struct {
		kind error
		want string
		f    func()
	}{
		{core.ErrShape, "MatMul: the batches of f32[4,2,3] and f32[5,3,2] differ: axis 0 of the first has 4 elements, axis 0 of the second 5; make them equal", func() { weft.Ones(4, 2, 3).MatMul(weft.Ones(5, 3, 2)) }},
		{core.ErrShape, "MatMul: the batches of f32[2,4,2,3] and f32[5,3,2] differ: axis 1 of the first has 4 elements, axis 0 of the second 5", func() { weft.Ones(2, 4, 2, 3).MatMul(weft.Ones(5, 3, 2)) }},

		{core.ErrDType, "Sum: " + noKey, func() { keys.Sum() }},
		{core.ErrDType, "Mean: " + noKey, func() { keys.Mean() }},
		{core.ErrDType, "Max: " + noKey, func() { keys.Max() }},
		{core.ErrDType, "CumSum: " + noKey, func() { keys.CumSum() }},
		{core.ErrDType, "Sort: " + noKey, func() { keys.Sort() }},
		{core.ErrDType, "Exp: " + noKey, func() { weft.Exp(keys) }},
		{core.ErrDType, "ToSlice: " + noKey, func() { weft.ToSlice[float32](keys) }},
		{core.ErrDType, "CopyTo: " + noKey, func() { weft.CopyTo([]float32{0}, keys) }},
		{core.ErrPromotion, "Add: key<fry> and i* do not promote under jax: it has no key<fry>; keys of random numbers are no numbers; draw from them", func() { keys.Add(1) }},
		{core.ErrDType, "reduce_sum: " + noKey, func() { lax.ReduceSum(keys, 0) }},

		{core.ErrDType, "Mean: " + noNumber, func() { frozen.W.Mean(0) }},
		{core.ErrDType, "AsType: " + noNumber, func() { frozen.W.AsType(weft.Float32) }},
		{core.ErrDType, "ToSlice: " + noNumber, func() { weft.ToSlice[float32](frozen.W) }},
		{core.ErrPromotion, "it has no float0; these are derivatives of integers", func() { frozen.W.Add(1) }},

		{core.ErrTree, "ForI: " + body, func() { weft.ForI(2, func(_, _ weft.Array) weft.Array { return weft.Array{} }, x) }},
		{core.ErrTree, "While: " + body, func() { weft.While(func(c weft.Array) weft.Array { return c.Sum().Lt(9) }, none, x) }},
		{core.ErrTree, "While: the condition returned the zero Array", func() { weft.While(none, weft.Sin, x) }},
		{core.ErrTree, "Scan: " + body, func() { weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c, weft.Array{} }, x, x) }},
		{core.ErrTree, "Fold: " + body, func() { weft.Fold(func(c, x weft.Array) weft.Array { return weft.Array{} }, x, x) }},
		{core.ErrTree, `MapScan: the body returned the zero Array at ".W"`, func() { weft.MapScan(func(x weft.Array) frozenPart { return frozenPart{A: x} }, x) }},
		{core.ErrTree, "Cond: the false branch returned the zero Array", func() { weft.Cond(weft.Scalar(true), x.Neg, func() weft.Array { return weft.Array{} }) }},
		{core.ErrTree, "Switch: branch 1 returned the zero Array", func() { weft.Switch(weft.Scalar(0), x.Neg, func() weft.Array { return weft.Array{} }) }},
		{core.ErrTree, "Grad: " + function, func() { weft.Grad(none)(x) }},
		{core.ErrTree, "JVP: " + function, func() { weft.JVP(none, x, x) }},
		{core.ErrTree, "Jacfwd: " + function, func() { weft.Jacfwd(none)(x) }},
		{core.ErrTree, "AssociativeScan: " + function, func() { weft.AssociativeScan(func(_, _ weft.Array) weft.Array { return weft.Array{} }, x) }},
		{core.ErrTree, `TreeMap: the function returned no array at ".A"; return one`, func() { weft.TreeMap(none, frozenPart{x, x}) }},
		{core.ErrTree, `TreeMap: leaf ".W" of tree 0 contains no array (was a field not set?); set it`, func() { weft.TreeMap(weft.Sin, frozenPart{A: x}) }},

		{core.ErrShape, "returned another type than was promised for its result (got f32[2], want f32[3]); make them equal", func() { weft.PureCallback(func(weft.Array) weft.Array { return x }, weft.Zeros(3), x) }},
		{core.ErrDType, `returned another type than was promised for ".A" (got f32[2], want i32[2])`, func() {
			weft.IOCallback(func(weft.Array) frozenPart { return frozenPart{x, x} }, frozenPart{weft.Of(1, 2), x}, x)
		}},
		{core.ErrTree, "the example and the result of the function differ in structure", func() { weft.PureCallback(func(weft.Array) []weft.Array { return nil }, []weft.Array{x}, x) }},

		{core.ErrNoRule, "Linearize: a function with a reverse rule alone (custom.VJP, rule ", func() { _, linear := weft.Linearize(reverse, x); linear(x) }},

		{core.ErrDType, "ZerosOf: no array has elements of type index, which only promotion systems have (package promote); use another, such as u64", func() { weft.ZerosOf(promote.Index, 2) }},
		{core.ErrDType, "AsType: no array has elements of type address", func() { x.AsType(promote.Address) }},
		{core.ErrDType, "AsType: no array has elements of type tf32, which only promotion systems have (package promote); use another, such as f32", func() { x.AsType(promote.TF32) }},
		{core.ErrDType, "Normal: no array has elements of type tf32", func() { random.Normal(random.As(random.New(1), promote.TF32), 2) }},
		{core.ErrDType, "convert_element_type: no array has elements of type c32", func() { lax.ConvertElementType(x, promote.Complex32) }},
		{core.ErrDType, "OnesOf: no array has elements of type index", func() { weft.Jit(func(x weft.Array) weft.Array { return weft.OnesOf(promote.Index, 2) })(x) }},
	} {
		testcheck.Fails(t, c.kind, c.f, c.want, "words_test.go:")
	}
}

type frozenPart struct {
	A weft.Array
	W weft.Array `weft:"frozen"`
}

// A file of a gradient lacks the leaves without elements: loading it elsewhere names what the
// file has.
func TestLoadNamesWhatTheFileHas(t *testing.T) {
	p := frozenPart{weft.Of(1., 2), weft.Ones(3)}
	g := weft.Grad(func(p frozenPart) weft.Array { return p.A.Sum().Mul(p.W.Sum()) })(p)
	var file bytes.Buffer
	if err := weft.Save(&file, g); err != nil {
		t.Fatal(err)
	}
	again := g
	if err := weft.Load(bytes.NewReader(file.Bytes()), &again); err != nil || !again.A.Equal(g.A) || again.W.DType() != weft.Float0 {
		t.Errorf("into a gradient: got %v, %v; want %v", again, err, g)
	}
	err := weft.Load(&file, &p)
	if want := `the file has no array "W" (it has "A"); load into a tree of its names`; !errors.Is(err, core.ErrTree) || !strings.Contains(err.Error(), want) {
		t.Errorf("into the parameters: got %v, want %q", err, want)
	}
}
