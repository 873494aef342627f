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
func backward(j *jaxpr.Jaxpr, args []Value, lin []bool, cts []Value) (out []Value) {
	if j.Closureful() {
		known := slices.Clone(args)
		for k := range known {
			if lin[k] {
				known[k] = nil
			}
		}
		jaxpr.Within([]*jaxpr.Frame{jaxpr.NewFrame(j, known)}, func() { out = transposeAt(j, args, lin, cts) })
		return out
	}
	return transposeAt(j, args, lin, cts)
}

func transposeAt(j *jaxpr.Jaxpr, args []Value, lin []bool, cts []Value) []Value {
	at := core.StartReplayOutside()
	defer at.End()
	b := newReverse(j)
	for k, v := range j.Consts {
		b.bind(v, slot{v: j.ConstVals[k]})
	}
	for k, v := range j.Ins {
		if lin[k] {
			b.bind(v, slot{linear: true})
		} else {
			b.bind(v, slot{v: args[k]})
		}
	}
	for _, e := range j.Eqns {
		ins := b.places(e.Ins)
		if !b.anyLinear(ins) {
			at.At(e.Site)
			b.evaluate(e, ins)
			continue
		}
		e, ins = b.separate(e, ins)
		b.note(e, ins)
	}
	for k, a := range j.Outs {
		if v, ok := a.(*jaxpr.Var); ok && cts[k] != nil {
			if s := b.at(v); s.linear {
				s.add(cts[k])
			}
		}
	}
	for _, t := range slices.Backward(b.todo) {
		at.At(t.eqn.Site)
		b.transpose(t)
	}
	out := make([]Value, len(j.Ins))
	for k, v := range j.Ins {
		if lin[k] {
			out[k] = b.at(v).v
		}
	}
	return out
}

// reverse is the state of a backward pass: each variable has a slot.
type reverse struct {
	numbers *jaxpr.Numbers
	slots   []slot // by number
	todo    []linearEqn
	kept    []int32  // slot numbers of the operands of equations to be transposed
	operand []int32  // slot numbers of the operands of the current equation
	args    ruleArgs // of the rules of primitives without programs
}

// slot is what is known about a variable.
type slot struct {
	v      Value // the value; of a linear variable the cotangent so far, nil where zero
	linear bool
}

type linearEqn struct {
	eqn *jaxpr.Eqn
	in  int32 // where the slot numbers of its operands begin in kept
	out int32 // slot number of its first result; the others follow
}

func newReverse(j *jaxpr.Jaxpr) *reverse {
	n := len(j.Eqns)
	return &reverse{
		numbers: jaxpr.NumbersFor(j),
		slots:   make([]slot, 0, len(j.Consts)+len(j.Ins)+n),
		todo:    make([]linearEqn, 0, n),
		kept:    make([]int32, 0, 2*n),
	}
}

func (b *reverse) bind(v *jaxpr.Var, s slot) {
	if _, fresh := b.numbers.Bind(v); !fresh {
		panic("BUG: a variable of a program to be transposed is bound twice")
	}
	b.slots = append(b.slots, s)
}

// at returns the slot of v, valid until the next bind.
func (b *reverse) at(v *jaxpr.Var) *slot {
	k, ok := b.numbers.Of(v)
	if !ok {
		panic("BUG: a variable of a program to be transposed is not bound")
	}
	return &b.slots[k]
}

// places returns the slot numbers of operands, −1 for literals. The result is valid until the
// next call.
func (b *reverse) places(ins []jaxpr.Atom) []int32 {
	b.operand = b.operand[:0]
	for _, a := range ins {
		k := -1
		if v, ok := a.(*jaxpr.Var); ok {
			if k, ok = b.numbers.Of(v); !ok {
				panic("BUG: a variable of a program to be transposed is not bound")
			}
		}
		b.operand = append(b.operand, int32(k))
	}
	return b.operand
}

func (b *reverse) isLinear(place int32) bool { return place >= 0 && b.slots[place].linear }

func (b *reverse) anyLinear(ins []int32) bool { return slices.ContainsFunc(ins, b.isLinear) }

func (b *reverse) value(a jaxpr.Atom, place int32) Value {
	if place < 0 {
		return a
	}
	return b.slots[place].v
}

// evaluate computes the results of an equation in which nothing is linear.
func (b *reverse) evaluate(e *jaxpr.Eqn, ins []int32) {
	in := make([]Value, len(ins))
	for k, p := range ins {
		in[k] = b.value(e.Ins[k], p)
	}
	for k, v := range core.Bind(e.Prim, in...) {
		b.bind(e.Outs[k], slot{v: v})
	}
}

func (b *reverse) note(e *jaxpr.Eqn, ins []int32) {
	b.todo = append(b.todo, linearEqn{e, int32(len(b.kept)), int32(len(b.slots))})
	b.kept = append(b.kept, ins...)
	for _, v := range e.Outs {
		b.bind(v, slot{linear: true})
	}
}

func (s *slot) add(ct Value) {
	if s.v != nil {
		ct = prim.AddAny(s.v, ct)
	}
	s.v = ct
}

// separate splits an equation that holds a program and has both linear and other results. The
// other results are computed immediately.
func (b *reverse) separate(e *jaxpr.Eqn, ins []int32) (*jaxpr.Eqn, []int32) {
	if len(jaxpr.Programs(e.Prim)) == 0 {
		return e, ins
	}
	lin := make([]bool, len(ins))
	for k, p := range ins {
		lin[k] = b.isLinear(p)
	}
	s := splitEqn(e, lin)
	if s == nil {
		return e, ins
	}
	if s.known != nil {
		b.evaluate(s.known, b.places(s.known.Ins))
	}
	return s.unknown, b.places(s.unknown.Ins)
}

// transpose adds what the cotangents of the results contribute to those of the
// operands.
func (b *reverse) transpose(t linearEqn) {
	e := t.eqn
	leaf, isLeaf := e.Prim.(core.Transposer)
	s := &b.args
	if !isLeaf {
		s = &ruleArgs{}
	}
	s.fit(len(e.Ins), len(e.Outs))
	some := false
	for k := range s.cts {
		from := &b.slots[int(t.out)+k]
		s.cts[k] = from.v
		some = some || from.v != nil
		from.v = nil
	}
	if !some {
		return
	}
	ins := b.kept[t.in:][:len(e.Ins)]
	for k, a := range e.Ins {
		s.avals[k] = a.Aval()
		if s.lin[k] = b.isLinear(ins[k]); s.lin[k] {
			if len(s.missing) == 0 { // calls have many operands, few of them linear
				s.in[k] = &notKnown{e.Prim.Name(), k, s.avals[k]}
				continue
			}
			s.missing[k] = notKnown{e.Prim.Name(), k, s.avals[k]}
			s.in[k] = &s.missing[k]
		} else {
			s.in[k] = b.value(a, ins[k])
		}
	}
	var got []Value
	if isLeaf {
		got = transposeLeaf(leaf, s.cts, s.in, s.lin, s.avals)
	} else {
		jaxpr.WithinThoseOf(e.Prim, func() { got = transposeRule(e.Prim)(e.Prim, s.cts, s.in, s.lin, s.avals, e.Outs) })
	}
	for k, ct := range got {
		if ct == nil || !s.lin[k] {
			continue
		}
		// A user-defined rule may return a cotangent that differs from device to device for an operand
		// that does not; the operand's is their sum.
		if more := ct.Aval().Vary.Minus(s.avals[k].Vary); more != 0 {
			ct = prim.Psum(ct, slices.Collect(more.All())...)
		}
		if want, got := s.avals[k].Tangent(), ct.Aval(); !want.SameType(got) {
			panic("BUG: transpose of " + e.Prim.Name() + " returned a cotangent " + got.Full() + " for an operand " + s.avals[k].Full())
		}
		b.slots[ins[k]].add(ct)
	}
}

// ruleArgs are the arguments of a transposing rule. Rules of primitives without programs keep none
// of them, so that the next rule receives the same memory.
type ruleArgs struct {
	cts, in []Value
	lin     []bool
	avals   []core.ShapedArray
	missing []notKnown

	// Memory for most equations without programs, which then need no allocation.
	fewCts     [1]Value
	fewIn      [2]Value
	fewLin     [2]bool
	fewAvals   [2]core.ShapedArray
	fewMissing [2]notKnown
}

// fit resizes the slices for an equation with the given numbers of operands and results.
func (s *ruleArgs) fit(ins, outs int) {
	switch {
	case ins <= cap(s.in):
	case ins <= len(s.fewIn):
		s.in, s.lin, s.avals, s.missing = s.fewIn[:], s.fewLin[:], s.fewAvals[:], s.fewMissing[:]
	default:
		s.in, s.lin, s.avals, s.missing = make([]Value, ins), make([]bool, ins), make([]core.ShapedArray, ins), nil
	}
	switch {
	case outs <= cap(s.cts):
	case outs <= len(s.fewCts):
		s.cts = s.fewCts[:]
	default:
		s.cts = make([]Value, outs)
	}
	s.in, s.lin, s.avals, s.missing, s.cts = s.in[:ins], s.lin[:ins], s.avals[:ins], s.missing[:min(ins, cap(s.missing))], s.cts[:outs]
}

// notKnown stands for a linear operand. Its value does not exist: an operation whose transpose
// rule reads it is not linear in that operand.
type notKnown struct {
	op      string
	operand int
	aval    core.ShapedArray
}

func (n *notKnown) Aval() core.ShapedArray { return n.aval }

// Interpreter reports the mistake: it is called where the value is used.
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
	case *jaxpr.ShardMap:
		return transposeShardMap
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

type transposed struct {
	j     *jaxpr.Jaxpr // extra, inputs that are not linear, cotangents → cotangents
	extra []Value
	nz    []bool // linear inputs with a cotangent, over all inputs
}

// transposeRaw transposes j and leaves its constants in place. lin marks j's linear inputs, ct
// the results that have a cotangent, want the inputs whose cotangent is requested even if zero.
// steps, if not nil, collects the variables of a loop's step that reverse rules read; they become
// inputs after the cotangents.
func transposeRaw(j *jaxpr.Jaxpr, lin, ct, want []bool, steps *stepReads) *transposed {
	t := &transposed{}
	avals := pick(j.InAvals(), not(lin))
	n := len(avals)
	for _, a := range pick(j.OutAvals(), ct) {
		avals = append(avals, a.Tangent())
	}
	t.j = trace.Stage("transpose", avals, func(in []Value) []Value {
		if steps != nil {
			steps.rec, _ = core.ActiveRecorder().(*trace.Recorder)
		}
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

// transposeJaxpr is transposeRaw, once for each program and choice of operands; steps is nil but for the body of a loop.
func transposeJaxpr(j *jaxpr.Jaxpr, lin, ct, want []bool, h hoisting, steps *stepReads) *transposed {
	return jaxpr.Cached(j, transposeKey{bits(lin), bits(ct), bits(want), h}, func() *transposed {
		t := transposeRaw(j, lin, ct, want, steps)
		t.extra = h.hoist(t.j)
		return t
	}, func(t *transposed) bool { return !core.HasTracer(t.extra) })
}

// LinearTranspose transposes f, a linear function of operands of the given types,
// into a map from cotangents of its results to cotangents of the operands.
func LinearTranspose(f func([]Value) []Value, in []core.ShapedArray) (out []core.ShapedArray, transpose func(cts []Value) []Value) {
	j := trace.Stage("LinearTranspose", in, f)
	return j.OutAvals(), func(cts []Value) []Value {
		return backward(j, make([]Value, len(in)), all(len(in), true), cts)
	}
}
