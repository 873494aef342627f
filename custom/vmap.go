package custom

import (
	"sync/atomic"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
)

// Vmap returns f with a user-defined batching rule. When [weft.Vmap] maps f, rule runs once for
// all n elements: in p the leaves whose truth value in mapped is true have a leading axis of size
// n. It returns the results and, in their form, truth values that mark those with the axis; the
// zero Array is false.
//
// Derivatives of the function on a batch are those of the rule, in forward and in reverse mode. f
// must not close over mapped values; pass them as arguments.
//
// With a nil rule Vmap calls f for one element after the other, as [weft.MapScan] does: for
// functions that take much memory, or that cannot be batched.
//
// Names are shown in IR text for f and for the rule.
func Vmap[P, O any](f func(P) O, rule func(n int, mapped, p P) (out, outMapped O), names ...weft.NameOption) func(P) O {
	leaves.RequireNonNil("custom.Vmap", f)
	c := &vmapFunc[P, O]{c: newCustom[P, O]("custom.Vmap", f, nil), rule: rule, oneByOne: rule == nil}
	if rule == nil {
		c.rule = c.sequential
	}
	c.c.names = namesOf(names, f, c.rule)
	return c.call
}

type vmapFunc[P, O any] struct {
	c    *custom[P, O]
	rule func(n int, mapped, p P) (O, O)

	oneByOne bool // rule is sequential
}

func (c *vmapFunc[P, O]) call(p P) O {
	return c.c.call(p, func(def defOf, out *resultForm) core.Primitive {
		var types atomic.Pointer[[]core.ShapedArray] // of the function's results, once it has run
		f := c.c.flat(def, out)
		q := &jaxpr.CustomVmap{Fn: c.c.names[0].Short, F: func(in []core.Value) []core.Value {
			outs := f(in)
			avals := core.AvalsOf(outs)
			types.CompareAndSwap(nil, &avals)
			return outs
		}}
		q.RuleName, q.OneByOne = c.c.names[1].Short, c.oneByOne
		q.Rule = func(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
			o, om := c.rule(n, truths[P](def, mapped), together[P](def, in))
			outs, d := c.c.fo.Values(c.c.op, &o)
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

// marks reads which results the rule marks as mapped.
func (c *vmapFunc[P, O]) marks(n int, o *O, outs []core.Value, om *O) []bool {
	said, wrong := c.c.fo.Fit(o, om)
	if wrong != "" {
		c.c.fail(nil, "the flags that batching rule %s returns must have their structure: %s", c.c.names[1].Rule(), wrong)
	}
	marks := make([]bool, len(outs))
	for k, v := range said {
		if v == nil {
			continue
		}
		if a := v.Aval(); a.DType != core.Bool || a.Rank() != 0 {
			c.c.fail([]core.ShapedArray{a}, "batching rule %s must state for each result whether it is mapped, as weft.Scalar(true) or false; it returns %s%s", c.c.names[1].Rule(), a.Full(), leaves.AtPath(c.c.fo.Path(o, k)))
		}
		marks[k] = weft.FromValue(v).Bool()
		if a := outs[k].Aval(); marks[k] && (a.Rank() == 0 || a.Shape.At(0) != n) {
			c.c.fail([]core.ShapedArray{a}, "batching rule %s marks its result %s%s as mapped: then its first axis must have %s", c.c.names[1].Rule(), a.Full(), leaves.AtPath(c.c.fo.Path(o, k)), core.Count(n, "element"))
		}
	}
	return marks
}

// same refuses results of a rule that are not of the function's types.
func (c *vmapFunc[P, O]) same(n int, o *O, outs []core.Value, marks []bool, types []core.ShapedArray) {
	if len(outs) != len(types) {
		c.c.fail(types, "batching rule %s returns %s, the function %d; they must have the same structure", c.c.names[1].Rule(), core.Count(len(outs), "array"), len(types))
	}
	for k, v := range outs {
		want := types[k]
		if marks[k] {
			want = want.WithShape(want.Shape.Prepend(n))
		}
		if got := v.Aval(); !got.SameType(want) {
			c.c.fail([]core.ShapedArray{want, got}, "batching rule %s returns %s%s where the function returns %s for each of %d elements; it must be %s",
				c.c.names[1].Rule(), got.Full(), leaves.AtPath(c.c.fo.Path(o, k)), types[k].Full(), n, want.Full())
		}
	}
}

// sequential is the rule of a function that is called for one element after the other.
func (c *vmapFunc[P, O]) sequential(_ int, mapped, p P) (O, O) {
	vals, def := c.c.fp.Flatten(&p)
	marks, _ := c.c.fp.Flatten(&mapped)
	var xs []weft.Array
	for k, m := range marks {
		if weft.FromValue(m).Bool() {
			xs = append(xs, weft.FromValue(vals[k]))
		}
	}
	out := weft.MapScan(func(xs []weft.Array) O {
		in := append([]core.Value(nil), vals...)
		for k, m := range marks {
			if weft.FromValue(m).Bool() {
				in[k], xs = xs[0].Value(), xs[1:]
			}
		}
		return c.call(together[P](def, in))
	}, xs)
	outs, odef := c.c.fo.Flatten(&out)
	all := make([]bool, len(outs))
	for k := range all {
		all[k] = true
	}
	return out, truths[O](odef, all)
}
