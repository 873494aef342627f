package simt

import (
	"math"
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// emitter writes a Func. Code is emitted in one of two states: together, where all
// threads of a group run the same statements on the same values, and apart, where each
// thread has elements of its own.
type emitter struct {
	f    *Func
	k    *ir.Kernel
	ix   scalar.Type // of positions and counts
	out  []Stmt      // the list to which statements are added
	regs []Reg       // by value of the kernel
	axes []Reg       // by axis
	hook hook

	reads     []int // by value: how often the kernel reads it; nil: it is not known, and OpRares are selects
	rares     irpass.RareFinder
	constants map[ir.Ref]bool
	rowwise   func(ir.Ref) bool   // whether a value is the same for all elements of a row; nil: divisions are not shared
	divisors  map[Reg]divisor     // of this row
	known     map[scalar.Inst]Reg // results of costly operations on registers that do not change; nil: they are computed again

	together bool
	striped  bool // threads share the iterations of vector loops although they run apart
	tid      Reg  // the thread in its group
	access   struct{ loads, stores bool }

	shared map[scalar.Type][]int // shared arrays of one element a thread, by type
}

// newEmitter begins the program of a thread of f, whose positions have the type ix.
func newEmitter(f *Func, ix scalar.Type) *emitter {
	none := func(n int) []Reg {
		regs := make([]Reg, n)
		for i := range regs {
			regs[i] = NoReg
		}
		return regs
	}
	k := f.Kernel
	return &emitter{f: f, k: k, ix: ix, regs: none(len(k.Types)), axes: none(k.Axes), shared: map[scalar.Type][]int{}}
}

func positionType(lengths ...int64) scalar.Type {
	if slices.Max(lengths) >= 1<<30 {
		return scalar.I64
	}
	return scalar.I32
}

// launched sets tid, and returns the number of the group and the number of groups.
func (e *emitter) launched() (group, count Reg) {
	e.tid = e.reg(e.ix)
	e.add(&Special{e.tid, Thread, 0})
	group, count = e.reg(e.ix), e.reg(e.ix)
	e.add(&Special{group, GroupIndex, 0})
	e.add(&Special{count, GroupCount, 0})
	return group, count
}

func (e *emitter) reg(t scalar.Type) Reg {
	e.f.Types = append(e.f.Types, t)
	return Reg(len(e.f.Types) - 1)
}

func (e *emitter) typeOf(r Reg) scalar.Type { return e.f.Types[r] }

func (e *emitter) add(s Stmt) { e.out = append(e.out, s) }

func (e *emitter) block(f func()) []Stmt {
	outer := e.out
	e.out = nil
	f()
	inner := e.out
	e.out = outer
	return inner
}

func (e *emitter) move(dst, src Reg) { e.add(&Move{dst, src}) }

func (e *emitter) copied(src Reg) Reg {
	r := e.reg(e.typeOf(src))
	e.move(r, src)
	return r
}

func (e *emitter) loop(from, to, step Reg, body func(i Reg)) {
	i := e.reg(e.ix)
	b := e.block(func() { body(i) })
	e.add(&For{i, from, to, step, b})
}

func (e *emitter) when(cond Reg, then func()) {
	e.add(&If{Cond: cond, Then: e.block(then)})
}

// onOne emits what one thread of the group, the last one, does for all. PoCL vectorizes the loop
// over threads, and in such a loop LLVM 15 performs a conditional store to one address only if
// the condition holds for the last lane.
func (e *emitter) onOne(f func()) {
	e.when(e.same(e.tid, e.num(int64(e.f.Threads-1))), f)
}

// apart emits code in which each thread has elements of its own.
func (e *emitter) apart(f func()) {
	was := e.together
	e.together = false
	f()
	e.together = was
}

// barrier emits a barrier, after which no access is pending.
func (e *emitter) barrier() {
	e.add(&Barrier{})
	e.access.loads, e.access.stores = false, false
}

func (e *emitter) items(dims []ir.Dim, body ir.Block) {
	group, count := e.launched()
	total := e.num(1)
	for _, d := range dims {
		n := e.size(d.Extent)
		if !d.Extent.IsConst() {
			n = e.op(scalar.OpMax, e.ix, n, e.num(0))
		}
		total = e.prod(total, n)
	}
	from, step := group, count
	if !e.f.Group {
		from = e.sum(e.times(group, int64(e.f.Threads)), e.tid)
		step = e.times(count, int64(e.f.Threads))
	}
	e.together = e.f.Group
	e.loop(from, total, step, func(i Reg) {
		for d := len(dims) - 1; d >= 0; d-- {
			if d == 0 {
				e.axes[dims[d].Axis] = i
				break
			}
			n := e.size(dims[d].Extent)
			e.axes[dims[d].Axis] = e.op(scalar.OpRem, e.ix, i, n)
			i = e.op(scalar.OpDiv, e.ix, i, n)
		}
		e.access.loads, e.access.stores = false, false
		e.stmts(body)
		if e.together {
			e.barrier() // the next item uses the same arrays
		}
	})
}

func (e *emitter) stmts(b ir.Block) {
	for _, p := range e.parts(b) {
		if p.cond != ir.NoRef {
			e.branchRarely(&p, [][]Reg{e.regs}, e.regs)
			continue
		}
		for _, s := range p.stmts {
			e.stmt(s)
		}
	}
}

// before emits a barrier if threads work together and the loads or stores that follow could conflict with pending accesses.
func (e *emitter) before(loads, stores bool) {
	if e.together && (stores && (e.access.loads || e.access.stores) || loads && e.access.stores) {
		e.barrier()
	}
	e.access.loads = e.access.loads || loads
	e.access.stores = e.access.stores || stores
}

func accesses(bs ...ir.Block) (loads, stores bool) {
	for _, b := range bs {
		b.Walk(func(s ir.Stmt) {
			switch s.(type) {
			case *ir.Load:
				loads = true
			case *ir.Store:
				stores = true
			}
		})
	}
	return loads, stores
}

func (e *emitter) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Let:
		e.regs[s.Dst] = e.let(s)
	case *ir.Index:
		e.regs[s.Dst] = e.indexValue(e.k.Types[s.Dst], s)
	case *ir.Load:
		e.before(true, false)
		e.load(s)
	case *ir.Store:
		e.before(false, true)
		if e.together {
			e.onOne(func() { e.store(s) })
			return
		}
		e.store(s)
	case *ir.Loop:
		e.kernelLoop(s)
	case *ir.While:
		e.while(s)
	case *ir.If:
		e.branch(s)
	case *ir.Reduce:
		e.reduce(s)
	case *ir.Cumulate:
		e.cumulate(s)
	default:
		bug("statement %T", s)
	}
}

func (e *emitter) let(s *ir.Let) Reg {
	in := s.Inst
	for i, a := range in.Args {
		if a != ir.NoRef {
			in.Args[i] = e.regs[a]
		}
	}
	switch in.Op {
	case scalar.OpWiden:
		return e.widen(in.DType, in.Args[0])
	case scalar.OpNarrow:
		return e.narrow(in.DType, in.Args[0])
	}
	if e.known != nil && weight(in.Op) > 1 {
		if r, ok := e.known[in]; ok {
			return r
		}
	}
	r := e.reg(in.Type)
	e.add(&Op{r, in})
	if e.known != nil && weight(in.Op) > 1 {
		e.known[in] = r
	}
	return r
}

// indexValue emits Base + Σ Coeff·axis as a value of type t, wrapped.
func (e *emitter) indexValue(t scalar.Type, s *ir.Index) Reg {
	return e.convert(t, e.affine(s.Base, s.Terms))
}

func (e *emitter) convert(t scalar.Type, x Reg) Reg {
	if e.typeOf(x) == t {
		return x
	}
	return e.op(scalar.OpConvert, t, x)
}

// extent returns the number of iterations of a loop of extent n with a tail, which may be nil.
func (e *emitter) extent(n ir.Size, t *ir.Tail) Reg {
	m := e.size(n)
	if t == nil {
		return m
	}
	return e.least(m, e.diff(e.size(t.Total), e.prod(m, e.axes[t.Outer])))
}

func (e *emitter) array(shared bool, t scalar.Type, n int) int {
	e.f.Arrays = append(e.f.Arrays, Array{shared, t, n})
	return len(e.f.Arrays) - 1
}

// board returns shared array number i of one element of type t for each thread. Uses of
// one board are separated by barriers.
func (e *emitter) board(t scalar.Type, i int) int {
	for len(e.shared[t]) <= i {
		e.shared[t] = append(e.shared[t], e.array(true, t, e.f.Threads))
	}
	return e.shared[t][i]
}

func (e *emitter) get(array int, at Reg) Reg {
	r := e.reg(e.f.Arrays[array].Type)
	e.add(&Get{r, array, at})
	return r
}

func (e *emitter) put(array int, at, value Reg) { e.add(&Put{array, at, value}) }

func floatBits(t scalar.Type, x float64) uint64 {
	if t == scalar.F32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}
