package cpu

import (
	"unsafe"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// pieceTable returns the table of a tile for the pieces of a window.
func pieceTable(pieces []schedule.Piece) (t []codegen.TilePiece) {
	for _, p := range pieces {
		end := uint64(0)
		if p.Ends {
			end = codegen.PieceEnds
		}
		t = append(t, codegen.TilePiece{Elements: uint64(p.Elements), Gap: uint64(p.Gap), End: end})
	}
	t[len(t)-1].End = codegen.PieceLast
	return t
}

// byLines computes some lines of a group's result.
func (j *convJob) byLines(w *worker, group, item int) {
	l := j.Lines
	part := item % l.Parts
	item /= l.Parts
	block := item % l.Blocks
	around := item / l.Blocks
	x0, y0 := part*l.Windows, block*l.Lines
	windows, lines := min(l.Windows, l.X.Out-x0), min(l.Lines, l.Y.Out-y0)
	at := w.scratchAddress() - uint64(uintptr(unsafe.Pointer(unsafe.SliceData(w.scratch))))
	j.fill(w, w.scratch[at:], group, around, y0, x0, lines, windows)
	panel := w.scratchAddress() + uint64((l.Plane*l.Planes+63)&^63)
	first := (around*l.Y.Out+y0)*l.X.Out + x0 // row of the result
	width := j.Width()
	for i := range l.Layers {
		y := &l.Layers[i]
		n := y.To - y.From
		for col := 0; col < j.N && !j.product.stopped(); col += width {
			cols := min(width, j.N-col)
			b, ldb := j.panelFor(w, group, col, cols, y.From, n, panel)
			w.micro.tile.Pieces = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(j.pieces[i]))))
			together := max(1, j.Calls/windows) // lines of a call
			for line := 0; line < lines; line += together {
				a := w.scratchAddress() + uint64(line*l.Y.Stride*l.Line+y.Start)
				around := codegen.TileLoop{Count: uint64(min(together, lines-line)), A: uint64(l.Y.Stride * l.Line), C: uint64(l.X.Out * j.RowC)}
				for r := 0; r < windows; r += j.product.callRows(windows - r) {
					part := rectangle{rows: j.product.callRows(windows - r), cols: cols}
					c := j.out + uint64((first+line*l.X.Out+r)*j.RowC+(group*j.N+col)*j.Size)
					j.product.tile(w, a+uint64(r*j.RowA), b, c, ldb, 0, part, y.From, n, around)
				}
			}
		}
	}
}

// fill copies the lines that an item's windows read into scratch memory.
func (j *convJob) fill(w *worker, dst []byte, group, around, y0, x0, lines, windows int) {
	l, s := j.Lines, j.Step
	var buf [4]int
	place := append(buf[:0], make([]int, len(l.Outer))...)
	image := around
	for d := len(l.Outer) - 1; d >= 0; d-- {
		place[d] = image % l.Outer[d].Out
		image /= l.Outer[d].Out
	}
	base := 0
	if s.BatchGroup {
		image += group * s.Batch
	} else {
		base = group * s.Channels
	}
	base += image * j.Image
	rows := (lines-1)*l.Y.Stride + (l.Y.Size-1)*l.Y.Dilation + 1
	for plane := range l.Planes {
		from, inside := base, true
		rest := plane
		for d := len(l.Outer) - 1; d >= 0; d-- {
			a := &l.Outer[d]
			pos := place[d]*a.Stride + rest%a.Size*a.Dilation - a.Low
			rest /= a.Size
			inside = inside && pos >= 0 && pos%a.Gap == 0 && pos/a.Gap < a.In
			from += pos / a.Gap * l.Steps[d]
		}
		for r := range rows {
			to := dst[plane*l.Plane+r*l.Line:][:l.Line]
			pos := y0*l.Y.Stride + r - l.Y.Low
			if !inside || pos < 0 || pos%l.Y.Gap != 0 || pos/l.Y.Gap >= l.Y.In {
				clear(to)
				continue
			}
			j.fillLine(w, to, from+pos/l.Y.Gap*l.YSteps, x0, windows)
		}
	}
}

// fillLine copies the elements that windows from x0 on read of a line of the input, whose first element is base.
func (j *convJob) fillLine(w *worker, to []byte, base, x0, windows int) {
	s, a := j.Step, &j.Lines.X
	pixel, step := s.Channels*j.Size, s.Features
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
		copy(to, j.in[base*j.Size:(base+count*step)*j.Size])
		return
	}
	from := j.in[base*j.Size : (base+(count-1)*step+s.Channels)*j.Size]
	w.copyRows(j.copy, codegen.RowCopyArgs{Src: address(from), Dst: address(to[:((count-1)*a.Gap+1)*pixel]), LdS: uint64(step * j.Size), LdD: uint64(a.Gap * pixel),
		Rows: uint64(count), Cols: uint64(s.Channels)})
}

// panelFor returns the address of columns of a group's kernel, for n contracted elements from k on, and the
// bytes from one contracted element to the next. It packs them into memory at panel if the kernel is neither
// used in place nor packed already.
func (j *convJob) panelFor(w *worker, group, col, cols, k, n int, panel uint64) (at uint64, ld int) {
	from := j.kernel + uint64((group*j.N+col)*j.ColB+k*j.StepB)
	width := j.Width()
	switch {
	case j.InPlace:
		return from, j.StepB
	case j.packed != 0:
		return j.packed + uint64(group*j.PackedBytes()+j.PanelAt(k, col, n)), width * j.Size
	}
	j.product.panelOf(w, from, panel, cols, n)
	return panel, width * j.Size
}
