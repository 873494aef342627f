package transforms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// controlRecord is a line of control.jsonl: a program with control flow, its value,
// its derivatives with respect to some arguments, and its batches.
type controlRecord struct {
	Name                  string
	In, Out, Tangents, Ct golden.Arrays
	Jvp, Vjp              golden.Arrays
	JvpEager              golden.Arrays `json:"jvp_eager"`
	VjpEager              golden.Arrays `json:"vjp_eager"`
	JvpError              string        `json:"jvp_error"`
	VjpError              string        `json:"vjp_error"`
	DiffArgs              []int         `json:"diff_args"`
	Vmap                  []struct {
		InAxes []*int `json:"in_axes"`
		In     golden.Arrays
		Out    golden.Arrays
		Vjp    golden.Arrays `json:"vmap_vjp"`
	}
}

// textRecord is a line of evals.jsonl or program_texts.jsonl.
type textRecord struct {
	Name, Group, Text string
	In, Out           golden.Arrays
	Exact             bool
}

// notFromText returns derivatives that a record has and its text cannot give: rules are
// not in text, and these loops were traced with bounds that were known numbers,
// while their text has a loop over a bound that is an input.
func notFromText(name, what string) bool {
	switch name {
	case "fori dynamic bound", "fori dynamic lower":
		return what == "vjp"
	case "scan custom_jvp", "scan custom_vjp":
		return what != "value" && what != "vmap"
	}
	return false
}

func TestControlGolden(t *testing.T) {
	records, _ := golden.Records[controlRecord](t, "jax/control.jsonl")
	texts, _ := golden.Records[textRecord](t, "jax/program_texts.jsonl")
	textOf := map[string]textRecord{}
	for _, x := range texts {
		textOf[x.Name] = x
	}
	var values, jvps, vjps, vmaps, vmapVjps, refusals tally
	for _, r := range records {
		text, ok := textOf["control/"+r.Name]
		if !ok {
			continue
		}
		j, err := jaxpr.Parse(golden.NameBlanks(text.Text), prim.Vocabulary)
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		nc := len(j.Consts)
		consts := text.In.Values()[:nc]
		args := func(as golden.Arrays) []core.Value { return slices.Concat(consts, as.Values()) }
		check := func(what string, c *tally, want golden.Arrays, f func() []core.Value) {
			if notFromText(r.Name, what) {
				if err := core.Catch(func() { f() }); err == nil {
					t.Errorf("%s: %s: the text returns a derivative after all", r.Name, what)
				}
				return
			}
			var got []core.Value
			if err := core.Catch(func() { got = f() }); err != nil {
				if op, ok := outside(err); ok {
					c.leave(op)
				} else {
					t.Errorf("%s: %s: %v", r.Name, what, err)
				}
				return
			}
			c.checked++
			if d := compareAll(got, nonzero(want), 5, magnitude(r.Out, r.Tangents, r.Ct, want)); d != "" {
				t.Errorf("%s: %s: %s", r.Name, what, d)
			}
		}
		active := make([]bool, nc+len(r.In))
		for _, k := range r.DiffArgs {
			active[nc+k] = true
		}
		spreadTo := func(vs []core.Value) []core.Value {
			out := make([]core.Value, len(active))
			k := 0
			for i, a := range active {
				if a {
					out[i] = vs[k]
					k++
				}
			}
			return out
		}
		f := func(in []core.Value) []core.Value { return jaxpr.Eval(j, in[:nc], in[nc:]) }
		inexactOuts := func(vs []core.Value) []core.Value {
			var out []core.Value
			for _, v := range vs {
				if v.Aval().DType.IsInexact() {
					out = append(out, v)
				}
			}
			return out
		}
		vjpOf := func(args []core.Value, cts func(outs []core.Value) []core.Value) []core.Value {
			outs, vjp := transforms.VJP(f, args, active)
			got := vjp(cts(outs))
			var out []core.Value
			for i, a := range active {
				if a {
					if got[i] == nil {
						got[i] = prim.Zeros(args[i].Aval())
					}
					out = append(out, got[i])
				}
			}
			return out
		}

		check("value", &values, r.Out, func() []core.Value { return f(args(r.In)) })
		want := r.Jvp
		if r.JvpEager != nil {
			want = r.JvpEager
		}
		if want != nil {
			check("jvp", &jvps, want, func() []core.Value {
				outs, touts := transforms.JVP(f, args(r.In), spreadTo(r.Tangents.Values()))
				for i := range touts {
					if touts[i] == nil {
						touts[i] = prim.Zeros(outs[i].Aval())
					}
				}
				var res []core.Value
				for i, o := range outs {
					if o.Aval().DType.IsInexact() {
						res = append(res, touts[i])
					}
				}
				return res
			})
		}
		want = r.Vjp
		if r.VjpEager != nil {
			want = r.VjpEager
		}
		ctsOf := func(outs []core.Value, given []core.Value) []core.Value {
			cts := make([]core.Value, len(outs))
			k := 0
			for i, o := range outs {
				if o.Aval().DType.IsInexact() {
					cts[i] = given[k]
					k++
				}
			}
			return cts
		}
		if want != nil {
			check("vjp", &vjps, want, func() []core.Value {
				return vjpOf(args(r.In), func(outs []core.Value) []core.Value { return ctsOf(outs, r.Ct.Values()) })
			})
		}
		if r.VjpError != "" {
			err := core.Catch(func() {
				vjpOf(args(r.In), func(outs []core.Value) []core.Value { return ctsOf(outs, r.Ct.Values()) })
			})
			refusals.checked++
			if err == nil || !strings.Contains(err.Error(), "While loop") {
				t.Errorf("%s: vjp must be refused (%s); got %v", r.Name, r.VjpError, err)
			}
		}
		for _, v := range r.Vmap {
			n, mapped := 0, make([]bool, nc+len(v.In))
			in := args(v.In)
			for k, ax := range v.InAxes {
				if ax == nil {
					continue
				}
				n = v.In[k].Shape[*ax]
				in[nc+k] = transforms.MoveAxis(in[nc+k], *ax, 0)
				mapped[nc+k] = true
			}
			batch := func(f func([]core.Value) []core.Value) []core.Value {
				outs, outMapped := transforms.Vmap(n, "", f, in, mapped)
				for k, o := range outs {
					if !outMapped[k] {
						outs[k] = prim.BroadcastInDim(o, o.Aval().Shape.Prepend(n), core.Range(1, o.Aval().Rank()+1))
					}
				}
				return outs
			}
			check("vmap", &vmaps, v.Out, func() []core.Value { return batch(f) })
			if v.Vjp != nil {
				check("vmap of vjp", &vmapVjps, v.Vjp, func() []core.Value {
					return batch(func(in []core.Value) []core.Value {
						return vjpOf(in, func(outs []core.Value) []core.Value {
							var ones []core.Value
							for _, o := range inexactOuts(outs) {
								ones = append(ones, prim.Full(o.Aval(), 1))
							}
							return ctsOf(outs, ones)
						})
					})
				})
			}
		}
	}
	for what, c := range map[string]*tally{"values": &values, "jvp": &jvps, "vjp": &vjps, "vmap": &vmaps, "vmap of vjp": &vmapVjps, "refusals": &refusals} {
		c.log(t, what)
	}
}
