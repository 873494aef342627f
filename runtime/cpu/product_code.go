package cpu

import (
	"sync"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// microCode holds the micro-kernels of dense work. They serve every shape, so that the
// process compiles each once.
var microCode struct {
	mu    sync.Mutex
	codes map[any]*native.Code
}

// processor describes processors with an instruction set. The costs of statements were measured
// by BenchmarkEstimates on an EPYC (Zen 5, 3.7 GHz): for each four bytes they lie between 0.006
// and 0.023 ns with AVX-512 and 0.008 and 0.046 with AVX2.
func processor(isa amd64.ISA) schedule.Processor {
	if isa == amd64.AVX512 {
		return schedule.Processor{Threads: 1, Vector: 64, Registers: 32, Wide: 2, Rate: 90, Statement: 0.023}
	}
	return schedule.Processor{Threads: 1, Vector: 32, Registers: 15, Wide: 4, Rate: 45, Statement: 0.046} // one register holds a mask
}

// tileElems are the types of micro-kernels for the elements of products.
var tileElems = [...]amd64.TileElem{schedule.F32: amd64.TileF32, schedule.F64: amd64.TileF64, schedule.I32: amd64.TileI32, schedule.I64: amd64.TileI64, schedule.BF16Pair: amd64.TileBF16, schedule.I16Pair: amd64.TileI16}

// compiledProduct is the plan of a product with its micro-kernels.
type compiledProduct struct {
	schedule.Product
	isa         amd64.ISA
	tiles       [2][2]*native.Code // tile and rest: rows, columns
	move        *native.Code       // brings a panel of B into scratch memory
	copyA       *native.Code       // copies A so that its contracted elements lie side by side
	dots        [2]*native.Code    // Few: a group of rows at a time, two
	long, sweep *native.Code
}

// compileProduct returns a plan with its micro-kernels.
func compileProduct(plan *schedule.Product, isa amd64.ISA) (p *compiledProduct, err error) {
	p = &compiledProduct{Product: *plan, isa: isa}
	load := func(kind any) (c *native.Code) {
		if err == nil {
			c, err = micro(kind)
		}
		return c
	}
	e := tileElems[p.Elem]
	if p.Few {
		vecs := p.M
		if p.RowsA {
			vecs = 1
		}
		for i := range p.dots {
			p.dots[i] = load(amd64.RowDots{ISA: isa, Elem: e, Vecs: vecs, Twice: i == 1 && vecs <= 2, Chunk: p.Chunk})
		}
		if p.Long > 0 {
			p.long = load(amd64.LongDot{ISA: isa, Elem: e, Chunk: p.Chunk})
		}
		return p, err
	}
	for i, row := range p.Tiles() {
		for j, t := range row {
			if t.Rows > 0 {
				p.tiles[i][j] = load(amd64.Tile{ISA: isa, Elem: e, Rows: t.Rows, Vecs: t.Vecs, Chunk: p.Chunk, Down: p.Down, Pieces: p.Pieces, Ahead: t.Ahead})
			}
		}
	}
	if p.Left.Bytes > 0 {
		p.copyA = load(amd64.Turn{ISA: isa, Size: p.Size})
	}
	if p.Sweep {
		p.sweep = load(amd64.Sweep{ISA: isa, Elem: e})
	}
	switch p.Pack {
	case schedule.Transposed:
		p.move = load(amd64.Turn{ISA: isa, Size: p.Size})
	case schedule.Copied:
		p.move = load(amd64.RowCopy{ISA: isa, Size: p.Size})
	}
	return p, err
}

// micro returns the code of a micro-kernel: an amd64.Tile, Turn, RowCopy, RowDots, LongDot, Sweep or Largest.
func micro(kind any) (*native.Code, error) {
	microCode.mu.Lock()
	defer microCode.mu.Unlock()
	if c := microCode.codes[kind]; c != nil {
		return c, nil
	}
	var code *codegen.Code
	var err error
	switch k := kind.(type) {
	case amd64.Tile:
		code, err = amd64.CompileTile(k)
	case amd64.Turn:
		code, err = amd64.CompileTurn(k)
	case amd64.RowCopy:
		code, err = amd64.CompileRowCopy(k)
	case amd64.Largest:
		code, err = amd64.CompileLargest(k)
	case amd64.RowDots:
		code, err = amd64.CompileRowDots(k)
	case amd64.Sweep:
		code, err = amd64.CompileSweep(k)
	case amd64.LongDot:
		code, err = amd64.CompileLongDot(k)
	}
	if err != nil {
		return nil, err
	}
	c, err := native.Load(code.Name, code.Bytes)
	if err != nil {
		return nil, err
	}
	if microCode.codes == nil {
		microCode.codes = map[any]*native.Code{}
	}
	microCode.codes[kind] = c
	return c, nil
}

// setLanes writes the mask of the first n lanes: 32 bytes for AVX2, a word of bits for
// AVX-512.
func setLanes(words []uint64, isa amd64.ISA, size, n int) {
	if isa == amd64.AVX512 {
		words[0] = 1<<n - 1
		return
	}
	for i := range 4 {
		words[i] = 0
	}
	if size == 8 {
		for i := range n {
			words[i] = ^uint64(0)
		}
		return
	}
	for i := range n {
		words[i/2] |= 0xffffffff << (32 * (i % 2))
	}
}
