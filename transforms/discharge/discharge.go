// Package discharge turns programs that read and write mutable references, as JAX's texts do, into
// pure ones: a reference becomes the value that it holds at each point. Reading gives that value or
// a part of it, writing makes another value, and loops and branches carry the values of the
// references that they write.
//
// A text does not show the stride of a slice, so that a[:3] may have been a[0:6:2]: it is read as
// three neighbours. A loop that carries a reference, a condition of a while that writes one, and a
// reference that is written and known by two names are refused, and so are unknown operations on
// references.
package discharge

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Program returns j without references, or j itself if it has none. Inputs that are references
// become arrays, and the last values of those that are written follow the results. If a constant is a
// reference, all constants become inputs, before the others. It panics with *core.Error at an equation
// whose effect on a reference is unknown.
func Program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	core.RequireReceiver("discharge.Program", j == nil)
	s := &state{uses: map[*jaxpr.Jaxpr]bool{}, parts: map[*jaxpr.Jaxpr]*part{}}
	if !s.stateful(j) {
		return j
	}
	if slices.ContainsFunc(j.Consts, isRef) {
		j = &jaxpr.Jaxpr{Ins: slices.Concat(j.Consts, j.Ins), Eqns: j.Eqns, Outs: j.Outs}
	}
	return s.part(j).whole()
}

type state struct {
	uses  map[*jaxpr.Jaxpr]bool
	parts map[*jaxpr.Jaxpr]*part
}

// stateful reports whether a program, or one within it, has references.
func (s *state) stateful(j *jaxpr.Jaxpr) bool {
	if uses, ok := s.uses[j]; ok {
		return uses
	}
	uses := slices.ContainsFunc(j.Consts, isRef) || slices.ContainsFunc(j.Ins, isRef) || slices.ContainsFunc(j.Eqns, func(e *jaxpr.Eqn) bool {
		return slices.ContainsFunc(e.Outs, isRef) || slices.ContainsFunc(jaxpr.Programs(e.Prim), s.stateful)
	})
	s.uses[j] = uses
	return uses
}

func isRef(v *jaxpr.Var) bool { return v.Type.Ref }

func isRefAtom(a jaxpr.Atom) bool { return a.Aval().Ref }

// part is a program in which values replace the references.
type part struct {
	from *jaxpr.Jaxpr
	ins  []*jaxpr.Var
	eqns []*jaxpr.Eqn
	outs []jaxpr.Atom
	last []jaxpr.Atom // the last value of each input that is a reference; nil for other inputs
	all  *jaxpr.Jaxpr // made by whole
}

func (s *state) part(j *jaxpr.Jaxpr) *part {
	if p := s.parts[j]; p != nil {
		return p
	}
	if slices.ContainsFunc(j.Consts, isRef) {
		core.Failf(core.ErrNoRule, "a program within another has a constant that is a reference; make it an input")
	}
	for i, a := range j.Outs {
		if isRefAtom(a) && (slices.Contains(j.Ins, a.(*jaxpr.Var)) || slices.Contains(j.Outs[:i], a)) {
			core.Failf(core.ErrNoRule, "result %d is a reference that has another name already; return its value, which a[...] reads", i)
		}
	}
	p := &part{from: j, last: make([]jaxpr.Atom, len(j.Ins))}
	f := &frame{state: s, b: jaxpr.NewBuilder(), env: map[*jaxpr.Var]jaxpr.Atom{}}
	for _, v := range j.Ins {
		if isRef(v) {
			w := jaxpr.NewVar(core.ShapedArray{Shape: v.Type.Shape, DType: v.Type.DType})
			f.env[v], v = w, w
		}
		p.ins = append(p.ins, v)
	}
	p.outs = f.run(j)
	p.eqns = f.b.Build().Eqns
	for i, v := range j.Ins {
		if isRef(v) {
			p.last[i] = f.env[v]
		}
	}
	s.parts[j] = p
	return p
}

// writes reports whether input i is a reference that is written.
func (p *part) writes(i int) bool { return p.last[i] != nil && p.last[i] != jaxpr.Atom(p.ins[i]) }

// split returns the numbers of the inputs from lo up to hi that are not written, and of those that are.
func (p *part) split(lo, hi int) (kept, written []int) {
	for i := lo; i < hi; i++ {
		if p.writes(i) {
			written = append(written, i)
		} else {
			kept = append(kept, i)
		}
	}
	return kept, written
}

func (p *part) program(ins []*jaxpr.Var, outs []jaxpr.Atom) *jaxpr.Jaxpr {
	return &jaxpr.Jaxpr{Consts: p.from.Consts, ConstVals: p.from.ConstVals, Ins: ins, Eqns: p.eqns, Outs: outs}
}

// whole returns the program whose results are followed by the last values of the inputs that are written.
func (p *part) whole() *jaxpr.Jaxpr {
	if p.all == nil {
		_, written := p.split(0, len(p.ins))
		p.all = p.program(p.ins, slices.Concat(p.outs, pick(p.last, written)))
		p.all.InNames = p.from.InNames
	}
	return p.all
}

// frame is a program while its equations are rewritten. env maps a variable to what replaces it at this
// point: a reference to the value that it holds.
type frame struct {
	*state
	b   *jaxpr.Builder
	env map[*jaxpr.Var]jaxpr.Atom
}

func (f *frame) run(j *jaxpr.Jaxpr) []jaxpr.Atom {
	replay := core.StartReplayOutside()
	defer replay.End()
	for _, e := range j.Eqns {
		replay.At(e.Site)
		f.eqn(e)
	}
	return f.atoms(j.Outs)
}

func (f *frame) atoms(as []jaxpr.Atom) []jaxpr.Atom {
	out := slices.Clone(as)
	for i, a := range as {
		if v, ok := a.(*jaxpr.Var); ok && f.env[v] != nil {
			out[i] = f.env[v]
		}
	}
	return out
}

// bind replaces the results of an equation by values from here on. They must have the types that the text
// declares.
func (f *frame) bind(e *jaxpr.Eqn, as []jaxpr.Atom) {
	for i, v := range e.Outs {
		if want, got := v.Type, as[i].Aval(); got.Shape != want.Shape || got.DType != want.DType {
			core.FailOp(core.ErrShape, e.Prim.Name(), core.AvalsOf(e.Ins), "result %d is declared as %v, but is %v", i, want, got)
		}
		f.env[v] = as[i]
	}
}

func (f *frame) do(p core.Primitive, in ...jaxpr.Atom) []jaxpr.Atom {
	var out []jaxpr.Atom
	for _, v := range f.b.Eqn(p, in...) {
		out = append(out, v)
	}
	return out
}

func (f *frame) one(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return f.do(p, in...)[0] }

// strong returns a value as a reference holds it, which is never weak.
func (f *frame) strong(a jaxpr.Atom) jaxpr.Atom {
	t := a.Aval()
	if !t.Weak {
		return a
	}
	return f.one(prim.ConvertElementTypeP{NewDType: t.DType}, a)
}

func (f *frame) eqn(e *jaxpr.Eqn) {
	in := f.atoms(e.Ins)
	switch p := e.Prim.(type) {
	case *jaxpr.RefOp:
		f.access(p, e, in)
		return
	case *jaxpr.Opaque:
		if f.opaque(p, e, in) {
			return
		}
	}
	if slices.ContainsFunc(jaxpr.Programs(e.Prim), f.stateful) {
		f.call(e, in)
		return
	}
	if slices.ContainsFunc(e.Ins, isRefAtom) {
		core.FailOp(core.ErrNoRule, e.Prim.Name(), core.AvalsOf(e.Ins), "what it does with a reference is not known; read the reference first, with a[...]")
	}
	f.bind(e, f.do(e.Prim, in...))
}

// opaque rewrites operations that only programs with references have. It reports false for other
// operations.
func (f *frame) opaque(p *jaxpr.Opaque, e *jaxpr.Eqn, in []jaxpr.Atom) bool {
	count := map[string][2]int{"new_ref": {1, 1}, "mutable_array": {1, 1}, "freeze": {1, 1}, "empty_ref": {0, 1}, "free_ref": {1, 0}, "broadcast_to": {1, 1}, "run_state": {len(in), len(in)}}
	if n, ok := count[p.Op]; !ok || n != [2]int{len(in), len(e.Outs)} {
		return false
	}
	switch p.Op {
	case "new_ref", "mutable_array", "freeze":
		f.bind(e, []jaxpr.Atom{f.strong(in[0])})
	case "empty_ref":
		t := e.Outs[0].Type
		f.bind(e, []jaxpr.Atom{f.one(prim.EmptyP{Shape: t.Shape, DType: t.DType})})
	case "broadcast_to":
		to, rank := e.Outs[0].Type.Shape, in[0].Aval().Rank()
		f.bind(e, []jaxpr.Atom{f.spread(in[0], to, to.Len()-rank)})
	case "run_state":
		f.runState(p, e, in)
	}
	return true
}

// spread broadcasts a to a shape, in which the axes of a begin at axis from.
func (f *frame) spread(a jaxpr.Atom, to core.Dims, from int) jaxpr.Atom {
	dims := make([]int, a.Aval().Rank())
	for i := range dims {
		dims[i] = from + i
	}
	return f.one(prim.BroadcastInDimP{Shape: to, Dims: core.MakeDims(dims...)}, a)
}
