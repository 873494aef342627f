package runtime

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/scalar"
)

// A Watch is a set of values that the results of every operation are searched for.
type Watch uint8

// The values that a [Watch] may contain.
const (
	NaNs Watch = 1 << iota
	Infs
)

// eager returns the equation of an operation that runs outside of programs.
func eager(p core.Primitive, avals, types []core.ShapedArray) *jaxpr.Eqn {
	e := &jaxpr.Eqn{Prim: p, Site: core.HereSite()}
	for _, a := range avals {
		e.Ins = append(e.Ins, jaxpr.NewVar(a))
	}
	for _, a := range types {
		e.Outs = append(e.Outs, jaxpr.NewVar(a))
	}
	return e
}

// look panics if a result contains a value that the run watches for. Results of calls, branches
// and loops were searched where they were computed.
func (x *run) look(act action, e *jaxpr.Eqn, in, out []*Array) {
	switch act.(type) {
	case *call, *cond, *while, *scan:
		return
	}
	x.watch.look(x.top, e, in, out)
}

func (w Watch) look(top *jaxpr.Jaxpr, e *jaxpr.Eqn, in, out []*Array) {
	for i, a := range out {
		if at := w.find(a); at >= 0 {
			w.fail(top, e, in, a, i, at)
		}
	}
}

// find returns the index of the first element of a that w contains, or −1.
func (w Watch) find(a *Array) int {
	switch a.t.DType {
	case core.Float32, core.Complex64:
		for i, v := range words[float32](a) {
			if w.has(float64(v)) {
				return i / scalar.Components(a.t.DType)
			}
		}
	case core.Float64, core.Complex128:
		for i, v := range words[float64](a) {
			if w.has(v) {
				return i / scalar.Components(a.t.DType)
			}
		}
	default:
		if !a.t.DType.IsInexact() {
			return -1
		}
		for i := range a.t.Size() {
			if n, ok := a.at(i); ok && w.has(n.Float()) {
				return i
			}
		}
	}
	return -1
}

func (w Watch) has(v float64) bool {
	return v-v != 0 && (v != v && w&NaNs != 0 || v == v && w&Infs != 0)
}

// words returns the components of a's elements.
func words[T float32 | float64](a *Array) []T {
	part := reference.Tensor{ShapedArray: core.Aval(core.Float32, 0), Data: a.t.Data}
	if a.t.DType == core.Float64 || a.t.DType == core.Complex128 {
		part.DType = core.Float64
	}
	return reference.View[T](&part)
}

// fail panics with an error that describes the operation, its line and its operands.
func (w Watch) fail(top *jaxpr.Jaxpr, e *jaxpr.Eqn, in []*Array, a *Array, result, at int) {
	what, setting := "an infinity", "DebugInfs"
	if n, _ := a.at(at); w&NaNs != 0 && isNaN(n) {
		what, setting = "NaN", "DebugNaNs"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "returns %s", what)
	if a.t.Rank() > 0 {
		fmt.Fprintf(&b, " at %s", place(a.t.Shape, at))
	}
	if len(e.Outs) > 1 {
		fmt.Fprintf(&b, " of result %d", result)
	}
	fmt.Fprintf(&b, " (%s is on): %s", setting, jaxpr.EquationText(top, e))
	suspect := false
	for i, o := range in {
		if !o.t.DType.IsInexact() {
			continue
		}
		fmt.Fprintf(&b, "; operand %d, %s, ", i, o.t.ShapedArray.Full())
		switch k := (NaNs | Infs).find(o); {
		case k < 0:
			b.WriteString("is finite")
		default:
			n, _ := o.at(k)
			suspect = suspect || isNaN(n) || w&Infs != 0
			fmt.Fprintf(&b, "holds %s already", core.Lit(n, o.t.DType).Text())
			if o.t.Rank() > 0 {
				fmt.Fprintf(&b, ", at %s", place(o.t.Shape, k))
			}
		}
		if o.t.Size() == 1 {
			n, _ := o.at(0)
			fmt.Fprintf(&b, ", %s", core.Lit(n, o.t.DType).Text())
		} else if o.t.Shape == a.t.Shape {
			n, _ := o.at(at)
			fmt.Fprintf(&b, ", %s there", core.Lit(n, o.t.DType).Text())
		}
	}
	if suspect {
		b.WriteString("; what an operand holds came in as an argument or a constant, or was made where nothing looked")
	} else {
		b.WriteString("; keep the operands where the operation is defined: a later Where hides the element, but not from derivatives")
	}
	pos := e.Site.String()
	if pos == "" {
		pos = core.HerePos()
	}
	panic(&core.Error{Kind: core.ErrNaN, Op: e.Prim.Name(), Pos: pos, Avals: core.AvalsOf(e.Ins), Msg: b.String()})
}

func isNaN(n core.Number) bool {
	c := n.Complex()
	return c != c
}

// place returns the indices of an element as text.
func place(shape core.Dims, at int) string {
	pos := make([]string, shape.Len())
	for i := len(pos) - 1; i >= 0; i-- {
		n := shape.At(i)
		pos[i] = strconv.Itoa(at % n)
		at /= n
	}
	return "[" + strings.Join(pos, ", ") + "]"
}

// nameTrip, deferred by a loop whose results are watched, adds the iteration to the error.
func nameTrip(loop string, trip *int) {
	r := recover()
	if r == nil {
		return
	}
	if e, ok := r.(*core.Error); ok && e.Kind == core.ErrNaN {
		e.Msg += fmt.Sprintf("; in iteration %d of a %s", *trip, loop)
	}
	panic(r)
}
