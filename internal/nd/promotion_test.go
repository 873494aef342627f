package nd

import (
	"math"
	"math/big"
	"testing"

	"github.com/weft-go/weft/core"
)

// A Go integer that becomes a float is rounded once, to the nearest even one.
func TestIntegersBecomeFloats(t *testing.T) {
	var numbers []int64
	for _, v := range []int64{0, 1, 1 << 24, 1<<24 + 1, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<60 + 1<<36, 1<<60 + 1<<36 + 1, math.MaxInt64} {
		numbers = append(numbers, v, -v)
	}
	for _, v := range append(numbers, math.MinInt64) {
		exact := new(big.Float).SetInt64(v)
		want32, _ := exact.Float32()
		want64, _ := exact.Float64()
		for dt, want := range map[core.DType]float64{core.Float32: float64(want32), core.Float64: want64} {
			l := core.Literal{Num: core.IntNumber(v), Type: core.Int32, Weak: true, Bare: true}
			if got := ConvertLiteral("Add", l, dt, false); got != core.Lit(core.FloatNumber(want), dt) {
				t.Errorf("%d as %v: got %v, want %v", v, dt, got, want)
			}
		}
	}
}
