package cpu

import (
	"sync"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// microCode holds micro-kernels. They serve every shape, so that the process compiles each once.
var microCode struct {
	mu    sync.Mutex
	codes map[microKey]*native.Code
}

type microKey struct {
	kernel codegen.MicroKernel
	isa    codegen.ISA
}

type compiledProduct struct {
	schedule.Product
	model       *codegen.Model
	tiles       [3][2]*native.Code // see [schedule.Product.Tiles]
	move        *native.Code       // packs a panel of B
	copyA       *native.Code       // copies A so that its contracted elements lie side by side
	dots        [2]*native.Code    // Few: code for one group of rows at a time, and for two
	long, sweep *native.Code
}

func (e *executor) compileProduct(plan *schedule.Product) (p *compiledProduct, err error) {
	p = &compiledProduct{Product: *plan, model: e.isa.Model()}
	load := func(k codegen.MicroKernel) (c *native.Code) {
		if err == nil {
			c, err = e.micro(k)
		}
		return c
	}
	if p.Few {
		vecs := p.M
		if p.RowsA {
			vecs = 1
		}
		for i := range p.dots {
			p.dots[i] = load(codegen.RowDots{Elem: p.Elem, Vecs: vecs, Twice: i == 1 && vecs <= 2, Chunk: p.Chunk})
		}
		if p.Long > 0 {
			p.long = load(codegen.LongDot{Elem: p.Elem, Chunk: p.Chunk})
		}
		return p, err
	}
	for i, row := range p.Tiles() {
		for j, t := range row {
			if t.Rows > 0 {
				p.tiles[i][j] = load(codegen.Tile{Elem: p.Elem, Rows: t.Rows, Vecs: t.Vecs, Chunk: p.Chunk, Down: p.Down, Pieces: p.Pieces, Whole: t.Whole, Ahead: t.Ahead, Beside: t.Beside})
			}
		}
	}
	if p.Left.Bytes > 0 {
		p.copyA = load(codegen.Transpose{Size: p.Size})
	}
	if p.Sweep {
		p.sweep = load(codegen.Sweep{Elem: p.Elem})
	}
	switch p.Pack {
	case schedule.Transposed:
		p.move = load(codegen.Transpose{Size: p.Size})
	case schedule.Copied:
		p.move = load(codegen.RowCopy{Size: p.Size})
	}
	return p, err
}

func micro(k codegen.MicroKernel, isa codegen.ISA) (*native.Code, error) {
	microCode.mu.Lock()
	defer microCode.mu.Unlock()
	key := microKey{k, isa}
	if c := microCode.codes[key]; c != nil {
		return c, nil
	}
	code, err := codegen.CompileMicro(k, isa)
	if err != nil {
		return nil, err
	}
	c, err := native.Load(code.Name, code.Bytes)
	if err != nil {
		return nil, err
	}
	if microCode.codes == nil {
		microCode.codes = map[microKey]*native.Code{}
	}
	microCode.codes[key] = c
	return c, nil
}
