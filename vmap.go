package weft

import (
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/transforms"
)

type noAxis struct{}

// None among the axes of [In] and [Out] marks an argument or result that is not mapped.
var None = noAxis{}

// Axes assigns axes to the fields of a struct, or the keys of a map.
type Axes map[string]any

// A VmapOption changes what Vmap maps over.
type VmapOption interface{ vmap(*vmapOptions) }

type vmapOption func(*vmapOptions)

func (f vmapOption) vmap(o *vmapOptions) { f(o) }

type vmapOptions struct {
	in, out []any
	axis    string
	size    int
}

// In sets the mapped axis of each argument: an int, None, or Axes for the parts of a
// tree. Without it every argument is mapped over its leading axis.
func In(axes ...any) VmapOption { return vmapOption(func(o *vmapOptions) { o.in = axes }) }

// Out sets the position of the mapped axis in each result: an int, None for a result that is the
// same for every element, or Axes. Without it the axis is the first.
func Out(axes ...any) VmapOption { return vmapOption(func(o *vmapOptions) { o.out = axes }) }

// AxisName names the mapped axis for collective operations such as lax.Psum. Programs print the
// name, so it has no blanks, quotes, brackets or separators.
func AxisName(name string) VmapOption { return vmapOption(func(o *vmapOptions) { o.axis = name }) }

// AxisSize sets the size of the mapped axis, which is needed where no argument is mapped.
func AxisSize(n int) VmapOption { return vmapOption(func(o *vmapOptions) { o.size = n }) }

// Vmap returns a function of f's type that computes f over a batch: where f takes and returns one
// element, it takes and returns many at once, stacked. Static arguments are passed as they are.
func Vmap[F any](f F, opts ...VmapOption) F {
	var o vmapOptions
	for _, opt := range opts {
		requireOption("Vmap", opt == nil)
		opt.vmap(&o)
	}
	s := funcOf("Vmap", f)
	for _, a := range append(append([]any(nil), o.in...), o.out...) {
		checkAxes(a, 0)
	}
	if o.axis != "" && !prim.PlainName(o.axis) {
		core.FailOp(core.ErrAxis, "Vmap", nil, "an axis cannot be named %q, since printed programs with that name could not be read; use letters and digits, without blanks, quotes, brackets or separators", o.axis)
	}
	if o.in != nil && len(o.in) != len(s.In) {
		core.FailOp(core.ErrAxis, "Vmap", nil, "In has axes for %s, the function has %d; give one axis an argument", core.Count(len(o.in), "argument"), len(s.In))
	}
	if o.out != nil && len(o.out) != len(s.Out) {
		core.FailOp(core.ErrAxis, "Vmap", nil, "Out has axes for %s, the function has %d; give one axis a result", core.Count(len(o.out), "result"), len(s.Out))
	}
	v := &vmapped{s, o}
	return reflect.MakeFunc(s.Fn.Type(), func(args []reflect.Value) []reflect.Value {
		return s.Guard(func() []reflect.Value { return v.call(args) })
	}).Interface().(F)
}

// maxAxesDepth bounds the depth of axes, which could contain themselves.
const maxAxesDepth = 1000

// checkAxes refuses axes that have no meaning; depth is how many others contain them.
func checkAxes(a any, depth int) {
	if depth > maxAxesDepth {
		core.FailOp(core.ErrAxis, "Vmap", nil, "the axes contain themselves, or are nested more than %d deep; give one axis an argument", maxAxesDepth)
	}
	switch a := a.(type) {
	case int, noAxis:
	case Axes:
		for _, x := range a {
			checkAxes(x, depth+1)
		}
	case []any:
		for _, x := range a {
			checkAxes(x, depth+1)
		}
	default:
		core.FailOp(core.ErrAxis, "Vmap", nil, "an axis cannot be %s; give an int, None, or Axes for the parts of a tree", core.WithArticle(reflect.TypeOf(a)))
	}
}

func isAxis(spec any) bool {
	switch spec.(type) {
	case int, noAxis:
		return true
	}
	return false
}

type vmapped struct {
	s *leaves.Func[Array]
	o vmapOptions
}

func (v *vmapped) call(args []reflect.Value) []reflect.Value {
	a := v.s.Flatten(args)
	axes := v.inAxes(a)
	n := v.size(a, axes)
	in, mapped := make([]core.Value, len(axes)), make([]bool, len(axes))
	for i, ax := range axes {
		in[i] = a.Leaves[i]
		if ax, ok := ax.(int); ok {
			in[i], mapped[i] = transforms.MoveAxis(in[i], nd.Axis("Vmap", in[i].Aval(), ax), 0), true
		}
	}
	var r leaves.Results[Array]
	var err error
	outs, outMapped := transforms.Vmap(n, v.o.axis, func(in []core.Value) []core.Value {
		_, r, err = v.s.Call(a, v.s.Defs(a), in)
		return r.Leaves
	}, in, mapped)
	if err != nil {
		return v.s.Fail(err)
	}
	for i, ax := range v.outAxes(outs, r) {
		outs[i] = place(outs[i], outMapped[i], n, ax, i)
	}
	return v.s.RebuildValues(r, outs)
}

func (v *vmapped) inAxes(a *leaves.Args[Array]) []any {
	var axes []any
	for i, p := range v.s.In {
		if p == nil {
			if v.o.in != nil && v.o.in[i] != any(None) {
				core.FailOp(core.ErrAxis, "Vmap", nil, "argument %d is static and has no axis to map over (got %v in In); give it None", i, v.o.in[i])
			}
			continue
		}
		spec := any(0)
		if v.o.in != nil {
			spec = v.o.in[i]
		}
		axes = append(axes, prefix(p, a.At[i].UnsafePointer(), spec)...)
	}
	return axes
}

// size returns the size of the mapped axis, which all mapped leaves must have.
func (v *vmapped) size(a *leaves.Args[Array], axes []any) int {
	n, from := v.o.size, -1
	for i, ax := range axes {
		k, ok := ax.(int)
		if !ok {
			continue
		}
		t := a.Leaves[i].Aval()
		if t.Rank() == 0 {
			core.FailOp(core.ErrShape, "Vmap", []core.ShapedArray{t}, "leaf %d of the arguments is %s and has no axis to map over; give it None with In, or an axis", i, t.Full())
		}
		m := t.Shape.At(nd.Axis("Vmap", t, k))
		if from < 0 && n == 0 {
			n, from = m, i
		}
		if m != n {
			if from < 0 {
				core.FailOp(core.ErrShape, "Vmap", []core.ShapedArray{t}, "leaf %d of the arguments is %s: its mapped axis has %s, AxisSize is %d; leave AxisSize out, or map nothing", i, t.Full(), core.Count(m, "element"), n)
			}
			f := a.Leaves[from].Aval()
			core.FailOp(core.ErrShape, "Vmap", []core.ShapedArray{f, t}, "the mapped axes differ in size: leaf %d of the arguments is %s with %d, leaf %d is %s with %d; map equal axes, or give one None with In", from, f.Full(), n, i, t.Full(), m)
		}
		if from < 0 {
			from = i
		}
	}
	if from < 0 && n <= 0 {
		core.FailOp(core.ErrAxis, "Vmap", nil, "no argument is mapped; map one with In, or pass AxisSize")
	}
	return n
}

// outAxes returns the position of the mapped axis for each leaf of the results.
func (v *vmapped) outAxes(outs []core.Value, results leaves.Results[Array]) []any {
	axes := make([]any, 0, len(outs))
	at := arraysOf(outs)
	for i, p := range v.s.Out {
		spec := any(0)
		if v.o.out != nil {
			spec = v.o.out[i]
			if p.Static() && spec != any(None) {
				core.FailOp(core.ErrAxis, "Vmap", nil, "result %d is static and has no axis (got %v in Out); give it None", i, spec)
			}
		}
		r := reflect.New(p.Type())
		at = results.Defs[i].Rebuild(r.UnsafePointer(), at)
		axes = append(axes, prefix(p, r.UnsafePointer(), spec)...)
	}
	return axes
}

// place moves the batch axis of a result to its position. A result without one is repeated along a new one, unless axis is None.
func place(v core.Value, mapped bool, n int, axis any, i int) core.Value {
	ax, ok := axis.(int)
	a := v.Aval()
	if !ok {
		if mapped {
			core.FailOp(core.ErrAxis, "Vmap", []core.ShapedArray{a}, "result %d differs from element to element, so None cannot be its place in Out; give it an axis", i)
		}
		return v
	}
	if !mapped {
		if a.DType == core.Float0 {
			return nd.NoTangent(a.WithShape(a.Shape.Prepend(n)))
		}
		v = prim.BroadcastInDim(v, a.Shape.Prepend(n), core.Range(1, a.Rank()+1))
		a = v.Aval()
	}
	return transforms.MoveAxis(v, 0, nd.Axis("Vmap", a, ax))
}

// prefix expands a specification of axes to the leaves of a tree.
func prefix(p *tree.Plan[Array], at unsafe.Pointer, spec any) []any {
	defer leaves.NameOp("Vmap")
	return p.Prefix(at, spec, isAxis)
}
