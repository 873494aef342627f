package jaxpr_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

func TestEval(t *testing.T) {
	sin := math.Sin
	for _, c := range []struct {
		name, text string
		args, want []float64
	}{
		{"chain", "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = add a b in (c,) }", []float64{2}, []float64{2 + sin(2)}},
		{"literals", "{ lambda ; a:f32[]. let b:f32[] = add a 1.5:f32[] in (b, 3.0:f32[], a) }", []float64{2}, []float64{3.5, 3, 2}},
		{"unused", "{ lambda ; a:f32[] b:f32[]. let _:f32[] = sin a; c:f32[] = sin b in (c, c) }", []float64{2, 3}, []float64{sin(3), sin(3)}},
		{"operand twice", "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = add b b; d:f32[] = add c b in (d,) }", []float64{1}, []float64{3 * sin(1)}},
		{"nothing", "{ lambda ; . let  in () }", nil, nil},
		{"jit", `{ lambda ; a:f32[]. let
			b:f32[] = jit[name=f jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }] a
			in (b,) }`, []float64{2}, []float64{sin(2)}},
	} {
		j := parse(t, c.text)
		args := make([]core.Value, len(c.args))
		for i, x := range c.args {
			args[i] = num(x)
		}
		withToys(t, func(*toyBottom) {
			out := jaxpr.Eval(j, nil, args)
			if len(out) != len(c.want) {
				t.Fatalf("%s: %d results", c.name, len(out))
			}
			for i, v := range out {
				x, ok := v.(num)
				if l, isLit := v.(core.Literal); isLit {
					x, ok = num(l.Num.Float()), true
				}
				if !ok || float64(x) != c.want[i] {
					t.Errorf("%s: result %d is %v, want %v", c.name, i, v, c.want[i])
				}
			}
		})
	}
}

// Eval states what it does not take, by name.
func TestEvalRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{ lambda ; a:f32[]. let b:f32[] = frobnicate[x=1] a in (b,) }", "frobnicate: cannot be evaluated: it is not in the vocabulary"},
		{"{ lambda a:f32[]; . let  in (a,) }", "does not contain the values of its 1 constant"},
		{"{ lambda ; a:Ref{f32[]}. let b:f32[] <- a[...] in (b,) }", "get: cannot be evaluated: its mutable reference is in the way"},
	} {
		j, err := jaxpr.Parse(c.text, toyVo)
		if err != nil {
			t.Fatal(err)
		}
		withToys(t, func(*toyBottom) {
			args := make([]core.Value, len(j.Ins))
			for i := range args {
				args[i] = num(0)
			}
			err = core.Catch(func() { jaxpr.Eval(j, nil, args) })
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	j := parse(t, "{ lambda ; a:f32[]. let  in (a,) }")
	if err := core.Catch(func() { jaxpr.Eval(j, nil, nil) }); !errors.Is(err, core.ErrCheck) {
		t.Errorf("a missing argument: %v", err)
	}
}

// big is a value whose memory is noticed.
type big struct{ _ [1 << 20]byte }

func (*big) Aval() core.ShapedArray { return f32 }

type bigBottom struct{ toyBottom }

func (*bigBottom) Interpret(core.Primitive, []core.Value) []core.Value { return []core.Value{&big{}} }

// A long chain keeps as many values as are alive, not as many as were made.
func TestEvalFreesValues(t *testing.T) {
	j := chain(400)
	old := core.Bottom
	defer func() { core.Bottom = old }()
	core.Bottom = &bigBottom{}
	var m runtime.MemStats
	jaxpr.Eval(j, nil, []core.Value{&big{}})
	runtime.GC()
	runtime.ReadMemStats(&m)
	peak := uint64(0)
	core.Bottom = &watching{peak: &peak}
	jaxpr.Eval(j, nil, []core.Value{&big{}})
	if peak > m.HeapAlloc+40<<20 {
		t.Errorf("a chain of 400 values of 1 MiB held %d MiB", (peak-m.HeapAlloc)>>20)
	}
}

type watching struct {
	toyBottom
	peak *uint64
	n    int
}

func (w *watching) Interpret(core.Primitive, []core.Value) []core.Value {
	if w.n++; w.n%20 == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		*w.peak = max(*w.peak, m.HeapAlloc)
	}
	return []core.Value{&big{}}
}

// chain returns a program of n equations, each adding the last result to itself.
func chain(n int) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	v := b.Input(f32)
	for range n {
		v = b.Eqn(addP, v, v)[0]
	}
	return b.Build(v)
}
