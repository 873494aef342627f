package schedule

import "github.com/weft-go/weft/lower/fuse"

// ConvLines describes how a convolution runs whose windows overlap: lines of the input along the
// last axis are copied into scratch memory with the padding that windows read beside them, and
// windows are rows of a product that overlap there. A window's elements are pieces: runs of
// neighbours.
type ConvLines struct {
	Y, X    fuse.ConvAxis // the last axes; Y is of size 1 where there is one axis
	Outer   []fuse.ConvAxis
	YSteps  int   // elements from position to position of Y
	Steps   []int // of the outer axes
	Lines   int   // of the result, in an item
	Windows int   // of a line, in an item
	Blocks  int   // items along Y
	Parts   int   // items along X
	Around  int   // positions of the batch and of the outer axes
	Rows    int   // lines in scratch memory for each position of a window along the outer axes
	Pixels  int   // of a line there
	Line    int   // bytes from line to line there
	Plane   int   // bytes of Rows lines
	Planes  int   // positions of a window along the outer axes
	Layers  []ConvLayer
}

// ConvLayer describes the contracted elements of one call: those from From up to To.
type ConvLayer struct {
	From, To int
	Start    int // bytes from a window's first element to element From
	Pieces   []Piece
}

// A Piece is a run of neighbours among a window's elements.
type Piece struct {
	Elements int
	Gap      int  // bytes from its end to the next piece
	Ends     bool // a chain ends after it
}

// shortestPiece is the mean number of elements of a piece from which lines are used.
const shortestPiece = 5

// reach returns the number of positions from the first to the last one that n neighbouring windows read.
func reach(a fuse.ConvAxis, n int) int { return (n-1)*a.Stride + (a.Size-1)*a.Dilation + 1 }

// lines plans the convolution by lines, and its product accordingly. It returns nil if the choices forbid lines, if
// they save nothing, or if the lines that a line of the result reads do not fit in the cache.
func (c *Conv) lines(want Choices) *ConvLines {
	s := c.Step
	last := len(s.Axes) - 1
	if last < 0 || !want.Lines.or(true) {
		return nil
	}
	l := &ConvLines{Y: fuse.ConvAxis{In: 1, Out: 1, Size: 1, Stride: 1, Gap: 1, Dilation: 1}, X: s.Axes[last], Planes: 1, Around: s.Batch}
	if last > 0 {
		l.Y, l.YSteps = s.Axes[last-1], c.Steps[last-1]
		l.Outer, l.Steps = s.Axes[:last-1], c.Steps[:last-1]
	}
	for _, a := range l.Outer {
		l.Planes *= a.Size
		l.Around *= a.Out
	}
	if l.X.Size < 2 || l.X.Out < 4 || l.X.Stride > l.X.Size || l.Y.Stride > l.Y.Size {
		return nil
	}
	p := c.Product
	p.M = l.X.Out
	p.choose(want)
	pixel := s.Channels * p.Size
	// A line of the result is halved until the lines that a part reads fit in the memory, or the part has few windows.
	l.Windows = l.X.Out
	for reach(l.X, l.Windows)*pixel*reach(l.Y, 1)*l.Planes > windowBytes && l.Windows > 4*p.Rows {
		l.Windows = max(4*p.Rows, l.Windows/2/p.Rows*p.Rows)
	}
	l.Pixels = reach(l.X, l.Windows)
	l.Line = apart(l.Pixels * pixel)
	l.Lines = l.Y.Out
	for l.Lines > 1 && reach(l.Y, l.Lines)*l.Line*l.Planes > windowBytes {
		l.Lines--
	}
	if reach(l.Y, l.Lines)*l.Line*l.Planes > 4*windowBytes {
		return nil
	}
	l.Parts = over(l.X.Out, l.Windows)
	if t, items := p.Processor.Threads, l.Around*l.Parts*s.Groups; t > 1 && p.Work > leastParallel && items*over(l.Y.Out, l.Lines) < 4*t {
		l.Lines = over(l.Y.Out, min(l.Y.Out, over(4*t, items)))
	}
	l.Blocks = over(l.Y.Out, l.Lines)
	l.Rows = reach(l.Y, l.Lines)
	l.Plane = l.Rows * l.Line
	p.RowA = l.X.Stride * pixel
	pieces := 0
	for from := 0; from < p.K; from += p.Deep {
		y := l.layer(s, p.Size, from, min(p.K, from+p.Deep))
		l.Layers = append(l.Layers, y)
		pieces += len(y.Pieces)
	}
	if p.K < pieces*shortestPiece {
		return nil
	}
	p.Pieces = true
	c.Product = p
	c.calls()
	c.Scratch = l.Plane*l.Planes + c.Width()*c.Deep*c.Size + 64
	return l
}

func (l *ConvLines) layer(s *fuse.Conv, size, from, to int) ConvLayer {
	y := ConvLayer{From: from, To: to}
	at := make([]int, len(s.Axes)) // position in the window
	end := -1                      // offset of the end of the last piece
	for k := 0; k < to; k += s.Channels {
		lo, hi := max(k, from), min(k+s.Channels, to)
		off := l.offset(s, size, at) + (lo-k)*size
		for lo < hi {
			n := min(hi-lo, s.Chunk-lo%s.Chunk) // a chain ends here at the latest
			last := len(y.Pieces) - 1
			if last >= 0 && off == end && lo%s.Chunk != 0 {
				y.Pieces[last].Elements += n
			} else {
				if last < 0 {
					y.Start = off
				} else {
					y.Pieces[last].Gap = off - end
				}
				y.Pieces = append(y.Pieces, Piece{Elements: n})
			}
			lo, off = lo+n, off+n*size
			end = off
			y.Pieces[len(y.Pieces)-1].Ends = lo%s.Chunk == 0
		}
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < s.Axes[d].Size {
				break
			}
			at[d] = 0
		}
	}
	return y
}

// offset returns the offset of a position of a window in scratch memory.
func (l *ConvLines) offset(s *fuse.Conv, size int, at []int) int {
	n := len(at) - 1
	bytes := at[n] * l.X.Dilation * s.Channels * size
	if n > 0 {
		bytes += at[n-1] * l.Y.Dilation * l.Line
	}
	plane := 0
	for d := range l.Outer {
		plane = plane*l.Outer[d].Size + at[d]
	}
	return bytes + plane*l.Plane
}

// Items returns the number of items of a group.
func (l *ConvLines) Items() int { return l.Around * l.Blocks * l.Parts }
