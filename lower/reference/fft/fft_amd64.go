//go:build !purego

package fft

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"golang.org/x/sys/cpu"
)

//go:noescape
func stageRows2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stageRows3(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stageRows4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stageRows5(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stageLast2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stageLast3(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stageLast4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stageLast5(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func stagePairs4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func wideC64(to, src unsafe.Pointer, n int)

//go:noescape
func wideF32(to, src unsafe.Pointer, n int)

//go:noescape
func wideF64(to, src unsafe.Pointer, n int)

//go:noescape
func narrowC64(to, src unsafe.Pointer, n int)

//go:noescape
func loadColumns(to, src unsafe.Pointer, step, n int)

//go:noescape
func storeColumnsC64(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)

//go:noescape
func storeColumnsC128(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)

func init() {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		fftStageKernel, fftRowsKernel = stageKernel512, rowsKernel512
		wideners[core.Complex64], wideners[core.Float32], wideners[core.Float64] = wideC64, wideF32, wideF64
		narrower = narrowC64
		columnLoad = loadColumns
		columnStores[core.Complex64], columnStores[core.Complex128] = storeColumnsC64, storeColumnsC128
	}
}

// stageKernel512 chooses a kernel whose registers hold four rows of one number, or two rows of
// two, where a stage has enough of them.
func stageKernel512(s *fftStage, n int, w []block.Complex) {
	switch {
	case s.m == 1 && s.q <= 4 && s.q != 3 && s.l%4 == 0:
		s.kernel, s.groups = stageLast4, s.l
		if s.q == 2 {
			s.kernel = stageLast2
		}
		s.twiddles(0, 4, 1, w)
	case s.m == 1 && (s.q == 3 || s.q == 5) && s.l >= 8:
		s.kernel = stageLast3
		if s.q == 5 {
			s.kernel = stageLast5
		}
		s.first, s.groups = 4, s.l&^3-4
		s.turns(n, w)
		s.twiddles(4, 4, 1, w)
	case s.m == 2 && s.q == 4 && s.l%2 == 0:
		s.kernel, s.groups = stagePairs4, s.l
		s.twiddles(0, 2, 2, w)
	default:
		rowsKernel512(s, n, w)
	}
}

// rowsKernel512 chooses a kernel whose registers hold numbers of one row.
func rowsKernel512(s *fftStage, n int, w []block.Complex) {
	first := 0
	switch s.q {
	case 2:
		s.kernel = stageRows2
	case 3:
		s.kernel, first = stageRows3, 1
	case 4:
		s.kernel = stageRows4
	case 5:
		s.kernel, first = stageRows5, 1
	default:
		return
	}
	s.groups = s.l
	s.turns(n, w)
	s.twiddles(first, 1, 1, w)
}

// turns stores the roots of unity by which stages of odd factors multiply.
func (s *fftStage) turns(n int, w []block.Complex) {
	switch turn := n / s.q; s.q {
	case 3:
		s.w = append(s.w, w[turn])
	case 5:
		s.w = append(s.w, w[turn], w[2*turn], w[4*turn])
	}
}

// twiddles stores the twiddles of the groups from the first on: those of `side` groups side by
// side, each repeated `numbers` times.
func (s *fftStage) twiddles(first, side, numbers int, w []block.Complex) {
	for j := first; j < s.l-s.l%side; j += side {
		for r := 1; r < s.q; r++ {
			for k := range side {
				for range numbers {
					s.w = append(s.w, w[r*s.m*(j+k)])
				}
			}
		}
	}
}
