package leaves

import (
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

var errorType = reflect.TypeFor[error]()

// A Func adapts a Go function of any type to lists of leaves. Its arguments and results are
// trees or statics; its last result may be an error.
type Func[L Leaf] struct {
	Op     string // the operation that wraps the function, for messages
	Name   string // of the function, for messages
	Fn     reflect.Value
	In     []*tree.Plan[L] // nil for arguments that are passed as they are
	Out    []*tree.Plan[L]
	HasErr bool // the last result is an error, which is not in Out

	stores bool   // the caller stores what the function changes: see StoringFunc
	shared []bool // arguments through which the function may change the caller's memory
	wrap   func(core.Value) L
}

// FuncOf returns the adapter of f for an operation that writes nothing back. Arguments and
// results without arrays are passed as they are. It fails if f is no function, and for pointers
// to trees, through which f could write.
func FuncOf[L Leaf](op string, f any, wrap func(core.Value) L) *Func[L] {
	a := newFunc(op, f, wrap, func(int, reflect.Type) bool { return false })
	for i, p := range a.In {
		if p.Static() {
			a.In[i], a.shared[i] = nil, false
		} else if p.Type().Kind() == reflect.Pointer {
			core.FailOp(core.ErrTree, op, nil, "argument %d is a pointer %v, which the function could write through; only Jit takes pointers: pass the value and return it changed", i, p.Type())
		}
	}
	return a
}

// StoringFunc returns the adapter of f for an operation that caches programs by the statics of
// the arguments, and stores what f changes in its caller's memory: see [Func.Changes] and
// [Func.Store]. passed reports which arguments are passed as they are.
func StoringFunc[L Leaf](op string, f any, wrap func(core.Value) L, passed func(i int, t reflect.Type) bool) *Func[L] {
	a := newFunc(op, f, wrap, passed)
	a.stores = true
	return a
}

func newFunc[L Leaf](op string, f any, wrap func(core.Value) L, passed func(i int, t reflect.Type) bool) *Func[L] {
	a := &Func[L]{Op: op, Fn: requireFunc[L](op, f), wrap: wrap}
	a.Name = NameOf(f).Function()
	t := a.Fn.Type()
	for i := range t.NumIn() {
		var p *tree.Plan[L]
		shared := false
		if in := t.In(i); !passed(i, in) {
			p = planOf[L](op, in)
			shared = HoldsShared[L](in) && (!p.Static() || in.Kind() == reflect.Pointer)
		}
		a.In, a.shared = append(a.In, p), append(a.shared, shared)
	}
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == errorType {
		a.HasErr = true
		n--
	}
	for i := range n {
		a.Out = append(a.Out, planOf[L](op, t.Out(i)))
	}
	return a
}

// Static reports whether argument i contains no array.
func (f *Func[L]) Static(i int) bool { return f.In[i] == nil || f.In[i].Static() }

// Args are the arguments of a call, flattened.
type Args[L Leaf] struct {
	At     []reflect.Value // pointers to copies of the arguments
	Counts []int           // leaves of each argument
	Leaves []core.Value    // of all arguments, in order
	Flat   tree.Flat[L]    // of all arguments; its key identifies the statics
}

// Flatten flattens the arguments of a call. It fails if a leaf is not set.
func (f *Func[L]) Flatten(args []reflect.Value) *Args[L] {
	defer NameOp(f.Op)
	a := &Args[L]{At: make([]reflect.Value, len(args)), Counts: make([]int, len(args))}
	t := f.Fn.Type()
	for i, v := range args {
		c := reflect.New(t.In(i))
		c.Elem().Set(v)
		a.At[i] = c
		p := f.In[i]
		if p == nil {
			continue
		}
		n := len(a.Flat.Leaves)
		if f.stores {
			p.Flatten(&a.Flat, c.UnsafePointer())
		} else { // two arguments may hold one pointer, which nothing is written through
			a.Flat.Leaves = append(a.Flat.Leaves, leavesOf(f.Op, p, c.UnsafePointer())...)
		}
		a.Counts[i] = len(a.Flat.Leaves) - n
	}
	a.Leaves = make([]core.Value, 0, len(a.Flat.Leaves))
	rest := a.Flat.Leaves
	for i, n := range a.Counts {
		a.Leaves = appendSet(a.Leaves, site{op: f.Op, role: "argument", index: i}, f.In[i], a.At[i].UnsafePointer(), rest[:n])
		rest = rest[n:]
	}
	return a
}

// Locate returns the argument of leaf k and the path within it.
func (f *Func[L]) Locate(a *Args[L], k int) (arg int, path string) {
	for i, n := range a.Counts {
		if k < n {
			return i, f.In[i].Paths(a.At[i].UnsafePointer())[k]
		}
		k -= n
	}
	return -1, ""
}

// Defs returns the forms of the arguments, nil for those that are passed as they are.
func (f *Func[L]) Defs(a *Args[L]) []*tree.Def[L] {
	defs := make([]*tree.Def[L], len(a.At))
	for i, p := range f.In {
		if p != nil {
			defs[i] = p.Def(a.At[i].UnsafePointer())
		}
	}
	return defs
}

// Results are the results of a call, flattened.
type Results[L Leaf] struct {
	Leaves []core.Value
	Defs   []*tree.Def[L] // of each result
	Counts []int          // leaves of each result
}

// Call calls the function with the arguments a, rebuilt by defs from the leaves `in`. It returns
// the arguments that the function received, for [Func.Changes], and the error that the
// function returned. It fails for changes that the caller does not store.
func (f *Func[L]) Call(a *Args[L], defs []*tree.Def[L], in []core.Value) (args []reflect.Value, r Results[L], err error) {
	args = make([]reflect.Value, len(a.At))
	rest := f.wrapAll(in)
	for i, p := range f.In {
		args[i] = a.At[i].Elem()
		if p != nil && (!p.Static() || f.shared[i]) {
			v := reflect.New(p.Type())
			rest = defs[i].Rebuild(v.UnsafePointer(), rest)
			args[i] = v.Elem()
		}
	}
	res := f.invoke(args)
	if f.HasErr {
		if e := res[len(res)-1]; !e.IsNil() {
			return args, r, e.Interface().(error)
		}
	}
	if !f.stores {
		before := in
		for i, n := range a.Counts {
			if f.shared[i] {
				refuseWrites(site{op: f.Op, role: "argument", index: i}, f.In[i], pointerTo(f.In[i].Type(), args[i]), before[:n])
			}
			before = before[n:]
		}
	}
	for i, p := range f.Out {
		v := pointerTo(p.Type(), res[i])
		ls := leavesOf(f.Op, p, v)
		r.Leaves = appendSet(r.Leaves, site{op: f.Op, role: "result", index: i, of: " of " + f.Name}, p, v, ls)
		r.Defs, r.Counts = append(r.Defs, p.Def(v)), append(r.Counts, len(ls))
	}
	return args, r, nil
}

func (f *Func[L]) invoke(args []reflect.Value) []reflect.Value {
	if f.Fn.Type().IsVariadic() {
		return f.Fn.CallSlice(args)
	}
	return f.Fn.Call(args)
}

// pointerTo returns a pointer to a copy of v, of type t.
func pointerTo(t reflect.Type, v reflect.Value) unsafe.Pointer {
	c := reflect.New(t)
	c.Elem().Set(v)
	return c.UnsafePointer()
}

func (f *Func[L]) wrapAll(vs []core.Value) []L {
	ls := make([]L, len(vs))
	for i, v := range vs {
		ls[i] = f.wrap(v)
	}
	return ls
}

// Rebuild returns the results of a call in the forms of r, made of other leaves.
func (f *Func[L]) Rebuild(r Results[L], outs []L) []reflect.Value {
	res := make([]reflect.Value, f.Fn.Type().NumOut())
	for i, p := range f.Out {
		v := reflect.New(p.Type())
		outs = r.Defs[i].Rebuild(v.UnsafePointer(), outs)
		res[i] = v.Elem()
	}
	if f.HasErr {
		res[len(res)-1] = reflect.Zero(errorType)
	}
	return res
}

// RebuildValues returns the results of a call in the forms of r, made of values.
func (f *Func[L]) RebuildValues(r Results[L], outs []core.Value) []reflect.Value {
	return f.Rebuild(r, f.wrapAll(outs))
}

// Fail returns the results of a call that failed: zero values and the error. It panics if
// the function returns no error.
func (f *Func[L]) Fail(err error) []reflect.Value {
	if !f.HasErr {
		panic(err)
	}
	t := f.Fn.Type()
	res := make([]reflect.Value, t.NumOut())
	for i := range res {
		res[i] = reflect.Zero(t.Out(i))
	}
	e := reflect.New(errorType).Elem()
	e.Set(reflect.ValueOf(err))
	res[len(res)-1] = e
	return res
}

// Guard calls call. A mistake in traced code becomes the error of the function if it returns
// one; otherwise the panic continues.
func (f *Func[L]) Guard(call func() []reflect.Value) (res []reflect.Value) {
	if f.HasErr {
		defer func() {
			if r := recover(); r != nil {
				e, ok := r.(*core.Error)
				if !ok {
					panic(r)
				}
				res = f.Fail(e)
			}
		}()
	}
	return call()
}
