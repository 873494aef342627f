package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// nodeKind tells where the elements of a variable come from.
type nodeKind uint8

const (
	inMemory nodeKind = iota // an input, a constant, or a result of a step that is no group
	virtual                  // computed by every kernel that uses it
	member                   // computed by one group
)

// A node is a variable of the program.
type node struct {
	v     *jaxpr.Var
	eqn   *jaxpr.Eqn // nil: an input or a constant
	out   int        // which result of eqn
	kind  nodeKind
	seq   int    // the last step that it depends on, or that makes it; −1: none
	group *group // member: its group; virtual: the last group with a member that it is computed from
	row   bool   // member: one element a row
	folds bool   // … of which it reduces the elements, together with other reductions
	level int    // reductions of rows that must be complete before it is computed, within group
	cost  int    // virtual: operations per element, about
	depth int    // virtual: of the chain of virtual nodes
	cheap bool   // it is, or was, virtual
	mem   bool   // a kernel or a step outside of its group reads it
	value int    // id in Plan.Values, −1: none

	class  class
	prog   *scalar.Prog // pointwise: of the elements, where operands and result correspond
	marked int32        // the last emitter that needed it
	own    known        // its element at the place of a member
	known  []known      // its elements at other places
}

// Bounds of what is computed again rather than read from memory.
const (
	cheapCost  = 6  // of a chain of elementwise operations
	cheapMany  = 14 // … of at least manyElements, which do not stay in a cache
	movedCost  = 24 // of pieces that are selected from
	movedDepth = 12
)

// manyElements is the number of elements from which more is computed again.
const manyElements = 1 << 17

// planner translates one program.
type planner struct {
	j       *jaxpr.Jaxpr
	num     *jaxpr.Numbers
	nodes   []*node
	items   []item
	latest  map[int64]*group // by domain size: the newest group
	results *jaxpr.Numbers   // variables that the program returns
	plan    *Plan
	aliasOf map[int]int // a value that is another one under a different type
	class   class       // of the equation that is planned
	room    []node      // for nodes to come
	few     [2]*group   // for candidates
	sought  []*node     // for related
	serial  int32       // of the latest block that was opened, in any kernel
	refused Refusals
}

// An item becomes one or more steps: a *group, *Call, *Product, *Conv, *Turn, *Update, *Sort or *Loop, or a *Launch that is
// complete.
type item any

// Refusals are equations whose kernels an executor has no code for, with the reasons.
type Refusals map[*jaxpr.Eqn]string

// Translate returns the plan of a lowered program.
func Translate(j *jaxpr.Jaxpr) *Plan { return TranslateWithout(j, nil) }

// TranslateWithout returns a plan in which the equations of refused have no kernels, those
// in loops included. A loop that is refused is not kept in registers.
func TranslateWithout(j *jaxpr.Jaxpr, refused Refusals) *Plan {
	p := &planner{j: j, num: jaxpr.NumbersFor(j), latest: map[int64]*group{}, results: &jaxpr.Numbers{}, plan: &Plan{Program: j}, aliasOf: map[int]int{}, refused: refused}
	for _, a := range j.Outs {
		if v, ok := a.(*jaxpr.Var); ok {
			p.results.Bind(v)
		}
	}
	for i, v := range j.Consts {
		n := p.bind(v, nil, 0)
		n.value = p.newValue(Value{Type: v.Type, Place: Const, Index: i})
		p.plan.Consts = append(p.plan.Consts, n.value)
	}
	for i, v := range j.Ins {
		n := p.bind(v, nil, 0)
		n.value = p.newValue(Value{Type: v.Type, Place: Input, Index: i})
		p.plan.Ins = append(p.plan.Ins, n.value)
	}
	exchange := exchanges(j)
	for _, e := range j.Eqns {
		if x, ok := exchange[e]; ok {
			if x == nil {
				continue // the product has its result
			}
			e = x
		}
		p.eqn(e)
	}
	for _, a := range j.Outs {
		if v, ok := a.(*jaxpr.Var); ok {
			p.inMemory(p.of(v), true)
		}
	}
	p.emit()
	return p.plan
}

func (p *planner) newValue(v Value) int {
	p.plan.Values = append(p.plan.Values, v)
	return len(p.plan.Values) - 1
}

// bind makes the node of a variable.
func (p *planner) bind(v *jaxpr.Var, e *jaxpr.Eqn, out int) *node {
	k, fresh := p.num.Bind(v)
	if !fresh {
		core.Failf(core.ErrCheck, "a variable is bound twice, so the program does not pass Check; rename one")
	}
	if len(p.room) == 0 {
		p.room = make([]node, 64)
	}
	n := &p.room[0]
	p.room = p.room[1:]
	*n = node{v: v, eqn: e, out: out, seq: -1, value: -1, class: p.class}
	if p.nodes == nil {
		p.nodes = make([]*node, 0, len(p.j.Consts)+len(p.j.Ins)+len(p.j.Eqns))
	}
	for len(p.nodes) <= k {
		p.nodes = append(p.nodes, nil)
	}
	p.nodes[k] = n
	return n
}

func (p *planner) of(v *jaxpr.Var) *node {
	k, ok := p.num.Of(v)
	if !ok {
		core.Failf(core.ErrCheck, "a variable of type %v is used where it is not bound, so the program does not pass Check; bind it first", v.Type.Full())
	}
	return p.nodes[k]
}

// returned reports whether the program returns v.
func (p *planner) returned(v *jaxpr.Var) bool {
	_, ok := p.results.Of(v)
	return ok
}

func (p *planner) eqn(e *jaxpr.Eqn) {
	c, why := classOf(e)
	if reason, refused := p.refused[e]; refused && c != looping {
		c, why = fallback, reason
	}
	p.class = c
	switch c {
	case fallback:
		p.call(e, why)
	case empty:
		p.outputs(e)
	case looping:
		p.loop(e)
	case source, movement:
		p.movement(e)
	case pointwise:
		p.pointwise(e)
	case reduction:
		p.reduction(e)
	case cumulation:
		p.cumulation(e)
	case product:
		p.product(e)
	case convolution:
		p.conv(e)
	case windowed:
		p.window(e)
	case sorting:
		p.sort(e)
	case updating:
		p.update(e)
	}
}

// call leaves an equation to the reference executor.
func (p *planner) call(e *jaxpr.Eqn, why string) {
	c := &Call{Eqn: e, Reason: why}
	c.In, c.Out = p.operands(e), p.outputs(e)
	p.add(c)
	p.made(e, len(p.items)-1)
}

// operands puts the operands of e into memory and returns their ids.
func (p *planner) operands(e *jaxpr.Eqn) []int {
	in := make([]int, len(e.Ins))
	for i, a := range e.Ins {
		in[i] = p.memory(a)
	}
	return in
}

// memory returns the id of an operand in memory.
func (p *planner) memory(a jaxpr.Atom) int {
	switch a := a.(type) {
	case core.Literal:
		return p.newValue(Value{Type: a.Aval(), Place: Literal, Lit: a})
	case *jaxpr.Var:
		n := p.of(a)
		p.inMemory(n, false)
		return n.value
	}
	core.Failf(core.ErrCheck, "an operand is a %T (want a variable or a literal); check the program", a)
	return -1
}

// outputs binds the results of a step that is no group.
func (p *planner) outputs(e *jaxpr.Eqn) []int {
	out := make([]int, len(e.Outs))
	for i, v := range e.Outs {
		n := p.bind(v, e, i)
		n.mem = true
		n.value = p.newValue(Value{Type: v.Type})
		out[i] = n.value
	}
	return out
}

func (p *planner) add(it item) int {
	p.items = append(p.items, it)
	return len(p.items) - 1
}

func (p *planner) made(e *jaxpr.Eqn, seq int) {
	for _, v := range e.Outs {
		p.of(v).seq = seq
	}
}

// inMemory makes sure that a step writes the node. result states that the program returns
// it.
func (p *planner) inMemory(n *node, result bool) {
	switch n.kind {
	case virtual:
		if !result && !p.returned(n.v) && p.alias(n) {
			return
		}
		if !p.turn(n) {
			p.materialize(n)
		}
	case member:
		if n.value < 0 {
			n.mem = true
			n.value = p.newValue(Value{Type: n.v.Type})
		}
	}
}

// alias makes a virtual node the memory that it is a reshape of, if it is.
func (p *planner) alias(n *node) bool {
	e := n.eqn
	switch e.Prim.(type) {
	case prim.ReshapeP, prim.SqueezeP:
	case prim.BroadcastInDimP:
		if e.Ins[0].Aval().Size() != n.v.Type.Size() {
			return false
		}
	default:
		return false
	}
	v, ok := e.Ins[0].(*jaxpr.Var)
	if !ok {
		return false
	}
	x := p.of(v)
	if x.kind == virtual && !p.returned(v) && p.alias(x) {
		x = p.of(v)
	}
	if x.kind == virtual {
		return false
	}
	p.inMemory(x, false)
	n.kind, n.mem, n.seq = inMemory, true, x.seq
	n.value = p.newValue(p.plan.Values[x.value])
	p.plan.Values[n.value].Type = n.v.Type
	p.aliasOf[n.value] = x.value
	return true
}

// deps returns the last step among the operands' and the group of it, and what the
// operands cost if they are virtual.
func (p *planner) deps(e *jaxpr.Eqn) (seq int, g *group, cost, depth int) {
	seq = -1
	for _, a := range e.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok {
			continue
		}
		n := p.of(v)
		seq = max(seq, n.seq)
		if n.kind != inMemory && n.group != nil && (g == nil || n.group.seq > g.seq) {
			g = n.group
		}
		if n.kind == virtual {
			cost += n.cost
			depth = max(depth, n.depth)
		} else {
			cost++
		}
	}
	return seq, g, cost, depth
}

// movement makes virtual nodes, unless they would cost too much.
func (p *planner) movement(e *jaxpr.Eqn) {
	seq, g, cost, depth := p.deps(e)
	switch e.Prim.(type) {
	case prim.ConcatenateP, prim.StackP:
		if cost += 2 * len(e.Ins); cost > movedCost {
			p.pieces(e)
			return
		}
	case prim.PadP, prim.GatherP, prim.DynamicSliceP:
		cost += 4
	}
	for i, v := range e.Outs {
		n := p.bind(v, e, i)
		n.kind, n.seq, n.group, n.cost, n.depth = virtual, seq, g, cost, depth+1
		if depth >= movedDepth {
			p.materialize(n)
		}
	}
}

// pointwise makes virtual nodes of what is cheap and depends on memory alone, else
// members of a group.
func (p *planner) pointwise(e *jaxpr.Eqn) {
	seq, g, cost, depth := p.deps(e)
	cost += weightOf(e)
	cheap := cheapCost
	if e.Outs[0].Type.Size() >= manyElements {
		cheap = cheapMany
	}
	if g == nil && cost <= cheap && depth < movedDepth && len(e.Outs) == 1 {
		n := p.bind(e.Outs[0], e, 0)
		n.kind, n.seq, n.cost, n.depth = virtual, seq, cost, depth+1
		return
	}
	if len(e.Outs) == 1 {
		n := p.bind(e.Outs[0], e, 0)
		n.seq = seq
		if !p.joinAlike(n) {
			p.join([]*node{n}, int64(n.v.Type.Size()))
		}
		return
	}
	nodes := make([]*node, len(e.Outs))
	for i, v := range e.Outs {
		nodes[i] = p.bind(v, e, i)
		nodes[i].seq = seq
	}
	p.join(nodes, int64(e.Outs[0].Type.Size()))
}

// materialize makes a virtual node a member of a group that writes it.
func (p *planner) materialize(n *node) {
	n.kind, n.cheap = inMemory, true // no longer virtual for those that it joins
	if p.inPieces(n) {
		n.mem = true
		n.value = p.newValue(Value{Type: n.v.Type})
		p.writePieces(n.eqn, n.value)
		n.seq = len(p.items) - 1
		return
	}
	p.join([]*node{n}, int64(n.v.Type.Size()))
	p.inMemory(n, false)
}

// join makes the nodes of one equation, each of size elements, members of a group.
func (p *planner) join(ns []*node, size int64) {
	p.joinWith(ns, size, func(d *dry, x index) bool { return d.uses(ns[0].eqn, ns[0].out, x) })
}

// joinAlike makes n a member of a group where no index has to be found: each operand has
// its shape, or is a number, and lies in memory or in that group. It reports whether it did.
func (p *planner) joinAlike(n *node) bool {
	e := n.eqn
	if !expand.Has(e.Prim) {
		return false
	}
	shape := n.v.Type.Shape
	for _, a := range e.Ins {
		if v, ok := a.(*jaxpr.Var); ok {
			if x := p.of(v); x.kind == virtual || v.Type.Shape != shape && (x.kind != inMemory || v.Type.Rank() > 0) {
				return false
			}
		}
	}
	size := int64(n.v.Type.Size())
	for _, g := range p.candidates(e, n.seq, size) {
		if p.joins(n, g, g.size != size) {
			return true
		}
	}
	g := newGroup(size)
	g.seq = len(p.items)
	if !p.joins(n, g, false) {
		return false
	}
	p.add(g)
	p.latest[size] = g
	return true
}

// joins makes n a member of g, a row if row, where all of its operands are reached.
func (p *planner) joins(n *node, g *group, row bool) bool {
	level := 0
	for _, a := range n.eqn.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok {
			continue
		}
		switch x := p.of(v); {
		case x.kind == member && x.group == g:
			if x.row != row {
				return false
			}
			level = max(level, x.level)
		case x.seq >= g.seq:
			return false
		}
	}
	for _, a := range n.eqn.Ins {
		if v, ok := a.(*jaxpr.Var); ok {
			if x := p.of(v); x.kind == member && x.group != g {
				p.inMemory(x, false)
			}
		}
	}
	n.kind, n.group, n.row, n.seq, n.level = member, g, row, g.seq, level
	g.members = append(g.members, n)
	return true
}

// joinWith finds a group whose domain, or rows, have size elements and in which reach
// succeeds for the index of an element, or begins one.
func (p *planner) joinWith(ns []*node, size int64, reach func(d *dry, x index) bool) {
	for {
		seq, _, _, _ := p.deps(ns[0].eqn)
		for _, g := range p.candidates(ns[0].eqn, seq, size) {
			row := g.size != size
			d := &dry{p: p, g: g}
			if d.try(func(full, r index) bool {
				if row {
					full = r
				}
				return reach(d, full)
			}) {
				p.commit(d, ns, row)
				return
			}
		}
		g := newGroup(size)
		g.seq = len(p.items)
		d := &dry{p: p, g: g}
		if d.try(func(full, _ index) bool { return reach(d, full) }) {
			p.add(g)
			p.latest[size] = g
			p.commit(d, ns, false)
			return
		}
		p.cut(d)
	}
}

// candidates returns the groups that the nodes of e, of size elements, may join, which depend on
// steps up to seq. Large nodes join none that has no operand in common with them: their
// operands would be needed at one time.
func (p *planner) candidates(e *jaxpr.Eqn, seq int, size int64) []*group {
	gs := p.few[:0]
	take := func(g *group) {
		if g != nil && !g.closed && g.seq >= seq && len(g.members) < maxMembers && (g.size == size || g.rows() == size) && (len(gs) == 0 || gs[0] != g) {
			gs = append(gs, g)
		}
	}
	if seq >= 0 {
		if g, ok := p.items[seq].(*group); ok {
			take(g)
		}
	}
	if g := p.latest[size]; g != nil && (size < largeJoin || len(gs) > 0 && gs[0] == g || p.related(e, g)) {
		take(g)
	}
	return gs
}

// largeJoin is the number of elements from which nodes join related groups only.
const largeJoin = 1 << 15

// related reports whether an equation reads a large array that a member of the group reads
// or is.
func (p *planner) related(e *jaxpr.Eqn, g *group) bool {
	p.sought = p.sought[:0]
	p.reads(e, func(n *node) bool {
		p.sought = append(p.sought, n)
		return false
	})
	found := func(n *node) bool { return slices.Contains(p.sought, n) }
	for i := len(g.members) - 1; i >= 0; i-- {
		if m := g.members[i]; found(m) || p.reads(m.eqn, found) {
			return true
		}
	}
	return false
}

// reads calls f for each large array that e reads, through virtual nodes, until f returns
// true. It reports whether f did.
func (p *planner) reads(e *jaxpr.Eqn, f func(n *node) bool) bool {
	for _, a := range e.Ins {
		v, ok := a.(*jaxpr.Var)
		if !ok || v.Type.Size() < largeJoin {
			continue
		}
		n := p.of(v)
		if n.kind == virtual && p.reads(n.eqn, f) || n.kind != virtual && f(n) {
			return true
		}
	}
	return false
}

// cut puts the nodes into memory whose elements no index reached.
func (p *planner) cut(d *dry) {
	if len(d.cut) == 0 {
		panic("BUG: an equation fits no kernel: " + jaxpr.EquationText(p.j, d.eqn))
	}
	for _, n := range d.cut {
		if n.kind == virtual {
			p.materialize(n)
		}
	}
}

// commit makes nodes members of the group that a dry run found to take them.
func (p *planner) commit(d *dry, ns []*node, row bool) {
	for _, n := range d.mem {
		p.inMemory(n, false)
	}
	d.g.chain, d.g.cols = d.chain, d.cols
	for _, n := range ns {
		n.kind, n.group, n.row, n.seq, n.level = member, d.g, row, d.g.seq, d.level
		d.g.members = append(d.g.members, n)
	}
}

// A dry run finds out whether a group can compute elements.
type dry struct {
	p         *planner
	g         *group
	m         mapper
	full, row index
	eqn       *jaxpr.Eqn

	chain  []int64
	cols   int64
	refine []int64 // a shape by which the domain must be divided
	inRow  bool    // refine is the rows' shape
	mem    []*node // members of other groups that must be in memory
	cut    []*node // virtual nodes that must be in memory
	level  int     // of the members that are used
}

// try runs f on the indices of the domain, with finer axes if it needs them, and reports
// whether it succeeded.
func (d *dry) try(f func(full, row index) bool) bool {
	if d.chain == nil {
		d.chain, d.cols = d.g.chain, d.g.cols
	}
	for range 8 {
		g := *d.g
		g.chain, g.cols = d.chain, d.cols
		d.m = mapper{ops: dryOps{}}
		d.refine, d.mem, d.cut, d.level = nil, nil, nil, 0
		d.full, d.row = g.dryDomain(&d.m)
		if f(d.full, d.row) {
			return true
		}
		if d.refine == nil {
			return false
		}
		chain, ok := g.refined(d.refine, d.inRow)
		if !ok || len(chain) == len(d.chain) {
			return false
		}
		d.chain, d.cut = chain, nil
	}
	return false
}

// reach reports whether the group can compute element x of an operand.
func (d *dry) reach(a jaxpr.Atom, x index) bool {
	v, ok := a.(*jaxpr.Var)
	if !ok {
		return true
	}
	n := d.p.of(v)
	switch n.kind {
	case member:
		if n.group != d.g {
			d.mem = append(d.mem, n)
			return n.seq < d.g.seq // a node that was virtual when its users were planned may be made later
		}
		want := d.full
		if n.row {
			want = d.row
		}
		d.level = max(d.level, n.level)
		return d.m.sameIndex(x, want)
	case virtual:
		if d.uses(n.eqn, n.out, x) {
			return true
		}
		d.cut = append(d.cut, n)
		return false
	}
	return n.seq < d.g.seq
}

// uses reports whether the group can compute element x of a result of e.
func (d *dry) uses(e *jaxpr.Eqn, result int, x index) bool {
	d.eqn = e
	us, ok := usesOf(&d.m, e, result, x, func(a jaxpr.Atom, x index) ir.Ref {
		return 0
	})
	if !ok {
		d.divide(x, e, result)
		return false
	}
	for _, u := range us {
		if !d.reach(u.atom, u.at) {
			return false
		}
	}
	return true
}

// operand reports whether the group can compute the elements of a reduction's or running
// fold's operand that element x of the result combines.
func (d *dry) operand(e *jaxpr.Eqn, spans []span, x index) bool {
	d.eqn = e
	var axes []ir.Axis
	for _, s := range spans {
		if s.reduced {
			axes = append(axes, ir.Axis(len(d.m.extent)))
			d.m.extent = append(d.m.extent, s.n)
		}
	}
	y, ok := d.m.across(spans, x, axes)
	if !ok {
		switch {
		case d.m.sameIndex(x, d.full):
			d.refine, d.inRow = keptOf(spans), false
		case d.cols != 0 && d.m.sameIndex(x, d.row):
			d.refine, d.inRow = keptOf(spans), true
		}
		return false
	}
	return d.reach(e.Ins[0], y)
}

// divide asks for finer axes of the domain such that x has an index in the shapes of e.
func (d *dry) divide(x index, e *jaxpr.Eqn, result int) {
	row := false
	switch {
	case d.m.sameIndex(x, d.full):
	case d.cols != 0 && d.m.sameIndex(x, d.row):
		row = true
	default:
		return
	}
	d.refine, d.inRow = dims(e.Outs[result].Type.Shape), row
	if _, ok := e.Prim.(prim.ReshapeP); ok {
		d.refine = dims(e.Ins[0].Aval().Shape)
	}
	if _, ok := e.Prim.(prim.SqueezeP); ok {
		d.refine = dims(e.Ins[0].Aval().Shape)
	}
}
