// Package trace stages Go functions: it calls a function with tracers and records each
// primitive as an equation of a jaxpr. It is for authors of transformations and executors;
// programs call weft.Jit and weft.Jaxpr.
//
// Inside a trace, every primitive bound on the goroutine is recorded, in program order, and
// none is executed. A traced value that depends on no argument, effect or named axis is known:
// reading it evaluates the equations it depends on.
//
// The package promises nothing before version 1.0: names and types may change in any release.
package trace

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Recorder is the interpreter that records equations. An ambient one takes every primitive of its
// goroutine; a tape takes only what is applied to its tracers.
type Recorder struct {
	level   int64
	name    string // of the traced function, for messages
	ambient bool
	eager   bool // what depends on no argument is executed, not recorded
	rewrite bool
	locate  bool
	site    core.Site // where the trace was started
	done    atomic.Bool

	mu      sync.Mutex     // goroutines started by the function may record too
	full    [][]*jaxpr.Eqn // the equations before eqns: see add
	eqns    []*jaxpr.Eqn
	ins     []*Tracer
	consts  []constant // hoisted values, in order of first use
	hoisted hoisted
	copied  map[*knowledge][]*Tracer // equations of other traces written again
	shared  shared                   // used if this trace is the outermost: see Share
	slab    []record                 // memory for equations to come
	tracers []Tracer                 // memory for the tracers of their results, separate since a program outlives its tracers
	room    int                      // the length of slab and of tracers when they were new
	types   *core.Types              // of operations written before; nil until one is written
}

type constant struct {
	t     *Tracer
	value core.Value
}

// Locations switches the recording of the user's lines, for the whole process.
// It is on by default.
var Locations atomic.Bool

// Explain is called, if set, with a warning where a value is used after its trace has ended: the
// program works, but is probably a mistake.
var Explain atomic.Pointer[func(string)]

func init() { Locations.Store(true) }

// knownTypes contains the caches of result types of traces that have ended. Other traces take them
// over, since nested traces are many and short.
var knownTypes = sync.Pool{New: func() any { return new(core.Types) }}

// knownType returns the type of p's result if it was found before. The caller holds the lock.
func (r *Recorder) knownType(p core.Primitive, in []core.ShapedArray) (out core.ShapedArray, ok bool) {
	if r.types == nil {
		r.types = knownTypes.Get().(*core.Types)
	}
	return r.types.Known(p, in)
}

func newRecorder(name string, ambient bool) *Recorder {
	return &Recorder{level: core.NextLevel(), name: name, ambient: ambient,
		locate: Locations.Load()}
}

// NewTape returns a recorder of tangents. It is never on a goroutine's stack: it stages
// nothing but what is applied to its own tracers.
func NewTape(name string) *Recorder { return newRecorder(name, false) }

// Level orders the recorder among the interpreters: the youngest has the highest.
func (r *Recorder) Level() int64 { return r.level }

// Rewrite makes a tape write the equations of known values of a live trace again,
// instead of taking their results as residuals.
func (r *Recorder) Rewrite() { r.rewrite = true }

// Abandon ends a trace that was not finished; after Finish it does nothing.
func (r *Recorder) Abandon() { r.done.Store(true) }

// Live reports whether the trace is still going on.
func (r *Recorder) Live() bool { return !r.done.Load() }

// Records reports whether the recorder takes operations without operands of its own.
func (r *Recorder) Records() bool { return r.ambient }

// StartedAt returns where the trace was started, 0 if that is not known.
func (r *Recorder) StartedAt() core.Site { return r.site }

// IsTape reports whether the recorder is a tape of tangents.
func (r *Recorder) IsTape() bool { return !r.ambient }

// Input makes a tracer for an argument.
func (r *Recorder) Input(a core.ShapedArray) *Tracer {
	t := newArgument(r, a)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ins = append(r.ins, t)
	return t
}

// record is the memory of an equation of one or two operands and one result.
type record struct {
	eqn jaxpr.Eqn
	out [1]*jaxpr.Var
	in  [2]jaxpr.Atom
	v   jaxpr.Var
}

// next returns memory for an equation and its tracer. Equations are allocated in slabs, since all
// equations of a program have the same lifetime. The caller holds the lock.
func (r *Recorder) next() (*record, *Tracer) {
	if len(r.slab) == 0 {
		r.room = min(max(2*r.room, 4), 64)
		r.slab, r.tracers = make([]record, r.room), make([]Tracer, r.room)
	}
	rec, t := &r.slab[0], &r.tracers[0]
	r.slab, r.tracers = r.slab[1:], r.tracers[1:]
	return rec, t
}

// add appends an equation. A long list is not copied to a longer one, but set aside,
// to be joined at the end. The caller holds the lock.
func (r *Recorder) add(e *jaxpr.Eqn) {
	const long, longest = 1 << 10, 1 << 16
	if n := len(r.eqns); n == cap(r.eqns) && n >= long {
		r.full = append(r.full, r.eqns)
		r.eqns = make([]*jaxpr.Eqn, 0, min(2*n, longest))
	}
	r.eqns = append(r.eqns, e)
}

// written returns all equations, in order. The caller holds the lock.
func (r *Recorder) written() []*jaxpr.Eqn {
	if len(r.full) == 0 {
		return r.eqns
	}
	return slices.Concat(append(r.full, r.eqns)...)
}

// Interpret records p as an equation. A recorder that is eager runs what it can and records the rest.
func (r *Recorder) Interpret(p core.Primitive, in []core.Value) []core.Value {
	if r.eager {
		if out, ok := r.executed(p, in); ok {
			return out
		}
	}
	if _, ok := p.(core.Closureful); ok {
		p = jaxpr.Enclose(p)
		if out, ok := r.stageCall(p.(core.Closureful), in); ok {
			return out
		}
	} else if n := len(in); n == 1 || n == 2 {
		// An operation that was written before may take a shorter way: its types are cached.
		avals := [2]core.ShapedArray{in[0].Aval(), in[n-1].Aval()}
		r.mu.Lock()
		if out, ok := r.knownType(p, avals[:n]); ok {
			return []core.Value{r.writeUsual(p, in, out)}
		}
		r.mu.Unlock()
	}
	return r.write(p, in)
}

// Apply records an equation of one or two operands and one result: see [core.Applier].
func (r *Recorder) Apply(p core.Primitive, x, y core.Value) core.Value {
	if _, ok := p.(core.Closureful); ok || r.eager {
		if y == nil {
			return r.Interpret(p, []core.Value{x})[0]
		}
		return r.Interpret(p, []core.Value{x, y})[0]
	}
	var avals [2]core.ShapedArray
	n := 1
	avals[0] = x.Aval()
	if y != nil {
		avals[1] = y.Aval()
		n = 2
	}
	r.mu.Lock()
	out, ok := r.knownType(p, avals[:n])
	if !ok {
		r.mu.Unlock()
		in := append([]core.ShapedArray(nil), avals[:n]...)
		outs := core.AbstractOf(p, in)
		if len(outs) != 1 {
			panic("BUG: " + p.Name() + " has several results")
		}
		out = outs[0]
		r.mu.Lock()
		if _, holds := p.(jaxpr.Holder); !holds && r.types != nil { // the programs would outlive their traces
			r.types.Note(p, in, outs)
		}
	}
	in := [2]core.Value{x, y}
	return r.writeUsual(p, in[:n], out)
}

// writeUsual writes an equation of one or two operands and a result of type out. The caller
// holds the lock, which is released.
func (r *Recorder) writeUsual(p core.Primitive, in []core.Value, out core.ShapedArray) core.Value {
	rec, t := r.next()
	e := &rec.eqn
	e.Prim = p
	e.Ins = rec.in[:len(in):len(in)]
	rec.v = jaxpr.MakeVar(out)
	rec.out[0] = &rec.v
	e.Outs = rec.out[:]
	var o operands
	for i, v := range in {
		e.Ins[i] = o.atom(r, v)
	}
	r.add(e)
	r.mu.Unlock()
	if r.locate {
		e.Site = core.HereSite()
	}
	*t = Tracer{rec: r, v: &rec.v, eqn: e}
	if r.resultsKnown(p, o) {
		t.k = &knowledge{prim: p, in: slices.Clone(in), pure: !o.impure, drawn: o.drawn}
	}
	t.box = t
	return t
}

type operands struct {
	unknown bool // the value of one is not known
	impure  bool // a tracer of another interpreter is behind one
	drawn   bool // one is a key of random numbers, or was made of one
}

// atom returns v as an operand of the equation. The caller holds the lock.
func (o *operands) atom(r *Recorder, v core.Value) jaxpr.Atom {
	var t *Tracer
	switch x := v.(type) {
	case core.Literal:
		if x.Bare {
			x.Bare = false
			return x.Value()
		}
		return v
	case *Tracer:
		if t = x; x.rec != r {
			t = r.hoist(v)
		}
	default:
		t = r.hoist(v)
	}
	if t.k == nil {
		o.unknown = true
		return t.v
	}
	o.impure = o.impure || !t.k.pure
	o.drawn = o.drawn || t.k.drawn || t.v.Type.DType.IsKey()
	return t.v
}

// resultsKnown reports whether the results of p are known. On a tape, and for effects and operations
// along named axes, they are not.
func (r *Recorder) resultsKnown(p core.Primitive, o operands) bool {
	return !o.unknown && r.ambient && core.EffectsOf(p) == 0 && !core.NamesAxes(p)
}

// write writes an equation. The caller does not hold the lock.
func (r *Recorder) write(p core.Primitive, in []core.Value) []core.Value {
	outAvals := core.AbstractOf(p, core.AvalsOf(in))
	if n := len(in); len(outAvals) == 1 && (n == 1 || n == 2) {
		r.mu.Lock()
		return []core.Value{r.writeUsual(p, in, outAvals[0])}
	}
	e := &jaxpr.Eqn{Prim: p, Ins: make([]jaxpr.Atom, len(in)), Outs: make([]*jaxpr.Var, len(outAvals))}
	if r.locate {
		e.Site = core.HereSite()
	}
	vars := make([]jaxpr.Var, len(outAvals))
	for i, a := range outAvals {
		vars[i] = jaxpr.MakeVar(a)
		e.Outs[i] = &vars[i]
	}
	var o operands
	r.mu.Lock()
	for i, v := range in {
		e.Ins[i] = o.atom(r, v)
	}
	r.add(e)
	r.mu.Unlock()
	var k *knowledge
	if r.resultsKnown(p, o) {
		k = &knowledge{prim: p, in: append([]core.Value(nil), in...), pure: !o.impure, drawn: o.drawn}
	}
	out, tracers := make([]core.Value, len(outAvals)), make([]Tracer, len(outAvals))
	for i, v := range e.Outs {
		t := &tracers[i]
		*t = Tracer{rec: r, v: v, eqn: e, k: k, index: i, box: t}
		out[i] = t
	}
	return out
}

// atom returns v, which is settled, as a result of the program.
func (r *Recorder) atom(v core.Value) jaxpr.Atom {
	switch x := v.(type) {
	case core.Literal:
		x.Bare = false
		return x
	case *Tracer:
		if x.rec == r {
			return x.v
		}
	}
	return r.hoist(v).v
}

// settled returns vs with every tracer of a finished trace replaced by its value. The values may be
// written into this trace, so the caller must not hold the lock.
func (r *Recorder) settled(vs []core.Value) []core.Value {
	out := vs
	for i, v := range vs {
		for {
			t, ok := v.(core.Tracer)
			if x, own := v.(*Tracer); !ok || own && x.rec == r || t.Interpreter().Live() {
				break
			}
			v = core.Resolve(t)
		}
		if v != vs[i] {
			if &out[0] == &vs[0] {
				out = slices.Clone(vs)
			}
			out[i] = v
		}
	}
	return out
}

// Finish ends the trace with the given results. The program's constants are the hoisted values.
func (r *Recorder) Finish(outs []core.Value) *jaxpr.Jaxpr {
	outs = r.settled(outs)
	r.mu.Lock()
	defer r.mu.Unlock()
	j := &jaxpr.Jaxpr{Outs: make([]jaxpr.Atom, len(outs))}
	for i, v := range outs {
		j.Outs[i] = r.atom(v)
	}
	j.Eqns = r.written()
	j.Ins = slices.Grow(j.Ins, len(r.ins))
	for _, t := range r.ins {
		j.Ins = append(j.Ins, t.v)
	}
	j.Consts, j.ConstVals = slices.Grow(j.Consts, len(r.consts)), slices.Grow(j.ConstVals, len(r.consts))
	for _, c := range r.consts {
		j.Consts = append(j.Consts, c.t.v)
		j.ConstVals = append(j.ConstVals, c.value)
	}
	r.end()
	return j
}

// end marks the trace as finished and drops what it holds.
func (r *Recorder) end() {
	r.done.Store(true)
	if r.types != nil {
		knownTypes.Put(r.types)
	}
	r.full, r.eqns, r.slab, r.tracers, r.types = nil, nil, nil, nil, nil
	r.ins, r.consts, r.hoisted, r.copied, r.shared.seen = nil, nil, hoisted{}, nil, nil
}
