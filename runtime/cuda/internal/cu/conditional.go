//go:build (linux || windows) && (amd64 || arm64)

package cu

import "unsafe"

// A Condition is the handle of a value that kernels set by cudaGraphSetConditional, and that a conditional node reads.
type Condition uint64

// Conditionals reports whether the driver has conditional nodes of graphs.
func (l *Library) Conditionals() bool {
	return l.Graphs() && l.functions[cuGraphConditionalHandleCreate] != 0 && l.functions[cuGraphAddNode] != 0
}

// NewCondition returns a condition for a node of a graph.
func (l *Library) NewCondition(graph, context Handle) (Condition, error) {
	var c Condition
	err := l.call(cuGraphConditionalHandleCreate, uintptr(unsafe.Pointer(&c)), uintptr(graph), uintptr(context), 0, 0)
	return c, err
}

// conditionalParams is CUgraphNodeParams of a conditional node.
type conditionalParams struct {
	kind      int32
	_         [3]int32
	condition Condition
	repeats   int32 // 0: the body runs at most once
	size      uint32
	bodies    *Handle // set by the driver
	context   Handle
	_         [26]uint64
}

// AddConditional adds a node to a graph. The node's body runs if the condition is not 0; if repeats
// is true, it runs again as long as the condition is not 0. The node runs after the node called
// behind, which must not be 0. It returns the node and the body, which is an empty graph.
func (l *Library) AddConditional(graph, behind Handle, c Condition, repeats bool, context Handle) (node, body Handle, err error) {
	const conditional = 13
	p := &conditionalParams{kind: conditional, condition: c, size: 1, context: context}
	if repeats {
		p.repeats = 1
	}
	if err := l.call(cuGraphAddNode, uintptr(unsafe.Pointer(&node)), uintptr(graph), uintptr(unsafe.Pointer(&behind)), 0, 1, uintptr(unsafe.Pointer(p))); err != nil {
		return 0, 0, err
	}
	return node, *p.bodies, nil
}
