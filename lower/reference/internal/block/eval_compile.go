package block

import (
	"sync"

	"github.com/weft-go/weft/lower/scalar"
)

// blockLen is the number of elements that a program is run on at once: enough to
// hide the cost of finding the loop, few enough that the values stay in cache.
const blockLen = 256

// A step is what the evaluator does to a block. d, a, b and c are indices into the
// frame's pointers, flag is one into its flags.
type step struct {
	Kind       stepKind
	size       int32 // bytes of an element, which stepRare copies
	d, a, b, c int32
	flag       int32
	To         int32 // the step at which a skip continues
	fn         loop
}

type stepKind uint8

const (
	stepLoop stepKind = iota // d = fn(a, b, c)
	stepRare                 // the same, but d = c when the flag is down
	stepTest                 // the flag is whether a has a true element
	StepSkip                 // continue at step To when the flag is down
)

// A Plan is a program made ready to run: values have places, operands and results
// are read and written where they lie. It is safe for many goroutines.
type Plan struct {
	prog   *scalar.Prog
	Steps  []step
	nptr   int
	flags  int
	params []paramPlace
	outs   []outPlace
	consts []constPlace
	temps  []tempPlace
	bytes  int // of a frame's memory
	frames sync.Pool
}

type paramPlace struct {
	operand, component, components int
	size                           int
	ptr                            int32
	buf                            int // offset of its buffer, for operands that are not read in place
}

type outPlace struct {
	result, component, components int
	size                          int
	ptr                           int32 // where the value is written, if direct
	from                          int32 // the pointer of the value that is copied at the end of a block, if not direct
	direct                        bool
}

type constPlace struct {
	ptr, size int32
	buf       int
	bits      uint64
}

type tempPlace struct {
	ptr int32
	buf int
}

// Compile makes a program ready to run.
func Compile(p *scalar.Prog) *Plan {
	c := &compiler{Plan: Plan{prog: p}, place: make([]int32, len(p.Code))}
	c.roots()
	c.places()
	c.guards()
	c.emit(c.body(), nil)
	c.finish()
	pl := &c.Plan
	pl.frames.New = func() any { return pl.newFrame() }
	return pl
}

// A compiler finds steps and places. A value that is the bits of another value, read as
// another type, has no place of its own: root names the value whose place it shares.
// place, fixed and lastUse are indexed by roots.
type compiler struct {
	Plan
	root    []scalar.Ref
	place   []int32 // pointer of a value, −1 before it has one
	fixed   []bool  // its place is not given back
	lastUse []int
	uses    []int
	owner   [][]scalar.Ref       // predicates that guard an instruction, outermost first
	flagOf  map[scalar.Ref]int32 // flags of predicates
	free    map[int][]int32      // free temporaries by size
}

func (c *compiler) newPtr() int32 {
	c.nptr++
	return int32(c.nptr - 1)
}

func (c *compiler) buffer(size int) int {
	at := c.bytes
	c.bytes += (size*blockLen + 63) &^ 63
	return at
}

// roots finds whose place a value shares, and counts uses.
func (c *compiler) roots() {
	c.root = make([]scalar.Ref, len(c.prog.Code))
	c.uses = make([]int, len(c.prog.Code))
	for i, in := range c.prog.Code {
		c.root[i] = scalar.Ref(i)
		if in.Op == scalar.OpBitcast {
			c.root[i] = c.root[in.Args[0]]
		}
		for _, a := range in.Args {
			if a != scalar.NoRef {
				c.uses[a]++
			}
		}
	}
	for _, r := range c.prog.Results {
		c.uses[r]++
	}
}

func (c *compiler) places() {
	p := c.prog
	c.fixed = make([]bool, len(p.Code))
	for i, in := range p.Code {
		c.place[i] = -1
		size := in.Type.Size()
		switch in.Op {
		case scalar.OpParam:
			k, comp := int(in.Imm>>8), int(in.Imm&0xff)
			c.place[i] = c.newPtr()
			c.params = append(c.params, paramPlace{k, comp, scalar.Components(p.In[k]), size, c.place[i], c.buffer(size)})
		case scalar.OpConst:
			c.place[i] = c.newPtr()
			c.consts = append(c.consts, constPlace{c.place[i], int32(size), c.buffer(size), in.Imm})
		default:
			continue
		}
		c.fixed[i] = true
	}
	k := 0
	for o, dt := range p.Out {
		n := scalar.Components(dt)
		for comp := range n {
			r := c.root[p.Results[k]]
			out := outPlace{result: o, component: comp, components: n, size: p.Code[r].Type.Size()}
			if n == 1 && c.place[r] < 0 {
				out.ptr, out.direct = c.newPtr(), true
				c.place[r] = out.ptr
				c.fixed[r] = true
			}
			c.outs = append(c.outs, out)
			k++
		}
	}
}

func isLeaf(in scalar.Inst) bool { return in.Op == scalar.OpParam || in.Op == scalar.OpConst }

func (c *compiler) body() []int {
	var list []int
	for i, in := range c.prog.Code {
		if !isLeaf(in) && in.Op != scalar.OpBitcast {
			list = append(list, i)
		}
	}
	return list
}

// guards finds for every predicate of a Rare the instructions that only its true arms need, and computes last
// uses.
func (c *compiler) guards() {
	p := c.prog
	c.lastUse = make([]int, len(p.Code))
	c.owner = make([][]scalar.Ref, len(p.Code))
	c.flagOf = make(map[scalar.Ref]int32)
	c.free = make(map[int][]int32)
	var preds []scalar.Ref
	for i, in := range p.Code {
		for _, a := range in.Args {
			if a != scalar.NoRef {
				c.lastUse[c.root[a]] = i
			}
		}
		if in.Op == scalar.OpRare {
			if _, ok := c.flagOf[in.Args[0]]; !ok {
				c.flagOf[in.Args[0]] = int32(c.flags)
				c.flags++
				preds = append(preds, in.Args[0])
			}
		}
	}
	for _, r := range p.Results {
		c.lastUse[c.root[r]] = len(p.Code)
	}
	// preds are in order of their first Rare; the predicate of an inner region comes before the predicate of
	// the outer one, so prepending puts the outermost first.
	for _, g := range preds {
		need := make([]bool, len(p.Code)) // something outside needs it
		for _, r := range p.Results {
			need[r] = true
		}
		for i := len(p.Code) - 1; i >= 0; i-- {
			in := p.Code[i]
			own := !need[i] && scalar.Ref(i) > g && !isLeaf(in)
			if own {
				c.owner[i] = append([]scalar.Ref{g}, c.owner[i]...)
				continue // what only a guarded instruction needs is guarded, too
			}
			for k, a := range in.Args {
				if a != scalar.NoRef && !(in.Op == scalar.OpRare && in.Args[0] == g && k == 1) {
					need[a] = true
				}
			}
		}
	}
}

// emit writes the steps of a list of instructions. Instructions with a guard that is not open yet stand behind
// a skip.
func (c *compiler) emit(list []int, open []scalar.Ref) {
	for k := 0; k < len(list); {
		g, ok := c.nextGuard(list[k], open)
		if !ok {
			c.emitInst(list[k])
			k++
			continue
		}
		end := k
		for end < len(list) {
			if h, ok := c.nextGuard(list[end], open); !ok || h != g {
				break
			}
			end++
		}
		at := len(c.Steps)
		c.Steps = append(c.Steps, step{Kind: StepSkip, flag: c.flagOf[g]})
		c.emit(list[k:end], append(open[:len(open):len(open)], g))
		c.Steps[at].To = int32(len(c.Steps))
		k = end
	}
}

// nextGuard returns the outermost guard of instruction i that is not open.
func (c *compiler) nextGuard(i int, open []scalar.Ref) (scalar.Ref, bool) {
next:
	for _, g := range c.owner[i] {
		for _, o := range open {
			if g == o {
				continue next
			}
		}
		return g, true
	}
	return 0, false
}

func (c *compiler) emitInst(i int) {
	p := c.prog
	in := p.Code[i]
	fn := loopOf(p, in)
	if c.absorbed(i) {
		return // the canon that follows computes the instruction, too
	}
	if in.Op == scalar.OpCanon && c.absorbed(int(in.Args[0])) {
		in = p.Code[in.Args[0]]
		fn = canonLoops[in.Op][in.Type]
	}
	if (in.Op == scalar.OpShl || in.Op == scalar.OpShr) && p.Code[in.Args[1]].Op == scalar.OpConst {
		fn = shiftBy(in.Op, in.Type, p.Code[in.Args[1]].Imm)
	}
	var arg [3]int32
	for k, a := range in.Args {
		if a != scalar.NoRef {
			arg[k] = c.place[c.root[a]]
		}
	}
	// Give back the operands that end here before the result takes a place, so that it may reuse one of their
	// places.
	for k, a := range in.Args {
		if a == scalar.NoRef {
			continue
		}
		r := c.root[a]
		if c.lastUse[r] > i || c.fixed[r] || c.place[r] < 0 {
			continue
		}
		if k > 0 && c.root[in.Args[0]] == r || k > 1 && c.root[in.Args[1]] == r {
			continue // given back already
		}
		size := p.Code[r].Type.Size()
		c.free[size] = append(c.free[size], c.place[r])
	}
	size := in.Type.Size()
	if c.place[i] < 0 {
		f := c.free[size]
		if n := len(f); n > 0 {
			c.place[i] = f[n-1]
			c.free[size] = f[:n-1]
		} else {
			c.place[i] = c.newPtr()
			c.temps = append(c.temps, tempPlace{c.place[i], c.buffer(size)})
		}
	}
	s := step{Kind: stepLoop, d: c.place[i], a: arg[0], b: arg[1], c: arg[2], size: int32(size), fn: fn}
	if in.Op == scalar.OpRare {
		s.Kind, s.flag = stepRare, c.flagOf[in.Args[0]]
	}
	if s.fn == nil {
		panic("BUG: no loop for " + p.InstText(in))
	}
	c.Steps = append(c.Steps, s)
	if f, ok := c.flagOf[scalar.Ref(i)]; ok {
		c.Steps = append(c.Steps, step{Kind: stepTest, flag: f, a: c.place[i]})
	}
}

// absorbed reports whether instruction i has a loop that makes NaN canonical as well,
// and only the next instruction, a canon, needs its value. The canon is then in the
// same regions, and no other value has taken a place of the operands.
func (c *compiler) absorbed(i int) bool {
	in := c.prog.Code[i]
	if c.uses[i] != 1 || canonLoops[in.Op][in.Type] == nil || i+1 >= len(c.prog.Code) {
		return false
	}
	next := c.prog.Code[i+1]
	return next.Op == scalar.OpCanon && next.Args[0] == scalar.Ref(i)
}

// finish records the values that are copied to results at the end of a block.
func (c *compiler) finish() {
	for k := range c.outs {
		if o := &c.outs[k]; !o.direct {
			o.from = c.place[c.root[c.prog.Results[k]]]
		}
	}
	// A predicate that is an operand or a constant is tested first.
	var first []step
	for g, f := range c.flagOf {
		if isLeaf(c.prog.Code[g]) {
			first = append(first, step{Kind: stepTest, flag: f, a: c.place[g]})
		}
	}
	if len(first) > 0 {
		for i := range c.Steps {
			c.Steps[i].To += int32(len(first))
		}
		c.Steps = append(first, c.Steps...)
	}
}
