package cpu

import (
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// registerLoopStep runs the iterations of a loop within a kernel: see [fuse.RegisterLoop].
type registerLoopStep struct {
	launchStep
	loop *fuse.RegisterLoop
}

func (s *registerLoopStep) run(x *execution, f *frame) error {
	for _, c := range s.loop.Copies {
		move(f.refs[c[0]].data, f.refs[c[1]].data)
	}
	for _, id := range s.loop.Zero {
		clear(f.refs[id].data)
	}
	more := f.refs[s.loop.More].data
	for {
		if err := s.launchStep.run(x, f); err != nil {
			return err
		}
		if more[0] == 0 {
			return nil
		}
		if err := x.ended(); err != nil {
			return err
		}
	}
}

// loopStep runs the plans within a plan: those of a loop, or the branches of a cond. An iteration
// changes carries in place or alternates between two buffers, and it writes rows of stacked results
// into the results.
type loopStep struct {
	loop     *fuse.Loop
	programs []*program
	outer    *program
	number   int // among the loops of the outer program
	memory   int // bytes of its own and of the largest of the programs, of which one runs at a time

	carries []carry
	rows    []int // by result that is no carry: −1 if something reads it, else the offset of memory for it or for one row of it
	test    int   // offset of the condition
	own     int   // bytes of its own
	packs   []loopPack
}

// carry is a value that an iteration receives from the one before.
type carry struct {
	kept   bool   // no iteration changes it
	fixed  bool   // iterations change it in place: in places[0]
	size   int    // bytes
	places [2]int // offsets of its memory; −1: none, or in places[0] the memory of the result
}

// loopFrame is the memory of a loop in a frame of the outer program.
type loopFrame struct {
	memory []byte
	frames []*frame // by program
	in     []ref    // operands of the equation
	out    []ref    // results
	args   []ref    // of the body
	next   []ref    // results of the body
	cond   []ref    // arguments of the condition
	test   []ref
}

func newLoopStep(p *program, s *fuse.Loop, programs []*program) *loopStep {
	l := &loopStep{loop: s, programs: programs, outer: p, number: p.loops}
	p.loops++
	take := func(n int) int {
		at := l.own
		l.own += aligned(n)
		return at
	}
	first, carries := 0, 0
	var body *program
	switch q := s.Eqn.Prim.(type) {
	case *jaxpr.While:
		body, first, carries = programs[1], q.BodyConsts, len(s.Out)
		l.test = take(1)
		l.packs = packedConstants(body, q.CondConsts, q.BodyConsts, take)
	case *jaxpr.Scan:
		body, first, carries = programs[0], q.NumConsts, q.NumCarry
		if q.Length > 1 {
			l.packs = packedConstants(body, 0, q.NumConsts, take)
		}
	}
	for i, id := range s.Out {
		t := s.Eqn.Outs[i].Type
		n := t.Size() * t.DType.Size()
		switch {
		case i < carries:
			c := carry{size: n, places: [2]int{-1, -1}}
			v := &body.plan.Values[body.plan.Outs[i]]
			if c.kept = v.Place == fuse.Input && v.Index == first+i; !c.kept {
				c.fixed = body.plan.Reuse[i].Input == first+i
				if id < 0 {
					c.places[0] = take(n)
				}
				if !c.fixed {
					c.places[1] = take(n)
				}
			}
			l.carries = append(l.carries, c)
		case id >= 0:
			l.rows = append(l.rows, -1)
		case s.Kind == fuse.ScanLoop:
			l.rows = append(l.rows, take(body.types[i].Size()*body.types[i].DType.Size()))
		default: // a branch's result
			l.rows = append(l.rows, take(n))
		}
	}
	most := 0
	for _, q := range programs {
		most = max(most, q.memory)
	}
	l.memory = l.own + most
	return l
}

func (s *loopStep) newFrame() *loopFrame {
	l := &loopFrame{in: make([]ref, len(s.loop.In)), out: make([]ref, len(s.loop.Out))}
	for _, q := range s.programs {
		l.frames = append(l.frames, q.newFrame())
	}
	switch q := s.loop.Eqn.Prim.(type) {
	case *jaxpr.While:
		l.cond, l.args = make([]ref, q.CondConsts+len(s.carries)), make([]ref, q.BodyConsts+len(s.carries))
		l.next, l.test = make([]ref, len(s.carries)), make([]ref, 1)
	case *jaxpr.Scan:
		l.args, l.next = make([]ref, len(s.loop.In)), make([]ref, len(s.loop.Out))
	}
	return l
}

// place divides data: the loop's own memory comes first, and that of its programs, of which one
// runs at a time, behind it.
func (s *loopStep) place(l *loopFrame, data []byte) {
	l.memory = data[:s.own]
	for i, q := range s.programs {
		q.place(l.frames[i], data[s.own:][:q.memory:q.memory])
	}
	if len(l.test) > 0 {
		l.test[0] = ref{data: data[s.test:][:1:1]}
	}
}

func (s *loopStep) run(x *execution, f *frame) error {
	l := f.loops[s.number]
	for i, id := range s.loop.In {
		l.in[i] = f.refs[id]
	}
	for i, id := range s.loop.Out {
		switch {
		case id >= 0:
			l.out[i] = f.refs[id]
		case i >= len(s.carries):
			t := s.loop.Eqn.Outs[i].Type
			n := t.Size() * t.DType.Size()
			if s.loop.Kind == fuse.CondCall {
				l.out[i] = ref{data: l.memory[s.rows[i]:][:n:n]}
			}
		}
	}
	s.packConstants(x, l)
	var err error
	switch s.loop.Kind {
	case fuse.CondCall:
		n := s.outer.index(f, s.loop.In[0], len(s.programs))
		err = s.programs[n].within(x, l.frames[n], l.in[1:], l.out)
	case fuse.WhileLoop:
		err = s.while(x, l)
	default:
		err = s.scan(x, l)
	}
	return err
}

// memoryOf returns the memory that an iteration writes carry i to: place k of it.
func (s *loopStep) memoryOf(l *loopFrame, i, k int) ref {
	c := &s.carries[i]
	if k == 0 && c.places[0] < 0 {
		return l.out[i]
	}
	return ref{data: l.memory[c.places[k]:][:c.size:c.size]}
}

// settle copies the carries that are changed in place to the memory in which iterations change them: see memoryOf.
func (s *loopStep) settle(l *loopFrame, now []ref) {
	for i := range s.carries {
		if s.carries[i].fixed {
			to := s.memoryOf(l, i, 0)
			move(to.data, now[i].data)
			now[i] = to
		}
	}
}

// finish copies the carries to the results.
func (s *loopStep) finish(l *loopFrame, now []ref) {
	for i, id := range s.loop.Out[:len(s.carries)] {
		if id >= 0 {
			move(l.out[i].data, now[i].data)
		}
	}
}

func (s *loopStep) while(x *execution, l *loopFrame) error {
	w := s.loop.Eqn.Prim.(*jaxpr.While)
	cc := w.CondConsts
	copy(l.cond, l.in[:cc])
	copy(l.args, l.in[cc:])
	now := l.args[w.BodyConsts:]
	s.settle(l, now)
	for k := 0; ; k ^= 1 {
		if err := x.ended(); err != nil {
			return err
		}
		copy(l.cond[cc:], now)
		if err := s.programs[0].within(x, l.frames[0], l.cond, l.test); err != nil {
			return err
		}
		if l.test[0].data[0] == 0 {
			break
		}
		for i := range s.carries {
			if s.carries[i].kept || s.carries[i].fixed {
				l.next[i] = now[i]
			} else {
				l.next[i] = s.memoryOf(l, i, k)
			}
		}
		if err := s.programs[1].within(x, l.frames[1], l.args, l.next); err != nil {
			return err
		}
		copy(now, l.next)
	}
	s.finish(l, now)
	return nil
}

func (s *loopStep) scan(x *execution, l *loopFrame) error {
	p := s.loop.Eqn.Prim.(*jaxpr.Scan)
	body := s.programs[0]
	nc, k := p.NumConsts, p.NumConsts+p.NumCarry
	copy(l.args, l.in)
	now := l.args[nc:k]
	s.settle(l, now)
	ins := body.plan.Program.Ins
	for n := range p.Length {
		if err := x.ended(); err != nil {
			return err
		}
		at := n
		if p.Reverse {
			at = p.Length - 1 - n
		}
		for i := k; i < len(l.in); i++ {
			t := ins[i].Type
			l.args[i] = row(l.in[i], t.Size()*t.DType.Size(), at)
		}
		for i := range s.carries {
			if s.carries[i].kept || s.carries[i].fixed {
				l.next[i] = now[i]
			} else { // the last iteration writes the results
				l.next[i] = s.memoryOf(l, i, (p.Length-1-n)&1)
			}
		}
		for i := p.NumCarry; i < len(l.out); i++ {
			size := body.types[i].Size() * body.types[i].DType.Size()
			if r := s.rows[i-p.NumCarry]; r >= 0 {
				l.next[i] = ref{data: l.memory[r:][:size:size]}
			} else {
				l.next[i] = row(l.out[i], size, at)
			}
		}
		if err := body.within(x, l.frames[0], l.args, l.next); err != nil {
			return err
		}
		copy(now, l.next)
	}
	s.finish(l, now)
	return nil
}

// row returns element i, of n bytes, of an array along its first axis.
func row(a ref, n, i int) ref { return ref{data: a.data[i*n:][:n:n]} }
