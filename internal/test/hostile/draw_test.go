package hostile

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/random"
)

// ints are small, or larger than any memory: what fits would be allocated by right.
var ints = []int64{0, 1, 2, 3, 4, 5, 7, 17, -1, -2, -3, -17, 1 << 42, 1<<42 + 1, -1 << 42, 1 << 62, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1}

var floats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, 3.7, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 5e-324, math.MaxFloat32, 1 << 53, 1e-40}

var texts = []string{"", "i", "ij,jk->ik", "ij->ji", "i,i", "->", "...i,...i->...", "NCHW", "NHWC", "cpu", "x", "no such name", "\x00\xff", strings.Repeat("a", 300), "1,2", "raise", "sequential"}

// A drawer draws arguments.
type drawer struct {
	*rand.Rand
	leaked weft.Array // of a trace that is finished
	dead   weft.Array // donated
}

func newDrawer(seed uint64) *drawer {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 14))}
	weft.Jit(func(x weft.Array) weft.Array { d.leaked = x; return x })(weft.Of(1., 2, 3))
	d.dead = weft.Of(1., 2, 3)
	weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))(d.dead)
	return d
}

func pick[T any](d *drawer, from ...T) T { return from[d.IntN(len(from))] }

// array draws an array of any type and up to five axes.
func (d *drawer) array() weft.Array {
	switch d.IntN(24) {
	case 0:
		return weft.Array{}
	case 1:
		return d.leaked
	case 2:
		return d.dead
	case 3:
		return random.New(1).Data
	}
	dims := make([]int, pick(d, 0, 1, 1, 2, 2, 2, 3, 3, 4, 5))
	n := 1
	for i := range dims { // few elements: second derivatives have their third power
		if dims[i] = pick(d, 0, 1, 2, 2, 3, 3, 3, 4); n*dims[i] > 64 {
			dims[i] = 1
		}
		n *= dims[i]
	}
	vs := make([]float64, n)
	plain := d.IntN(2) == 0
	for i := range vs {
		if plain {
			vs[i] = d.NormFloat64() * 3
		} else {
			vs[i] = pick(d, floats...)
		}
	}
	x := weft.FromSlice(vs, dims...)
	dt := d.dtype()
	v, err := weft.Try(func() weft.Array { return x.AsType(dt) })
	if err != nil {
		return x
	}
	return v
}

func (d *drawer) dtype() core.DType {
	if d.IntN(3) == 0 {
		return pick(d, weft.Float32, weft.Float64)
	}
	return core.DType(d.IntN(30))
}

// value draws a value of a type.
func (d *drawer) value(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t {
	case reflect.TypeFor[weft.Array]():
		v.Set(reflect.ValueOf(d.array()))
		return v
	case reflect.TypeFor[core.DType]():
		v.Set(reflect.ValueOf(d.dtype()))
		return v
	case reflect.TypeFor[random.Key]():
		if d.IntN(4) > 0 {
			v.Set(reflect.ValueOf(random.New(uint64(d.IntN(9)))))
			return v
		}
	case reflect.TypeFor[weft.Device]():
		if d.IntN(2) == 0 {
			v.Set(reflect.ValueOf(pick(d, weft.Devices()...)))
		}
		return v
	case reflect.TypeFor[weft.Range]():
		r, err := weft.Try(func() weft.Range {
			return weft.R(int(pick(d, ints...)), int(pick(d, ints...))).By(int(pick(d, ints...)))
		})
		if err == nil {
			v.Set(reflect.ValueOf(r))
		}
		return v
	case reflect.TypeFor[weft.Ref]():
		r, err := weft.Try(func() weft.Ref { return d.array().At(d.any(), d.any()) })
		if err == nil {
			v.Set(reflect.ValueOf(r))
		}
		return v
	case reflect.TypeFor[lax.Padding]():
		p, err := weft.Try(func() lax.Padding { return lax.Pads([2]int{int(pick(d, ints...)), int(pick(d, ints...))}) })
		if err == nil {
			v.Set(reflect.ValueOf(pick(d, p, lax.Padding{})))
		}
		return v
	case reflect.TypeFor[fmt.State]():
		v.Set(reflect.ValueOf(state{d}))
		return v
	case reflect.TypeFor[weft.SavePolicy]():
		v.Set(reflect.ValueOf(pick(d, weft.SavePolicy{}, weft.SaveNames("x"), weft.SaveAllButNames())))
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(d.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if d.IntN(2) == 0 {
			v.SetInt(int64(d.IntN(6) - 2))
		} else {
			v.SetInt(pick(d, ints...))
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if d.IntN(2) == 0 {
			v.SetUint(uint64(d.IntN(6)))
		} else {
			v.SetUint(uint64(pick(d, ints...)))
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(d, floats...))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(pick(d, floats...), pick(d, floats...)))
	case reflect.String:
		v.SetString(pick(d, texts...))
	case reflect.Slice:
		if d.IntN(6) == 0 {
			return v
		}
		n := pick(d, 0, 1, 1, 2, 2, 3, 4)
		if depth > 3 {
			n = 0
		}
		if t.Elem().Kind() == reflect.Uint8 {
			n = d.IntN(90)
		}
		v.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			v.Index(i).Set(d.value(t.Elem(), depth+1))
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(d.value(t.Elem(), depth+1))
		}
	case reflect.Map:
		if d.IntN(3) > 0 && depth < 4 {
			v.Set(reflect.MakeMap(t))
			for range d.IntN(3) {
				v.SetMapIndex(d.value(t.Key(), depth+1), d.value(t.Elem(), depth+1))
			}
		}
	case reflect.Pointer:
		if d.IntN(4) > 0 && depth < 4 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(d.value(t.Elem(), depth+1))
			if p, ok := v.Interface().(*pair); ok && d.IntN(8) == 0 {
				p.Next = p
			}
		}
	case reflect.Struct:
		if d.IntN(5) == 0 {
			return v
		}
		for i := range t.NumField() {
			if t.Field(i).IsExported() && d.IntN(3) > 0 {
				v.Field(i).Set(d.value(t.Field(i).Type, depth+1))
			}
		}
	case reflect.Func:
		if d.IntN(5) > 0 {
			v.Set(d.function(t))
		}
	case reflect.Interface:
		d.implement(v, depth)
	}
	return v
}

// function draws a function: one that returns zero values, drawn values, or arguments.
func (d *drawer) function(t reflect.Type) reflect.Value {
	way := d.IntN(4)
	outs := make([]reflect.Value, t.NumOut())
	for i := range outs {
		outs[i] = reflect.Zero(t.Out(i))
		if way == 0 {
			outs[i] = d.value(t.Out(i), 2)
		}
	}
	calls := 0
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		if calls++; calls > 1000 { // a loop whose condition does not end is the user's
			panic(&core.Error{Kind: core.ErrStatic, Msg: "too many calls"})
		}
		res := append([]reflect.Value{}, outs...)
		if way < 2 {
			return res
		}
		k := 0
		for i := range res {
			for j := k; j < len(in); j++ {
				if in[j].Type() == t.Out(i) {
					res[i], k = in[j], j+1
					break
				}
			}
			if x, ok := res[i].Interface().(weft.Array); ok && way == 3 && x.Value() != nil {
				res[i] = reflect.ValueOf(weft.Sin(x))
			}
		}
		return res
	})
}

// any draws a value for an argument of type any.
func (d *drawer) any() any {
	ring := &pair{A: weft.Of(1.)}
	ring.Next = ring
	loop := []any{1, nil}
	loop[1] = loop
	var null *pair
	return pick[any](d, nil, 0, 1, -1, int(pick(d, ints...)), pick(d, floats...), "x", d.array(), d.array(), d.array(), true, complex(1, 2), ring, loop, null,
		[]int{1, -1}, []float64{}, [][]int{{1}, {1, 2}}, struct{}{}, func() {}, make(chan int), map[string]any{"a": 1}, uint64(math.MaxUint64), weft.Ellipsis, weft.Range{}, []weft.Array{d.array()}, pair{})
}

// implement sets a variable of an interface type to a value that implements it, or to nil.
func (d *drawer) implement(v reflect.Value, depth int) {
	if d.IntN(5) == 0 {
		return
	}
	if v.NumMethod() == 0 {
		if x := d.any(); x != nil {
			v.Set(reflect.ValueOf(x))
		}
		return
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	var adam *optim.Adam[pair]
	var fs []any
	add := func(f func() any) {
		if x, err := weft.Try(f); err == nil {
			fs = append(fs, x)
		}
	}
	n := int(pick(d, ints...))
	add(func() any { return weft.AxisName(pick(d, texts...)) })
	add(func() any { return weft.AxisSize(n) })
	add(func() any { return weft.In(d.any(), d.any()) })
	add(func() any { return weft.Out(d.any()) })
	add(func() any { return weft.Donate(n) })
	add(func() any { return weft.Name(pick(d, texts...)) })
	add(func() any { return weft.Ordered() })
	add(func() any { return weft.Reverse() })
	add(func() any { return weft.Unroll(n) })
	add(func() any { return weft.VmapMethod(pick(d, texts...)) })
	add(func() any { return weft.AllowCSE() })
	add(func() any { return weft.Saving(weft.SaveNames("x")) })
	add(func() any { return weft.On(weft.Device{}) })
	add(func() any { return weft.LoadLimit(int64(n)) })
	add(func() any { return weft.DebugNaNs(true) })
	add(func() any { return weft.Context(ended) })
	add(func() any { return lax.Reverse() })
	add(func() any { return lax.Unroll(n) })
	add(func() any { return custom.Symmetric() })
	add(func() any { return optim.Rate(pick(d, floats...)) })
	add(func() any { return optim.Cosine{Steps: n} })
	add(func() any { return optim.Warmup{} })
	add(func() any { return optim.Restarts{} })
	add(func() any { return optim.Join{} })
	add(func() any { return optim.Piecewise{Changes: []optim.Change{{Step: n, By: 2}}} })
	add(func() any { return adam })
	add(func() any { return &optim.Adam[pair]{} })
	add(func() any { return &optim.SGD[pair]{} })
	add(func() any { return &optim.SGD[weft.Array]{} })
	add(func() any { return promote.NumPy })
	add(func() any { return promote.MAX })
	add(func() any { return io.Writer(io.Discard) })
	add(func() any { return io.Reader(bytes.NewReader([]byte(pick(d, texts...)))) })
	add(func() any { return ended })
	add(func() any { return fmt.Errorf("an error") })
	var fit []reflect.Value
	for _, f := range fs {
		if x := reflect.ValueOf(f); x.Type().AssignableTo(v.Type()) {
			fit = append(fit, x)
		}
	}
	if len(fit) > 0 {
		v.Set(pick(d, fit...))
	}
}

// A state is what package fmt passes to Format, with drawn flags.
type state struct{ *drawer }

func (s state) Write(b []byte) (int, error) { return len(b), nil }

func (s state) Width() (int, bool) { return pick(s.drawer, 0, 1, 30), s.IntN(2) == 0 }

func (s state) Precision() (int, bool) { return pick(s.drawer, 0, 1, 30), s.IntN(2) == 0 }

func (s state) Flag(int) bool { return s.IntN(2) == 0 }
