package cpu

import (
	"unsafe"

	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// convLines is how a convolution runs whose windows overlap: lines of the input along the
// last axis are copied into scratch memory with the padding that windows read beside them, and
// windows are rows of a product that overlap there. A window's elements are pieces: runs
// of neighbours.
type convLines struct {
	y, x    fuse.ConvAxis // the last axes; y is of size 1 where there is one axis
	outer   []fuse.ConvAxis
	ySteps  int   // elements from position to position of y
	steps   []int // of the outer axes
	lines   int   // of the result, of an item
	windows int   // of a line, of an item
	blocks  int   // items along y
	parts   int   // items along x
	around  int   // positions of the batch and of the outer axes
	rows    int   // lines in scratch memory for each position of a window along the outer axes
	pixels  int   // of a line there
	line    int   // bytes
	plane   int   // bytes of rows lines
	planes  int   // positions of a window along the outer axes
	layers  []convLayer
	columns int // bytes of scratch memory for a panel of the kernel
}

// convLayer is a part of the contracted elements.
type convLayer struct {
	from, to int
	start    int      // bytes from a window's first element to element from
	pieces   []uint64 // the table of the tile
}

// shortestPiece is the mean number of elements of a piece from which lines are used.
const shortestPiece = 5

// planLines returns how a convolution runs by lines, nil where that saves nothing.
func planLines(c *convPlan, threads int) (*convLines, error) {
	s := c.conv
	last := len(s.Axes) - 1
	if last < 0 || !c.want.Lines.or(true) {
		return nil, nil
	}
	l := &convLines{y: fuse.ConvAxis{In: 1, Out: 1, Size: 1, Stride: 1, Gap: 1, Dilation: 1}, x: s.Axes[last], planes: 1, around: s.Batch}
	if last > 0 {
		l.y, l.ySteps = s.Axes[last-1], c.steps[last-1]
		l.outer, l.steps = s.Axes[:last-1], c.steps[:last-1]
	}
	for _, a := range l.outer {
		l.planes *= a.Size
		l.around *= a.Out
	}
	if l.x.Size < 2 || l.x.Out < 4 || l.x.Stride > l.x.Size || l.y.Stride > l.y.Size {
		return nil, nil
	}
	p := *c.productPlan
	p.m, p.tiles = l.x.Out, [2][2]*native.Code{}
	p.choose()
	reach := func(a fuse.ConvAxis, n int) int { return (n-1)*a.Stride + (a.Size-1)*a.Dilation + 1 }
	pixel := s.Channels * p.size
	const most = 192 << 10
	// A line takes at most a third of the memory, or its smallest part.
	l.windows = l.x.Out
	for reach(l.x, l.windows)*pixel*reach(l.y, 1)*l.planes > most && l.windows > 4*p.rows {
		l.windows = max(4*p.rows, l.windows/2/p.rows*p.rows)
	}
	l.pixels = reach(l.x, l.windows)
	l.line = (l.pixels*pixel+63)/64*64 + 64
	l.lines = l.y.Out
	for l.lines > 1 && reach(l.y, l.lines)*l.line*l.planes > most {
		l.lines--
	}
	if reach(l.y, l.lines)*l.line*l.planes > 4*most {
		return nil, nil
	}
	l.parts = (l.x.Out + l.windows - 1) / l.windows
	if items := l.around * l.parts * s.Groups; threads > 1 && p.flops > parallelTime*50 && items*((l.y.Out+l.lines-1)/l.lines) < 4*threads {
		n := min(l.y.Out, (4*threads+items-1)/items)
		l.lines = (l.y.Out + n - 1) / n
	}
	l.blocks = (l.y.Out + l.lines - 1) / l.lines
	l.rows = reach(l.y, l.lines)
	l.plane = l.rows * l.line
	p.ra = l.x.Stride * pixel
	for from := 0; from < p.k; from += p.deep {
		l.layers = append(l.layers, l.layer(s, p.size, from, min(p.k, from+p.deep)))
	}
	n := 0
	for _, y := range l.layers {
		n += len(y.pieces) / amd64.TilePieceWords
	}
	if p.k < n*shortestPiece {
		return nil, nil
	}
	width := p.vecs * p.lanes
	p.calls = max(p.rows, int(p.callWork()/float64(width*p.deep))/p.rows*p.rows)
	p.pieces = true
	if err := p.compile(s.Chunk); err != nil {
		return nil, err
	}
	l.columns = width * p.deep * p.size
	p.stores = l.plane*l.planes + l.columns + 64
	c.productPlan = &p
	return l, nil
}

// layer returns the pieces of elements from..to of a window.
func (l *convLines) layer(s *fuse.Conv, size, from, to int) convLayer {
	y := convLayer{from: from, to: to}
	at := make([]int, len(s.Axes)) // position in the window
	end := -1                      // offset behind the last piece
	for k := 0; k < to; k += s.Channels {
		lo, hi := max(k, from), min(k+s.Channels, to)
		if lo < hi {
			off := l.offset(s, at)*size + (lo-k)*size
			for lo < hi {
				n := min(hi-lo, s.Chunk-lo%s.Chunk) // a chain ends here at the latest
				switch last := len(y.pieces) - amd64.TilePieceWords; {
				case last >= 0 && off == end && lo%s.Chunk != 0:
					y.pieces[last] += uint64(n)
				case last >= 0:
					y.pieces[last+1] = uint64(off - end)
					fallthrough
				default:
					if last < 0 {
						y.start = off
					}
					y.pieces = append(y.pieces, uint64(n), 0, 0)
				}
				lo, off = lo+n, off+n*size
				end = off
				if lo%s.Chunk == 0 {
					y.pieces[len(y.pieces)-1] = amd64.TilePieceEnds
				}
			}
		}
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < s.Axes[d].Size {
				break
			}
			at[d] = 0
		}
	}
	y.pieces[len(y.pieces)-1] = amd64.TilePieceLast
	return y
}

// offset returns the offset of a position of a window in scratch memory, in elements.
func (l *convLines) offset(s *fuse.Conv, at []int) int {
	size := tileElems[s.Type].Size()
	n := len(at) - 1
	bytes := at[n] * l.x.Dilation * s.Channels * size
	if n > 0 {
		bytes += at[n-1] * l.y.Dilation * l.line
	}
	plane := 0
	for d := range l.outer {
		plane = plane*l.outer[d].Size + at[d]
	}
	return (bytes + plane*l.plane) / size
}

// items returns the number of items of a group.
func (l *convLines) items() int { return l.around * l.blocks * l.parts }

// byLines computes some lines of a group's result.
func (j *convJob) byLines(w *worker, group, item int) {
	l := j.lines
	part := item % l.parts
	item /= l.parts
	block := item % l.blocks
	around := item / l.blocks
	x0, y0 := part*l.windows, block*l.lines
	windows, lines := min(l.windows, l.x.Out-x0), min(l.lines, l.y.Out-y0)
	at := w.scratchAddress() - uint64(uintptr(unsafe.Pointer(unsafe.SliceData(w.scratch))))
	j.fill(w, w.scratch[at:], group, around, y0, x0, lines, windows)
	panel := w.scratchAddress() + uint64((l.plane*l.planes+63)&^63)
	first := (around*l.y.Out+y0)*l.x.Out + x0 // row of the result
	width := j.vecs * j.lanes
	for i := range l.layers {
		y := &l.layers[i]
		n := y.to - y.from
		for col := 0; col < j.n && !j.product.stopped(); col += width {
			cols := min(width, j.n-col)
			b, ldb := j.panelFor(w, group, col, cols, y.from, n, panel)
			w.args[:amd64.TileArgs][amd64.TilePieces] = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(y.pieces))))
			for line := range lines {
				a := w.scratchAddress() + uint64(line*l.y.Stride*l.line+y.start)
				for r := 0; r < windows; r += j.calls {
					part := rectangle{rows: min(j.calls, windows-r), cols: cols}
					c := j.out + uint64((first+line*l.x.Out+r)*j.ldc+(group*j.n+col)*j.size)
					j.product.tile(w, a+uint64(r*j.ra), b, c, ldb, 0, part, y.from, n, 1)
				}
			}
		}
	}
}

// fill brings the lines into scratch memory that an item's windows read.
func (j *convJob) fill(w *worker, dst []byte, group, around, y0, x0, lines, windows int) {
	l, s := j.lines, j.conv
	var buf [4]int
	place := append(buf[:0], make([]int, len(l.outer))...)
	image := around
	for d := len(l.outer) - 1; d >= 0; d-- {
		place[d] = image % l.outer[d].Out
		image /= l.outer[d].Out
	}
	base := 0
	if s.BatchGroup {
		image += group * s.Batch
	} else {
		base = group * s.Channels
	}
	base += image * j.image
	rows := (lines-1)*l.y.Stride + (l.y.Size-1)*l.y.Dilation + 1
	for plane := range l.planes {
		from, inside := base, true
		rest := plane
		for d := len(l.outer) - 1; d >= 0; d-- {
			a := &l.outer[d]
			pos := place[d]*a.Stride + rest%a.Size*a.Dilation - a.Low
			rest /= a.Size
			inside = inside && pos >= 0 && pos%a.Gap == 0 && pos/a.Gap < a.In
			from += pos / a.Gap * l.steps[d]
		}
		for r := range rows {
			to := dst[plane*l.plane+r*l.line:][:l.line]
			pos := y0*l.y.Stride + r - l.y.Low
			if !inside || pos < 0 || pos%l.y.Gap != 0 || pos/l.y.Gap >= l.y.In {
				clear(to)
				continue
			}
			j.fillLine(w, to, from+pos/l.y.Gap*l.ySteps, x0, windows)
		}
	}
}

// fillLine brings a line of the input into scratch memory; base is its first element.
func (j *convJob) fillLine(w *worker, to []byte, base, x0, windows int) {
	s, a := j.conv, &j.lines.x
	pixel, step := s.Channels*j.size, s.Features
	n := (windows-1)*a.Stride + (a.Size-1)*a.Dilation + 1 // pixels
	start := x0*a.Stride - a.Low                          // position of the first one
	if a.Gap > 1 {
		clear(to[:n*pixel])
	}
	lo := 0
	if start < 0 {
		lo = min(n, -start)
	}
	if r := (start + lo) % a.Gap; r != 0 {
		lo += a.Gap - r
	}
	count := 0 // elements of the line
	if first := (start + lo) / a.Gap; lo < n && first < a.In {
		count = min((n-lo+a.Gap-1)/a.Gap, a.In-first)
		base += first * step
	}
	if a.Gap == 1 {
		clear(to[:min(lo, n)*pixel])
		clear(to[min(n, lo+count)*pixel : n*pixel])
	}
	if count == 0 {
		return
	}
	to = to[lo*pixel:]
	if a.Gap == 1 && step == s.Channels {
		copy(to, j.in[base*j.size:(base+count*step)*j.size])
		return
	}
	from := j.in[base*j.size : (base+(count-1)*step+s.Channels)*j.size]
	args := w.args[:amd64.CopyArgs]
	args[amd64.CopySrc], args[amd64.CopyDst] = address(from), address(to[:((count-1)*a.Gap+1)*pixel])
	args[amd64.CopyLdS], args[amd64.CopyLdD] = uint64(step*j.size), uint64(a.Gap*pixel)
	args[amd64.CopyRows], args[amd64.CopyCols] = uint64(count), uint64(s.Channels)
	w.call(j.copy, args)
}

// panelFor returns the address of columns of a group's kernel, for n contracted elements
// from k on, and the bytes from one contracted element to the next. It packs them into
// memory at panel if nothing else did.
func (j *convJob) panelFor(w *worker, group, col, cols, k, n int, panel uint64) (at uint64, ld int) {
	from := j.kernel + uint64((group*j.n+col)*j.cb+k*j.kb)
	width := j.vecs * j.lanes
	switch {
	case j.inPlace:
		return from, j.kb
	case j.once:
		return j.packed + uint64(group*j.packedBytes()+j.panelAt(k, col, n)), width * j.size
	}
	j.product.panelOf(w, from, panel, cols, n)
	return panel, width * j.size
}
