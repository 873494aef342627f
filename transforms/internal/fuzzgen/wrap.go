package fuzzgen

import (
	"maps"
	"slices"

	"github.com/weft-go/weft/core"
)

// wrapper evaluates an application of a wrapper.
func (m *machine) wrapper(n *Node, e *env) []val {
	if !n.W.Kind.Recorder() {
		return m.wrapped(n, e.args(n.In), e)
	}
	outs := m.program(n, e.args(n.In), e)
	if n.W.Again != nil {
		outs = append(outs, m.program(n, e.args(n.W.Again), e)...)
	}
	return outs
}

// program evaluates a call of a recorded program.
func (m *machine) program(n *Node, in []val, e *env) []val {
	old := m.takes
	m.takes = slices.Clone(in)
	for _, a := range n.W.Bounds {
		if a.Var != nil {
			m.takes = append(m.takes, e.arg(a))
		}
	}
	for _, v := range m.takes {
		m.touch(v)
	}
	for _, f := range n.W.Fs {
		for _, v := range f.freeVars() {
			m.takes = append(m.takes, e.lookup(v))
		}
	}
	// What a program gives depends on all that it takes.
	from, via := m.behind(m.takes)
	outs := m.wrapped(n, in, e)
	taken := m.takes
	m.takes = old
	// Its derivative stays one program: what stands in the way of one result may do so in
	// that of others, and what an operand is in the way of, too.
	var all marks
	for _, v := range outs {
		all = all.or(marksOf(v))
	}
	near := all.stuck | all.near
	for _, v := range taken {
		near |= marksOf(v).stuck | marksOf(v).near
	}
	outs = mark{bit: from}.on(outs)
	for k, v := range outs {
		outs[k] = marked(tangentsMarked(v, marks{near: near}), func(k marks) marks { k.via |= via; return k })
	}
	for _, l := range m.levels {
		if m.boundAt(l) {
			m.boundProgram(l, all, near)
		}
	}
	return outs
}

// levelsOf are the levels at which some part of v has a tangent.
func levelsOf(v val) (bits uint32) {
	if d, ok := v.(*dual); ok {
		bits = d.l.bit | levelsOf(d.p)
		for _, t := range d.t {
			if t != nil {
				bits |= levelsOf(t)
			}
		}
	}
	return bits
}

// boundAt reports whether the level is the next to see the program that was recorded.
func (m *machine) boundAt(l *level) bool {
	for _, fr := range slices.Backward(m.frames) {
		if fr.fn != nil {
			return false
		}
		if fr.l == l || slices.Contains(fr.hidden, l) {
			return true
		}
	}
	return false
}

// boundProgram refuses a program with whose derivative the level can do nothing.
func (m *machine) boundProgram(l *level, all marks, near uint32) {
	if all.closed&l.bit != 0 {
		m.refuse(ClosedOver)
	}
	if all.stuck&l.bit != 0 && m.vain == 0 && (l.kind == JVP || m.residuals&l.bit != 0) {
		m.refuse(ForwardVJP)
		if m.residuals&l.bit != 0 {
			m.refuse(ClosedOver)
		}
	} else if (near|all.stuck)&l.bit != 0 && (l.kind == JVP || m.residuals&l.bit != 0) {
		m.doubt(ForwardVJP)
		m.doubt(ClosedOver)
	}
}

func (m *machine) wrapped(n *Node, in []val, e *env) []val {
	w := n.W
	switch w.Kind {
	case Jit, JitClosing, Remat, RematPolicy:
		return m.recorded(w.Fs[0], in, e)
	case Grad, VJP:
		return m.reverse(n, in, e)
	case JVP, Linearize:
		return m.forward(n, in, e)
	case Vmap:
		return m.vmap(w, in, e)
	case Scan:
		return m.scan(w, in, e)
	case Cond, Switch:
		return m.branch(n, in, e)
	case While:
		return m.while(w, in, e)
	case ForI:
		return m.fori(w, in, e)
	case CustomJVP:
		return m.customJVP(w, in, e)
	case CustomVJP:
		return m.customVJP(w, in, e)
	}
	panic("no meaning for " + w.Kind.String())
}

// basis is the direction k of the tangents of x: one for each element, and for complex
// elements one along the imaginary axis.
func basis(x *arr, k int) *arr {
	t := constant(x.dt, x.shape, 0)
	v := complex128(1)
	if x.dt.IsComplex() {
		if k%2 == 1 {
			v = 1i
		}
		k /= 2
	}
	t.c[k].v = v
	return t
}

func directions(x *arr) int {
	if x.dt.IsComplex() {
		return 2 * x.size()
	}
	return x.size()
}

// inner is Re Σ a·b, a scalar of real type.
func (m *machine) inner(a, b val) val {
	p := m.op("mul", a, b)
	shape := p.like().shape
	s := m.node1(&Node{Op: "sum", A: upTo(len(shape))}, p)
	if s.like().dt.IsComplex() {
		s = m.op("real", s)
	}
	return s
}

func upTo(n int) []int {
	out := make([]int, n)
	for k := range out {
		out[k] = k
	}
	return out
}

// reverse evaluates Grad and VJP: the results, then the cotangents of active operands,
// for each list of cotangents. It finds them by differentiating along every direction.
func (m *machine) reverse(n *Node, in []val, e *env) []val {
	w := n.W
	width := 0
	for k, v := range in {
		if w.Active[k] {
			width += directions(v.like())
		}
	}
	l, end := m.begin(w.Kind, max(width, 1))
	args := slices.Clone(in)
	var seeds []*arr // by direction
	for k, v := range in {
		if !w.Active[k] {
			continue
		}
		for i := range directions(v.like()) {
			t := basis(v.like(), i)
			args[k] = m.seed(l, args[k], len(seeds), t)
			seeds = append(seeds, t)
		}
	}
	outs := m.given(m.call(w.Fs[0], args, e))
	end()
	tangents := make([][]val, len(outs))
	for k, v := range outs {
		outs[k], tangents[k] = l.parts(v)
	}
	var results []val
	for _, v := range outs {
		results = append(results, m.without(l, v))
	}
	for _, list := range w.Along {
		cts := e.args(list)
		m.hand(w, cts)
		for k, ct := range cts {
			if ct == nil {
				continue
			}
			for _, t := range tangents[k] {
				if t == nil {
					continue
				}
				if marksOf(t).loop&l.bit != 0 {
					m.refuse(ReverseWhile)
				}
				if marksOf(t).rule&l.bit != 0 {
					m.refuse(ClosedOver)
					m.refuse(EscapedTracer)
				}
			}
		}
		d := 0
		for k, v := range in {
			if !w.Active[k] {
				continue
			}
			x := v.like()
			parts := make([]val, directions(x))
			if o := handedBack(cts, tangents, seeds, d, len(parts)); o >= 0 {
				results = append(results, cts[o])
				d += len(parts)
				continue
			}
			for i := range parts {
				for o, ct := range cts {
					if t := tangents[o][d]; ct != nil && t != nil {
						parts[i] = m.plusAs(x.dt.Real(), parts[i], m.inner(ct, m.without(l, t)))
					}
				}
				d++
			}
			results = append(results, m.assemble(x, parts))
		}
	}
	return results
}

// handedBack is the result whose cotangent is that of an operand as it is, which has n
// directions from d on: what was put in comes out there and nowhere else. It is −1 if there
// is none.
func handedBack(cts []val, tangents [][]val, seeds []*arr, d, n int) int {
	found := -1
	for o, ct := range cts {
		ts := tangents[o][d : d+n]
		if ct == nil || !slices.ContainsFunc(ts, func(t val) bool { return t != nil }) {
			continue
		}
		for i, t := range ts {
			if x, ok := t.(*arr); found >= 0 || !ok || x.same() != seeds[d+i] {
				return -1
			}
		}
		found = o
	}
	return found
}

// hand notes what a linear map that is a program of its own, or mapped, is applied to.
func (m *machine) hand(w *Wrap, vs []val) {
	for _, v := range vs {
		if w.Mode != Direct && v != nil {
			m.touch(v)
		}
	}
}

// plusAs adds b, converted to a type, to a.
func (m *machine) plusAs(dt core.DType, a, b val) val {
	if b.like().dt != dt {
		b = m.node1(&Node{Op: "convert", DType: dt}, b)
	}
	return m.plus(a, b)
}

// assemble makes a cotangent of x from its parts along the directions, nil where zero.
func (m *machine) assemble(x *arr, parts []val) val {
	if !slices.ContainsFunc(parts, func(v val) bool { return v != nil }) {
		return constant(x.dt, x.shape, 0)
	}
	row := func(step, from int) val {
		var rows []val
		for k := from; k < len(parts); k += step {
			v := parts[k]
			if v == nil {
				v = constant(x.dt.Real(), nil, 0)
			}
			rows = append(rows, m.node1(&Node{Op: "reshape", A: []int{1}}, v))
		}
		return m.node1(&Node{Op: "reshape", A: x.shape}, m.node1(&Node{Op: "concat"}, rows...))
	}
	if x.dt.IsComplex() { // g with Re(g·t) along 1 and i
		return m.op("complex", row(2, 0), m.op("neg", row(2, 1)))
	}
	return row(1, 0)
}

// forward evaluates JVP and Linearize: the results, then for each list of tangents the
// tangents of the inexact results.
func (m *machine) forward(n *Node, in []val, e *env) []val {
	w := n.W
	l, end := m.begin(w.Kind, len(w.Along))
	args := slices.Clone(in)
	var seeds []seed
	for d, list := range w.Along {
		ts := e.args(list)
		m.hand(w, ts)
		for k, t := range ts {
			if !w.Active[k] {
				continue
			}
			if t == nil && w.Kind == Linearize {
				t = zerosLike(in[k]) // the map takes a tangent for every active operand
			}
			if t != nil && w.Kind == Linearize && w.Mode == Direct && m.touched != nil {
				seeds = append(seeds, m.newSeed(t))
				t = seeds[len(seeds)-1].own
			}
			if t != nil {
				args[k] = m.seed(l, args[k], d, t)
			}
		}
	}
	outs := m.given(m.call(w.Fs[0], args, e))
	end()
	var results []val
	tangents := make([][]val, len(outs))
	for k, v := range outs {
		outs[k], tangents[k] = l.parts(v)
		results = append(results, m.without(l, outs[k]))
		for _, t := range tangents[k] {
			switch {
			case t == nil:
			case marksOf(t).stuck&l.bit != 0:
				m.refuse(ForwardVJP)
			case marksOf(t).near&l.bit != 0:
				m.doubt(ForwardVJP)
			}
			m.grown(seeds, t)
		}
	}
	m.seeds &^= seedBits(seeds)
	for d := range w.Along {
		for k, v := range outs {
			if !v.like().dt.IsInexact() {
				continue
			}
			t := m.without(l, tangents[k][d])
			if t == nil {
				t = zerosLike(v)
			}
			results = append(results, t)
		}
	}
	return results
}

// vmap loops over the batch.
func (m *machine) vmap(w *Wrap, in []val, e *env) []val {
	var rows [][]val
	old, had := m.axes[w.Axis]
	b := m.newMark()
	m.mapped = append(m.mapped, b)
	for k := range w.Size {
		args := slices.Clone(in)
		for i, a := range w.InAxes {
			if a >= 0 {
				args[i] = b.on([]val{m.lane(in[i], a, k)})[0]
			}
		}
		m.axes[w.Axis] = index{int64(k), b}
		rows = append(rows, m.given(m.call(w.Fs[0], args, e)))
	}
	m.mapped = m.mapped[:len(m.mapped)-1]
	if had {
		m.axes[w.Axis] = old
	} else {
		delete(m.axes, w.Axis)
	}
	outs := make([]val, len(w.OutAxes))
	for o, a := range w.OutAxes {
		var parts []val
		for _, r := range rows {
			parts = append(parts, r[o])
		}
		outs[o] = m.stack(parts, a)
	}
	return m.end(b, outs)
}

// lane is element k along an axis, which is dropped.
func (m *machine) lane(x val, axis, k int) val {
	a := x.like()
	shape := dropped(a.shape, []int{axis})
	n := &Node{Op: "pick", A: shape, B: indices(shape, func(at []int) int {
		return ravel(a.shape, slices.Insert(slices.Clone(at), axis, k))
	})}
	if y, ok := x.(*arr); ok && axis == 0 { // nothing is done to it
		part := m.leaf(n, []*arr{y})[0]
		part.first, part.from = y.same(), y.from
		return part
	}
	return m.node1(n, x)
}

// stack puts values side by side along a new axis.
func (m *machine) stack(vs []val, axis int) val {
	all := vs[0]
	for _, v := range vs[1:] {
		all = join(all, v)
	}
	parts := make([]val, len(vs))
	for k, v := range vs {
		shape := slices.Insert(slices.Clone(v.like().shape), axis, 1)
		parts[k] = m.node1(&Node{Op: "reshape", A: shape}, join(v, all))
	}
	return m.node1(&Node{Op: "concat", N: axis}, parts...)
}

// fixpoint is the structure of a loop's carry: what has a tangent after any number of
// steps has one from the start.
func (m *machine) fixpoint(init []val, step func(carry []val) []val) []val {
	c := init
	for {
		refused, perhaps := maps.Clone(m.refused), maps.Clone(m.perhaps)
		next := joinAll(c, m.ghostly(func() []val { return step(c) }))
		if structures(next) == structures(c) {
			return c
		}
		c = next
		m.refused, m.perhaps = refused, perhaps // that was not what runs
	}
}

func (m *machine) scan(w *Wrap, in []val, e *env) []val {
	nk := w.NumCarry
	body := w.Fs[0]
	xs := in[nk:]
	step := func(carry []val, k int) []val {
		args := slices.Clone(carry)
		for _, x := range xs {
			if w.Length == 0 {
				a := x.like()
				args = append(args, join(constant(a.dt, a.shape[1:], 0), m.ghostRow(x)))
			} else {
				args = append(args, m.lane(x, 0, k))
			}
		}
		return m.recorded(body, args, e)
	}
	var ys []val // of a step that does not count: for their structure
	all := m.fixpoint(in[:nk], func(c []val) []val {
		out := step(c, 0)
		ys = out[nk:]
		return out[:nk]
	})
	carry := joinAll(in[:nk], all)
	stacks := make([][]val, len(ys))
	for s := range w.Length {
		k := s
		if w.Reverse {
			k = w.Length - 1 - s
		}
		out := step(carry, k)
		carry = joinAll(out[:nk], all)
		for i, y := range out[nk:] {
			stacks[i] = append(stacks[i], y)
		}
	}
	outs := slices.Clone(carry)
	for i := range ys {
		if w.Reverse {
			slices.Reverse(stacks[i])
		}
		if w.Length == 0 {
			a := ys[i].like()
			outs = append(outs, join(newArr(a.dt, append([]int{0}, a.shape...)), emptied(ys[i])))
			continue
		}
		outs = append(outs, m.stack(append(stacks[i], join(stacks[i][0], ys[i]))[:w.Length], 0))
	}
	// The transposed loop carries cotangents of the whole carry: what came through a
	// while loop in one came through it in all.
	var seen marks
	for _, c := range carry {
		seen = seen.or(marksOf(c))
	}
	if seen.loop|seen.rule != 0 {
		for i, v := range outs {
			outs[i] = tangentsMarked(v, seen)
		}
	}
	return outs
}

// tangentsMarked gives the marks loop and rule to what depends on tangents at these levels,
// and the marks stuck and near to all tangents at their levels.
func tangentsMarked(v val, with marks) val {
	own := func(m marks) marks {
		m.loop |= m.linear & with.loop
		m.rule |= m.linear & with.rule
		m.stuck |= m.linear & with.stuck
		m.near |= m.linear & with.near
		return m
	}
	d, ok := v.(*dual)
	if !ok {
		return marked(v, own)
	}
	t := make([]val, len(d.t))
	for k, x := range d.t {
		if x != nil {
			t[k] = marked(tangentsMarked(x, with), func(m marks) marks {
				m.stuck |= d.l.bit & with.stuck
				m.near |= d.l.bit & with.near
				return m
			})
		}
	}
	return &dual{d.l, tangentsMarked(d.p, with), t}
}

// ghostRow is a row of an array that has none, for its structure.
func (m *machine) ghostRow(x val) val {
	a := x.like()
	shape := a.shape[1:]
	at := make([]int, size(shape))
	for k := range at {
		at[k] = -1
	}
	return m.node1(&Node{Op: "pick", A: shape, B: at}, x)
}

// emptied is v with an empty leading axis.
func emptied(v val) val {
	switch v := v.(type) {
	case *dual:
		t := make([]val, len(v.t))
		for k, x := range v.t {
			if x != nil {
				t[k] = emptied(x)
			}
		}
		return &dual{v.l, emptied(v.p), t}
	case *arr:
		x := newArr(v.dt, append([]int{0}, v.shape...))
		x.marks = v.marks
		return x
	}
	return nil
}

// branch evaluates Cond and Switch. Every branch is looked at: a result has a tangent if
// it has one in any.
func (m *machine) branch(n *Node, in []val, e *env) []val {
	w := n.W
	i := base(in[0]).i[0]
	which := int(clamp(wrap(core.Int32, i), 0, int64(len(w.Fs)-1))) // an index is an i32
	if w.Kind == Cond {
		which = 0
		if i == 0 {
			which = 1
		}
	}
	var all []val
	for k, f := range w.Fs {
		if k == which {
			continue
		}
		outs := m.ghostly(func() []val { return m.recorded(f, nil, e) })
		if all == nil {
			all = outs
		} else {
			all = joinAll(all, outs)
		}
	}
	outs := m.recorded(w.Fs[which], nil, e)
	if all != nil {
		outs = joinAll(outs, all)
	}
	return outs
}

// while evaluates a while loop. On a tape all its tangents came through a while loop.
func (m *machine) while(w *Wrap, in []val, e *env) []val {
	cond, body := w.Fs[0], w.Fs[1]
	return m.loop(in, body, e, func(carry []val) bool {
		// The condition has no derivative: nobody looks for one.
		plain := make([]val, len(carry))
		for k, v := range carry {
			plain[k] = base(v)
		}
		return base(m.recorded(cond, plain, &env{around: e, plain: true})[0]).i[0] != 0
	})
}

func (m *machine) loop(in []val, body *Func, e *env, running func(carry []val) bool) []val {
	within := e
	step := func(c []val) []val { return m.recordedIn(frame{fn: body, loop: true}, body, c, within) }
	all := m.fixpoint(in, step)
	m.enter(&within, all, step)
	m.ghostly(func() []val { running(all); return nil })
	carry := joinAll(in, all)
	for running(carry) {
		carry = joinAll(step(carry), all)
	}
	var linear uint32
	for _, v := range in {
		linear |= tangentLevels(v)
	}
	for _, v := range body.freeVars() {
		if e.has(v) {
			linear |= tangentLevels(e.lookup(v))
		}
	}
	for k, v := range carry {
		carry[k] = tangentsMarked(v, marks{loop: linear})
	}
	return carry
}

// enter makes scope the one in which a loop's body is run: a level at which nothing that
// is carried has a tangent leaves the loop as it is, and the next one looks at it.
func (m *machine) enter(scope **env, carry []val, step func([]val) []val) {
	e := *scope
	for _, fr := range slices.Backward(m.frames) {
		for _, l := range slices.Backward(append(slices.Clone(fr.hidden), fr.l)) {
			if l == nil || slices.ContainsFunc(carry, l.at) || !slices.ContainsFunc(m.takes, l.at) {
				continue
			}
			strip := append(slices.Clone((*scope).strip), l)
			*scope = &env{around: e, strip: strip}
			m.ghostly(func() []val { return step(carry) })
		}
	}
}

// has reports whether the variable has a value.
func (e *env) has(v *Var) bool {
	for s := e; s != nil; s = s.around {
		if _, ok := s.vars[v]; ok {
			return true
		}
	}
	return false
}

// tangentLevels are the levels on whose tangents the value depends.
func tangentLevels(v val) uint32 { return marksOf(v).linear }

// fori evaluates a counted loop: with literal bounds a scan, else a while loop.
func (m *machine) fori(w *Wrap, in []val, e *env) []val {
	lo, hi := base(e.arg(w.Bounds[0])).i[0], base(e.arg(w.Bounds[1])).i[0]
	traced := w.Bounds[0].Var != nil || w.Bounds[1].Var != nil
	around := e
	body := func(i int64, carry []val) []val {
		c := newArr(w.Bounds[0].Type().DType, nil)
		c.i[0] = i
		return m.recordedIn(frame{fn: w.Fs[0], loop: traced}, w.Fs[0], append([]val{c}, carry...), around)
	}
	if traced {
		i := lo - 1
		all := m.fixpoint(in, func(c []val) []val { return body(i, c) })
		step := func(c []val) []val { return body(i, c) }
		m.enter(&around, all, step)
		return m.loopCounted(in, all, w.Fs[0], e, step, func() bool { i++; return i < hi })
	}
	all := m.fixpoint(in, func(c []val) []val { return body(lo, c) })
	carry := joinAll(in, all)
	for i := lo; i < hi; i++ {
		carry = joinAll(body(i, carry), all)
	}
	var seen marks
	for _, c := range carry {
		seen = seen.or(marksOf(c))
	}
	for k, v := range carry {
		carry[k] = tangentsMarked(v, seen)
	}
	return carry
}

// loopCounted is a while loop whose counter no tangent touches.
func (m *machine) loopCounted(in, all []val, fn *Func, e *env, body func([]val) []val, next func() bool) []val {
	carry := joinAll(in, all)
	for next() {
		carry = joinAll(body(carry), all)
	}
	var linear uint32
	for _, v := range in {
		linear |= tangentLevels(v)
	}
	for _, v := range fn.freeVars() {
		if e.has(v) {
			linear |= tangentLevels(e.lookup(v))
		}
	}
	for k, v := range carry {
		carry[k] = tangentsMarked(v, marks{loop: linear})
	}
	return carry
}
