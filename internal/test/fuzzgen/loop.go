package fuzzgen

import "slices"

// fixpoint returns the structure of a loop's carry: what has a tangent after any number of
// steps has one from the start.
func (m *machine) fixpoint(init []val, step func(carry []val) []val) []val {
	c := init
	for {
		next := joinAll(c, m.ghostly(func() []val { return step(c) }))
		if structures(next) == structures(c) {
			return c
		}
		c = next
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
	return allLooped(outs, carry)
}

// ghostRow returns a row of an array that has none, for its structure.
func (m *machine) ghostRow(x val) val {
	a := x.like()
	shape := a.shape[1:]
	at := make([]int, size(shape))
	for k := range at {
		at[k] = -1
	}
	return m.node1(&Node{Op: "pick", A: shape, B: at}, x)
}

// emptied returns v with an empty leading axis.
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

// while evaluates a while loop. On a tape all its tangents came through a while loop.
func (m *machine) while(w *Wrap, in []val, e *env) []val {
	cond, body := w.Fs[0], w.Fs[1]
	return m.loop(in, body, e, func(carry []val) bool {
		// The condition has no derivative: nothing looks for one.
		plain := make([]val, len(carry))
		for k, v := range carry {
			plain[k] = base(v)
		}
		return base(m.recorded(cond, plain, &env{around: e, plain: true})[0]).i[0] != 0
	})
}

func (m *machine) loop(in []val, body *Func, e *env, running func(carry []val) bool) []val {
	within := e
	step := func(c []val) []val { return m.recordedIn(frame{fn: body, loop: true}, c, within) }
	all := m.fixpoint(in, step)
	m.enter(&within, all, step)
	m.ghostly(func() []val { running(all); return nil })
	carry := joinAll(in, all)
	for running(carry) {
		carry = joinAll(step(carry), all)
	}
	return throughLoop(in, carry, body, e)
}

// throughLoop marks what a while loop carries: all tangents that it takes went through it.
func throughLoop(in, carry []val, body *Func, e *env) []val {
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
		carry[k] = looped(v, linear)
	}
	return carry
}

// allLooped marks the results of a scan as having come through a while loop if anything carried
// has.
func allLooped(outs, carry []val) []val {
	var loop uint32
	for _, c := range carry {
		loop |= marksOf(c).loop
	}
	for i, v := range outs {
		outs[i] = looped(v, loop)
	}
	return outs
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

// fori evaluates a counted loop: with literal bounds a scan, else a while loop.
func (m *machine) fori(w *Wrap, in []val, e *env) []val {
	lo, hi := base(e.arg(w.Bounds[0])).i[0], base(e.arg(w.Bounds[1])).i[0]
	traced := w.Bounds[0].Var != nil || w.Bounds[1].Var != nil
	around := e
	body := func(i int64, carry []val) []val {
		c := newArr(w.Bounds[0].Type().DType, nil)
		c.i[0] = i
		return m.recordedIn(frame{fn: w.Fs[0], loop: traced}, append([]val{c}, carry...), around)
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
	return allLooped(carry, carry)
}

// loopCounted returns a while loop whose counter no tangent touches.
func (m *machine) loopCounted(in, all []val, fn *Func, e *env, body func([]val) []val, next func() bool) []val {
	carry := joinAll(in, all)
	for next() {
		carry = joinAll(body(carry), all)
	}
	return throughLoop(in, carry, fn, e)
}
