package runtime

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// The functions of this file check executors from outside the library: their registration, what
// their methods return, and the arrays that they pass to the reference executor's steps, before a
// kernel reads them. Errors name the executor.

// registrable returns why e cannot be registered beside the executors of a list, nil if it can.
func registrable(e Executor, list []Executor) error {
	if err := usable("Register", e); err != nil {
		return err
	}
	name := e.Name()
	for _, old := range list {
		if old.Name() == name {
			return registration("Register", "two executors have the same name (got %q twice); rename one", name)
		}
	}
	return nil
}

// usable returns why op cannot use e, nil if it can.
func usable(op string, e Executor) error {
	v := reflect.ValueOf(e)
	switch {
	case e == nil || v.Kind() == reflect.Pointer && v.IsNil():
		return registration(op, "the executor is nil; pass an executor")
	case !v.Comparable():
		return registration(op, "an executor of type %T is not comparable; pass a pointer to it", e)
	case e.Name() == "":
		return registration(op, "an executor of type %T has no name; return one from Name", e)
	case e.Memory() == "":
		return registration(op, "the memory of executor %s has no name; return one from Memory", e.Name())
	}
	return nil
}

func registration(op, format string, args ...any) error {
	return &core.Error{Kind: core.ErrDevice, Op: op, Pos: core.HerePos(), Msg: fmt.Sprintf(format, args...)}
}

// checkRequest returns why no executor can compile a request, nil if it is well formed.
func checkRequest(r *Request) error {
	switch {
	case r == nil || r.Jaxpr == nil:
		return &core.Error{Kind: core.ErrCheck, Op: "Compile", Pos: core.HerePos(), Msg: "the request has no program; set Jaxpr"}
	case r.Donated != nil && len(r.Donated) != len(r.Jaxpr.Ins):
		return &core.Error{Kind: core.ErrCheck, Op: "Compile", Pos: core.HerePos(),
			Msg: fmt.Sprintf("Donated has not one element for each input (got %d, want %d); pass nil or mark every input", len(r.Donated), len(r.Jaxpr.Ins))}
	}
	return nil
}

// ill returns what makes an array unusable as one of type t, "" if nothing does. Weak marks
// may differ.
func ill(a *Array, t core.ShapedArray) string {
	if a == nil {
		return "is missing (want " + t.Full() + ")"
	}
	if at := a.t.ShapedArray; !at.SameType(t) {
		return "has the wrong type (got " + at.Full() + ", want " + t.Full() + ")"
	}
	if b := a.Buffer(); b != nil {
		if b.Executor() == nil {
			return "of type " + t.Full() + " is in a buffer without an executor"
		}
		return ""
	}
	return illMemory(a.t.Data, t)
}

// illMemory returns why data cannot be the elements of an array of type t, "" if it can.
func illMemory(data []byte, t core.ShapedArray) string {
	if n := t.Size() * t.DType.Size(); len(data) != n {
		return fmt.Sprintf("of type %v has memory of the wrong size (got %d bytes, want %d)", t.Full(), len(data), n)
	}
	w := uintptr(min(t.DType.Size(), 8)) // what Go needs; 16 bytes, which the contract states, are faster
	if len(data) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(data)))&(w-1) != 0 {
		return fmt.Sprintf("of type %v has memory that is not aligned to its elements", t.Full())
	}
	return ""
}

// checkArgs refuses arguments that are not of a program's types. The caller has
// compared their number.
func checkArgs(op string, j *jaxpr.Jaxpr, args []*Array) {
	for i, a := range args {
		if a != nil && a.Dead() {
			continue // holdArgs reports it
		}
		if why := ill(a, j.Ins[i].Type); why != "" {
			core.FailOp(core.ErrCheck, op, nil, "argument %d %s; pass an array of the input's type", i, why)
		}
	}
}

func checkOuts(op string, types []core.ShapedArray, outs []*Array) {
	for i, a := range outs {
		if a == nil {
			continue
		}
		why := ill(a, types[i])
		if why == "" && a.Buffer() != nil {
			why = "is not in host memory"
		}
		if why != "" {
			core.FailOp(core.ErrCheck, op, nil, "the memory for result %d %s; pass memory of the result's type", i, why)
		}
	}
}

// checkResults refuses results that are views or not of the program's types. Weak marks are
// corrected.
func checkResults(e Executor, op string, types []core.ShapedArray, outs []*Array) {
	for i, a := range outs {
		why := ill(a, types[i])
		if why == "" && a.refs == isView {
			why = "of type " + types[i].Full() + " is a view, whose memory changes"
		}
		if why != "" {
			fail(op, executorErrorf(e, op, "result %d %s", i, why))
		}
		outs[i] = a.ofItsOwn().marked(types[i])
	}
}

// checkPlaced returns what is wrong with p, which e returned as the copy of a in its memory.
func checkPlaced(e Executor, a, p *Array) error {
	switch {
	case p == nil:
		return executorErrorf(e, "", "Place returned neither an array nor an error; report it to the executor's authors")
	case p.Aval() != a.Aval():
		return executorErrorf(e, "", "Place changed the type of an array (got %v, want %v); report it to the executor's authors", p.Aval().Full(), a.Aval().Full())
	}
	if why := ill(p, a.Aval()); why != "" && !p.Dead() {
		return executorErrorf(e, "", "Place returned an array that %s; report it to the executor's authors", why)
	}
	if m := p.Memory(); m != e.Memory() {
		return executorErrorf(e, "", "Place returned an array in another memory (got %s, want %s); report it to the executor's authors", m, e.Memory())
	}
	return nil
}
