package cpu

import (
	"unsafe"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// bandStep runs steps on bands of rows. A thread has memory for one band of each local value,
// for what the products of a band copy, and for the panels of an item's right operands.
type bandStep struct {
	step    *fuse.Bands
	rows    int // of a band
	parts   []bandPart
	local   map[int]bandValue // by id of a value
	memory  int               // bytes of a thread
	shared  int               // bytes of panels that all threads read
	split   bool              // the bands of an item are shared by threads
	threads int
	panels  int // offset of the shared panels in a frame's memory
}

// temporary returns the bytes of a frame's memory that the step needs while it runs.
func (s *bandStep) temporary() int { return s.shared }

// bandPart is a step of a band.
type bandPart struct {
	fuse.BandPart
	launch  *launchStep // nil: a product
	product *fuse.Product
	band    *bandProduct // of a band
	rest    *bandProduct // of the last band of an item if that has fewer rows; nil: it has as many
	panels  packedFor
	packAt  int         // of panels in memory
	once    *packedOnce // constant
	leftAt  int         // of a copy of the left operand
}

// packedFor states which products read panels that are made once.
type packedFor uint8

const (
	noPanels    packedFor = iota // each band's product packs its operand by itself, or reads it where it lies
	itemPanels                   // those of an item, by one thread
	sharedItems                  // those of an item, by any thread
	sharedAll                    // all products
	constant                     // all products of all runs: the operand is a constant of the program
)

// bandProduct is the product of a band.
type bandProduct struct {
	step fuse.Product
	plan *productPlan
}

// bandValue is where the band of a local value lies: bytes from the start of the thread's memory, and
// the bytes of a row.
type bandValue struct{ at, row int }

// bandBytes is the size of the local values of a band, so that these and what products read
// stay in the second cache.
const bandBytes = 512 << 10

// leastBandRows is the number of rows of a band from which products run at their speed.
const leastBandRows = 48

// bandRows chooses the rows of a band: of no influence on numbers.
func bandRows(s *fuse.Bands, bytes int) int {
	rows := max(leastBandRows, bandBytes/max(bytes, 1), s.Unit)
	if rows >= s.Rows {
		return s.Rows
	}
	n := (s.Rows + rows - 1) / rows
	rows = (s.Rows + n - 1) / n
	return min(s.Rows, (rows+s.Unit-1)/s.Unit*s.Unit)
}

// bands compiles steps that run on bands.
func (b *programBuilder) bands(p *program, s *fuse.Bands) (step, error) {
	st := &bandStep{step: s, threads: p.threads, panels: aligned(p.plan.Arena), local: map[int]bandValue{}}
	locals := bandLocals(p.plan, s)
	st.rows = bandRows(s, mostAtOnce(locals, len(s.Steps)))
	if b.executor.bands != nil {
		st.rows = b.executor.bands(s)
	}
	st.split = !s.Sums && s.Items < 4*p.threads && p.threads > 1
	take := func(n int) int {
		at := st.memory
		st.memory += aligned(n)
		return at
	}
	take(placeLocals(locals, st.rows))
	for _, l := range locals {
		for _, id := range l.ids {
			st.local[id] = bandValue{l.at, l.row}
		}
	}
	complete := true
	for i, q := range s.Steps {
		part := bandPart{BandPart: s.Parts[i]}
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
			if err := b.bandProducts(st, &part, q); err != nil {
				if err = b.refuse(p, err, q.Eqn); err != nil {
					return nil, err
				}
				complete = false
				continue
			}
			part.leftAt = take(part.leftBytes())
			st.pack(&part, p.plan.Values[q.In[1]].Place == fuse.Const, take)
		}
		st.parts = append(st.parts, part)
	}
	if !complete {
		return nil, nil
	}
	return st, nil
}

// bandProducts plans the products of bands.
func (b *programBuilder) bandProducts(st *bandStep, part *bandPart, q *fuse.Product) error {
	part.product = q
	plan := func(rows int) (*bandProduct, error) {
		n := &bandProduct{step: *q}
		n.step.Batch = nil
		if part.Sum {
			n.step.K = rows
		} else {
			n.step.M = rows
		}
		var err error
		n.plan, err = coded(func() (*productPlan, error) { return b.executor.product(&n.step, b.executor.isa, 1) })
		return n, err
	}
	var err error
	if part.band, err = plan(st.rows); err != nil {
		return err
	}
	if rest := st.step.Rows % st.rows; rest > 0 {
		part.rest, err = plan(rest)
	}
	return err
}

// leftBytes returns the bytes of the copy of the left operand: schedules may copy that of one of
// both products only.
func (p *bandPart) leftBytes() (n int) {
	for _, q := range []*bandProduct{p.band, p.rest} {
		if q != nil && q.plan.left != nil {
			n = max(n, q.plan.left.bytes)
		}
	}
	return n
}

// pack decides whether the right operand of a product is packed once for many bands.
func (st *bandStep) pack(part *bandPart, isConst bool, take func(int) int) {
	plan := part.band.plan
	if part.Sum || plan.pack == direct || plan.few || plan.swapped(&part.band.step) {
		return
	}
	same := true
	for _, x := range part.product.Batch {
		same = same && x.B == 0
	}
	n := aligned(plan.packedBytes())
	switch {
	case same && isConst:
		part.panels, part.once = constant, &packedOnce{plan: plan, slot: -1}
	case same && (st.step.Items > 1 || st.rows < st.step.Rows):
		part.panels, part.packAt = sharedAll, st.shared
		st.shared += n
	case st.rows == st.step.Rows:
	case st.split:
		part.panels, part.packAt = sharedItems, st.shared
		st.shared += n * st.step.Items
	default:
		part.panels, part.packAt = itemPanels, take(n)
	}
}

// scratch returns the bytes that the steps of a band need of a thread beside the band.
func (s *bandStep) scratch() (n int) {
	for i := range s.parts {
		switch part := &s.parts[i]; {
		case part.launch != nil:
			n = max(n, part.launch.launch.scratch)
		case part.rest != nil:
			n = max(n, part.rest.plan.stores)
			fallthrough
		default:
			n = max(n, part.band.plan.stores)
		}
	}
	return n
}

// bandJob is one run of a bandStep.
type bandJob struct {
	*bandStep
	*execution
	frame  *frame
	shared uint64
}

func (s *bandStep) run(x *execution, f *frame) error {
	j := &x.space.band
	*j = bandJob{bandStep: s, execution: x, frame: f}
	if s.shared > 0 {
		j.shared = address(f.memory[s.panels:])
		j.packShared()
	}
	j.packConstants()
	n := s.step.Items
	if s.split {
		n *= s.count()
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

// count returns the bands of an item.
func (s *bandStep) count() int { return (s.step.Rows + s.rows - 1) / s.rows }

// Chunk runs the bands of an item, or one of them.
func (j *bandJob) Chunk(i, worker int) {
	w := j.space.worker(worker, 0)
	mem := w.bandAddress(j.memory)
	item, row, end := i, 0, j.step.Rows
	if j.split {
		item, row = i/j.count(), i%j.count()*j.rows
		end = min(end, row+j.rows)
	}
	for first := row; row < end && !j.stop(); row += j.rows {
		n := min(j.rows, j.step.Rows-row)
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

// address returns the address of a value as if all of its rows were in memory. at is the
// first row of the band.
func (j *bandJob) address(id int, mem uint64, at int) uint64 {
	if v, ok := j.local[id]; ok {
		return mem + uint64(v.at-at*v.row)
	}
	return j.frame.addr[id]
}

// launch runs the points of a kernel that compute a band.
func (j *bandJob) launch(w *worker, worker int, mem uint64, part *bandPart, at, n int) {
	w.buffers = w.buffers[:0]
	for _, id := range part.launch.buffers {
		w.buffers = append(w.buffers, j.address(id, mem, at))
	}
	first, count := int64(at*part.Points), int64(n*part.Points)
	if part.Share > 0 {
		first, count = int64(at/part.Share), int64((n+part.Share-1)/part.Share)
	}
	l := &part.launch.launch
	each := max(1, int64(callTime/l.each))
	for done := int64(0); done < count && !j.stop(); done += each {
		w = j.space.worker(worker, l.scratch)
		w.args = l.arguments(w, w.buffers, nil, first+done, min(each, count-done))
		w.call(l.code, w.args)
	}
}

// product computes the product of a band. fresh states that the panels of an item have to be made.
func (j *bandJob) product(w *worker, worker int, mem uint64, part *bandPart, at, n int, fresh bool) {
	b := part.band
	if n != j.rows {
		b = part.rest
	}
	q, size := part.product, b.plan.size
	batch, row, rows := at/q.M, at%q.M, q.M
	if part.Sum {
		batch, row, rows = at/q.K, at%q.K, q.K
	}
	w.reserve(productArgs)
	p := &w.product
	*p = productJob{productPlan: b.plan, space: j.space, stop: j.stop}
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
	if b.plan.swapped(&b.step) {
		p.at[0], p.at[1] = p.at[1], p.at[0]
	}
	if b.plan.samePanels(part.band.plan) {
		p.ready = j.panels(w, mem, part, p, at/j.step.Rows, fresh)
	}
	if l := b.plan.left; l != nil {
		t := &w.turn
		*t = turnJob{productJob: p, to: mem + uint64(part.leftAt)}
		for i := range t.items() {
			t.Chunk(i, worker)
		}
		p.at[0] = t.to
	}
	for i := range b.plan.items[0] * b.plan.items[1] * b.plan.items[2] {
		p.Chunk(i, worker)
	}
}

// samePanels reports whether two plans read the same panels.
func (p *productPlan) samePanels(q *productPlan) bool {
	return p == q || p.pack == q.pack && p.few == q.few && p.vecs == q.vecs && p.deep == q.deep && p.n == q.n && p.k == q.k
}

// panels returns the address of the panels of a product's right operand, 0 if it has none.
func (j *bandJob) panels(w *worker, mem uint64, part *bandPart, p *productJob, item int, fresh bool) uint64 {
	switch part.panels {
	case itemPanels:
		to := mem + uint64(part.packAt)
		if fresh {
			p.allPanels(w, to, 0, p.k)
		}
		return to
	case sharedItems:
		return j.shared + uint64(part.packAt+item*aligned(part.band.plan.packedBytes()))
	case sharedAll:
		return j.shared + uint64(part.packAt)
	case constant:
		return part.once.packed()
	}
	return 0
}

// bandPacker packs the right operand of a part, each time some contracted elements.
type bandPacker struct {
	*bandJob
	part   *bandPart
	chunks int // of the contracted elements
}

// Chunk packs a chunk.
func (j *bandPacker) Chunk(i, worker int) {
	w := j.space.worker(worker, 0)
	w.reserve(productArgs)
	item, k := i/j.chunks, i%j.chunks*j.part.band.plan.deep
	p := &w.product
	*p = productJob{productPlan: j.part.band.plan, space: j.space, stop: j.stop}
	p.at[1] = j.rightOf(j.part, item)
	to := j.shared + uint64(j.part.packAt+item*aligned(p.packedBytes()))
	p.allPanels(w, to, k, min(k+p.deep, p.k))
}

// rightOf returns the address of the right operand for an item.
func (j *bandJob) rightOf(part *bandPart, item int) uint64 {
	q := part.product
	at, rest := j.frame.addr[q.In[1]], item*j.step.Rows/q.M
	for i := len(q.Batch) - 1; i >= 0; i-- {
		at += uint64(rest % q.Batch[i].N * q.Batch[i].B * part.band.plan.size)
		rest /= q.Batch[i].N
	}
	return at
}

// packShared packs the operands that all threads read.
func (j *bandJob) packShared() {
	for i := range j.parts {
		part := &j.parts[i]
		n := 1
		switch part.panels {
		case sharedItems:
			n = j.step.Items
		case sharedAll:
		default:
			continue
		}
		q := part.band.plan
		p := &bandPacker{j, part, (q.k + q.deep - 1) / q.deep}
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
func (j *bandJob) packConstants() {
	for i := range j.parts {
		part := &j.parts[i]
		if part.panels != constant || part.once.packed() != 0 {
			continue
		}
		p := &productJob{productPlan: part.band.plan, space: j.space, stop: j.stop}
		p.at[1] = j.rightOf(part, 0)
		part.once.address(j.frame, p)
	}
}

// bandAddress makes room for n bytes of a band and returns their address.
func (w *worker) bandAddress(n int) uint64 {
	if len(w.band) < n+scratchAlign {
		w.band = make([]byte, n+scratchAlign)
	}
	a := uintptr(unsafe.Pointer(unsafe.SliceData(w.band)))
	return uint64((a + scratchAlign - 1) &^ (scratchAlign - 1))
}

var _, _ native.Job = (*bandJob)(nil), (*bandPacker)(nil)
