package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
)

// LeastTiled is the number of bytes that steps must pass to each other to run on row tiles. Less
// stays in the cache anyway.
const LeastTiled = 1 << 20

// leastTileWork is the least number of multiplications for an item whose steps run on row tiles.
const leastTileWork = 1 << 17

// tileWindow is the number of consecutive steps among which the members of a RowTiles are sought.
const tileWindow = 24

func (p *planner) rowTiles() {
	if p.target.RowTiles == 0 {
		return
	}
	steps, found := p.plan.Steps, false
	shared := tileUses{memoryUse: p.usesOfMemory(), kernels: map[*ir.Kernel]*tiledKernel{}, touches: map[int]int{}, writers: map[int]int{}}
	for _, s := range steps {
		_, writes := shared.roots(s)
		for _, v := range writes {
			shared.writers[v]++
		}
		touches(s, func(id int) { shared.touches[shared.root(id)]++ })
	}
	var out []Step
	for len(steps) > 0 {
		b := p.tilesFrom(steps, &shared)
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

// tileUses is shared by all RowTiles of a plan.
type tileUses struct {
	*memoryUse
	kernels map[*ir.Kernel]*tiledKernel
	touches map[int]int // by root value: how often steps name it
	writers map[int]int // by root value: how many steps write it
}

type tiler struct {
	*tileUses
	step   *RowTiles
	member []bool       // by step of the window
	first  []bool       // by step of the window: it runs before the tiles
	tiled  map[int]int  // values that a member makes row by row: elements of a row
	whole  map[int]bool // values that members make, but not row by row
	behind map[int]bool // values that steps after the members make
	free   map[int]int  // by other value: the step of the window that makes it
	early  []Step       // run before the tiles
	late   []Step       // run after them
	end    int          // number of steps of the window up to the last of members and early ones
	work   int          // multiplications for an item
}

// tilesFrom returns a RowTiles that begins with the first step, nil if that does not pay.
func (p *planner) tilesFrom(steps []Step, u *tileUses) *tiler {
	b := &tiler{tileUses: u, step: &RowTiles{Unit: 1}, tiled: map[int]int{}, whole: map[int]bool{}, behind: map[int]bool{}, free: map[int]int{}}
	window := steps[:min(len(steps), tileWindow)]
	if i := slices.IndexFunc(window, hasEffects); i >= 0 {
		window = window[:i]
	}
	if len(window) == 0 || !b.begin(window) {
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
		if b.member[i] || b.first[i] {
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

// hasEffects reports whether a step is a call of an equation with effects. Row tiles do not bring later
// steps before it: it may start an exchange with other processes, which takes its time while the steps
// after it run.
func hasEffects(s Step) bool {
	c, ok := s.(*Call)
	return ok && core.EffectsOf(c.Eqn.Prim) != 0
}

// begin chooses items and rows: those of the first step if it is a product, else those of the first product after it,
// if that has a result of the first step as its left operand, or its contracted elements if as its right operand. It reports
// whether there are several rows.
func (b *tiler) begin(window []Step) bool {
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
				if id < 0 || first.Kernel.Buffers[i].Role == ir.In {
					continue
				}
				switch b.root(id) {
				case b.root(q.In[0]):
					s.Items, s.Rows = q.batches(), q.M
				case b.root(q.In[1]):
					s.Items, s.Rows = q.batches(), q.K
				}
			}
			break
		}
	}
	return s.Rows > 1
}

func (s *Product) batches() int {
	n := 1
	for _, x := range s.Batch {
		n *= x.N
	}
	return n
}

func (u *tileUses) roots(s Step) (reads, writes []int) {
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

// take makes step i a member if it reads values of members and fits; otherwise it notes the values
// that the step writes. Steps that a new member needs become members, too, or run before.
func (b *tiler) take(window []Step, i int) {
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

// ready reports whether a tile may read the values: no value is made after the members, or by the members
// but not row by row.
func (b *tiler) ready(values []int) bool {
	return !slices.ContainsFunc(values, func(v int) bool { return b.whole[v] || b.behind[v] })
}

// dependent reports whether one of the values is made by members or after them.
func (b *tiler) dependent(values []int) bool {
	for _, v := range values {
		if _, ok := b.tiled[v]; ok || b.whole[v] || b.behind[v] {
			return true
		}
	}
	return false
}

// bringAll brings the steps that make the values which step i reads. It reports whether it could bring all of them.
func (b *tiler) bringAll(window []Step, i int, values []int) bool {
	for _, v := range values {
		if k, ok := b.free[v]; ok && k != i && !b.bring(window, k) {
			return false
		}
	}
	return true
}

// bring makes a step that depends on no member a member, or moves it in front of the tiles. It
// reports whether it did.
func (b *tiler) bring(window []Step, at int) bool {
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

// readersFirst moves in front of the tiles the steps before step i that read the same input of the
// program, if a result of step i may then lie in the memory of that input.
func (b *tiler) readersFirst(window []Step, i int) {
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

// before moves a step, and the steps that it needs, in front of the tiles. It reports whether it did.
func (b *tiler) before(window []Step, at int) bool {
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

func (b *tiler) join(window []Step, i int) bool {
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

// pays reports whether the members are worth tiling: a product and another step are among them, there can be
// several tiles, they pass enough bytes to each other, and an item has enough multiplications. A target whose
// RowTiles is below LeastTiled demands no multiplications.
func (b *tiler) pays() bool {
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
	return passed >= b.p.target.RowTiles && (b.p.target.RowTiles < LeastTiled || b.work >= leastTileWork)
}

// settle chooses the values that lie in memory for one tile: values that only members
// touch. A member's output takes the memory of an operand that no member reads afterwards.
func (b *tiler) settle() {
	values := b.p.plan.Values
	last, named := map[int]int{}, map[int]int{}
	for i, s := range b.step.Steps {
		touches(s, func(id int) {
			last[b.root(id)] = i
			named[b.root(id)]++
		})
	}
	local := map[int]bool{}
	for v := range b.tiled {
		local[v] = values[v].Place == Unused && !b.returned[v] && named[v] == b.touches[v]
	}
	for i, s := range b.step.Steps {
		for _, out := range s.reusing() {
			if b.root(out) != out || !local[out] {
				continue
			}
			x := s.overwrites(b.memoryUse, out, func(x int) bool { return local[x] && last[x] == i && b.tiled[x] == b.tiled[out] })
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
				values[v].Place, values[v].Index = Tile, len(b.step.Local)
				b.step.Local = append(b.step.Local, v)
			}
		}
	}
}
