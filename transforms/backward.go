package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// backward transposes j at the given point: args are the values of the inputs, nil
// where lin marks them as linear; cts are the cotangents of the results, nil where
// zero. It returns the cotangents of the linear inputs, nil where zero or not
// linear.
//
// First the equations in which nothing is linear are evaluated, in order; then the
// others are transposed, in reverse.
func backward(j *jaxpr.Jaxpr, args []Value, lin []bool, cts []Value) []Value {
	at := core.StartReplay()
	defer at.End()
	b := &reverse{env: make(map[*jaxpr.Var]Value, len(j.Eqns)), linear: map[*jaxpr.Var]bool{}, ct: map[*jaxpr.Var]Value{}}
	for k, v := range j.Consts {
		b.env[v] = j.ConstVals[k]
	}
	for k, v := range j.Ins {
		if lin[k] {
			b.linear[v] = true
		} else {
			b.env[v] = args[k]
		}
	}
	var todo []*jaxpr.Eqn
	for _, e := range j.Eqns {
		if !slices.ContainsFunc(e.Ins, b.isLinear) {
			at.At(e.Site)
			for k, v := range core.Bind(e.Prim, b.values(e.Ins)...) {
				b.env[e.Outs[k]] = v
			}
			continue
		}
		for _, e := range b.separate(e) {
			for _, v := range e.Outs {
				b.linear[v] = true
			}
			todo = append(todo, e)
		}
	}
	for k, v := range j.Outs {
		if v, ok := v.(*jaxpr.Var); ok && cts[k] != nil && b.linear[v] {
			b.add(v, cts[k])
		}
	}
	for _, e := range slices.Backward(todo) {
		at.At(e.Site)
		b.transpose(e)
	}
	out := make([]Value, len(j.Ins))
	for k, v := range j.Ins {
		if lin[k] {
			out[k] = b.ct[v]
		}
	}
	return out
}

// reverse is the state of a backward pass.
type reverse struct {
	env    map[*jaxpr.Var]Value // values that depend on nothing linear
	linear map[*jaxpr.Var]bool
	ct     map[*jaxpr.Var]Value // cotangents so far
}

func (b *reverse) isLinear(a jaxpr.Atom) bool {
	v, ok := a.(*jaxpr.Var)
	return ok && b.linear[v]
}

// values are the operands, nil where linear.
func (b *reverse) values(ins []jaxpr.Atom) []Value {
	out := make([]Value, len(ins))
	for k, a := range ins {
		if v, ok := a.(*jaxpr.Var); ok {
			out[k] = b.env[v]
		} else {
			out[k] = a
		}
	}
	return out
}

func (b *reverse) add(v *jaxpr.Var, ct Value) {
	if old := b.ct[v]; old != nil {
		ct = prim.AddAny(old, ct)
	}
	b.ct[v] = ct
}

// separate splits an equation that holds a program and mixes linear and other
// results: the others are computed at once.
func (b *reverse) separate(e *jaxpr.Eqn) []*jaxpr.Eqn {
	if len(jaxpr.Programs(e.Prim)) == 0 {
		return []*jaxpr.Eqn{e}
	}
	lin := make([]bool, len(e.Ins))
	for k, a := range e.Ins {
		lin[k] = b.isLinear(a)
	}
	s := splitEqn(e, lin)
	if s == nil {
		return []*jaxpr.Eqn{e}
	}
	if s.known != nil {
		for k, v := range core.Bind(s.known.Prim, b.values(s.known.Ins)...) {
			b.env[s.known.Outs[k]] = v
		}
	}
	return []*jaxpr.Eqn{s.unknown}
}

func (b *reverse) transpose(e *jaxpr.Eqn) {
	cts := make([]Value, len(e.Outs))
	for k, v := range e.Outs {
		cts[k] = b.ct[v]
		delete(b.ct, v)
	}
	if !anyTrue(present(cts)) {
		return
	}
	lin := make([]bool, len(e.Ins))
	avals := make([]core.ShapedArray, len(e.Ins))
	for k, a := range e.Ins {
		lin[k] = b.isLinear(a)
		avals[k] = a.Aval()
	}
	in := b.values(e.Ins)
	for k, l := range lin {
		if l {
			in[k] = &notKnown{e.Prim.Name(), k, avals[k]}
		}
	}
	for k, ct := range transposeRule(e.Prim)(e.Prim, cts, in, lin, avals, e.Outs) {
		if ct == nil || !lin[k] {
			continue
		}
		if want, got := avals[k].Tangent(), ct.Aval(); !want.SameType(got) {
			panic("BUG: transpose of " + e.Prim.Name() + " gave a cotangent " + got.Full() + " for an operand " + avals[k].Full())
		}
		b.add(e.Ins[k].(*jaxpr.Var), ct)
	}
}

// notKnown stands for a linear operand, whose value no transpose may need: a rule
// that uses it is one of an operation that is not linear there.
type notKnown struct {
	op      string
	operand int
	aval    core.ShapedArray
}

// Aval is the operand's type.
func (n *notKnown) Aval() core.ShapedArray { return n.aval }

// Interpreter is asked by whoever uses the value.
func (n *notKnown) Interpreter() core.Interpreter {
	core.FailOp(core.ErrNoRule, n.op, []core.ShapedArray{n.aval}, "cannot be transposed: its result depends on operand %d, a %s, and is not linear in it", n.operand, n.aval.Full())
	return nil
}

type transposer func(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, outs []*jaxpr.Var) []Value

func transposeRule(p core.Primitive) transposer {
	switch p := p.(type) {
	case *jaxpr.Jit, *jaxpr.CoreCall:
		return transposeCall
	case *jaxpr.Cond:
		return transposeCond
	case *jaxpr.Scan:
		return transposeScan
	case *jaxpr.While:
		return transposeWhile
	case *jaxpr.Remat:
		return transposeRemat
	case *jaxpr.CustomLin:
		return transposeCustomLin
	case *jaxpr.CustomJVP, *jaxpr.CustomVJP, *jaxpr.CustomVmap:
		return transposeCustom
	case *jaxpr.LinearCall:
		return transposeLinearCall
	case *jaxpr.LinearSolve:
		return transposeLinearSolve
	case core.Transposer:
		return func(_ core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, _ []*jaxpr.Var) []Value {
			defer core.Guard(p, in)
			return p.Transpose(cts, in, lin, avals)
		}
	}
	core.FailOp(core.ErrNoRule, p.Name(), nil, "cannot be transposed: it is not linear in the operand that the derivative flows through")
	return nil
}

func zerosOf(a core.ShapedArray) Value { return prim.Zeros(a) }

// transposed is a program's transpose.
type transposed struct {
	j     *jaxpr.Jaxpr // extra, inputs that are not linear, cotangents → cotangents
	extra []Value
	nz    []bool // linear inputs with a cotangent, over all inputs
}

// transposeRaw leaves the constants where they are. lin marks j's linear inputs,
// ct the results that have a cotangent, want the inputs whose cotangent is wanted
// even if zero.
func transposeRaw(j *jaxpr.Jaxpr, lin, ct, want []bool) *transposed {
	t := &transposed{}
	avals := pick(j.InAvals(), not(lin))
	n := len(avals)
	for _, a := range pick(j.OutAvals(), ct) {
		avals = append(avals, a.Tangent())
	}
	t.j = trace.Stage("transpose", avals, func(in []Value) []Value {
		out := backward(j, spread(in[:n], not(lin)), lin, spread(in[n:], ct))
		for k, v := range j.Ins {
			if out[k] == nil && want != nil && want[k] {
				out[k] = zerosOf(v.Type.Tangent())
			}
		}
		t.nz = present(out)
		return pick(out, t.nz)
	})
	return t
}

type transposeKey struct {
	lin, ct, want string
	h             hoisting
}

func transposeJaxpr(j *jaxpr.Jaxpr, lin, ct, want []bool, h hoisting) *transposed {
	return remember(j, transposeKey{bits(lin), bits(ct), bits(want), h}, func() *transposed {
		t := transposeRaw(j, lin, ct, want)
		t.extra = h.hoist(t.j)
		return t
	}, func(t *transposed) bool { return !hasTracer(t.extra) })
}

// LinearTranspose transposes f, a linear function of operands of the given types,
// into a map from cotangents of its results to cotangents of the operands.
func LinearTranspose(f func([]Value) []Value, in []core.ShapedArray) (out []core.ShapedArray, transpose func(cts []Value) []Value) {
	j := trace.Stage("LinearTranspose", in, f)
	return j.OutAvals(), func(cts []Value) []Value {
		return backward(j, make([]Value, len(in)), all(len(in), true), cts)
	}
}
