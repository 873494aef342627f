package cpu

import (
	"unsafe"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

type rowTileStep struct {
	step    *fuse.RowTiles
	plan    *schedule.RowTiles
	parts   []rowPart
	threads int
	panels  int // offset of the shared panels in a frame's memory
}

func (s *rowTileStep) temporary() int { return s.plan.Shared }

type rowPart struct {
	fuse.RowTilePart
	*schedule.RowPart
	launch     *launchStep // nil: a product
	product    *fuse.Product
	tile, rest *compiledProduct // rest: of the last tile of an item if that has fewer rows
	once       *packedOnce      // constant panels
}

func (b *programBuilder) rowTiles(p *program, s *fuse.RowTiles) (step, error) {
	e := b.executor
	planner := schedule.RowPlanner{Rows: e.tileRows, Product: e.product}
	plan := planner.RowTilesOf(p.plan, s, e.processor.On(p.threads))
	st := &rowTileStep{step: s, plan: plan, threads: p.threads, panels: aligned(p.plan.Arena)}
	complete := true
	for i, q := range s.Steps {
		part := rowPart{RowTilePart: s.Parts[i], RowPart: &plan.Parts[i]}
		switch q := q.(type) {
		case *fuse.Launch:
			k, err := b.kernelOf(p, q.Kernel, q.Eqns...)
			if err != nil {
				return nil, err
			}
			if k == nil {
				complete = false
				continue
			}
			part.launch = &launchStep{launch: newLaunch(k, nil, 1), buffers: q.Buffers}
		case *fuse.Product:
			part.product = q
			_, err := coded(func() (_ int, err error) {
				if part.tile, err = e.compileProduct(part.Tile.Plan); err == nil && part.Rest != nil {
					part.rest, err = e.compileProduct(part.Rest.Plan)
				}
				return 0, err
			})
			if err != nil {
				if err = b.refuse(p, err, q.Eqn); err != nil {
					return nil, err
				}
				complete = false
				continue
			}
			if part.Panels == schedule.Constant {
				part.once = &packedOnce{plan: part.tile, slot: -1, groups: 1}
			}
		}
		st.parts = append(st.parts, part)
	}
	if !complete {
		return nil, nil
	}
	return st, nil
}

// scratch returns the bytes of scratch memory that each thread needs for the steps of a tile, besides the tile itself.
func (s *rowTileStep) scratch() (n int) {
	for i := range s.parts {
		if part := &s.parts[i]; part.launch != nil {
			n = max(n, part.launch.launch.scratch)
		} else {
			n = max(n, part.Scratch())
		}
	}
	return n
}

type rowTileJob struct {
	*rowTileStep
	*execution
	frame  *frame
	shared uint64
}

func (s *rowTileStep) run(x *execution, f *frame) error {
	j := &x.space.rowTile
	*j = rowTileJob{rowTileStep: s, execution: x, frame: f}
	if s.plan.Shared > 0 {
		j.shared = address(f.memory[s.panels:])
		j.packShared()
	}
	j.packConstants()
	n := s.step.Items
	if s.plan.Split {
		n *= s.plan.Tiles
	}
	if s.threads > 1 && n > 1 {
		workers().Run(j, n)
	} else {
		for i := range n {
			j.Chunk(i, 0)
		}
	}
	return x.ended()
}

// Chunk runs the tiles of an item, or one of its tiles.
func (j *rowTileJob) Chunk(i, worker int) {
	w := j.space.worker(worker, 0)
	mem := w.tileAddress(j.plan.Bytes)
	item, row, end := i, 0, j.step.Rows
	if j.plan.Split {
		item, row = i/j.plan.Tiles, i%j.plan.Tiles*j.plan.Rows
		end = min(end, row+j.plan.Rows)
	}
	for first := row; row < end && !j.stop(); row += j.plan.Rows {
		n := min(j.plan.Rows, j.step.Rows-row)
		at := item*j.step.Rows + row
		for k := range j.parts {
			part := &j.parts[k]
			if part.launch != nil {
				j.launch(w, worker, mem, part, at, n)
				continue
			}
			j.product(w, worker, mem, part, at, n, row == first)
		}
	}
}

// address returns the address of a value as if all of its rows were in memory. `at` is the
// first row of the tile.
func (j *rowTileJob) address(id int, mem uint64, at int) uint64 {
	if v, ok := j.plan.Local[id]; ok {
		return mem + uint64(v.At-at*v.Row)
	}
	return j.frame.addr[id]
}

// launch runs the points of a kernel that compute a tile.
func (j *rowTileJob) launch(w *worker, worker int, mem uint64, part *rowPart, at, n int) {
	w.buffers = w.buffers[:0]
	for _, id := range part.launch.buffers {
		w.buffers = append(w.buffers, j.address(id, mem, at))
	}
	first, count := int64(at*part.Points), int64(n*part.Points)
	if part.Share > 0 {
		first, count = int64(at/part.Share), int64((n+part.Share-1)/part.Share)
	}
	l := &part.launch.launch
	each := max(1, int64(schedule.CallTime/l.each))
	for done := int64(0); done < count && !j.stop(); done += each {
		w = j.space.worker(worker, l.scratch)
		w.args = l.arguments(w, w.buffers, nil, first+done, min(each, count-done))
		w.call(l.code, w.args)
	}
}

// product computes the product of a tile. fresh reports whether the panels of an item have to be
// packed.
func (j *rowTileJob) product(w *worker, worker int, mem uint64, part *rowPart, at, n int, fresh bool) {
	b := part.tile
	if n != j.plan.Rows {
		b = part.rest
	}
	q, size := part.product, b.Size
	batch, row, rows := at/q.M, at%q.M, q.M
	if part.Sum {
		batch, row, rows = at/q.K, at%q.K, q.K
	}
	p := &w.product
	*p = productJob{compiledProduct: b, space: j.space, stop: j.stop}
	for i, id := range []int{q.In[0], q.In[1], q.Out} {
		p.at[i] = j.address(id, mem, at)
	}
	rest := batch
	for i := len(q.Batch) - 1; i >= 0; i-- {
		x := q.Batch[i]
		p.at[0] += uint64(rest % x.N * x.A * size)
		p.at[1] += uint64(rest % x.N * x.B * size)
		rest /= x.N
	}
	if part.Sum {
		p.at[0] += uint64(row * q.A.K * size)
		p.at[1] += uint64(row * q.B.K * size)
		p.at[2] += uint64(batch * q.M * q.N * size)
		p.begun, p.open = row > 0, row+n < rows
	} else {
		p.at[0] += uint64(row * q.A.Outer * size)
		p.at[2] += uint64(at * q.N * size)
	}
	if b.Swapped {
		p.at[0], p.at[1] = p.at[1], p.at[0]
	}
	if b.SamePanels(&part.tile.Product) {
		p.ready = j.panels(w, mem, part, p, at/j.step.Rows, fresh)
	}
	if b.Left.Bytes > 0 {
		t := &w.left
		*t = leftCopyJob{productJob: p, to: mem + uint64(part.LeftAt)}
		for i := range t.items() {
			t.Chunk(i, worker)
		}
		p.at[0] = t.to
	}
	for i := range b.Items[0] * b.Items[1] * b.Items[2] {
		p.Chunk(i, worker)
	}
}

// panels returns the address of the panels of a product's right operand, 0 if there are none.
func (j *rowTileJob) panels(w *worker, mem uint64, part *rowPart, p *productJob, item int, fresh bool) uint64 {
	switch part.Panels {
	case schedule.ItemPanels:
		to := mem + uint64(part.PanelsAt)
		if fresh {
			p.allPanels(w, to, 0, p.K)
		}
		return to
	case schedule.SharedItems:
		return j.shared + uint64(part.PanelsAt+item*aligned(part.tile.PackedBytes()))
	case schedule.SharedAll:
		return j.shared + uint64(part.PanelsAt)
	case schedule.Constant:
		return part.once.packed()
	}
	return 0
}

// rowTilePacker packs the right operand of a part, some contracted elements in each chunk.
type rowTilePacker struct {
	*rowTileJob
	part   *rowPart
	chunks int // of the contracted elements
}

func (j *rowTilePacker) Chunk(i, worker int) {
	w := j.space.worker(worker, 0)
	item, k := i/j.chunks, i%j.chunks*j.part.tile.Deep
	p := &w.product
	*p = productJob{compiledProduct: j.part.tile, space: j.space, stop: j.stop}
	p.at[1] = j.rightOf(j.part, item)
	to := j.shared + uint64(j.part.PanelsAt+item*aligned(p.PackedBytes()))
	p.allPanels(w, to, k, min(k+p.Deep, p.K))
}

func (j *rowTileJob) rightOf(part *rowPart, item int) uint64 {
	q := part.product
	at, rest := j.frame.addr[q.In[1]], item*j.step.Rows/q.M
	for i := len(q.Batch) - 1; i >= 0; i-- {
		at += uint64(rest % q.Batch[i].N * q.Batch[i].B * part.tile.Size)
		rest /= q.Batch[i].N
	}
	return at
}

func (j *rowTileJob) packShared() {
	for i := range j.parts {
		part := &j.parts[i]
		n := 1
		switch part.Panels {
		case schedule.SharedItems:
			n = j.step.Items
		case schedule.SharedAll:
		default:
			continue
		}
		q := part.tile
		p := &rowTilePacker{j, part, (q.K + q.Deep - 1) / q.Deep}
		if n *= p.chunks; j.threads > 1 && n > 1 {
			workers().Run(p, n)
			continue
		}
		for c := range n {
			p.Chunk(c, 0)
		}
	}
}

// packConstants packs the operands that are constants of the program, unless an earlier run did or
// the context ends.
func (j *rowTileJob) packConstants() {
	for i := range j.parts {
		part := &j.parts[i]
		if part.Panels != schedule.Constant || part.once.packed() != 0 {
			continue
		}
		p := &productJob{compiledProduct: part.tile, space: j.space, stop: j.stop}
		p.at[1] = j.rightOf(part, 0)
		part.once.address(j.frame, p)
	}
}

// tileAddress makes room for n bytes of a tile and returns their address.
func (w *worker) tileAddress(n int) uint64 {
	if len(w.tile) < n+scratchAlign {
		w.tile = make([]byte, n+scratchAlign)
	}
	a := uintptr(unsafe.Pointer(unsafe.SliceData(w.tile)))
	return uint64((a + scratchAlign - 1) &^ (scratchAlign - 1))
}

var _, _ native.Job = (*rowTileJob)(nil), (*rowTilePacker)(nil)
