package ptxeval

import (
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// A cluster is groups that run at the same time, meet at barriers and read each other's shared memory.
type cluster struct {
	machines []*machine // by rank
	epoch    uint32     // the stretch between barriers of the cluster
}

// clusterSpace is the state space of the shared memory of all groups of a cluster.
const clusterSpace = "shared::cluster"

// rankShift is where the number of the group lies in an address in clusterSpace, one more than its rank.
const rankShift = 32

// farAddress computes mapa: the address in the group of rank y that x is in one's own.
func farAddress(x, y, _ uint64) uint64 {
	return x&(1<<rankShift-1|^uint64(offsetMask)) | (y+1)<<rankShift
}

// decodeClusterBarrier decodes the instructions of barriers of a cluster.
func (e *entry) decodeClusterBarrier(in *inst, want func(kinds ...string) error) error {
	if e.cluster == 0 {
		return bugf("a barrier of a cluster in an entry without one")
	}
	switch name := strings.Join(in.op, "."); name {
	case "barrier.cluster.arrive.aligned":
		in.kind = single
		in.perform = func(_ *machine, t *thread, _ *inst) error {
			if t.arrived {
				return bugf("a thread arrives twice at a barrier of its cluster")
			}
			t.arrived = true
			return nil
		}
	case "barrier.cluster.wait.aligned":
		in.kind, in.space = barrier, clusterSpace
	default:
		return bugf("%s is not known", name)
	}
	return want()
}

// run runs the groups of the cluster, one after the other from barrier to barrier.
func (c *cluster) run() error {
	for _, v := range c.machines {
		v.start()
	}
	for {
		c.epoch = epochs.Add(1)
		var at *inst
		for rank, v := range c.machines {
			in, err := v.run()
			switch {
			case err != nil:
				return err
			case rank > 0 && in != at:
				return bugf("groups of a cluster end, or wait at different barriers")
			case in == nil && v.far:
				return bugf("memory of another group is read, which may have ended: no barrier of the cluster follows")
			}
			at, v.far = in, false
		}
		if at == nil {
			return nil
		}
		for _, v := range c.machines {
			for i := range v.threads {
				if !v.threads[i].arrived {
					return bugf("line %d: thread %d waits at a barrier at which it has not arrived", at.line, i)
				}
				v.threads[i].arrived = false
			}
			v.nextEpoch()
		}
	}
}

// touch records a use of a memory of some bytes, whose uses by groups of the cluster crowd has, and reports whether no other group conflicts with it.
func (c *cluster) touch(crowd *shadow, bytes, rank int, in *inst, at uint64, n int, how simt.Usage) bool {
	v := c.machines[rank]
	crowd.resize(bytes, in.bytes, v.when.launch)
	for i := 0; i < n; i += crowd.size {
		if !crowd.touchGroup(&moment{launch: c.epoch, group: c.epoch + uint32(rank)}, at+uint64(i), how) {
			v.fault = bugf("groups of a cluster use byte %d of %s memory at once, and one writes it", at+uint64(i), in.space)
			return false
		}
	}
	return true
}

// farPlace returns n bytes of shared memory of a group of the cluster, to be read.
func (v *machine) farPlace(in *inst, address uint64, n int) []byte {
	rank, at := int(address&offsetMask>>rankShift)-1, address&(1<<rankShift-1)
	switch {
	case v.cluster == nil || in.kind != load:
		v.fault = bugf("shared memory of a cluster is read, in a cluster")
	case address&^uint64(offsetMask) != sharedBase || rank < 0 || rank >= len(v.cluster.machines):
		v.fault = bugf("address %#x is not in shared memory of the cluster", address)
	case at+uint64(n) > uint64(len(v.shared)):
		v.fault = bugf("byte %d of shared memory of %d", at, len(v.shared))
	case at%uint64(n) != 0:
		v.fault = bugf("%d bytes at byte %d, which is not aligned", n, at)
	default:
		of := v.cluster.machines[rank]
		if v.far = true; v.cluster.touch(&of.crowd, len(of.shared), v.rank, in, at, n, simt.Reads) {
			return of.shared[at : at+uint64(n)]
		}
	}
	return nil
}
