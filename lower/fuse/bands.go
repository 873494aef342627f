package fuse

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
)

// Bands runs steps on bands, which are neighbouring rows: all steps on one band, then all
// of them on the next. What a step writes is in the cache when the next one reads it, and
// values that no other step reads have memory for one band only.
//
// Row r of a value is the r-th of Items·Rows equal parts of its elements. A band has rows of one
// item, a multiple of Unit of them, or the last ones of the item. Items are independent of
// each other, and so are the bands of an item unless Sums is set: then they run in order.
type Bands struct {
	step
	Steps             []Step // *Launch and *Product, in order
	Parts             []BandPart
	Items, Rows, Unit int
	Sums              bool  // a part sums over rows
	Local             []int // values that lie in memory for one band
}

// BandPart states what a step does for a band.
type BandPart struct {
	// Of a Launch: row r is computed by Points points of its grid from r·Points on, or, if Points is
	// 0, rows from p·Share on, Share of them, are computed by point p.
	Points, Share int
	// Sum states that a product's contracted elements are the rows of an item: a band adds its
	// terms to the sums of the bands before. Else the product's rows are the rows.
	Sum bool
}

func (s *Bands) Reads() []int {
	var ids []int
	for _, q := range s.Steps {
		ids = append(ids, q.Reads()...)
	}
	return ids
}

func (s *Bands) Writes() []int {
	var ids []int
	for _, q := range s.Steps {
		ids = append(ids, q.Writes()...)
	}
	return ids
}

func (s *Bands) Kernels() []*ir.Kernel {
	var ks []*ir.Kernel
	for _, q := range s.Steps {
		ks = append(ks, q.Kernels()...)
	}
	return ks
}

func (s *Bands) launches() []*Launch {
	var ls []*Launch
	for _, q := range s.Steps {
		ls = append(ls, q.launches()...)
	}
	return ls
}

func (s *Bands) reusing() []int {
	var ids []int
	for _, q := range s.Steps {
		ids = append(ids, q.reusing()...)
	}
	return ids
}

// overwrites: the launch that writes out overwrites an operand that nothing else in the bands
// touches.
func (s *Bands) overwrites(u *memoryUse, out int, candidate func(root int) bool) int {
	for _, l := range s.launches() {
		if slices.Contains(l.Buffers, out) {
			return l.overwrites(u, out, func(x int) bool {
				return u.once(slices.Concat(s.Reads(), s.Writes()), x) && candidate(x)
			})
		}
	}
	return -1
}

func (s *Bands) write(w *planWriter) {
	w.line("bands %v", s)
	w.within().steps(s.Steps)
}

func (s *Bands) String() string {
	t := fmt.Sprintf("of %s", core.Count(s.Rows, "row"))
	if s.Unit > 1 {
		t = fmt.Sprintf("of %d rows by %ds", s.Rows, s.Unit)
	}
	if s.Items > 1 {
		t += fmt.Sprintf(" ×%d", s.Items)
	}
	if s.Sums {
		t += " in order"
	}
	return t
}

// LeastBanded is the number of bytes that steps pass to each other from which they run on bands: less
// stays in a cache as it is.
const LeastBanded = 1 << 20

// leastBandWork is the number of multiplications for an item from which steps run on bands.
const leastBandWork = 1 << 17

// bandWindow is the number of steps among which those of a Bands are.
const bandWindow = 24

// bands replaces steps by Bands.
func (p *planner) bands() {
	if p.target.Bands == 0 {
		return
	}
	steps, found := p.plan.Steps, false
	shared := bandUses{memoryUse: p.usesOfMemory(), kernels: map[*ir.Kernel]*bandedKernel{}, touches: map[int]int{}, writers: map[int]int{}}
	for _, s := range steps {
		_, writes := shared.roots(s)
		for _, v := range writes {
			shared.writers[v]++
		}
		touches(s, func(id int) { shared.touches[shared.root(id)]++ })
	}
	var out []Step
	for len(steps) > 0 {
		b := p.bandsFrom(steps, &shared)
		if b == nil {
			out = append(out, steps[0])
			steps = steps[1:]
			continue
		}
		found = true
		out = append(append(out, b.early...), b.step)
		steps = append(b.late, steps[b.end:]...)
	}
	if found {
		p.plan.Steps = out
	}
}

// bandUses is what all Bands of a plan are made from.
type bandUses struct {
	*memoryUse
	kernels map[*ir.Kernel]*bandedKernel
	touches map[int]int // by root value: how often steps name it
	writers map[int]int // … the steps that write it
}

// A bander puts one Bands together.
type bander struct {
	*bandUses
	step   *Bands
	member []bool       // by step of the window
	first  []bool       // by step of the window: it runs before the bands
	banded map[int]int  // values that a member makes row by row: elements of a row
	whole  map[int]bool // values that members make, but not row by row
	behind map[int]bool // values that steps behind the members make
	free   map[int]int  // values that steps make which depend on none of these: the steps
	early  []Step       // run before the bands
	late   []Step       // run after them
	end    int          // steps of the window
	work   int          // multiplications for an item
}

// bandsFrom returns a Bands that begins with the first step, nil if that does not pay.
func (p *planner) bandsFrom(steps []Step, u *bandUses) *bander {
	b := &bander{bandUses: u, step: &Bands{Unit: 1}, banded: map[int]int{}, whole: map[int]bool{}, behind: map[int]bool{}, free: map[int]int{}}
	window := steps[:min(len(steps), bandWindow)]
	if !b.begin(window) {
		return nil
	}
	b.member, b.first = make([]bool, len(window)), make([]bool, len(window))
	if !b.join(window, 0) {
		return nil
	}
	for i := 1; i < len(window); i++ {
		b.take(window, i)
	}
	for i, s := range window {
		if b.member[i] {
			b.end = i + 1
		}
		if b.first[i] {
			b.early = append(b.early, s)
		}
	}
	for i, s := range window[:b.end] {
		if !b.member[i] && !b.first[i] {
			b.late = append(b.late, s)
		}
	}
	if !b.pays() {
		return nil
	}
	b.settle()
	return b
}

// begin chooses items and rows: those of the first product that reads or is the first step.
func (b *bander) begin(window []Step) bool {
	s := b.step
	switch first := window[0].(type) {
	case *Product:
		s.Items, s.Rows = first.batches(), first.M
	case *Launch:
		for _, next := range window[1:] {
			q, ok := next.(*Product)
			if !ok {
				continue
			}
			for i, id := range first.Buffers {
				if id >= 0 && first.Kernel.Buffers[i].Role != ir.In && id == q.In[0] {
					s.Items, s.Rows = q.batches(), q.M
				}
			}
			break
		}
	}
	return s.Rows > 1
}

// batches returns the number of products.
func (s *Product) batches() int {
	n := 1
	for _, x := range s.Batch {
		n *= x.N
	}
	return n
}

// roots returns the root values that a step reads and those that it writes.
func (u *bandUses) roots(s Step) (reads, writes []int) {
	roots := func(ids []int) []int {
		var to []int
		for _, id := range ids {
			if id >= 0 {
				to = append(to, u.root(id))
			}
		}
		return to
	}
	return roots(s.Reads()), roots(s.Writes())
}

// take makes step i a member if it reads what members make and fits, or notes what it
// makes. Steps that it needs become members, too, or run before.
func (b *bander) take(window []Step, i int) {
	reads, writes := b.roots(window[i])
	if !b.dependent(reads) {
		for _, v := range writes {
			if b.writers[v] > 1 { // pieces of a concatenation
				b.behind[v] = true
			} else {
				b.free[v] = i
			}
		}
		return
	}
	if b.ready(reads) && b.bringAll(window, i, reads) && b.join(window, i) {
		b.readersFirst(window, i)
		return
	}
	for _, v := range writes {
		b.behind[v] = true
	}
}

// ready reports whether a band may read the values: none is made behind the members, or by them
// but not row by row.
func (b *bander) ready(values []int) bool {
	return !slices.ContainsFunc(values, func(v int) bool { return b.whole[v] || b.behind[v] })
}

// dependent reports whether one of the values is made by members or behind them.
func (b *bander) dependent(values []int) bool {
	for _, v := range values {
		if _, ok := b.banded[v]; ok || b.whole[v] || b.behind[v] {
			return true
		}
	}
	return false
}

// bringAll brings the steps that make the values which step i reads.
func (b *bander) bringAll(window []Step, i int, values []int) bool {
	for _, v := range values {
		if k, ok := b.free[v]; ok && k != i && !b.bring(window, k) {
			return false
		}
	}
	return true
}

// bring makes a step that depends on no member one, or one that runs before. It reports whether
// it did.
func (b *bander) bring(window []Step, at int) bool {
	if b.member[at] || b.first[at] {
		return true
	}
	reads, writes := b.roots(window[at])
	ok := b.bringAll(window, at, reads)
	if ok && b.join(window, at) {
		return true
	}
	if ok && !b.dependent(reads) && window[at].mayRunBefore() {
		b.first[at] = true
		return true
	}
	for _, v := range writes {
		b.behind[v] = true
	}
	return false
}

// readersFirst makes other steps that read an input run before the bands, if a result that step i
// makes may lie in the input's memory then.
func (b *bander) readersFirst(window []Step, i int) {
	values := b.p.plan.Values
	reads, writes := b.roots(window[i])
	for _, x := range reads {
		if values[x].Place != Input || values[x].Bytes() < minReuse {
			continue
		}
		if !slices.ContainsFunc(writes, func(v int) bool { return b.returned[v] && values[v].Type == values[x].Type }) {
			continue
		}
		for k := range i {
			if others, _ := b.roots(window[k]); slices.Contains(others, x) {
				b.before(window, k)
			}
		}
	}
}

// before makes a step run before the bands, with those that it needs. It reports whether it does.
func (b *bander) before(window []Step, at int) bool {
	if b.first[at] {
		return true
	}
	reads, _ := b.roots(window[at])
	if b.member[at] || b.dependent(reads) || !window[at].mayRunBefore() {
		return false
	}
	for _, v := range reads {
		if k, ok := b.free[v]; ok && k != at && !b.before(window, k) {
			return false
		}
	}
	b.first[at] = true
	return true
}

// join makes a step a member if it fits.
func (b *bander) join(window []Step, i int) bool {
	if reads, _ := b.roots(window[i]); !b.ready(reads) {
		return false
	}
	part, ok := window[i].joins(b)
	if !ok {
		return false
	}
	b.member[i] = true
	b.step.Steps = append(b.step.Steps, window[i])
	b.step.Parts = append(b.step.Parts, part)
	return true
}

// pays reports whether the members pass each other enough.
func (b *bander) pays() bool {
	products := 0
	for _, s := range b.step.Steps {
		if _, ok := s.(*Product); ok {
			products++
		}
	}
	if products == 0 || len(b.step.Steps) < 2 || b.step.Rows <= b.step.Unit && b.step.Items == 1 {
		return false
	}
	passed := 0
	made := map[int]bool{}
	for _, s := range b.step.Steps {
		reads, writes := b.roots(s)
		for _, v := range reads {
			if made[v] {
				passed += b.p.plan.Values[v].Bytes()
				made[v] = false
			}
		}
		for _, v := range writes {
			made[v] = true
		}
	}
	return passed >= b.p.target.Bands && (b.p.target.Bands < LeastBanded || b.work >= leastBandWork)
}

// settle chooses the values that lie in memory for one band: those that no other step
// touches. Outputs lie where operands do that no member reads afterwards.
func (b *bander) settle() {
	values := b.p.plan.Values
	last, named := map[int]int{}, map[int]int{}
	for i, s := range b.step.Steps {
		touches(s, func(id int) {
			last[b.root(id)] = i
			named[b.root(id)]++
		})
	}
	local := map[int]bool{}
	for v := range b.banded {
		local[v] = values[v].Place == Unused && !b.returned[v] && named[v] == b.touches[v]
	}
	for i, s := range b.step.Steps {
		for _, out := range s.reusing() {
			if b.root(out) != out || !local[out] {
				continue
			}
			x := s.overwrites(b.memoryUse, out, func(x int) bool { return local[x] && last[x] == i && b.banded[x] == b.banded[out] })
			if x >= 0 {
				b.p.aliasOf[out], b.alias[out] = x, x
				last[x] = last[out]
			}
		}
	}
	for _, s := range b.step.Steps {
		for _, l := range s.launches() {
			l.Kernel = b.kernels[l.Kernel].kernel
		}
		_, writes := b.roots(s)
		for _, v := range writes {
			if values[v].Place == Unused && local[v] {
				values[v].Place, values[v].Index = Band, len(b.step.Local)
				b.step.Local = append(b.step.Local, v)
			}
		}
	}
}
