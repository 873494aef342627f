package cpu

import (
	"sync"

	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// microCode holds the micro-kernels of dense work. They serve every shape, so that the
// process compiles each once.
var microCode struct {
	mu    sync.Mutex
	codes map[any]*native.Code
}

// micro returns the code of a micro-kernel: an amd64.Tile, Turn, RowCopy, RowDots, LongDot, Sweep or Largest.
func micro(kind any) (*native.Code, error) {
	microCode.mu.Lock()
	defer microCode.mu.Unlock()
	if c := microCode.codes[kind]; c != nil {
		return c, nil
	}
	var code *amd64.Code
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
