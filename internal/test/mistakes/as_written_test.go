package mistakes_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// part is a tree of which a test sets one array.
type part struct{ W, B weft.Array }

// What is asked for is named as it was asked for, not by the operations that it is
// made of, and numbers are those that were given.
func TestErrorsNameOperationsAsWritten(t *testing.T) {
	x := weft.Zeros(2, 3)
	for _, c := range []struct {
		f     func()
		kind  error
		parts []string
	}{
		{func() { x.Reshape(-2, 3) }, core.ErrShape, []string{"Reshape: invalid shape (-2, 3)"}},
		{func() { x.Reshape(-1, -1) }, core.ErrShape, []string{"Reshape: invalid shape (-1, -1)"}},
		{func() { x.Reshape(1<<30, 1<<30, 1<<30) }, core.ErrShape, []string{"f32[2,3] has 6 elements", "has more than can be counted"}},
		{func() { x.Reshape(-1, 1<<30, 1<<30, 1<<30) }, core.ErrShape, []string{"6 elements cannot fill the shape (-1, 1073741824"}},
		{func() { weft.Zeros(-1) }, core.ErrShape, []string{"Zeros: invalid shape (-1,): -1 is negative"}},
		{func() { weft.Ones(2, -1) }, core.ErrShape, []string{"Ones: invalid shape (2, -1)"}},
		{func() { weft.ZerosOf(weft.Int32, -1) }, core.ErrShape, []string{"ZerosOf: "}},
		{func() { weft.OnesOf(weft.Int32, -1) }, core.ErrShape, []string{"OnesOf: "}},
		{func() { weft.Full(weft.Shape{-1}, 2) }, core.ErrShape, []string{"Full: invalid shape"}},
		{func() { weft.Eye(-1) }, core.ErrShape, []string{"Eye: invalid shape (-1, -1)"}},
		{func() { weft.Eye(3, -1) }, core.ErrShape, []string{"Eye: invalid shape (3, -1)"}},
		{func() { weft.Tri(-1, 2) }, core.ErrShape, []string{"Tri: invalid shape (-1, 2)"}},
		{func() { weft.OneHot(weft.Of(1), -1) }, core.ErrShape, []string{"OneHot: invalid shape (1, -1)"}},
		{func() { weft.Iota(weft.Float32, 0, -1) }, core.ErrShape, []string{"Iota: invalid shape (-1,)"}},
		{func() { x.BroadcastTo(-1, 3) }, core.ErrShape, []string{"BroadcastTo: invalid shape (-1, 3)"}},
		{func() { weft.Tile(x, -1) }, core.ErrShape, []string{"Tile: invalid number of repetitions (got -1)"}},
		{func() { weft.Einsum("ié->i", x) }, core.ErrShape, []string{`"é" is no letter`, "a to z"}},
		{func() { weft.Einsum("ij→i", x) }, core.ErrShape, []string{`"→" is no letter`, "the arrow is ->"}},
		{func() { weft.Zeros(0, 3).Index(weft.Of(0)) }, core.ErrIndex, []string{"Index: axis 0 of f32[0,3] has no elements"}},
		{func() { x.Index([]int{0, 1}) }, core.ErrIndex, []string{"a []int is no index", "weft.FromSlice", "x.Index(1, 2)"}},
		{func() { x.Index([2]int{0, 1}) }, core.ErrIndex, []string{"a [2]int is no index", "weft.From("}},
		{func() { x.Index([]float64{0}) }, core.ErrIndex, []string{"a []float64 is no index", "an Array of integers"}},
		{func() { weft.Jit(func(weft.Array) weft.Array { return weft.Array{} }, weft.Name("f"))(x) }, core.ErrTree, []string{"result 0 of f is the zero Array"}},
		{func() { weft.Jit(func(weft.Array) part { return part{W: x} }, weft.Name("f"))(x) }, core.ErrTree, []string{`result 0 of f has at ".B" the zero Array`}},
	} {
		testcheck.Fails(t, c.kind, c.f, append(c.parts, "as_written_test.go:")...)
	}
	// The fix that they show works.
	if got := weft.Arange(12.).Reshape(4, 3).Index(weft.FromSlice([]int{2, 0})); !got.Equal(weft.From([][]float32{{6, 7, 8}, {0, 1, 2}})) {
		t.Errorf("got %v", got)
	}
	// Nothing to look up is no mistake.
	if got := weft.Zeros(0, 3).Index(weft.FromSlice([]int32{})).Shape(); got.String() != "(0, 3)" {
		t.Errorf("got %v", got)
	}
}
