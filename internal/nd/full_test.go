package nd

import (
	"math"
	"math/big"
	"testing"

	"github.com/weft-go/weft/core"
)

// The number of integers of a range is that of exact arithmetic, at the ends of both types, too.
func TestStepsOfIntegers(t *testing.T) {
	var numbers []core.Number
	for _, v := range []int64{math.MinInt64, math.MinInt64 + 1, -7, -2, -1, 0, 1, 2, 3, 10, math.MaxInt64 - 1, math.MaxInt64} {
		numbers = append(numbers, core.IntNumber(v))
	}
	for _, v := range []uint64{0, 1, 5, math.MaxInt64, 1 << 63, math.MaxUint64 - 1, math.MaxUint64} {
		numbers = append(numbers, core.UintNumber(v))
	}
	exact := func(n core.Number) *big.Int {
		v, _ := new(big.Int).SetString(n.IntegerText(), 10)
		return v
	}
	for _, start := range numbers {
		for _, stop := range numbers {
			for _, step := range numbers {
				var got int
				err := core.Catch(func() { got = steps(start, stop, step) })
				by := exact(step)
				if by.Sign() == 0 {
					if err == nil {
						t.Errorf("from %v to %v by 0: got %d, want an error", start.IntegerText(), stop.IntegerText(), got)
					}
					continue
				}
				want, rest := new(big.Int), new(big.Int)
				want.Sub(exact(stop), exact(start)).QuoRem(want, by, rest)
				if rest.Sign() != 0 && rest.Sign() == by.Sign() {
					want.Add(want, big.NewInt(1))
				}
				switch {
				case want.Sign() < 0:
					want.SetInt64(0)
				case !want.IsInt64():
					if err == nil {
						t.Errorf("from %v to %v by %v: got %d, want an error", start.IntegerText(), stop.IntegerText(), by, got)
					}
					continue
				}
				if err != nil || int64(got) != want.Int64() {
					t.Errorf("from %v to %v by %v: got %d, %v, want %v", start.IntegerText(), stop.IntegerText(), by, got, err, want)
				}
			}
		}
	}
}
