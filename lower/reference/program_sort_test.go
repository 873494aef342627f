package reference

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A sort by a comparator is the stable sort of the standard library, for rows along any
// axis and several arrays.
func TestSortByIsStable(t *testing.T) {
	b := jaxpr.NewBuilder()
	i := core.Aval(core.Int32)
	x, y := b.Input(i), b.Input(i)
	b.Input(i)
	b.Input(i)
	seven := core.Lit(core.IntNumber(7), core.Int32)
	before := b.Build(b.Eqn(prim.GtP{}, b.Eqn(prim.RemP{}, x, seven)[0], b.Eqn(prim.RemP{}, y, seven)[0])[0])
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		shape []int
		axis  int
	}{{[]int{1000}, 0}, {[]int{3, 50}, 1}, {[]int{50, 3}, 0}, {[]int{2, 17, 3}, 1}, {[]int{2, 1}, 1}, {[]int{0, 3}, 0}} {
		a := core.Aval(core.Int32, c.shape...)
		key, pos := block.NewTensor(a), block.NewTensor(a)
		for k := range block.View[int32](key) {
			block.View[int32](key)[k], block.View[int32](pos)[k] = r.Int32N(100), int32(k)
		}
		out := []*block.Tensor{block.NewTensor(a), block.NewTensor(a)}
		f, _ := LookupProgram(indexed.SortByP{})
		f(indexed.SortByP{Dimension: c.axis, Before: before}, nil, []*block.Tensor{key, pos}, out)
		inner, n := 1, c.shape[c.axis]
		for _, m := range c.shape[c.axis+1:] {
			inner *= m
		}
		for row := range a.Size() / max(n, 1) {
			at := row/inner*n*inner + row%inner
			want := make([]int32, n)
			for k := range want {
				want[k] = int32(at + k*inner)
			}
			keys := block.View[int32](key)
			slices.SortStableFunc(want, func(p, q int32) int { return int(keys[q]%7) - int(keys[p]%7) })
			for k, p := range want {
				assert.Equal(t, p, block.View[int32](out[1])[at+k*inner], "%v along %d, row %d, element %d", c.shape, c.axis, row, k)
				assert.Equal(t, keys[p], block.View[int32](out[0])[at+k*inner])
			}
		}
	}
}
