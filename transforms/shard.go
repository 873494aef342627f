package transforms

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"

	_ "github.com/weft-go/weft/transforms/internal/vary" // sets core.Conform
)

// The rules of shard_map: the program of a device is transformed, in a region that binds the
// mesh's axes, and specs follow its inputs and results.

func reshard(p *jaxpr.ShardMap, j *jaxpr.Jaxpr, in, out []jaxpr.Spec) *jaxpr.ShardMap {
	return &jaxpr.ShardMap{Enclosed: p.Enclosed, Jaxpr: j, Mesh: p.Mesh, Manual: p.Manual, In: in, Out: out, Check: p.Check, Within: p.Within}
}

// copies returns n specs of values that are the same on every device.
func copies(n int) []jaxpr.Spec { return make([]jaxpr.Spec, n) }

// residualSpec returns the spec of a residual: its leading axis is cut along all mesh axes along
// which it varies. If types do not record them, it is cut along all axes.
func residualSpec(p *jaxpr.ShardMap, a core.ShapedArray) jaxpr.Spec {
	var names []string
	for _, x := range p.ManualAxes() {
		if !p.Check || a.Vary.Has(x.Name) {
			names = append(names, x.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return jaxpr.Spec{names}
}

// returning returns j with the given results and, after them, residuals; residuals of rank 0 get an
// axis of size 1.
func returning(j *jaxpr.Jaxpr, results, residuals []jaxpr.Atom) *jaxpr.Jaxpr {
	q := rearranged(j, j.Ins, nil)
	q.Eqns = slices.Clone(q.Eqns)
	outs := slices.Clone(results)
	for _, a := range residuals {
		t := a.Aval()
		if t.Rank() == 0 {
			t.Shape = core.MakeDims(1)
			v := jaxpr.NewVar(t)
			q.Eqns = append(q.Eqns, &jaxpr.Eqn{Prim: prim.BroadcastInDimP{Shape: t.Shape}, Ins: []jaxpr.Atom{a}, Outs: []*jaxpr.Var{v}})
			a = v
		}
		outs = append(outs, a)
	}
	q.Outs = outs
	return q
}

// taking returns j with an axis of size 1 added to the inputs of rank 0 that scalar marks.
func taking(j *jaxpr.Jaxpr, scalar []bool) *jaxpr.Jaxpr {
	if !anyTrue(scalar) {
		return j
	}
	q := rearranged(j, slices.Clone(j.Ins), j.Outs)
	var first []*jaxpr.Eqn
	for i, v := range j.Ins {
		if !scalar[i] {
			continue
		}
		t := v.Type
		t.Shape = core.MakeDims(1)
		q.Ins[i] = jaxpr.NewVar(t)
		first = append(first, &jaxpr.Eqn{Prim: prim.SqueezeP{Dims: core.MakeDims(0)}, Ins: []jaxpr.Atom{q.Ins[i]}, Outs: []*jaxpr.Var{v}})
	}
	q.Eqns = concat(first, j.Eqns)
	return q
}

func jvpShardMap(_ *jvp, q core.Primitive, in, t []Value) (outs, touts []Value) {
	p := q.(*jaxpr.ShardMap)
	nz := present(t)
	if !anyTrue(nz) {
		return core.Bind(p, in...), nil
	}
	nout := len(p.Out)
	if p.Closureful() { // custom rules may close over values of one device: these exist only if all devices run as one program
		return newJVP().run(func(vs []Value) []Value { return stacked(p, vs) }, in, t)
	}
	if !splits(p, t) {
		var d *jvpd
		p.Region().Within(func() { d = jvpJaxpr(p.Jaxpr, nz, nil, tracersOnly) })
		s := reshard(p, d.j, concat(copies(len(d.extra)), p.In, pick(p.In, nz)), concat(p.Out, pick(p.Out, d.nz)))
		out := core.Bind(s, concat(d.extra, in, pick(t, nz))...)
		return out[:nout:nout], spread(out[nout:], d.nz)
	}
	var l *linearized
	p.Region().Within(func() { l = linearizeJaxpr(p.Jaxpr, nz, nil, tracersOnly) })
	args := concat(l.extra, in)
	inSpecs := concat(copies(len(l.extra)), p.In)
	var made []jaxpr.Atom // residuals that are not inputs
	var specs []jaxpr.Spec
	outSpecs := slices.Clone(p.Out)
	scalar := make([]bool, len(l.lin.Ins))
	for k, r := range l.res {
		if r.in {
			specs = append(specs, inSpecs[r.index])
			continue
		}
		a := l.fwd.Outs[r.index]
		made = append(made, a)
		spec := residualSpec(p, a.Aval())
		specs, outSpecs = append(specs, spec), append(outSpecs, spec)
		scalar[len(l.linExtra)+k] = a.Aval().Rank() == 0
	}
	fwd := returning(l.fwd, l.fwd.Outs[:nout], made)
	outs = core.Bind(reshard(p, fwd, inSpecs, outSpecs), args...)
	computed := outs[nout:]
	outs = outs[:nout:nout]
	if !anyTrue(l.nz) {
		return outs, nil
	}
	var res []Value
	for _, r := range l.res {
		if r.in {
			res = append(res, args[r.index])
		} else {
			res, computed = append(res, computed[0]), computed[1:]
		}
	}
	lin := reshard(p, taking(l.lin, scalar), concat(copies(len(l.linExtra)), specs, pick(p.In, nz)), pick(p.Out, l.nz))
	touts = core.Bind(lin, concat(l.linExtra, res, pick(t, nz))...)
	return outs, spread(touts, l.nz)
}

type transposeShardKey struct{ lin, ct string }

// transposeShardMap transposes the program. A cotangent of a result is cut like the result. If
// types record what varies (p.Check), the transpose of pvary adds up the cotangents of an operand
// that every device has a copy of. Otherwise each device gets its share of the cotangent of a
// copied result, and the cotangents of copied operands are summed over the devices at the end.
func transposeShardMap(q core.Primitive, cts, in []Value, lin []bool, _ []core.ShapedArray, _ []*jaxpr.Var) []Value {
	p := q.(*jaxpr.ShardMap)
	has := present(cts)
	t := jaxpr.Cached(p.Jaxpr, transposeShardKey{bits(lin), bits(has) + fmt.Sprint(p.In, p.Out)}, func() (t *transposed) {
		p.Region().Within(func() { t = transposeBody(p, lin, has) })
		return t
	}, func(t *transposed) bool { return !core.HasTracer(t.extra) })
	s := reshard(p, t.j, concat(copies(len(t.extra)), pick(p.In, not(lin)), pick(p.Out, has)), pick(p.In, t.nz))
	return spread(core.Bind(s, concat(t.extra, pick(in, not(lin)), pick(cts, has))...), t.nz)
}

func transposeBody(p *jaxpr.ShardMap, lin, has []bool) *transposed {
	j := p.Jaxpr
	avals := pick(j.InAvals(), not(lin))
	n := len(avals)
	for k, a := range j.OutAvals() {
		if has[k] {
			a = a.Tangent()
			if p.Check {
				a.Vary = a.Vary.Union(p.Out[k].Axes())
			}
			avals = append(avals, a)
		}
	}
	// unnamed returns the manual axes of the mesh along which a spec has copies, and the number of copies.
	unnamed := func(s jaxpr.Spec) (names []string, n int) {
		n = 1
		for _, a := range p.ManualAxes() {
			if !slices.Contains(s.Names(), a.Name) {
				names, n = append(names, a.Name), n*a.Size
			}
		}
		return names, n
	}
	t := &transposed{}
	t.j = trace.Stage("transpose", avals, func(in []Value) []Value {
		cts := spread(in[n:], has)
		for k, ct := range cts {
			switch {
			case ct == nil:
			case p.Check:
				if more := ct.Aval().Vary.Minus(j.Outs[k].Aval().Vary); more != 0 {
					cts[k] = prim.Psum(ct, slices.Collect(more.All())...)
				}
			default:
				if _, n := unnamed(p.Out[k]); n > 1 {
					cts[k] = prim.Div(ct, prim.Num(ct.Aval().WithShape(core.Dims{}), float64(n)))
				}
			}
		}
		out := backward(j, spread(in[:n], not(lin)), lin, cts)
		for k, v := range out {
			switch {
			case v == nil:
			case p.Check:
				out[k] = prim.Pvary(v, j.Ins[k].Type.Vary)
			default:
				if names, _ := unnamed(p.In[k]); len(names) > 0 {
					out[k] = prim.Psum(v, names...)
				}
			}
		}
		t.nz = present(out)
		return pick(out, t.nz)
	})
	t.extra = trace.HoistTracers(t.j)
	return t
}

func (b *vmap) batchShardMap(p *jaxpr.ShardMap, in []Value, mapped []bool) ([]Value, []bool) {
	var x *batchedProgram
	p.Region().Within(func() { x = b.batchJaxpr(p.Jaxpr, mapped, nil, tracersOnly) })
	batch := func(specs []jaxpr.Spec, mapped []bool) []jaxpr.Spec {
		specs = slices.Clone(specs)
		for k, m := range mapped {
			if m {
				specs[k] = concat(jaxpr.Spec{nil}, specs[k])
			}
		}
		return specs
	}
	s := reshard(p, x.j, concat(copies(len(x.extra)), batch(p.In, mapped)), batch(p.Out, x.out))
	return core.Bind(s, concat(x.extra, in)...), x.out
}

func splitShardMap(e *jaxpr.Eqn, p *jaxpr.ShardMap, unknown []bool) *splitEquation {
	var s *split
	p.Region().Within(func() { s = splitJaxpr(p.Jaxpr, unknown, nil) })
	nk := len(s.known.Outs) - s.res
	residuals := s.known.Outs[nk:]
	scalar := make([]bool, len(s.unknown.Ins))
	var specs []jaxpr.Spec
	for k, a := range residuals {
		specs = append(specs, residualSpec(p, a.Aval()))
		scalar[k] = a.Aval().Rank() == 0
	}
	known := returning(s.known, s.known.Outs[:nk], residuals)
	var whole []core.ShapedArray
	for k, a := range known.OutAvals()[nk:] {
		a = specs[k].Whole(p.Mesh, "residual", a)
		a.Vary = a.Vary.Minus(core.MakeAxes(p.Manual...))
		whole = append(whole, a)
	}
	first := reshard(p, known, pick(p.In, not(unknown)), concat(pick(p.Out, not(s.out)), specs))
	return parts(e, first, whole, s.out, pick(e.Ins, not(unknown)), func(res []jaxpr.Atom) (core.Primitive, []jaxpr.Atom) {
		return reshard(p, taking(s.unknown, scalar), concat(specs, pick(p.In, unknown)), pick(p.Out, s.out)), concat(res, pick(e.Ins, unknown))
	})
}
