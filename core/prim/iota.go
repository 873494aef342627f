package prim

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// IotaP counts along an axis: y[j₀, j₁, …] = j[Dimension], converted to the dtype
// (integers wrap, floats round to nearest, complex numbers have imaginary part 0).
type IotaP struct {
	DType     core.DType
	Shape     core.Dims
	Dimension int
}

// Iota returns an array of the given shape that counts along an axis.
func Iota(dt core.DType, shape core.Dims, dimension int) Value {
	return core.Bind1(IotaP{dt, shape, dimension})
}

func (IotaP) Name() string { return "iota" }

func (IotaP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("sharding", "None")
	return IotaP{DType: r.DType("dtype"), Shape: r.Dims("shape"), Dimension: r.Int("dimension")}
}

func (p IotaP) Params() []core.Param {
	return []core.Param{rule.Param("dimension", strconv.Itoa(p.Dimension)), rule.Param("dtype", p.DType.Long()), rule.Param("shape", p.Shape), rule.Param("sharding", "None")}
}

func (p IotaP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 0)
	if !p.DType.IsNumber() {
		core.Failf(core.ErrDType, "the dtype must be an integer, float or complex number (got %v); convert the result instead", p.DType)
	}
	for _, n := range p.Shape.All() {
		if n < 0 {
			core.Failf(core.ErrShape, "shape %v has a negative size; make all sizes 0 or more", p.Shape)
		}
	}
	if p.Dimension < 0 || p.Dimension >= p.Shape.Len() {
		core.Failf(core.ErrShape, "axis %d is out of range for shape %v; use an axis from 0 to the rank - 1", p.Dimension, p.Shape)
	}
	return []ShapedArray{{Shape: p.Shape, DType: p.DType}}
}

func (IotaP) ZeroJVP() {}

// EmptyP is an array of unspecified elements. Here they are zeros.
type EmptyP struct {
	DType core.DType
	Shape core.Dims
}

// Empty returns an array whose elements do not matter.
func Empty(dt core.DType, shape core.Dims) Value { return core.Bind1(EmptyP{dt, shape}) }

func (EmptyP) Name() string { return "empty" }

func (EmptyP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("out_sharding", "None")
	return EmptyP{DType: r.DType("dtype"), Shape: r.Dims("shape")}
}

func (p EmptyP) Params() []core.Param {
	return []core.Param{rule.Param("dtype", p.DType.Long()), rule.Param("out_sharding", "None"), rule.Param("shape", p.Shape)}
}

func (p EmptyP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 0)
	hasZero(p.DType)
	for _, n := range p.Shape.All() {
		if n < 0 {
			core.Failf(core.ErrShape, "shape %v has a negative size; make all sizes 0 or more", p.Shape)
		}
	}
	return []ShapedArray{{Shape: p.Shape, DType: p.DType}}
}

// hasZero demands booleans, numbers or keys of the default kind.
func hasZero(dt core.DType) {
	if !dt.IsBool() && !dt.IsNumber() && dt != core.Key {
		core.Failf(core.ErrDType, "there is no empty array of %v; use a dtype of numbers or bools", dt)
	}
}

func (EmptyP) ZeroJVP() {}

// Empty2P is a scalar of unspecified value. Here it is zero.
type Empty2P struct{ DType core.DType }

// Empty2 returns a scalar whose value does not matter.
func Empty2(dt core.DType) Value { return core.Bind1(Empty2P{dt}) }

func (Empty2P) Name() string { return "empty2" }

func (Empty2P) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("memory_space", "MemorySpace.Device")
	return Empty2P{r.DType("dtype")}
}

func (p Empty2P) Params() []core.Param {
	return []core.Param{rule.Param("dtype", p.DType.Long()), rule.Param("memory_space", "MemorySpace.Device")}
}

func (p Empty2P) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 0)
	hasZero(p.DType)
	return []ShapedArray{{DType: p.DType}}
}

func (Empty2P) ZeroJVP() {}
