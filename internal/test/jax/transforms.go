package jax

import (
	"fmt"
	"maps"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// The transformations of golden programs: JAX's as Weft's over leaves.

// pyCallable is a function that a transformation has made.
type pyCallable struct {
	f    func(pos []any, kw map[string]any) any
	from any // the function that was transformed
}

func (f *pyCallable) call(pos []any, kw map[string]any) any { return f.f(pos, kw) }

// pyMade returns the function f, transformed.
func pyMade(from any, f func(pos []any, kw map[string]any) any) *pyCallable {
	return &pyCallable{f, from}
}

// pyFuncName returns the name that text shows for a function.
func pyFuncName(f any) string {
	switch f := f.(type) {
	case *pyFunc:
		return f.Name
	case *pyPartial:
		return pyFuncName(f.f)
	case *pyCustom:
		return pyFuncName(f.f)
	case *pyCallable:
		return pyFuncName(f.from)
	case *pyBuiltin:
		return f.name[len("lax."):]
	case *pyJit:
		return pyFuncName(f.f)
	}
	pyCannot("the name of a %T", f)
	return ""
}

// pySplit separates the arguments at the indices which: it returns their leaves and forms, and a
// function that calls f with other leaves in their place.
func pySplit(f any, pos []any, kw map[string]any, which []int) (leaves []array, forms []pyForm, call func(in []array) any) {
	for _, i := range which {
		if i >= len(pos) {
			pyCannot("argument %d of %d", i, len(pos))
		}
		l, fm := Flatten(pos[i])
		leaves, forms = append(leaves, l...), append(forms, fm)
	}
	return leaves, forms, func(in []array) any {
		args := slices.Clone(pos)
		for k, i := range which {
			args[i], in = forms[k].take(in)
		}
		return pyCall(f, args, kw)
	}
}

// pyEach returns 0, 1, … for each argument.
func pyEach(pos []any) []int {
	return core.Range(0, len(pos)).Ints()
}

// pyRebuildAll builds one value for each form from the leaves.
func pyRebuildAll(forms []pyForm, leaves []array) pyTuple {
	out := pyTuple{}
	for _, f := range forms {
		var v any
		v, leaves = f.take(leaves)
		out = append(out, v)
	}
	return out
}

// pyJit is a jitted function: one Go function for each form of arguments.
type pyJit struct {
	f       any
	static  []int
	inline  bool
	donate  []int
	wrapped map[string]*pyJitted
}

type pyJitted struct {
	f   func(in []array) []array
	out pyForm
}

func (j *pyJit) call(pos []any, kw map[string]any) any {
	if j.inline {
		return pyCall(j.f, pos, kw)
	}
	which := slices.DeleteFunc(pyEach(pos), func(i int) bool { return slices.Contains(j.static, i) })
	leaves, forms, _ := pySplit(j.f, pos, nil, which)
	kleaves, kform := Flatten(pyDict(kw))
	key := fmt.Sprint(forms, kform)
	for _, i := range j.static {
		key += fmt.Sprint(" ", pos[i])
	}
	w := j.wrapped[key]
	if w == nil {
		w = &pyJitted{}
		opts := []weft.JitOption{weft.Name(pyFuncName(j.f))}
		if j.donate != nil {
			if !slices.Equal(j.donate, which) {
				pyCannot("some donated arguments")
			}
			opts = append(opts, weft.Donate(0))
		}
		n := len(leaves)
		w.f = weft.Jit(func(in []array) []array {
			args := slices.Clone(pos)
			rest := in[:n]
			for k, i := range which {
				args[i], rest = forms[k].take(rest)
			}
			out, form := Flatten(pyCall(j.f, args, map[string]any(kform.rebuild(in[n:]).(pyDict))))
			w.out = form
			return out
		}, opts...)
		j.wrapped[key] = w
	}
	out := w.f(append(leaves, kleaves...))
	return w.out.rebuild(out)
}

// pyRemat is jax.checkpoint.
type pyRemat struct {
	f       any
	opts    []weft.RematOption
	wrapped map[string]*pyJitted
}

func (r *pyRemat) call(pos []any, kw map[string]any) any {
	if len(kw) > 0 {
		pyCannot("keyword arguments of checkpoint")
	}
	leaves, forms := pyOperands(pos)
	key := fmt.Sprint(forms)
	w := r.wrapped[key]
	if w == nil {
		w = &pyJitted{}
		w.f = weft.Remat(func(in []array) []array {
			out, form := Flatten(pyCall(r.f, pyRebuildAll(forms, in), nil))
			w.out = form
			return out
		}, r.opts...)
		r.wrapped[key] = w
	}
	out := w.f(leaves)
	return w.out.rebuild(out)
}

// pyShape is jax.ShapeDtypeStruct.
type pyShape struct {
	shape []int
	dt    weft.DType
}

func (s pyShape) member(name string) (any, bool) {
	switch name {
	case "shape":
		t := pyTuple{}
		for _, n := range s.shape {
			t = append(t, n)
		}
		return t, true
	case "dtype":
		return s.dt, true
	}
	return nil, false
}

func (s pyShape) zeros() array {
	return pyConcrete(s.dt, s.shape, func(int) core.Number { return core.IntNumber(0) })
}

func pyList1(v any) []int {
	if v == nil {
		return nil
	}
	return pyInts(v)
}

func pyTransforms() map[string]func(a *pyArgs) any {
	return map[string]func(a *pyArgs) any{
		"jax.jit": func(a *pyArgs) any {
			j := &pyJit{f: a.must(0, "fun"), static: pyList1(a.or(-1, "static_argnums", nil)), inline: pyTruth(a.or(-1, "inline", false)),
				donate: pyList1(a.or(-1, "donate_argnums", nil)), wrapped: map[string]*pyJitted{}}
			return j
		},
		"jax.checkpoint": func(a *pyArgs) any {
			r := &pyRemat{f: a.must(0, "fun"), wrapped: map[string]*pyJitted{}}
			if p := a.or(-1, "policy", nil); p != nil {
				r.opts = append(r.opts, weft.Saving(p.(weft.SavePolicy)))
			}
			if !pyTruth(a.or(-1, "prevent_cse", true)) {
				r.opts = append(r.opts, weft.AllowCSE())
			}
			return r
		},
		"jax.ad_checkpoint.checkpoint_name": func(a *pyArgs) any {
			return weft.CheckpointName(a.array(0, "x"), a.must(1, "name").(string))
		},
		"jax.grad": pyGrad(false), "jax.value_and_grad": pyGrad(true), "jax.vmap": pyVmap,
		"jax.jacfwd": pyJacobian(weft.Jacfwd[array]), "jax.jacrev": pyJacobian(weft.Jacrev[array]), "jax.hessian": pyJacobian(weft.Hessian),
		"jax.jvp": func(a *pyArgs) any {
			f := a.must(0, "fun")
			p, t := pyIterate(a.must(1, "primals")), pyTuple(pyIterate(a.must(2, "tangents")))
			leaves, _, with := pySplit(f, p, nil, pyEach(p))
			ts, _ := Flatten(t)
			g, form := pyLeaves(with)
			out, tout := weft.JVP(g, leaves, ts)
			return pyTuple{form.rebuild(out), form.rebuild(tout)}
		},
		"jax.vjp": func(a *pyArgs) any {
			f, pos := a.must(0, "fun"), a.rest(1)
			leaves, forms, with := pySplit(f, pos, nil, pyEach(pos))
			g, form := pyLeaves(with)
			out, vjp := weft.VJP(g, leaves)
			return pyTuple{form.rebuild(out), pyMade(f, func(pos []any, _ map[string]any) any {
				cts, _ := Flatten(pos[0])
				return pyRebuildAll(forms, vjp(cts))
			})}
		},
		"jax.linearize": func(a *pyArgs) any {
			f, pos := a.must(0, "fun"), a.rest(1)
			leaves, _, with := pySplit(f, pos, nil, pyEach(pos))
			g, form := pyLeaves(with)
			out, lin := weft.Linearize(g, leaves)
			return pyTuple{form.rebuild(out), pyMade(f, func(pos []any, _ map[string]any) any {
				ts, _ := Flatten(pyTuple(pos))
				return form.rebuild(lin(ts))
			})}
		},
		"jax.linear_transpose": func(a *pyArgs) any {
			f, pos := a.must(0, "fun"), pyZeros(a.rest(1))
			leaves, forms, with := pySplit(f, pos, nil, pyEach(pos))
			g, _ := pyLeaves(with)
			return pyMade(f, func(pos []any, _ map[string]any) any {
				cts, _ := Flatten(pos[0])
				return pyRebuildAll(forms, weft.LinearTranspose(g, leaves)(cts))
			})
		},
		"jax.ShapeDtypeStruct": func(a *pyArgs) any { return pyShape{a.ints(0, "shape"), pyDType(a.must(1, "dtype"))} },
		"jax.eval_shape": func(a *pyArgs) any {
			f, pos := a.must(0, "fun"), pyZeros(a.rest(1))
			leaves, _, with := pySplit(f, pos, nil, pyEach(pos))
			var avals []core.ShapedArray
			for _, x := range leaves {
				avals = append(avals, x.Value().Aval())
			}
			j := trace.Stage("eval_shape", avals, func(vs []core.Value) []core.Value {
				var in []array
				for _, v := range vs {
					in = append(in, weft.FromValue(v))
				}
				out, form := Flatten(with(in))
				if form.kind != '*' {
					pyCannot("eval_shape of a tree")
				}
				return []core.Value{out[0].Value()}
			})
			t := j.Outs[0].Aval()
			return pyShape{t.Shape.Ints(), t.DType}
		},
		"jax.custom_jvp": func(a *pyArgs) any {
			return &pyCustom{f: a.must(0, "fun"), nondiff: pyList1(a.or(-1, "nondiff_argnums", nil))}
		},
		"jax.custom_vjp": func(a *pyArgs) any {
			return &pyCustom{f: a.must(0, "fun"), nondiff: pyList1(a.or(-1, "nondiff_argnums", nil)), vjp: true}
		},
		"jax.debug.print": func(a *pyArgs) any {
			format := a.must(0, "fmt").(string)
			ordered := pyTruth(a.or(-1, "ordered", false))
			values := func(vs []any) (out []core.Value) {
				for _, v := range vs {
					out = append(out, pyArray(v).Value())
				}
				return out
			}
			keys := slices.Sorted(maps.Keys(a.kw))
			var named []any
			for _, k := range keys {
				named = append(named, a.must(-1, k))
			}
			hostcall.DebugPrint(format, ordered, values(a.rest(1)), keys, values(named))
			return nil
		},
	}
}

// pyZeros replaces types among the arguments by arrays of zeros.
func pyZeros(pos []any) []any {
	out := slices.Clone(pos)
	for i, v := range out {
		if s, ok := v.(pyShape); ok {
			out[i] = s.zeros()
		}
	}
	return out
}

func init() {
	pyConstants["jax.checkpoint_policies.dots_saveable"] = weft.SaveDots
	pyConstants["jax.checkpoint_policies.everything_saveable"] = weft.SaveEverything
	pyConstants["jax.checkpoint_policies.nothing_saveable"] = weft.SaveNothing
	pyConstants["jax.checkpoint_policies.dots_with_no_batch_dims_saveable"] = weft.SaveDotsWithoutBatch
}

// pyNone returns the tangent of a value that has none: an array of type float0.
func pyNone(a core.ShapedArray) core.Value {
	return runtime.New(core.ShapedArray{Shape: a.Shape, DType: core.Float0})
}
