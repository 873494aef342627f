package stablehlo

import (
	"fmt"
	"math"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

// A Check compares an actual value with an expected one, as StableHLO's own interpreter
// does in its tests.
type Check struct {
	Name   string // of the operation
	Place  *Place
	Abs    float64 // tolerated absolute difference
	ULP    uint64  // tolerated difference in units in the last place, if ByULP
	MinULP uint64
	ByULP  bool
	values []core.Value
}

func (c *Check) operands() int { return 2 }

// A Deviation is how far an actual value is from the expected one.
type Deviation struct {
	ULP   uint64  // largest difference of floats in units in the last place
	Abs   float64 // largest absolute difference of finite numbers
	Norm  float64 // Abs, if not 0, over the largest expected magnitude and the type's ε; +Inf if that magnitude is 0 or the type no float
	Index int     // of the first element that is out of the tolerance, −1 if none is
	Got   string  // that element
	Want  string
}

// checkOp translates an operation of the dialect check, which may have the expected value as an attribute.
func checkOp(f *frame, o *op, in []core.Value) []core.Value {
	if a, ok := f.attr(o, "value"); ok && len(in) == 1 {
		if d, ok := a.(denseAttr); ok {
			in = append(in, constantOp(f, &op{name: o.name, pos: o.pos, attrs: []namedAttr{{"value", d}}, types: []Type{d.typ}}, nil)...)
		}
	}
	return f.check(o, o.name, in)
}

// check makes the operands of a check further results of the program, if the options ask for checks.
func (f *frame) check(o *op, name string, in []core.Value) []core.Value {
	f.want(in, 2)
	c := Check{Name: name, Place: f.m.src.place(o.pos)}
	custom := o.name == "stablehlo.custom_call"
	switch strings.TrimSuffix(name, "_const") {
	case "check.expect_eq": // NaN equals NaN, as the specification states
	case "check.expect_close":
		c.ByULP, c.ULP = true, 3
		if !custom {
			c.ULP = uint64(f.intOr(o, "max_ulp_difference", 1))
			c.MinULP = uint64(f.intOr(o, "min_ulp_difference", 0))
		}
	case "check.expect_almost_eq":
		c.Abs = 1e-3
		if !custom {
			c.Abs = 1e-4
			if _, ok := o.attr("tolerance"); ok {
				c.Abs = f.float(o, "tolerance")
			}
		}
	case "check.eq":
		in = []core.Value{in[1], in[0]}
		c.Abs = 1e-4
	default:
		f.fail(core.ErrNoRule, "there is no check %s; use check.expect_eq, check.expect_almost_eq or check.expect_close", name)
	}
	f.sameShapes(in)
	if in[0].Aval().DType != in[1].Aval().DType {
		f.fail(core.ErrDType, "compares %s with %s; convert one of them with stablehlo.convert", typeText(in[0].Aval()), typeText(in[1].Aval()))
	}
	if !f.opt.Checks {
		return nil
	}
	if !f.main || f.inner > 0 {
		f.fail(core.ErrNoRule, "checks run in the entry function only; move the check to the function main")
	}
	c.values = []core.Value{in[0], in[1]}
	*f.checks = append(*f.checks, c)
	return nil
}

// Compare compares the elements of two arrays of type a.
func (c *Check) Compare(a core.ShapedArray, got, want []byte) Deviation {
	d := Deviation{Index: -1}
	dt, size := a.DType, a.DType.Size()
	parts := 1
	if dt.IsComplex() {
		parts, size = 2, size/2
		dt = map[core.DType]core.DType{core.Complex64: core.Float32, core.Complex128: core.Float64}[dt]
	}
	largest := 0.0
	for i := range a.Size() * parts {
		x, _ := elem.Get(got[i*size:], dt)
		y, _ := elem.Get(want[i*size:], dt)
		ok := true
		if !dt.IsFloat() {
			ok = x == y || x.Kind() == y.Kind() && x.Uint64() == y.Uint64()
			if diff := math.Abs(x.Float() - y.Float()); !ok {
				d.Abs = max(d.Abs, diff)
				ok = !c.ByULP && diff <= c.Abs && c.Abs > 0 && c.Name == "check.eq"
			}
		} else {
			p, q := x.Float(), y.Float()
			ulp := ulps(got[i*size:], want[i*size:], p, q, dt)
			if !math.IsNaN(p) && !math.IsInf(p, 0) && !math.IsNaN(q) && !math.IsInf(q, 0) {
				d.Abs = max(d.Abs, math.Abs(p-q))
				largest = max(largest, math.Abs(q))
			}
			d.ULP = max(d.ULP, ulp)
			switch {
			case c.ByULP:
				ok = ulp <= c.ULP && ulp >= c.MinULP
			case p != p || q != q:
				ok = p != p && q != q
			case c.Abs > 0:
				ok = p == q || math.Abs(p-q) <= c.Abs
			default:
				ok = p == q
			}
		}
		if !ok && d.Index < 0 {
			d.Index = i / parts
			d.Got, d.Want = core.Lit(x, dt).Text(), core.Lit(y, dt).Text()
		}
	}
	if d.Abs > 0 {
		d.Norm = math.Inf(1)
		if largest > 0 && dt.IsFloat() {
			d.Norm = d.Abs / largest / epsilon(dt)
		}
	}
	return d
}

// epsilon returns the distance from 1 to the next number, and 1/4 for all floats of eight bits or less.
func epsilon(dt core.DType) float64 {
	switch dt {
	case core.Float64:
		return 0x1p-52
	case core.Float32:
		return 0x1p-23
	case core.Float16:
		return 0x1p-10
	case core.BFloat16:
		return 0x1p-7
	}
	return 0x1p-2
}

// ulps returns the distance of two numbers in units in the last place: 0 for equal bits and for two NaNs, and the greatest
// uint64 if only one is a NaN, or if one is infinite.
func ulps(a, b []byte, p, q float64, dt core.DType) uint64 {
	x, y := bitsOf(a, dt), bitsOf(b, dt)
	switch {
	case x == y || p != p && q != q:
		return 0
	case p != p || q != q || math.IsInf(p, 0) || math.IsInf(q, 0):
		return math.MaxUint64
	}
	sign := uint64(1) << (dt.Bits() - 1)
	mx, my := x&^sign, y&^sign
	if x&sign != y&sign {
		return mx + my
	}
	return max(mx, my) - min(mx, my)
}

func bitsOf(b []byte, dt core.DType) uint64 {
	n := dt.Size()
	var u uint64
	for i := range n {
		k := i
		if bigEndian {
			k = n - 1 - i
		}
		u |= uint64(b[k]) << (8 * i)
	}
	return u
}

// String describes the deviation.
func (d Deviation) String() string {
	s := fmt.Sprintf("%d ulp, %.3g absolute, %.3g ε of the largest", d.ULP, d.Abs, d.Norm)
	if d.Index >= 0 {
		s += fmt.Sprintf("; element %d is %s, want %s", d.Index, d.Got, d.Want)
	}
	return s
}
