package transforms

import (
	"slices"
	"sync/atomic"

	"github.com/weft-go/weft/jaxpr"
)

// What is compiled for a part of a mesh is compiled once in each job: programs over meshes are lowered
// for the devices that the process runs.

// run is the number of the job that the process is in, 0 for none; runs is the number of the latest job.
var run, runs atomic.Int64

type anewKey struct{ run int64 }

// anew returns the program that is compiled in this job in place of j. It is j itself if j runs over no
// mesh, or if the process is in no job.
func anew(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	n := run.Load()
	if n == 0 {
		return j
	}
	return j.Memo(anewKey{n}, func() any {
		meshes := false
		eqns := slices.Clone(j.Eqns)
		for i, e := range eqns {
			if _, ok := e.Prim.(*jaxpr.ShardMap); ok {
				meshes = true
				continue
			}
			js := slices.Clone(jaxpr.Programs(e.Prim))
			differs := false
			for k, q := range js {
				js[k] = anew(q)
				differs = differs || js[k] != q
			}
			if !differs {
				continue
			}
			if p, ok := jaxpr.WithPrograms(e.Prim, js); ok {
				meshes = true
				eqns[i] = &jaxpr.Eqn{Prim: p, Ins: e.Ins, Outs: e.Outs, Site: e.Site}
			}
		}
		if !meshes {
			return j
		}
		q := rearranged(j, j.Ins, j.Outs)
		q.Eqns = eqns
		return q.Memo(anewKey{n}, func() any { return q })
	}).(*jaxpr.Jaxpr)
}
