package lower

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Inlining selects the calls that Inline replaces besides jit and core_call.
type Inlining struct {
	Custom bool // custom_jvp_call, custom_vjp_call, custom_vmap_call, linear_call, custom_linear_solve: their rules are lost
	Remat  bool // remat2, which Custom includes if it allows CSE: the choice of what the backward pass keeps is lost
	Within bool // also in the programs of equations that stay: branches, loops
}

// Inline returns j with calls replaced by the equations of the programs that they call.
// Constants of these programs become constants of the result. A call stays if the calling and the called
// program both have constants, and only one of them has their values.
func Inline(j *jaxpr.Jaxpr, o Inlining) *jaxpr.Jaxpr {
	return newInliner(o).program(j)
}

// inlineCalls replaces calls, but not those of rematerialized programs that must stay
// apart from other equations.
func inlineCalls(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return inlineBounded(j, Inlining{Custom: true, Within: true})
}

// inlineRemat replaces the remaining calls of rematerialized programs.
func inlineRemat(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return inlineBounded(j, Inlining{Remat: true, Within: true})
}

// Inlining programs that are called often can make a program huge: a chain of n programs each of
// which calls the next one twice has 2ⁿ equations. If a program would grow beyond growth times the equations that it
// and the programs in it have, and beyond roomyEqns, a program that is called more than once is inlined only if it
// has at most smallCall equations.
const (
	growth    = 4
	roomyEqns = 20_000
	smallCall = 16
)

func inlineBounded(j *jaxpr.Jaxpr, o Inlining) *jaxpr.Jaxpr {
	il := newInliner(o)
	s := sizes{il: il, full: map[*jaxpr.Jaxpr]float64{}, uses: map[*jaxpr.Jaxpr]int{}}
	if !s.calls(j) {
		return j
	}
	size, most := s.size(j), math.Max(growth*s.written, roomyEqns)
	if size <= most {
		return il.program(j)
	}
	il.room = int(most) // sharing calls may make it fit
	if out := il.program(j); il.room > 0 {
		return out
	}
	il = newInliner(o)
	il.sizes = &s
	return il.program(j)
}

// sizes predicts how many equations programs have after inlining.
type sizes struct {
	il      *inliner
	full    map[*jaxpr.Jaxpr]float64 // with all calls replaced
	uses    map[*jaxpr.Jaxpr]int     // equations that call the program
	written float64                  // equations of all programs before calls are replaced
}

// calls reports whether j has equations with programs.
func (s *sizes) calls(j *jaxpr.Jaxpr) bool {
	for _, e := range j.Eqns {
		if _, ok := e.Prim.(jaxpr.Holder); ok {
			return true
		}
	}
	return false
}

func (s *sizes) size(j *jaxpr.Jaxpr) float64 {
	if n, ok := s.full[j]; ok {
		return n
	}
	n := float64(len(j.Eqns))
	s.written += n
	for _, e := range j.Eqns {
		if c := s.il.called(e.Prim); c != nil {
			s.uses[c]++
			n += s.size(c)
			continue
		}
		for _, c := range jaxpr.Programs(e.Prim) {
			n += s.size(c)
		}
	}
	s.full[j] = n
	return n
}

// keeps reports whether calls of j stay because the program would grow too much.
func (s *sizes) keeps(j *jaxpr.Jaxpr) bool {
	return s != nil && s.uses[j] > 1 && s.full[j] > smallCall
}

type inliner struct {
	o     Inlining
	sizes *sizes // nil: inline without a bound
	room  int    // equations that may still be written; at 0 the result is of no use
	done  map[*jaxpr.Jaxpr]*jaxpr.Jaxpr
	slab  slab

	repetitions map[*jaxpr.Jaxpr]repetition
}

func newInliner(o Inlining) *inliner {
	return &inliner{o: o, room: math.MaxInt, done: map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}, repetitions: map[*jaxpr.Jaxpr]repetition{}}
}

// called returns the program that p calls and that is to be inlined, or nil.
func (il *inliner) called(p core.Primitive) *jaxpr.Jaxpr {
	switch p := p.(type) {
	case *jaxpr.Jit:
		if p.Device == "" { // a call on another executor stays
			return p.Jaxpr
		}
	case *jaxpr.CoreCall:
		return p.Jaxpr
	case *jaxpr.Remat:
		if il.o.Remat || il.o.Custom && !p.PreventCSE {
			return p.Jaxpr
		}
	case *jaxpr.CustomJVP:
		if il.o.Custom {
			return p.Jaxpr
		}
	case *jaxpr.CustomVJP:
		if il.o.Custom {
			return p.Jaxpr
		}
	case *jaxpr.CustomVmap:
		if il.o.Custom {
			return p.Jaxpr
		}
	case *jaxpr.LinearCall:
		if il.o.Custom {
			return p.Jaxpr
		}
	case *jaxpr.LinearSolve:
		if il.o.Custom {
			return p.Solve
		}
	}
	return nil
}

// operands returns the operands that the called program takes.
func operands(e *jaxpr.Eqn) []jaxpr.Atom {
	p, ok := e.Prim.(*jaxpr.LinearSolve)
	if !ok {
		return e.Ins
	}
	lo := p.MatvecConsts + p.VecmatConsts
	n := lo + p.SolveConsts + p.TransposeSolveConsts
	return append(append([]jaxpr.Atom(nil), e.Ins[lo:lo+p.SolveConsts]...), e.Ins[n:]...)
}

// program returns j with calls replaced, and j itself if nothing changes. If equations of j itself are replaced,
// the result has variables of its own.
func (il *inliner) program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if out, ok := il.done[j]; ok {
		return out
	}
	calls := false
	for _, e := range j.Eqns {
		if c := il.called(e.Prim); c != nil && !il.sizes.keeps(c) {
			calls = true
			break
		}
	}
	out := j
	if calls {
		out = il.copied(j)
	} else if il.o.Within {
		out = mapPrograms(j, il.program)
	}
	il.done[j] = out
	return out
}

func (il *inliner) copied(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	out := &jaxpr.Jaxpr{Eqns: make([]*jaxpr.Eqn, 0, len(j.Eqns))}
	if j.ConstVals != nil {
		out.ConstVals = append([]core.Value{}, j.ConstVals...)
	}
	c := il.copier(j)
	for _, v := range j.Consts {
		out.Consts = append(out.Consts, c.fresh(v))
	}
	for _, v := range j.Ins {
		out.Ins = append(out.Ins, c.fresh(v))
	}
	il.into(out, j.Eqns, c, &sharedCalls{})
	if il.room > 0 {
		out.Outs = c.atoms(j.Outs)
	}
	return out
}

// into appends the equations, with variables renamed by c, to out. calls are those that were
// replaced in out before.
func (il *inliner) into(out *jaxpr.Jaxpr, eqns []*jaxpr.Eqn, c *copier, calls *sharedCalls) {
	for _, e := range eqns {
		if il.room <= 0 {
			return
		}
		j := il.called(e.Prim)
		if j == nil || il.sizes.keeps(j) || !constantsFit(out, j) {
			p := e.Prim
			if il.o.Within {
				p = withPrograms(p, il.program)
			}
			out.Eqns = append(out.Eqns, c.eqn(e, p))
			il.room--
			continue
		}
		ins := operands(e)
		args := make([]jaxpr.Atom, len(ins))
		for i, a := range ins {
			args[i] = c.atom(a)
		}
		var shared *sharedCall
		if il.shares(e.Prim, j) {
			var again bool
			if shared, again = calls.find(j, args); again {
				for i, v := range e.Outs {
					c.bind(v, shared.outs[i])
				}
				continue
			}
		}
		inner := il.copier(j)
		for i, v := range j.Consts {
			out.Consts = append(out.Consts, inner.fresh(v))
			if j.ConstVals != nil {
				out.ConstVals = append(out.ConstVals, j.ConstVals[i])
			}
		}
		for i, a := range args {
			inner.bind(j.Ins[i], a)
		}
		il.into(out, j.Eqns, inner, calls)
		if il.room <= 0 {
			return
		}
		outs := make([]jaxpr.Atom, len(e.Outs))
		for i, v := range e.Outs {
			outs[i] = inner.atom(j.Outs[i])
			c.bind(v, outs[i])
		}
		if shared != nil {
			shared.outs = outs
		}
	}
}

// constantsFit reports whether j's constants can become out's: either all constants of
// a program have values or none has.
func constantsFit(out, j *jaxpr.Jaxpr) bool {
	if len(j.Consts) == 0 || len(out.Consts) == 0 {
		return true
	}
	return (j.ConstVals == nil) == (out.ConstVals == nil)
}
