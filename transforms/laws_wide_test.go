package transforms_test

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// wideType returns f64 for floats, c128 for complex numbers, and other types themselves.
func wideType(dt core.DType) core.DType {
	switch {
	case dt.IsComplex():
		return core.Complex128
	case dt.IsFloat():
		return core.Float64
	}
	return dt
}

func wideAvals(in []core.ShapedArray) []core.ShapedArray {
	out := slices.Clone(in)
	for i, a := range out {
		out[i] = a.WithDType(wideType(a.DType))
	}
	return out
}

// wideSample returns the sample in 64-bit floats: operands, dtypes among the parameters,
// and programs.
func wideSample(s primtest.Sample) primtest.Sample {
	s.In = wideAvals(s.In)
	s.Prim = widePrim(s.Prim)
	return s
}

var dtypeType, programType = reflect.TypeFor[core.DType](), reflect.TypeFor[*jaxpr.Jaxpr]()

func widePrim(p core.Primitive) core.Primitive {
	v := reflect.New(reflect.TypeOf(p)).Elem()
	v.Set(reflect.ValueOf(p))
	if v.Kind() != reflect.Struct {
		return p
	}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			f := v.Field(i)
			switch {
			case !f.CanSet() && f.Kind() != reflect.Struct:
			case f.Type() == dtypeType:
				f.Set(reflect.ValueOf(wideType(f.Interface().(core.DType))))
			case f.Type() == programType:
				f.Set(reflect.ValueOf(wideProgram(f.Interface().(*jaxpr.Jaxpr))))
			case f.Kind() == reflect.Struct && f.Type().PkgPath() == v.Type().PkgPath():
				walk(f)
			}
		}
	}
	walk(v)
	return v.Interface().(core.Primitive)
}

func wideProgram(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	vars := map[*jaxpr.Var]*jaxpr.Var{}
	of := func(v *jaxpr.Var) *jaxpr.Var {
		if vars[v] == nil {
			vars[v] = jaxpr.NewVar(v.Type.WithDType(wideType(v.Type.DType)))
		}
		return vars[v]
	}
	atom := func(a jaxpr.Atom) jaxpr.Atom {
		if v, ok := a.(*jaxpr.Var); ok {
			return of(v)
		}
		l := a.(core.Literal)
		l.Type = wideType(l.Type)
		return l
	}
	w := &jaxpr.Jaxpr{}
	for _, v := range j.Ins {
		w.Ins = append(w.Ins, of(v))
	}
	for _, e := range j.Eqns {
		x := &jaxpr.Eqn{Prim: widePrim(e.Prim)}
		for _, a := range e.Ins {
			x.Ins = append(x.Ins, atom(a))
		}
		for _, v := range e.Outs {
			x.Outs = append(x.Outs, of(v))
		}
		w.Eqns = append(w.Eqns, x)
	}
	for _, a := range j.Outs {
		w.Outs = append(w.Outs, atom(a))
	}
	return w
}

// wideValue returns the array with its elements, exactly, in the wide type.
func wideValue(v val) *runtime.Array {
	x := golden.Concrete(v)
	a := x.Aval()
	y := runtime.New(a.WithDType(wideType(a.DType)))
	w := y.Aval().DType.Size()
	for i := range a.Size() {
		n, ok := x.At(i)
		if !ok { // no number: bits are bits
			copy(y.Tensor().Data, x.Tensor().Data)
			break
		}
		elem.Put(y.Tensor().Data[i*w:], n, y.Aval().DType)
	}
	return y
}

// moved returns x + h·t, and x where t is nil.
func moved(x, t val, h float64) val {
	if t == nil {
		return x
	}
	a := x.Aval()
	y := runtime.New(a)
	p, q, w := numbers(x), numbers(t), a.DType.Size()
	for i := range p {
		elem.Put(y.Tensor().Data[i*w:], core.ComplexNumber(p[i]+complex(h, 0)*q[i]), a.DType)
	}
	return y
}
