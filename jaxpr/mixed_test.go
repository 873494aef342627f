package jaxpr_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// A value that mixes programs with Python's objects prints as it was, whether the operation is known
// or not, and a vocabulary reads the programs in it.
func TestMixedValues(t *testing.T) {
	const value = "({ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }, <object object at 0xXXXXXXXXXXXX>, let f = { lambda ; a:f32[]. let  in (a,) } in\n" +
		"{ lambda ; b:f32[]. let\n    c:f32[] = jit[name=f jaxpr=f] b\n    d:f32[] = jit[name=f jaxpr=f] c\n  in (d,) }, (1, 'let x = {'), None)"
	const text = "let f = { lambda ; a:f32[]. let  in (a,) } in\n{ lambda ; b:f32[]. let\n    c:f32[] = frob[\n      a=1\n      static=" + value + "\n      z=2\n    ] b\n  in (c,) }"
	for name, voc := range map[string]jaxpr.Vocabulary{"unknown": nil, "known": {"frob": readFrob}} {
		j, err := jaxpr.Parse(text, voc)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := j.String(); got != text {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, text)
		}
	}
	if j := frobOf(t, text); len(j.mixed.Programs) != 2 || len(j.mixed.Around) != 3 || !strings.HasSuffix(j.mixed.Around[2], "(1, 'let x = {'), None)") {
		t.Errorf("got %q", j.mixed.Around)
	}
	for _, bad := range []string{
		strings.Replace(text, "let b:f32[] = sin a", "let b:f32[] = ", 1),
		strings.Replace(text, "(1, ", "((1, ", 1),
		strings.Replace(text, "jaxpr=f] b", "jaxpr=g] b", 1),
	} {
		if j, err := jaxpr.Parse(bad, nil); err == nil {
			t.Errorf("%s\nreads as\n%v", bad, j)
		}
	}
}

// frobP is an operation with a value of programs and other things.
type frobP struct{ mixed *jaxpr.Mixed }

func (frobP) Name() string                                      { return "frob" }
func (frobP) Abstract(in []core.ShapedArray) []core.ShapedArray { return in }

func (p frobP) Params() []core.Param {
	return []core.Param{{Key: "a", Value: "1"}, {Key: "static", Value: *p.mixed}, {Key: "z", Value: "2"}}
}

func readFrob(r *jaxpr.ParamReader) core.Primitive {
	r.Ignore("a", "z")
	m := r.Mixed("static")
	return frobP{&m}
}

func frobOf(t *testing.T, text string) frobP {
	t.Helper()
	j, err := jaxpr.Parse(text, jaxpr.Vocabulary{"frob": readFrob})
	if err != nil {
		t.Fatal(err)
	}
	return j.Eqns[0].Prim.(frobP)
}

// Programs of a solve within a shared program are compared with the shared programs around it, of which one may use
// the program that is being read.
func TestSolveWithinSharedPrograms(t *testing.T) {
	const text = "let f = { lambda ; a:f32[]. let\n    b:f32[] = custom_linear_solve[\n" +
		"      const_lengths=_LinearSolveTuple(matvec=0, vecmat=0, solve=0, transpose_solve=0)\n" +
		"      jaxprs=_LinearSolveTuple(matvec={ lambda ; a:f32[]. let b:f32[] = neg a in (b,) }, vecmat=None, solve={ lambda ; a:f32[]. let  in (a,) }, transpose_solve=None)\n" +
		"    ] a\n  in (b,) } in\nlet g = { lambda ; c:f32[]. let d:f32[] = jit[name=f jaxpr=f] c in (d,) } in\n" +
		"let jaxpr = { lambda ; e:f32[]. let h:f32[] = neg e in (h,) } in\nlet jaxpr1 = { lambda ; i:f32[]. let  in (i,) } in\n" +
		"{ lambda ; j:f32[]. let\n    k:f32[] = jit[name=f jaxpr=f] j\n    l:f32[] = jit[name=g jaxpr=g] k\n    m:f32[] = jit[name=g jaxpr=g] l\n  in (m,) }"
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	if got := j.String(); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
}

// Axes may be written as a range.
func TestRangesOfAxes(t *testing.T) {
	read := func(value string) (jaxpr.Vocabulary, *core.Dims) {
		var got core.Dims
		return jaxpr.Vocabulary{"frob": func(r *jaxpr.ParamReader) core.Primitive {
			got = r.Field("d", "axes")
			return frobP{&jaxpr.Mixed{}}
		}}, &got
	}
	for value, want := range map[string]core.Dims{
		"range(0, 0)": core.MakeDims(), "range(1, 4)": core.MakeDims(1, 2, 3), "range(5, 0, -2)": core.MakeDims(5, 3, 1), "range(3, 1)": core.MakeDims(),
		"(2, 1)": core.MakeDims(2, 1),
	} {
		voc, got := read(value)
		if _, err := jaxpr.Parse("{ lambda ; a:f32[]. let b:f32[] = frob[d=Numbers(axes="+value+", more=())] a in (b,) }", voc); err != nil || *got != want {
			t.Errorf("%s: got %v, %v; want %v", value, *got, err, want)
		}
	}
	for _, value := range []string{"range(0)", "range(0, 4, 0)", "range(0, 1000000000000)", "range(0, x)", "range(0, 1, 2, 3)"} {
		voc, _ := read(value)
		if _, err := jaxpr.Parse("{ lambda ; a:f32[]. let b:f32[] = frob[d=Numbers(axes="+value+")] a in (b,) }", voc); err == nil || !strings.Contains(err.Error(), "must be a tuple of integers") {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// A sharding on one device places nothing.
func TestShardingOnOneDevice(t *testing.T) {
	const text = "{ lambda ; a:f32[2,3]. let\n    b:f32[6] = reshape[\n      dimensions=None\n      new_sizes=(6,)\n      sharding=NamedSharding(mesh=AbstractMesh('S': %), spec=P(None,))\n    ] a\n  in (b,) }"
	for size, known := range map[string]bool{"1": true, "2": false} {
		j, err := jaxpr.Parse(strings.Replace(text, "%", size, 1), prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		if _, outside := jaxpr.Outside(j.Eqns[0].Prim); outside == known {
			t.Errorf("a mesh of %s: outside the vocabulary: %t", size, outside)
		}
	}
}
