// Package vary makes the operands of operations in a region over a mesh vary along the same axes of
// the mesh. It sets core.Conform.
package vary

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

func init() { core.Conform = conform }

// conform makes the operands of an operation vary along the same axes of the mesh. Those of a call
// vary as the inputs of its program do. Where an operand varies along more axes than the input, the
// program is rewritten for it.
func conform(r *core.Region, p core.Primitive, in []core.Value) (q core.Primitive, operands, results []core.Value) {
	if v, ok := p.(prim.PvaryP); ok {
		axes := v.Set().Minus(in[0].Aval().Vary)
		if axes == 0 {
			return nil, nil, in
		}
		if axes != v.Set() {
			v.Axes = prim.MakeNames(r.Order(axes)...)
		}
		return v, in, nil
	}
	if core.Calls(p) {
		q, operands = conformCall(p, in)
		return q, operands, nil
	}
	var vary core.Axes
	for _, v := range in {
		vary = vary.Union(v.Aval().Vary)
	}
	if core.NamesAxes(p) { // collectives along an axis take what varies along it
		vary = vary.Union(r.Varying(core.AxisNamesOf(p)))
	}
	return p, varying(in, func(int) core.Axes { return vary }), nil
}

// varying returns the values, made to vary along the axes of want too.
func varying(in []core.Value, want func(i int) core.Axes) []core.Value {
	out := in
	for i, v := range in {
		w := prim.Pvary(v, want(i))
		if w == v {
			continue
		}
		if &out[0] == &in[0] {
			out = slices.Clone(in)
		}
		out[i] = w
	}
	return out
}

// taken returns the input types of a call's programs and the number of the first operand that
// they apply to. The types are nil if unknown.
func taken(p core.Primitive) (from int, types []core.ShapedArray) {
	switch p := p.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall, *jaxpr.Remat, *jaxpr.Scan, *jaxpr.LinearCall, *jaxpr.CustomJVP, *jaxpr.CustomVJP, *jaxpr.CustomVmap:
		if js := jaxpr.Programs(p); len(js) > 0 {
			return 0, js[0].InAvals()
		}
	case *jaxpr.Cond:
		return 1, p.Branches[0].InAvals() // after the index
	case *jaxpr.While:
		return 0, slices.Concat(p.Cond.InAvals()[:p.CondConsts], p.Body.InAvals())
	case *jaxpr.ShardMap:
		types = p.Jaxpr.InAvals()
		manual := core.MakeAxes(p.Manual...)
		for i := range types {
			types[i].Vary = types[i].Vary.Minus(manual)
		}
		return 0, types
	}
	return 0, nil
}

// conformCall makes the operands of a call, and the inputs of its programs, vary along the same axes.
func conformCall(p core.Primitive, in []core.Value) (core.Primitive, []core.Value) {
	from, types := taken(p)
	if types == nil || len(types) != len(in)-from {
		return p, in
	}
	var chosen core.Axes // axes along which the index, and so the branch, differs
	if from > 0 {
		chosen = in[0].Aval().Vary
	}
	in = varying(in, func(i int) core.Axes {
		if i < from {
			return 0
		}
		return types[i-from].Vary.Union(chosen)
	})
	args := make([]core.Axes, len(types))
	same := true
	for i, t := range types {
		args[i] = in[from+i].Aval().Vary
		same = same && args[i] == t.Vary
	}
	switch p := p.(type) {
	case *jaxpr.Cond:
		return conformCond(p, in, args, same), in
	case *jaxpr.Scan:
		return conformScan(p, in, args, same)
	case *jaxpr.While:
		return conformWhile(p, in, args, same)
	case *jaxpr.ShardMap:
		if same {
			return p, in
		}
		q := *p
		for i := range args {
			args[i] = args[i].Union(p.Jaxpr.Ins[i].Type.Vary)
		}
		p.Region().Within(func() { q.Jaxpr = revary(p.Jaxpr, args, nil) })
		return &q, in
	}
	if same {
		return p, in
	}
	q, _ := jaxpr.WithPrograms(p, slices.Concat([]*jaxpr.Jaxpr{revary(jaxpr.Programs(p)[0], args, nil)}, jaxpr.Programs(p)[1:]))
	return q, in
}

type revaryKey struct{ in, out string }

// revary returns j for inputs that vary along the axes of in. If out is not nil, results vary
// along its axes too.
func revary(j *jaxpr.Jaxpr, in, out []core.Axes) *jaxpr.Jaxpr {
	return jaxpr.Cached(j, revaryKey{axesKey(in), axesKey(out)}, func() *jaxpr.Jaxpr {
		avals := j.InAvals()
		for i := range avals {
			avals[i].Vary = in[i]
		}
		return trace.Stage("vary", avals, func(vs []core.Value) []core.Value {
			outs := jaxpr.Eval(j, nil, vs)
			if out == nil {
				return outs
			}
			return varying(outs, func(i int) core.Axes { return out[i] })
		})
	}, func(k *jaxpr.Jaxpr) bool { return !core.HasTracer(k.ConstVals) })
}

func axesKey(as []core.Axes) string {
	b := make([]byte, 0, 2*len(as))
	for _, a := range as {
		b = append(b, byte(a), byte(a>>8))
	}
	return string(b)
}

func varyOf(avals []core.ShapedArray) []core.Axes {
	out := make([]core.Axes, len(avals))
	for i, a := range avals {
		out[i] = a.Vary
	}
	return out
}

// conformCond makes the results of all branches vary along the same axes, which include those of
// the index.
func conformCond(c *jaxpr.Cond, in []core.Value, args []core.Axes, same bool) core.Primitive {
	branches := slices.Clone(c.Branches)
	if !same {
		for i, b := range branches {
			branches[i] = revary(b, args, nil)
		}
	}
	want := make([]core.Axes, len(branches[0].Outs))
	for i := range want {
		want[i] = in[0].Aval().Vary
		for _, b := range branches {
			want[i] = want[i].Union(b.Outs[i].Aval().Vary)
		}
	}
	for i, b := range branches {
		if !slices.Equal(varyOf(b.OutAvals()), want) {
			same = false
			branches[i] = revary(b, args, want)
		}
	}
	if same {
		return c
	}
	q := *c
	q.Branches = branches
	return &q
}

// conformScan makes carries vary along all axes along which they do at the end of an iteration.
func conformScan(s *jaxpr.Scan, in []core.Value, args []core.Axes, same bool) (core.Primitive, []core.Value) {
	q := *s
	lo, hi := s.NumConsts, s.NumConsts+s.NumCarry
	for {
		if !same {
			q.Jaxpr = revary(s.Jaxpr, args, nil)
		}
		outs := varyOf(q.Jaxpr.OutAvals())
		grown := false
		for i := lo; i < hi; i++ {
			if more := outs[i-lo].Minus(args[i]); more != 0 {
				args[i], grown = args[i].Union(more), true
			}
		}
		if grown {
			same = false
			continue
		}
		if want := slices.Concat(args[lo:hi], outs[s.NumCarry:]); !slices.Equal(outs, want) {
			q.Jaxpr, same = revary(s.Jaxpr, args, want), false
		}
		if same {
			return s, in
		}
		return &q, varying(in, func(i int) core.Axes { return args[i] })
	}
}

// conformWhile makes carries vary along all axes along which they, or the condition, do.
func conformWhile(w *jaxpr.While, in []core.Value, args []core.Axes, same bool) (core.Primitive, []core.Value) {
	q := *w
	cc, bc := w.CondConsts, w.CondConsts+w.BodyConsts
	for {
		carry := args[bc:]
		if !same || !slices.Equal(varyOf(w.Cond.InAvals()[cc:]), carry) {
			q.Body = revary(w.Body, args[cc:], nil)
			q.Cond = revary(w.Cond, slices.Concat(args[:cc], carry), nil)
			same = false
		}
		outs := varyOf(q.Body.OutAvals())
		pred := q.Cond.Outs[0].Aval().Vary
		grown := false
		for i := range carry {
			if more := outs[i].Union(pred).Minus(carry[i]); more != 0 {
				carry[i], grown = carry[i].Union(more), true
			}
		}
		if grown {
			same = false
			continue
		}
		if !slices.Equal(outs, carry) {
			q.Body, same = revary(w.Body, args[cc:], carry), false
		}
		if same {
			return w, in
		}
		return &q, varying(in, func(i int) core.Axes { return args[i] })
	}
}
