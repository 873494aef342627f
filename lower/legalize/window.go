package legalize

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/trace"
)

// A kernel reads at most fewPositions positions of a window: a loop goes through those of larger windows.
const fewPositions = 32

// window returns the sum or an extreme over windows that kernels do not have: of a dilated array, of many
// positions, of complex numbers, or of types below a byte. It returns nil for others. A sum of complex numbers
// becomes two sums of real ones. Otherwise gaps are filled with the neutral element, and a loop goes through the
// positions.
func window(e *jaxpr.Eqn) lower.Expansion {
	var w windows.Window
	var combine func(x, y core.Value) core.Value
	dt := e.Outs[0].Type.DType
	wide := dt
	switch {
	case dt.IsFloat() && dt.Bits() < 32:
		wide = core.Float32
	case dt.IsInteger() && dt.Bits() < 8:
		wide = core.Int32
	}
	if dt.IsComplex() {
		if _, sum := e.Prim.(windows.ReduceWindowSumP); sum {
			return ofParts(e.Prim)
		}
	}
	neutral := number(0, wide)
	switch p := e.Prim.(type) {
	case windows.ReduceWindowSumP:
		w, combine = p.Window, prim.Add
	case windows.ReduceWindowMaxP:
		w, combine, neutral = p.Window, prim.Max, extreme(dt, wide, false)
	case windows.ReduceWindowMinP:
		w, combine, neutral = p.Window, prim.Min, extreme(dt, wide, true)
	}
	dense := isDense(w)
	if dense && w.Dims.Size() <= fewPositions && dt.Bits() >= 8 && !dt.IsComplex() {
		return nil
	}
	places := e.Outs[0].Type.Shape
	return func(in []core.Value) []core.Value {
		x := padded(prim.Convert(in[0], wide, false), neutral, w)
		acc := []core.Value{filled(neutral, places)}
		acc = slide(w, places, []core.Value{x}, acc, func(acc, x []core.Value) []core.Value {
			return []core.Value{combine(acc[0], x[0])}
		})
		return []core.Value{prim.Convert(acc[0], dt, false)}
	}
}

func isDense(w windows.Window) bool {
	for _, n := range w.BaseDilation.All() {
		if n != 1 {
			return false
		}
	}
	return true
}

// extreme returns the lowest or highest value of dt as a number of type wide: an infinity for floats, also those
// that have none.
func extreme(dt, wide core.DType, highest bool) core.Value {
	switch {
	case dt.IsComplex() && highest:
		return infinite(1, wide)
	case dt.IsComplex():
		return infinite(-1, wide)
	case dt == core.Bool:
		return core.Lit(core.BoolNumber(highest), wide)
	case dt.IsFloat():
		sign := -1
		if highest {
			sign = 1
		}
		return core.Lit(core.FloatNumber(math.Inf(sign)), wide)
	case dt.IsUnsigned() && highest:
		return core.Lit(core.UintNumber(math.MaxUint64>>(64-dt.Bits())), wide)
	case dt.IsUnsigned():
		return number(0, wide)
	case highest:
		return core.Lit(core.IntNumber(math.MaxInt64>>(64-dt.Bits())), wide)
	}
	return core.Lit(core.IntNumber(math.MinInt64>>(64-dt.Bits())), wide)
}

// padded returns an array with its padding and the gaps of its dilation filled in.
func padded(x, fill core.Value, w windows.Window) core.Value {
	var config []int
	for i, n := range w.BaseDilation.All() {
		config = append(config, w.Padding.At(2*i), w.Padding.At(2*i+1), n-1)
	}
	return prim.Pad(x, fill, core.MakeDims(config...))
}

// windowOfProgram returns the reduction of the elements under a window by a program.
func windowOfProgram(p windows.ReduceWindowP, ins []jaxpr.Atom) lower.Expansion {
	if p.Window.Dims.Size() <= fewPositions {
		return p.Expand
	}
	k := len(ins) / 2
	return func(in []core.Value) []core.Value {
		avals := make([]core.ShapedArray, len(in))
		for i, x := range in {
			avals[i] = x.Aval()
		}
		places := p.Abstract(avals)[0].Shape
		xs, acc := make([]core.Value, k), make([]core.Value, k)
		for i := range k {
			xs[i], acc[i] = padded(in[i], in[k+i], p.Window), filled(in[k+i], places)
		}
		pads := p.Window.Pads()
		if pads { // the initial value counts once: where a position has padding, the values so far stay
			elements := filled(core.Lit(core.BoolNumber(true), core.Bool), in[0].Aval().Shape)
			xs = append(xs, padded(elements, core.Lit(core.BoolNumber(false), core.Bool), p.Window))
		}
		return slide(p.Window, places, xs, acc, func(acc, x []core.Value) []core.Value {
			next := applied(p.Program, places, append(append([]core.Value(nil), acc...), x[:k]...)...)
			if pads {
				for i, y := range next {
					next[i] = prim.Where(x[k], y, acc[i])
				}
			}
			return next
		})
	}
}

// slide combines the elements under the positions of a window, in row-major order, with acc. The
// arrays have their padding. The innermost positions, as many as a kernel reads, are written out;
// a loop goes through the others.
func slide(w windows.Window, places core.Dims, xs, acc []core.Value, combine func(acc, x []core.Value) []core.Value) []core.Value {
	if places.Size() == 0 || w.Dims.Size() == 0 {
		return acc
	}
	rank := w.Dims.Len()
	inner := rank // axes from here on are written out
	for n := 1; inner > 0 && n*w.Dims.At(inner-1) <= fewPositions; inner-- {
		n *= w.Dims.At(inner - 1)
	}
	extents := make([]int, rank) // extents of the elements that the positions of the loop read
	shape := xs[0].Aval().Shape
	loop := 1
	for d := range rank {
		extents[d] = shape.At(d)
		if d < inner {
			extents[d] = (places.At(d)-1)*w.Strides.At(d) + 1
			loop *= w.Dims.At(d)
		}
	}
	under := func(xs, acc []core.Value) []core.Value {
		at := make([]int, rank)
		for k := range w.Dims.Slice(inner, rank).Size() {
			for d := rank - 1; d >= inner; d-- {
				at[d] = k % w.Dims.At(d) * w.WindowDilation.At(d)
				k /= w.Dims.At(d)
			}
			parts := make([]core.Value, len(xs))
			limit := make([]int, rank)
			for d := range limit {
				limit[d] = at[d] + (places.At(d)-1)*w.Strides.At(d) + 1
			}
			for i, x := range xs {
				parts[i] = prim.Slice(x, core.MakeDims(at...), core.MakeDims(limit...), w.Strides)
			}
			acc = combine(acc, parts)
		}
		return acc
	}
	if loop == 1 && inner == 0 {
		return under(xs, acc)
	}
	// The starts of the window's positions along the axes of the loop.
	var starts []core.Value
	step := loop
	for d := range inner {
		step /= w.Dims.At(d)
		i := prim.Div(prim.Iota(core.Int32, core.MakeDims(loop), 0), number(step, core.Int32))
		i = prim.Mul(prim.Rem(i, number(w.Dims.At(d), core.Int32)), number(w.WindowDilation.At(d), core.Int32))
		starts = append(starts, i)
	}
	k, n := len(xs), len(xs)+len(acc)
	args := append(append(append([]core.Value(nil), xs...), acc...), starts...)
	avals := core.AvalsOf(args)
	for i := n; i < len(avals); i++ {
		avals[i].Shape = core.Dims{}
	}
	body := core.Suspended(func() *jaxpr.Jaxpr {
		return trace.Stage("window", avals, func(in []core.Value) []core.Value {
			parts := make([]core.Value, k)
			start := append([]core.Value(nil), in[n:]...)
			for len(start) < rank {
				start = append(start, number(0, core.Int32))
			}
			for i, x := range in[:k] {
				parts[i] = indexed.DynamicSlice(x, start, core.MakeDims(extents...))
			}
			return under(parts, in[k:n])
		})
	})
	return core.Bind(&jaxpr.Scan{Jaxpr: body, Length: loop, NumConsts: k, NumCarry: len(acc), Unroll: 1}, args...)
}
