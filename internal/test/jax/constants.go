package jax

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// What golden programs use of NumPy: numbers and arrays that are made while
// tracing. A scalar is a strong literal, an array a constant of its own.

// pyConstants are members of the libraries that are values.
var pyConstants = map[string]any{
	"np.pi": math.Pi, "jnp.pi": math.Pi, "np.inf": math.Inf(1), "jnp.inf": math.Inf(1), "np.nan": math.NaN(), "jnp.nan": math.NaN(),
	"np.e": math.E, "jnp.newaxis": nil,
	"lax.GatherScatterMode.CLIP": "clip", "lax.GatherScatterMode.FILL_OR_DROP": "fill", "lax.GatherScatterMode.PROMISE_IN_BOUNDS": "promise_in_bounds",
	"lax.GatherScatterMode.ONE_HOT":     "one_hot",
	"lax.RoundingMethod.AWAY_FROM_ZERO": 0, "lax.RoundingMethod.TO_NEAREST_EVEN": 1,
	"lax.Precision.DEFAULT": pyPrecision("DEFAULT"), "lax.Precision.HIGH": pyPrecision("HIGH"), "lax.Precision.HIGHEST": pyPrecision("HIGHEST"),
}

type pyPrecision string

func init() {
	for dt := core.Bool; int(dt) < core.NumDTypes; dt++ {
		for _, m := range []string{"np.", "ml_dtypes."} {
			pyConstants[m+dt.Long()] = dt
		}
		pyConstants["jnp."+dt.Long()] = pyJNPType(dt)
	}
	for name := range fftKinds {
		pyConstants["lax.FftType."+name] = name
	}
	pyConstants["np.bool_"], pyConstants["jnp.bool_"] = weft.Bool, pyJNPType(weft.Bool)
}

// pyJNPType is a type of jax.numpy: its scalars are JAX's arrays.
type pyJNPType weft.DType

// call makes a scalar. One that is made while tracing is a literal, before it an array.
func (dt pyJNPType) call(pos []any, _ map[string]any) any {
	if x, ok := pos[0].(array); ok && len(pos) == 1 {
		return x.AsType(weft.DType(dt))
	}
	return pyJNPScalar(pyNumPy(weft.DType(dt), pos[0]))
}

func pyJNPScalar(v any) any {
	if l, ok := v.(core.Literal); ok && !core.Tracing() {
		return weft.FromValue(runtime.FromLiteral(l))
	}
	return v
}

// pyDType returns a dtype argument: int, float and complex are the default widths.
func pyDType(v any) weft.DType {
	switch v := v.(type) {
	case weft.DType:
		return v
	case pyJNPType:
		return weft.DType(v)
	case string:
		if dt, ok := core.ParseDType(v); ok {
			return dt
		}
	case *pyBuiltin:
		switch v.name {
		case "bool":
			return weft.Bool
		case "int":
			return weft.AsArray(0).DType()
		case "float":
			return weft.AsArray(0.0).DType()
		case "complex":
			return weft.AsArray(0i).DType()
		}
	}
	pyCannot("the dtype %v", v)
	return 0
}

// pyNumberIn returns a Python number as a number of the protocol.
func pyNumberIn(v any) core.Number {
	l, ok := v.(core.Literal)
	if !ok {
		if l, ok = nd.Number(v); !ok {
			pyCannot("a %T where a number is expected", v)
		}
	}
	return l.Num
}

// pyNumPy returns np.float32(v): a scalar, or an array of that type.
func pyNumPy(dt weft.DType, v any) any {
	switch v.(type) {
	case pyTuple, *pyList:
		return pyNumPyArray(v, dt, true)
	case array:
		pyCannot("a NumPy type of an array")
	}
	n := pyNumberIn(v)
	return core.Lit(elem.Round(n, dt), dt)
}

// pyNumPyArray returns np.array(v, dt): nested lists as a concrete array; a scalar for a
// number.
func pyNumPyArray(v any, dt weft.DType, given bool) any {
	var shape []int
	for at := v; ; {
		items, ok := pyItems(at)
		if !ok {
			break
		}
		shape = append(shape, len(items))
		if len(items) == 0 {
			break
		}
		at = items[0]
	}
	var leaves []core.Number
	kind := core.KindBool
	var walk func(v any)
	walk = func(v any) {
		if items, ok := pyItems(v); ok {
			for _, x := range items {
				walk(x)
			}
			return
		}
		n := pyNumberIn(v)
		kind = max(kind, n.Kind())
		leaves = append(leaves, n)
	}
	walk(v)
	if !given {
		dt = pyDefault(kind)
	}
	if len(shape) == 0 {
		return core.Lit(elem.Round(leaves[0], dt), dt)
	}
	return pyConcrete(dt, shape, func(i int) core.Number { return leaves[i] })
}

func pyItems(v any) ([]any, bool) {
	switch v := v.(type) {
	case pyTuple:
		return v, true
	case *pyList:
		return v.Items, true
	}
	return nil, false
}

// pyDefault returns the dtype of NumPy for numbers of a kind, which JAX assumes for them.
func pyDefault(k core.Kind) weft.DType {
	switch k {
	case core.KindBool:
		return weft.Bool
	case core.KindInt:
		return weft.AsArray(0).DType()
	case core.KindFloat:
		return weft.AsArray(0.0).DType()
	}
	return weft.AsArray(0i).DType()
}

// pyConcrete returns an array of its own with the given elements.
func pyConcrete(dt weft.DType, shape []int, at func(i int) core.Number) array {
	a := runtime.New(core.Aval(dt, shape...))
	w := dt.Size()
	for i := range a.Aval().Size() {
		elem.Put(a.Tensor().Data[i*w:], at(i), dt)
	}
	return weft.FromValue(a)
}

func pyNumPyLibrary() map[string]func(a *pyArgs) any {
	filled := func(v float64) func(a *pyArgs) any {
		return func(a *pyArgs) any {
			shape := a.ints(0, "shape")
			dt := pyDType(a.or(1, "dtype", pyDefault(core.KindFloat)))
			return pyConcrete(dt, shape, func(int) core.Number { return core.FloatNumber(v) })
		}
	}
	arrayOf := func(a *pyArgs) any {
		v := a.must(0, "object")
		dt, given := a.get(1, "dtype")
		if !given {
			return pyNumPyArray(v, 0, false)
		}
		return pyNumPyArray(v, pyDType(dt), true)
	}
	arange := func(a *pyArgs) any {
		n := pyInts(pyTuple(a.rest(0)))
		lo, hi := 0, n[0]
		if len(n) > 1 {
			lo, hi = n[0], n[1]
		}
		dt := pyDType(a.or(-1, "dtype", pyDefault(core.KindInt)))
		return pyConcrete(dt, []int{hi - lo}, func(i int) core.Number { return core.IntNumber(int64(lo + i)) })
	}
	eye := func(a *pyArgs) any {
		n := a.int(0, "N")
		dt := pyDType(a.or(-1, "dtype", pyDefault(core.KindFloat)))
		return pyConcrete(dt, []int{n, n}, func(i int) core.Number {
			if i/n == i%n {
				return core.IntNumber(1)
			}
			return core.IntNumber(0)
		})
	}
	m := map[string]func(a *pyArgs) any{
		"np.zeros": filled(0), "np.ones": filled(1), "np.array": arrayOf, "np.arange": arange, "np.eye": eye,
		"np.dtype": func(a *pyArgs) any { return pyDType(a.must(0, "dtype")) },
		"np.iinfo": func(a *pyArgs) any { return pyIinfo(pyDType(a.must(0, "dtype"))) },
		"np.finfo": func(a *pyArgs) any {
			if pyDType(a.must(0, "dtype")) != weft.Float32 {
				pyCannot("np.finfo of another type than float32")
			}
			return pyFinfo{}
		},
	}
	return m
}

// pyFinfo is np.finfo(np.float32).
type pyFinfo struct{}

func (pyFinfo) member(name string) (any, bool) {
	v, ok := map[string]float64{"max": math.MaxFloat32, "min": -math.MaxFloat32, "tiny": 0x1p-126, "eps": 0x1p-23}[name]
	return core.Lit(core.FloatNumber(v), core.Float32), ok
}

// pyIinfo is np.iinfo of an integer type.
type pyIinfo weft.DType

func (i pyIinfo) member(name string) (any, bool) {
	dt := weft.DType(i)
	if !dt.IsSigned() {
		return map[string]int{"min": 0, "max": 1<<dt.Bits() - 1}[name], dt.Bits() < 64
	}
	return map[string]int{"min": -1 << (dt.Bits() - 1), "max": 1<<(dt.Bits()-1) - 1}[name], true
}
