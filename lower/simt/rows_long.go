package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// In a row of more than a block of [ir.Lanes] each warp of a group has one block, or two or four that are neighbours. The warps hand
// the totals of their blocks on in shared memory, and so do the groups of a cluster. The canonical tree over blocks is one over
// those of a thread, over warps and then over groups, since the number of each is a power of two.

// Registers of 32 bits that threads of long rows have.
const (
	someRegisters = 128 // in groups of up to mostTeams warps
	allRegisters  = 256
	mostTeams     = 16
	mostBlocks    = 4        // of a team
	mostLongOps   = 16 << 10 // operations that are written for the elements of a thread: an assembler takes seconds for more

	multiprocessor = 64 << 10 // registers of one
)

// long decides how many threads take a row of more than a block. It reports false if the row does not fit into their registers, or if
// the operations for it are too many to be written out.
func (r *rowKernel) long(d schedule.Device) bool {
	blocks := (r.n + ir.BlockSize - 1) / ir.BlockSize
	n, most := max(r.registers(), ir.BlockSize/warp), int64(allRegisters/2)
	if r.vec == 1 {
		most /= 2 // a condition for each element takes registers, too
	}
	fit := func(each int64) (teams int64) { // teams of a group if each takes this many blocks; 0: they do not fit
		switch {
		case each*r.ops*ir.BlockSize/warp > mostLongOps:
		case each*n <= someRegisters/4:
			r.least, teams = someRegisters, mostTeams
		case each*n <= most:
			r.least, teams = allRegisters, mostTeams/2
		}
		for teams > int64(d.GroupThreads()/warp) {
			teams /= 2
		}
		return teams
	}
	room := int64(0)
	for each := int64(1); each <= mostBlocks && room < blocks; each *= 2 {
		if teams := fit(each); teams*each > room {
			room, r.blocks, r.teams = teams*each, each, teams
		}
	}
	if room == 0 {
		return false
	}
	fit(r.blocks)
	for r.teams > 2 && r.teams/2*r.blocks >= blocks {
		r.teams /= 2
	}
	r.least = multiprocessor / (r.least * warp * r.teams)
	for r.cluster = 1; room*r.cluster < blocks && 2*r.cluster <= int64(d.Cluster); {
		r.cluster *= 2
	}
	return room*r.cluster >= blocks
}

// Rows reports whether a kernel has rows of more than a block, each of which the threads of a group or of a cluster share. Such
// a row is not divided, however long it is.
func Rows(k *ir.Kernel, d schedule.Device) bool {
	r := rowsOf(k.Inlined(), d)
	return r != nil && r.teams > 0
}

// registers returns the most registers of 32 bits in which a thread keeps elements of a block from one pass to a later one, or to the
// end.
func (r *rowKernel) registers() (most int64) {
	for p := range r.passes {
		n := int64(0)
		for _, t := range r.heldBehind(p) {
			n += ir.BlockSize / warp * int64(max(t.Size()/4, 1))
		}
		most = max(most, n)
	}
	return most
}

// heldBehind returns the elements that are held when pass number p has ended.
func (r *rowKernel) heldBehind(p int) map[string]scalar.Type {
	held := map[string]scalar.Type{}
	for _, before := range r.passes[:p+1] {
		for key, t := range before.stores {
			held[key] = t
		}
		for key, t := range before.loads {
			for _, later := range r.passes[p+1:] {
				if _, ok := later.loads[key]; ok {
					held[key] = t
				}
			}
		}
	}
	return held
}

// usedOnce reports whether an element of a long row is read in one pass alone: it is loaded there, a few at a time.
func (r *rowKernel) usedOnce(key string) bool {
	passes := 0
	for _, p := range r.passes {
		if _, ok := p.loads[key]; ok {
			passes++
		}
	}
	return r.teams > 0 && passes == 1
}

// lowerLong writes the program of a thread of a group that shares a row, alone or with the other
// groups of its cluster.
func (r *rowKernel) lowerLong(e *emitter) {
	f := e.f
	f.Threads, f.Group, f.Cluster, f.Least = int(r.teams)*warp, true, int(r.cluster), int(r.least)
	f.extents = []ir.Size{ir.Const(r.rows), ir.Const(r.cluster)}
	group, count := e.launched()
	team, inTeam := e.quotient(e.tid, warp)
	row, rank := e.quotient(group, r.cluster)
	step, _ := e.quotient(count, r.cluster)
	block := e.sum(e.times(rank, r.teams), team)
	x := &rowEmitter{emitter: e, r: r, lane0: e.sum(e.times(block, r.span()), e.times(inTeam, r.vec)), aligned: NoReg, valid: NoReg, rank: rank}
	x.layOut()
	e.loop(row, e.num(r.rows), step, func(row Reg) {
		x.enter(row)
		x.row()
		switch {
		case r.cluster > 1:
			e.clusterBarrier() // the next row uses the same arrays, and no group may end while another reads its arrays
		case x.folded == 1:
			e.barrier() // with several, the barrier of one separates uses of another's array in this row and the next
		}
	})
}

// everyone emits a barrier of all threads that share a row.
func (x *rowEmitter) everyone() {
	if x.r.cluster > 1 {
		x.clusterBarrier()
		return
	}
	x.barrier()
}

// oneOfLong returns whether the thread stores the numbers of a long row: the last one of the cluster's first group, see onOne.
func (x *rowEmitter) oneOfLong() Reg {
	one := x.same(x.tid, x.num(int64(x.f.Threads-1)))
	if x.r.cluster > 1 {
		one = x.both(one, x.same(x.rank, x.num(0)))
	}
	return one
}

// join returns the total of all blocks of a long row; `block` is the total of the blocks of the thread. A block after the end of the
// row is the identity.
func (x *rowEmitter) join(fs folds, block []element) []element {
	x.folded++
	team, lane := x.quotient(x.tid, warp)
	blocks := fs.memory(true, int(x.r.teams))
	x.when(x.same(lane, x.num(warp-1)), func() { blocks.put(team, block) })
	x.barrier()
	total := blocks.get(x.rest(x.tid, x.r.teams))
	for h := 1; h < int(x.r.teams); h *= 2 {
		total = fs.exchange(total, h)
	}
	if x.r.cluster == 1 {
		return total
	}
	groups := fs.memory(true, 1)
	x.onOne(func() { groups.put(x.num(0), total) })
	x.clusterBarrier()
	total = groups.getFrom(x.num(0), x.rest(x.tid, x.r.cluster))
	for h := 1; h < int(x.r.cluster); h *= 2 {
		total = fs.exchange(total, h)
	}
	return total
}

// exchange returns x ∘ y for each fold, where y is the x of the thread whose number differs in the bits of xor.
func (fs folds) exchange(x []element, xor int) []element {
	y := make([]element, len(x))
	for i := range x {
		r := fs.e.reg(fs.e.typeOf(x[i][0]))
		fs.e.add(&Shuffle{Dst: r, Src: x[i][0], Xor: xor})
		y[i] = element{r, NoReg}
	}
	return fs.combine(x, y)
}
