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
	Refusals []Reason    // not empty if it must be refused
	Perhaps  []Reason    // why it may be refused, too
	Skip     string      // not empty if the numbers depend on rounding, and why
	Steps    int
}

const maxSteps = 400_000

var errTooLong = errors.New("the program takes too many steps")

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
	m := &machine{refused: map[Reason]bool{}, perhaps: map[Reason]bool{}, axes: map[string]index{}, levels: map[uint32]*level{}, live: map[*Func]map[*Var]bool{}}
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
	o = &Outcome{Refusals: slices.Sorted(maps.Keys(m.refused)), Perhaps: slices.Sorted(maps.Keys(m.perhaps)), Skip: m.unstable, Steps: m.steps}
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
	refused  map[Reason]bool
	perhaps  map[Reason]bool // what may be refused or not
	idle     int             // evaluating what computes something for nothing that may be left out
	vain     int             // evaluating what nothing needs: on a tape its derivative is left out
	loose    int             // the same, or what gives something that nothing needs: a loop on a tape may leave it out
	frames   []frame
	bits     uint32 // of the levels that are going on
	levels   map[uint32]*level

	marks     uint32        // in use
	seeds     uint32        // marks of arguments of linear maps in use
	mapped    []mark        // functions that are being mapped
	touched   map[*arr]bool // what operations were applied to, if anybody asks
	passed    map[*arr]bool // what functions under a transformation gave, if anybody asks
	asking    int           // how many ask
	lents     map[*arr]loan // copies that stand for others within a derivative
	takes     []val         // what the function that is recorded next takes, and closes over
	residuals uint32        // levels at which a reverse rule in a program closes over what is differentiated
	axes      map[string]index
	live      map[*Func]map[*Var]bool // what the results of functions depend on
}

// index is where a batch is, and since when it goes on.
type index struct {
	at int64
	mark
}

// refuse notes that the program must be refused; or may be, where what is refused is
// computed for nothing and so may be left out.
func (m *machine) refuse(r Reason) {
	if m.idle > 0 {
		m.perhaps[r] = true
	} else {
		m.refused[r] = true
	}
}

// doubt notes that the program may be refused.
func (m *machine) doubt(r Reason) { m.perhaps[r] = true }

// call evaluates a function.
func (m *machine) call(f *Func, args []val, around *env) []val {
	e := &env{vars: make(map[*Var]val, len(f.Params)+len(f.Body)), around: around}
	for k, p := range f.Params {
		e.vars[p] = args[k]
	}
	for _, n := range f.Body {
		var outs []val
		needed, all := m.needs(f, n)
		if n.Partly {
			m.idle++
		}
		if !needed {
			m.vain++
		}
		if !needed || !all && !n.ruled() {
			m.loose++
		}
		switch {
		case n.Op == "call":
			outs = m.call(n.W.Fs[0], e.args(n.In), e)
		case n.Op == "axisindex":
			x, b := newArr(core.Int32, nil), m.axes[n.Name]
			x.i[0], x.from = b.at, b.bit
			for _, fr := range m.frames {
				if fr.fn != nil && fr.age > b.age {
					x.from |= fr.bit
				}
			}
			outs = []val{x}
		case n.W != nil:
			outs = m.wrapper(n, e)
		default:
			outs = m.apply(n, e.args(n.In))
		}
		if n.Partly {
			m.idle--
		}
		if !needed {
			m.vain--
		}
		if !needed || !all && !n.ruled() {
			m.loose--
		}
		for k, v := range n.Out {
			if got := outs[k].like(); got.dt != v.Type.DType || !slices.Equal(got.shape, v.Type.Shape.Ints()) {
				panic(fmt.Sprintf("%s gives %v%v for %v", n.Op, got.dt, got.shape, v))
			}
			e.vars[v] = outs[k]
		}
	}
	return e.args(f.Outs)
}

// needs reports whether some results of a node of f are for anything, and whether all are.
func (m *machine) needs(f *Func, n *Node) (some, all bool) {
	live, ok := m.live[f]
	if !ok {
		live = f.live()
		m.live[f] = live
	}
	all = true
	for _, v := range n.Out {
		some = some || live[v]
		all = all && live[v]
	}
	return some, all
}

// ghostly evaluates f for its structure only.
func (m *machine) ghostly(f func() []val) []val {
	m.ghost++
	defer func() { m.ghost-- }()
	return f()
}
