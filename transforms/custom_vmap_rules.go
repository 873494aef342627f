package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// batchCustom passes a call with user-defined derivative rules on, with functions that work on the
// batch, and calls a user-defined batching rule. ok is false for other primitives, and for calls
// with derivative rules that depend on no mapped value.
func (b *vmap) batchCustom(p core.Closureful, in []Value, mapped []bool) (outs []Value, outMapped []bool, ok bool) {
	switch c := p.(type) {
	case *jaxpr.CustomJVP:
		if c.Rule == nil && libraryRule(c) != nil {
			if !anyTrue(mapped) {
				outs = core.Bind(c, in...)
				return outs, all(len(outs), false), true
			}
			// The rules work element by element: they hold for a batch, too, if all operands have its axis. This is so also
			// when the text of the batch is read back.
			in = slices.Clone(in)
			for k := range in {
				in[k] = front(in[k], mapped[k], b.n)
			}
			mapped = all(len(in), true)
		}
		if c.Closed && !anyTrue(mapped) {
			return nil, nil, false
		}
		q := &jaxpr.CustomJVP{Fn: c.Fn, RuleName: c.RuleName, NumConsts: c.NumConsts, SymbolicZeros: c.SymbolicZeros, Closed: c.Closed}
		q.F = b.batchF(c.F, c.Jaxpr, mapped)
		if rule := c.Rule; rule != nil {
			m := mapped[c.NumConsts:]
			q.Rule = func(args, t []Value) (outs, touts []Value) {
				b.enter(func() []Value {
					o, to := rule(b.boxAll(args, m), b.boxSome(t, m))
					outs, touts = b.fronts(o), b.fronts(to)
					return nil
				})
				return outs, touts
			}
		}
		outs = core.Bind(q, in...)
	case *jaxpr.CustomVJP:
		if c.Closed && !anyTrue(mapped) {
			return nil, nil, false
		}
		q := &jaxpr.CustomVJP{Fn: c.Fn, FwdName: c.FwdName, BwdName: c.BwdName, NumConsts: c.NumConsts, SymbolicZeros: c.SymbolicZeros, Closed: c.Closed}
		q.F = b.batchF(c.F, c.Jaxpr, mapped)
		if c.HasRules() {
			m := mapped[c.NumConsts:]
			q.Forward = func(args []Value, active []bool) (outs, res []Value, bwd jaxpr.Backward) {
				b.enter(func() []Value {
					o, r, back := c.Run(b.boxAll(args, m), active)
					var resMapped []bool
					res, resMapped = b.unbox(r)
					outs, bwd = b.fronts(o), b.batchBwd(back, resMapped, m)
					return nil
				})
				return outs, res, bwd
			}
		}
		outs = core.Bind(q, in...)
	case *jaxpr.CustomLin:
		q := *c
		m := make([]bool, len(c.InZeros))
		rm := mapped[:c.NumRes]
		k := c.NumRes
		for a, zero := range c.InZeros {
			if !zero {
				m[a] = mapped[k]
				k++
			}
		}
		q.OutAvals = nil
		for _, a := range c.OutAvals {
			q.OutAvals = append(q.OutAvals, a.WithShape(a.Shape.Prepend(b.n)))
		}
		bwd := c.Bwd
		q.Bwd = func(res, ct []Value) (cts []Value) {
			b.enter(func() []Value {
				cts = b.sums(bwd(b.boxAll(res, rm), b.boxSome(ct, all(len(ct), true))), m)
				return nil
			})
			return cts
		}
		outs = core.Bind(&q, in...)
	case *jaxpr.CustomVmap:
		if !anyTrue(mapped) {
			outs, outMapped = b.passCustomVmap(c, in)
			return outs, outMapped, true
		}
		if b.devices && (!c.OneByOne || b.names(c)) {
			outs = core.Bind(b.ofDevices(c, mapped), in...)
			return outs, all(len(outs), true), true
		}
		if c.Rule == nil {
			core.FailOp(core.ErrCustomRule, c.Fn, nil, "has a custom batching rule %s that its text does not contain; trace the function again", c.RuleName)
		}
		for k := range c.NumConsts {
			if mapped[k] {
				core.FailOp(core.ErrCustomRule, c.Fn, []core.ShapedArray{in[k].Aval()}, "a function with a custom batching rule closes over a value that is mapped; pass it as an argument")
			}
		}
		outs, outMapped = c.Rule(b.n, in[c.NumConsts:], mapped[c.NumConsts:])
		return outs, outMapped, true
	default:
		return nil, nil, false
	}
	return outs, all(len(outs), true), true
}

// ofDevices returns a call with a batching rule for all devices of a mesh. The user's rule is for
// batches of Vmap: a device computes the function itself. Functions that run one element after the
// other need no such call unless they communicate: they run one device after the other.
func (b *vmap) ofDevices(c *jaxpr.CustomVmap, mapped []bool) *jaxpr.CustomVmap {
	q := alike(c, c.NumConsts)
	q.F = b.batchF(c.F, c.Jaxpr, mapped)
	if c.Rule == nil {
		return q
	}
	own := mapped[c.NumConsts:]
	q.Rule = func(n int, in []Value, inBatch []bool) (outs []Value, outBatch []bool) {
		in = slices.Clone(in)
		for k, both := range inBatch {
			if both && own[k] {
				in[k] = MoveAxis(in[k], 1, 0) // the devices first
			}
		}
		outs = b.enter(func() (vs []Value) {
			vs, outBatch = c.Rule(n, b.boxAll(in, own), inBatch)
			return b.fronts(vs)
		})
		for k, batched := range outBatch {
			if batched {
				outs[k] = MoveAxis(outs[k], 0, 1)
			}
		}
		return outs, outBatch
	}
	return q
}

func (b *vmap) batchF(f func([]Value) []Value, j *jaxpr.Jaxpr, mapped []bool) func([]Value) []Value {
	if j != nil {
		f = func(in []Value) []Value { return eval(j, in) }
	}
	return func(in []Value) []Value {
		return b.enter(func() []Value { return b.fronts(f(b.boxAll(in, mapped))) })
	}
}

// batchBwd returns a reverse rule on the batch: cotangents of operands that are not
// mapped are summed over it.
func (b *vmap) batchBwd(bwd func(res, ct []Value) []Value, resMapped, mapped []bool) func(res, ct []Value) []Value {
	return func(res, ct []Value) (out []Value) {
		b.enter(func() []Value {
			out = b.sums(bwd(b.boxAll(res, resMapped), b.boxSome(ct, all(len(ct), true))), mapped)
			return nil
		})
		return out
	}
}

// boxSome is boxAll for values that may be nil.
func (b *vmap) boxSome(vs []Value, mapped []bool) []Value {
	out := make([]Value, len(vs))
	for k, v := range vs {
		if v != nil {
			out[k] = b.box(v, mapped[k])
		}
	}
	return out
}

// fronts unboxes values and adds the batch's axis to each; nil stays nil.
func (b *vmap) fronts(vs []Value) []Value {
	out := make([]Value, len(vs))
	for k, v := range vs {
		if v == nil {
			continue
		}
		u, m := b.unbox([]Value{v})
		out[k] = front(u[0], m[0], b.n)
	}
	return out
}
