package simt

// ClusterBarrier waits for all threads of the groups of a cluster, and makes what they wrote visible to each other. It is also a
// [Barrier].
type ClusterBarrier struct{}

// GetFrom reads an element of a shared array of any group of the cluster. That group must not have ended.
type GetFrom struct {
	Dst   Reg
	Array int
	At    Reg
	Rank  Reg // the group's number in its cluster
}

func (*ClusterBarrier) isStmt() {}
func (*GetFrom) isStmt()        {}

func (e *emitter) clusterBarrier() {
	e.add(&ClusterBarrier{})
	e.access.loads, e.access.stores = false, false
}

// getFrom reads the element at position `at` in the shared memory of group `rank` of the cluster.
func (s store) getFrom(at, rank Reg) []element {
	xs := make([]element, len(s.arrays))
	for i, as := range s.arrays {
		r := s.fs.e.reg(s.fs.e.f.Arrays[as[0]].Type)
		s.fs.e.add(&GetFrom{r, as[0], at, rank})
		xs[i] = element{r, NoReg}
	}
	return xs
}
