package onnx

import (
	"slices"
	"sync"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/runtime"
)

// folded keeps the results that nodes compute from constants, the newest ones of each [foldedKey]. Each
// trace of a model then captures the same arrays.
type folded struct {
	mu   sync.Mutex
	part map[foldedKey]foldedValue
}

// foldedKey identifies one of the computations of a node whose results are kept.
type foldedKey struct {
	node *format.Node
	part int
}

type foldedValue struct{ in, out []weft.Array }

// leastFolded is the smallest number of elements of operands from which results are kept.
const leastFolded = 1024

// of returns f's results, which depend on constants alone. It keeps those of a node without inputs, and in a trace those of
// large inputs, unless the node refers to attributes of a function's call. If it has kept results of f for the same arrays as
// those of `in`, it returns them instead of calling f.
func (t *folded) of(n *format.Node, part int, in []weft.Array, f func() []weft.Array) []weft.Array {
	size := 0
	for _, x := range in {
		if !x.IsZero() {
			size += x.Size()
		}
	}
	if refers(n) || len(in) > 0 && (size < leastFolded || !core.Tracing()) { // outside of traces the next call has other arguments
		return weft.Now(f)
	}
	key := foldedKey{n, part}
	t.mu.Lock()
	v, ok := t.part[key]
	t.mu.Unlock()
	if ok && same(v.in, in) {
		return v.out
	}
	out := weft.Now(f)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.part == nil {
		t.part = map[foldedKey]foldedValue{}
	}
	t.part[key] = foldedValue{in, out}
	return out
}

// refers reports whether an attribute of a node is an attribute of the surrounding function's call, which may differ
// from call to call.
func refers(n *format.Node) bool {
	for _, a := range n.Attrs {
		if a.Ref != "" {
			return true
		}
	}
	return false
}

// same reports whether two lists contain identical arrays: equal elements are not enough.
func same(a, b []weft.Array) bool {
	return slices.EqualFunc(a, b, func(x, y weft.Array) bool {
		return x.IsZero() == y.IsZero() && (x.IsZero() || x.Value() == y.Value())
	})
}

// once returns f's result, and keeps it as [folded.of] does if all the arrays from which f computes it
// are constant. Otherwise f is traced.
func (n *node) once(part int, f func() weft.Array, of ...weft.Array) weft.Array {
	for _, x := range of {
		if !x.IsZero() && !constant(x) {
			return f()
		}
	}
	return n.f.model.folded.of(n.Node, part, of, func() []weft.Array { return one(f()) })[0]
}

// viewed returns an array with another shape of as many elements. Those of a constant in host memory are not copied.
func viewed(x weft.Array, dims ...int) weft.Array {
	if a, ok := x.Value().(*runtime.Array); ok && a.Buffer() == nil {
		return weft.FromValue(a.WithType(a.Aval().WithShape(core.MakeDims(dims...))))
	}
	return x.Reshape(dims...)
}

// inWords returns bytes as words of four bytes, along one axis. Those of a constant in host memory are copied only if they are
// not aligned.
func inWords(x weft.Array) weft.Array {
	a, ok := x.Value().(*runtime.Array)
	if !ok || a.Buffer() != nil {
		return x.Ravel().View(weft.Int32)
	}
	t := core.ShapedArray{Shape: core.MakeDims(x.Size() / 4), DType: weft.Int32}
	if aligned(a.Tensor().Data) {
		return weft.FromValue(a.WithType(t))
	}
	y := runtime.NewUncleared(t)
	copy(y.Tensor().Data, a.Tensor().Data)
	return weft.FromValue(y)
}
