package reference

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Caller runs a program on arrays of its types. An executor passes itself to the
// kernels of operations that hold a program.
type Caller func(j *jaxpr.Jaxpr, in []*block.Tensor) []*block.Tensor

// ProgramFunc is a Func of an operation that holds a program.
type ProgramFunc func(p core.Primitive, call Caller, in, out []*block.Tensor)

// programRows contains the kernels of a reduction, a window, a scatter and a sort whose
// elements a program combines or compares. Calls, branches and loops are the executor's own.
var programRows = block.TypedRows([]programRow{
	onProgram(reduceProgram),
	onProgram(reduceWindowProgram),
	onProgram(scatterProgram),
	onProgram(scatterWithProgram),
	onProgram(sortByProgram),
})

// LookupProgram returns the kernel of a primitive that combines elements by a program. ok is false for other
// primitives.
func LookupProgram(p core.Primitive) (f ProgramFunc, ok bool) {
	f, ok = programRows[reflect.TypeOf(p)]
	return f, ok
}

// A combiner is a program that combines k numbers with k numbers to k, applied to many at a time. An
// elementwise program is evaluated on vectors; the executor runs any other program for each element.
type combiner struct {
	j    *jaxpr.Jaxpr
	call Caller
	flat bool
}

func newCombiner(j *jaxpr.Jaxpr, call Caller) *combiner {
	return &combiner{j, call, isFlat(j)}
}

// isFlat reports whether a program of scalars does on vectors what it does on
// each of their elements.
func isFlat(j *jaxpr.Jaxpr) bool {
	if len(j.Consts) > 0 || j.Effects() != 0 {
		return false
	}
	for _, e := range j.Eqns {
		if call, ok := e.Prim.(*jaxpr.Jit); ok {
			if !isFlat(call.Jaxpr) {
				return false
			}
			continue
		}
		_, selects := e.Prim.(prim.SelectNP)
		if _, ok := e.Prim.(core.Elementwise); !ok && !selects {
			return false
		}
		if _, ok := Lookup(e.Prim); !ok {
			return false
		}
	}
	return true
}

func vector(t *block.Tensor, off, n int) *block.Tensor {
	size := t.DType.Size()
	return &block.Tensor{ShapedArray: core.Aval(t.DType, n), Data: t.Data[off*size : (off+n)*size]}
}

// into replaces the elements of acc at each position by what the program makes of those of acc and x there.
func (c *combiner) into(acc, x []*block.Tensor) {
	n := acc[0].Size()
	if n == 0 {
		return
	}
	in := append(append(make([]*block.Tensor, 0, 2*len(acc)), acc...), x...)
	if c.flat {
		ys := runFlat(c.j, in)
		for i, y := range ys {
			if k := slices.Index(acc, y); k >= 0 && k < i { // overwritten by now
				ys[i] = &block.Tensor{ShapedArray: y.ShapedArray, Data: slices.Clone(y.Data)}
			}
		}
		for i, y := range ys {
			spreadInto(acc[i], y)
		}
		return
	}
	scalars := make([]*block.Tensor, len(in))
	for at := range n {
		for i, t := range in {
			v := block.NewTensor(core.Aval(t.DType))
			copy(v.Data, vector(t, at, 1).Data)
			scalars[i] = v
		}
		for i, y := range c.call(c.j, scalars) {
			copy(vector(acc[i], at, 1).Data, y.Data)
		}
	}
}

// spreadInto copies y, or repeats it if it is a scalar.
func spreadInto(dst, y *block.Tensor) {
	if y.Rank() == 0 {
		fillScalar(dst, y)
		return
	}
	copy(dst.Data, y.Data)
}

// runFlat evaluates an elementwise program on vectors in the place of scalars.
func runFlat(j *jaxpr.Jaxpr, in []*block.Tensor) []*block.Tensor {
	env := make(map[*jaxpr.Var]*block.Tensor, len(in)+len(j.Eqns))
	for i, v := range j.Ins {
		env[v] = in[i]
	}
	read := func(atoms []jaxpr.Atom) []*block.Tensor {
		out := make([]*block.Tensor, len(atoms))
		for i, a := range atoms {
			if v, ok := a.(*jaxpr.Var); ok {
				out[i] = env[v]
				continue
			}
			l := a.(core.Literal)
			out[i] = block.NewTensor(core.Aval(l.Type))
			elem.Put(out[i].Data, l.Num, l.Type)
		}
		return out
	}
	for _, e := range j.Eqns {
		args := read(e.Ins)
		var out []*block.Tensor
		if call, ok := e.Prim.(*jaxpr.Jit); ok {
			out = runFlat(call.Jaxpr, args)
		} else {
			out = runElementwise(e.Prim, args)
		}
		for i, v := range e.Outs {
			env[v] = out[i]
		}
	}
	return read(j.Outs)
}

func runElementwise(p core.Primitive, in []*block.Tensor) []*block.Tensor {
	switch p.(type) {
	case prim.SelectNP, prim.ClampP:
		in = evened(in)
	}
	avals := make([]core.ShapedArray, len(in))
	for i, t := range in {
		avals[i] = t.ShapedArray
	}
	types := core.AbstractOf(p, avals)
	out := make([]*block.Tensor, len(types))
	for i, a := range types {
		out[i] = block.NewTensor(a)
	}
	f, _ := Lookup(p)
	f(p, in, out)
	return out
}

// evened extends scalars among vectors to the vectors' length.
func evened(in []*block.Tensor) []*block.Tensor {
	shape := core.Dims{}
	for _, t := range in {
		if t.Rank() > 0 {
			shape = t.Shape
		}
	}
	out := make([]*block.Tensor, len(in))
	for i, t := range in {
		out[i] = t
		if t.Shape != shape {
			out[i] = block.NewTensor(t.WithShape(shape))
			fillScalar(out[i], t)
		}
	}
	return out
}
