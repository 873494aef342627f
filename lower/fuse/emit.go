package fuse

import (
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// blockElems is the number of elements of a one-dimensional domain that a point of the
// grid computes.
const blockElems = 4096

// emit makes the plan's steps of the items.
func (p *planner) emit() {
	for _, it := range p.items {
		switch it := it.(type) {
		case *group:
			p.launch(it)
		case Step:
			p.plan.Steps = append(p.plan.Steps, it)
		}
	}
	p.place()
	for _, s := range p.plan.Steps {
		if l, ok := s.(*Launch); ok {
			l.Kernel = segmented(l.Kernel)
		}
	}
}

// An emitter writes the kernel of a group.
type emitter struct {
	p       *planner
	g       *group
	b       *ir.Builder
	m       mapper
	full    index // of the element of the domain that is computed
	row     index
	open    []int32     // blocks
	buffers []int       // values, by buffer of the kernel
	bufOf   map[int]int // by value
	args    [][]ir.Ref  // of the operations that are being computed
	id      int32       // of the kernel, for node.marked
	uses    map[*scalar.Prog]int
	shared  bool // programs that are used often are functions of the kernel

	keptAt map[*node]int // members that are kept between the loops of a row: the values
	keptIn map[int]bool  // values that contain them
	stored map[*node]bool
	eqns   []*jaxpr.Eqn // that the kernel computes
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
	switch {
	case g.cum != nil:
		e.runningFold(g.members[0])
	case g.cols != 0:
		e.rows(outs)
	default:
		e.elements(outs)
	}
	k := dropCanon(hoist(e.b.Finish()))
	for _, l := range p.split(k, e.buffers) {
		if len(g.members) > 0 {
			l.Eqn = g.members[0].eqn
		}
		l.Eqns = e.eqns
		p.plan.Steps = append(p.plan.Steps, l)
	}
}

// kernelName names a kernel for its place and some of its operations.
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

// mark marks the members that the outputs need, and counts the uses of their programs.
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

// Programs are functions of a kernel, so that their code is written once, where they
// are used at least functionUses times and have functionOps operations, and all programs
// together would have manyOps.
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

// inline writes a program, or the use of a function.
func (e *emitter) inline(p *scalar.Prog, args [][]ir.Ref) []ir.Ref {
	if e.shared && len(p.Code) >= functionOps && e.uses[p] >= functionUses {
		return e.b.Apply(p, args)
	}
	return e.b.Inline(p, args)
}

func (e *emitter) push() {
	e.p.serial++
	e.open = append(e.open, e.p.serial)
}

func (e *emitter) pop() { e.open = e.open[:len(e.open)-1] }

// visible reports whether a block is open.
func (e *emitter) visible(block int32) bool { return slices.Contains(e.open, block) }

// noted makes r the element x of a node in the innermost block.
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

// axis notes the extent of a new axis.
func (e *emitter) axis(a ir.Axis, n int64) ir.Axis {
	for len(e.m.extent) <= int(a) {
		e.m.extent = append(e.m.extent, 1)
	}
	e.m.extent[a] = n
	return a
}

func (e *emitter) grid(n int64) coord {
	if n == 1 {
		return constant(0)
	}
	return along(e.axis(e.b.Grid(ir.Const(n)), n))
}

// vector writes a loop over n elements in a new block.
func (e *emitter) vector(n int64, tail *ir.Tail, body func(c coord)) {
	if n == 1 {
		body(constant(0))
		return
	}
	e.b.Vector(ir.Const(n), tail, func(a ir.Axis) {
		e.push()
		body(along(e.axis(a, n)))
		e.pop()
	})
}

// elements writes a kernel without rows.
func (e *emitter) elements(outs []*node) {
	shape := sizesOf(e.g.chain)
	e.full.shape = shape
	k := len(shape) - 1
	for _, n := range shape[:k] {
		e.full.co = append(e.full.co, e.grid(n))
	}
	body := func(c coord) {
		e.full.co = append(e.full.co[:k:k], c)
		e.outputs(outs)
	}
	n, block := shape[k], e.block()
	if n <= block {
		e.vector(n, nil, body)
		return
	}
	blocks := (n + block - 1) / block
	o := e.axis(e.b.Grid(ir.Const(blocks)), blocks)
	e.vector(block, &ir.Tail{Outer: o, Total: ir.Const(n)}, func(c coord) {
		body(e.m.sum(coord{terms: []term{{o, block}}, value: ir.NoRef}, c))
	})
}

// Reductions that each element computes by itself make blocks smaller, down to leastBlock
// elements, so that a point of the grid reads pointBytes at most: some 150 µs from memory.
const (
	leastBlock = 64
	pointBytes = 1 << 22
)

// block returns the number of elements that a point of the grid computes.
func (e *emitter) block() int64 {
	reads := int64(1) // bytes for an element
	for _, n := range e.g.members {
		if e.needed(n) && n.class == reduction {
			a := n.eqn.Ins[0].Aval()
			reads = max(reads, int64(a.Size()*a.DType.Size()/max(1, n.v.Type.Size())))
		}
	}
	block := int64(blockElems)
	for block > leastBlock && block*reads > pointBytes {
		block /= 2
	}
	return block
}

// rows writes a kernel with rows: reductions level by level, then full outputs.
func (e *emitter) rows(outs []*node) {
	shape := sizesOf(e.g.chain)
	e.full.shape = shape
	k := len(shape) - 1
	for _, n := range shape[:k] {
		e.full.co = append(e.full.co, e.grid(n))
	}
	e.full.co = append(e.full.co, constant(0))
	e.row = index{shape: shape[:k], co: e.full.co[:k:k]}
	top := 0
	for _, n := range e.g.members {
		if e.needed(n) {
			top = max(top, n.level)
		}
	}
	keeps := e.keep(outs, top)
	for level := 0; level <= top; level++ {
		e.storeKept(keeps, level)
		e.reductions(level)
		for _, n := range e.g.members {
			if e.needed(n) && n.row && n.level == level {
				e.member(n)
			}
		}
	}
	var full []*node
	for _, n := range outs {
		if n.row {
			e.store(n.value, e.row, e.member(n))
		} else {
			full = append(full, n)
		}
	}
	if len(full) == 0 {
		return
	}
	e.vector(e.g.cols, nil, func(c coord) {
		e.full.co[k] = c
		e.outputs(full)
	})
}

// storeKept writes the members that are kept from a stage on.
func (e *emitter) storeKept(keeps [][]*node, stage int) {
	if len(keeps) == 0 || len(keeps[stage]) == 0 {
		return
	}
	k := len(e.full.shape) - 1
	e.vector(e.g.cols, nil, func(c coord) {
		e.full.co[k] = c
		for _, n := range keeps[stage] {
			e.store(e.keptAt[n], e.full, e.member(n))
		}
	})
	if e.stored == nil {
		e.stored = map[*node]bool{}
	}
	for _, n := range keeps[stage] {
		e.stored[n] = true
	}
}

// outputs computes the nodes at the current place and stores them.
func (e *emitter) outputs(outs []*node) {
	if d := e.g.dest; d != nil {
		x, ok := e.m.as(e.full, d.in)
		if !ok {
			panic("BUG: a piece has no index")
		}
		r := e.element(d.piece, e.full)
		x = index{shape: d.shape, co: append([]coord(nil), x.co...)}
		x.co[d.axis] = x.co[d.axis].plus(d.lo)
		e.store(d.value, x, r)
		return
	}
	all := make([][]ir.Ref, len(outs))
	for i, n := range outs {
		all[i] = e.member(n)
	}
	for i, n := range outs { // behind all loads: an output may be an operand's memory
		e.store(n.value, e.full, all[i])
	}
}

// reductions writes the reductions of rows of a level: those of one order in one loop.
func (e *emitter) reductions(level int) {
	type loop struct {
		order ir.Order
		lanes int
	}
	by := map[loop][]*node{}
	var loops []loop
	for _, n := range e.g.members {
		if !e.needed(n) || !n.folds || n.level != level {
			continue
		}
		f := foldOf(n.eqn)
		order, lanes := orderOf(n.eqn, f, f.lanes)
		l := loop{order, lanes}
		if by[l] == nil {
			loops = append(loops, l)
		}
		by[l] = append(by[l], n)
	}
	k := len(e.full.shape) - 1
	for _, l := range loops {
		ns := by[l]
		var parts []int // folds of each
		rs := e.b.Reduce(l.order, l.lanes, ir.Const(e.g.cols), nil, func(a ir.Axis) []ir.Elem {
			e.push()
			defer e.pop()
			e.full.co[k] = along(e.axis(a, e.g.cols))
			var elems []ir.Elem
			for _, n := range ns {
				es := e.folded(n.eqn, e.element(n.eqn.Ins[0], e.full), a)
				parts = append(parts, len(es))
				elems = append(elems, es...)
			}
			return elems
		})
		for i, n := range ns {
			m := results(n.eqn, parts[i])
			n.own = known{block: e.open[len(e.open)-1], r: e.reduced(n.eqn, rs[:m])}
			rs = rs[m:]
		}
	}
}

// member computes a member of the group at the current place.
func (e *emitter) member(n *node) []ir.Ref {
	if e.visible(n.own.block) {
		return n.own.r
	}
	x := e.full
	if n.row {
		x = e.row
	}
	var r []ir.Ref
	if e.stored[n] {
		r = e.load(e.keptAt[n], x)
	} else {
		r = e.compute(n, x)
	}
	n.own = known{block: e.open[len(e.open)-1], r: r}
	return r
}

// atPlace reports whether x is the current place of a member.
func (e *emitter) atPlace(n *node, x index) bool {
	if n.row {
		return e.m.sameIndex(x, e.row)
	}
	return e.m.sameIndex(x, e.full)
}

// element computes an element of an operand, a value for each component. A node that a
// later step writes to memory was virtual when this group was planned; one that this
// group writes may be used at other places, too.
func (e *emitter) element(a jaxpr.Atom, x index) []ir.Ref {
	if l, ok := a.(core.Literal); ok {
		return e.literal(l)
	}
	n := e.p.of(a.(*jaxpr.Var))
	if n.kind == member && n.group == e.g && (!n.cheap || e.atPlace(n, x)) {
		return e.member(n)
	}
	if r, ok := e.find(n, x); ok {
		return r
	}
	if n.kind != virtual && n.group != e.g && n.seq < e.g.seq {
		return e.noted(n, x, e.load(n.value, x))
	}
	return e.noted(n, x, e.compute(n, x))
}

func (e *emitter) literal(l core.Literal) []ir.Ref {
	var buf [16]byte
	elem.Put(buf[:], l.Num, l.Type)
	t := scalar.Stored(l.Type)
	out := make([]ir.Ref, scalar.Components(l.Type))
	for i := range out {
		out[i] = e.b.Const(t, bitsAt(buf[i*t.Size():], t.Size()))
	}
	return out
}

// buffer returns the kernel's buffer of a value.
func (e *emitter) buffer(value int, role ir.Role) int {
	if i, ok := e.bufOf[value]; ok {
		return i
	}
	t := e.p.plan.Values[value].Type
	n := int64(t.Size() * scalar.Components(t.DType))
	if e.keptIn[value] {
		role = ir.InOut
	}
	i := e.b.Buffer("b"+itoa(len(e.buffers)), role, scalar.Stored(t.DType), ir.Const(n))
	e.buffers = append(e.buffers, value)
	e.bufOf[value] = i
	return i
}

// access returns the place of component c of an element. A coordinate that is computed
// or may be outside is clamped.
func (e *emitter) access(buffer int, comps int64, c int, x index) ir.Access {
	a := ir.Access{Buffer: buffer, Offset: ir.Const(int64(c))}
	total, stride := int64(1), int64(1)
	for _, n := range x.shape {
		total *= n
	}
	known := constant(0)
	for i := len(x.co) - 1; i >= 0; i-- {
		co := x.co[i]
		if co.affine() && !x.loose {
			known = e.m.sum(known, e.m.times(co, stride))
		} else {
			a.Coords = append(a.Coords, ir.Coord{Stride: ir.Const(stride * comps), Bound: ir.Const(x.shape[i]), Mode: ir.Clamp,
				Base: ir.Const(co.base), Terms: termsOf(co), Value: co.value})
		}
		stride *= x.shape[i]
	}
	if known.base != 0 || len(known.terms) > 0 {
		a.Coords = append(a.Coords, ir.Coord{Stride: ir.Const(comps), Bound: ir.Const(total), Base: ir.Const(known.base), Terms: termsOf(known), Value: ir.NoRef})
	}
	return a
}

func termsOf(c coord) []ir.Term {
	var ts []ir.Term
	for _, t := range c.terms {
		if t.coeff != 0 {
			ts = append(ts, ir.Term{Axis: t.axis, Coeff: ir.Const(t.coeff)})
		}
	}
	return ts
}

func (e *emitter) load(value int, x index) []ir.Ref {
	b := e.buffer(value, ir.In)
	out := make([]ir.Ref, scalar.Components(e.p.plan.Values[value].Type.DType))
	for c := range out {
		out[c] = e.b.Load(e.access(b, int64(len(out)), c, x), ir.NoRef)
	}
	return out
}

func (e *emitter) store(value int, x index, r []ir.Ref) {
	b := e.buffer(value, ir.Out)
	for c, v := range r {
		e.b.Store(e.access(b, int64(len(r)), c, x), v)
	}
}

// scale and sum compute with coordinates.
func (e *emitter) scale(r ir.Ref, n int64) ir.Ref {
	return e.op(scalar.OpMul, scalar.I64, r, e.b.Const(scalar.I64, uint64(n)))
}

func (e *emitter) sum(a, b ir.Ref) ir.Ref { return e.op(scalar.OpAdd, scalar.I64, a, b) }

func (e *emitter) op(o scalar.Op, t scalar.Type, args ...ir.Ref) ir.Ref {
	return e.b.Op(inst(o, t, args...))
}

// at returns a coordinate as a value of an integer type.
func (e *emitter) at(t scalar.Type, c coord) ir.Ref {
	if c.affine() {
		if len(termsOf(c)) == 0 {
			return e.b.Const(t, uint64(c.base))
		}
		return e.b.Index(t, ir.Const(c.base), termsOf(c)...)
	}
	r := c.value
	if c.base != 0 || len(c.terms) > 0 {
		r = e.sum(r, e.at(scalar.I64, coord{base: c.base, terms: c.terms, value: ir.NoRef}))
	}
	return e.convert(t, r)
}

// convert returns an integer as another integer type.
func (e *emitter) convert(t scalar.Type, r ir.Ref) ir.Ref {
	if e.b.TypeOf(r) == t {
		return r
	}
	return e.op(scalar.OpConvert, t, r)
}
