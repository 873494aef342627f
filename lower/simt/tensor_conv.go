package simt

// Windows describes a convolution as a product on tensor cores: the left operand's rows are windows of an array. The numbers of
// rows and of k have digits, the last of which counts neighbours. The position of an element of A, B or C is the sum of the digits
// of its numbers times their strides.
type Windows struct {
	Rows, Deep []Digit
	Col        Digit
	Group      Digit // of the batch; in Tensor.Batch it follows the parts
	Axes       []WindowAxis
	First      int // element of C at which the results begin

	// If there are several parts, each computes PartK terms of every sum, a multiple of a tile's k, and the last one the rest. The
	// results of each part are an array of their own.
	Parts, PartK int
}

// A Digit is a digit of a row's, a column's, a group's or k's number.
type Digit struct {
	N       int
	Axis    int // of A, along which the digit moves by Step positions; −1: A is its stride
	Step    int
	A, B, C int // strides in elements
}

// A WindowAxis is an axis of A along which windows move. A window's position, less Low, is an element if it is from 0 to Extent−1
// and a multiple of Gap; elsewhere A is 0. Stride is that from element to element.
type WindowAxis struct{ Low, Extent, Gap, Stride int }

// Scale returns the number of parts of an element in which positions in A are counted: with gaps,
// neighbouring positions along an axis are less than an element apart, but always a whole number
// of parts.
func (w *Windows) Scale() int {
	n := 1
	for _, a := range w.Axes {
		m := n
		for m%a.Gap != 0 {
			m += n
		}
		n = m
	}
	return n
}

// Scaled returns the stride of a digit in A, in parts of an element.
func (w *Windows) Scaled(d Digit) int {
	if d.Axis < 0 {
		return d.A * w.Scale()
	}
	a := w.Axes[d.Axis]
	return d.Step * a.Stride * (w.Scale() / a.Gap)
}

// Start returns where positions 0 of all axes lie, in parts of an element.
func (w *Windows) Start() int {
	at := 0
	for _, a := range w.Axes {
		at -= a.Low * a.Stride * (w.Scale() / a.Gap)
	}
	return at
}

// Even reports whether k has one stride in B, which is not negative.
func (w *Windows) Even() bool {
	for i, d := range w.Deep[1:] {
		if w.Deep[i].B != d.B*d.N {
			return false
		}
	}
	return w.Deep[0].B >= 0
}

// gathers reports whether operand side, 0 or 1, may have several strides along k or from line to line.
func (w *Windows) gathers(side int) bool { return side == 0 || !w.Even() }

// Side describes how an operand is copied to shared memory, in pieces of 16 bytes. Transposed is
// set if the elements of a piece belong to neighbouring rows or columns, not to neighbouring k.
// Whole is set if each piece is all zeros, or lies in memory as it is and begins there at a
// multiple of 16 bytes. Gathered operands have several strides. Where pieces are not whole and
// elements have 16 bits, each Group elements of a piece are neighbours in memory; 0 states nothing.
// They begin at multiples of their size or, if Shifted is set, anywhere along an axis of windows
// whose pairs of elements lie in words.
type Side struct {
	Transposed, Whole, Gathered bool
	Group                       int
	Shifted                     bool
}

// Side returns how threads copy an operand, 0 or 1, of a product by MMA or a convolution.
func (t *Tensor) Side(i int) Side {
	o, w := []Operand{t.A, t.B}[i], t.Windows
	if w == nil || !w.gathers(i) {
		return Side{Transposed: o.K != 1, Whole: t.aligned(i)}
	}
	lines := w.Rows
	stride := func(d Digit) int { return d.A }
	if i == 1 {
		lines = []Digit{w.Col}
		stride = func(d Digit) int { return d.B }
	}
	// unit reports whether neighbours along the last digit are neighbours in memory.
	unit := func(ds []Digit) bool {
		d := ds[len(ds)-1]
		if i == 0 && d.Axis >= 0 {
			a := w.Axes[d.Axis]
			return a.Gap == 1 && d.Step*a.Stride == 1
		}
		return stride(d) == 1
	}
	s := Side{Gathered: true}
	last, other := w.Deep[len(w.Deep)-1], lines[len(lines)-1]
	if !unit(w.Deep) || unit(lines) && other.N > last.N {
		s.Transposed = true
		last = other
	}
	// apart reports whether the offset and all strides, except that within a piece, are multiples of n elements.
	apart := func(n int) bool {
		ok := o.Offset%n == 0
		for _, b := range t.Batch {
			ok = ok && []int{b.A, b.B}[i]%n == 0
		}
		for _, ds := range [][]Digit{lines, w.Deep} {
			for _, d := range ds {
				ok = ok && (d == last || i == 0 && d.Axis >= 0 || stride(d)%n == 0)
			}
		}
		for x, a := range w.Axes {
			ok = ok && (i == 1 || x == last.Axis || a.Stride%n == 0)
		}
		return ok
	}
	n, along := 16/t.Kind.Size(), i == 0 && last.Axis >= 0
	if s.Transposed && !unit(lines) || !s.Transposed && !unit(w.Deep) {
		return s
	}
	s.Whole = !along && last.N%n == 0 && apart(n)
	if s.Whole || n != 8 {
		return s
	}
	s.Shifted = along && w.Scale() == 1 && w.Axes[last.Axis].Extent%2 == 0 && apart(2)
	for g := 2; g <= n && last.N%g == 0 && (s.Shifted || !along && apart(g)); g *= 2 {
		s.Group = g
	}
	s.Shifted = s.Shifted && s.Group > 0
	return s
}

// aligned reports whether all pieces of an operand of one stride begin at multiples of 16 bytes.
func (t *Tensor) aligned(i int) bool {
	n := 16 / t.Kind.Size()
	o, extent := []Operand{t.A, t.B}[i], []int{t.M, t.N}[i]
	ok := o.Offset%n == 0
	if o.K != 1 {
		ok = ok && (o.Outer == 1 || extent == 1) && o.K%n == 0
	} else {
		ok = ok && (o.Outer%n == 0 || extent == 1)
	}
	for _, b := range t.Batch {
		ok = ok && []int{b.A, b.B}[i]%n == 0
	}
	return ok
}

// EntryWords returns the number of words that a tile has in shared memory for each row of windows: where the row begins, and its positions
// along the axes.
func (w *Windows) EntryWords() int {
	switch n := 1 + len(w.Axes); n {
	case 3:
		return 4 // one load
	default:
		return n
	}
}

// MostWindowAxes is the greatest number of axes that windows may have: a row's entry has four words.
const MostWindowAxes = 3

// windowCandidates are the tiles of convolutions. The first three of MMA have their rates for
// products. The other rates are guesses. With WGMMA all threads of a convolution spend
// instructions on copies, those of a product do not: so the rates are lower. The stages are few
// enough that a multiprocessor's cache has room for the windows of a tile, which overlap with
// those of the next tap.
var windowCandidates = []candidate{
	{WGMMA, 256, 128, [2]int{8, 1}, 3, .9, 0, 0},
	{WGMMA, 128, 256, [2]int{8, 1}, 3, .85, 0, 0},
	{WGMMA, 128, 128, [2]int{8, 1}, 4, .8, 0, 0},
	{WGMMA, 256, 64, [2]int{8, 1}, 4, .7, 0, 0},
	{WGMMA, 128, 64, [2]int{8, 1}, 5, .6, 0, 0},
	{MMA, 128, 256, [2]int{2, 4}, 4, .65, .5, 0},
	{MMA, 128, 256, [2]int{2, 4}, 3, .64, .49, 0},
	{MMA, 128, 128, [2]int{2, 2}, 3, .63, .48, 0},
	{MMA, 256, 64, [2]int{4, 1}, 3, .58, .44, 0},
	{MMA, 128, 64, [2]int{2, 1}, 3, .5, .38, 0},
}

// TensorOf returns a convolution without a tile. offset states where A and B begin.
func (w *Windows) TensorOf(kind TensorKind, narrow bool, offset [2]int) Tensor {
	t := Tensor{Kind: kind, Narrow: narrow, M: 1, N: w.Col.N, K: 1, Windows: w, A: Operand{Offset: offset[0]}, B: Operand{Offset: offset[1], Outer: w.Col.B}}
	for _, d := range w.Rows {
		t.M *= d.N
	}
	for _, d := range w.Deep {
		t.K *= d.N
	}
	part := BatchAxis{N: w.Parts}
	if w.Even() {
		t.B.K = w.Deep[len(w.Deep)-1].B
		part.B = w.PartK * t.B.K
	}
	t.Batch = []BatchAxis{part, {N: w.Group.N, A: w.Group.A, B: w.Group.B}}
	return t
}

// chooseWindows is [chooseTensor] for a convolution.
func chooseWindows(p Tensor, cores TensorCores) (best *Tensor, least float64) {
	if !cores.MMA {
		return nil, 0
	}
	for _, c := range windowCandidates {
		t := p
		t.Unit, t.Tile, t.Warps, t.Stages, t.Rows = c.unit, [3]int{c.m, c.n, 128 / p.Kind.Size()}, c.warps, c.stages, 16
		rate := c.rate
		if p.Kind == TF32 {
			rate = c.wide
		}
		if rate == 0 || !cores.has(c.unit) || t.SharedBytes() > cores.Shared {
			continue
		}
		m, n := t.Tiles()
		waves := (m*n*t.Batches() + cores.Processors - 1) / max(1, cores.Processors)
		if cost := float64(waves) * float64(c.m*c.n) / rate; best == nil || cost < least {
			best, least = &t, cost
		}
	}
	return best, least
}

// mostWindowParts bounds the parts of a sum of a convolution: the gradient by a filter has few results, each of which sums the
// positions of all images.
const mostWindowParts = 64

// WindowParts returns in how many parts the sums of a convolution are best divided, and how many terms each has.
func WindowParts(p Tensor, cores TensorCores) (parts, terms int) {
	tile := 128 / p.Kind.Size()
	results, groups := float64(p.M)*float64(p.N)*float64(p.Batches()), p.Windows.Group
	micros := func(parts, terms int) float64 {
		q := p
		q.Batch = []BatchAxis{{N: parts}, {N: groups.N}}
		_, cost := chooseWindows(q, cores)
		t := 2 * float64(terms) * cost / tensorFlops
		if p.Kind == TF32 {
			t *= 2
		}
		if parts > 1 {
			t += tensorLaunch + 2*4*results*float64(parts)/tensorBytes
		}
		return t
	}
	parts, terms = 1, p.K
	least := .8 * micros(1, p.K)
	for n := 2; n <= mostWindowParts && p.K/n >= 4*tile; n++ {
		k := ((p.K+n-1)/n + tile - 1) / tile * tile
		used := (p.K + k - 1) / k
		if t := micros(used, k); t < least {
			parts, terms, least = used, k, t
		}
	}
	return parts, terms
}
