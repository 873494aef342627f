package schedule_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

func run(t *testing.T, k *ir.Kernel, symbols []int64, buffers ...[]byte) {
	t.Helper()
	if err := ireval.Run(k, symbols, buffers); err != nil {
		t.Fatal(err)
	}
}

func TestCopyKernel(t *testing.T) {
	for _, n := range []int{0, 1, 7, 40} {
		from, to := make([]byte, 4*n), make([]byte, 4*n)
		for i := range from {
			from[i] = byte(3*i + 1)
		}
		run(t, schedule.CopyKernel(scalar.U32), []int64{int64(n)}, from, to)
		if !slices.Equal(from, to) {
			t.Errorf("%d elements: got %v, want %v", n, to, from)
		}
	}
}

// A loop that has ended stays so, whatever its condition becomes.
func TestAdvanceKernel(t *testing.T) {
	for _, c := range []struct{ live, test, more, count byte }{{0, 0, 0, 5}, {0, 1, 0, 5}, {1, 0, 0, 5}, {1, 1, 1, 6}} {
		count, live := []byte{5, 0, 0, 0}, []byte{c.live}
		run(t, schedule.AdvanceKernel(), nil, count, live, []byte{c.test})
		if live[0] != c.more || count[0] != c.count {
			t.Errorf("live %d, condition %d: got live %d and %d iterations, want %d and %d", c.live, c.test, live[0], count[0], c.more, c.count)
		}
	}
}

// An index out of range chooses the nearest branch; of a step that does not run, no branch runs.
func TestChoiceKernel(t *testing.T) {
	for index, want := range map[int32]int{-7: 0, -1: 0, 0: 0, 1: 1, 2: 2, 3: 2, 1 << 30: 2} {
		for live := range byte(2) {
			guards := []byte{9, 9, 9}
			run(t, schedule.ChoiceKernel(core.Int32, 3), nil, binary.LittleEndian.AppendUint32(nil, uint32(index)), []byte{live}, guards)
			for i, g := range guards {
				if (g == 1) != (i == want && live == 1) || g > 1 {
					t.Errorf("index %d, live %d: got guards %v, want only %d", index, live, guards, want)
				}
			}
		}
	}
	guards := make([]byte, 3)
	run(t, schedule.ChoiceKernel(core.Uint64, 3), nil, binary.LittleEndian.AppendUint64(nil, 1<<63), []byte{1}, guards)
	if want := []byte{0, 0, 1}; !slices.Equal(guards, want) {
		t.Errorf("index 2⁶³: got %v, want %v", guards, want)
	}
}
