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
	if len(records) != 29 {
		t.Errorf("%d programs were recorded, want the 29 of refs.py", len(records))
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

// The positions of a slice beside an array count from the end where they are negative, each by itself, and so do unsigned numbers
// that are negative as i32. JAX gives these values.
func TestPositionsFromEnd(t *testing.T) {
	x := weft.Arange[float32](20).Reshape(4, 5)
	for _, c := range []struct {
		text string
		in   []weft.Array
		want []weft.Array
	}{
		{"a:i32[2] b:f32[4,5] c:i32[]. let d:Ref{f32[4,5]} = new_ref b; e:f32[2,3] <- d[a,c:c+3]; f:f32[2,3] = neg e; d[a,c:c+3] <- f; g:f32[4,5] <- d[...] in (e, g)",
			[]weft.Array{weft.Of[int32](0, 1), x, weft.Scalar(int32(-1))},
			[]weft.Array{
				weft.Of[float32](4, 0, 1, 9, 5, 6).Reshape(2, 3),
				weft.Of[float32](0, -1, 2, 3, -4, -5, -6, 7, 8, -9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19).Reshape(4, 5),
			}},
		{"a:f32[5] b:u32[]. let c:Ref{f32[5]} = new_ref a; d:f32[] <- c[b] in (d,)",
			[]weft.Array{weft.Arange[float32](5), weft.Scalar(uint32(0xffffffff))}, []weft.Array{weft.Scalar(float32(4))}},
		{"a:f32[5] b:u32[2]. let c:Ref{f32[5]} = new_ref a; d:f32[2] <- c[b] in (d,)",
			[]weft.Array{weft.Arange[float32](5), weft.Of[uint32](0xfffffffe, 1)}, []weft.Array{weft.Of[float32](3, 1)}},
		{"a:f32[300] b:u8[]. let c:Ref{f32[300]} = new_ref a; d:f32[] <- c[b] in (d,)",
			[]weft.Array{weft.Arange[float32](300), weft.Scalar(uint8(255))}, []weft.Array{weft.Scalar(float32(255))}},
	} {
		_, pure := read(t, "{ lambda ; "+c.text+" }")
		var in []core.Value
		for _, v := range c.in {
			in = append(in, v.Value())
		}
		for i, v := range jaxpr.Eval(pure, nil, in) {
			if got := weft.FromValue(v).Add(weft.Scalar(float32(0))); got.String() != c.want[i].Add(weft.Scalar(float32(0))).String() {
				t.Errorf("%s: result %d is %v, want %v", c.text, i, got, c.want[i])
			}
		}
	}
}

// References that make_jaxpr prints as constants are inputs, before the others.
func TestConstants(t *testing.T) {
	_, pure := read(t, "{ lambda a:Ref{f32[3]} k:f32[3]; b:f32[]. let a[0] <- b; c:f32[3] <- a[...]; d:Ref{f32[3]} = new_ref c; e:f32[3] <- d[...]; f:f32[3] = add e k in (f,) }")
	got := jaxpr.Eval(pure, nil, []core.Value{weft.Of[float32](1, 2, 3).Value(), weft.Of[float32](10, 10, 10).Value(), weft.Scalar(float32(7)).Value()})
	for i, want := range []weft.Array{weft.Of[float32](17, 12, 13), weft.Of[float32](7, 2, 3)} {
		if g := weft.FromValue(got[i]); g.String() != want.String() {
			t.Errorf("result %d is %v, want %v", i, g, want)
		}
	}
}

// A condition and the body of a while may have one reference, which the body writes.
func TestSharedByCondition(t *testing.T) {
	_, pure := read(t, "{ lambda ; a:Ref{f32[]} b:f32[]. let c:f32[] = while[body_jaxpr={ lambda ; a:Ref{f32[]} c:f32[]. let d:f32[] = add c 1.0:f32[]; a[...] <- d in (d,) } body_nconsts=1 "+
		"cond_jaxpr={ lambda ; a:Ref{f32[]} c:f32[]. let e:f32[] <- a[...]; d:bool[] = lt e 3.0:f32[] in (d,) } cond_nconsts=1] a a b in (c,) }")
	got := jaxpr.Eval(pure, nil, []core.Value{weft.Scalar(float32(0)).Value(), weft.Scalar(float32(1)).Value()})
	for i := range 2 {
		if g := weft.FromValue(got[i]).Float(); g != 3 {
			t.Errorf("result %d is %v, want 3", i, g)
		}
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
		{"a:Ref{f32[]} b:f32[]. let c:f32[] = jit[name=f jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]} c:f32[]. let a[...] <- c; d:f32[] <- b[...] in (d,) }] a a b in (c,)", "given twice"},
		{"a:Ref{f32[]} i:i32[]. let c:f32[] = cond[branches=({ lambda ; a:Ref{f32[]} b:Ref{f32[]}. let c:f32[] <- a[...] in (c,) } { lambda ; a:Ref{f32[]} b:Ref{f32[]}. let a[...] <- 1.0:f32[]; c:f32[] <- b[...] in (c,) })] i a a in (c,)", "given twice"},
		{"a:Ref{f32[]} b:f32[]. let c:f32[] = while[body_jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]} c:f32[]. let a[...] <- c; d:f32[] <- b[...] in (d,) } body_nconsts=2 " +
			"cond_jaxpr={ lambda ; c:f32[]. let d:bool[] = lt c c in (d,) } cond_nconsts=0] a a b in (c,)", "given twice"},
		{"a:Ref{f32[]} b:f32[]. let c:f32[] = while[body_jaxpr={ lambda ; a:Ref{f32[]} c:f32[]. let a[...] <- c in (c,) } body_nconsts=1 " +
			"cond_jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]} c:f32[]. let e:f32[] <- a[...]; f:f32[] <- b[...]; d:bool[] = lt e f in (d,) } cond_nconsts=2] a a a b in (c,)", "given twice"},
		{"a:Ref{f32[]} b:f32[2]. let c:f32[2] = scan[_split_transpose=False jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]} c:f32[]. let a[...] <- c; d:f32[] <- b[...] in (d,) } " +
			"length=2 linear=(False, False, False) num_carry=0 num_consts=2 reverse=False unroll=1] a a b in (c,)", "given twice"},
		{"a:Ref{f32[]}. let b:f32[] c:f32[] = run_state[jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]}. let a[...] <- 1.0:f32[]; c:f32[] <- b[...] in () }] a a in (b,)", "given twice"},
		{"x:f32[]. let y:f32[] = frob[jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]}. let c:f32[] <- a[...]; b[...] <- c in () }] x in (y,)", "what it does with a reference is not known"},
		{"x:f32[]. let y:f32[] = jit[name=f jaxpr={ lambda a:Ref{f32[]}; x:f32[]. let y:f32[] <- a[...] in (y,) }] x in (y,)", "a constant that is a reference"},
		{"a:Ref{f32[4]}. let b:f32[3] <- a[...] in (b,)", "result 0 is declared as f32[3], but is f32[4]"},
		{"a:f32[2]. let b:Ref{f32[3]} = new_ref a; c:f32[3] <- b[...] in (c,)", "result 0 is declared as Ref{f32[3]}, but is f32[2]"},
		{"a:Ref{f32[2]}. let b:Ref{f32[2]} = jit[name=f jaxpr={ lambda ; a:Ref{f32[2]}. let in (a,) }] a; c:f32[2] <- b[...] in (c,)", "another name"},
		{"x:f32[2]. let a:Ref{f32[2]} b:Ref{f32[2]} = jit[name=f jaxpr={ lambda ; x:f32[2]. let a:Ref{f32[2]} = new_ref x in (a, a) }] x; c:f32[2] <- b[...] in (c,)", "another name"},
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
