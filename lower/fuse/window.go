package fuse

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// Windows of a few positions are expressed by elementwise operations on shifted operands,
// which become one kernel: each position is read where it lies.

// Windows of more than maxWindow positions have no kernels.
const maxWindow = 32

func windowOf(e *jaxpr.Eqn) (windows.Window, bool) {
	switch q := e.Prim.(type) {
	case windows.ReduceWindowSumP:
		return q.Window, true
	case windows.ReduceWindowMaxP:
		return q.Window, true
	case windows.ReduceWindowMinP:
		return q.Window, true
	}
	w, _, ok := selecting(e.Prim)
	return w, ok
}

func windowClass(e *jaxpr.Eqn) (class, string) {
	w, ok := windowOf(e)
	dt := e.Ins[len(e.Ins)-1].Aval().DType
	switch {
	case !ok:
		return fallback, NoKernel
	case w.Dims.Size() > maxWindow:
		return fallback, "window of many positions"
	case w.Dims.Size() < 1:
		return fallback, "window without positions"
	case dt.IsComplex() || dt.Bits() < 8:
		return fallback, "window over elements of type " + dt.String()
	}
	for _, n := range w.BaseDilation.All() {
		if n != 1 {
			return fallback, "window over a dilated array"
		}
	}
	return windowed, ""
}

// apply adds an equation that the program does not have and returns its result.
func (p *planner) apply(e *jaxpr.Eqn, q core.Primitive, in ...jaxpr.Atom) *jaxpr.Var {
	avals := make([]core.ShapedArray, len(in))
	for i, a := range in {
		avals[i] = a.Aval()
	}
	v := jaxpr.NewVar(q.Abstract(avals)[0])
	p.eqn(&jaxpr.Eqn{Outs: []*jaxpr.Var{v}, Prim: q, Ins: in, Site: e.Site})
	return v
}

// stored puts an operand into memory, since each position of a window reads it, and returns it.
func (p *planner) stored(a jaxpr.Atom) jaxpr.Atom {
	if v, ok := a.(*jaxpr.Var); ok {
		p.inMemory(p.of(v), false)
	}
	return a
}

// wide returns the type in which elements of type dt are combined.
func wide(dt core.DType) core.DType {
	if dt.IsFloat() && dt.Bits() < 32 {
		return core.Float32
	}
	return dt
}

// finish makes v, converted to the type of the result, the equation's result.
func (p *planner) finish(e *jaxpr.Eqn, v jaxpr.Atom) {
	t := e.Outs[0].Type
	p.eqn(&jaxpr.Eqn{Outs: e.Outs, Prim: prim.ConvertElementTypeP{NewDType: t.DType, WeakType: t.Weak}, Ins: []jaxpr.Atom{v}, Site: e.Site})
}

type slider struct {
	p      *planner
	e      *jaxpr.Eqn
	window windows.Window
	in     core.Dims // the operands' shape
	out    core.Dims // the output's shape
}

// each calls f for every position of the window in row-major order.
func (s *slider) each(f func(at []int)) {
	at := make([]int, s.window.Dims.Len())
	for rest := range s.window.Dims.Size() {
		for d := len(at) - 1; d >= 0; d-- {
			at[d] = rest % s.window.Dims.At(d)
			rest /= s.window.Dims.At(d)
		}
		f(at)
	}
}

// inside reports whether the tap at position `at` of the window reads an element at every output position.
func (s *slider) inside(at []int) bool {
	for d, t := range at {
		first := t*s.window.WindowDilation.At(d) - s.window.Padding.At(2*d)
		if first < 0 || first+(s.out.At(d)-1)*s.window.Strides.At(d) >= s.in.At(d) {
			return false
		}
	}
	return true
}

// taken returns, for each output position, the element that the tap at position `at` of the window reads, or the
// literal outside where it reads none.
func (s *slider) taken(x jaxpr.Atom, outside core.Literal, at []int) jaxpr.Atom {
	var config, start, limit []int
	for d, t := range at {
		first := t*s.window.WindowDilation.At(d) - s.window.Padding.At(2*d)
		extent := (s.out.At(d)-1)*s.window.Strides.At(d) + 1
		config = append(config, -first, first+extent-s.in.At(d), 0)
		start, limit = append(start, 0), append(limit, extent)
	}
	if s.inside(at) {
		for d := range start {
			start[d] -= config[3*d]
			limit[d] -= config[3*d]
		}
	} else {
		x = s.p.apply(s.e, prim.PadP{Config: core.MakeDims(config...)}, x, outside)
	}
	return s.p.apply(s.e, prim.SliceP{Start: core.MakeDims(start...), Limit: core.MakeDims(limit...), Strides: s.window.Strides}, x)
}

func (p *planner) window(e *jaxpr.Eqn) {
	if _, _, ok := selecting(e.Prim); ok {
		p.selectWindow(e)
		return
	}
	w, _ := windowOf(e)
	s := &slider{p: p, e: e, window: w, in: e.Ins[0].Aval().Shape, out: e.Outs[0].Type.Shape}
	dt := wide(e.Outs[0].Type.DType)
	x := p.stored(p.converted(e, e.Ins[0], dt))
	var op core.Primitive = prim.AddP{}
	none := core.Lit(core.IntNumber(0), dt)
	switch e.Prim.(type) {
	case windows.ReduceWindowMaxP:
		op, none = prim.MaxP{}, extreme(dt, false)
	case windows.ReduceWindowMinP:
		op, none = prim.MinP{}, extreme(dt, true)
	}
	var acc jaxpr.Atom = none
	s.each(func(at []int) {
		v := s.taken(x, none, at)
		if acc == none {
			acc = p.apply(e, prim.BroadcastInDimP{Shape: s.out}, none)
		}
		acc = p.apply(e, op, acc, v)
	})
	p.finish(e, acc)
}

func extreme(dt core.DType, highest bool) core.Literal {
	switch {
	case dt == core.Bool:
		return core.Lit(core.BoolNumber(highest), dt)
	case dt.IsFloat():
		sign := -1
		if highest {
			sign = 1
		}
		return core.Lit(core.FloatNumber(math.Inf(sign)), dt)
	case dt.IsUnsigned():
		if !highest {
			return core.Lit(core.IntNumber(0), dt)
		}
		return core.Lit(core.UintNumber(math.MaxUint64>>(64-dt.Bits())), dt)
	case highest:
		return core.Lit(core.IntNumber(math.MaxInt64>>(64-dt.Bits())), dt)
	}
	return core.Lit(core.IntNumber(math.MinInt64>>(64-dt.Bits())), dt)
}
