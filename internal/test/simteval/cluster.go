package simteval

import "github.com/weft-go/weft/lower/simt"

// rank returns the number of a thread's group in its cluster.
func (v *evaluator) rank(t int) int { return t / v.f.Threads }

// clusterBarrier evaluates a barrier of a cluster.
func (v *evaluator) clusterBarrier(mask []bool) {
	v.barrier(mask)
	if v.usedByGroups != nil {
		v.usedByGroups.round++
	}
}

// getFrom evaluates a read of another group's array.
func (v *evaluator) getFrom(s *simt.GetFrom, t int) {
	a, at, rank := v.f.Arrays[s.Array], v.position(s.At, t), v.position(s.Rank, t)
	switch {
	case !a.Shared:
		v.fail("array %d is not shared", s.Array)
	case rank < 0 || rank >= int64(v.clustered()):
		v.fail("thread %d reads memory of group %d of a cluster of %d", t, rank, v.clustered())
	case at < 0 || at >= int64(a.Len):
		v.fail("thread %d uses element %d of array %d, which has %d", t, at, s.Array, a.Len)
	default:
		place := at + rank*int64(a.Len)
		v.touchGroup(spot{true, s.Array, place}, v.rank(t), simt.Reads)
		v.regs[s.Dst][t] = v.arrays[s.Array][place] & (^uint64(0) >> (64 - v.f.Types[s.Dst].Bits()))
	}
}

// touchGroup records a use by a group and reports two groups of a cluster that use a spot where one writes, with no
// barrier of the cluster between.
func (v *evaluator) touchGroup(s spot, rank int, how simt.Usage) {
	if v.clustered() == 1 {
		return
	}
	if !v.usedByGroups.of(s).Use(int32(rank+1), how) {
		v.fail("groups of a cluster use element %d of memory %d (shared: %t) at once, and one writes it", s.at, s.memory, s.shared)
	}
}

// clustered returns the number of groups of a cluster.
func (v *evaluator) clustered() int { return max(v.f.Cluster, 1) }
