package nn_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/nn"
)

func TestMinPoolSumPool(t *testing.T) {
	x, c := arraycheck.Vector32(3, 1, 2, 5, 4, 6), nn.PoolConfig{Window: []int{2}}
	arraycheck.NearAll(t, "MinPool", nn.MinPool(x, c), 1, 2, 4)
	arraycheck.NearAll(t, "SumPool", nn.SumPool(x, c), 4, 7, 10)
	sum := func(f func(weft.Array, nn.PoolConfig) weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array { return f(x, c).Sum() })(x)
	}
	arraycheck.NearAll(t, "gradient of MinPool", sum(nn.MinPool), 0, 1, 1, 0, 1, 0)
	arraycheck.NearAll(t, "gradient of SumPool", sum(nn.SumPool), 1, 1, 1, 1, 1, 1)
}
