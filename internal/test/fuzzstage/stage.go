// Package fuzzstage makes Go functions over values of the protocol of random programs.
package fuzzstage

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/fuzzgen"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

type val = core.Value

type function = func([]val) []val

// Of returns a program's main function.
func Of(p *fuzzgen.Program) func([]core.Value) []core.Value { return (&scope{}).of(p.Main) }

// scope holds the values of variables; functions within read those around them.
type scope struct {
	vars   map[*fuzzgen.Var]val
	around *scope
}

func (s *scope) arg(a fuzzgen.Arg) val {
	switch {
	case a.None():
		return nil
	case a.Var == nil:
		return a.Lit
	}
	for x := s; x != nil; x = x.around {
		if v, ok := x.vars[a.Var]; ok {
			return v
		}
	}
	panic(fmt.Sprintf("BUG: %v has no value", a.Var))
}

func (s *scope) args(as []fuzzgen.Arg) []val {
	out := make([]val, len(as))
	for k, a := range as {
		out[k] = s.arg(a)
	}
	return out
}

// run applies a function.
func (s *scope) run(f *fuzzgen.Func, args []val) []val {
	in := &scope{vars: map[*fuzzgen.Var]val{}, around: s}
	for k, p := range f.Params {
		in.vars[p] = args[k]
	}
	for _, n := range f.Body {
		var outs []val
		switch {
		case n.Op == "call":
			outs = in.run(n.W.Fs[0], in.args(n.In))
		case n.W != nil:
			outs = in.wrapper(n)
		default:
			outs = applyLeaf(n, in.args(n.In))
		}
		if len(outs) != len(n.Out) {
			panic(fmt.Sprintf("BUG: %s returns %d results, want %d", n.Op, len(outs), len(n.Out)))
		}
		for k, v := range n.Out {
			if !outs[k].Aval().SameType(v.Type) {
				panic(fmt.Sprintf("result %d of %s is %v, want %v", k, n.Op, outs[k].Aval().Full(), v.Type))
			}
			in.vars[v] = outs[k]
		}
	}
	return in.args(f.Outs)
}

// of returns f as a function of values.
func (s *scope) of(f *fuzzgen.Func) function {
	return func(in []val) []val { return s.run(f, in) }
}

func (s *scope) thunk(f *fuzzgen.Func) func() []val {
	return func() []val { return s.run(f, nil) }
}

// policy is a policy of rematerialization.
type policy string

func (p policy) String() string { return "save_" + string(p) }

func (p policy) Saves(q core.Primitive, _ []core.ShapedArray) bool {
	switch p {
	case "everything":
		return true
	case "sin":
		return q.Name() == "sin" || q.Name() == "tanh"
	case "names":
		return q.Name() == "name"
	}
	return false
}

func init() {
	for _, p := range []policy{"everything", "sin", "names", "nothing"} {
		jaxpr.RegisterPolicy(p)
	}
}

// Staged calls f as a program of its own: of makes the primitive. again calls that program on other
// operands.
func Staged(name string, f function, in []val, of func(j *jaxpr.Jaxpr) core.Primitive) (outs []val, again func([]val) []val) {
	j := trace.Stage(name, core.AvalsOf(in), f)
	extra := trace.HoistTracers(j)
	p := of(j)
	again = func(in []val) []val { return core.Bind(p, slices.Concat(extra, in)...) }
	return again(in), again
}

// JitOf returns a call of a program.
func JitOf(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Jit{Fn: "f", Jaxpr: j} }

func (s *scope) wrapper(n *fuzzgen.Node) []val {
	w := n.W
	in := s.args(n.In)
	body := w.Fs[0]
	f := s.of(body)
	switch w.Kind {
	case fuzzgen.Jit, fuzzgen.JitClosing:
		outs, again := Staged("f", f, in, JitOf)
		if w.Again != nil {
			outs = slices.Concat(outs, again(s.args(w.Again)))
		}
		return outs
	case fuzzgen.Remat, fuzzgen.RematPolicy:
		outs, _ := Staged("f", f, in, func(j *jaxpr.Jaxpr) core.Primitive {
			r := &jaxpr.Remat{Jaxpr: j, PreventCSE: true}
			if w.Kind == fuzzgen.RematPolicy {
				r.Policy = policy(w.Policy)
			}
			return r
		})
		return outs
	case fuzzgen.Grad, fuzzgen.VJP:
		in = varied(in)
		outs, vjp := transforms.VJP(func(in []val) []val { return varied(f(in)) }, in, w.Active)
		back := func(cts []val) []val {
			var out []val
			for k, v := range vjp(cts) {
				if w.Active[k] {
					out = append(out, OrZero(v, in[k]))
				}
			}
			return out
		}
		outs = slices.Clone(outs)
		for _, list := range w.Along {
			outs = append(outs, applyLinear(w.Mode, back, varied(s.args(list)))...)
		}
		return outs
	case fuzzgen.JVP:
		outs, touts := transforms.JVP(f, varied(in), varied(s.args(w.Along[0])))
		return slices.Concat(outs, InexactTangents(outs, touts))
	case fuzzgen.Linearize:
		outs, lin := transforms.Linearize(f, varied(in), w.Active)
		all := slices.Clone(outs)
		for _, list := range w.Along {
			all = append(all, applyLinear(w.Mode, func(t []val) []val { return InexactTangents(outs, lin.Apply(t)) }, varied(s.args(list)))...)
		}
		return all
	case fuzzgen.Vmap:
		if w.Mesh {
			return onDevices(w, f, in)
		}
		args, mapped := slices.Clone(in), make([]bool, len(in))
		for k, a := range w.InAxes {
			if a >= 0 {
				args[k], mapped[k] = transforms.MoveAxis(in[k], a, 0), true
			}
		}
		outs, outMapped := transforms.Vmap(w.Size, w.Axis, f, args, mapped)
		outs = Stacked(w.Size, outs, outMapped)
		for k, a := range w.OutAxes {
			outs[k] = transforms.MoveAxis(outs[k], 0, a)
		}
		return outs
	case fuzzgen.Scan:
		nk := w.NumCarry
		in = varied(in)
		carry, ys := trace.Scan(func(c, x []val) ([]val, []val) {
			out := varied(f(slices.Concat(c, x)))
			return out[:nk:nk], out[nk:]
		}, in[:nk], in[nk:], trace.ScanConfig{Length: w.Length, Reverse: w.Reverse})
		return slices.Concat(carry, ys)
	case fuzzgen.Cond:
		return trace.Cond(in[0], s.branch(w.Fs[0]), s.branch(w.Fs[1]))
	case fuzzgen.Switch:
		var branches []func() []val
		for _, b := range w.Fs {
			branches = append(branches, s.branch(b))
		}
		return trace.Switch(in[0], branches...)
	case fuzzgen.While:
		body := s.of(w.Fs[1])
		return trace.While(func(c []val) val { return s.run(w.Fs[0], c)[0] }, func(c []val) []val { return varied(body(c)) }, varied(in))
	case fuzzgen.ForI:
		return trace.ForI(s.arg(w.Bounds[0]), s.arg(w.Bounds[1]), func(i val, c []val) []val {
			return varied(f(slices.Concat([]val{i}, c)))
		}, varied(in))
	case fuzzgen.CustomJVP:
		return core.Bind(s.customJVP(w), in...)
	case fuzzgen.CustomVJP:
		return core.Bind(s.customVJP(w), in...)
	case fuzzgen.CustomVmap:
		return core.Bind(s.customVmap(w), in...)
	}
	panic("no wrapper " + w.Kind.String())
}

// branch is a branch of Cond or Switch: the results of all branches vary along the same axes.
func (s *scope) branch(f *fuzzgen.Func) func() []val {
	of := s.thunk(f)
	return func() []val { return varied(of()) }
}

// varied returns values that vary along all axes of the meshes around. Carries of loops and results
// of branches need the same everywhere, and what is differentiated on a device is a value of its
// own, whose derivative is not a sum over the devices.
func varied(vs []val) []val {
	if !core.ActiveRegion().Checks() {
		return vs
	}
	out := slices.Clone(vs)
	for i := range core.Active() {
		if r, ok := i.(*core.Region); ok {
			for name := range r.AxesAndSizes() {
				for k, v := range out {
					if v != nil {
						out[k] = prim.Pvary(v, core.MakeAxes(name))
					}
				}
			}
		}
	}
	return out
}

// onDevices maps f over the devices of a mesh. Each has one element of the mapped operands.
func onDevices(w *fuzzgen.Wrap, f function, in []val) []val {
	axis := w.Axis
	if axis == "" {
		axis = fmt.Sprint("devices", w.Fs[0].ID)
	}
	p := &jaxpr.ShardMap{Mesh: jaxpr.Mesh{Axes: []jaxpr.MeshAxis{{Name: axis, Size: w.Size}}}, Manual: []string{axis}, Check: true}
	spec := func(at int) jaxpr.Spec {
		if at < 0 {
			return nil
		}
		return append(make(jaxpr.Spec, at), []string{axis})
	}
	pieces := make([]core.ShapedArray, len(in))
	for k, a := range w.InAxes {
		p.In = append(p.In, spec(a))
		pieces[k] = p.InPiece(k, "an operand", in[k].Aval())
	}
	for _, a := range w.OutAxes {
		p.Out = append(p.Out, spec(a))
	}
	var j *jaxpr.Jaxpr
	p.Region().Within(func() {
		j = trace.Stage("f", pieces, func(args []val) []val {
			args = slices.Clone(args)
			for k, a := range w.InAxes {
				if a >= 0 {
					args[k] = prim.Squeeze(args[k], core.MakeDims(a))
				}
			}
			outs := slices.Clone(f(args))
			for k, a := range w.OutAxes {
				outs[k] = prim.Pvary(prim.ExpandDims(outs[k], core.MakeDims(a)), p.Out[k].Axes())
			}
			return outs
		})
	})
	closed := trace.HoistAll(j)
	p.In = slices.Concat(make([]jaxpr.Spec, len(closed)), p.In)
	p.Jaxpr = j
	return core.Bind(p, slices.Concat(closed, in)...)
}

// OrZero returns v, zeros like the tangent of like if it is nil.
func OrZero(v, like val) val {
	if v == nil {
		return prim.Zeros(like.Aval().Tangent())
	}
	return v
}

// InexactTangents returns the tangents of the results that have one, zeros written out.
func InexactTangents(outs, touts []val) []val {
	var ts []val
	for k, v := range outs {
		if v.Aval().DType.IsInexact() {
			ts = append(ts, OrZero(touts[k], v))
		}
	}
	return ts
}

// applyLinear applies a linear map: at once, in a program of its own, or to a batch of
// the arguments and their halves.
func applyLinear(mode fuzzgen.Mode, f function, args []val) []val {
	given := slices.DeleteFunc(slices.Clone(args), func(v val) bool { return v == nil })
	fill := func(vs []val) []val {
		out := slices.Clone(args)
		k := 0
		for i, v := range out {
			if v != nil {
				out[i] = vs[k]
				k++
			}
		}
		return out
	}
	of := func(vs []val) []val { return f(fill(vs)) }
	switch mode {
	case fuzzgen.InJit:
		outs, _ := Staged("linear", of, given, JitOf)
		return outs
	case fuzzgen.InVmap:
		batch, mapped := make([]val, len(given)), make([]bool, len(given))
		for k, v := range given {
			half := prim.Mul(v, prim.Num(v.Aval(), 0.5))
			batch[k], mapped[k] = prim.Stack(0, half, v), true
		}
		outs, outMapped := transforms.Vmap(2, "", of, batch, mapped)
		outs = Stacked(2, outs, outMapped)
		for k, v := range outs {
			outs[k] = prim.Unstack(v, 0)[1]
		}
		return outs
	}
	return of(given)
}

func closed(fs []*fuzzgen.Func) bool {
	for _, f := range fs {
		if f.Open() {
			return false
		}
	}
	return fs[0].ID%2 == 0
}

func (s *scope) customJVP(w *fuzzgen.Wrap) core.Primitive {
	rule := w.Fs[1]
	return &jaxpr.CustomJVP{Fn: "f", RuleName: "rule", F: s.of(w.Fs[0]), SymbolicZeros: w.Symbolic, Closed: closed(w.Fs), OutAvals: w.Fs[0].Types(),
		Rule: func(in, t []val) (outs, touts []val) {
			args := slices.Clone(in)
			for k, v := range in {
				if v.Aval().DType.IsInexact() {
					args = append(args, OrZero(t[k], v))
				}
			}
			got := s.run(rule, args)
			n := len(w.Fs[0].Outs)
			outs, got = got[:n:n], got[n:]
			for _, v := range outs {
				if !v.Aval().DType.IsInexact() {
					touts = append(touts, nil)
					continue
				}
				touts, got = append(touts, got[0]), got[1:]
			}
			return outs, touts
		}}
}

func (s *scope) customVJP(w *fuzzgen.Wrap) core.Primitive {
	f, fwd, bwd := w.Fs[0], w.Fs[1], w.Fs[2]
	n := len(f.Outs)
	return &jaxpr.CustomVJP{Fn: "f", FwdName: "fwd", BwdName: "bwd", F: s.of(f), SymbolicZeros: w.Symbolic, Closed: closed(w.Fs), OutAvals: f.Types(),
		Fwd: func(in []val) (outs, res []val) {
			got := s.run(fwd, in)
			return got[:n:n], got[n:]
		},
		Bwd: func(res, ct []val) []val {
			args := slices.Clone(res)
			for k, t := range f.Types() {
				if !t.DType.IsInexact() {
					continue
				}
				if ct[k] == nil {
					ct[k] = prim.Zeros(t)
				}
				args = append(args, ct[k])
			}
			got := s.run(bwd, args)
			out := make([]val, len(f.Params))
			for k, p := range f.Params {
				if p.Type.DType.IsInexact() {
					out[k], got = got[0], got[1:]
				}
			}
			return out
		}}
}

func (s *scope) customVmap(w *fuzzgen.Wrap) core.Primitive {
	f := s.of(w.Fs[0])
	c := &jaxpr.CustomVmap{Fn: "f", RuleName: "rule", F: f, OutAvals: w.Fs[0].Types()}
	c.Rule = func(n int, in []val, mapped []bool) ([]val, []bool) {
		if !w.OneByOne {
			return transforms.Vmap(n, "", f, in, mapped)
		}
		var xs []val
		for k, v := range in {
			if mapped[k] {
				xs = append(xs, v)
			}
		}
		_, ys := trace.Scan(func(_, x []val) ([]val, []val) {
			args := slices.Clone(in)
			for k, m := range mapped {
				if m {
					args[k], x = x[0], x[1:]
				}
			}
			return nil, core.Bind(c, args...)
		}, nil, xs, trace.ScanConfig{Length: n})
		every := make([]bool, len(ys))
		for k := range every {
			every[k] = true
		}
		return ys, every
	}
	return c
}

// Inputs returns the values of the program's parameters.
func Inputs(p *fuzzgen.Program) []val {
	var in []val
	for _, a := range p.Args {
		x := runtime.New(a.Type)
		w := a.Type.DType.Size()
		for k, c := range a.Elems {
			n := core.ComplexNumber(c)
			if !a.Type.DType.IsInexact() {
				n = core.IntNumber(int64(real(c)))
			}
			elem.Put(x.Tensor().Data[k*w:], n, a.Type.DType)
		}
		in = append(in, x)
	}
	return in
}

// Stacked adds to every result the leading axis of the batch.
func Stacked(n int, outs []val, mapped []bool) []val {
	for i, v := range outs {
		if !mapped[i] {
			a := v.Aval()
			outs[i] = prim.BroadcastInDim(v, a.Shape.Prepend(n), core.Range(1, a.Rank()+1))
		}
	}
	return outs
}
