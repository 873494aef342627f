package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/weft-go/weft/lower/fuse"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// convStep runs a convolution as products.
type convStep struct {
	step *fuse.Conv
	plan *compiledConv
	// exact runs the convolution if the kernel has elements that are not finite: taps outside of
	// the input must not be multiplied by zeros then.
	exact  step
	panels int // offset of the kernel's panels in a frame's memory

	// Of a kernel that is a constant of the program:
	constant bool
	found    atomic.Int32 // what was found about its elements; 0: nothing yet
	pack     *packedOnce  // nil: each run packs the kernel
}

// What is known of a constant kernel's elements.
const (
	foundFinite = 1 + iota
	foundOther
)

// convStep returns the step of a convolution. A kernel that is a constant of the program is examined once; the plan
// decides whether it is also packed once.
func (p *program) convStep(s *fuse.Conv, plan *compiledConv, exact step) *convStep {
	st := &convStep{step: s, plan: plan, exact: exact, panels: aligned(p.plan.Arena), constant: p.plan.Values[s.In[1]].Place == fuse.Const}
	if st.constant && !plan.InPlace && plan.PacksOnce() {
		st.pack = &packedOnce{plan: plan.product, slot: -1, groups: s.Groups}
	}
	return st
}

func (s *convStep) temporary() int {
	if !s.plan.Once || s.pack != nil {
		return 0
	}
	return s.plan.PackedBytes() * s.step.Groups
}

type compiledConv struct {
	*schedule.Conv
	product *compiledProduct
	largest *native.Code
	copy    *native.Code          // copies rows of elements
	pieces  [][]codegen.TilePiece // by layer of lines: the pieces that the tile's code reads
}

func (e *executor) compileConv(plan *schedule.Conv) (c *compiledConv, err error) {
	c = &compiledConv{Conv: plan}
	if c.product, err = e.compileProduct(&plan.Product); err != nil {
		return nil, err
	}
	if c.copy, err = e.micro(codegen.RowCopy{Size: c.Size}); err != nil {
		return nil, err
	}
	if c.Finite {
		if c.largest, err = e.micro(codegen.Largest{Size: c.Size}); err != nil {
			return nil, err
		}
	}
	if c.Lines != nil {
		for _, y := range c.Lines.Layers {
			c.pieces = append(c.pieces, pieceTable(y.Pieces))
		}
	}
	return c, nil
}

func (s *convStep) run(x *execution, f *frame) error {
	in, kernel := f.refs[s.step.In[0]].data, f.refs[s.step.In[1]].data
	if s.plan.largest != nil && !s.finite(x, kernel) {
		return s.exact.run(x, f)
	}
	j := &x.space.conv
	*j = convJob{compiledConv: s.plan, in: in, product: productJob{compiledProduct: s.plan.product, space: x.space, stop: x.stop}, kernel: address(kernel), out: f.addr[s.step.Out]}
	switch {
	case s.pack != nil:
		j.product.at[1] = j.kernel
		j.packed = s.pack.address(f, &j.product)
	case s.plan.Once:
		j.packed = address(f.memory[s.panels:])
		s.plan.product.packGroups(x.space, x.stop, j.kernel, j.packed, s.step.Groups)
	}
	n := s.plan.Parts * s.step.Groups
	if n > 1 && s.plan.Processor.Threads > 1 {
		workers().Run(j, n)
		return x.ended()
	}
	for i := range n {
		j.Chunk(i, 0)
	}
	return x.ended()
}

// finite reports whether all elements of the kernel are finite numbers. It may be wrong once the context has
// ended.
func (s *convStep) finite(x *execution, kernel []byte) bool {
	if found := s.found.Load(); found != 0 {
		return found == foundFinite
	}
	ok := s.plan.finite(x, kernel)
	if s.constant && !x.stop() {
		if ok {
			s.found.Store(foundFinite)
		} else {
			s.found.Store(foundOther)
		}
	}
	return ok
}

// finite reports whether all elements of the kernel that it examines are finite numbers. It examines all,
// unless the context ends.
func (c *compiledConv) finite(x *execution, kernel []byte) bool {
	w := x.space.worker(0, 0)
	args := &w.micro.largest
	*args = codegen.LargestArgs{}
	const most = 1 << 20
	for lo := 0; lo < len(kernel) && !x.stop(); lo += most * c.Size {
		part := kernel[lo:min(len(kernel), lo+most*c.Size)]
		args.Src, args.Count = address(part), uint64(len(part)/c.Size)
		w.callMicro(c.largest, unsafe.Pointer(args))
	}
	limit := uint32(0x7f800000)
	if c.Size == 8 {
		limit = 0x7ff00000
	}
	for _, v := range args.Out {
		if v >= limit {
			return false
		}
	}
	return true
}

type convJob struct {
	*compiledConv
	in          []byte
	product     productJob
	kernel, out uint64
	packed      uint64 // panels of the kernel, group by group; 0: each item packs them
}

// Chunk computes a block of windows of a group, unless the context has ended.
func (j *convJob) Chunk(i, worker int) {
	if j.product.stopped() {
		return
	}
	w := j.product.space.worker(worker, j.Scratch)
	if j.Lines != nil {
		j.byLines(w, i/j.Parts, i%j.Parts)
		return
	}
	group, first := i/j.Parts, i%j.Parts*j.Windows
	rows := min(j.Windows, j.M-first)
	at := w.scratchAddress() - uint64(uintptr(unsafe.Pointer(unsafe.SliceData(w.scratch))))
	laid := w.scratch[at:]
	panel := w.scratchAddress() + uint64((j.Windows*j.Row+63)&^63)
	width := j.Width()
	for k := 0; k < j.K && !j.product.stopped(); k += j.Deep {
		n := min(j.Deep, j.K-k)
		l := layer{convJob: j, worker: w, from: k, to: k + n}
		l.rows(laid, group, first, rows)
		for col := 0; col < j.N && !j.product.stopped(); col += width {
			cols := min(width, j.N-col)
			b, ldb := j.panelFor(w, group, col, cols, k, n, panel)
			for r := 0; r < rows; r += j.product.callRows(rows - r) {
				part := rectangle{rows: j.product.callRows(rows - r), cols: cols}
				c := j.out + uint64((first+r)*j.RowC+(group*j.N+col)*j.Size)
				j.product.tile(w, w.scratchAddress()+uint64(r*j.Row), b, c, ldb, 0, part, k, n, once)
			}
		}
	}
}

// layer lays out contracted elements from..to of windows.
type layer struct {
	*convJob
	worker   *worker
	from, to int
}

// rows lays out the windows from first on as rows.
func (l *layer) rows(dst []byte, group, first, rows int) {
	axes := l.Step.Axes
	var buf [4]int
	place := buf[:0]
	for range axes {
		place = append(place, 0)
	}
	image := first
	for i := len(axes) - 1; i >= 0; i-- {
		place[i] = image % axes[i].Out
		image /= axes[i].Out
	}
	base := 0
	if l.Step.BatchGroup {
		image += group * l.Step.Batch
	} else {
		base = group * l.Step.Channels
	}
	last := len(axes) - 1
	for r := 0; r < rows; {
		n := 1 // windows that differ in their position along the last axis
		if last >= 0 {
			n = min(rows-r, axes[last].Out-place[last])
		}
		l.run(dst[r*l.Row:], base+image*l.Image, place, n)
		r += n
		if last < 0 {
			image++
			continue
		}
		place[last] += n - 1
		for i := last; ; i-- {
			if i < 0 {
				image++
				break
			}
			if place[i]++; place[i] < axes[i].Out {
				break
			}
			place[i] = 0
		}
	}
}

// run lays out n windows from a position on along the last axis. If that axis has no gaps, windows that read
// elements at all of its taps are copied together, provided that there are at least four of them.
func (l *layer) run(dst []byte, base int, place []int, n int) {
	last := len(place) - 1
	lo, hi := n, n // windows that read elements at all taps
	if last >= 0 && l.Step.Axes[last].Gap == 1 {
		a := &l.Step.Axes[last]
		start := place[last]*a.Stride - a.Low
		lo = min(n, max(0, (a.Stride-1-start)/a.Stride))
		if start >= 0 {
			lo = 0
		}
		hi = lo
		if room := a.In - 1 - (a.Size-1)*a.Dilation - start; room >= 0 {
			hi = max(lo, min(n, room/a.Stride+1))
		}
		if hi-lo < 4 {
			lo, hi = n, n
		}
	}
	for i := range n {
		if i < lo || i >= hi {
			l.window(dst[i*l.Row:], base, place, 0, 0, l.K)
		}
		if last >= 0 {
			place[last]++
		}
	}
	if last < 0 {
		return
	}
	place[last] -= n
	if lo < hi {
		place[last] += lo
		l.together(dst[lo*l.Row:], base, place, 0, 0, l.K, hi-lo)
		place[last] -= lo
	}
}

// together is window for n neighbours that read elements at all taps of the last axis.
func (l *layer) together(dst []byte, base int, place []int, d, k, size, n int) {
	a := &l.Step.Axes[d]
	size /= a.Size
	step := l.Steps[d]
	start := place[d]*a.Stride - a.Low
	if d == len(place)-1 {
		if a.Dilation == 1 && step == size {
			l.putRows(dst, base+start*step, k, a.Size*size, a.Stride*step, n)
			return
		}
		for t := range a.Size {
			l.putRows(dst, base+(start+t*a.Dilation)*step, k+t*size, size, a.Stride*step, n)
		}
		return
	}
	for t := range a.Size {
		at := k + t*size
		pos := start + t*a.Dilation
		switch {
		case at >= l.to || at+size <= l.from:
		case pos < 0 || pos%a.Gap != 0 || pos/a.Gap >= a.In:
			for i := range n {
				l.zero(dst[i*l.Row:], at, size)
			}
		default:
			l.together(dst, base+pos/a.Gap*step, place, d+1, at, size, n)
		}
	}
}

// putRows copies n elements of the input for each window; the elements of neighbouring windows begin step
// elements apart.
func (l *layer) putRows(dst []byte, base, k, n, step, windows int) {
	lo, hi := l.clip(k, n)
	if lo >= hi {
		return
	}
	base += lo - k
	to := dst[(lo-l.from)*l.Size : (windows-1)*l.Row+(hi-l.from)*l.Size]
	from := l.in[base*l.Size : (base+(windows-1)*step+hi-lo)*l.Size]
	l.worker.copyRows(l.copy, codegen.RowCopyArgs{Src: address(from), Dst: address(to), LdS: uint64(step * l.Size), LdD: uint64(l.Row),
		Rows: uint64(windows), Cols: uint64(hi - lo)})
}

// window lays out the part of a window that the axes from d on make: elements k to
// k+size, of which those from l.from to l.to are requested. base is the element of the
// input at position 0 of these axes.
func (l *layer) window(dst []byte, base int, place []int, d, k, size int) {
	if d == len(place) {
		l.put(dst, base, k, size)
		return
	}
	a := &l.Step.Axes[d]
	size /= a.Size
	step := l.Steps[d]
	start := place[d]*a.Stride - a.Low
	if d == len(place)-1 && a.Gap == 1 && a.Dilation == 1 && step == size {
		// Neighbours of the window are neighbours in memory.
		t0 := min(max(0, -start), a.Size)
		t1 := max(t0, min(a.Size, a.In-start))
		l.zero(dst, k, t0*size)
		l.put(dst, base+(start+t0)*step, k+t0*size, (t1-t0)*size)
		l.zero(dst, k+t1*size, (a.Size-t1)*size)
		return
	}
	t := 0
	if k < l.from { // whole positions before the block
		t = min(a.Size, (l.from-k)/size)
	}
	for ; t < a.Size; t++ {
		at := k + t*size
		if at >= l.to {
			return
		}
		pos := start + t*a.Dilation
		if pos < 0 || pos%a.Gap != 0 || pos/a.Gap >= a.In {
			l.zero(dst, at, size)
			continue
		}
		l.window(dst, base+pos/a.Gap*step, place, d+1, at, size)
	}
}

// clip returns the part of elements k to k+n that is requested.
func (l *layer) clip(k, n int) (lo, hi int) { return max(k, l.from), min(k+n, l.to) }

func (l *layer) put(dst []byte, base, k, n int) {
	lo, hi := l.clip(k, n)
	if lo < hi {
		base += lo - k
		copy(dst[(lo-l.from)*l.Size:(hi-l.from)*l.Size], l.in[base*l.Size:(base+hi-lo)*l.Size])
	}
}

func (l *layer) zero(dst []byte, k, n int) {
	if lo, hi := l.clip(k, n); lo < hi {
		clear(dst[(lo-l.from)*l.Size : (hi-l.from)*l.Size])
	}
}
