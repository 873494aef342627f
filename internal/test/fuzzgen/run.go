package fuzzgen

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/weft-go/weft/core"
)

// Reason is why a program must be refused.
type Reason string

// The refusals of principle.
const (
	ReverseWhile  Reason = "reverse mode through a while loop"
	ForwardVJP    Reason = "forward mode through a reverse rule"
	ClosedOver    Reason = "a custom function closes over a value that is differentiated"
	EscapedTracer Reason = "a rule closes over a value of a trace that has ended"
)

// Outcome is what a program means.
type Outcome struct {
	Results  []Value     // numbers
	Errors   [][]float64 // how far from them an honest evaluation may end up
	Refusals []Reason    // why it may be refused: what is refused there occurs in it
	Skip     string      // not empty if the numbers are not known, or depend on rounding, and why
	Steps    int
}

const maxSteps = 400_000

var errTooLong = errors.New("the program takes too many steps; draw another")

// Run describes what the program means: run at once, or recorded as a whole. The numbers are
// the same; what a custom function may close over is not.
func (p *Program) Run(recorded bool) (o *Outcome, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, errTooLong) {
				panic(r)
			}
			err = e
		}
	}()
	m := &machine{may: map[Reason]bool{}, axes: map[string]int64{}}
	args := make([]val, len(p.Args))
	for k, a := range p.Args {
		x := newArr(a.Type.DType, a.Type.Shape.Ints())
		for i, c := range a.Elems {
			if x.c != nil {
				x.c[i].v = c
			} else {
				x.i[i] = int64(real(c))
			}
		}
		args[k] = x
	}
	var outs []val
	if recorded {
		outs = m.recorded(p.Main, args, nil)
	} else {
		outs = m.call(p.Main, args, nil)
	}
	o = &Outcome{Refusals: slices.Sorted(maps.Keys(m.may)), Skip: m.unstable, Steps: m.steps}
	if m.ill {
		o.Skip = "numbers grow too large"
	}
	for k, v := range outs {
		x := base(v)
		r := Value{Type: p.Main.Outs[k].Type()}
		var e []float64
		for i := range x.size() {
			if x.c != nil {
				r.Elems = append(r.Elems, x.c[i].v)
				e = append(e, x.c[i].e)
			} else {
				r.Elems = append(r.Elems, complex(float64(x.i[i]), 0))
			}
		}
		o.Results, o.Errors = append(o.Results, r), append(o.Errors, e)
	}
	return o, nil
}

// machine evaluates programs.
type machine struct {
	ages     int
	steps    int
	ghost    int // evaluating what does not run, or not with these numbers
	unstable string
	ill      bool
	may      map[Reason]bool // why the program may be refused
	frames   []frame
	bits     uint32           // of the levels that are going on
	takes    []val            // what the function that is recorded next takes, and closes over
	axes     map[string]int64 // where batches are
}

// unknown records that the program may be refused, and that its numbers are not known if it is
// not.
func (m *machine) unknown(r Reason) {
	m.may[r] = true
	m.tied(string(r))
}

// call evaluates a function.
func (m *machine) call(f *Func, args []val, around *env) []val {
	e := &env{vars: make(map[*Var]val, len(f.Params)+len(f.Body)), around: around}
	for k, p := range f.Params {
		e.vars[p] = args[k]
	}
	for _, n := range f.Body {
		var outs []val
		switch {
		case n.Op == "call":
			outs = m.call(n.W.Fs[0], e.args(n.In), e)
		case n.Op == "axisindex":
			x := newArr(core.Int32, nil)
			x.i[0] = m.axes[n.Name]
			outs = []val{x}
		case n.W != nil:
			outs = m.wrapper(n, e)
		default:
			outs = m.apply(n, e.args(n.In))
		}
		for k, v := range n.Out {
			if got := outs[k].like(); got.dt != v.Type.DType || !slices.Equal(got.shape, v.Type.Shape.Ints()) {
				panic(fmt.Sprintf("%s returns %v%v for %v", n.Op, got.dt, got.shape, v))
			}
			e.vars[v] = outs[k]
		}
	}
	return e.args(f.Outs)
}

// ghostly evaluates f for its structure only.
func (m *machine) ghostly(f func() []val) []val {
	m.ghost++
	defer func() { m.ghost-- }()
	return f()
}
