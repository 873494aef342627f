package schedule

import "github.com/weft-go/weft/lower/fuse"

// A Conv describes how a convolution runs as products: windows are rows, columns are the
// outputs of a group. Windows are laid out as rows in a thread's scratch memory, a block of
// rows and contracted elements at a time, or overlap there in copied lines of the input.
type Conv struct {
	Product
	Step    *fuse.Conv
	Windows int        // windows of an item
	Parts   int        // items of a group
	Steps   []int      // elements from position to position of each axis of the input
	Image   int        // elements of an image
	Finite  bool       // taps read padding or gaps: the kernel's elements must be finite
	Once    bool       // the kernel's panels are packed before the first item
	InPlace bool       // a panel of the kernel is read where it lies
	Row     int        // bytes from row to row in scratch memory
	Lines   *ConvLines // nil: whole windows are laid out
}

// ConvOf plans a convolution.
func ConvOf(s *fuse.Conv, m Processor) *Conv { return ConvWith(s, m, Choices{}) }

// ConvWith is ConvOf with some choices made.
func ConvWith(s *fuse.Conv, m Processor, want Choices) *Conv {
	e := m.elementOf(s.Type, 1)
	z := e.Size()
	c := &Conv{Step: s, Steps: make([]int, len(s.Axes)), Image: s.Features}
	c.Product = Product{Processor: m, Elem: e, Size: z, Chunk: s.Chunk, M: s.Rows(), N: s.Outputs / s.Groups, K: s.K(),
		StepA: z, ColB: s.B.Outer * z, StepB: s.B.K * z, Batches: 1, Lanes: m.lanes(e), RowC: s.Outputs * z}
	p := &c.Product
	p.Work = float64(p.M) * float64(p.N) * float64(p.K) * float64(s.Groups)
	p.choose(want)
	for i := len(s.Axes) - 1; i >= 0; i-- {
		c.Steps[i] = c.Image
		c.Image *= s.Axes[i].In
	}
	if e.Float() {
		for _, a := range s.Axes {
			last := (a.Out-1)*a.Stride + (a.Size-1)*a.Dilation - a.Low
			c.Finite = c.Finite || a.Gap > 1 || a.Low > 0 || last >= a.In
		}
	}
	p.Pack = Copied
	if p.ColB != p.Size && p.N > 1 {
		p.Pack = Transposed
	}
	width := p.Width()
	p.Deep = max(s.Chunk, tileBytes/(width*z)/s.Chunk*s.Chunk)
	if p.K <= 2*s.Chunk {
		p.Deep = p.K
	}
	if want.Deep > 0 {
		p.Deep = want.Deep
	}
	p.Deep = min(p.K, p.Deep)
	if lines := c.lines(want); lines != nil {
		c.Lines, c.Parts = lines, lines.Items()
	} else {
		c.windows()
	}
	c.InPlace = p.Pack == Copied && p.N <= p.Width()
	c.Once = !c.InPlace && c.Parts > 1
	return c
}

// windows divides the windows into blocks. The laid out windows of a block stay in the second
// cache, a register tile's columns of the kernel in the first.
func (c *Conv) windows() {
	p := &c.Product
	c.Row = apart(p.Deep * p.Size)
	c.Windows = max(p.Rows, min(windowBytes/c.Row, p.M)/p.Rows*p.Rows)
	if t := p.Processor.Threads; t > 1 && p.Work > leastParallel {
		c.Windows = max(p.Rows, min(c.Windows, over(p.M*c.Step.Groups/(4*t), p.Rows)*p.Rows))
	}
	c.Parts = over(p.M, c.Windows)
	p.RowA = c.Row
	c.calls()
	p.Scratch = c.Windows*c.Row + p.Width()*p.Deep*p.Size + 64
}

func (c *Conv) calls() {
	p := &c.Product
	p.Calls = max(p.Rows, int(p.callWork()/float64(p.Width()*p.Deep))/p.Rows*p.Rows)
}
