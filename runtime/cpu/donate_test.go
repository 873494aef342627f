//go:build linux

package cpu_test

import (
	"context"
	"errors"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// gradientStep subtracts a product from an array that is donated.
func gradientStep() *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	w, x, y := b.Input(core.Aval(core.Float32, 40, 50)), b.Input(core.Aval(core.Float32, 30, 40)), b.Input(core.Aval(core.Float32, 30, 50))
	d := core.MakeDims
	g := b.Eqn(prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, y, x)[0]
	g = b.Eqn(prim.TransposeP{Perm: d(1, 0)}, g)[0]
	return b.Build(b.Eqn(prim.SubP{}, w, g)[0])
}

// A result takes the memory of a donated input; a run that fails leaves the input as it was.
func TestDonatedInPlace(t *testing.T) {
	e := nativeExecutor(t)
	j := gradientStep()
	o := newOperation(t, 11, 3)
	args := make([]*runtime.Array, 3)
	for i, v := range j.Ins {
		args[i] = o.mem[i].array(v.Type, true)
		fill(o.r, args[i], false)
	}
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
	if err != nil {
		t.Fatal(err)
	}
	for _, donated := range [][]bool{nil, {true, false, false}} {
		x, err := e.Compile(&runtime.Request{Jaxpr: j, Donated: donated})
		if err != nil {
			t.Fatal(err)
		}
		before := string(args[0].Tensor().Data)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := x.Run(ctx, args, make([]*runtime.Array, 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled run: %v", err)
		}
		if string(args[0].Tensor().Data) != before {
			t.Errorf("donated = %v: a run that failed changed the input", donated)
		}
		got := make([]*runtime.Array, 1)
		if err := x.Run(context.Background(), args, got); err != nil {
			t.Fatal(err)
		}
		if string(got[0].Tensor().Data) != string(want[0].Tensor().Data) {
			t.Errorf("donated = %v: %s", donated, difference(got[0], want[0]))
		}
		same := &got[0].Tensor().Data[0] == &args[0].Tensor().Data[0]
		bytes := 40 * 50 * 4
		if donated != nil {
			bytes = 0
		}
		if same != (donated != nil) || x.Account().ResultBytes != bytes {
			t.Errorf("donated = %v: the result lies in the input: %v; results of %d bytes, want %d", donated, same, x.Account().ResultBytes, bytes)
		}
	}
}

// A loop changes rows of a carried array in place: its time does not grow with the array.
func TestCarryInPlace(t *testing.T) {
	const rows, width = 300, 700
	f := func(in []core.Value) []core.Value {
		i64 := func(n int64) core.Value { return core.Lit(core.IntNumber(n), core.Int32) }
		c := trace.While(func(c []core.Value) core.Value { return prim.Lt(c[0], i64(rows)) }, func(c []core.Value) []core.Value {
			row := indexed.DynamicSlice(c[1], []core.Value{c[0], i64(0)}, core.MakeDims(1, width))
			back := prim.Sub(i64(rows-1), c[0])
			return []core.Value{prim.Add(c[0], i64(1)), indexed.DynamicUpdateSlice(c[1], prim.Neg(row), []core.Value{back, i64(0)}), c[2]}
		}, []core.Value{i64(0), in[0], in[0]})
		return []core.Value{c[1], c[2], in[0]}
	}
	j := trace.Stage("f", []core.ShapedArray{core.Aval(core.Float32, rows, width)}, f)
	a := runtime.New(j.Ins[0].Type)
	fill(newOperation(t, 12, 1).r, a, false)
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, []*runtime.Array{a})
	if err != nil {
		t.Fatal(err)
	}
	x, err := nativeExecutor(t).Compile(&runtime.Request{Jaxpr: j})
	if err != nil {
		t.Fatal(err)
	}
	if f := x.Account().Fallbacks; len(f) > 0 {
		t.Errorf("the reference runs %v", f)
	}
	got := make([]*runtime.Array, 3)
	if err := x.Run(context.Background(), []*runtime.Array{a}, got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if string(got[i].Tensor().Data) != string(want[i].Tensor().Data) {
			t.Errorf("result %d: %s", i, difference(got[i], want[i]))
		}
	}
	if n := x.Account().ArenaBytes; n > rows*width*4+64<<10 {
		t.Errorf("the loop has %d bytes beside its results, want its array at most once", n)
	}
}

// A result of small elements in the memory of an operand is right at every length: what is
// left of the last vector has as many lanes as the wider operands allow.
func TestInPlaceBesideWiderElements(t *testing.T) {
	e := nativeExecutor(t)
	r := newOperation(t, 13, 0).r
	for n := 65; n <= 140; n++ {
		for _, narrow := range []core.DType{core.Bool, core.Int8, core.Float16, core.Float32} {
			b := jaxpr.NewBuilder()
			c, x, y := b.Input(core.Aval(narrow, n)), b.Input(core.Aval(core.Float64, n)), b.Input(core.Aval(core.Float64, n))
			less := b.Eqn(prim.LtP{}, x, y)[0]
			var kept jaxpr.Atom
			if narrow == core.Bool {
				kept = b.Eqn(prim.AndP{}, c, less)[0]
			} else {
				kept = b.Eqn(prim.SubP{}, c, b.Eqn(prim.ConvertElementTypeP{NewDType: narrow}, less)[0])[0]
			}
			j := b.Build(kept, b.Eqn(prim.MulP{}, x, y)[0])
			args := []*runtime.Array{runtime.New(c.Aval()), runtime.New(x.Aval()), runtime.New(y.Aval())}
			for _, a := range args {
				fill(r, a, false)
			}
			want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.Compile(&runtime.Request{Jaxpr: j, Donated: []bool{true, true, false}})
			if err != nil {
				t.Fatal(err)
			}
			got := make([]*runtime.Array, 2)
			if err := p.Run(context.Background(), args, got); err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if string(got[i].Tensor().Data) != string(want[i].Tensor().Data) {
					t.Errorf("%d elements of %v, result %d: %s", n, narrow, i, difference(got[i], want[i]))
				}
			}
		}
	}
}
