package simt_test

import (
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// The least elements of rows are selected, of equal ones the first, where groups have one tile and several, and where
// few are less than the K-th and most are equal to it.
func TestSelect(t *testing.T) {
	race.Values(t)
	r := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct {
		rows, n, k, groups int64
		distinct           uint32
	}{
		{1, 2100, 500, 1, 1 << 31},
		{1, 2100, 700, 1, 4},
		{2, 1100, 300, 4, 3},
		{1, 1030, 1, 0, 1},
	} {
		s := simttest.Select(c.rows, c.n, c.k)
		s.Groups = c.groups
		words := func(n int64) []byte { return make([]byte, 4*n) }
		x := words(c.rows * c.n)
		for i := range c.rows * c.n {
			binary.NativeEndian.PutUint32(x[4*i:], r.Uint32N(c.distinct)*0x10101)
		}
		run := func(k schedule.Kernel, buffers ...[]byte) {
			t.Helper()
			f := simt.FuncOf(k)
			if err := simteval.Run(f, nil, buffers, int(f.Groups(nil))); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
		_, _, groups := s.Tiles()
		counts, known, left, sides := words(256*c.rows), words(c.rows), words(c.rows), words(2*groups*c.rows)
		for i, l := range s.Levels() {
			buffers := [][]byte{x}
			if i > 0 {
				buffers = append(buffers, known)
			}
			run(&schedule.SelectCount{Select: s, SelectLevel: l}, append(buffers, counts)...)
			run(&schedule.SelectDigit{Select: s, SelectLevel: l}, counts, known, left)
		}
		keys, numbers := words(c.rows*c.k), words(c.rows*c.k)
		run(&schedule.SelectSides{Select: s}, x, known, sides)
		run(&schedule.SelectPlace{Select: s}, x, known, left, sides, keys, numbers)
		for row := range c.rows {
			key := func(i uint32) uint32 { return binary.NativeEndian.Uint32(x[4*(row*c.n+int64(i)):]) }
			var want, got []uint32
			for i := range uint32(c.n) {
				want = append(want, i)
			}
			byKey := func(a, b uint32) int { return cmp.Compare(key(a), key(b)) }
			slices.SortStableFunc(want, byKey)
			for i := row * c.k; i < (row+1)*c.k; i++ {
				number := binary.NativeEndian.Uint32(numbers[4*i:])
				got = append(got, number)
				if k := binary.NativeEndian.Uint32(keys[4*i:]); k != key(number) {
					t.Errorf("%+v: the key of element %d is %#x, want %#x", c, number, k, key(number))
				}
			}
			slices.SortStableFunc(got, byKey) // a sort follows these kernels
			if !slices.Equal(got, want[:c.k]) {
				t.Errorf("%+v: got %v, want %v", c, got[:9], want[:9])
			}
		}
	}
}
