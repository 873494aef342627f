package cpu

import (
	"unsafe"

	"github.com/weft-go/weft/lower/fuse"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

type transposeStep struct {
	step *fuse.Transpose
	plan schedule.Transpose
	code *native.Code
}

func (s *transposeStep) run(x *execution, f *frame) error {
	j := &x.space.transpose
	*j = transposeJob{transposeStep: s, space: x.space, stop: x.stop, from: f.addr[s.step.In] + uint64(s.step.Offset*s.step.Size), to: f.addr[s.step.Out]}
	if s.plan.Threads > 1 && s.plan.Items > 1 {
		workers().Run(j, s.plan.Items)
		return x.ended()
	}
	for i := range s.plan.Items {
		j.Chunk(i, 0)
	}
	return x.ended()
}

type transposeJob struct {
	*transposeStep
	space    *space
	stop     func() bool // reports whether the context has ended
	from, to uint64
}

// Chunk transposes one part of a strip, unless the context has ended.
func (j *transposeJob) Chunk(i, worker int) {
	if j.stop() {
		return
	}
	w := j.space.worker(worker, 0)
	s := j.step
	p := &j.plan
	row, col := i%p.Parts*p.Rows, i/p.Parts%p.Strips*schedule.StripColumns
	i /= p.Parts * p.Strips
	from, to := row*s.Rows.In+col, row+col*s.Cols.Out
	for d := len(s.Batch) - 1; d >= 0; d-- {
		b := s.Batch[d]
		from += i % b.N * b.In
		to += i % b.N * b.Out
		i /= b.N
	}
	w.transpose(j.code, codegen.TransposeArgs{Src: j.from + uint64(from*s.Size), Dst: j.to + uint64(to*s.Size),
		LdS: uint64(s.Rows.In * s.Size), LdD: uint64(s.Cols.Out * s.Size),
		Rows: uint64(min(p.Rows, s.Rows.N-row)), Cols: uint64(min(schedule.StripColumns, s.Cols.N-col))})
}

func (w *worker) transpose(c *native.Code, args codegen.TransposeArgs) {
	w.micro.transpose = args
	w.callMicro(c, unsafe.Pointer(&w.micro.transpose))
}

func (w *worker) copyRows(c *native.Code, args codegen.RowCopyArgs) {
	w.micro.copy = args
	w.callMicro(c, unsafe.Pointer(&w.micro.copy))
}
