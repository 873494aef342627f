package discharge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms/discharge"
)

// read returns the program of a text and what Program makes of it, which must be right and pure.
func read(t *testing.T, text string) (j, pure *jaxpr.Jaxpr) {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err == nil {
		err = jaxpr.Check(j)
	}
	if err == nil {
		err = core.Catch(func() { pure = discharge.Program(j) })
	}
	if err == nil {
		err = jaxpr.Check(pure)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if s := pure.String(); strings.Contains(s, "Ref{") || pure.Effects() != 0 {
		t.Fatalf("has references or effects:\n%s", s)
	}
	return j, pure
}

// Programs of testdata/refs.py have JAX's results, to rounding, and the gradient of one is that which JAX's program computes.
func TestResults(t *testing.T) {
	records := map[string]golden.Arrays{}
	for r := range goldenfile.Records[struct {
		ID, Text string
		In, Out  golden.Arrays
	}](t, goldenfile.OpenFile(t, "testdata/refs.jsonl.gz")) {
		_, pure := read(t, r.Text)
		if again, err := jaxpr.Parse(pure.String(), prim.Vocabulary); err != nil || jaxpr.Diff(pure, again) != "" {
			t.Errorf("%s: without references its text does not come back: %v", r.ID, err)
		}
		records[r.ID] = r.Out
		n := len(pure.Consts)
		check(t, r.ID, jaxpr.Eval(pure, r.In.Values()[:n], r.In.Values()[n:]), r.Out)
		if r.ID == "simple" {
			y, d := weft.ValueAndGrad(func(x weft.Array) weft.Array {
				return weft.FromValue(jaxpr.Eval(pure, nil, []core.Value{x.Value()})[0]).Sum()
			})(weft.FromValue(r.In.Values()[0]))
			defer func() { check(t, "our gradient", []core.Value{y.Value(), d.Value()}, records["simple_grad"]) }()
		}
	}
	if len(records) < 28 {
		t.Errorf("%d programs were recorded", len(records))
	}
}

func check(t *testing.T, name string, got []core.Value, want golden.Arrays) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d results, want %d", name, len(got), len(want))
		return
	}
	for i, w := range want {
		if d := golden.Compare(got[i], w, 64, 1); d != "" {
			t.Errorf("%s, result %d: %s", name, i, d)
		}
	}
}

// The last values of inputs that are written follow the results; those that are only read stay as they are.
func TestInputs(t *testing.T) {
	_, pure := read(t, "{ lambda ; a:Ref{f32[2]} b:Ref{f32[]} c:f32[]. let\n    d:f32[] <- b[...]\n    e:f32[] = mul c d\n    a[1] += e\n  in (e,) }")
	two, three := weft.Scalar(float32(2)), weft.Scalar(float32(3))
	got := jaxpr.Eval(pure, nil, []core.Value{weft.Of[float32](1, 1).Value(), two.Value(), three.Value()})
	want := []weft.Array{weft.Scalar(float32(6)), weft.Of[float32](1, 7)}
	if !slices.EqualFunc(got, want, func(v core.Value, w weft.Array) bool { return weft.FromValue(v).String() == w.String() }) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A program without references is returned as it is.
func TestPure(t *testing.T) {
	j, pure := read(t, "{ lambda ; a:f32[2]. let b:f32[2] = jit[name=f jaxpr={ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }] a in (b,) }")
	if j != pure {
		t.Error("another program was made")
	}
}

// Programs that are shared, and called with references of one type, stay shared.
func TestShared(t *testing.T) {
	_, pure := read(t, `let f = { lambda ; a:Ref{f32[]}. let b:f32[] <- a[...]; c:f32[] = mul b b; a[...] <- c in (b,) } in
{ lambda ; d:f32[]. let
    e:Ref{f32[]} = new_ref[kind=None memory_space=None] d
    g:f32[] = jit[name=f jaxpr=f] e
    h:f32[] = jit[name=f jaxpr=f] e
    i:f32[] <- e[...]
  in (g, h, i) }`)
	if st := jaxpr.Stats(pure); st.Programs != 2 {
		t.Errorf("%d programs, want 2:\n%v", st.Programs, pure)
	}
	got := jaxpr.Eval(pure, nil, []core.Value{weft.Scalar(float32(3)).Value()})
	if s := weft.FromValue(got[2]).Float(); s != 81 {
		t.Errorf("got %v, want 81", s)
	}
}

// What is done with a reference is known, or an error names the equation.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a:Ref{f32[4]} i:i32[]. let b:f32[3] <- a[i:i+i] in (b,)", "the index i:i+i of an array of shape (4,) is not supported"},
		{"a:Ref{f32[4]}. let b:f32[] <- a[7] in (b,)", "the index 7 of an array of shape (4,)"},
		{"a:Ref{f32[4]} b:f32[2]. let a[...] <- b in ()", "the value has the type f32[2], and what is written f32[4]"},
		{"a:Ref{f32[4]}. let frob a in ()", "frob"},
		{"a:Ref{f32[]} b:f32[]. let c:f32[] = while[body_jaxpr={ lambda ; c:f32[]. let  in (c,) } body_nconsts=0 " +
			"cond_jaxpr={ lambda ; a:Ref{f32[]} c:f32[]. let d:bool[] = lt c c; a[...] <- c in (d,) } cond_nconsts=1] a b in (c,)", "a condition that writes a reference"},
		{"a:Ref{f32[]} b:f32[]. let jit[name=f jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]} c:f32[]. let a[...] <- c; b[...] <- c in () }] a a b in ()", "given twice"},
	} {
		j, err := jaxpr.Parse("{ lambda ; "+c.text+" }", prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		err = core.Catch(func() { discharge.Program(j) })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
