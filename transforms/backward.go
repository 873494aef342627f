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
	b := newReverse(j)
	for k, v := range j.Consts {
		b.at(v).value = j.ConstVals[k]
	}
	for k, v := range j.Ins {
		if s := b.at(v); lin[k] {
			s.linear = true
		} else {
			s.value = args[k]
		}
	}
	var todo []linearEqn
	for _, e := range j.Eqns {
		ins := b.places(e.Ins)
		if !b.anyLinear(ins) {
			at.At(e.Site)
			for k, v := range core.Bind(e.Prim, b.values(e.Ins, ins)...) {
				b.at(e.Outs[k]).value = v
			}
			continue
		}
		e, ins = b.separate(e, ins)
		for _, v := range e.Outs {
			b.at(v).linear = true
		}
		todo = append(todo, linearEqn{e, ins})
	}
	for k, v := range j.Outs {
		if v, ok := v.(*jaxpr.Var); ok && cts[k] != nil {
			if s := b.at(v); s.linear {
				s.add(cts[k])
			}
		}
	}
	for _, t := range slices.Backward(todo) {
		at.At(t.eqn.Site)
		b.transpose(t)
	}
	out := make([]Value, len(j.Ins))
	for k, v := range j.Ins {
		if lin[k] {
			out[k] = b.at(v).ct
		}
	}
	return out
}

// reverse is the state of a backward pass: each variable has a slot.
type reverse struct {
	slots []slot
	place map[*jaxpr.Var]int32
	refs  []int32 // room for places of operands
}

// slot is what is known of a variable.
type slot struct {
	value  Value // nil where linear
	ct     Value // the cotangent so far, nil where zero
	linear bool
}

// linearEqn is an equation with something linear in it, and the places of its
// operands, −1 for literals.
type linearEqn struct {
	eqn *jaxpr.Eqn
	ins []int32
}

func newReverse(j *jaxpr.Jaxpr) *reverse {
	n := len(j.Consts) + len(j.Ins) + len(j.Eqns)
	return &reverse{slots: make([]slot, 0, n), place: make(map[*jaxpr.Var]int32, n)}
}

// at is the slot of v, valid until the next call.
func (b *reverse) at(v *jaxpr.Var) *slot {
	k, ok := b.place[v]
	if !ok {
		k = int32(len(b.slots))
		b.place[v] = k
		b.slots = append(b.slots, slot{})
	}
	return &b.slots[k]
}

// places are where operands are, −1 for literals.
func (b *reverse) places(ins []jaxpr.Atom) []int32 {
	if cap(b.refs)-len(b.refs) < len(ins) {
		b.refs = make([]int32, 0, max(256, 2*len(ins)))
	}
	start := len(b.refs)
	for _, a := range ins {
		k := int32(-1)
		if v, ok := a.(*jaxpr.Var); ok {
			k, ok = b.place[v]
			if !ok {
				panic("BUG: a variable of a program to be transposed is not bound")
			}
		}
		b.refs = append(b.refs, k)
	}
	return b.refs[start:len(b.refs):len(b.refs)]
}

func (b *reverse) isLinear(place int32) bool { return place >= 0 && b.slots[place].linear }

func (b *reverse) anyLinear(ins []int32) bool { return slices.ContainsFunc(ins, b.isLinear) }

// values are the operands, nil where linear.
func (b *reverse) values(ins []jaxpr.Atom, places []int32) []Value {
	out := make([]Value, len(ins))
	for k, p := range places {
		if p >= 0 {
			out[k] = b.slots[p].value
		} else {
			out[k] = ins[k]
		}
	}
	return out
}

// linears marks the linear operands.
func (b *reverse) linears(places []int32) []bool {
	lin := make([]bool, len(places))
	for k, p := range places {
		lin[k] = b.isLinear(p)
	}
	return lin
}

func (s *slot) add(ct Value) {
	if s.ct != nil {
		ct = prim.AddAny(s.ct, ct)
	}
	s.ct = ct
}

// separate splits an equation that holds a program and mixes linear and other
// results: the others are computed at once.
func (b *reverse) separate(e *jaxpr.Eqn, ins []int32) (*jaxpr.Eqn, []int32) {
	if len(jaxpr.Programs(e.Prim)) == 0 {
		return e, ins
	}
	s := splitEqn(e, b.linears(ins))
	if s == nil {
		return e, ins
	}
	if s.known != nil {
		for k, v := range core.Bind(s.known.Prim, b.values(s.known.Ins, b.places(s.known.Ins))...) {
			b.at(s.known.Outs[k]).value = v
		}
	}
	return s.unknown, b.places(s.unknown.Ins)
}

func (b *reverse) transpose(t linearEqn) {
	e := t.eqn
	cts := make([]Value, len(e.Outs))
	some := false
	for k, v := range e.Outs {
		s := b.at(v)
		cts[k] = s.ct
		some = some || s.ct != nil
		s.ct = nil
	}
	if !some {
		return
	}
	lin := b.linears(t.ins)
	avals := core.AvalsOf(e.Ins)
	in := b.values(e.Ins, t.ins)
	for k, l := range lin {
		if l {
			in[k] = &notKnown{e.Prim.Name(), k, avals[k]}
		}
	}
	var got []Value
	if leaf, ok := e.Prim.(core.Transposer); ok {
		got = transposeLeaf(leaf, cts, in, lin, avals)
	} else {
		got = transposeRule(e.Prim)(e.Prim, cts, in, lin, avals, e.Outs)
	}
	for k, ct := range got {
		if ct == nil || !lin[k] {
			continue
		}
		if want, got := avals[k].Tangent(), ct.Aval(); !want.SameType(got) {
			panic("BUG: transpose of " + e.Prim.Name() + " gave a cotangent " + got.Full() + " for an operand " + avals[k].Full())
		}
		b.slots[t.ins[k]].add(ct)
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
	core.FailOp(core.ErrNoRule, n.op, []core.ShapedArray{n.aval}, "cannot be transposed: its result depends on operand %d, a %s, and is not linear in it; take the derivative with Grad or VJP, or linearize first", n.operand, n.aval.Full())
	return nil
}

func transposeLeaf(p core.Transposer, cts, in []Value, lin []bool, avals []core.ShapedArray) []Value {
	defer core.Guard(p, in)
	return p.Transpose(cts, in, lin, avals)
}

type transposer func(p core.Primitive, cts, in []Value, lin []bool, avals []core.ShapedArray, outs []*jaxpr.Var) []Value

func transposeRule(p core.Primitive) transposer {
	switch p.(type) {
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
	case *jaxpr.CustomVmap:
		return transposeBatchingRule
	case *jaxpr.CustomJVP, *jaxpr.CustomVJP:
		return transposeCustom
	case *jaxpr.LinearCall:
		return transposeLinearCall
	case *jaxpr.LinearSolve:
		return transposeLinearSolve
	}
	core.FailOp(core.ErrNoRule, p.Name(), nil, "cannot be transposed: it is not linear in the operand that the derivative flows through; take the derivative with Grad or VJP, or linearize first")
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
