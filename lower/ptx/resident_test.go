package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
)

// The assembler is told how many groups by wgmma a multiprocessor runs at once: as many as are launched for it, and
// no more than its registers and its shared memory hold.
func TestGroupsOfWGMMAAtOnce(t *testing.T) {
	two := false
	for _, kind := range []simt.TensorKind{simt.TF32, simt.BF16} {
		for _, rows := range []int{64, 128} {
			for _, columns := range []int{64, 128, 256} {
				for stages := 2; stages <= 6; stages++ {
					x := &simt.Tensor{Unit: simt.WGMMA, Kind: kind, M: 512, N: 512, K: 512, A: simt.Operand{Outer: 512, K: 1}, B: simt.Operand{Outer: 512, K: 1},
						Tile: [3]int{rows, columns, 128 / kind.Size()}, Stages: stages, Rows: 8}
					if x.SharedBytes() > 227<<10 {
						continue
					}
					f := simt.TensorFunc("product", x, [3]int64{512 * 512, 512 * 512, 512 * 512})
					n := x.Resident()
					if f.Resident != n || !strings.Contains(ptx.Print(90, f).Text, fmt.Sprintf("\n.minnctapersm %d\n", n)) {
						t.Errorf("%v, %d stages: %d groups are launched, %d run at once, and the assembler is told another number", x.Tile, stages, f.Resident, n)
					}
					if n*x.SharedBytes() > 227<<10 || n*x.Threads()*(columns/2+40) > 64<<10 && n > 1 {
						t.Errorf("%v, %d stages: %d groups have no room", x.Tile, stages, n)
					}
					two = two || n == 2 && rows == 64 && columns == 128
				}
			}
		}
	}
	if !two {
		t.Error("tiles of 64×128 run one at a time")
	}
}
