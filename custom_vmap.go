package weft

import (
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// CustomVmap returns f with a batching rule of the user's. When Vmap maps f, rule runs once
// for all n elements: in p the leaves whose truth value in mapped is true have a leading
// axis of size n. It gives the results and, in their form, truth values that say which of
// them have the axis; the zero Array is false.
//
// Derivatives of the function on a batch are those of the rule, in forward and in
// reverse mode. f must not close over what is mapped; pass it as an argument.
//
// Names are what IR text shows for f and for the rule.
func CustomVmap[P, O any](f func(P) O, rule func(n int, mapped, p P) (out, outMapped O), names ...NameOption) func(P) O {
	functions("CustomVmap", f, rule)
	c := NewCustomVmap(f, names...)
	c.Rule(rule)
	return c.Call
}

// CustomVmapFunc is a function whose batching rule comes later: see [NewCustomVmap].
type CustomVmapFunc[P, O any] struct {
	c     *custom[P, O]
	rule  func(n int, mapped, p P) (O, O)
	given []NameOption
}

// NewCustomVmap returns [CustomVmap] without its rule, which is set with Rule before the
// function is mapped. It is the form for rules that call the function itself.
func NewCustomVmap[P, O any](f func(P) O, names ...NameOption) *CustomVmapFunc[P, O] {
	functions("NewCustomVmap", f)
	return &CustomVmapFunc[P, O]{c: newCustom[P, O]("CustomVmap", f, namesOf(names, f)), given: names}
}

// Rule sets the batching rule.
func (c *CustomVmapFunc[P, O]) Rule(rule func(n int, mapped, p P) (out, outMapped O)) {
	functions("Rule", rule)
	c.rule, c.c.names = rule, namesOf(c.given, c.c.f, rule)
}

// Call applies the function.
func (c *CustomVmapFunc[P, O]) Call(p P) O {
	return c.c.call(p, func(def defOf, out *resultForm) core.Primitive {
		var types atomic.Pointer[[]core.ShapedArray] // of the function's results, once it has run
		f := c.c.flat(def, out)
		q := &jaxpr.CustomVmap{Fn: c.c.names[0].name, F: func(in []core.Value) []core.Value {
			outs := f(in)
			avals := core.AvalsOf(outs)
			types.CompareAndSwap(nil, &avals)
			return outs
		}}
		if c.rule == nil {
			q.Rule = func(int, []core.Value, []bool) ([]core.Value, []bool) {
				c.c.fail(nil, "is mapped, but no batching rule was set: call Rule before")
				return nil, nil
			}
			return q
		}
		q.RuleName = c.c.names[1].name
		q.Rule = func(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
			o, om := c.rule(n, truths[P](def, mapped), together[P](def, in))
			outs, d := c.c.fo.values(c.c.op, &o)
			out.set(d)
			marks := c.marks(n, &o, outs, &om)
			if t := types.Load(); t != nil {
				c.same(n, &o, outs, marks, *t)
			}
			return outs, marks
		}
		return q
	})
}

// marks reads which results a rule says are mapped.
func (c *CustomVmapFunc[P, O]) marks(n int, o *O, outs []core.Value, om *O) []bool {
	said, wrong := c.c.fo.fit(o, om)
	if wrong != "" {
		c.c.fail(nil, "what batching rule %s says of its results must have their structure: %s", c.c.names[1].rule(), wrong)
	}
	marks := make([]bool, len(outs))
	for k, v := range said {
		if v == nil {
			continue
		}
		if a := v.Aval(); a.DType != core.Bool || a.Rank() != 0 {
			c.c.fail([]core.ShapedArray{a}, "batching rule %s must say of each result whether it is mapped, as weft.Scalar(true) or false; it gives %s%s", c.c.names[1].rule(), a.Full(), at(c.c.fo.path(o, k)))
		}
		marks[k] = FromValue(v).Bool()
		if a := outs[k].Aval(); marks[k] && (a.Rank() == 0 || a.Shape.At(0) != n) {
			c.c.fail([]core.ShapedArray{a}, "batching rule %s says that its result %s%s is mapped: then its first axis must have %s", c.c.names[1].rule(), a.Full(), at(c.c.fo.path(o, k)), core.Count(n, "element"))
		}
	}
	return marks
}

// same refuses results of a rule that are not of the function's types.
func (c *CustomVmapFunc[P, O]) same(n int, o *O, outs []core.Value, marks []bool, types []core.ShapedArray) {
	if len(outs) != len(types) {
		c.c.fail(types, "batching rule %s gives %s, the function %d; they must have the same structure", c.c.names[1].rule(), core.Count(len(outs), "array"), len(types))
	}
	for k, v := range outs {
		want := types[k]
		if marks[k] {
			want = want.WithShape(want.Shape.Prepend(n))
		}
		if got := v.Aval(); !got.SameType(want) {
			c.c.fail([]core.ShapedArray{want, got}, "batching rule %s gives %s%s where the function gives %s for each of %d elements; it must be %s",
				c.c.names[1].rule(), got.Full(), at(c.c.fo.path(o, k)), types[k].Full(), n, want.Full())
		}
	}
}

// SequentialVmap returns f that Vmap maps one element after the other, as [MapScan] does: for
// functions that take much memory, or that cannot be batched.
func SequentialVmap[P, O any](f func(P) O, names ...NameOption) func(P) O {
	functions("SequentialVmap", f)
	c := NewCustomVmap(f, names...)
	c.c.op = "SequentialVmap"
	fp, fo := c.c.fp, c.c.fo
	c.Rule(func(_ int, mapped, p P) (O, O) {
		vals, def := fp.apart(&p)
		marks, _ := fp.apart(&mapped)
		var xs []Array
		for k, m := range marks {
			if FromValue(m).Bool() {
				xs = append(xs, FromValue(vals[k]))
			}
		}
		out := MapScan(func(xs []Array) O {
			in := append([]core.Value(nil), vals...)
			for k, m := range marks {
				if FromValue(m).Bool() {
					in[k], xs = xs[0].Value(), xs[1:]
				}
			}
			return c.Call(together[P](def, in))
		}, xs)
		outs, odef := fo.apart(&out)
		said := make([]bool, len(outs))
		for k := range said {
			said[k] = true
		}
		return out, truths[O](odef, said)
	})
	return c.Call
}
