package lax_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// programRecord is a line of control.jsonl or programs.jsonl: a program's source and value;
// in control.jsonl also its derivatives and its batches.
type programRecord struct {
	Name, Src             string
	X64, Exact            bool
	In, Out, Tangents, Ct golden.Arrays
	Jvp, Vjp              golden.Arrays
	JvpEager              golden.Arrays `json:"jvp_eager"` // op by op, without fused multiply-adds
	VjpEager              golden.Arrays `json:"vjp_eager"`
	VjpError              string        `json:"vjp_error"`
	DiffArgs              []int         `json:"diff_args"`
	Eager                 golden.Arrays // of programs.jsonl
	Vmap                  []struct {
		InAxes   []*int `json:"in_axes"`
		In       golden.Arrays
		Out      golden.Arrays
		OutEager golden.Arrays `json:"out_eager"`
		Vjp      golden.Arrays `json:"vmap_vjp"` // the batch of vjps, for cotangents of ones
		VjpEager golden.Arrays `json:"vmap_vjp_eager"`
		VjpError string        `json:"vmap_vjp_error"`
	}
}

// recordRun runs one record.
type recordRun struct {
	t *testing.T
	programRecord
	what string          // value, jvp, …
	used map[string]bool // of cancelling
}

// program is the record's program as calls of the packages.
func (r *recordRun) program(in []array) []array { return jax.Program(r.Src, "")(in...) }

// smooth returns the program as a function of the arguments by which the record
// differentiates, with those of its results that are not integers.
func (r *recordRun) smooth(in []array) (f func(diff []array) []array, diff []array) {
	for _, k := range r.DiffArgs {
		diff = append(diff, in[k])
	}
	return func(diff []array) []array {
		args := slices.Clone(in)
		for i, k := range r.DiffArgs {
			args[k] = diff[i]
		}
		return slices.DeleteFunc(r.program(args), func(x array) bool { return !x.DType().IsInexact() })
	}, diff
}

func (r *recordRun) jvp(in []array) []array {
	f, diff := r.smooth(in)
	_, tangents := weft.JVP(f, diff, jax.Arrays(r.Tangents.Values()))
	return tangents
}

func (r *recordRun) vjp(ct func(outs []array) []array) func(in []array) []array {
	return func(in []array) []array {
		f, diff := r.smooth(in)
		outs, vjp := weft.VJP(f, diff)
		return vjp(ct(outs))
	}
}

// check evaluates f operation by operation and as a traced program, which must give the same
// bits, and compares each element with the record's.
func (r *recordRun) check(f func(in []array) []array, in []array, want golden.Arrays) {
	var eager, staged []array
	if err := jax.Catch(r.Name, func() { eager = f(in) }); err != nil {
		r.t.Errorf("%s: %s: %v\n%s", r.Name, r.what, err, r.Src)
		return
	}
	err := jax.Catch(r.Name, func() {
		j := trace.Stage("f", core.AvalsOf(jax.Values(in)), func(vs []core.Value) []core.Value { return jax.Values(f(jax.Arrays(vs))) })
		staged = jax.Arrays(jaxpr.Eval(j, j.ConstVals, jax.Values(in)))
	})
	if err != nil {
		r.t.Errorf("%s: %s: traced: %v\n%s", r.Name, r.what, err, r.Src)
		return
	}
	if len(eager) != len(want) || len(staged) != len(want) {
		r.t.Errorf("%s: %s: %d results, traced %d, want %d", r.Name, r.what, len(eager), len(staged), len(want))
		return
	}
	for i, w := range want {
		a, b := golden.Concrete(eager[i].Value()), golden.Concrete(staged[i].Value())
		if !a.Aval().SameType(b.Aval()) || !bytes.Equal(a.Tensor().Data, b.Tensor().Data) {
			r.t.Errorf("%s: %s: result %d is %v, traced %v", r.Name, r.what, i, a, b)
		}
		r.compare(i, b, w)
	}
}

// compare compares a result with the record's: bits where the record is exact, else 4 ulps
// of each element, or of the terms that cancel in it.
func (r *recordRun) compare(i int, got core.Value, want golden.Array) {
	ulps := 4.0
	if r.Exact {
		ulps = 0
	}
	key := fmt.Sprintf("%s: %s: %d", r.Name, r.what, i)
	d := golden.CompareAt(got, want, ulps, 0)
	if c, ok := cancelling[key]; ok {
		r.used[key] = true
		if d == "" {
			r.t.Errorf("%s: nothing cancels: remove it from the list", key)
		}
		if golden.CompareAt(got, want, ulps, c.terms/2) == "" {
			r.t.Errorf("%s: terms of %g suffice", key, c.terms/2)
		}
		d = golden.CompareAt(got, want, ulps, c.terms)
	}
	if d != "" {
		r.t.Errorf("%s: %s\n%s", key, d, r.Src)
	}
}

// The programs of the records, written as calls of the packages, have JAX's values,
// derivatives and batches.
func TestRecordedPrograms(t *testing.T) {
	used, seen, texts := map[string]bool{}, map[string]bool{}, map[string]string{}
	printed, _ := golden.Records[struct{ Name, Text string }](t, "jax/program_texts.jsonl")
	for _, p := range printed {
		texts[p.Name] = p.Text
	}
	for _, file := range []string{"control", "programs"} {
		records, whole := golden.Records[programRecord](t, "jax/"+file+".jsonl")
		if least := map[string]int{"control": 100, "programs": 154}[file]; whole && len(records) < least {
			t.Errorf("%s: %d records, want %d", file, len(records), least)
		}
		for _, rec := range records {
			r := &recordRun{t: t, programRecord: rec, used: used}
			bits := 32
			if r.X64 {
				bits = 64
			}
			weft.With(weft.DefaultBits(bits), func() {
				r.all()
				seen[r.Name] = true
				text, printed := texts[file+"/"+r.Name]
				same := file == "control" && otherText[r.Name] == "" || slices.Contains(textsOfJAX, r.Name)
				switch {
				case !printed && (whole || file == "control"):
					t.Errorf("%s: there is no text of JAX's", r.Name)
				case printed && r.printsAs(text) != same:
					t.Errorf("%s: prints as in JAX: %v, want %v; correct the list\n%s", r.Name, !same, same, r.Src)
				}
			})
		}
	}
	for _, name := range slices.AppendSeq(slices.Clone(textsOfJAX), maps.Keys(otherText)) {
		if goldenfile.Whole() && !seen[name] {
			t.Errorf("no record is %s", name)
		}
	}
	for key := range cancelling {
		if goldenfile.Whole() && !used[key] {
			t.Errorf("no record has %s", key)
		}
	}
}

// otherText are the programs of control.jsonl that do not print as in JAX, with what prints
// otherwise. The design requires JAX's text for lax's operations only.
var otherText = map[string]string{
	"switch in fori":      "%: JAX calls it in a jit of its own",
	"select":              "where: JAX calls it in a jit of its own",
	"while collatz":       "%: JAX calls it in a jit of its own, and so where",
	"while gcd":           "%: JAX calls it in a jit of its own",
	"masked loop":         "where: JAX calls it in a jit of its own",
	"power by squaring":   "%: JAX calls it in a jit of its own, and so where",
	"fori updates array":  "an index is converted before its sign is looked at",
	"fori dynamic gather": "an index is converted before its sign is looked at",
	"early exit search":   "an index is converted before its sign is looked at",
	"bubble sort":         "an index is converted before its sign is looked at",
	"fori matrix power":   "eye: JAX adds the offset 0",
	"scan of grad":        "the derivative of x²: JAX leaves out the power 1",
	"grad of scan inside": "the cotangents of two uses are added one equation later",
	"vmap axis 1":         "the mapped axis is moved first, not within the scan",
	"hessian of scan":     "the axes of a broadcast print as NumPy numbers in JAX",
	"jacfwd of fori":      "the axes of a broadcast print as NumPy numbers in JAX",
}

// textsOfJAX are the programs of programs.jsonl that print as in JAX. The others use
// functions of jax.numpy, indices or derivatives that are staged by other operations here.
var textsOfJAX = []string{
	"mlp forward", "gru step vmapped", "rk4 pendulum", "depthwise conv", "transposed conv", "embedding grad", "select_tril",
	"xorshift generator", "gram-schmidt", "thomas tridiagonal solve", "edit distance", "einsum ij,jk->ik",
	"einsum ij,kj->ik", "einsum ij,ij->ij", "einsum ij,ij->", "einsum ij->ji", "einsum ij->", "einsum ij->i",
	"einsum i,j->ij", "einsum i,i->", "einsum bij,bjk->bik", "einsum bij,bkj->bik", "einsum bij,jk->bik",
	"einsum ijk,ikl->ijl", "einsum abc,cd->abd", "einsum abc,abd->cd", "einsum ab,cd->abcd", "einsum abcd->dcba",
	"einsum i,ij,j->", "einsum bhqd,bhkd->bhqk", "einsum ij,jk", "einsum ba", "einsum ij,ij->j", "einsum ...i,i->...",
	"einsum a...,a...->...",
}

// printsAs reports whether the traced program prints as a text.
func (r *recordRun) printsAs(text string) bool {
	in := r.In.Values()
	j := trace.Stage("f", core.AvalsOf(in), func(vs []core.Value) []core.Value { return jax.Values(r.program(jax.Arrays(vs))) })
	return j.String() == text
}

func (r *recordRun) all() {
	in := jax.Arrays(r.In.Values())
	r.what = "value"
	r.check(r.program, in, first(r.Eager, r.Out))
	known := func(f func(in []array) []array) func(diff []array) []array {
		return func(diff []array) []array {
			args := slices.Clone(in)
			for i, k := range r.DiffArgs {
				args[k] = diff[i]
			}
			return f(args)
		}
	}
	var diff []array
	for _, k := range r.DiffArgs {
		diff = append(diff, in[k])
	}
	if r.Jvp != nil {
		r.what = "jvp"
		r.check(known(r.jvp), diff, first(r.JvpEager, r.Jvp))
	}
	ct := func([]array) []array { return jax.Arrays(r.Ct.Values()) }
	if r.Vjp != nil {
		r.what = "vjp"
		r.check(known(r.vjp(ct)), diff, first(r.VjpEager, r.Vjp))
	}
	if r.VjpError != "" {
		r.what = "vjp"
		r.refused(r.vjp(ct), in, r.VjpError)
	}
	ones := func(outs []array) []array { return weft.OnesLike(outs) }
	for _, v := range r.Vmap {
		var axes []any
		for _, ax := range v.InAxes {
			if ax == nil {
				axes = append(axes, weft.None)
			} else {
				axes = append(axes, *ax)
			}
		}
		in := jax.Arrays(v.In.Values())
		batch := func(f func(in []array) []array) func(in []array) []array { return weft.Vmap(f, weft.In(axes)) }
		r.what = fmt.Sprint("vmap", axes)
		r.check(batch(r.program), in, first(v.OutEager, v.Out))
		r.what = fmt.Sprint("vmap of vjp", axes)
		if v.Vjp != nil {
			r.check(batch(r.vjp(ones)), in, first(v.VjpEager, v.Vjp))
		}
		if v.VjpError != "" {
			r.refused(batch(r.vjp(ones)), in, v.VjpError)
		}
	}
}

// refused checks that tracing f is an error of reverse mode, as in JAX.
func (r *recordRun) refused(f func(in []array) []array, in []array, theirs string) {
	err := jax.Catch(r.Name, func() {
		trace.Stage("f", core.AvalsOf(jax.Values(in)), func(vs []core.Value) []core.Value { return jax.Values(f(jax.Arrays(vs))) })
	})
	if err == nil || !strings.Contains(err.Error(), throughWhile) {
		r.t.Errorf("%s: %s: got %v, want an error; JAX: %s", r.Name, r.what, err, theirs)
	}
}

const throughWhile = "does not go through a While loop"

// first returns the values op by op where they differ from the compiled ones.
func first(eager, compiled golden.Arrays) golden.Arrays {
	if eager != nil {
		return eager
	}
	return compiled
}
