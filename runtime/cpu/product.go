package cpu

import (
	"unsafe"

	"github.com/weft-go/weft/lower/fuse"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

type productStep struct {
	step *fuse.Product
	plan *compiledProduct
	pack *packedOnce // of B; nil: each run packs it
	copy int         // offset of the copy of A in a frame's memory
}

func (s *productStep) temporary() int { return s.plan.Left.Bytes }

func (s *productStep) run(x *execution, f *frame) error {
	j := &x.space.product
	*j = productJob{compiledProduct: s.plan, space: x.space, stop: x.stop, at: [3]uint64{f.addr[s.step.In[0]], f.addr[s.step.In[1]], f.addr[s.step.Out]}}
	if s.plan.Swapped {
		j.at[0], j.at[1] = j.at[1], j.at[0]
	}
	if s.pack != nil {
		j.ready = s.pack.address(f, j)
	}
	if s.plan.Left.Bytes > 0 {
		t := &leftCopyJob{productJob: j, to: address(f.memory[s.copy:])}
		if n := t.items(); n > 1 && s.plan.Processor.Threads > 1 {
			workers().Run(t, n)
		} else {
			for i := range n {
				t.Chunk(i, 0)
			}
		}
		j.at[0] = t.to
	}
	n := s.plan.Items[0] * s.plan.Items[1] * s.plan.Items[2]
	if n > 1 && s.plan.Processor.Threads > 1 {
		workers().Run(j, n)
		return x.ended()
	}
	for i := range n {
		j.Chunk(i, 0)
	}
	return x.ended()
}

func (p *compiledProduct) right(s *fuse.Product) int {
	if p.Swapped {
		return s.In[0]
	}
	return s.In[1]
}

type productJob struct {
	*compiledProduct
	space *space
	stop  func() bool // reports whether the context has ended: the product ends early then
	at    [3]uint64   // addresses of A, B and C
	ready uint64      // address of the panels of B; 0: the product packs them
	begun bool        // C already contains the sums over earlier contracted elements
	open  bool        // more contracted elements follow in another run
}

func (j *productJob) stopped() bool { return j.stop != nil && j.stop() }

// Chunk computes item i of the plan: a rectangle of C, for a group of products of the batch.
func (j *productJob) Chunk(i, worker int) {
	w := j.space.worker(worker, j.Scratch)
	rows := i % j.Items[2]
	i /= j.Items[2]
	panel := i % j.Items[1]
	group := i / j.Items[1]
	r := rectangle{row: rows * j.Block, col: panel * j.Panel}
	r.rows, r.cols = min(j.Block, j.M-r.row), min(j.Panel, j.N-r.col)
	first, last := group*j.Each, min((group+1)*j.Each, j.Batches)
	for b := first; b < last && !j.stopped(); {
		// Neighbours along the innermost batch axis are one call.
		run := 1
		if len(j.Batch) > 0 && j.Pack == schedule.Direct && !j.Few {
			n := j.Batch[0].N
			run = min(last-b, n-b%n)
		}
		at := j.batchAt(b)
		at[0] += uint64(j.OffsetA)
		at[1] += uint64(j.OffsetB)
		switch {
		case j.Few:
			j.vectors(w, at, rows*j.Block)
		case j.Pack == schedule.Direct:
			j.product(w, at, r, run)
		default:
			j.packed(w, at, r)
		}
		b += run
	}
}

// callRows returns the number of rows of a call if left rows remain. A remainder of less than a tile belongs to
// the call before it.
func (j *productJob) callRows(left int) int {
	if left < j.Calls+j.Rows {
		return left
	}
	return j.Calls
}

// rectangle is a part of C.
type rectangle struct{ row, col, rows, cols int }

func (j *productJob) batchAt(b int) [3]uint64 {
	at := j.at
	for _, x := range j.Batch {
		i := b % x.N
		b /= x.N
		at[0] += uint64(i * x.A)
		at[1] += uint64(i * x.B)
		at[2] += uint64(i * x.C)
	}
	return at
}

// product computes a part of C for run neighbours of the batch.
func (j *productJob) product(w *worker, at [3]uint64, r rectangle, run int) {
	b := at[1] + uint64(r.col*j.ColB)
	c := at[2] + uint64((r.row*j.N+r.col)*j.Size)
	for k := 0; k < j.K && !j.stopped(); k += j.Deep {
		n := min(j.Deep, j.K-k)
		a := at[0] + uint64(r.row*j.RowA+k*j.StepA)
		if !j.Sweep {
			around := codegen.TileLoop{Count: uint64(run)}
			if run > 1 {
				x := &j.Batch[0]
				around.A, around.B, around.C = uint64(x.A), uint64(x.B), uint64(x.C)
			}
			j.tile(w, a, b+uint64(k*j.StepB), c, j.StepB, j.Width()*j.Size, r, k, n, around)
			continue
		}
		for i := range run {
			at := [3]uint64{a, b + uint64(k*j.StepB), c}
			if i > 0 {
				x := &j.Batch[0]
				at[0], at[1], at[2] = at[0]+uint64(i*x.A), at[1]+uint64(i*x.B), at[2]+uint64(i*x.C)
			}
			j.sweepRow(w, at, r.cols, k, n)
		}
	}
}

// sweepRow computes columns of a row times a matrix for contracted elements from k to k+n.
func (j *productJob) sweepRow(w *worker, at [3]uint64, cols, k, n int) {
	whole := cols / j.Lanes * j.Lanes
	if whole > 0 {
		w.micro.sweep = codegen.SweepArgs{X: at[0], B: at[1], C: at[2], Sums: w.scratchAddress(), StepX: uint64(j.StepA), LdB: uint64(j.StepB),
			Bytes: uint64(whole * j.Size), K: uint64(n), Flags: j.flags(k, n)}
		w.callMicro(j.sweep, unsafe.Pointer(&w.micro.sweep))
	}
	if rest := cols - whole; rest > 0 {
		j.tile(w, at[0], at[1]+uint64(whole*j.ColB), at[2]+uint64(whole*j.Size), j.StepB, 0, rectangle{rows: 1, cols: rest}, k, n, once)
	}
}

// flags returns the flags of a call with contracted elements from k to k+n.
func (j *productJob) flags(k, n int) (flags uint64) {
	if k > 0 || j.begun {
		flags |= codegen.Accumulate
	}
	if k+n == j.K && !j.open {
		flags |= codegen.Final
	}
	return flags
}

// packed computes a part of C from panels of B: from those at ready, or from panels that it packs in scratch memory.
func (j *productJob) packed(w *worker, at [3]uint64, r rectangle) {
	width := j.Width() * j.Size
	for k := 0; k < j.K && !j.stopped(); k += j.Deep {
		n := min(j.Deep, j.K-k)
		panels := w.scratchAddress()
		if j.ready != 0 {
			panels = j.ready + uint64(j.PanelAt(k, r.col, n))
		} else {
			j.panels(w, at[1], panels, r.col, r.cols, k, n)
		}
		for i := 0; i < r.rows && !j.stopped(); i += j.callRows(r.rows - i) {
			part := rectangle{r.row + i, r.col, j.callRows(r.rows - i), r.cols}
			a := at[0] + uint64(part.row*j.RowA+k*j.StepA)
			c := at[2] + uint64((part.row*j.N+part.col)*j.Size)
			j.tile(w, a, panels, c, width, width*n, part, k, n, once)
		}
	}
}

// allPanels packs contracted elements of B from k up to end.
func (j *productJob) allPanels(w *worker, to uint64, k, end int) {
	for ; k < end && !j.stopped(); k += j.Deep {
		n := min(j.Deep, j.K-k)
		j.panels(w, j.at[1]+uint64(j.OffsetB), to+uint64(j.PanelAt(k, 0, n)), 0, j.N, k, n)
	}
}

// panels packs n contracted elements of columns, those of one register tile after the other,
// unless the context ends.
func (j *productJob) panels(w *worker, b, to uint64, col, cols, k, n int) {
	width := j.Width()
	for i := 0; i < cols && !j.stopped(); i += width {
		from := b + uint64((col+i)*j.ColB+k*j.StepB)
		j.panelOf(w, from, to+uint64(i/width*width*n*j.Size), min(width, cols-i), n)
	}
}

// panelOf packs n contracted elements of a tile's columns into the memory at to.
func (j *productJob) panelOf(w *worker, from, to uint64, cols, n int) {
	ld := uint64(j.Width() * j.Size)
	if j.Pack == schedule.Copied {
		w.copyRows(j.move, codegen.RowCopyArgs{Src: from, Dst: to, LdS: uint64(j.StepB), LdD: ld, Rows: uint64(n), Cols: uint64(cols)})
		return
	}
	w.transpose(j.move, codegen.TransposeArgs{Src: from, Dst: to, LdS: uint64(j.ColB), LdD: ld, Rows: uint64(cols), Cols: uint64(n)})
}

var once = codegen.TileLoop{Count: 1}

// tile computes a part of C with whole register tiles and partial ones at its edges, for contracted
// elements from k to k+n. stepB is the distance in bytes between the columns of B that neighbouring
// tiles read. `around` is the loop over neighbouring products of the batch.
func (j *productJob) tile(w *worker, a, b, c uint64, ldb, stepB int, r rectangle, k, n int, around codegen.TileLoop) {
	if rest := n % schedule.MatrixSide; j.Elem == schedule.ByteMatrix && rest > 0 && rest < n { // the rest takes matrices of another shape
		n -= rest
		j.tile(w, a, b, c, ldb, stepB, r, k, n, around)
		a, b, k, n = a+uint64(n*j.StepA), b+uint64(n*ldb), k+n, rest
	}
	args := &w.micro.tile
	args.LdA, args.LdB, args.LdC = uint64(j.RowA), uint64(ldb), uint64(j.RowC)
	if j.Down {
		args.LdA = uint64(j.StepA)
	}
	args.K, args.Flags = uint64(n), j.flags(k, n)
	width := j.Width()
	overRows, overCols := 2, 1
	if j.RowsFirst {
		overRows, overCols = 1, 2
	}
	args.Loops[0] = around
	for right := range 2 {
		cols, at := r.cols/width*width, 0
		count, mask := r.cols/width, j.Lanes
		if right == 1 {
			at, cols = cols, r.cols-cols
			count, mask = 1, (cols-1)%j.Lanes+1
		}
		if cols == 0 {
			continue
		}
		args.Mask = j.model.LaneMask(j.Size, mask)
		args.Loops[overCols] = codegen.TileLoop{Count: uint64(count), B: uint64(stepB), C: uint64(width * j.Size)}
		full, rest, half := r.rows/j.Rows, r.rows%j.Rows, 0
		if rest > 0 && full > 0 && j.tiles[schedule.HalfRows][right] != nil {
			full, rest, half = full-1, 0, (j.Rows+rest)/2
		}
		args.A, args.B, args.C = a, b+uint64(at/width*stepB), c+uint64(at*j.Size)
		over, across := &args.Loops[overRows], cols/count
		j.rows(w, over, schedule.WholeRows, right, full, j.Rows, across)
		j.rows(w, over, schedule.RestRows, right, min(rest, 1), rest, across)
		j.rows(w, over, schedule.HalfRows, right, min(half, 2), half, across)
	}
}

// rows runs some register tiles of one kind, with a number of columns, below each other, and moves A and C past them.
func (j *productJob) rows(w *worker, l *codegen.TileLoop, kind, right, count, rows, cols int) {
	if count == 0 {
		return
	}
	args := &w.micro.tile
	*l = codegen.TileLoop{Count: uint64(count), A: uint64(rows * j.RowA), C: uint64(rows * j.RowC)}
	if j.Elem == schedule.ByteMatrix {
		args.SetMatrices(j.model, rows, cols, min(int(args.K), schedule.MatrixSide))
	}
	w.callMicro(j.tiles[kind][right], unsafe.Pointer(args))
	args.A += l.Count * l.A
	args.C += l.Count * l.C
}

// vectors computes the products of a block of rows with few vectors.
func (j *productJob) vectors(w *worker, at [3]uint64, row int) {
	matrix, ld, vectors, ldx, rows, ldy := at[1], j.ColB, at[0], j.RowA, j.N, j.N*j.Size
	if j.RowsA {
		matrix, ld, vectors, ldx, rows, ldy = at[0], j.RowA, at[1], 0, j.M, 0
	}
	start := 0 // contracted elements that are done
	if j.Long > 0 {
		start = j.K / j.Long * j.Long
		for r := row; r < min(row+j.Block, rows); r++ {
			j.longDot(w, matrix+uint64(r*ld), vectors, at[2]+uint64(r*j.Size), start)
		}
		if start == j.K {
			return
		}
	}
	for end := min(row+j.Block, rows); row < end && !j.stopped(); row += j.Calls {
		n := min(j.Calls, end-row)
		code := j.dots[1]
		if n <= j.Lanes {
			code = j.dots[0]
		}
		for k := start; k < j.K && !j.stopped(); k += j.Deep {
			deep := min(j.Deep, j.K-k)
			args := &w.micro.rows
			args.W, args.X, args.Y = matrix+uint64(row*ld+k*j.Size), vectors+uint64(k*j.Size), at[2]+uint64(row*j.Size)
			args.LdW, args.LdX, args.LdY = uint64(ld), uint64(ldx), uint64(ldy)
			args.Count, args.K, args.Flags = uint64(n), uint64(deep), j.flags(k, deep)
			w.callMicro(code, unsafe.Pointer(args))
		}
	}
}

// longDot computes the dot product of the first n elements of two vectors, n a multiple of Long.
func (j *productJob) longDot(w *worker, a, b, c uint64, n int) {
	deep := j.LongElements()
	for k := 0; k < n && !j.stopped(); k += deep {
		part := min(deep, n-k)
		w.micro.long = codegen.LongDotArgs{W: a + uint64(k*j.Size), X: b + uint64(k*j.Size), Y: c, Count: uint64(part / j.Long), Flags: j.flags(k, part)}
		w.callMicro(j.long, unsafe.Pointer(&w.micro.long))
	}
}

// leftCopyJob copies A so that its contracted elements lie side by side.
type leftCopyJob struct {
	*productJob
	to uint64
}

func (t *leftCopyJob) items() int {
	rows, _ := t.LeftParts()
	return t.Batches * ((t.M + rows - 1) / rows)
}

// Chunk copies some rows.
func (t *leftCopyJob) Chunk(i, worker int) {
	w := t.space.worker(worker, t.Scratch)
	l := &t.Left
	each, deep := t.LeftParts()
	parts := (t.M + each - 1) / each
	row := i % parts * each
	b := i / parts
	from, to := t.at[0]+uint64(l.Offset+row*t.Size), t.to+uint64((b*t.M+row)*l.Row)
	for d, x := range t.Batch {
		from += uint64(b % x.N * l.Step[d])
		b /= x.N
	}
	for k := 0; k < t.K && !t.stopped(); k += deep {
		w.transpose(t.copyA, codegen.TransposeArgs{Src: from + uint64(k*l.From), Dst: to + uint64(k*t.Size), LdS: uint64(l.From), LdD: uint64(l.Row),
			Rows: uint64(min(deep, t.K-k)), Cols: uint64(min(each, t.M-row))})
	}
}

var _, _ native.Job = (*productJob)(nil), (*leftCopyJob)(nil)
