package golden

import (
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
)

// Aval reads a type as the golden files write it: ~f32[2,3].
func Aval(t testing.TB, s string) core.ShapedArray {
	t.Helper()
	rest, weak := strings.CutPrefix(s, "~")
	name, dims, ok := strings.Cut(strings.TrimSuffix(rest, "]"), "[")
	dt, known := core.ParseDType(name)
	if !ok || !known {
		t.Fatalf("cannot read the type %q", s)
	}
	var shape []int
	for d := range strings.SplitSeq(dims, ",") {
		if d == "" {
			continue
		}
		n, err := strconv.Atoi(d)
		if err != nil {
			t.Fatalf("cannot read the type %q: %v", s, err)
		}
		shape = append(shape, n)
	}
	return core.ShapedArray{DType: dt, Shape: core.MakeDims(shape...), Weak: weak}
}
