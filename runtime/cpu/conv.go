package cpu

import (
	"fmt"
	"unsafe"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// convStep runs a convolution as products: windows are laid out as rows in a thread's
// scratch, a block of rows and contracted elements at a time.
type convStep struct {
	step *fuse.Conv
	plan *convPlan
	// exact runs the convolution where taps that read no element cannot read zeros:
	// the kernel has elements that are not finite.
	exact  step
	panels int // offset of the kernel's panels in a frame's memory
}

// temporary returns the bytes of a frame's memory that the step needs while it runs.
func (s *convStep) temporary() int {
	if !s.plan.once {
		return 0
	}
	return s.plan.packedBytes() * s.step.Groups
}

// convPlan is how a convolution runs: chosen from its shape alone, and of no influence
// on its numbers.
type convPlan struct {
	*productPlan // rows are windows, columns the outputs of a group
	conv         *fuse.Conv
	block        int   // windows of an item
	parts        int   // items of a group
	steps        []int // elements from position to position of each axis of the input
	image        int   // elements of an image
	skips        bool  // taps read what is no element
	largest      *native.Code
	copy         *native.Code // rows of elements
	once         bool         // the kernel's panels are packed before the first item
	inPlace      bool         // a panel of the kernel is read where it lies
	lines        *convLines   // nil: whole windows are laid out
	rowBytes     int          // from row to row in scratch
}

// planConv chooses how a convolution runs.
func planConv(s *fuse.Conv, isa amd64.ISA, threads int) (*convPlan, error) {
	return planConvAs(s, isa, threads, schedule{})
}

// planConvAs is planConv, of which the schedule makes some choices.
func planConvAs(s *fuse.Conv, isa amd64.ISA, threads int, want schedule) (*convPlan, error) {
	e, ok := tileElems[s.Type]
	if !ok {
		return nil, fmt.Errorf("convolution of type %v", s.Type)
	}
	z := e.Size()
	p := &productPlan{want: want, isa: isa, threads: threads, elem: e, size: z, m: s.Rows(), n: s.Outputs / s.Groups, k: s.K(),
		ka: z, cb: s.B.Outer * z, kb: s.B.K * z, batches: 1, lanes: amd64.Tile{ISA: isa, Elem: e}.Lanes(), ldc: s.Outputs * z}
	p.flops = float64(p.m) * float64(p.n) * float64(p.k) * float64(s.Groups)
	p.choose()
	c := &convPlan{productPlan: p, conv: s, steps: make([]int, len(s.Axes)), image: s.Features}
	for i := len(s.Axes) - 1; i >= 0; i-- {
		c.steps[i] = c.image
		c.image *= s.Axes[i].In
	}
	for _, a := range s.Axes {
		last := (a.Out-1)*a.Stride + (a.Size-1)*a.Dilation - a.Low
		c.skips = c.skips || a.Gap > 1 || a.Low > 0 || last >= a.In
	}
	p.pack = copied
	if p.cb != p.size && p.n > 1 {
		p.pack = turned
	}
	width := p.vecs * p.lanes
	// Rows and columns of a block stay in the second cache, a tile's columns in the first.
	const laidBytes = 192 << 10
	p.deep = min(p.k, max(s.Chunk, tileBytes/(width*z)/s.Chunk*s.Chunk))
	if p.k <= 5*s.Chunk {
		p.deep = p.k
	}
	p.deep = min(p.k, p.deepFrom(s.Chunk, p.deep))
	c.rowBytes = (p.deep*z+63)/64*64 + 64
	c.block = max(p.rows, min(laidBytes/c.rowBytes, p.m)/p.rows*p.rows)
	if threads > 1 && p.flops > parallelTime*50 {
		c.block = max(p.rows, min(c.block, (p.m*s.Groups/(4*threads)+p.rows-1)/p.rows*p.rows))
	}
	c.parts = (p.m + c.block - 1) / c.block
	p.ra = c.rowBytes
	p.calls = max(p.rows, int(p.callWork()/float64(width*p.deep))/p.rows*p.rows)
	p.stores = c.block*c.rowBytes + width*p.deep*z + 64
	lines, err := planLines(c, threads)
	if err != nil {
		return nil, err
	}
	if c.lines = lines; lines != nil {
		p, c.parts = c.productPlan, lines.items()
		width = p.vecs * p.lanes
	} else if err := p.compile(s.Chunk); err != nil {
		return nil, err
	}
	c.inPlace = p.pack == copied && p.n <= width
	c.once = !c.inPlace && c.parts > 1
	if c.copy, err = micro(amd64.RowCopy{ISA: isa, Size: z}); err != nil {
		return nil, err
	}
	if c.skips && e.Float() {
		if c.largest, err = micro(amd64.Largest{ISA: isa, Size: z}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (s *convStep) run(x *execution, f *frame) error {
	in, kernel := f.refs[s.step.In[0]].data, f.refs[s.step.In[1]].data
	if s.plan.largest != nil && !s.plan.finite(x, kernel) {
		return s.exact.run(x, f)
	}
	j := &x.space.conv
	*j = convJob{convPlan: s.plan, in: in, product: productJob{productPlan: s.plan.productPlan, space: x.space, stop: x.stop}, kernel: address(kernel), out: f.addr[s.step.Out]}
	if s.plan.once {
		j.packed = address(f.memory[s.panels:])
		for g := range s.step.Groups {
			s.plan.packAll(x.space, x.stop, j.kernel+uint64(g*s.plan.n*s.plan.cb), j.packed+uint64(g*s.plan.packedBytes()))
		}
	}
	n := s.plan.parts * s.step.Groups
	if n > 1 && s.plan.threads > 1 {
		workers().Run(j, n)
		return x.ended()
	}
	for i := range n {
		j.Chunk(i, 0)
	}
	return x.ended()
}

// finite reports whether all elements of the kernel are finite numbers, of those that are
// examined before the context ends.
func (c *convPlan) finite(x *execution, kernel []byte) bool {
	w := x.space.worker(0, 0)
	w.reserve(productArgs)
	args := w.args[:amd64.LargestArgs]
	clear(args)
	const most = 1 << 20
	for lo := 0; lo < len(kernel) && !x.stop(); lo += most * c.size {
		part := kernel[lo:min(len(kernel), lo+most*c.size)]
		args[amd64.LargestSrc], args[amd64.LargestCount] = address(part), uint64(len(part)/c.size)
		w.call(c.largest, args)
	}
	limit := uint32(0x7f800000)
	if c.size == 8 {
		limit = 0x7ff00000
	}
	for _, v := range args[amd64.LargestOut:] {
		if uint32(v) >= limit || uint32(v>>32) >= limit {
			return false
		}
	}
	return true
}

// convJob is one run of a convolution.
type convJob struct {
	*convPlan
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
	w := j.product.space.worker(worker, j.stores)
	w.reserve(productArgs)
	if j.lines != nil {
		j.byLines(w, i/j.parts, i%j.parts)
		return
	}
	group, first := i/j.parts, i%j.parts*j.block
	rows := min(j.block, j.m-first)
	at := w.scratchAddress() - uint64(uintptr(unsafe.Pointer(unsafe.SliceData(w.scratch))))
	laid := w.scratch[at:]
	panel := w.scratchAddress() + uint64((j.block*j.rowBytes+63)&^63)
	width := j.vecs * j.lanes
	for k := 0; k < j.k && !j.product.stopped(); k += j.deep {
		n := min(j.deep, j.k-k)
		l := layer{convJob: j, worker: w, from: k, to: k + n}
		l.rows(laid, group, first, rows)
		for col := 0; col < j.n && !j.product.stopped(); col += width {
			cols := min(width, j.n-col)
			b, ldb := j.panelFor(w, group, col, cols, k, n, panel)
			for r := 0; r < rows; r += j.calls {
				part := rectangle{rows: min(j.calls, rows-r), cols: cols}
				c := j.out + uint64((first+r)*j.ldc+(group*j.n+col)*j.size)
				j.product.tile(w, w.scratchAddress()+uint64(r*j.rowBytes), b, c, ldb, 0, part, k, n, 1)
			}
		}
	}
}

// layer lays elements from..to of windows out.
type layer struct {
	*convJob
	worker   *worker
	from, to int
}

// rows lays the windows from first on out as rows.
func (l *layer) rows(dst []byte, group, first, rows int) {
	axes := l.conv.Axes
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
	if l.conv.BatchGroup {
		image += group * l.conv.Batch
	} else {
		base = group * l.conv.Channels
	}
	last := len(axes) - 1
	for r := 0; r < rows; {
		n := 1 // windows that differ in their position along the last axis
		if last >= 0 {
			n = min(rows-r, axes[last].Out-place[last])
		}
		l.run(dst[r*l.rowBytes:], base+image*l.image, place, n)
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

// run lays out n windows from a position on along the last axis. Those that read elements at
// all taps of the axis are copied together.
func (l *layer) run(dst []byte, base int, place []int, n int) {
	last := len(place) - 1
	lo, hi := n, n // windows that do
	if last >= 0 && l.conv.Axes[last].Gap == 1 {
		a := &l.conv.Axes[last]
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
			l.window(dst[i*l.rowBytes:], base, place, 0, 0, l.k)
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
		l.together(dst[lo*l.rowBytes:], base, place, 0, 0, l.k, hi-lo)
		place[last] -= lo
	}
}

// together is window for n neighbours that read elements at all taps of the last axis.
func (l *layer) together(dst []byte, base int, place []int, d, k, size, n int) {
	a := &l.conv.Axes[d]
	size /= a.Size
	step := l.steps[d]
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
				l.zero(dst[i*l.rowBytes:], at, size)
			}
		default:
			l.together(dst, base+pos/a.Gap*step, place, d+1, at, size, n)
		}
	}
}

// putRows copies n elements of the input for each of some windows: step elements lie
// between those of neighbours.
func (l *layer) putRows(dst []byte, base, k, n, step, windows int) {
	lo, hi := l.clip(k, n)
	if lo >= hi {
		return
	}
	base += lo - k
	to := dst[(lo-l.from)*l.size : (windows-1)*l.rowBytes+(hi-l.from)*l.size]
	from := l.in[base*l.size : (base+(windows-1)*step+hi-lo)*l.size]
	args := l.worker.args[:amd64.CopyArgs]
	args[amd64.CopySrc], args[amd64.CopyDst] = address(from), address(to)
	args[amd64.CopyLdS], args[amd64.CopyLdD] = uint64(step*l.size), uint64(l.rowBytes)
	args[amd64.CopyRows], args[amd64.CopyCols] = uint64(windows), uint64(hi-lo)
	l.worker.call(l.copy, args)
}

// window lays out the part of a window that the axes from d on make: elements k to
// k+size, of which those from l.from to l.to are requested. base is the element of the
// input at position 0 of these axes.
func (l *layer) window(dst []byte, base int, place []int, d, k, size int) {
	if d == len(place) {
		l.put(dst, base, k, size)
		return
	}
	a := &l.conv.Axes[d]
	size /= a.Size
	step := l.steps[d]
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

// put copies n elements of the input.
func (l *layer) put(dst []byte, base, k, n int) {
	lo, hi := l.clip(k, n)
	if lo < hi {
		base += lo - k
		copy(dst[(lo-l.from)*l.size:(hi-l.from)*l.size], l.in[base*l.size:(base+hi-lo)*l.size])
	}
}

func (l *layer) zero(dst []byte, k, n int) {
	if lo, hi := l.clip(k, n); lo < hi {
		clear(dst[(lo-l.from)*l.size : (hi-l.from)*l.size])
	}
}
