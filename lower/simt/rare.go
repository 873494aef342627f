package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// count notes how often each value of the kernel is read, and which are constants.
func (e *emitter) count() {
	e.reads, e.constants = make([]int, len(e.k.Types)), map[ir.Ref]bool{}
	e.k.Body.Walk(func(s ir.Stmt) {
		ir.Reads(s, func(r ir.Ref) { e.reads[r]++ })
		if l, ok := s.(*ir.Let); ok && l.Inst.Op == scalar.OpConst {
			e.constants[l.Dst] = true
		}
	})
}

// readBehind returns the results of operations of a block that statements outside of it read.
func (e *emitter) readBehind(b ir.Block) []ir.Ref {
	within := map[ir.Ref]int{}
	b.Walk(func(s ir.Stmt) { ir.Reads(s, func(r ir.Ref) { within[r]++ }) })
	var out []ir.Ref
	for _, s := range b {
		if l, ok := s.(*ir.Let); ok && within[l.Dst] != e.reads[l.Dst] {
			out = append(out, l.Dst)
		}
	}
	return out
}

// A part of a block is a list of statements, a division of all elements by one number, or the
// statements that only the seldom taken operands of OpRares with one condition need.
type part struct {
	stmts ir.Block
	cond  ir.Ref    // NoRef: a list or a division
	needs []ir.Ref  // values that the statements read and that others define
	makes []ir.Ref  // the operands
	takes []*ir.Let // by operand: the only OpRare that takes it, if its other operand is defined before; nil: OpRares stay selects
	test  []*ir.Let // computes the condition from needs; empty: the condition is not computed again

	quotient *ir.Let // the part is a division of all elements by one number
}

// parts divides a block where an OpRare takes an operand that nothing else needs: the statements
// that compute the operand run in a branch.
func (e *emitter) parts(b ir.Block) []part {
	all := []part{{stmts: b, cond: ir.NoRef}}
	if e.reads == nil {
		return all
	}
	deferred := map[ir.Stmt]ir.Ref{}
	e.rares.Find(len(e.k.Types), b, e.readBehind(b), func(l *ir.Let, cond ir.Ref) {
		if cond != ir.NoRef {
			deferred[l] = cond
		}
	})
	if len(deferred) == 0 {
		return all
	}
	rare := func(s ir.Stmt) (*ir.Let, bool) {
		l, ok := s.(*ir.Let)
		return l, ok && l.Inst.Op == scalar.OpRare
	}
	place := map[ir.Ref]int{} // by value: number of the statement that defines it
	for i, s := range b {
		switch s := s.(type) {
		case *ir.Let:
			place[s.Dst] = i
		case *ir.Index:
			place[s.Dst] = i
		case *ir.Load:
			place[s.Dst] = i
		}
	}
	belongs := func(r, cond ir.Ref) bool {
		at, here := place[r]
		c, ok := deferred[b[at]]
		return here && ok && c == cond
	}
	groups := map[ir.Ref]*part{}
	for _, s := range b {
		cond, ok := deferred[s]
		if !ok {
			continue
		}
		g := groups[cond]
		if g == nil {
			g = &part{cond: cond}
			groups[cond] = g
		}
		g.stmts = append(g.stmts, s)
		for _, a := range s.(*ir.Let).Inst.Args {
			if a != ir.NoRef && !belongs(a, cond) && !slices.Contains(g.needs, a) {
				g.needs = append(g.needs, a)
			}
		}
	}
	first := map[ir.Ref]int{} // where the branch of a condition stands
	takers := map[ir.Ref][]*ir.Let{}
	for i, s := range b {
		if l, ok := rare(s); ok && groups[l.Inst.Args[0]] != nil {
			cond, made := l.Inst.Args[0], l.Inst.Args[1]
			if !belongs(made, cond) {
				continue
			}
			if _, ok := first[cond]; !ok {
				first[cond] = i
			}
			if g := groups[cond]; !slices.Contains(g.makes, made) {
				g.makes = append(g.makes, made)
			}
			takers[made] = append(takers[made], l)
		}
	}
	taken := map[ir.Stmt]bool{}
	for cond, g := range groups {
		at, ok := first[cond]
		before := func(r ir.Ref) bool { p, here := place[r]; return !here || p < at }
		for _, r := range append(slices.Clone(g.needs), cond) {
			ok = ok && before(r)
		}
		if !ok || cond == ir.NoRef {
			return all
		}
		g.takes = make([]*ir.Let, len(g.makes))
		for i, r := range g.makes {
			l := takers[r][0]
			if _, inside := deferred[l]; len(takers[r]) == 1 && !inside && before(l.Inst.Args[2]) {
				g.takes[i], taken[l] = l, true
			}
		}
		g.test = e.testOf(b, place, deferred, cond)
		for _, l := range g.test {
			for _, a := range l.Inst.Args {
				if a != ir.NoRef && e.k.Types[a] != scalar.Bool && !slices.Contains(g.needs, a) {
					g.needs = append(g.needs, a)
				}
			}
		}
	}
	var out []part
	var list ir.Block
	for i, s := range b {
		if l, ok := rare(s); ok {
			if at, ok := first[l.Inst.Args[0]]; ok && at == i {
				out = append(out, part{stmts: list, cond: ir.NoRef}, *groups[l.Inst.Args[0]])
				list = nil
			}
		}
		if _, ok := deferred[s]; !ok && !taken[s] {
			list = append(list, s)
		}
	}
	return append(out, part{stmts: list, cond: ir.NoRef})
}

// testOf returns the statements that compute a condition from values that are not Bool. It returns nil if
// they are many, or if one of them is not an operation of block b, is an OpRare, or is deferred.
func (e *emitter) testOf(b ir.Block, place map[ir.Ref]int, deferred map[ir.Stmt]ir.Ref, cond ir.Ref) []*ir.Let {
	const most = 6
	var test []*ir.Let
	var add func(r ir.Ref) bool
	add = func(r ir.Ref) bool {
		at, here := place[r]
		if !here {
			return false
		}
		l, ok := b[at].(*ir.Let)
		if !ok || len(test) == most || l.Inst.Op == scalar.OpRare {
			return false
		}
		if _, inside := deferred[l]; inside {
			return false
		}
		for _, a := range l.Inst.Args {
			if a != ir.NoRef && e.k.Types[a] == scalar.Bool && !add(a) {
				return false
			}
		}
		if !slices.Contains(test, l) {
			test = append(test, l)
		}
		return true
	}
	if !add(cond) {
		return nil
	}
	return test
}

// packed emits a block for n elements side by side and returns their values. enter sets
// the axes of an element.
func (e *emitter) packed(b ir.Block, n int, enter func(j int)) [][]Reg {
	outer := e.regs
	regs := make([][]Reg, n)
	for j := range regs {
		regs[j] = slices.Clone(outer)
	}
	for _, p := range e.packedParts(b, n) {
		switch {
		case p.cond != ir.NoRef:
			e.branchRarely(&p, regs, outer)
			continue
		case p.quotient != nil:
			e.divide(p.quotient, regs)
			continue
		}
		for j := range n {
			e.regs = regs[j]
			enter(j)
			for _, s := range p.stmts {
				e.stmt(s)
			}
		}
	}
	e.regs = outer
	return regs
}

// packedParts divides a block into parts, for n elements side by side.
func (e *emitter) packedParts(b ir.Block, n int) []part {
	if n < leastShared {
		return e.parts(b)
	}
	return e.apartFromQuotients(e.parts(b))
}

// alike reports whether a value is known to be the same for all elements.
func (e *emitter) alike(r ir.Ref, regs [][]Reg) bool {
	for _, x := range regs[1:] {
		if x[r] != regs[0][r] && !e.constants[r] {
			return false
		}
	}
	return true
}

// branchRarely emits what few elements need in a branch. The values of several elements
// go through memory of the thread, so that the branch has the statements only once.
func (e *emitter) branchRarely(p *part, regs [][]Reg, outer []Reg) {
	any := regs[0][p.cond]
	for _, r := range regs[1:] {
		any = e.op(scalar.OpOr, scalar.Bool, any, r[p.cond])
	}
	made := make([][]Reg, len(regs)) // by element and operand
	for j := range regs {
		for i, r := range p.makes {
			usual := NoReg
			if l := p.takes[i]; l != nil {
				usual = regs[j][l.Inst.Args[2]]
			} else {
				usual = e.constant(e.k.Types[r], 0)
			}
			made[j] = append(made[j], e.copied(usual))
		}
	}
	was, known := e.regs, e.known
	e.known = nil // what a branch computes is not known after it
	compute := func(in []Reg) []Reg {
		e.regs = in
		for _, s := range p.stmts {
			e.stmt(s)
		}
		out := make([]Reg, len(p.makes))
		for i, r := range p.makes {
			out[i] = e.regs[r]
		}
		return out
	}
	e.when(any, func() {
		if len(regs) == 1 {
			for i, x := range compute(slices.Clone(regs[0])) {
				e.move(made[0][i], x)
			}
			return
		}
		var needs, fixed []ir.Ref // values that differ among the elements, and values that do not
		leaves := slices.Clone(p.needs)
		if len(p.test) == 0 {
			leaves = append(leaves, p.cond)
		}
		for _, r := range leaves {
			switch {
			case slices.Contains(needs, r):
			case e.alike(r, regs):
				fixed = append(fixed, r)
			default:
				needs = append(needs, r)
			}
		}
		ins, outs := make([]int, len(needs)), make([]int, len(p.makes))
		for i, r := range needs {
			ins[i] = e.array(false, e.k.Types[r], len(regs))
			for j := range regs {
				e.put(ins[i], e.num(int64(j)), regs[j][r])
			}
		}
		for i, r := range p.makes {
			outs[i] = e.array(false, e.k.Types[r], len(regs))
			for j := range regs {
				e.put(outs[i], e.num(int64(j)), made[j][i])
			}
		}
		e.loop(e.num(0), e.num(int64(len(regs))), e.num(1), func(at Reg) {
			in := slices.Clone(outer)
			for _, r := range fixed {
				in[r] = regs[0][r]
			}
			for i, r := range needs {
				in[r] = e.get(ins[i], at)
			}
			e.regs = in
			for _, l := range p.test {
				e.stmt(l)
			}
			e.when(in[p.cond], func() {
				for i, x := range compute(in) {
					e.put(outs[i], at, x)
				}
			})
		})
		for i := range p.makes {
			for j := range regs {
				e.move(made[j][i], e.get(outs[i], e.num(int64(j))))
			}
		}
	})
	e.regs, e.known = was, known
	for j := range regs {
		for i, r := range p.makes {
			regs[j][r] = made[j][i]
			if l := p.takes[i]; l != nil {
				regs[j][l.Dst] = made[j][i]
			}
		}
	}
}
