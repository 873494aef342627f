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
	vain     int             // evaluating what nobody needs: on a tape its derivative is left out
	loose    int             // the same, or what gives something that nobody needs: a loop on a tape may leave it out
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

// frame is a recorded function that is being evaluated, or a level.
type frame struct {
	fn    *Func
	loop  bool  // fn is the body of a while loop
	again bool  // fn is recorded again, to apply a rule
	takes []val // what fn was given and closes over, as seen from without
	mark        // of what depends on fn's parameters
	l     *level

	hidden []*level // levels out of the way, the youngest last: they get what is theirs
}

// mark is a bit for what depends on the parameters of a function that is being recorded
// or mapped, and since when.
type mark struct {
	age int
	bit uint32
}

// env holds the values of variables; scopes within see those around them, or the
// numbers of those only, or not their tangents at some levels.
type env struct {
	vars   map[*Var]val
	around *env
	plain  bool
	strip  []*level
}

func (e *env) lookup(v *Var) val {
	plain := false
	var strip []*level
	for s := e; s != nil; s = s.around {
		plain = plain || s.plain
		strip = append(strip, s.strip...)
		if x, ok := s.vars[v]; ok {
			if plain {
				return base(x)
			}
			return stripped(x, strip)
		}
	}
	panic(fmt.Sprintf("%v has no value", v))
}

// stripped is v without its tangents at some levels.
func stripped(v val, levels []*level) val {
	d, ok := v.(*dual)
	switch {
	case !ok || len(levels) == 0:
		return v
	case slices.Contains(levels, d.l):
		return stripped(d.p, levels)
	}
	t := make([]val, len(d.t))
	for k, x := range d.t {
		if x != nil {
			t[k] = stripped(x, levels)
		}
	}
	return &dual{d.l, stripped(d.p, levels), t}
}

func (e *env) arg(a Arg) val {
	switch {
	case a.None():
		return nil
	case a.Var != nil:
		return e.lookup(a.Var)
	}
	out := newArr(a.Lit.Type, nil)
	if out.c != nil {
		out.c[0].v = a.Lit.Num.Complex()
	} else {
		out.i[0] = wrap(a.Lit.Type, a.Lit.Num.Int64())
	}
	return out
}

func (e *env) args(as []Arg) []val {
	out := make([]val, len(as))
	for k, a := range as {
		out[k] = e.arg(a)
	}
	return out
}

// Run says what the program means: run at once, or recorded as a whole. The numbers are
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

// loopTapes are the levels with a tape on which a while loop is that goes on: what is not
// needed in its body is no part of what older levels see.
func (m *machine) loopTapes() (bits uint32) {
	for _, fr := range m.frames {
		if fr.loop {
			for _, v := range fr.takes {
				bits |= marksOf(v).linear
			}
		}
	}
	return bits
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

// recorded evaluates a function that is recorded.
func (m *machine) recorded(f *Func, args []val, e *env) []val {
	return m.recordedIn(frame{fn: f}, f, args, e)
}

func (m *machine) recordedIn(fr frame, f *Func, args []val, e *env) []val {
	fr.mark, fr.takes = m.newMark(), m.takes
	m.frames = append(m.frames, fr)
	outs := m.call(f, fr.on(args), e)
	for _, v := range outs {
		m.touch(v)
	}
	m.frames = m.frames[:len(m.frames)-1]
	via := m.viaRecorders()
	for k, v := range outs {
		outs[k] = fresh(marked(v, func(k marks) marks { k.via &= via; return k })) // results of an equation
	}
	return m.end(fr.mark, outs)
}

// viaRecorders are the levels that see what is done in a function that is being recorded
// only later: those around it.
func (m *machine) viaRecorders() (bits uint32) {
	var around uint32
	for _, fr := range m.frames {
		if fr.fn != nil {
			bits |= around
		}
		if fr.l != nil {
			around |= fr.l.bit
		}
		for _, l := range fr.hidden {
			around |= l.bit
		}
	}
	return bits
}

func (m *machine) newMark() mark {
	m.ages++
	for b := uint32(1); ; b <<= 1 {
		if m.marks&b == 0 {
			m.marks |= b
			return mark{m.ages, b}
		}
	}
}

// on gives the mark to all values.
func (k mark) on(vs []val) []val {
	out := make([]val, len(vs))
	for i, v := range vs {
		out[i] = marked(v, func(m marks) marks { m.from |= k.bit; return m })
	}
	return out
}

// end takes the mark off again.
func (m *machine) end(k mark, vs []val) []val {
	m.marks &^= k.bit
	out := make([]val, len(vs))
	for i, v := range vs {
		out[i] = marked(v, func(m marks) marks { m.from &^= k.bit; return m })
	}
	return out
}

// begin starts a level; the function that ends it must be called.
func (m *machine) begin(kind Kind, width int) (l *level, end func()) {
	m.ages++
	l = &level{age: m.ages, kind: kind, width: width}
	for b := uint32(1); ; b <<= 1 {
		if m.bits&b == 0 {
			l.bit = b
			break
		}
	}
	m.bits |= l.bit
	m.levels[l.bit] = l
	m.frames = append(m.frames, frame{l: l})
	n := len(m.frames)
	return l, func() {
		m.bits &^= l.bit
		m.frames = m.frames[:n-1]
	}
}

// taped reports whether the level's tangents are written on a tape.
func (l *level) taped() bool { return l.kind != JVP }

// marked is v with its marks changed, in all parts.
func marked(v val, f func(marks) marks) val {
	switch v := v.(type) {
	case *dual:
		t := make([]val, len(v.t))
		for k, x := range v.t {
			if x != nil {
				t[k] = marked(x, f)
			}
		}
		return &dual{v.l, marked(v.p, f), t}
	case *arr:
		return v.with(f(v.marks))
	}
	return nil
}

// marksOf are the marks of all parts.
func marksOf(v val) marks {
	switch v := v.(type) {
	case *dual:
		m := marksOf(v.p)
		for _, t := range v.t {
			if t != nil {
				m = m.or(marksOf(t))
			}
		}
		return m
	case *arr:
		return v.marks
	}
	return marks{}
}

// without is v as it is once a level has ended.
func (m *machine) without(l *level, v val) val {
	if v == nil {
		return nil
	}
	return m.returned(l, marked(v, func(m marks) marks {
		m.linear &^= l.bit
		m.loop &^= l.bit
		m.rule &^= l.bit
		m.closed &^= l.bit
		m.stuck &^= l.bit
		m.near &^= l.bit
		m.via &^= l.bit
		return m
	}))
}

// seeds boxes an operand with the tangent t in direction d.
func (m *machine) seed(l *level, p val, d int, t val) val {
	ts := make([]val, l.width)
	q, old := l.parts(p)
	copy(ts, old)
	if q == p {
		q = m.lent(l, q)
	}
	if l.taped() {
		t = marked(t, func(m marks) marks { m.linear |= l.bit; return m })
	}
	ts[d] = t
	return &dual{l, q, ts}
}

// contains reports whether v has a part that is dual at a level of at least the given
// age.
func contains(v val, age int) bool {
	d, ok := v.(*dual)
	if !ok {
		return false
	}
	if d.l.age >= age || contains(d.p, age) {
		return true
	}
	for _, t := range d.t {
		if t != nil && contains(t, age) {
			return true
		}
	}
	return false
}

// at reports whether v has a tangent at the level.
func (l *level) at(v val) bool {
	for {
		d, ok := v.(*dual)
		if !ok {
			return false
		}
		if d.l == l {
			return true
		}
		for _, t := range d.t {
			if t != nil && l.at(t) {
				return true
			}
		}
		v = d.p
	}
}

// join is x with zeros written out wherever y has tangents and x has none, and with the
// marks of both.
func join(x, y val) val {
	dx, okx := x.(*dual)
	dy, oky := y.(*dual)
	switch {
	case !okx && !oky:
		a, b := x.(*arr), y.(*arr)
		if a.marks.or(b.marks) == a.marks {
			return a
		}
		return a.with(a.marks.or(b.marks))
	case okx && (!oky || dx.l.age > dy.l.age):
		return &dual{dx.l, join(dx.p, y), dx.t}
	case oky && (!okx || dy.l.age > dx.l.age):
		t := make([]val, len(dy.t))
		for k, v := range dy.t {
			if v != nil {
				t[k] = join(zerosLike(v), v)
			}
		}
		return &dual{dy.l, join(x, dy.p), t}
	}
	t := make([]val, len(dx.t))
	for k := range t {
		switch {
		case dx.t[k] == nil && dy.t[k] == nil:
		case dx.t[k] == nil:
			t[k] = join(zerosLike(dy.t[k]), dy.t[k])
		case dy.t[k] == nil:
			t[k] = dx.t[k]
		default:
			t[k] = join(dx.t[k], dy.t[k])
		}
	}
	return &dual{dx.l, join(dx.p, dy.p), t}
}

// structure describes which tangents a value has, and its marks.
func structure(v val) string {
	switch v := v.(type) {
	case *dual:
		s := fmt.Sprintf("%d(%s", v.l.age, structure(v.p))
		for _, t := range v.t {
			s += ","
			if t != nil {
				s += structure(t)
			}
		}
		return s + ")"
	case *arr:
		return fmt.Sprint(v.marks)
	}
	return ""
}

func structures(vs []val) string {
	s := ""
	for _, v := range vs {
		s += structure(v) + ";"
	}
	return s
}

func joinAll(xs, ys []val) []val {
	out := make([]val, len(xs))
	for k := range xs {
		out[k] = join(xs[k], ys[k])
	}
	return out
}

// ghostly evaluates f for its structure only.
func (m *machine) ghostly(f func() []val) []val {
	m.ghost++
	defer func() { m.ghost-- }()
	return f()
}
