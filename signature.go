package weft

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
)

// signature is how a function of any type is called with leaves: which arguments
// and results are trees, which are static, and whether it gives an error.
type signature struct {
	op     string
	fn     reflect.Value
	in     []*tree.Plan[Array] // nil where the argument holds no array
	out    []*tree.Plan[Array]
	hasErr bool // the last result is an error, which is not among out
}

var errorType = reflect.TypeFor[error]()

// signatureOf returns the signature of f, which must be a function. What cannot be
// wrapped is refused here, when wrapping.
func signatureOf(op string, f any) *signature {
	v := reflect.ValueOf(f)
	if !v.IsValid() || v.Kind() != reflect.Func {
		core.FailOp(core.ErrStatic, op, nil, "takes a function; this is %s: did you call it? Pass the function itself", describe(f))
	}
	if v.IsNil() {
		core.FailOp(core.ErrTree, op, nil, "takes a function; this one is nil")
	}
	s := &signature{op: op, fn: v}
	t := v.Type()
	for i := range t.NumIn() {
		s.in = append(s.in, s.plan(t.In(i)))
	}
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == errorType {
		s.hasErr = true
		n--
	}
	for i := range n {
		p := s.plan(t.Out(i))
		if p == nil {
			core.FailOp(core.ErrTree, op, nil, "result %d of the function is %s, which holds no array; results must be arrays, trees of arrays, or an error at the end", i, core.A(t.Out(i)))
		}
		s.out = append(s.out, p)
	}
	return s
}

func (s *signature) plan(t reflect.Type) *tree.Plan[Array] {
	p, err := tree.For[Array](t)
	if err != nil {
		if e, ok := err.(*core.Error); ok {
			e.Op = s.op
		}
		panic(err)
	}
	if p.Static() {
		return nil
	}
	return p
}

// describe says what a value is that should have been a function.
func describe(f any) string {
	if _, ok := f.(Array); ok {
		return "an Array"
	}
	if f == nil {
		return "nil"
	}
	return core.A(reflect.TypeOf(f))
}

// arguments is a call's arguments taken apart.
type arguments struct {
	args   []reflect.Value // addressable copies
	leaves []core.Value    // of all trees, in order
	defs   []defOf         // nil where static
	counts []int           // leaves of each argument
}

// apart takes the arguments of a call apart. Every leaf must hold an array.
func (s *signature) apart(args []reflect.Value) *arguments {
	a := &arguments{args: make([]reflect.Value, len(args)), defs: make([]defOf, len(args)), counts: make([]int, len(args))}
	for i, v := range args {
		c := reflect.New(v.Type())
		c.Elem().Set(v)
		a.args[i] = c
		if p := s.in[i]; p != nil {
			var flat tree.Flat[Array]
			p.Flatten(&flat, c.UnsafePointer())
			for k, x := range flat.Leaves {
				if x.IsZero() {
					core.FailOp(core.ErrTree, s.op, nil, "argument %d: leaf %q holds no array: was a field not set?", i, p.Paths(c.UnsafePointer())[k])
				}
				a.leaves = append(a.leaves, x.Value())
			}
			a.defs[i], a.counts[i] = p.Def(c.UnsafePointer()), len(flat.Leaves)
		}
	}
	return a
}

// call calls the function with other leaves in the form of a, and takes its
// results apart. An error of the function is returned as it is.
func (s *signature) call(a *arguments, leaves []core.Value) (outs []core.Value, defs []defOf, counts []int, err error) {
	in := make([]reflect.Value, len(a.args))
	given := leaves
	for i := range in {
		if s.in[i] == nil {
			in[i] = a.args[i].Elem()
			continue
		}
		v := reflect.New(s.in[i].Type())
		a.defs[i].Rebuild(v.UnsafePointer(), arraysOf(leaves[:a.counts[i]]))
		leaves = leaves[a.counts[i]:]
		in[i] = v.Elem()
	}
	var res []reflect.Value
	if s.fn.Type().IsVariadic() {
		res = s.fn.CallSlice(in)
	} else {
		res = s.fn.Call(in)
	}
	if s.hasErr {
		if e := res[len(res)-1]; !e.IsNil() {
			return nil, nil, nil, e.Interface().(error)
		}
	}
	s.unwritten(a, in, given)
	for i, p := range s.out {
		c := reflect.New(p.Type())
		c.Elem().Set(res[i])
		var flat tree.Flat[Array]
		p.Flatten(&flat, c.UnsafePointer())
		for k, x := range flat.Leaves {
			if x.IsZero() {
				core.FailOp(core.ErrTree, s.op, nil, "result %d of the function: leaf %q holds no array", i, p.Paths(c.UnsafePointer())[k])
			}
			outs = append(outs, x.Value())
		}
		defs, counts = append(defs, p.Def(c.UnsafePointer())), append(counts, len(flat.Leaves))
	}
	return outs, defs, counts, nil
}

// unwritten refuses arguments whose leaves are no longer those that were given: the
// function wrote into a slice or map, and there is no caller to return it to.
func (s *signature) unwritten(a *arguments, args []reflect.Value, given []core.Value) {
	for i, p := range s.in {
		mine := given[:a.counts[i]]
		given = given[len(mine):]
		if p == nil || !leaves.HoldsShared[Array](p.Type()) {
			continue
		}
		c := reflect.New(p.Type())
		c.Elem().Set(args[i])
		var now tree.Flat[Array]
		p.Flatten(&now, c.UnsafePointer())
		if len(now.Leaves) != len(mine) {
			core.FailOp(core.ErrTree, s.op, nil, "the function changes the structure of argument %d; under %s nothing is written back: give what is new as a result, or change a copy", i, s.op)
		}
		for k, x := range now.Leaves {
			if x.IsZero() || x.Value() != mine[k] {
				core.FailOp(core.ErrTree, s.op, nil, "the function writes leaf %q of argument %d in a slice or map, or behind a pointer; under %s nothing is written back: give what is new as a result, or write into a copy", p.Paths(c.UnsafePointer())[k], i, s.op)
			}
		}
	}
}

// results puts leaves together as the results of a call.
func (s *signature) results(outs []core.Value, defs []defOf, counts []int, err error) []reflect.Value {
	t := s.fn.Type()
	res := make([]reflect.Value, t.NumOut())
	for i, p := range s.out {
		if err != nil {
			res[i] = reflect.Zero(p.Type())
			continue
		}
		v := reflect.New(p.Type())
		defs[i].Rebuild(v.UnsafePointer(), arraysOf(outs[:counts[i]]))
		outs = outs[counts[i]:]
		res[i] = v.Elem()
	}
	if s.hasErr {
		e := reflect.New(errorType).Elem()
		if err != nil {
			e.Set(reflect.ValueOf(err))
		}
		res[len(res)-1] = e
	}
	return res
}

func arraysOf(vs []core.Value) []Array {
	out := make([]Array, len(vs))
	for i, v := range vs {
		out[i] = FromValue(v)
	}
	return out
}

// guarded runs f; a mistake in traced code is its error if the function gives
// errors, and panics on if not.
func (s *signature) guarded(f func() []reflect.Value) (res []reflect.Value) {
	if s.hasErr {
		defer func() {
			if r := recover(); r != nil {
				e, ok := r.(*core.Error)
				if !ok {
					panic(r)
				}
				res = s.results(nil, nil, nil, e)
			}
		}()
	}
	return f()
}

// requireOption refuses an option that is nil.
func requireOption(op string, isNil bool) {
	if isNil {
		core.FailOp(core.ErrStatic, op, nil, "an option is nil; leave it out")
	}
}
