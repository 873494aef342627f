package cpu

import (
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// turnStep runs a transposition: columns of the source in strips, whose lines of the
// result stay in the cache until they are full.
type turnStep struct {
	step    *fuse.Turn
	code    *native.Code
	threads int
	strips  int // of columns
	parts   int // of rows
	rows    int // of a part
	items   int
}

// turnStrip is the number of columns of a strip.
const turnStrip = 64

func newTurnStep(s *fuse.Turn, code *native.Code, threads int) *turnStep {
	t := &turnStep{step: s, code: code, threads: threads, strips: (s.Cols.N + turnStrip - 1) / turnStrip}
	t.rows = min(s.Rows.N, turnElements/turnStrip)
	t.parts = (s.Rows.N + t.rows - 1) / t.rows
	t.items = t.strips * t.parts
	for _, b := range s.Batch {
		t.items *= b.N
	}
	if s.Rows.N*s.Cols.N < turnElements {
		t.threads = 1
	}
	return t
}

func (s *turnStep) run(x *execution, f *frame) error {
	j := &x.space.moving
	*j = moveJob{turnStep: s, space: x.space, stop: x.stop, from: f.addr[s.step.In] + uint64(s.step.Offset*s.step.Size), to: f.addr[s.step.Out]}
	if s.threads > 1 && s.items > 1 {
		workers().Run(j, s.items)
		return x.ended()
	}
	for i := range s.items {
		j.Chunk(i, 0)
	}
	return x.ended()
}

// moveJob is one run of a transposition.
type moveJob struct {
	*turnStep
	space    *space
	stop     func() bool // reports whether the context has ended
	from, to uint64
}

// Chunk turns one part of a strip, unless the context has ended.
func (j *moveJob) Chunk(i, worker int) {
	if j.stop() {
		return
	}
	w := j.space.worker(worker, 0)
	w.reserve(productArgs)
	s := j.step
	row, col := i%j.parts*j.rows, i/j.parts%j.strips*turnStrip
	i /= j.parts * j.strips
	from, to := row*s.Rows.In+col, row+col*s.Cols.Out
	for d := len(s.Batch) - 1; d >= 0; d-- {
		b := s.Batch[d]
		from += i % b.N * b.In
		to += i % b.N * b.Out
		i /= b.N
	}
	args := w.args[:amd64.TurnArgs]
	args[amd64.TurnSrc], args[amd64.TurnDst] = j.from+uint64(from*s.Size), j.to+uint64(to*s.Size)
	args[amd64.TurnLdS], args[amd64.TurnLdD] = uint64(s.Rows.In*s.Size), uint64(s.Cols.Out*s.Size)
	args[amd64.TurnRows], args[amd64.TurnCols] = uint64(min(j.rows, s.Rows.N-row)), uint64(min(turnStrip, s.Cols.N-col))
	w.call(j.code, args)
}
