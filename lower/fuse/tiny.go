package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
)

// tinyP is a program on small arrays that is one kernel, in which each element is a value. It contains
// factorizations, which would be calls of the reference, and the equations around them.
type tinyP struct{ program *jaxpr.Jaxpr }

func (*tinyP) Name() string { return "tiny" }

func (p *tinyP) Abstract([]core.ShapedArray) []core.ShapedArray { return p.program.OutAvals() }

// tinyPrograms returns the equations of a program, with those on small arrays around
// factorizations gathered. Gathered equations are placed at the last of them. Other equations that need their
// results, and stood before it, follow.
func tinyPrograms(j *jaxpr.Jaxpr, refused Refusals) []*jaxpr.Eqn {
	if !slices.ContainsFunc(j.Eqns, isTinyCore) {
		return j.Eqns
	}
	g := &gathering{refused: refused, outside: map[*jaxpr.Var]int{}, program: j}
	for _, e := range j.Eqns {
		g.use(e.Ins, 1)
	}
	g.use(j.Outs, 1)
	g.begin()
	for _, e := range j.Eqns {
		g.add(e)
	}
	g.end()
	return g.out
}

// isTinyCore reports whether an equation is a small factorization, triangular solve or permutation of rows,
// around which tiny programs are made.
func isTinyCore(e *jaxpr.Eqn) bool {
	switch e.Prim.(type) {
	case matrices.CholeskyP, matrices.TriangularSolveP, matrices.LUP, matrices.LUPivotsToPermutationP:
		var n smallCount
		return smallEqn(e, &n)
	}
	return false
}

// smallEqn adds the operations of an equation to n. It reports whether the equation can be unrolled and n stays within
// smallProgram.
func smallEqn(e *jaxpr.Eqn, n *smallCount) bool {
	if core.EffectsOf(e.Prim) != 0 {
		return false
	}
	for i, a := range e.Ins {
		if !fitsSmall(a.Aval()) && (unfit(a.Aval()) != "" || !readsSome(e, i)) {
			return false
		}
	}
	for _, v := range e.Outs {
		if !fitsSmall(v.Type) || v.Type.Size() == 0 {
			return false
		}
	}
	n.eqns++
	return unrolls(e, n) && n.ops <= smallProgram
}

// A gathering is a list of equations in which tiny programs replace their members, and the tiny
// program that is being gathered.
type gathering struct {
	refused Refusals
	program *jaxpr.Jaxpr
	outside map[*jaxpr.Var]int // uses that are not within the tiny program
	out     []*jaxpr.Eqn
	total   int // operations of all tiny programs

	size    smallCount
	cores   int
	members []*jaxpr.Eqn
	inside  map[*jaxpr.Var]bool // made by members
	behind  map[*jaxpr.Var]bool // made by other equations that need members
	later   []*jaxpr.Eqn        // the equations that make the variables of behind
}

func (g *gathering) use(atoms []jaxpr.Atom, n int) {
	for _, a := range atoms {
		if v, ok := a.(*jaxpr.Var); ok {
			g.outside[v] += n
		}
	}
}

func (g *gathering) begin() {
	g.size, g.cores, g.members, g.later = smallCount{}, 0, nil, nil
	g.inside, g.behind = map[*jaxpr.Var]bool{}, map[*jaxpr.Var]bool{}
}

func (g *gathering) add(e *jaxpr.Eqn) {
	size := g.size
	_, no := g.refused[e]
	small := !no && smallEqn(e, &size)
	waits := readsAny(e, g.behind)
	if core.EffectsOf(e.Prim) != 0 || small && waits || len(g.members) > 0 && small && (!size.fits() || g.total+size.ops > tinyProgram) {
		g.end()
		g.begin()
		size, waits = smallCount{}, false
		small = !no && smallEqn(e, &size) && size.fits() && g.total+size.ops <= tinyProgram
	}
	switch {
	case small:
		g.size = size
		g.members = append(g.members, e)
		if isTinyCore(e) {
			g.cores++
		}
		for _, v := range e.Outs {
			g.inside[v] = true
		}
	case waits || readsAny(e, g.inside):
		g.later = append(g.later, e)
		for _, v := range e.Outs {
			g.behind[v] = true
		}
	default:
		g.out = append(g.out, e)
	}
}

func readsAny(e *jaxpr.Eqn, set map[*jaxpr.Var]bool) bool {
	return slices.ContainsFunc(e.Ins, func(a jaxpr.Atom) bool { v, ok := a.(*jaxpr.Var); return ok && set[v] })
}

// end writes the tiny program, or its equations if it is not worth a kernel, and then the equations that wait for it.
func (g *gathering) end() {
	defer func() { g.out = append(g.out, g.later...) }()
	if g.cores == 0 || len(g.members) < 2 {
		g.out = append(g.out, g.members...)
		return
	}
	for _, e := range g.members {
		g.use(e.Ins, -1)
	}
	q := &jaxpr.Jaxpr{}
	seen, twice := map[*jaxpr.Var]bool{}, map[*jaxpr.Eqn]bool{}
	for _, e := range g.members {
		q.Eqns = append(q.Eqns, e)
		// Movement of operands costs nothing, here and wherever else its result is used.
		if c, _ := classOf(e); (c == movement || c == source) && !readsAny(e, g.inside) && g.usedOutside(e) {
			g.out = append(g.out, e)
			twice[e] = true
		}
	}
	for _, e := range q.Eqns {
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok && !g.inside[v] && !seen[v] {
				seen[v] = true
				q.Ins = append(q.Ins, v)
			}
		}
	}
	whole := &jaxpr.Eqn{Prim: &tinyP{q}, Site: g.members[0].Site}
	for _, v := range q.Ins {
		whole.Ins = append(whole.Ins, v)
	}
	for _, e := range q.Eqns {
		for _, v := range e.Outs {
			if g.outside[v] > 0 && !twice[e] {
				whole.Outs = append(whole.Outs, v)
				q.Outs = append(q.Outs, v)
			}
		}
	}
	g.total += g.size.ops
	g.out = append(g.out, whole)
}

func (g *gathering) usedOutside(e *jaxpr.Eqn) bool {
	return slices.ContainsFunc(e.Outs, func(v *jaxpr.Var) bool { return g.outside[v] > 0 })
}

func (p *planner) tiny(e *jaxpr.Eqn, q *tinyP) {
	p.class, p.source = fallback, q.program.Eqns[0]
	s := &registerWriter{p: p, u: newUnroller(ir.NewBuilder("k" + itoa(len(p.items)) + "_tiny"))}
	s.u.b.Grid(ir.Const(1))
	results := s.u.program(q.program, s.constants(e.Ins))
	for i, id := range p.outputs(e) {
		t := e.Outs[i].Type
		s.store(s.buffer(id, ir.Out), t, 1, ir.NoRef, results[i])
	}
	k := irpass.DropCanon(s.u.b.Finish())
	p.made(e, p.add(&Launch{Kernel: k, Buffers: s.buffers, Eqn: q.program.Eqns[slices.IndexFunc(q.program.Eqns, isTinyCore)], Eqns: q.program.Eqns}))
}
