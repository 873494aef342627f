package fuse

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/scalar"
)

// Sort is a sort or a top_k of rows of N elements, which lie side by side in memory.
type Sort struct {
	step
	Eqn  *jaxpr.Eqn
	Rows int
	N    int
	In   []int // ids of values
	Out  []int
}

func (s *Sort) Reads() []int     { return s.In }
func (s *Sort) Writes() []int    { return s.Out }
func (*Sort) mayRunBefore() bool { return true }

func (s *Sort) write(w *planWriter) { w.line("%v%s → %s", s, w.p.names(s.In), w.list(s.Out)) }

// mostSorted is the greatest number of elements of a row.
const mostSorted = 1<<32 - 1

func sortClass(e *jaxpr.Eqn, dim int) (class, string) {
	if int64(e.Ins[0].Aval().Shape.At(dim)) > mostSorted {
		return fallback, "rows of more than 2³² elements"
	}
	for _, a := range e.Ins {
		if dt := a.Aval().DType; scalar.Components(dt) == 0 || dt.IsOtherKey() {
			return fallback, "sorts elements of type " + dt.String()
		}
	}
	return sorting, ""
}

// sort makes a step of a sort or a top_k, and transpositions that bring the rows' elements
// side by side.
func (p *planner) sort(e *jaxpr.Eqn) {
	dim := 0
	var along func(dim int) core.Primitive
	switch q := e.Prim.(type) {
	case indexed.SortP:
		dim = q.Dimension
		along = func(dim int) core.Primitive { q.Dimension = dim; return q }
	case indexed.TopKP:
		dim = q.Axis
		along = func(dim int) core.Primitive { q.Axis = dim; return q }
	}
	shape := e.Ins[0].Aval().Shape
	last := shape.Len() - 1
	inner := 1
	for i := dim + 1; i <= last; i++ {
		inner *= shape.At(i)
	}
	if inner == 1 { // the axes after it have one element
		s := &Sort{Eqn: e, N: shape.At(dim), Rows: shape.Size() / shape.At(dim), In: p.operands(e)}
		s.Out = p.outputs(e)
		p.made(e, p.add(s))
		return
	}
	perm := core.Range(0, last+1).Remove(dim).Append(dim)
	back := make([]int, last+1)
	for i, d := range perm.All() {
		back[d] = i
	}
	transposed := &jaxpr.Eqn{Prim: along(last), Site: e.Site}
	for _, a := range e.Ins {
		t := a.Aval()
		t.Shape = perm.Map(t.Shape.At)
		transposed.Ins = append(transposed.Ins, p.made1(e, prim.TransposeP{Perm: perm}, a, t))
	}
	for _, v := range e.Outs {
		t := v.Type
		t.Shape = perm.Map(t.Shape.At)
		transposed.Outs = append(transposed.Outs, jaxpr.NewVar(t))
	}
	p.eqn(transposed)
	for i, v := range e.Outs {
		p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{v}, Prim: prim.TransposeP{Perm: core.MakeDims(back...)}, Ins: []jaxpr.Atom{transposed.Outs[i]}, Site: e.Site})
	}
}

func (s *Sort) String() string { return fmt.Sprintf("%s %d×%d", s.Eqn.Prim.Name(), s.Rows, s.N) }
