package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

func init() { jaxpr.Stacked = stacked }

// stacked evaluates a program over a mesh, at once for all devices that this process runs: operands are cut, the program
// is mapped over the mesh's axes, the first outermost, and results are joined. A value that is
// the same on all devices along an axis is held once.
func stacked(p *jaxpr.ShardMap, in []Value) []Value {
	h := hereFor(p)
	if !h.several() || p.Closureful() {
		return h.stacked(p, in)
	}
	j := trace.Stage(p.Name(), core.AvalsOf(in), func(in []Value) []Value { return h.stacked(p, in) })
	return eval(job.overlapped(j), in)
}

func (h here) stacked(p *jaxpr.ShardMap, in []Value) []Value {
	h.begin(p)
	args := make([]Value, len(in))
	for i, v := range in {
		args[i] = h.cut(v, p.In[i])
	}
	outs, mapped := h.run(p, args)
	everywhere := here{h.axes, make([]*Part, len(h.axes))}
	for i, v := range outs {
		outs[i] = join(h.axes, everywhere.fit(h.whole(v, mapped[i]), p.Out[i], mapped[i]), p.Out[i])
	}
	h.end()
	return outs
}

// here is what this process runs of a mesh.
type here struct {
	axes  []jaxpr.MeshAxis
	parts []*Part // of each axis; nil for all of it
}

func hereOf(axes []jaxpr.MeshAxis) here {
	return here{axes, PartsOf(axes)}
}

// hereFor is hereOf for the mesh of a program. If a device of another mesh runs the program, this
// process runs all devices of the mesh of the program.
func hereFor(p *jaxpr.ShardMap) here {
	axes := p.ManualAxes()
	if p.Within {
		return here{axes, make([]*Part, len(axes))}
	}
	return hereOf(axes)
}

func (h here) named(s jaxpr.Spec) []bool {
	m := make([]bool, len(h.axes))
	names := s.Names()
	for k, a := range h.axes {
		m[k] = slices.Contains(names, a.Name)
	}
	return m
}

func (h here) size(k int) int {
	if p := h.parts[k]; p != nil {
		return p.Hi - p.Lo
	}
	return h.axes[k].Size
}

// local returns this process's rows of an array that was cut.
func (h here) local(v Value, s jaxpr.Spec) Value {
	front := 0
	for k, named := range h.named(s) {
		if !named {
			continue
		}
		if h.parts[k] != nil {
			v = h.parts[k].local(v, front)
		}
		front++
	}
	return v
}

// whole returns the rows of all processes. The leading axes of v are the axes of the mesh that
// mapped marks.
func (h here) whole(v Value, mapped []bool) Value {
	front := 0
	for k, m := range mapped {
		if !m {
			continue
		}
		if h.parts[k] != nil {
			v = job.whole(h.parts[k], v, front)
		}
		front++
	}
	return v
}

// fit returns rows whose leading axes are those of the mesh that the spec names; those of v are
// the ones that mapped marks. Along an axis that only the spec names, rows are repeated. Along one
// that it does not name, the first device's are taken.
func (h here) fit(v Value, s jaxpr.Spec, mapped []bool) Value {
	front := 0
	for k, want := range h.named(s) {
		switch has := mapped[k]; {
		case has && !want:
			if h.parts[k] != nil {
				v = job.whole(h.parts[k], v, front)
			}
			v = prim.Squeeze(prim.SliceAxis(v, front, 0, 1, 1), core.MakeDims(front))
		case !has && want:
			a := v.Aval()
			kept := slices.Delete(core.Range(0, a.Rank()+1).Ints(), front, front+1)
			v = prim.BroadcastInDim(v, core.MakeDims(slices.Insert(a.Shape.Ints(), front, h.size(k))...), core.MakeDims(kept...))
		}
		if want {
			front++
		}
	}
	return v
}

// run evaluates the program of p on the devices of this process. The leading axes of operands are
// the axes of the mesh that their specs name, and those of result i the ones that mapped[i] marks.
func (h here) run(p *jaxpr.ShardMap, in []Value) (outs []Value, mapped [][]bool) {
	if job.places != nil && !h.several() && !p.Within && !p.Closureful() {
		return job.distribute(h, p, in)
	}
	return h.runHere(p, in)
}

// runHere does what run does, without places.
func (h here) runHere(p *jaxpr.ShardMap, in []Value) (outs []Value, mapped [][]bool) {
	j := withoutVary(p.Jaxpr, p.Closureful())
	inMapped := make([][]bool, len(h.axes))
	for k := range h.axes {
		for _, s := range p.In {
			inMapped[k] = append(inMapped[k], h.named(s)[k])
		}
	}
	outMapped := make([][]bool, len(h.axes))
	var over func(k int, args []Value) []Value
	over = func(k int, args []Value) (outs []Value) {
		if k == len(h.axes) {
			return eval(j, args)
		}
		batch := newVmap(h.size(k), h.axes[k].Name)
		batch.part, batch.devices = h.parts[k], true
		outs, outMapped[k] = batch.apply(func(args []Value) []Value { return over(k+1, args) }, args, inMapped[k])
		return outs
	}
	outs = over(0, in)
	mapped = make([][]bool, len(outs))
	for i := range outs {
		for k := range h.axes {
			mapped[i] = append(mapped[i], outMapped[k][i])
		}
	}
	return outs, mapped
}

// cut returns this process's pieces of an array: the mesh axes that the spec names become leading
// axes, in the order of the mesh.
func (h here) cut(v Value, s jaxpr.Spec) Value {
	if len(s.Names()) == 0 {
		return v
	}
	var dims, rest []int
	at := make([]int, len(h.axes)) // the dimension of each axis of the mesh, from 1
	for i, n := range v.Aval().Shape.Ints() {
		if i < len(s) {
			for major, name := range s[i] {
				k := slices.IndexFunc(h.axes, func(a jaxpr.MeshAxis) bool { return a.Name == name })
				size := h.axes[k].Size
				n /= size
				if p := h.parts[k]; p != nil && major == 0 {
					v, size = prim.SliceAxis(v, i, p.Lo*n, p.Hi*n, 1), p.Hi-p.Lo
				}
				dims = append(dims, size)
				at[k] = len(dims)
			}
		}
		rest = append(rest, len(dims))
		dims = append(dims, n)
	}
	v = prim.Reshape(v, core.MakeDims(dims...))
	var perm []int
	for k, d := range at {
		if d == 0 {
			continue
		}
		perm = append(perm, d-1)
		if p := h.parts[k]; p != nil && v.Aval().Shape.At(d-1) == p.N {
			v = p.local(v, d-1)
		}
	}
	return prim.Transpose(v, core.MakeDims(append(perm, rest...)...))
}

// join is the inverse of cut.
func join(axes []jaxpr.MeshAxis, v Value, s jaxpr.Spec) Value {
	names := s.Names()
	if len(names) == 0 {
		return v
	}
	at := map[string]int{}
	for _, a := range axes {
		if slices.Contains(names, a.Name) {
			at[a.Name] = len(at)
		}
	}
	front := len(at)
	shape := v.Aval().Shape
	var perm, dims []int
	for i := range shape.Len() - front {
		n := shape.At(front + i)
		if i < len(s) {
			for _, name := range s[i] {
				perm = append(perm, at[name])
				n *= shape.At(at[name])
			}
		}
		perm, dims = append(perm, front+i), append(dims, n)
	}
	return prim.Reshape(prim.Transpose(v, core.MakeDims(perm...)), core.MakeDims(dims...))
}

type withoutVaryKey struct{ bound bool }

// withoutVary returns j, and the programs within it, without operations that make values vary:
// mapping shows what varies. If bound, the result binds the variables of j itself, since
// user-defined rules may close over them.
func withoutVary(j *jaxpr.Jaxpr, bound bool) *jaxpr.Jaxpr {
	return j.Memo(withoutVaryKey{bound}, func() any {
		env := map[*jaxpr.Var]jaxpr.Atom{}
		fresh := func(vs []*jaxpr.Var) []*jaxpr.Var {
			if bound {
				for _, v := range vs {
					env[v] = v
				}
				return vs
			}
			out := make([]*jaxpr.Var, len(vs))
			for i, v := range vs {
				out[i] = jaxpr.NewVar(v.Type.Invariant())
				env[v] = out[i]
			}
			return out
		}
		read := func(as []jaxpr.Atom) []jaxpr.Atom {
			out := make([]jaxpr.Atom, len(as))
			for i, a := range as {
				if out[i] = a; a != nil {
					if v, ok := a.(*jaxpr.Var); ok {
						out[i] = env[v]
					}
				}
			}
			return out
		}
		q := &jaxpr.Jaxpr{Consts: fresh(j.Consts), ConstVals: j.ConstVals, Ins: fresh(j.Ins)}
		for _, e := range j.Eqns {
			p := e.Prim
			switch x := p.(type) {
			case prim.PvaryP:
				if !bound {
					env[e.Outs[0]] = read(e.Ins)[0]
					continue
				}
				p = prim.CopyP{}
			case prim.PsumInvariantP:
				p = x.Sum()
			case prim.AxisIndexP:
				p = prim.AxisIndexP{Axis: x.Axis}
			case *jaxpr.ShardMap:
				inner := *x
				inner.Jaxpr, inner.Check, inner.Within = withoutVary(x.Jaxpr, false), false, true
				p = &inner
			default:
				if js := jaxpr.Programs(p); len(js) > 0 {
					js = slices.Clone(js)
					for i := range js {
						js[i] = withoutVary(js[i], false)
					}
					if r, ok := jaxpr.WithPrograms(p, js); ok {
						p = r
					}
				}
			}
			q.Eqns = append(q.Eqns, &jaxpr.Eqn{Prim: p, Ins: read(e.Ins), Outs: fresh(e.Outs), Site: e.Site})
		}
		q.Outs = read(j.Outs)
		return q
	}).(*jaxpr.Jaxpr)
}
