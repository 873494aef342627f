package cpu

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// packing states how a product reads its right operand.
type packing uint8

const (
	direct packing = iota // where it lies
	copied                // panels of columns are copied into a thread's scratch
	turned                // its contracted elements lie side by side: panels are turned
)

// productPlan is how a product runs: chosen from its shape alone, and of no influence on
// its numbers. Strides and steps are bytes.
type productPlan struct {
	isa        amd64.ISA
	threads    int
	elem       amd64.TileElem
	size       int // bytes of an element
	m, n, k    int
	a, b       int // offsets of the operands
	ra, ka     int // from row to row of A, from contracted element to the next
	cb, kb     int // from column to column of B, from contracted element to the next
	ldc        int // from row to row of C
	batch      []batchAxis
	batches    int
	want       schedule
	sweeps     bool // a row times a matrix whose rows can be read as a whole
	turns      bool // A may be copied first so that its contracted elements are neighbours
	copies     bool // panels of B may be copied, or read where they lie
	few        bool // the products of a matrix's rows with up to four vectors
	rowsA      bool // few: the rows are A's, the vector is B's column
	down       bool
	pieces     bool      // the contracted elements of a row of A are pieces of memory
	left       *leftCopy // of A; nil: A is read where it lies
	rows, vecs int       // of the register tile
	lanes      int
	pack       packing
	deep       int // contracted elements of a call; K beyond takes several
	// Items, each of one thread: batches, panels of columns, blocks of rows.
	each   int // batches of an item
	panel  int // columns of an item
	block  int // rows of an item
	calls  int // rows of a call
	items  [3]int
	tiles  [2][2]*native.Code // tile and rest: rows, columns
	move   *native.Code       // brings a panel of B into scratch memory
	dots   [2]*native.Code    // a group of rows at a time, two
	sweep  *native.Code       // a row times a matrix: reads whole rows of B; nil: a tile's columns
	long   *native.Code       // few: each row by itself, group elements at a time; nil: rows are lanes
	group  int
	flops  float64
	stores int // scratch bytes of a thread
}

// batchAxis is a batch axis with its steps.
type batchAxis struct{ n, a, b, c int }

// callWork returns the multiplications of a call of about 100 µs.
func (p *productPlan) callWork() float64 {
	rate := 90.0 // a nanosecond
	if p.isa == amd64.AVX2 {
		rate /= 2
	}
	if p.size == 8 {
		rate /= 2
	}
	if !p.elem.Float() {
		rate /= 4
	}
	return rate * callTime
}

var tileElems = map[core.DType]amd64.TileElem{
	core.Float32: amd64.TileF32, core.Float64: amd64.TileF64,
	core.Int32: amd64.TileI32, core.Uint32: amd64.TileI32, core.Int64: amd64.TileI64, core.Uint64: amd64.TileI64,
}

// planProduct chooses how a product runs on some number of threads.
func planProduct(s *fuse.Product, isa amd64.ISA, threads int) (*productPlan, error) {
	return planProductAs(s, isa, threads, schedule{})
}

// planProductAs is planProduct, of which the schedule makes some choices.
func planProductAs(s *fuse.Product, isa amd64.ISA, threads int, want schedule) (*productPlan, error) {
	e, ok := tileElems[s.Type]
	if !ok {
		return nil, fmt.Errorf("product of type %v", s.Type)
	}
	if s.Pairs {
		e = amd64.TileBF16
	}
	z := e.Size()
	p := &productPlan{want: want, isa: isa, threads: threads, elem: e, size: z, m: s.M, n: s.N, k: s.K, a: s.A.Offset * z, b: s.B.Offset * z,
		ra: s.A.Outer * z, ka: s.A.K * z, cb: s.B.Outer * z, kb: s.B.K * z, batches: 1, lanes: amd64.Tile{ISA: isa, Elem: e}.Lanes()}
	c := s.M * s.N * z
	for i := len(s.Batch) - 1; i >= 0; i-- {
		x := s.Batch[i]
		p.batch = append(p.batch, batchAxis{x.N, x.A * z, x.B * z, c * p.batches})
		p.batches *= x.N
	}
	p.flops = float64(s.M) * float64(s.N) * float64(s.K) * float64(p.batches)
	if s.N == 1 && s.M > 1 && p.ka != z && s.K > 1 { // a row times a matrix
		p.m, p.n = p.n, p.m
		p.a, p.b, p.ra, p.ka, p.cb, p.kb = p.b, p.a, p.cb, p.kb, p.ra, p.ka
		for i, x := range p.batch {
			p.batch[i].a, p.batch[i].b = x.b, x.a
		}
	}
	p.ldc = p.n * p.size
	if p.fewVectors() && want.Few.or(true) {
		return p, p.planFew(s.Chunk, threads)
	}
	return p, p.planTiles(s.Chunk, threads)
}

// fewVectors reports whether one operand is up to four vectors and the other one a
// matrix whose contracted elements lie side by side.
func (p *productPlan) fewVectors() bool {
	if p.elem > amd64.TileF64 || p.k < 8 {
		return false
	}
	if p.n == 1 && p.ka == p.size && p.kb == p.size {
		p.rowsA = true
		return true
	}
	return p.m <= 4 && p.kb == p.size && p.ka == p.size && p.n > 1
}

// planFew chooses blocks of rows of about 100 µs at the speed of memory.
func (p *productPlan) planFew(chunk, threads int) error {
	p.few = true
	vecs, rows := p.m, p.n
	if p.rowsA {
		vecs, rows = 1, p.m
	}
	group := p.lanes
	const bytes = 3 << 20
	p.deep = max(chunk, bytes/(2*group*p.size)/chunk*chunk)
	deep := min(p.k, p.deep)
	p.calls = max(2*group, bytes/(deep*p.size)/(2*group)*(2*group))
	p.block = rows
	if t := threads * 2; threads > 1 && p.flops > parallelTime*8 && p.batches < t {
		p.block = min(p.block, max(2*group, (rows+t-1)/t/(2*group)*(2*group)))
	}
	p.each, p.panel = p.share(threads), rows
	p.items = [3]int{(p.batches + p.each - 1) / p.each, 1, (rows + p.block - 1) / p.block}
	for i := range p.dots {
		if i == 1 && vecs > 2 {
			p.dots[1] = p.dots[0]
			break
		}
		code, err := micro(amd64.RowDots{ISA: p.isa, Elem: p.elem, Vecs: vecs, Twice: i == 1, Chunk: chunk})
		if err != nil {
			return err
		}
		p.dots[i] = code
	}
	if d := (amd64.LongDot{ISA: p.isa, Elem: p.elem, Chunk: chunk}); vecs == 1 && rows <= p.lanes/4 && p.k >= d.Group() {
		code, err := micro(d)
		if err != nil {
			return err
		}
		p.long, p.group = code, d.Group()
	}
	return nil
}

// share returns the batches of an item where an item is at least one product.
func (p *productPlan) share(threads int) int {
	one := max(1, p.flops/float64(p.batches))
	n := max(1, int(p.callWork()/one))
	if threads > 1 && p.flops > parallelTime*50 {
		n = min(n, max(1, (p.batches+4*threads-1)/(4*threads)))
	}
	return min(n, p.batches)
}

// cycles estimates the time of a tile for each contracted element.
func cycles(rows, vecs int) float64 {
	return max(float64(rows*vecs)/2, float64(rows+vecs)/2, 4)
}

// choose sets the register tile of the schedule, else the one that wastes least.
func (p *productPlan) choose() {
	if p.want.Rows > 0 {
		p.rows, p.vecs = min(p.want.Rows, p.m), p.want.Vecs
		return
	}
	best := -1.0
	for r, v := range p.registerTiles(p.m) {
		across := func(r int) float64 {
			c := float64(p.n/(v*p.lanes)) * cycles(r, v)
			if rest := p.n % (v * p.lanes); rest > 0 {
				c += cycles(r, (rest+p.lanes-1)/p.lanes)
			}
			return c
		}
		c := float64(p.m/r) * across(r)
		if rest := p.m % r; rest > 0 {
			c += across(rest)
		}
		// Large tiles read less for each product.
		if c *= 1 + 0.1*(1/float64(r)+1/float64(v)); best < 0 || c < best {
			best, p.rows, p.vecs = c, r, v
		}
	}
}

// tileBytes is what stays in the fastest cache: a register tile's columns of B.
const tileBytes = 32 << 10

// turnLeft plans a copy of A whose contracted elements lie side by side, in memory for
// one run: rows that lie apart by a power of two displace each other from the cache.
func (p *productPlan) turnLeft() error {
	const line = 64
	p.left = &leftCopy{ld: (p.k*p.size+line-1)/line*line + line, from: p.ka, at: p.a, step: make([]int, len(p.batch))}
	each := p.m * p.left.ld
	p.left.bytes = each * p.batches
	for i, x := range p.batch {
		p.left.step[i] = x.a
		p.batch[i].a = each
		each *= x.n
	}
	p.a, p.ra, p.ka, p.down = 0, p.left.ld, p.size, false
	var err error
	p.left.turn, err = micro(amd64.Turn{ISA: p.isa, Size: p.size})
	return err
}

// leftCopy describes a copy of A.
type leftCopy struct {
	turn  *native.Code
	ld    int   // bytes from row to row
	bytes int   // in all
	from  int   // bytes from contracted element to the next in A
	at    int   // offset of A
	step  []int // of A along the batch axes
}

func (p *productPlan) planTiles(chunk, threads int) error {
	p.down = p.ka != p.size && p.k > 1
	p.turns = p.down
	if p.down && p.want.Left.or(p.n >= 3*p.lanes && p.m*p.k >= 4096) {
		if err := p.turnLeft(); err != nil {
			return err
		}
	}
	p.choose()
	width := p.vecs * p.lanes
	bytesB := p.n * p.k * p.size
	p.copies = p.cb == p.size || p.n == 1
	switch {
	case !p.copies:
		p.pack = turned
	case p.want.Right.or(p.m >= 4*p.rows && bytesB > tileBytes):
		p.pack = copied
	}
	work := p.callWork()
	const panelBytes = 512 << 10
	p.deep = int(work) / (p.rows * width)
	if p.pack != direct {
		p.deep = min(p.deep, tileBytes/(width*p.size))
	}
	p.deep = p.deepFrom(chunk, max(chunk, p.deep/chunk*chunk))
	deep := min(p.k, p.deep)
	p.each, p.panel, p.block = 1, p.n, p.m
	if one := float64(p.m) * float64(p.n) * float64(p.k); p.pack == direct && one <= work/2 {
		p.each = p.share(threads)
	}
	parts := 1 // items that keep the threads busy
	if threads > 1 && p.flops > parallelTime*50 {
		parts = 4 * threads
	}
	if p.pack != direct {
		wide := max(1, panelBytes/2/(deep*p.size)/width)
		if parts > 1 {
			wide = max(1, min(wide, p.n*p.batches/width/parts))
		}
		p.panel = p.panelFrom(min(p.n, wide*width))
		p.stores = (p.panel + width) * deep * p.size
	} else {
		p.panel = p.panelFrom(min(p.n, max(1, panelBytes/2/(deep*p.size)/width)*width))
	}
	p.calls = max(p.rows, int(work/float64(min(p.panel, p.n))/float64(deep))/p.rows*p.rows)
	if p.pack == direct {
		// Columns first: A's rows are read once a block.
		if p.calls == p.rows && float64(p.rows)*float64(p.panel)*float64(deep) > work {
			p.panel = max(width, int(work/float64(p.rows)/float64(deep))/width*width)
		}
		p.block = min(p.m, p.calls)
	}
	if err := p.planSweep(chunk, parts); err != nil {
		return err
	}
	columns := (p.n + p.panel - 1) / p.panel
	groups := (p.batches + p.each - 1) / p.each
	if parts > 1 && columns*groups < parts {
		n := (parts + columns*groups - 1) / (columns * groups)
		p.block = min(p.block, max(p.rows, (p.m/n+p.rows-1)/p.rows*p.rows))
	}
	p.items = [3]int{groups, columns, (p.m + p.block - 1) / p.block}
	return p.compile(chunk)
}

// sweepBytes is the size of the sums that stay in the fastest cache.
const sweepBytes = 16 << 10

// planSweep plans a row times a matrix that is larger than the cache: a call takes a chain of
// contracted elements and as many columns as have sums in the fastest cache.
func (p *productPlan) planSweep(chunk, parts int) (err error) {
	p.sweeps = p.m == 1 && p.elem <= amd64.TileF64 && p.pack == direct && p.n > p.vecs*p.lanes
	if !p.sweeps || !p.want.Sweep.or(p.n*p.k*p.size*p.batches > cachedBytes) {
		return nil
	}
	p.vecs = 1 // of the tile for columns that are no whole vector
	p.deep, p.panel = chunk, min(p.n, sweepBytes/p.size)
	if parts > 1 {
		p.panel = min(p.panel, max(1, (p.n/2/p.threads+p.lanes-1)/p.lanes)*p.lanes)
	}
	p.stores = p.panel * p.size
	p.sweep, err = micro(amd64.Sweep{ISA: p.isa, Elem: p.elem})
	return err
}

// A row times a matrix that is larger than cachedBytes requests the matrix from memory
// requestAhead contracted elements before their use: its strips of columns are too short
// for the processor to foresee what follows.
const (
	cachedBytes  = 512 << 10
	requestAhead = 8
)

// compile loads the micro-kernels.
func (p *productPlan) compile(chunk int) error {
	width := p.vecs * p.lanes
	rows := [2]int{p.rows, p.m % p.rows}
	vecs := [2]int{p.vecs, (p.n%width + p.lanes - 1) / p.lanes}
	for i, r := range rows {
		for j, v := range vecs {
			if r == 0 || v == 0 || i == 0 && p.m < r || j == 0 && p.n < width {
				continue
			}
			t := p.tile()
			t.Rows, t.Vecs, t.Chunk, t.Down, t.Pieces = r, v, chunk, p.down, p.pieces
			if r == 1 && p.elem.Float() && p.pack == direct && p.n*p.k*p.size*p.batches > cachedBytes {
				t.Ahead = requestAhead
			}
			code, err := micro(t)
			if err != nil {
				return err
			}
			p.tiles[i][j] = code
		}
	}
	var err error
	switch p.pack {
	case turned:
		p.move, err = micro(amd64.Turn{ISA: p.isa, Size: p.size})
	case copied:
		p.move, err = micro(amd64.RowCopy{ISA: p.isa, Size: p.size})
	}
	return err
}
