package optim

import (
	"sort"

	"github.com/weft-go/weft"
)

// AdafactorConfig configures [Adafactor]. Its zero value is Optax's default. Steps are relative
// to the size of each parameter unless Absolute is set, so Rate may be left out.
type AdafactorConfig struct {
	Rate Schedule // nil: 1
	// Size is the size that the two largest axes of an array need for its squares to be kept as a
	// row and a column; 0: 128.
	Size     int
	Power    float64 // old squares have the weight 1 − t^−Power at step t; 0: 0.8
	Absolute bool    // do not multiply the step by the size of the parameter
	Clip     float64 // largest root mean square of a step, before it is multiplied by Rate; 0: 1, negative: no limit
	Momentum float64 // how much of the mean step stays each step; 0: none
	Decay    float64 // weight decay, not multiplied by the rate; 0: none
	DecayOn  Mask    // the leaves that decay; nil: all
	Eps      float64 // added to the squares; 0: 1e-30
}

// Adafactor divides the gradient by the root of its mean square. For large arrays it keeps only the
// means of the mean square's rows and columns (Shazeer and Stern, 2018).
type Adafactor[P any] struct {
	Config             AdafactorConfig
	Rows, Cols, Square P // a leaf that a parameter does not need has no elements
	Mean               P
	Step               weft.Array // steps done
}

// factored returns the two largest axes of an array whose squares are factored, the larger one
// last. ok is false for other arrays.
func (c AdafactorConfig) factored(x weft.Array) (d1, d0 int, ok bool) {
	if x.Rank() < 2 {
		return 0, 0, false
	}
	axes := make([]int, x.Rank())
	for i := range axes {
		axes[i] = i
	}
	sort.SliceStable(axes, func(i, j int) bool { return x.Dim(axes[i]) < x.Dim(axes[j]) })
	d1, d0 = axes[len(axes)-2], axes[len(axes)-1]
	size := c.Size
	if size == 0 {
		size = 128
	}
	return d1, d0, x.Dim(d1) >= size
}

// NewAdafactor returns the state before the first step.
func NewAdafactor[P any](p P, c AdafactorConfig) Adafactor[P] {
	part := func(shape func(x weft.Array) (dims []int, ok bool)) P {
		return weft.TreeMap(func(x weft.Array) weft.Array {
			dims, ok := shape(x)
			if !ok || !x.DType().IsInexact() {
				return weft.ZerosOf(x.DType().Real(), 0)
			}
			return weft.ZerosOf(x.DType().Real(), dims...)
		}, p)
	}
	without := func(x weft.Array, axis int) []int { // its sizes without one axis
		dims := append([]int{}, x.Shape()...)
		return append(dims[:axis], dims[axis+1:]...)
	}
	o := Adafactor[P]{Config: c, Step: start()}
	o.Rows = part(func(x weft.Array) ([]int, bool) {
		if _, d0, ok := c.factored(x); ok {
			return without(x, d0), true
		}
		return nil, false
	})
	o.Cols = part(func(x weft.Array) ([]int, bool) {
		if d1, _, ok := c.factored(x); ok {
			return without(x, d1), true
		}
		return nil, false
	})
	o.Square = part(func(x weft.Array) ([]int, bool) {
		_, _, ok := c.factored(x)
		return x.Shape(), !ok
	})
	o.Mean = part(func(x weft.Array) ([]int, bool) { return x.Shape(), c.Momentum != 0 })
	return o
}

// Update returns the parameters after a step.
func (o *Adafactor[P]) Update(p, g P) P {
	const op = "Adafactor"
	requireNonNil("Adafactor.Update", o)
	c := o.Config
	var rate Schedule = Rate(1)
	if c.Rate != nil {
		rate = c.Rate
	}
	by := rateAt(op, rate, o.Step)
	rows, cols, squares, means := leavesOf(o.Rows), leavesOf(o.Cols), leavesOf(o.Square), leavesOf(o.Mean)
	next(&o.Step)
	decays := on(c.DecayOn, p)
	out := walk(op, p, g, func(i int, w, g weft.Array) weft.Array {
		real := w.DType().Real()
		keep := weft.Sub(1., weft.Pow(o.Step.AsType(weft.Float32), -orElse(c.Power, 0.8))).AsType(real) // in f32, as Optax
		mean := func(old, new weft.Array) weft.Array {
			return old.Mul(keep).Add(new.Mul(weft.Sub(1, keep))).AsType(real)
		}
		sq := square(g).Add(orElse(c.Eps, 1e-30))
		// Divide by √v instead of multiplying by 1/√v: the derivative of 1/√v is about v^(−3/2),
		// which overflows f32 where gradients are 0, since v is Eps there.
		var u weft.Array
		if d1, d0, ok := c.factored(w); ok {
			rows[i], cols[i] = mean(rows[i], sq.Mean(d0)), mean(cols[i], sq.Mean(d1))
			at := d1
			if d1 > d0 {
				at--
			}
			row := rows[i].Div(positive(rows[i].Mean(at, weft.Keep)))
			u = g.Div(divisor(row, 0).ExpandDims(d0)).Div(divisor(cols[i], 0).ExpandDims(d1))
		} else {
			squares[i] = mean(squares[i], sq)
			u = g.Div(divisor(squares[i], 0))
		}
		if most := orElse(c.Clip, 1); most > 0 {
			u = u.Div(weft.Maximum(rootMeanSquare(u).Div(most), 1))
		}
		u = u.Mul(by.AsType(real))
		if !c.Absolute {
			u = u.Mul(weft.Maximum(rootMeanSquare(w), 1e-3))
		}
		if c.Momentum != 0 {
			means[i] = means[i].Mul(c.Momentum).Add(u.Mul(1 - c.Momentum))
			u = means[i]
		}
		if c.Decay != 0 && decays[i] {
			u = u.Add(w.Mul(c.Decay))
		}
		return w.Sub(u).AsType(w.DType())
	})
	o.Rows, o.Cols, o.Square, o.Mean = rebuild(o.Rows, rows), rebuild(o.Cols, cols), rebuild(o.Square, squares), rebuild(o.Mean, means)
	return out
}

func rootMeanSquare(x weft.Array) weft.Array { return root(square(x).Mean()) }
