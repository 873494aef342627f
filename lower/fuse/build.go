package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/scalar"
)

// nodeKind tells where the elements of a variable come from.
type nodeKind uint8

const (
	inMemory nodeKind = iota // read from memory, and no member of a group, such as an input
	virtual                  // computed by every kernel that uses it
	member                   // computed by one group
)

// A node is a variable of the program.
type node struct {
	v     *jaxpr.Var
	eqn   *jaxpr.Eqn // nil: an input or a constant
	out   int        // index of v among eqn's results
	kind  nodeKind
	seq   int    // index in planner.items of the last item that it depends on, or that makes it; −1: none
	group *group // member: its group; virtual: a group with a member that it is computed from, if there is one
	row   bool   // member: it has one element per row
	folds bool   // row: it reduces the row's elements, in one loop with other reductions
	level int    // length of the longest chain of row reductions in group that leads to it; a reduction counts itself
	cost  int    // virtual: estimated operations per element
	depth int    // virtual: length of the longest chain of virtual nodes that leads to it
	cheap bool   // it was virtual before it came to memory: its group may still compute it at other positions
	mem   bool   // a step outside of its group, or the caller, reads it
	value int    // id in Plan.Values, −1: none

	class  class
	prog   *scalar.Prog // pointwise: computes an element from the operands' elements at the same position
	marked int32        // id of the last emitter that needed it
	reader *group       // the last group that was found to read it
	own    known        // its element at the current position
	known  []known      // its elements at other positions
}

// Costs up to which values are computed again by each reader rather than read from memory.
const (
	cheapCost  = 9   // of a chain of elementwise operations
	cheapMany  = 14  // … of at least manyElements, which do not stay in a cache
	movedCost  = 24  // of the pieces of a concatenation or a stack
	movedDepth = 12  // a length of chains of virtual nodes, not a cost
	indexCost  = 256 // of other movement

	repeatedCost  = 4   // of an element that a result of at least manyElements uses leastRepeated times or more
	leastRepeated = 256 // a number of uses, not a cost
)

// manyElements is the number of elements from which cheapMany and repeatedCost apply.
const manyElements = 1 << 17

type planner struct {
	j       *jaxpr.Jaxpr
	num     *jaxpr.Numbers
	nodes   []*node
	items   []item
	latest  map[int64]*group // by domain size: the newest group
	results *jaxpr.Numbers   // variables that the program returns
	plan    *Plan
	aliasOf map[int]int // maps a value to the value whose memory it has
	class   class       // of the equation that is planned
	room    []node      // memory for further nodes
	few     [2]*group   // memory for the result of candidates
	sought  []*node     // memory that related uses
	serial  int32       // number of the latest block that was opened, in any kernel
	refused Refusals
	inner   map[*jaxpr.Jaxpr]*Plan // if equations are refused: the plans of programs in loops
	target  Target
	looped  bool       // the program is in a loop or a branch
	fast    core.DType // Product.Tensor of the product that is planned
	source  *jaxpr.Eqn // the equation of the program that is planned
}

// An item is a *group, whose kernels are not written yet, or a Step.
type item any

// Refusals are equations whose kernels an executor has no code for, with the reasons.
type Refusals map[*jaxpr.Eqn]string

// Translate returns the plan of a lowered program.
func Translate(j *jaxpr.Jaxpr, t Target) *Plan { return translate(j, t, nil, nil, false) }

// TranslateWithout returns a plan in which the equations of refused have no kernels, those
// in loops included. A refused loop does not become one kernel.
func TranslateWithout(j *jaxpr.Jaxpr, t Target, refused Refusals) *Plan {
	return translate(j, t, refused, nil, false)
}

func translate(j *jaxpr.Jaxpr, t Target, refused Refusals, inner map[*jaxpr.Jaxpr]*Plan, looped bool) *Plan {
	p := &planner{looped: looped, j: j, num: jaxpr.NumbersFor(j), latest: map[int64]*group{}, results: &jaxpr.Numbers{}, plan: &Plan{Program: j, programs: 1}, aliasOf: map[int]int{}, refused: refused, target: t, inner: inner}
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
	var found attentionsOf
	if t.Tensor.Cores && t.Tensor.Parts != nil {
		found = t.Tensor.Parts.attentions(j, refused, t.Tensor.Parts)
	}
	eqns := j.Eqns
	if t.Tiny {
		eqns = tinyPrograms(j, refused)
	}
	exchange := exchanges(eqns, j.Outs, refused, found)
	for _, e := range eqns {
		p.source = e
		if q, ok := e.Prim.(*tinyP); ok {
			p.tiny(e, q)
			continue
		}
		if g := found.gradients[e]; g != nil {
			t.Tensor.Parts.differentiate(p, g)
		}
		if found.parts[e] {
			continue
		}
		if a := found.found[e]; a != nil {
			t.Tensor.Parts.attend(p, a)
			continue
		}
		if x, ok := exchange[e]; ok {
			if x == nil {
				continue // another equation has its result
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

func (p *planner) bind(v *jaxpr.Var, e *jaxpr.Eqn, out int) *node {
	k, fresh := p.num.Bind(v)
	if !fresh {
		core.Failf(core.ErrCheck, "a variable is bound twice, so the program does not pass Check; rename one")
	}
	if len(p.room) == 0 {
		p.room = make([]node, min(64, max(8, len(p.j.Consts)+len(p.j.Ins)+len(p.j.Eqns)-len(p.nodes))))
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

func (p *planner) returned(v *jaxpr.Var) bool {
	_, ok := p.results.Of(v)
	return ok
}

func (p *planner) eqn(e *jaxpr.Eqn) {
	p.part(e)
	c, why := classOf(e)
	if reason, refused := p.refused[e]; refused && c != looping {
		c, why = fallback, reason
	}
	p.class = c
	switch c {
	case fallback:
		if !p.batchedFactor(e) {
			p.call(e, why)
		}
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

// part records e, if the program does not contain it, as a part of the equation that is planned.
func (p *planner) part(e *jaxpr.Eqn) {
	if e == p.source {
		return
	}
	if p.plan.parts == nil {
		p.plan.parts = map[*jaxpr.Eqn]*jaxpr.Eqn{}
	}
	p.plan.parts[e] = p.source
}

// operands puts the operands of e into memory and returns their ids.
func (p *planner) operands(e *jaxpr.Eqn) []int {
	in := make([]int, len(e.Ins))
	for i, a := range e.Ins {
		in[i] = p.memory(a)
	}
	return in
}

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

// outputs binds the results of a step that is no group, and returns their ids.
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

// inMemory makes sure that the node's value will be in memory. result tells that the program returns it: a virtual
// node then gets memory of its own.
func (p *planner) inMemory(n *node, result bool) {
	switch n.kind {
	case virtual:
		if !result && !p.returned(n.v) && p.alias(n) {
			return
		}
		if !p.transpose(n) {
			p.materialize(n)
		}
	case member:
		if n.value < 0 {
			n.mem = true
			n.value = p.newValue(Value{Type: n.v.Type})
		}
	}
}

// alias lets a virtual node that reshapes an array share the memory of that array, unless the array remains virtual.
// It reports whether it did.
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
