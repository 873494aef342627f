package ir

import (
	"github.com/weft-go/weft/lower/scalar"
)

// Builder writes a kernel from the outside in. Its methods append to the block that
// is open. A scalar operation that stands in an open block already is not written
// again.
type Builder struct {
	k      Kernel
	blocks []*scope
	known  knownOps
	lets   []Let // allocated ahead, for the next operations
}

type scope struct {
	block Block
	known int // operations that were known when the block was opened
}

// NewBuilder returns a builder of a kernel with an empty grid.
func NewBuilder(name string) *Builder {
	b := &Builder{k: Kernel{Name: name}}
	b.open()
	return b
}

// Symbol adds a run-time size.
func (b *Builder) Symbol(name string) Size {
	b.k.Symbols = append(b.k.Symbols, name)
	return Size{Symbol: len(b.k.Symbols)}
}

// Buffer adds a buffer and returns its index.
func (b *Builder) Buffer(name string, role Role, t scalar.Type, n Size) int {
	b.k.Buffers = append(b.k.Buffers, Buffer{name, role, t, n})
	return len(b.k.Buffers) - 1
}

// Grid adds a dimension to the grid. All dimensions are added before the body.
func (b *Builder) Grid(extent Size) Axis {
	a := b.axis()
	b.k.Grid = append(b.k.Grid, Dim{a, extent})
	return a
}

// Finish returns the kernel. It panics if the kernel does not pass Check.
func (b *Builder) Finish() *Kernel {
	if len(b.blocks) != 1 {
		panic("BUG: a block of the kernel is still open")
	}
	b.k.Body = b.blocks[0].block
	k := b.k
	if err := k.Check(); err != nil {
		panic("BUG: " + err.Error() + "\n" + k.String())
	}
	return &k
}

// BufferType returns the type of a buffer's numbers.
func (b *Builder) BufferType(i int) scalar.Type { return b.k.Buffers[i].Type }

// TypeOf returns the type of a value.
func (b *Builder) TypeOf(r Ref) scalar.Type { return b.k.Types[r] }

func (b *Builder) axis() Axis {
	b.k.Axes++
	return Axis(b.k.Axes - 1)
}

func (b *Builder) value(t scalar.Type) Ref {
	b.k.Types = append(b.k.Types, t)
	return Ref(len(b.k.Types) - 1)
}

func (b *Builder) open() { b.blocks = append(b.blocks, &scope{known: len(b.known.entries)}) }

func (b *Builder) shut() Block {
	n := len(b.blocks) - 1
	s := b.blocks[n]
	b.blocks = b.blocks[:n]
	b.known.truncate(s.known)
	return s.block
}

func (b *Builder) put(s Stmt) {
	top := b.blocks[len(b.blocks)-1]
	top.block = append(top.block, s)
}

// Op defines a value by a scalar operation whose operands are values of the kernel.
func (b *Builder) Op(in scalar.Inst) Ref {
	for k := in.Op.Args(); k < len(in.Args); k++ {
		in.Args[k] = NoRef
	}
	if r, ok := b.known.find(&in); ok {
		return r
	}
	r := b.value(in.Type)
	b.known.add(&in, r)
	if len(b.lets) == 0 {
		b.lets = make([]Let, 64)
	}
	b.lets[0] = Let{r, in}
	b.put(&b.lets[0])
	b.lets = b.lets[1:]
	return r
}

// Const defines the value of type t with the given bits.
func (b *Builder) Const(t scalar.Type, bits uint64) Ref {
	if n := t.Bits(); n < 64 {
		bits &= 1<<n - 1
	}
	return b.Op(scalar.Inst{Op: scalar.OpConst, Type: t, Imm: bits})
}

// Table adds a constant table, unless the kernel has it already, and returns its index.
func (b *Builder) Table(t Table) int { return b.k.table(t) }

// Inline writes a scalar program and returns the components of its results. args[i][c] is component c of
// operand i.
func (b *Builder) Inline(p *scalar.Prog, args [][]Ref) []Ref {
	at := make([]Ref, len(p.Code))
	for i, in := range p.Code {
		if in.Op == scalar.OpParam {
			at[i] = args[in.Imm>>8][in.Imm&0xff]
			continue
		}
		if in.Op == scalar.OpLookup {
			in.Imm = uint64(b.Table(p.Tables[in.Imm]))
		}
		for k, a := range in.Args {
			if a != NoRef {
				in.Args[k] = at[a]
			}
		}
		at[i] = b.Op(in)
	}
	out := make([]Ref, len(p.Results))
	for i, r := range p.Results {
		out[i] = at[r]
	}
	return out
}

// Index defines Base + Σ Coeff·axis as a value of an integer type.
func (b *Builder) Index(t scalar.Type, base Size, terms ...Term) Ref {
	r := b.value(t)
	b.put(&Index{r, base, terms})
	return r
}

// Load defines the element at a position: 0 where a coordinate with mode Drop is outside of its bounds.
func (b *Builder) Load(at Access) Ref {
	r := b.value(b.k.Buffers[at.Buffer].Type)
	b.put(&Load{r, at})
	return r
}

// Store writes a value to a position.
func (b *Builder) Store(at Access, v Ref) { b.put(&Store{at, v}) }

// Vector writes a loop with independent iterations. tail may be nil.
func (b *Builder) Vector(extent Size, tail *Tail, body func(i Axis)) {
	l := &Loop{Axis: b.axis(), Extent: extent, Tail: tail, Kind: Vector}
	b.open()
	body(l.Axis)
	l.Body = b.shut()
	b.put(l)
}

// Loop writes a sequential loop that carries values. body receives the axis and the carried values and returns
// the values of the next iteration. Loop returns the values after the last iteration.
func (b *Builder) Loop(extent Size, inits []Ref, body func(i Axis, carry []Ref) []Ref) []Ref {
	l := &Loop{Axis: b.axis(), Extent: extent, Kind: Sequential}
	params := b.params(inits)
	b.open()
	next := body(l.Axis, params)
	l.Body = b.shut()
	l.Carry = b.carries(inits, params, next)
	b.put(l)
	return results(l.Carry)
}

// While writes a loop that runs as long as cond, of the carried values, is true.
func (b *Builder) While(inits []Ref, cond func([]Ref) Ref, body func([]Ref) []Ref) []Ref {
	w := &While{}
	params := b.params(inits)
	b.open()
	w.Test = cond(params)
	w.Cond = b.shut()
	b.open()
	next := body(params)
	w.Body = b.shut()
	w.Carry = b.carries(inits, params, next)
	b.put(w)
	return results(w.Carry)
}

func (b *Builder) params(inits []Ref) []Ref {
	params := make([]Ref, len(inits))
	for i, v := range inits {
		params[i] = b.value(b.TypeOf(v))
	}
	return params
}

func (b *Builder) carries(inits, params, next []Ref) []Carry {
	c := make([]Carry, len(inits))
	for i, v := range inits {
		c[i] = Carry{v, params[i], next[i], b.value(b.TypeOf(v))}
	}
	return c
}

func results(carry []Carry) []Ref {
	rs := make([]Ref, len(carry))
	for i, c := range carry {
		rs[i] = c.Result
	}
	return rs
}

// If writes a choice between two blocks that return values of equal types.
func (b *Builder) If(cond Ref, then, other func() []Ref) []Ref {
	s := &If{Cond: cond}
	b.open()
	x := then()
	s.Then = b.shut()
	b.open()
	y := other()
	s.Else = b.shut()
	rs := make([]Ref, len(x))
	for i := range x {
		rs[i] = b.value(b.TypeOf(x[i]))
		s.Merge = append(s.Merge, Merge{x[i], y[i], rs[i]})
	}
	b.put(s)
	return rs
}

// Elem is what the body of a reduction yields for one fold.
type Elem struct {
	Op            FoldOp
	Value, Second Ref // Second as in Fold
}

// Reduce writes a reduction along a new axis. It returns the results of the folds; a second result follows the
// first one of its fold. lanes is the number of lanes where the order is Lanes, else 0.
func (b *Builder) Reduce(order Order, lanes int, extent Size, tail *Tail, body func(i Axis) []Elem) []Ref {
	r := &Reduce{Axis: b.axis(), Extent: extent, Tail: tail, Order: order, Lanes: lanes}
	b.open()
	elems := body(r.Axis)
	r.Body = b.shut()
	var out []Ref
	for _, e := range elems {
		f := Fold{Op: e.Op, Value: e.Value, Second: e.Second, Result: b.value(b.TypeOf(e.Value)), Other: NoRef}
		out = append(out, f.Result)
		if f.Op.Pairs() {
			f.Other = b.value(b.TypeOf(e.Second))
			out = append(out, f.Other)
		}
		r.Folds = append(r.Folds, f)
	}
	b.put(r)
	return out
}

// Cumulate writes a running fold along a new axis. The function elem computes an element, and the
// function then uses the running value.
func (b *Builder) Cumulate(op FoldOp, extent Size, reverse bool, elem func(i Axis) Ref, then func(i Axis, running Ref)) {
	c := &Cumulate{Axis: b.axis(), Extent: extent, Reverse: reverse, Op: op}
	b.open()
	c.Value = elem(c.Axis)
	c.Body = b.shut()
	c.Param = b.value(b.TypeOf(c.Value))
	b.open()
	then(c.Axis, c.Param)
	c.Then = b.shut()
	b.put(c)
}
