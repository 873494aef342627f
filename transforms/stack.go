package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

func init() { jaxpr.Stacked = stacked }

// stacked evaluates a program over a mesh for all devices at once: operands are cut, the program
// is mapped over the mesh's axes, the first outermost, and results are joined. A value that is
// the same on all devices along an axis is held once.
func stacked(p *jaxpr.ShardMap, in []Value) []Value {
	axes := p.ManualAxes()
	j := withoutVary(p.Jaxpr, p.Closureful())
	var parts []*Part
	if PartsOf != nil {
		parts = PartsOf(axes)
	}
	if parts == nil {
		parts = make([]*Part, len(axes))
	}
	args := make([]Value, len(in))
	mapped := make([][]bool, len(axes))
	for k := range mapped {
		mapped[k] = make([]bool, len(in))
	}
	for i, v := range in {
		args[i] = cut(p, axes, v, p.In[i])
		front := 0
		for k, a := range axes {
			if mapped[k][i] = slices.Contains(p.In[i].Names(), a.Name); !mapped[k][i] {
				continue
			}
			if parts[k] != nil {
				args[i] = parts[k].local(args[i], front)
			}
			front++
		}
	}
	outMapped := make([][]bool, len(axes))
	var over func(k int, args []Value) []Value
	over = func(k int, args []Value) (outs []Value) {
		if k == len(axes) {
			return eval(j, args)
		}
		batch := newVmap(axes[k].Size, axes[k].Name)
		if parts[k] != nil {
			batch = parts[k].over(axes[k].Name)
		}
		outs, outMapped[k] = batch.apply(func(args []Value) []Value { return over(k+1, args) }, args, mapped[k])
		return outs
	}
	outs := over(0, args)
	for i := range outs {
		front := 0
		for k, part := range parts {
			if !outMapped[k][i] {
				continue
			}
			if part != nil {
				outs[i] = part.whole(outs[i], front)
			}
			front++
		}
		outs[i] = join(p, axes, outs[i], p.Out[i], func(k int) bool { return outMapped[k][i] })
	}
	return outs
}

// cut returns an array's pieces: the mesh axes that the spec names become leading axes, in the
// order of the mesh.
func cut(p *jaxpr.ShardMap, axes []jaxpr.MeshAxis, v Value, s jaxpr.Spec) Value {
	if len(s.Names()) == 0 {
		return v
	}
	var dims, rest []int
	at := map[string]int{}
	for i, n := range v.Aval().Shape.All() {
		if i < len(s) {
			for _, name := range s[i] {
				size, _ := p.Mesh.Size(name)
				at[name] = len(dims)
				dims = append(dims, size)
				n /= size
			}
		}
		rest = append(rest, len(dims))
		dims = append(dims, n)
	}
	var perm []int
	for _, a := range axes {
		if d, ok := at[a.Name]; ok {
			perm = append(perm, d)
		}
	}
	return prim.Transpose(prim.Reshape(v, core.MakeDims(dims...)), core.MakeDims(append(perm, rest...)...))
}

// join is the inverse of cut for a result whose leading axes are the mesh axes that mapped marks.
// Along an axis that the spec names and the result lacks, the result is repeated. Along an axis
// that the spec does not name, the first device's value is taken.
func join(p *jaxpr.ShardMap, axes []jaxpr.MeshAxis, v Value, s jaxpr.Spec, mapped func(k int) bool) Value {
	names := s.Names()
	at := map[string]int{}
	front := 0
	for k, a := range axes {
		has, want := mapped(k), slices.Contains(names, a.Name)
		switch {
		case has && !want:
			t := v.Aval()
			start, limit := make([]int, t.Rank()), t.Shape.Ints()
			limit[front] = 1
			v = prim.Squeeze(prim.Slice(v, core.MakeDims(start...), core.MakeDims(limit...), core.Dims{}), core.MakeDims(front))
			continue
		case !has && want:
			t := v.Aval()
			dims := t.Shape.Ints()
			kept := slices.Delete(core.Range(0, t.Rank()+1).Ints(), front, front+1)
			v = prim.BroadcastInDim(v, core.MakeDims(slices.Insert(dims, front, a.Size)...), core.MakeDims(kept...))
		case !has:
			continue
		}
		at[a.Name] = front
		front++
	}
	if front == 0 {
		return v
	}
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
				inner.Jaxpr, inner.Check = withoutVary(x.Jaxpr, false), false
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
