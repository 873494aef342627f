package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// A form is how a value is cut, without its pieces: nil for a whole one.
type form = *Placed

func formsOf(vs []Value) []form {
	out := make([]form, len(vs))
	for i, v := range vs {
		if x, ok := v.(*Placed); ok {
			out[i] = x.like(nil, x.aval)
		}
	}
	return out
}

// piecesOf returns the pieces of placed values, and whole values as they are.
func piecesOf(vs []Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		if out[i] = v; v != nil {
			if x, ok := v.(*Placed); ok {
				out[i] = x.Pieces
			}
		}
	}
	return out
}

// placedAs is the inverse of piecesOf.
func placedAs(fs []form, vs []Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		if out[i] = v; fs[i] != nil {
			out[i] = fs[i].like(v, fs[i].aval)
		}
	}
	return out
}

type localProgram struct {
	j    *jaxpr.Jaxpr
	outs []form
}

type localKey struct {
	forms      string
	generation int
}

// local returns the program on the pieces of arguments of the given forms; pieces are their types. Each
// result is cut like its form in want, unless that form is nil; want may be nil.
func local(j *jaxpr.Jaxpr, in []form, pieces []core.ShapedArray, want []form) *localProgram {
	key := ""
	for _, fs := range [][]form{in, want} {
		for _, f := range fs {
			if key += ";"; f != nil {
				key += f.Describe()
			}
		}
		key += "|"
	}
	return jaxpr.Cached(j, localKey{key, job.generation}, func() *localProgram {
		p := &localProgram{}
		p.j = trace.Stage("local", pieces, func(vs []Value) []Value {
			outs := evalPlaced(j, placedAs(in, vs))
			for i, f := range want {
				if f != nil {
					outs[i] = f.fitted(outs[i])
				}
			}
			p.outs = formsOf(outs)
			return piecesOf(outs)
		})
		if job.parts != nil {
			p.j = job.overlapped(p.j)
		}
		return p
	}, func(p *localProgram) bool { return !core.HasTracer(p.j.ConstVals) })
}

func (f form) fitted(v Value) Value {
	x, ok := v.(*Placed)
	switch {
	case !ok:
		return f.like(f.cut(v), v.Aval())
	case !f.alike(x):
		core.Failf(core.ErrDevice, "a value that %s in one place %s in another; cut it alike in both with ShardMap", f.Describe(), x.Describe())
	}
	return v
}

func placedJit(p *jaxpr.Jit, in []Value) []Value {
	pieces := piecesOf(in)
	l := local(p.Jaxpr, formsOf(in), core.AvalsOf(pieces), nil)
	q := *p
	q.Jaxpr, q.Donated = l.j, nil
	return placedAs(l.outs, core.Bind(&q, pieces...))
}

// merged returns the forms of a, with those of b where a has none. grown reports whether b had
// any there.
func merged(a, b []form) (out []form, grown bool) {
	out = slices.Clone(a)
	for i, f := range b {
		if out[i] == nil && f != nil {
			out[i], grown = f, true
		}
	}
	return out, grown
}

// fitAll returns the values, cut like the forms where these are not nil.
func fitAll(fs []form, vs []Value) []Value {
	out := slices.Clone(vs)
	for i, f := range fs {
		if f != nil {
			out[i] = f.fitted(vs[i])
		}
	}
	return out
}

// row returns the form of a row of a loop's operand.
func (x *Placed) row(op string) form {
	if len(x.Spec[0]) > 0 {
		core.FailOp(core.ErrDevice, op, []core.ShapedArray{x.aval}, "the loop runs over the first axis of an array, but %s; cut another axis, or loop within ShardMap", x.Describe())
	}
	r := x.like(nil, x.aval.WithShape(x.aval.Shape.Slice(1, x.aval.Rank())))
	r.Spec = x.Spec[1:]
	return r
}

// depth returns the number of leading axes of the pieces.
func (x *Placed) depth() int { return len(x.Spec.Names()) }

func placedScan(s *jaxpr.Scan, in []Value) []Value {
	consts, carry, xs := scanParts(s, in)
	_, kept, rows := scanParts(s, formsOf(in))
	args := piecesOf(xs)
	for i, f := range rows {
		if f != nil {
			args[i] = MoveAxis(args[i], f.depth(), 0)
			rows[i] = f.row("scan")
		}
	}
	var rowTypes []core.ShapedArray
	for _, v := range args {
		a := v.Aval()
		rowTypes = append(rowTypes, a.WithShape(a.Shape.Slice(1, a.Rank())))
	}
	for {
		fitted := fitAll(kept, carry)
		types := concat(core.AvalsOf(piecesOf(consts)), core.AvalsOf(piecesOf(fitted)), rowTypes)
		l := local(s.Jaxpr, concat(formsOf(consts), kept, rows), types, kept)
		more, grown := merged(kept, l.outs[:len(kept)])
		if grown {
			kept = more
			continue
		}
		q := *s
		q.Jaxpr = l.j
		outs := core.Bind(&q, concat(piecesOf(consts), piecesOf(fitted), args)...)
		result := placedAs(l.outs[:len(kept)], outs[:len(kept)])
		for i, v := range outs[len(kept):] {
			if f := l.outs[len(kept)+i]; f != nil {
				y := f.like(MoveAxis(v, 0, f.depth()), f.aval.WithShape(f.aval.Shape.Prepend(s.Length)))
				y.Spec = concat(jaxpr.Spec{nil}, f.Spec)
				v = y
			}
			result = append(result, v)
		}
		return result
	}
}

func placedWhile(w *jaxpr.While, in []Value) []Value {
	cc, bc, carry := whileParts(w, in)
	kept := formsOf(carry)
	for {
		fitted := fitAll(kept, carry)
		args := piecesOf(fitted)
		body := local(w.Body, concat(formsOf(bc), kept), core.AvalsOf(concat(piecesOf(bc), args)), kept)
		more, grown := merged(kept, body.outs)
		if grown {
			kept = more
			continue
		}
		cond := local(w.Cond, concat(formsOf(cc), kept), core.AvalsOf(concat(piecesOf(cc), args)), nil)
		if cond.outs[0] != nil {
			core.FailOp(core.ErrDevice, "while", core.AvalsOf(in), "the condition %s; loop within ShardMap", cond.outs[0].Describe())
		}
		q := *w
		q.Cond, q.Body = cond.j, body.j
		return placedAs(kept, core.Bind(&q, concat(piecesOf(cc), piecesOf(bc), args)...))
	}
}

func placedCond(c *jaxpr.Cond, in []Value) []Value {
	if x, ok := in[0].(*Placed); ok {
		core.FailOp(core.ErrDevice, "cond", core.AvalsOf(in), "the index %s; choose within ShardMap", x.Describe())
	}
	args := piecesOf(in[1:])
	want := make([]form, len(c.Branches[0].Outs))
	q := *c
	q.Branches = slices.Clone(c.Branches)
	branch := func(i int) *localProgram {
		return local(c.Branches[i], formsOf(in[1:]), core.AvalsOf(args), want)
	}
	for i := range c.Branches {
		want, _ = merged(want, branch(i).outs)
	}
	for i := range c.Branches {
		q.Branches[i] = branch(i).j
	}
	return placedAs(want, core.Bind(&q, concat(in[:1], args)...))
}
