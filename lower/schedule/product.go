package schedule

import (
	"fmt"

	"github.com/weft-go/weft/lower/fuse"
)

// A Product describes how a product C = A·B of m×k and k×n elements runs. Offsets, strides and
// steps are bytes. A product of a matrix with one column may be planned as that of a row
// with a matrix, whose operands are exchanged.
//
// An item, which one thread computes, is a part of C: a panel of columns and a block of rows, of one
// batch or of several. Calls of machine code compute parts of an item that take about CallTime.
type Product struct {
	Processor Processor
	Elem      Element
	Size      int // bytes of an element
	Chunk     int // contracted elements of a chain
	M, N, K   int
	Swapped   bool // the operands are exchanged

	OffsetA, OffsetB int
	RowA, StepA      int // from row to row of A, from contracted element to the next
	ColB, StepB      int // from column to column of B, from contracted element to the next
	RowC             int
	Batch            []BatchAxis // from the innermost
	Batches          int

	Few    bool     // the products of a matrix's rows with up to four vectors
	RowsA  bool     // Few: the rows are A's, the vector is B's column
	Long   int      // Few: contracted elements that a row takes at a time; 0: rows are lanes
	Sweep  bool     // a row times a matrix reads whole rows of B, not a tile's columns
	Left   LeftCopy // of A, unless it is read where it lies
	Down   bool     // A's contracted elements are not neighbours in memory
	Pieces bool     // the contracted elements of a row of A are pieces of memory
	Pack   Packing  // of B

	Rows, Vecs int  // size of the register tile
	RowsFirst  bool // a call computes all tiles beside each other before those below: C is written in the order of memory
	Lanes      int  // elements of a vector
	Deep       int  // contracted elements of a call; a larger K takes several calls

	Each    int    // batches of an item
	Panel   int    // columns of an item
	Block   int    // rows of an item
	Calls   int    // rows of a call
	Items   [3]int // groups of batches, panels, blocks
	Scratch int    // bytes that a thread needs

	Work float64 // multiplications
}

// Packing tells how a product reads its right operand.
type Packing uint8

// The packings.
const (
	Direct     Packing = iota // where it lies
	Copied                    // panels of columns are copied
	Transposed                // panels are copied, and transposed since the columns do not lie side by side
)

// BatchAxis is a batch axis of N positions, with the steps from one to the next in A, B and C.
type BatchAxis struct{ N, A, B, C int }

// LeftCopy describes a copy of A whose contracted elements lie side by side, in memory for
// one run. If Bytes is 0, there is no copy.
type LeftCopy struct {
	Bytes  int
	Row    int   // bytes from row to row
	From   int   // from contracted element to the next in A
	Offset int   // bytes from the start of A
	Step   []int // bytes of A from one position to the next along each batch axis
}

// A Tile is a register tile, whose code package native writes. If Rows is 0, there is no tile.
type Tile struct {
	Rows, Vecs, Ahead int
	Whole             bool // its columns are whole vectors
	Beside            bool // it requests the columns of B that are used next
}

// ProductOf plans a product.
func ProductOf(s *fuse.Product, m Processor) *Product { return ProductWith(s, m, Choices{}) }

// ProductWith is ProductOf with some choices made.
func ProductWith(s *fuse.Product, m Processor, want Choices) *Product {
	if s.M < 1 || s.N < 1 || s.K < 1 {
		panic(fmt.Sprintf("BUG: schedule: product of %d×%d by %d×%d elements", s.M, s.K, s.K, s.N))
	}
	e := m.elementOf(s.Type, s.Word())
	if e == ByteDot && s.M >= leastMatrixRows && s.N > 1 && s.K >= MatrixSide && m.Matrices != nil && m.Matrices() {
		e = ByteMatrix
	}
	z := e.Size()
	p := &Product{Processor: m, Elem: e, Size: z, Chunk: s.Chunk, M: s.M, N: s.N, K: s.K, OffsetA: s.A.Offset * z, OffsetB: s.B.Offset * z,
		RowA: s.A.Outer * z, StepA: s.A.K * z, ColB: s.B.Outer * z, StepB: s.B.K * z, Batches: 1, Lanes: m.lanes(e)}
	c := s.M * s.N * z
	for i := len(s.Batch) - 1; i >= 0; i-- {
		x := s.Batch[i]
		p.Batch = append(p.Batch, BatchAxis{x.N, x.A * z, x.B * z, c * p.Batches})
		p.Batches *= x.N
	}
	p.Work = float64(s.M) * float64(s.N) * float64(s.K) * float64(p.Batches)
	// A matrix times a column becomes a row times a matrix. Operands of bytes have different signs and cannot be
	// exchanged.
	if s.N == 1 && s.M > 1 && p.StepA != z && s.K > 1 && e < ByteDot {
		p.Swapped = true
		p.M, p.N = p.N, p.M
		p.OffsetA, p.OffsetB, p.RowA, p.StepA, p.ColB, p.StepB = p.OffsetB, p.OffsetA, p.ColB, p.StepB, p.RowA, p.StepA
		for i, x := range p.Batch {
			p.Batch[i].A, p.Batch[i].B = x.B, x.A
		}
	}
	p.RowC = p.N * p.Size
	if p.fewVectors() && want.Few.or(true) {
		p.few()
	} else {
		p.tiles(want)
	}
	return p
}

// fewVectors reports whether p.few can plan the product: of f32 or f64, with at least 8 contracted elements, which lie
// side by side in both operands, and with one column or at most four rows. It sets RowsA.
func (p *Product) fewVectors() bool {
	if p.Elem > F64 || p.K < 8 || p.StepA != p.Size || p.StepB != p.Size {
		return false
	}
	p.RowsA = p.N == 1
	return p.RowsA || p.M <= 4
}

// few plans products of a matrix's rows with few vectors: a call reads about 3 MB of the matrix, for which memory
// takes about CallTime.
func (p *Product) few() {
	p.Few = true
	vecs, rows := p.M, p.N
	if p.RowsA {
		vecs, rows = 1, p.M
	}
	const bytes = 3 << 20
	pair, threads := 2*p.Lanes, p.Processor.Threads
	p.Deep = max(p.Chunk, bytes/(pair*p.Size)/p.Chunk*p.Chunk)
	deep := min(p.K, p.Deep)
	p.Calls = max(pair, bytes/(deep*p.Size)/pair*pair)
	p.Block = rows
	if t := threads * 2; threads > 1 && p.Work > ParallelTime*8 && p.Batches < t {
		p.Block = min(p.Block, max(pair, over(rows, t)/pair*pair))
	}
	p.Each, p.Panel = p.share(), rows
	p.Items = [3]int{over(p.Batches, p.Each), 1, over(rows, p.Block)}
	if group := p.Chunk * p.Lanes; vecs == 1 && rows <= p.Lanes/4 && p.K >= group {
		p.Long = group
	}
}

// share returns how many products of the batch one item takes.
func (p *Product) share() int {
	one := max(1, p.Work/float64(p.Batches))
	n := max(1, int(p.callWork()/one))
	if t := p.Processor.Threads; t > 1 && p.Work > leastParallel {
		n = min(n, max(1, over(p.Batches, 4*t)))
	}
	return min(n, p.Batches)
}

func (p *Product) callWork() float64 { return p.Processor.callWork(p.Elem) }

// Width returns the columns of a register tile.
func (p *Product) Width() int { return p.Vecs * p.Lanes }

func (p *Product) choose(want Choices) {
	p.Rows, p.Vecs = min(want.Rows, p.M), want.Vecs
	switch {
	case want.Rows > 0:
	case p.Elem == ByteMatrix:
		p.Rows, p.Vecs = min(2*MatrixSide, p.M), min(2, over(p.N, MatrixSide))
	default:
		p.Rows, p.Vecs = p.Processor.tile(p.Elem, p.M, p.N)
	}
}

// apart returns the distance at which copies of rows of the given number of bytes lie. At least a cache line is left
// free after each row, since rows that lie apart by a multiple of a page displace each other from the cache.
func apart(bytes int) int {
	const line, page = 64, 4096
	row := over(bytes, line)*line + line
	if row%page == 0 {
		row += line
	}
	return row
}

// copyLeft plans a copy of A in which contracted elements lie side by side.
func (p *Product) copyLeft() {
	p.Left = LeftCopy{Row: apart(p.K * p.Size), From: p.StepA, Offset: p.OffsetA, Step: make([]int, len(p.Batch))}
	each := p.M * p.Left.Row
	p.Left.Bytes = each * p.Batches
	for i, x := range p.Batch {
		p.Left.Step[i] = x.A
		p.Batch[i].A = each
		each *= x.N
	}
	p.OffsetA, p.RowA, p.StepA, p.Down = 0, p.Left.Row, p.Size, false
}

func (p *Product) tiles(want Choices) {
	p.Down = p.StepA != p.Size && p.K > 1
	if p.Down && (p.Elem == ByteMatrix || want.Left.or(p.N >= 3*p.Lanes && p.M*p.K >= 4096)) {
		p.copyLeft()
	}
	p.choose(want)
	width := p.Width()
	p.RowsFirst = p.Elem == ByteMatrix && p.N*p.K*p.Size <= secondBytes
	switch {
	case p.ColB != p.Size && p.N != 1:
		p.Pack = Transposed
	case want.Right.or(p.M >= 4*p.Rows && p.N*p.K*p.Size > tileBytes && !p.isPanel()):
		p.Pack = Copied
	}
	work := p.callWork()
	p.Deep = int(work) / (p.Rows * width)
	if p.Pack != Direct {
		most := tileBytes / (width * p.Size)
		switch {
		case p.Elem == ByteMatrix:
			if p.K <= 4*most { // B from the second cache takes less time than reading sums again
				most *= 4
			}
		case p.M*p.N*p.Size > resultBytes:
			most = max(most, deepBytes/p.Size)
		}
		p.Deep = min(p.Deep, most)
	}
	p.Deep = max(p.Chunk, p.Deep/p.Chunk*p.Chunk)
	if want.Deep > 0 {
		p.Deep = want.Deep
	}
	deep := min(p.K, p.Deep)
	p.Each, p.Block = 1, p.M
	if one := float64(p.M) * float64(p.N) * float64(p.K); p.Pack == Direct && one <= work/2 {
		p.Each = p.share()
	}
	parts := 1 // items that keep the threads busy
	if t := p.Processor.Threads; t > 1 && p.Work > leastParallel {
		parts = 4 * t
	}
	wide := max(1, panelBytes/(deep*p.Size)/width) // tiles of a panel
	if p.Pack != Direct && parts > 1 {
		wide = max(1, min(wide, p.N*p.Batches/width/parts))
	}
	p.Panel = min(p.N, wide*width)
	if p.RowsFirst && parts == 1 {
		p.Panel = p.N
	}
	if want.Panel > 0 {
		p.Panel = min(p.N, max(width, want.Panel/width*width))
	}
	p.Calls = max(p.Rows, int(work/float64(min(p.Panel, p.N))/float64(deep))/p.Rows*p.Rows)
	if p.Pack == Direct {
		// Columns first: A's rows are read once a block.
		if p.Calls == p.Rows && float64(p.Rows)*float64(p.Panel)*float64(deep) > work {
			p.Panel = max(width, int(work/float64(p.Rows)/float64(deep))/width*width)
		}
		p.Block = min(p.M, p.Calls)
	}
	p.sweep(parts, want)
	columns, groups := over(p.N, p.Panel), over(p.Batches, p.Each)
	if parts > 1 && columns*groups < parts {
		n := over(parts, columns*groups)
		p.Block = min(p.Block, max(p.Rows, over(p.M/n, p.Rows)*p.Rows))
	}
	p.Items = [3]int{groups, columns, over(p.M, p.Block)}
	if p.Pack != Direct {
		p.Scratch = over(p.Panel, width) * width * deep * p.Size
	}
}

// isPanel reports whether B lies as a panel that is packed would.
func (p *Product) isPanel() bool {
	return p.ColB == p.Size && p.N == p.Width() && p.StepB == p.Width()*p.Size
}

// sweep plans a row times a matrix that is larger than the cache: a call takes a chain of contracted elements and as
// many columns as have room for their sums in the first cache.
func (p *Product) sweep(parts int, want Choices) {
	sweeps := p.M == 1 && p.Elem <= F64 && p.Pack == Direct && p.N > p.Width()
	if !sweeps || !want.Sweep.or(p.fromMemory()) {
		return
	}
	p.Sweep = true
	p.Vecs = 1 // of the tile for columns that do not fill a vector
	p.Deep, p.Panel = p.Chunk, min(p.N, sweepBytes/p.Size)
	if parts > 1 {
		p.Panel = min(p.Panel, max(1, over(p.N/2/p.Processor.Threads, p.Lanes))*p.Lanes)
	}
	p.Scratch = p.Panel * p.Size
}

func (p *Product) fromMemory() bool { return p.N*p.K*p.Size*p.Batches > cachedBytes }

// requestAhead is the number of contracted elements ahead of their use for which a row times a
// matrix from memory prefetches the matrix: its strips of columns are too short for the
// processor's own prefetching.
const requestAhead = 8

// The rows of register tiles: whole tiles, the rows that are left, and halves of both together.
const (
	WholeRows = iota
	RestRows
	HalfRows
)

// leastMatrixRows is the number of rows from which products of matrices of bytes take less time than others.
const leastMatrixRows = 4

// Tiles returns the register tiles, by WholeRows, RestRows or HalfRows, and by whole (0) or remaining (1) columns.
func (p *Product) Tiles() (tiles [3][2]Tile) {
	rows := [3]int{p.Rows, p.M % p.Rows, halves(p.M, p.Rows, p.Vecs)}
	if p.Elem == ByteMatrix {
		rows[HalfRows] = 0
	}
	vecs := [2]int{p.Vecs, over(p.N%p.Width(), p.Lanes)}
	for i, r := range rows {
		for j, v := range vecs {
			if r == 0 || v == 0 || i == 0 && p.M < r || j == 0 && p.N < p.Width() {
				continue
			}
			tiles[i][j] = Tile{Rows: r, Vecs: v, Whole: j == 0 || p.N%p.Lanes == 0}
			tiles[i][j].Beside = r > 1 && p.Elem != ByteMatrix && p.M <= mostPackedRows
			if r == 1 && p.Elem.Fused() && p.Elem != ByteMatrix && p.Pack == Direct && p.fromMemory() {
				tiles[i][j].Ahead = requestAhead
			}
		}
	}
	return tiles
}

// mostPackedRows is the number of rows up to which reading and packing B takes a noticeable part of a
// product.
const mostPackedRows = 512

// PacksOnce reports whether packing B once saves work in later products.
func (p *Product) PacksOnce() bool {
	for _, x := range p.Batch {
		if x.B != 0 {
			return false
		}
	}
	return p.Pack != Direct && !p.Few && p.M <= mostPackedRows
}

// PackedBytes returns the size of all panels.
func (p *Product) PackedBytes() int { return p.PanelAt(p.K, 0, 0) }

// PanelAt returns the offset of the panel that begins at column col, a multiple of a register
// tile's columns, and has n contracted elements from k on.
func (p *Product) PanelAt(k, col, n int) int {
	return (over(p.N, p.Width())*p.Width()*k + col*n) * p.Size
}

// SamePanels reports whether two plans read the same panels.
func (p *Product) SamePanels(q *Product) bool {
	return p == q || p.Pack == q.Pack && p.Few == q.Few && p.Vecs == q.Vecs && p.Deep == q.Deep && p.N == q.N && p.K == q.K
}
