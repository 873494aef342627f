package fuse

import (
	"fmt"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Transpose is a transposition in memory of elements of 4 or 8 bytes: rows of the source,
// whose elements lie side by side, become columns of the result.
type Transpose struct {
	step
	Eqn    *jaxpr.Eqn      // the transposition, for messages
	Size   int             // bytes of an element
	Offset int             // of the first element in the source, in elements
	Rows   TransposeAxis   // along it the result's elements lie side by side: Out is 1
	Cols   TransposeAxis   // along it the source's elements lie side by side: In is 1
	Batch  []TransposeAxis // the other axes, from the outermost
	In     int
	Out    int
}

// TransposeAxis is a number of elements and the strides between them.
type TransposeAxis struct{ N, In, Out int }

func (s *Transpose) Reads() []int     { return []int{s.In} }
func (s *Transpose) Writes() []int    { return []int{s.Out} }
func (*Transpose) mayRunBefore() bool { return true }

func (s *Transpose) write(w *planWriter) {
	w.line("transpose %v %s → %s", s, w.p.name(s.In), w.p.name(s.Out))
}

func (s *Transpose) String() string {
	t := fmt.Sprintf("%d×%d", s.Rows.N, s.Cols.N)
	for _, b := range s.Batch {
		t += fmt.Sprintf(" ×%d", b.N)
	}
	return t
}

// leastTransposed is the number of elements from which a transposition is a step of its own.
const leastTransposed = 1024

// transpose makes a virtual node a transposition in memory, if a kernel would read or write it with large
// strides. It reports whether it did.
func (p *planner) transpose(n *node) bool {
	if _, ok := n.eqn.Prim.(prim.TransposeP); !ok || n.v.Type.Size() < leastTransposed {
		return false
	}
	size := n.v.Type.DType.Size()
	if size != 4 && size != 8 {
		return false
	}
	if _, refused := p.refused[p.plan.Source(n.eqn)]; refused {
		return false
	}
	ok := true
	in := p.view(n.v)
	shape := n.v.Type.Shape
	out := make([]int, shape.Len())
	step := 1
	for i := shape.Len() - 1; i >= 0; i-- {
		out[i] = step
		step *= shape.At(i)
	}
	rs := runs(shape.Len(), shape.At, func(i int) [2]int { return [2]int{in.strides[i], out[i]} })
	last := len(rs) - 1
	cols := -1
	for i, r := range rs {
		if r.step[0] == 1 && i != last {
			cols = i
		}
		ok = ok && r.step[0] != 0
	}
	if !ok || cols < 0 || rs[last].n < 4 || rs[cols].n < 4 {
		return false
	}
	s := &Transpose{Eqn: n.eqn, Size: size, Offset: in.offset, In: in.value}
	for i, r := range rs {
		a := TransposeAxis{r.n, r.step[0], r.step[1]}
		switch i {
		case last:
			s.Rows = a
		case cols:
			s.Cols = a
		default:
			s.Batch = append(s.Batch, a)
		}
	}
	n.kind, n.mem, n.cheap = inMemory, true, true
	n.value = p.newValue(Value{Type: n.v.Type})
	s.Out = n.value
	n.seq = p.add(s)
	return true
}
