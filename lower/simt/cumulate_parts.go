package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// A CumulativeDivision consists of the kernels that replace a kernel of few long running folds.
// Rows are divided into spans of 32·32 elements, which are two levels of the canonical order. Many
// groups fold a span each. A running fold, which may be divided itself, runs over the totals of the
// spans. Then many groups compute the elements of a span from the running value before it.
type CumulativeDivision struct {
	Totals   *Func               // computes totals of spans; its buffers are the kernel's, and the totals
	Running  *Func               // computes running values of totals; its buffers are the totals, and these values; nil: see Above
	Above    *CumulativeDivision // does what Running does, divided
	Elements *Func               // computes the elements; its buffers are the kernel's, the totals, and the running values
	Scratch  int64               // size of the totals in bytes; the running values have the same
}

// Bounds of divided running folds.
const (
	leastRunning = 1 << 15                 // elements of a row
	leastTotals  = 8*foldSpan + 1          // of a row of totals: more than a group folds in a round
	fewRunning   = schedule.MostGroups / 4 // rows so few that one group each does not keep a machine busy
)

// DivideCumulative returns the division of a kernel that consists of few long running folds,
// nil if it has another form or reads a buffer that it writes.
func DivideCumulative(k *ir.Kernel) *CumulativeDivision {
	if r := runningOf(k.Inlined()); r != nil && r.separable() {
		return r.divide(leastRunning)
	}
	return nil
}

// divide returns the division of rows of at least the given number of elements, nil if they are
// shorter, if they are many, or if there are none.
func (r *rowFold) divide(least int64) *CumulativeDivision {
	rows := r.rows()
	if r.length < least || rows == 0 || rows > fewRunning {
		return nil
	}
	t := r.f.Value
	before := (r.length+foldSpan-1)/foldSpan - 1 // spans that another one follows
	pitch := (before + 3) / 4 * 4                // rows of totals begin at whole accesses
	n := ir.Const(rows * pitch)
	totals := ir.Buffer{Name: "totals", Role: ir.In, Type: t, Len: n}
	running := ir.Buffer{Name: "running", Role: ir.In, Type: t, Len: n}
	out := func(b ir.Buffer) ir.Buffer { b.Role = ir.Out; return b }
	d := &CumulativeDivision{Scratch: n.Value * int64(t.Size())}
	d.Totals = r.spans("_totals", before, pitch, out(totals)).totalsOf()
	d.Elements = r.spans("_elements", before+1, pitch, totals, running).elements()
	at := func(buffer int) ir.Access {
		terms := []ir.Term{{Axis: 0, Coeff: ir.Const(pitch)}, {Axis: 1, Coeff: ir.Const(1)}}
		return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: n, Terms: terms, Value: ir.NoRef}}}
	}
	above := runningOf(&ir.Kernel{Name: r.k.Name + "_running", Buffers: []ir.Buffer{totals, out(running)}, Axes: 2, Types: []scalar.Type{t, t},
		Grid: []ir.Dim{{Axis: 0, Extent: ir.Const(rows)}},
		Body: ir.Block{&ir.Cumulate{Axis: 1, Extent: ir.Const(before), Op: r.f.Op, Value: 0, Param: 1,
			Body: ir.Block{&ir.Load{Dst: 0, At: at(0)}}, Then: ir.Block{&ir.Store{At: at(1), Value: 1}}}}})
	if d.Above = above.divide(leastTotals); d.Above == nil {
		d.Running = above.lower()
	}
	return d
}

func (r *rowFold) rows() int64 {
	n := int64(1)
	for _, m := range r.items {
		n *= m
	}
	return n
}

// separable reports whether elements can be read twice, by several groups: the kernel reads
// nothing that it writes.
func (r *rowFold) separable() bool {
	stored, loaded := make([]bool, len(r.k.Buffers)), make([]bool, len(r.k.Buffers))
	r.k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			loaded[s.At.Buffer] = true
		case *ir.Store:
			stored[s.At.Buffer] = true
		}
	})
	for i := range stored {
		if stored[i] && loaded[i] {
			return false
		}
	}
	return true
}

// partBytes bounds the shared memory of a group that works on spans: some devices have 32 KiB.
const partBytes = 20 << 10

// spanTeams is the code for spans, each of which 32 threads share. They read its elements in
// the order of memory, several neighbours at once, into the board; each folds a chunk.
type spanTeams struct {
	*rowFold
	spans int64 // spans of a row that are worked on
	pitch int64 // elements from row to row in the buffers after those of the kernel
	first int   // number of the first of these buffers

	board  int   // the array of elements, by span, chunk and element
	wide   int64 // elements of an access of the board
	step   int64 // elements from chunk to chunk: threads use different banks
	totals int   // the array of totals, by thread: that of its chunk

	lane      Reg // thread in its span
	row, span Reg // number of the row, and of the span in it
	row0      Reg // element of the board at which the span begins
	lo        Reg // number of the span's first element
	exists    Reg // the group has the span; NoReg: it always does
}

// spans begins the program for the given number of spans of each row. The given buffers follow the
// kernel's and have pitch elements a row.
func (r *rowFold) spans(name string, spans, pitch int64, buffers ...ir.Buffer) *spanTeams {
	k := *r.k
	k.Name += name
	k.Buffers = append(slices.Clone(k.Buffers), buffers...)
	c := *r
	c.k = &k
	wide := min(4, VecBytes/int64(r.f.Value.Size()))
	step := ir.CumChunk + wide
	threads := 128
	for threads*int(step)*r.f.Value.Size() > partBytes {
		threads /= 2
	}
	f := &Func{Name: k.Name, Kernel: &k, Threads: threads, Group: true}
	c.emitter = newEmitter(f, indexType(&k))
	w := &spanTeams{rowFold: &c, spans: spans, pitch: pitch, first: len(r.k.Buffers), wide: wide, step: step}
	w.board = w.array(true, r.f.Value, threads*int(step))
	w.totals = w.array(true, r.f.Value, threads)
	return w
}

// each emits the loop over spans, of which a group takes several at a time.
func (w *spanTeams) each(body func()) *Func {
	teams := int64(w.emitter.f.Threads) / ir.CumChunk
	total := w.rows() * w.spans
	w.points([]int64{(total + teams - 1) / teams}, func(at []Reg) {
		w.lane = w.rest(w.tid, ir.CumChunk)
		team := w.over(w.tid, ir.CumChunk)
		w.row0 = w.times(team, ir.CumChunk*w.step)
		g := w.sum(w.times(at[0], teams), team)
		w.exists = NoReg
		if total%teams != 0 {
			w.exists = w.less(g, w.num(total))
			g = w.least(g, w.num(total-1))
		}
		w.row, w.span = w.quotient(g, w.spans)
		w.lo = w.times(w.span, foldSpan)
		x := make([]Reg, len(w.items))
		row := w.row
		for d := len(x) - 1; d > 0; d-- {
			row, x[d] = w.quotient(row, w.items[d])
		}
		if len(x) > 0 {
			x[0] = row
		}
		w.enter(x)
		w.stmts(w.body)
		body()
	})
	return w.emitter.f
}

func (w *spanTeams) totalsOf() *Func {
	return w.each(func() {
		w.read()
		w.barrier()
		w.put(w.totals, w.tid, last(w.chunk()))
		w.barrier()
		first := w.same(w.lane, w.num(0))
		if w.exists != NoReg {
			first = w.both(first, w.exists)
		}
		w.when(first, func() {
			x := w.identity()
			for _, y := range w.totalsOfSpan() {
				x = w.two(x, y)
			}
			w.add(&Store{w.first, w.sum(w.times(w.row, w.pitch), w.span), x})
		})
	})
}

// elements writes the kernel that computes the elements from the running values before their spans.
func (w *spanTeams) elements() *Func {
	return w.each(func() {
		above, total, further := NoReg, NoReg, NoReg
		if w.spans > 1 {
			load := func(buffer int, at Reg) Reg {
				x := w.reg(w.f.Value)
				w.add(&Load{x, w.first + buffer, w.sum(w.times(w.row, w.pitch), w.op(scalar.OpMax, w.ix, at, w.num(0)))})
				return x
			}
			// The total of the span before this one, the running value at its end, and that at its beginning.
			total, above, further = load(0, w.plus(w.span, -1)), load(1, w.plus(w.span, -1)), load(1, w.plus(w.span, -2))
		}
		w.read()
		w.barrier()
		xs := w.chunk()
		w.put(w.totals, w.tid, last(xs))
		w.barrier()
		// The offset of a chunk comes from the chunks in front of it and the spans before.
		acc, offset := w.identity(), w.identity()
		ys := w.totalsOfSpan()
		for j, y := range ys[:len(ys)-1] {
			acc = w.two(acc, y)
			offset = w.choose(w.same(w.lane, w.num(int64(j+1))), acc, offset)
		}
		none := w.same(w.lane, w.num(0)) // the span's first chunk
		if w.spans > 1 {
			begins := w.same(w.span, w.num(0))
			// The offset of the span's first chunk is the running value of the last chunk before it.
			offset = w.choose(begins, offset, w.two(above, offset))
			offset = w.choose(none, w.choose(w.same(w.span, w.num(1)), total, w.two(further, total)), offset)
			none = w.both(begins, none)
		}
		for i, x := range xs {
			xs[i] = w.choose(none, x, w.two(offset, x))
		}
		w.putRow(xs)
		w.barrier()
		w.write()
	})
}

func last(xs []Reg) Reg { return xs[len(xs)-1] }

// mine returns the element of the board at which the thread's chunk begins.
func (w *spanTeams) mine() Reg { return w.sum(w.row0, w.times(w.lane, w.step)) }

// neighbours reads 32 neighbouring elements of an array.
func (w *spanTeams) neighbours(array int, at Reg) []Reg {
	var xs []Reg
	for i := int64(0); i < ir.CumChunk; i += w.wide {
		dst := make([]Reg, w.wide)
		for j := range dst {
			dst[j] = w.reg(w.f.Value)
		}
		w.add(&GetVec{Dst: dst, Array: array, At: at, Plus: i})
		xs = append(xs, dst...)
	}
	return xs
}

func (w *spanTeams) chunk() []Reg {
	xs := w.neighbours(w.board, w.mine())
	x := w.identity()
	for i, y := range xs {
		x = w.two(x, y)
		xs[i] = x
	}
	return xs
}

func (w *spanTeams) totalsOfSpan() []Reg {
	return w.neighbours(w.totals, w.diff(w.tid, w.lane))
}

// putRow writes the thread's chunk to the board.
func (w *spanTeams) putRow(xs []Reg) {
	at := w.mine()
	for i := int64(0); i < ir.CumChunk; i += w.wide {
		w.add(&PutVec{Array: w.board, At: at, Plus: i, Values: xs[i : i+w.wide]})
	}
}
