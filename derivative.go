package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/transforms"
)

// JVP returns f(p) and the derivative of f at p along the tangent t, which has the form of p. A
// leaf that cannot be differentiated (integers, truth values, fields tagged frozen) is held
// constant, and takes any tangent, even the zero Array. Results of such types have tangents of
// the type float0.
func JVP[P, O any](f func(P) O, p, t P) (O, O) {
	leaves.RequireNonNil("JVP", f)
	return jvp("JVP", f, p, t)
}

func jvp[P, O any](op string, f func(P) O, p, t P) (O, O) {
	fp, fo := formOf[P](op), formOf[O](op)
	vals, def := fp.Values(op, &p)
	fp.RequireSame(op, "the parameters and the tangent", &p, &t)
	active := fp.Differentiable(op, &p, vals)
	ts, _ := fp.Flatten(&t)
	for i := range vals {
		if !active[i] {
			ts[i] = nil
		}
	}
	requireTangents(op, fp, &p, vals, ts)
	var out defOf
	outs, touts := transforms.JVP(leaves.Flat(op, def, f, fp, fo, &out), vals, ts)
	return together[O](out, outs), tangents[O](out, core.AvalsOf(outs), touts)
}

// requireTangents refuses a tangent whose type does not match its leaf, and names the leaf.
func requireTangents[P any](op string, fp leaves.Form[P, Array], p *P, vals, ts []core.Value) {
	for i, t := range ts {
		if t == nil {
			continue
		}
		if want := vals[i].Aval().Tangent(); !t.Aval().SameType(want) {
			core.FailOp(core.Mismatch(want, t.Aval()), op, []core.ShapedArray{want, t.Aval()}, "the tangent%s must be %s, got %s; give it the parameter's shape and convert it with AsType", leaves.AtPath(fp.Path(p, i)), want.Full(), t.Aval().Full())
		}
	}
}

// tangents rebuilds a tree of tangents: nil becomes zeros, and leaves of types without tangents
// become float0.
func tangents[O any](def defOf, avals []core.ShapedArray, ts []core.Value) O {
	for i, a := range avals {
		switch {
		case !a.DType.IsInexact():
			ts[i] = nd.NoTangent(a)
		case ts[i] == nil:
			ts[i] = prim.Zeros(a.Tangent())
		}
	}
	return together[O](def, ts)
}

// VJP returns f(p) and the map from cotangents of the result to cotangents of the parameters. In
// a cotangent the zero Array means zero.
func VJP[P, O any](f func(P) O, p P) (O, func(O) P) {
	leaves.RequireNonNil("VJP", f)
	fp, fo := formOf[P]("VJP"), formOf[O]("VJP")
	vals, def := fp.Values("VJP", &p)
	active := fp.Differentiable("VJP", &p, vals)
	var out defOf
	outs, vjp := transforms.VJP(leaves.Flat("VJP", def, f, fp, fo, &out), vals, active)
	result := together[O](out, outs)
	return result, func(ct O) P {
		fo.RequireSame("VJP", "the result and the cotangent", &result, &ct)
		cts, _ := fo.Flatten(&ct)
		return gradient[P](def, vals, active, vjp(cts))
	}
}

// Linearize returns f(p) and the derivative of f at p, a linear map that can be applied many
// times without evaluating f again.
func Linearize[P, O any](f func(P) O, p P) (O, func(P) O) {
	leaves.RequireNonNil("Linearize", f)
	fp, fo := formOf[P]("Linearize"), formOf[O]("Linearize")
	vals, def := fp.Values("Linearize", &p)
	active := fp.Differentiable("Linearize", &p, vals)
	var out defOf
	outs, lin := transforms.Linearize(leaves.Flat("Linearize", def, f, fp, fo, &out), vals, active)
	return together[O](out, outs), func(t P) O {
		fp.RequireSame("Linearize", "the parameters and the tangent", &p, &t)
		ts, _ := fp.Flatten(&t)
		for i := range ts {
			if !active[i] {
				ts[i] = nil
			}
		}
		requireTangents("Linearize", fp, &p, vals, ts)
		return tangents[O](out, core.AvalsOf(outs), lin.Apply(ts))
	}
}

// LinearTranspose returns the transpose of f, a linear function of parameters of p's
// form and types; p's values are not used.
func LinearTranspose[P, O any](f func(P) O, p P) func(O) P {
	leaves.RequireNonNil("LinearTranspose", f)
	fp, fo := formOf[P]("LinearTranspose"), formOf[O]("LinearTranspose")
	vals, def := fp.Values("LinearTranspose", &p)
	in := core.AvalsOf(vals)
	for i, a := range in {
		if !a.DType.IsInexact() {
			core.FailOp(core.ErrDType, "LinearTranspose", []core.ShapedArray{a}, "the parameter%s is %s: maps of integers and truth values have no transpose; make it floating with AsType, or close over it", fp.Path(&p, i), core.WithArticle(a.Full()))
		}
	}
	var out defOf
	avals, transpose := transforms.LinearTranspose(leaves.Flat("LinearTranspose", def, f, fp, fo, &out), in)
	return func(ct O) P {
		cts, _ := fo.Flatten(&ct)
		if len(cts) != len(avals) {
			core.FailOp(core.ErrTree, "LinearTranspose", nil, "the function returns %s, but the cotangent has %d; pass one for each result", core.Count(len(avals), "array"), len(cts))
		}
		for i, c := range cts {
			if c != nil && !c.Aval().SameType(avals[i]) {
				core.FailOp(core.ErrDType, "LinearTranspose", []core.ShapedArray{avals[i], c.Aval()}, "the cotangent of %s must have its type, got %s; give it the result's shape and convert it with AsType", core.WithArticle(avals[i].Full()), c.Aval().Full())
			}
		}
		res := transpose(cts)
		for i, a := range in {
			if res[i] == nil {
				res[i] = prim.Zeros(a)
			}
		}
		return together[P](def, res)
	}
}

// Jacrev returns the Jacobian of f by reverse mode: each leaf that can be differentiated has the
// shape of f's result followed by the leaf's own. It is the better choice when the result is
// smaller than the parameters.
func Jacrev[P any](f func(P) Array) func(P) P {
	leaves.RequireNonNil("Jacrev", f)
	fp := formOf[P]("Jacrev")
	return func(p P) P {
		vals, def := fp.Values("Jacrev", &p)
		active := fp.Differentiable("Jacrev", &p, vals)
		outs, vjp := transforms.VJP(func(in []core.Value) []core.Value {
			return []core.Value{inexactResult("Jacrev", leaves.Invoke("Jacrev", fp, def, f, in))}
		}, vals, active)
		a := outs[0].Aval().Tangent()
		n := a.Size()
		rows, mapped := transforms.Vmap(n, "", func(in []core.Value) []core.Value {
			cts := vjp(in)
			for i, v := range vals {
				if active[i] && cts[i] == nil {
					cts[i] = prim.Zeros(v.Aval().Tangent())
				} else if !active[i] {
					cts[i] = nd.NoTangent(v.Aval())
				}
			}
			return cts
		}, []core.Value{basis(a)}, []bool{true})
		for i, v := range rows {
			if !active[i] {
				continue
			}
			leaf := vals[i].Aval().Shape
			if !mapped[i] {
				v = prim.BroadcastInDim(v, leaf.Prepend(n), core.Range(1, leaf.Len()+1))
			}
			rows[i] = prim.Reshape(v, core.MakeDims(append(a.Shape.Ints(), leaf.Ints()...)...))
		}
		return together[P](def, rows)
	}
}

// Jacfwd returns the Jacobian of f by forward mode: each leaf that can be differentiated has the
// shape of f's result followed by the leaf's own. It is the better choice when the parameters
// are smaller than the result.
func Jacfwd[P any](f func(P) Array) func(P) P {
	leaves.RequireNonNil("Jacfwd", f)
	fp := formOf[P]("Jacfwd")
	return func(p P) P {
		vals, def := fp.Values("Jacfwd", &p)
		active := fp.Differentiable("Jacfwd", &p, vals)
		cols := make([]core.Value, len(vals))
		for i, v := range vals {
			if !active[i] {
				cols[i] = nd.NoTangent(v.Aval())
				continue
			}
			a := v.Aval().Tangent()
			n := a.Size()
			var out core.ShapedArray
			col, mapped := transforms.Vmap(n, "", func(in []core.Value) []core.Value {
				ts := make([]core.Value, len(vals))
				ts[i] = in[0]
				outs, touts := transforms.JVP(func(in []core.Value) []core.Value {
					return []core.Value{inexactResult("Jacfwd", leaves.Invoke("Jacfwd", fp, def, f, in))}
				}, vals, ts)
				out = outs[0].Aval()
				if touts[0] == nil {
					touts[0] = prim.Zeros(out.Tangent())
				}
				return touts
			}, []core.Value{basis(a)}, []bool{true})
			c := col[0]
			if !mapped[0] {
				c = prim.BroadcastInDim(c, out.Shape.Prepend(n), core.Range(1, out.Rank()+1))
			}
			c = transforms.MoveAxis(c, 0, out.Rank())
			cols[i] = prim.Reshape(c, core.MakeDims(append(out.Shape.Ints(), a.Shape.Ints()...)...))
		}
		return together[P](def, cols)
	}
}

func inexactResult(op string, y Array) core.Value {
	if y.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "the function returned the zero Array, which has no value; return an array")
	}
	v := y.Value()
	if a := v.Aval(); !a.DType.IsInexact() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "the function must return floating point numbers (got %s, which has no derivative); convert its result", a.Full())
	}
	return v
}

// basis returns the standard basis of arrays of type a, stacked.
func basis(a core.ShapedArray) core.Value {
	n := a.Size()
	square := core.MakeDims(n, n)
	i := prim.Iota(core.Int32, square, 0)
	j := prim.Iota(core.Int32, square, 1)
	return prim.Reshape(prim.Convert(prim.Eq(i, j), a.DType, a.Weak), a.Shape.Prepend(n))
}

// Hessian returns the second derivatives of f. Their shape is the shape of f's result followed
// twice by the shape of x.
func Hessian(f func(Array) Array) func(Array) Array {
	leaves.RequireNonNil("Hessian", f)
	h, fp := Jacfwd(Jacrev(f)), formOf[Array]("Hessian")
	return func(x Array) Array {
		fp.Differentiable("Hessian", &x, []core.Value{nd.ValueOf("Hessian", x)})
		return h(x)
	}
}

// HVP returns the product of the Hessian of f at p with v. It does not form the Hessian: it
// differentiates the gradient forward along v.
func HVP[P any](f func(P) Array, p, v P) P {
	_, hv := jvp("HVP", Grad(f), p, v)
	return hv
}
