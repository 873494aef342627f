package hostcall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// HostFunc is a Go function that a program calls. Primitives hold it by pointer, so
// that they stay comparable. In a program that was read from text only Name is set.
type HostFunc struct {
	Name string
	Call func(in []core.Value) []core.Value // of concrete arrays

	// CallIn, if set, is called instead of Call, with the context of the run.
	CallIn func(ctx context.Context, in []core.Value) []core.Value

	// For messages.
	Op    string           // the operation that the user called, or ""
	Title string           // how messages name the function; "": by Name
	Path  func(int) string // where a result is in a tree, or nil
}

// String returns the function's name.
func (f *HostFunc) String() string { return cmp.Or(f.Name, "f") }

// Run calls the function on concrete arrays. It fails unless the results are arrays of the types want.
func (f *HostFunc) Run(ctx context.Context, in []core.Value, want []core.ShapedArray) []core.Value {
	var out []core.Value
	switch {
	case f.CallIn != nil:
		out = f.CallIn(ctx, in)
	case f.Call != nil:
		out = f.Call(in)
	default:
		core.Failf(core.ErrNoRule, "the function %s is not in the text that the program was read from; it cannot be called", f)
	}
	title := f.Title
	if title == "" {
		title = "the function " + f.String()
	}
	if len(out) != len(want) {
		core.Failf(core.ErrShape, "%s returned %s (want %d); return one array for each declared result", title, core.Count(len(out), "result"), len(want))
	}
	for i, v := range out {
		if v == nil || !v.Aval().SameType(want[i]) {
			if v == nil {
				core.FailOp(core.ErrShape, f.Op, nil, "%s returned nothing for result %d (want %v); return one array for each declared result", title, i, want[i].Full())
			}
			at, got := fmt.Sprintf("result %d", i), v.Aval()
			if f.Path != nil && f.Path(i) != "" {
				at = fmt.Sprintf("%q", f.Path(i))
			} else if len(want) == 1 {
				at = "its result"
			}
			core.FailOp(core.Mismatch(got, want[i]), f.Op, []core.ShapedArray{got, want[i]}, "%s returned another type than was promised for %s (got %v, want %v); make them equal", title, at, got.Full(), want[i].Full())
		}
	}
	return out
}

// Avals is an immutable list of types. Equal lists are the same handle.
type Avals struct{ p *[]core.ShapedArray }

var avalLists interned[[]core.ShapedArray] // by their text

// MakeAvals returns the handle of a list of types.
func MakeAvals(avals ...core.ShapedArray) Avals {
	if len(avals) == 0 {
		return Avals{}
	}
	var b strings.Builder
	for _, a := range avals {
		b.WriteString(a.Full())
		b.WriteByte(' ')
	}
	list := append([]core.ShapedArray(nil), avals...)
	return Avals{avalLists.of(b.String(), &list)}
}

// List returns a copy of the types.
func (a Avals) List() []core.ShapedArray {
	if a.p == nil {
		return nil
	}
	return append([]core.ShapedArray(nil), *a.p...)
}

func (a Avals) withBatchAxis(n int) Avals {
	l := a.List()
	for i := range l {
		l[i] = l[i].WithShape(l[i].Shape.Prepend(n))
	}
	return MakeAvals(l...)
}

// String returns the tuple of the types as parameters show them: (ShapedArray(float32[3]),).
func (a Avals) String() string {
	var parts []string
	for _, v := range a.List() {
		_, dims, _ := strings.Cut(v.String(), "[")
		s := "ShapedArray(" + v.DType.Long() + "[" + dims
		if v.Weak {
			s += ", weak_type=True"
		}
		parts = append(parts, s+")")
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// perExample runs p, which has effects or calls the host, once for each example of
// a batch, in order: a loop over the mapped operands.
func perExample(p core.Primitive, n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	body := &jaxpr.Jaxpr{}
	eqn := &jaxpr.Eqn{Prim: p, Ins: make([]jaxpr.Atom, len(in))}
	var consts, xs []core.Value
	var constVars, xVars []*jaxpr.Var
	avals := make([]core.ShapedArray, len(in))
	for i, v := range in {
		avals[i] = rule.UnmappedAval(v, mapped[i])
		if l, ok := v.(core.Literal); ok {
			eqn.Ins[i] = l
			continue
		}
		x := jaxpr.NewVar(avals[i])
		eqn.Ins[i] = x
		if mapped[i] {
			xs, xVars = append(xs, v), append(xVars, x)
		} else {
			consts, constVars = append(consts, v), append(constVars, x)
		}
	}
	for _, a := range core.AbstractOf(p, avals) {
		y := jaxpr.NewVar(a)
		eqn.Outs = append(eqn.Outs, y)
		body.Outs = append(body.Outs, y)
	}
	body.Ins = append(constVars, xVars...)
	body.Eqns = []*jaxpr.Eqn{eqn}
	loop := &jaxpr.Scan{Jaxpr: body, Length: n, NumConsts: len(consts), Unroll: 1}
	out := core.Bind(loop, slices.Concat(consts, xs)...)
	return out, rule.AllTrue(len(out))
}
