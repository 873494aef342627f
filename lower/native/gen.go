package native

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// Code is a compiled kernel or micro-kernel.
//
// A kernel takes the address of a block of arguments, 8 bytes each: the address of scratch memory of Scratch bytes
// at a multiple of 64, the addresses of the buffers, the values of the symbols, the coordinates of the first point
// of the grid, and the number of points to run, in row-major order. If Fold is not nil, two more arguments
// follow: the first element of the fold to compute, a multiple of Segment, and the number of elements.
// Successive calls for one point with the same scratch memory compute the fold in parts.
type Code struct {
	Name         string
	ISA          ISA
	Bytes        []byte       // code and constants
	Size         int          // of the code alone
	Scratch      int          // bytes of scratch memory
	Args         int          // number of arguments
	Fold         *ir.Cumulate // a running fold that can be computed in parts, or nil
	Instructions int
	Listing      string // annotated instructions, if requested
}

// Options choose how Compile works.
type Options struct {
	ISA     ISA
	Listing bool
}

// unsupported is the panic for a kernel that has no code here.
type unsupported string

// Refuse ends the compilation of a kernel for which a target has no code.
func Refuse(reason string) { panic(unsupported(reason)) }

// Compile returns machine code for a kernel that passes its Check. An error states which
// construct has no code; the kernel then runs some other way.
func Compile(k *ir.Kernel, o Options) (code *Code, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%v: kernel %s has no machine code (%s); run it on another executor", o.ISA, k.Name, string(u))
		}
	}()
	pool := generators(o.ISA)
	g := pool.Get().(*Gen)
	defer pool.Put(g)
	m := o.ISA.Model()
	if k = irpass.Shifted(k, m.Scales); m.Quotients > 0 {
		k = irpass.Quotients(k, m.Quotients)
	}
	if m.Scales {
		k = irpass.Reciprocals(k)
	}
	g.reset(k, o)
	g.kernel()
	var text *strings.Builder
	if o.Listing {
		text = &strings.Builder{}
	}
	bytes, size, scratch := g.assemble(text)
	code = &Code{Name: k.Name, ISA: o.ISA, Bytes: slices.Clone(bytes), Size: size, Scratch: scratch, Args: g.argCount(), Fold: g.segment.fold, Instructions: g.Emitted}
	if text != nil {
		code.Listing = text.String()
	}
	return code, nil
}

// gens keeps the memory of code generators by instruction set.
var gens sync.Map

func generators(isa ISA) *sync.Pool {
	p, ok := gens.Load(isa)
	if !ok {
		p, _ = gens.LoadOrStore(isa, &sync.Pool{New: func() any {
			g := &Gen{Draft: newCode(), vectors: map[string]int32{}}
			g.Target = isa.Target(g)
			return g
		}})
	}
	return p.(*sync.Pool)
}

func (g *Gen) reset(k *ir.Kernel, o Options) {
	g.Draft.reset(o.ISA.Model())
	g.k, g.listing = k, o.Listing
	g.vals = append(g.vals[:0], make([]binding, len(k.Types))...)
	g.axes = append(g.axes[:0], make([]axis, k.Axes)...)
	g.scopes, g.deferred = g.scopes[:0], nil
	g.defs, g.blocks = append(g.defs[:0], make([]definition, len(k.Types))...), 0
	g.found, g.leading = found{}, nil
	clear(g.vectors)
	g.segmentRoom, g.stream = nil, streams(k)
	g.findSegment()
	g.Lanes, g.vecAxis = &lanes{N: 1, U: 1}, ir.NoAxis
}

// Gen writes the code of a kernel.
type Gen struct {
	*Draft
	Target
	k        *ir.Kernel
	Lanes    *lanes
	vals     []binding // by ir.Ref
	axes     []axis    // by ir.Axis
	scopes   []*scope
	arena    []VReg
	vectors  map[string]int32 // constants of whole vectors in the pool
	vecAxis  ir.Axis          // the axis whose iterations are the lanes of vectors; ir.NoAxis: none
	vecScope int              // the scope of that axis
	listing  bool
	deferred []*ir.Let    // by ir.Ref: operations that only a rare branch needs, until they are written
	defs     []definition // by ir.Ref: operations of the blocks that have been begun
	blocks   int32        // number of those
	rares    irpass.RareFinder

	present Place  // of the access that is being written; a field, because a local variable would escape to the heap
	leading []lead // loads whose following lines are requested in advance

	segment     segment
	stream      bool    // large results are written past the caches
	segmentRoom []int32 // offsets of the segment's state in scratch memory

	found
}

// found are operations that are written together with others, as one.
type found struct {
	rotations map[ir.Ref]rotation // operations that are rotations
	extremes  map[ir.Ref]extreme  // choices that are the greater or the lesser number
	roundings map[ir.Ref]ir.Ref   // widened numbers, and the f32 that they are rounded from
	sums      map[ir.Ref]sum      // fused multiplications and additions of negated operands
	joints    map[ir.Ref]joint    // other operations that are written with those that they read
	bounds    map[ir.Ref]bound    // conditions of OpRares that are written as bounds
	products  map[ir.Ref]Value    // exact products, by the sums that were written with them
	merged    map[ir.Ref]bool     // operations that only the operations above use
	reads     []int32             // by ir.Ref: how often it is read; nil until usesOf counts
}

type binding struct {
	Value
	one   bool // computed once, not for each lane
	konst bool // a constant, with the bits in bits
	bits  uint64
	span  span
}

// span is the known range of an integer: least ≤ x where hasLeast, x ≤ most where hasMost.
type span struct {
	least, most       int64
	hasLeast, hasMost bool
}

// spanOf returns the known range of the result of an operation on I32 or I64.
func (g *Gen) spanOf(in *scalar.Inst) (s span) {
	if in.Op != scalar.OpMax && in.Op != scalar.OpMin || in.Type != scalar.I32 && in.Type != scalar.I64 {
		return s
	}
	for i := range 2 {
		bits, ok := g.constant(in.Args[i])
		if !ok {
			continue
		}
		c := int64(bits)
		if in.Type == scalar.I32 {
			c = int64(int32(bits))
		}
		s = g.vals[in.Args[1-i]].span
		if in.Op == scalar.OpMax {
			if s.hasMost {
				s.most = max(s.most, c)
			}
			s.least, s.hasLeast = c, true
		} else {
			if s.hasLeast {
				s.least = min(s.least, c)
			}
			s.most, s.hasMost = c, true
		}
		return s
	}
	return s
}

func (g *Gen) staysInside(c *ir.Coord) bool {
	if c.Value == ir.NoRef || len(c.Terms) > 0 || c.Base != (ir.Size{}) || !c.Bound.IsConst() {
		return false
	}
	s := g.vals[c.Value].span
	return s.hasLeast && s.hasMost && s.least >= 0 && s.most < c.Bound.Value
}

type axis struct {
	reg   VReg
	level int // index of the scope in which it varies
}

// argCount returns the number of arguments: see [Code].
func (g *Gen) argCount() int {
	n := 2 + len(g.k.Buffers) + len(g.k.Symbols) + len(g.k.Grid)
	if g.segment.fold != nil {
		n += 2
	}
	return n
}

func bufferArg(i int) int32 { return int32(8 * (1 + i)) }

func (g *Gen) symbolArg(i int) int32 { return int32(8 * (1 + len(g.k.Buffers) + i)) }

func (g *Gen) gridArg(i int) int32 {
	return int32(8 * (1 + len(g.k.Buffers) + len(g.k.Symbols) + i))
}

// comment adds a line to the listing, if one was requested.
func (g *Gen) comment(format string, args ...any) {
	if g.listing {
		g.text = append(g.text, fmt.Sprintf(format, args...))
		g.Put(Inst{Kind: KindComment, Imm: int64(len(g.text) - 1)})
	}
}

// kernel writes a loop over the points of the grid around the body.
func (g *Gen) kernel() {
	g.enter()
	dims := g.k.Grid
	if len(dims) == 0 {
		g.block(g.k.Body)
		g.leave()
		return
	}
	end := g.newLabel()
	for i, d := range dims {
		r := g.NewG()
		g.Put(Inst{Op: Load64, D: r, Mem: true, Base: ArgsReg, Disp: g.gridArg(i)})
		g.axes[d.Axis] = axis{r, 1}
	}
	count := g.gLoad(ArgsReg, g.gridArg(len(dims)))
	if g.joinsPoints() {
		g.joinPoints(count)
	}
	g.branchI(Le, count, 0, end)
	g.enter()
	again, next := g.newLabel(), g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	g.requestRows()
	g.block(g.k.Body)
	for i := len(dims) - 1; i >= 0; i-- {
		r := g.axes[dims[i].Axis].reg
		g.gInc(r, 1)
		if i > 0 {
			g.branchSize(Lt, r, dims[i].Extent, next)
			g.Put(Inst{Op: Const, D: r})
		}
	}
	g.bind(next)
	g.countDown(count, again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
	g.bind(end)
	g.leave()
}

// block writes statements. The values in `results` are read behind the block.
func (g *Gen) block(b ir.Block, results ...ir.Ref) {
	g.begin(b, results...)
	if p := g.Lanes.phase; p != nil && len(b) > 0 && &b[0] == p.block && p.size < g.Lanes.U {
		for _, s := range b[:p.at] {
			g.stmt(s)
		}
		g.secondPhase(b[p.at:p.to], p.size)
		b = b[p.to:]
	}
	for len(b) > 0 {
		if isStore(b[0]) && !g.Lanes.One() {
			b = b[g.stores(b):]
			continue
		}
		g.stmt(b[0])
		b = b[1:]
	}
}

// begin finds what is to be known of a block before it is written.
func (g *Gen) begin(b ir.Block, results ...ir.Ref) {
	g.define(b)
	g.deferRare(b, results)
	g.findRotations(b)
	g.findExtremes(b)
	g.findRoundings(b)
	g.findSums(b)
	g.findJoints(b)
	g.findQuiet(b)
}

func (g *Gen) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Let:
		if !g.isDeferred(s.Dst) && !g.merged[s.Dst] {
			g.let(s)
		}
	case *ir.Apply:
		g.apply(s)
	case *ir.Index:
		g.bindRef(s.Dst, g.index(g.k.Types[s.Dst], s.Base, s.Terms))
	case *ir.Load:
		g.bindRef(s.Dst, g.load(s))
	case *ir.Store:
		g.storeTo(s)
	case *ir.Loop:
		if s.Kind == ir.Vector {
			g.vectorLoop(s)
		} else {
			g.loop(s)
		}
	case *ir.While:
		g.while(s)
	case *ir.If:
		g.either(s)
	case *ir.Reduce:
		g.reduce(s)
	case *ir.Cumulate:
		g.cumulate(s)
	default:
		panic(unsupported(fmt.Sprintf("statement %T", s)))
	}
}

func (g *Gen) bindRef(r ir.Ref, v Value) { g.vals[r] = binding{Value: v, one: g.Lanes.One()} }
