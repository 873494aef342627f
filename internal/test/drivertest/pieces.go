package drivertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// Pieces runs random programs that join arrays of few elements and sum over the result, and
// requires the reference's bits. Their kernels have a loop for each piece, with barriers between,
// and most loops are shorter than a group has threads.
func Pieces(t *testing.T, e runtime.Executor, programs int) {
	r := rand.New(rand.NewPCG(5, 8))
	var params, text, outs []string
	var in []core.ShapedArray
	names := 0
	name := func() string { names++; return fmt.Sprintf("v%d", names) }
	for range programs {
		var pieces []string
		n := 0
		for range 2 + r.IntN(6) {
			size := []int{1, 2, 3, 5, 10, 16, 31, 33, 63, 64, 65, 100, 130}[r.IntN(13)]
			n += size
			p := name()
			in = append(in, core.Aval(core.Float32, size))
			params = append(params, fmt.Sprintf("%s:f32[%d]", p, size))
			pieces = append(pieces, p)
		}
		x, abs, scaled, allowed, ratio, square, sum, root := name(), name(), name(), name(), name(), name(), name(), name()
		text = append(text,
			fmt.Sprintf("%s:f32[%d] = concatenate[dimension=0] %s", x, n, strings.Join(pieces, " ")),
			fmt.Sprintf("%s:f32[%d] = abs %s", abs, n, x),
			fmt.Sprintf("%s:f32[%d] = mul %s 0.25:f32[]", scaled, n, abs),
			fmt.Sprintf("%s:f32[%d] = add %s 0.5:f32[]", allowed, n, scaled),
			fmt.Sprintf("%s:f32[%d] = div %s %s", ratio, n, x, allowed),
			fmt.Sprintf("%s:f32[%d] = square %s", square, n, ratio),
			fmt.Sprintf("%s:f32[] = reduce_sum[axes=(0,) out_sharding=None] %s", sum, square),
			fmt.Sprintf("%s:f32[] = sqrt %s", root, sum))
		outs = append(outs, x, allowed, root)
	}
	j, err := jaxpr.Parse(fmt.Sprintf("{ lambda ; %s. let\n    %s\n  in (%s,) }", strings.Join(params, " "), strings.Join(text, "\n    "), strings.Join(outs, ", ")), prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	var args []*runtime.Array
	for _, a := range in {
		args = append(args, Draw(r, a, primtest.Domain{}))
	}
	if a := Compare(t, e, j, args, outs); len(a.Fallbacks) > 0 || a.Kernels == 0 {
		t.Errorf("%d kernels, fallbacks %v; want some and none", a.Kernels, a.Fallbacks)
	}
}
