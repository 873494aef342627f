package fuse

import (
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// blockElems is the number of elements along the innermost axis, at most, that a point of the
// grid computes in a kernel without rows.
const blockElems = 4096

func (p *planner) emit() {
	for _, it := range p.items {
		switch it := it.(type) {
		case *group:
			p.launch(it)
		case Step:
			p.plan.Steps = append(p.plan.Steps, it)
		}
	}
	if p.looped && p.target.Tiny && len(p.refused) == 0 {
		p.mergeSmall()
	}
	p.place()
	for _, s := range p.plan.Steps {
		for _, l := range s.launches() {
			l.Kernel = irpass.Segment(l.Kernel)
		}
	}
}

// An emitter writes a kernel, as a rule that of a group.
type emitter struct {
	p       *planner
	g       *group
	b       *ir.Builder
	m       mapper
	full    index // of the element of the domain that is computed
	row     index
	open    []int32     // numbers of the open blocks
	buffers []int       // values, by buffer of the kernel
	bufOf   map[int]int // by value
	args    [][]ir.Ref  // of the operations that are being computed
	id      int32       // of the kernel, for node.marked
	uses    map[*scalar.Prog]int
	shared  bool // programs that are used often are functions of the kernel

	keptAt   map[*node]int // by member that is kept between the loops of a row: the value that contains it
	keptIn   map[int]bool  // the values of keptAt
	stored   map[*node]bool
	unrolled bool                   // the elements of a row are written one after the other: see shortRows
	env      map[*jaxpr.Var]operand // values of a small program's variables; nil: the variables are nodes
	eqns     []*jaxpr.Eqn           // equations that the kernel computes
}

// known is an element that a block of a kernel has computed.
type known struct {
	block int32 // 0: none
	at    index
	r     []ir.Ref
}

func (p *planner) launch(g *group) {
	var outs []*node
	for _, n := range g.members {
		if n.mem {
			outs = append(outs, n)
		}
	}
	if len(outs) == 0 && g.dest == nil {
		return
	}
	e := &emitter{p: p, g: g, b: ir.NewBuilder(kernelName(g, len(p.plan.Steps))), bufOf: map[int]int{}, uses: map[*scalar.Prog]int{}}
	e.m.ops = e
	e.push()
	e.id = p.serial
	e.mark(outs)
	if g.dest != nil {
		e.eqns = append(e.eqns, g.dest.eqn)
	}
	e.share()
	e.full.shape = sizesOf(g.chain)
	switch axes, cols := e.shortRows(); {
	case axes > 0:
		e.besideEachOther(outs, axes, cols)
	case g.few != nil:
		e.fewRows(g.few, g.members[0])
	case g.cum != nil:
		e.runningFold(g.members[0])
	case g.cols != 0:
		e.rows(outs)
	default:
		e.elements(outs)
	}
	k := irpass.DropCanon(irpass.Hoist(irpass.Fold(e.b.Finish())))
	parts, temps := irpass.Split(k, p.target.division())
	values := slices.Clip(e.buffers)
	for _, t := range temps {
		values = append(values, p.newValue(Value{Type: core.Aval(dtypeOf(t.Type), int(t.Len))}))
	}
	for _, part := range parts {
		l := &Launch{Kernel: part.Kernel, Eqns: e.eqns}
		for _, b := range part.Buffers {
			l.Buffers = append(l.Buffers, values[b])
		}
		if len(g.members) > 0 {
			l.Eqn = g.members[0].eqn
		}
		p.plan.Steps = append(p.plan.Steps, l)
	}
}

// dtypeOf returns a dtype whose elements are stored as t.
func dtypeOf(t scalar.Type) core.DType {
	for _, dt := range []core.DType{core.Bool, core.Int8, core.Int16, core.Int32, core.Int64, core.Uint8, core.Uint16, core.Uint32, core.Uint64, core.Float32} {
		if scalar.Stored(dt) == t {
			return dt
		}
	}
	return core.Float64
}

// kernelName names a kernel after its position and some of its operations.
func kernelName(g *group, i int) string {
	var b strings.Builder
	b.WriteByte('k')
	b.WriteString(itoa(i))
	last, n := "", 0
	for _, m := range g.members {
		if name := m.eqn.Prim.Name(); name != last {
			b.WriteByte('_')
			for _, c := range []byte(name) {
				if c == '-' || c == '.' {
					c = '_'
				}
				b.WriteByte(c)
			}
			last = name
			if n++; n == 4 {
				break
			}
		}
	}
	if g.dest != nil {
		b.WriteString("_piece")
	}
	return b.String()
}

// mark marks the nodes that the outputs need, notes their equations, and counts the uses of their programs.
func (e *emitter) mark(outs []*node) {
	for _, n := range outs {
		e.visit(n)
	}
}

func (e *emitter) visit(n *node) {
	if n.marked == e.id || n.group != e.g && n.kind != virtual && n.seq < e.g.seq {
		return
	}
	n.marked = e.id
	if n.out == 0 || len(e.eqns) == 0 || e.eqns[len(e.eqns)-1] != n.eqn {
		e.eqns = append(e.eqns, n.eqn)
	}
	if n.class == pointwise && expand.Has(n.eqn.Prim) {
		if n.prog == nil {
			n.prog = programOf(n.eqn)
		}
		e.uses[n.prog]++
	}
	for _, a := range n.eqn.Ins {
		if v, ok := a.(*jaxpr.Var); ok {
			e.visit(e.p.of(v))
		}
	}
}

func (e *emitter) needed(n *node) bool { return n.marked == e.id }

// A program becomes a function of a kernel, whose code is written once, if it has at least
// functionOps operations and functionUses uses. The programs of the kernel, each written wherever it
// is used, must have manyOps operations together.
const (
	functionUses = 3
	functionOps  = 16
	manyOps      = 600
)

// share decides whether programs that are used often become functions.
func (e *emitter) share() {
	total := 0
	for p, n := range e.uses {
		total += n * len(p.Code)
	}
	e.shared = total >= manyOps
}

func (e *emitter) isFunction(p *scalar.Prog) bool {
	return e.shared && len(p.Code) >= functionOps && e.uses[p] >= functionUses
}

// inline writes a program, or the use of a function.
func (e *emitter) inline(p *scalar.Prog, args [][]ir.Ref) []ir.Ref {
	if e.isFunction(p) {
		return e.b.Apply(p, args)
	}
	return e.b.Inline(p, args)
}

func (e *emitter) push() {
	e.p.serial++
	e.open = append(e.open, e.p.serial)
}

func (e *emitter) pop() { e.open = e.open[:len(e.open)-1] }

func (e *emitter) visible(block int32) bool { return slices.Contains(e.open, block) }

// noted records r as the element x of a node in the innermost block.
func (e *emitter) noted(n *node, x index, r []ir.Ref) []ir.Ref {
	k := known{e.open[len(e.open)-1], x, r}
	for i := range n.known {
		if !e.visible(n.known[i].block) {
			n.known[i] = k
			return r
		}
	}
	n.known = append(n.known, k)
	return r
}

// find returns the element x of a node if it has been computed.
func (e *emitter) find(n *node, x index) ([]ir.Ref, bool) {
	for i := range n.known {
		if k := &n.known[i]; e.visible(k.block) && k.at.same(x) {
			return k.r, true
		}
	}
	return nil, false
}
