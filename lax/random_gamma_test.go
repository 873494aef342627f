package lax_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/wefttest"
)

// Keys of an array draw what each of them draws alone, and logarithms are those of the samples.
func TestRandomGamma(t *testing.T) {
	keys := lax.RandomSplit(lax.RandomWrap(weft.From([]uint32{0, 3})), 2)
	a := weft.From([][]float64{{0.5, 2, 7}, {1, 0.1, 30}})
	both := lax.RandomGamma(keys, a, false)
	for i := range 2 {
		one := lax.RandomGamma(lax.IndexInDim(keys, i, 0, false), lax.IndexInDim(a, i, 0, false), false)
		wefttest.AllClose(t, one, lax.IndexInDim(both, i, 0, false), wefttest.Tolerance{Exact: true})
	}
	wefttest.AllClose(t, lax.Exp(lax.RandomGamma(keys, a, true)), both, wefttest.Tolerance{Rel: 1e-12})
}
