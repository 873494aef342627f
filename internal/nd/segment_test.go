package nd_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// The largest and the least of a segment are elements of it, in types without infinities, too.
func TestExtremesOfSegments(t *testing.T) {
	ids := weft.Of(0, 0, 1)
	for dt := range core.DType(core.NumDTypes) {
		if !dt.IsNumber() || dt.IsComplex() || dt == core.Float0 {
			continue
		}
		x := weft.Of(1., 2, 4).AsType(dt)
		largest, least := weft.SegmentReduce(x, ids, 2, weft.ReduceMax), weft.SegmentReduce(x, ids, 2, weft.ReduceMin)
		if want := weft.Of(2., 4).AsType(dt); dt.Bits() > 2 && !equalNumbers(largest, want) {
			t.Errorf("%v: the largest are %v, want %v", dt, largest, want)
		}
		if want := weft.Of(1., 4).AsType(dt); dt.Bits() > 2 && !equalNumbers(least, want) {
			t.Errorf("%v: the least are %v, want %v", dt, least, want)
		}
		some := weft.Of(true, false, true)
		if got, want := weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceMax, Where: some, Initial: 1}), weft.Scalar(4.).AsType(dt); dt.Bits() > 3 && !equalNumbers(got, want) {
			t.Errorf("%v: the largest of some is %v, want %v", dt, got, want)
		}
	}
}

func equalNumbers(x, y weft.Array) bool {
	return x.AsType(weft.Float64).Eq(y.AsType(weft.Float64)).All().Bool()
}
