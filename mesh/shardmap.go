package mesh

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// ShardMap returns a function of f's type over whole arrays. It cuts its arguments into the
// pieces that In describes, runs f on each device of the mesh, and joins the pieces of the
// results as Out describes. Within f the axes of the mesh are named axes. Arrays that f closes
// over are copied to every device; arguments without arrays are passed as they are.
//
// The derivative with respect to an argument that is copied to every device is the sum of the
// devices' derivatives.
func ShardMap[F any](f F, m Mesh, opts ...Option) F {
	const op = "ShardMap"
	var o options
	for i, opt := range opts {
		if opt == nil {
			core.FailOp(core.ErrStatic, op, nil, "option %d is nil; leave it out", i)
		}
		opt.shardMap(&o)
	}
	s := leaves.FuncOf(op, f, weft.FromValue)
	for _, of := range []struct {
		option, what string
		specs        []any
		n            int
	}{{"In", "argument", o.in, len(s.In)}, {"Out", "result", o.out, len(s.Out)}} {
		if len(of.specs) != of.n {
			core.FailOp(core.ErrAxis, op, nil, "%s has %s, the function has %s; give one spec for each, mesh.P() for a copy on every device", of.option, core.Count(len(of.specs), "spec"), core.Count(of.n, of.what))
		}
		for _, spec := range of.specs {
			checkSpecs(op, spec, 0)
		}
	}
	return wrap[F](&sharded{op: op, f: f, s: s, m: m, o: o})
}

func wrap[F any](x *sharded) F {
	return reflect.MakeFunc(x.s.Fn.Type(), func(args []reflect.Value) []reflect.Value {
		return x.s.Guard(func() []reflect.Value { return x.call(args) })
	}).Interface().(F)
}

type sharded struct {
	op    string
	f     any
	s     *leaves.Func[weft.Array]
	m     Mesh
	o     options
	after func(k int, v core.Value) core.Value // applied to each result on the device; nil for none
}

func (x *sharded) call(args []reflect.Value) []reflect.Value {
	defer leaves.NameOp(x.op)
	a := x.s.Flatten(args)
	p := &jaxpr.ShardMap{Mesh: x.m.ir, Manual: x.m.names(), Check: !x.o.unchecked}
	for i, plan := range x.s.In {
		if plan != nil {
			p.In = append(p.In, prefix(x.op, plan, a.At[i], x.o.in[i])...)
		}
	}
	pieces := make([]core.ShapedArray, len(a.Leaves))
	for k, v := range a.Leaves {
		i, path := x.s.Locate(a, k)
		if x.after != nil && i > 0 && v.Aval().Rank() == 0 {
			core.Failf(core.ErrShape, "%s is %v and has no axis of the batch to cut; put what all devices share into the first argument", describe("argument", i, path), v.Aval().Full())
		}
		pieces[k] = p.InPiece(k, describe("argument", i, path), v.Aval())
	}
	var r leaves.Results[weft.Array]
	var err error
	var j *jaxpr.Jaxpr
	p.Region().Within(func() {
		j = trace.Stage(leaves.FuncName(x.f), pieces, func(in []core.Value) []core.Value {
			if _, r, err = x.s.Call(a, x.s.Defs(a), in); err != nil {
				return nil
			}
			return x.results(p, r)
		})
	})
	if err != nil {
		return x.s.Fail(err)
	}
	closed := trace.HoistAll(j)
	p.In = append(make([]jaxpr.Spec, len(closed)), p.In...)
	p.Jaxpr = trace.Share(x.f, j)
	var outs []core.Value
	x.m.within(func() { outs = core.Bind(p, append(closed, a.Leaves...)...) })
	return x.s.RebuildValues(r, outs)
}

// results returns the results of one device, and refuses those that do not fit their specs. It appends the specs to p.Out.
func (x *sharded) results(p *jaxpr.ShardMap, r leaves.Results[weft.Array]) []core.Value {
	outs := slices.Clone(r.Leaves)
	k := 0
	for i, plan := range x.s.Out {
		n := r.Counts[i]
		at, paths := rebuilt(plan, r.Defs[i], outs[k:k+n])
		p.Out = append(p.Out, prefix(x.op, plan, at, x.o.out[i])...)
		for _, path := range paths {
			if x.after != nil {
				outs[k] = x.after(k, outs[k])
			}
			what := describe("result", i, path)
			if p.Check {
				p.RequireSame(k, what, outs[k].Aval())
				outs[k] = prim.Pvary(outs[k], p.Out[k].Axes())
			}
			p.Out[k].Whole(p.Mesh, what, outs[k].Aval())
			k++
		}
	}
	return outs
}

// rebuilt returns a pointer to a result made of arrays, and the paths of these.
func rebuilt(plan *tree.Plan[weft.Array], def *tree.Def[weft.Array], vals []core.Value) (at reflect.Value, paths []string) {
	arrays := make([]weft.Array, len(vals))
	for i, v := range vals {
		arrays[i] = weft.FromValue(v)
	}
	at = reflect.New(plan.Type())
	def.Rebuild(at.UnsafePointer(), arrays)
	return at, plan.Paths(at.UnsafePointer())
}
