package cpu

import (
	"context"
	"time"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
)

// Times of the search for a schedule.
const (
	tuningRun  = 200 * time.Microsecond // a measurement repeats shorter work
	tuningTime = 2 * time.Second        // of the search, and of its confirmation: no measurement begins after
	tuningGain = 0.97                   // of the plan's own time, which a schedule must undercut
)

// A search looks for the fastest schedule: from the plan's own choices it changes one
// decision after the other and keeps what is faster.
type search struct {
	step  func(c schedule) (step, error) // the work under a schedule
	frame *frame
	x     *execution
	end   time.Time
	times map[schedule]float64
}

// time returns the least time of several runs in nanoseconds; ok is false if the schedule has no
// code.
func (h *search) time(c schedule) (ns float64, ok bool) {
	s, err := h.step(c)
	if err != nil {
		return 0, false
	}
	if q, ok := s.(temporaryStep); ok && q.temporary() > 0 {
		h.frame.memory = memory.alloc(q.temporary())
		defer memory.release(h.frame.memory)
	}
	if s.run(h.x, h.frame) != nil {
		return 0, false
	}
	repeat := 1
	for i := range 6 {
		start := time.Now()
		for range repeat {
			_ = s.run(h.x, h.frame) // the context does not end
		}
		took := time.Since(start)
		if each := float64(took) / float64(repeat); ns == 0 || each < ns {
			ns = each
		}
		if i == 0 && took < tuningRun {
			repeat = int(tuningRun/max(took, 100)) + 1
		}
		if time.Now().After(h.end) {
			break
		}
	}
	return ns, true
}

// best returns the fastest of some schedules that change c, or c.
func (h *search) best(c schedule, others ...schedule) schedule {
	for _, o := range others {
		if time.Now().After(h.end) {
			break
		}
		if _, ok := h.times[o]; ok {
			continue
		}
		t, ok := h.time(o)
		if !ok {
			continue
		}
		if h.times[o] = t; t < h.times[c] {
			c = o
		}
	}
	return c
}

// confirmed returns the schedule if it is faster than the plan's own in turns, else the
// plan's own.
func (h *search) confirmed(c schedule) schedule {
	if c == (schedule{}) {
		return c
	}
	var least [2]float64
	h.end = time.Now().Add(tuningTime)
	for i := range 5 {
		if i > 0 && time.Now().After(h.end) {
			break
		}
		for i, o := range [...]schedule{{}, c} {
			if t, ok := h.time(o); ok && (least[i] == 0 || t < least[i]) {
				least[i] = t
			}
		}
	}
	if least[1] < tuningGain*least[0] {
		return c
	}
	return schedule{}
}

// span returns the bytes of an operand.
func span(view fuse.ProductView, outer, k, size int, batch []fuse.ProductAxis, step func(fuse.ProductAxis) int) int {
	last := view.Offset + (outer-1)*view.Outer + (k-1)*view.K
	for _, b := range batch {
		last += (b.N - 1) * step(b)
	}
	return (last + 1) * size
}

// productBytes returns the bytes of the operands and of the result.
func productBytes(s *fuse.Product, size int) []int {
	result := s.M * s.N * size
	for _, b := range s.Batch {
		result *= b.N
	}
	return []int{span(s.A, s.M, s.K, size, s.Batch, func(b fuse.ProductAxis) int { return b.A }),
		span(s.B, s.N, s.K, size, s.Batch, func(b fuse.ProductAxis) int { return b.B }), result}
}

// convBytes returns the bytes of the operands and of the result.
func convBytes(s *fuse.Conv, size int) []int {
	in := s.Batch * s.Features
	if s.BatchGroup {
		in *= s.Groups
	}
	for _, a := range s.Axes {
		in *= a.In
	}
	return []int{in * size, s.Outputs * s.K() * size, s.Rows() * s.Outputs * size}
}

// mostTuned is the memory of the operands up to which a shape is tuned.
const mostTuned = 1 << 30

// newSearch returns a search with operands of some sizes in bytes; nil if they are too large.
func newSearch(threads int, sizes ...int) *search {
	h := &search{frame: &frame{}, end: time.Now().Add(tuningTime), times: map[schedule]float64{}}
	all := 0
	for _, n := range sizes {
		all += n
	}
	if all > mostTuned {
		return nil
	}
	for _, n := range sizes {
		b := memory.alloc(n)
		for i := range b {
			b[i] = 0x3f // no zero, no subnormal number, no NaN
		}
		h.frame.refs = append(h.frame.refs, ref{data: b})
		h.frame.addr = append(h.frame.addr, address(b))
	}
	h.x = begin(context.Background(), threads)
	return h
}

// close returns the memory.
func (h *search) close() {
	h.x.end()
	for _, r := range h.frame.refs {
		memory.release(r.data)
	}
}

// start measures the plan's own schedule.
func (h *search) start() bool {
	t, ok := h.time(schedule{})
	h.times[schedule{}] = t
	return ok
}

// searchProduct returns the fastest schedule of a product.
func searchProduct(s *fuse.Product, isa amd64.ISA, threads int) schedule {
	p, err := planProduct(s, isa, threads)
	if err != nil {
		return schedule{}
	}
	h := newSearch(threads, productBytes(s, p.size)...)
	if h == nil {
		return schedule{}
	}
	defer h.close()
	own := *s
	own.In, own.Out = [2]int{0, 1}, 2
	h.step = func(c schedule) (step, error) {
		p, err := planProductAs(s, isa, threads, c)
		return &productStep{step: &own, plan: p}, err
	}
	if !h.start() {
		return schedule{}
	}
	c := schedule{}
	if p.few {
		c = h.best(c, schedule{Few: no})
		if c.Few != no {
			return schedule{}
		}
		if p, err = planProductAs(s, isa, threads, c); err != nil {
			return schedule{}
		}
	}
	c = h.best(c, h.tiles(p, c, p.m)...)
	if p.turns {
		c = h.best(c, c.each(true, func(c *schedule, v choice) { c.Left = v })...)
	}
	if p.copies {
		c = h.best(c, c.each(true, func(c *schedule, v choice) { c.Right = v })...)
	}
	if p, err = planProductAs(s, isa, threads, c); err != nil {
		return schedule{}
	}
	c = h.best(c, c.sized(func(c *schedule, n int) { c.Deep = n }, p.deep, p.k, s.Chunk)...)
	c = h.best(c, c.sized(func(c *schedule, n int) { c.Panel = n }, p.panel, p.n, p.vecs*p.lanes)...)
	return h.confirmed(c)
}

// searchConv returns the fastest schedule of a convolution.
func searchConv(s *fuse.Conv, isa amd64.ISA, threads int) schedule {
	p, err := planConv(s, isa, threads)
	if err != nil {
		return schedule{}
	}
	h := newSearch(threads, convBytes(s, p.size)...)
	if h == nil {
		return schedule{}
	}
	defer h.close()
	own := *s
	own.In, own.Out = [2]int{0, 1}, 2
	h.step = func(c schedule) (step, error) {
		p, err := planConvAs(s, isa, threads, c)
		return &convStep{step: &own, plan: p}, err
	}
	if !h.start() {
		return schedule{}
	}
	c := schedule{}
	if p.lines != nil {
		c = h.best(c, schedule{Lines: no})
	}
	m := p.m
	if p.lines != nil && c.Lines != no {
		m = min(m, p.lines.x.Out)
	}
	c = h.best(c, h.tiles(p.productPlan, c, m)...)
	if p, err = planConvAs(s, isa, threads, c); err != nil {
		return schedule{}
	}
	c = h.best(c, c.sized(func(c *schedule, n int) { c.Deep = n }, p.deep, p.k, s.Chunk)...)
	return h.confirmed(c)
}

// tiles returns c with each of the largest register tiles.
func (h *search) tiles(p *productPlan, c schedule, m int) (all []schedule) {
	for rows, vecs := range p.registerTiles(m) {
		most := min(p.tile().MaxRows(vecs), m)
		if rows <= most-4 && most > 4 && m%rows != 0 {
			continue
		}
		c.Rows, c.Vecs = rows, vecs
		all = append(all, c)
	}
	return all
}

// sized returns c with half, twice and all of a size.
func (c schedule) sized(set func(*schedule, int), now, all, least int) (out []schedule) {
	for _, n := range []int{now / 2, 2 * now, all} {
		if n >= least && n <= all {
			set(&c, n)
			out = append(out, c)
		}
	}
	return out
}
