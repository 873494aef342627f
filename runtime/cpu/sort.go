package cpu

import (
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/pages"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/rowsort"
)

// sortStep sorts rows, some of them in each item of work.
type sortStep struct {
	step    *fuse.Sort
	types   []core.DType // of the operands
	keys    int
	most    int // elements of a row of the results
	threads int
	rows    int // of an item
	items   int
	scratch int // bytes that each thread needs for long rows, 0 for short ones
}

// sorters have the memory that sorting short rows takes.
var sorters = sync.Pool{New: func() any { return &rowsort.Sorter{} }}

func newSortStep(s *fuse.Sort, plan *fuse.Plan, threads int) *sortStep {
	t := &sortStep{step: s, most: s.N, threads: threads, rows: schedule.SortItem(s.Rows, s.N)}
	switch q := s.Eqn.Prim.(type) {
	case indexed.SortP:
		t.keys = q.NumKeys
	case indexed.TopKP:
		t.most = q.K
	}
	for _, id := range s.In {
		t.types = append(t.types, plan.Values[id].Type.DType)
	}
	t.items = (s.Rows + t.rows - 1) / t.rows
	if n := rowsort.Scratch(s.N); n >= pages.Least {
		t.scratch = (n + scratchAlign - 1) / scratchAlign * scratchAlign
	}
	return t
}

func (s *sortStep) run(x *execution, f *frame) error {
	j := &sortJob{sortStep: s, execution: x, frame: f}
	parallelRows := s.threads > 1 && s.items > 1
	if s.scratch > 0 {
		n := 1
		if parallelRows {
			n = len(x.space.workers)
		}
		j.memory = memory.alloc(n * s.scratch)
		defer memory.release(j.memory)
	}
	if parallelRows {
		workers().Run(j, s.items)
		return x.ended()
	}
	if s.threads > 1 {
		j.team = &rowsort.Team{Parts: s.threads, Run: func(parts int, do func(part int)) { workers().Run(parallel(do), parts) }}
	}
	for i := range s.items {
		if err := x.ended(); err != nil {
			return err
		}
		j.Chunk(i, 0)
	}
	return nil
}

// parallel is a job whose chunks are calls of a function.
type parallel func(chunk int)

func (p parallel) Chunk(i, _ int) { p(i) }

type sortJob struct {
	*sortStep
	*execution
	frame  *frame
	team   *rowsort.Team // threads that sort a row together; nil: one thread does
	memory []byte        // of long rows, by worker
}

// Chunk sorts the rows of item i. If several threads sort, it does nothing once the context has ended.
func (j *sortJob) Chunk(i, worker int) {
	if j.threads > 1 && j.ended() != nil {
		return
	}
	var s *rowsort.Sorter
	if j.memory != nil {
		s = rowsort.In(part(j.memory, worker, j.scratch), j.step.N)
	} else {
		s = sorters.Get().(*rowsort.Sorter)
		defer func() { s.Team = nil; sorters.Put(s) }()
	}
	s.Team = j.team
	var few [8][]byte
	dst, src := few[:0:4], few[4:4]
	for row := i * j.rows; row < min((i+1)*j.rows, j.step.Rows); row++ {
		dst, src = dst[:0], src[:0]
		for k, id := range j.step.In {
			src = append(src, part(j.frame.refs[id].data, row, j.step.N*j.types[k].Size()))
		}
		if j.keys == 0 {
			values := part(j.frame.refs[j.step.Out[0]].data, row, j.most*j.types[0].Size())
			s.TopK(values, part(j.frame.refs[j.step.Out[1]].data, row, 4*j.most), src[0], j.types[0], j.most, j.step.N)
			continue
		}
		for k, id := range j.step.Out {
			dst = append(dst, part(j.frame.refs[id].data, row, j.most*j.types[k].Size()))
		}
		s.Row(dst, src, j.types, j.keys, j.step.N)
	}
}

func part(data []byte, i, n int) []byte { return data[i*n:][:n:n] }
