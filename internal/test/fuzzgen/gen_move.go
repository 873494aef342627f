package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

func (g *gen) movement() {
	v := g.pick(func(v *Var) bool { return v.Type.Rank() > 0 })
	if v == nil {
		v = g.pick(anyVar)
		if v == nil {
			v = g.real()
		}
		s := []int{2 + g.s.n(2)}
		g.emit(&Node{Op: "bcast", In: args(v), A: s, B: []int{}}, core.Aval(v.Type.DType, s...), v.mag)
		return
	}
	t := v.Type
	s := dims(t)
	r := len(s)
	typed := func(shape []int) core.ShapedArray { return core.Aval(t.DType, shape...) }
	switch g.s.n(11) {
	case 0, 1:
		shape := []int{t.Size()}
		if r == 1 {
			shape = []int{1, t.Size()}
			if t.Size()%2 == 0 {
				shape = []int{2, t.Size() / 2}
			}
		}
		g.emit(&Node{Op: "reshape", In: args(v), A: shape}, typed(shape), v.mag)
	case 2:
		if r == 1 { // there would be nothing to do
			g.emit(&Node{Op: "rev", In: args(v), A: []int{0}}, t, v.mag)
			return
		}
		perm := upTo(r)
		slices.Reverse(perm)
		if r == 3 && g.s.n(2) == 1 {
			perm = []int{1, 2, 0}
		}
		shape := make([]int, r)
		for k, a := range perm {
			shape[k] = s[a]
		}
		g.emit(&Node{Op: "transpose", In: args(v), A: perm}, typed(shape), v.mag)
	case 3:
		if r < 3 && t.Size() <= 6 {
			at := g.s.n(r + 1)
			shape := slices.Insert(slices.Clone(s), at, 2)
			d := slices.Delete(upTo(r+1), at, at+1)
			g.emit(&Node{Op: "bcast", In: args(v), A: shape, B: d}, typed(shape), v.mag)
		}
	case 4:
		g.emit(&Node{Op: "rev", In: args(v), A: []int{g.s.n(r)}}, t, v.mag)
	case 5:
		lo, hi, step := make([]int, r), slices.Clone(s), make([]int, r)
		shape := slices.Clone(s)
		for k := range step {
			step[k] = 1
		}
		a := g.s.n(r)
		if s[a] == 3 && g.s.n(2) == 1 {
			step[a], shape[a] = 2, 2
		} else if s[a] > 1 {
			lo[a], shape[a] = 1, s[a]-1
		}
		g.emit(&Node{Op: "slice", In: args(v), A: lo, B: hi, C: step}, typed(shape), v.mag)
	case 6:
		if t.Size() > 6 {
			return
		}
		config, shape := make([]int, 3*r), slices.Clone(s)
		a := g.s.n(r)
		switch g.s.n(4) {
		case 0:
			config[3*a], shape[a] = 1, s[a]+1
		case 1:
			config[3*a+1], shape[a] = 1, s[a]+1
		case 2:
			config[3*a+2], shape[a] = 1, 2*s[a]-1
		case 3:
			config[3*a], config[3*a+1] = -1, 1
		}
		fill := g.number(t.DType)
		if w := g.pick(func(w *Var) bool { return w.Type == core.Aval(t.DType) }); w != nil {
			fill = Arg{Var: w}
		}
		g.emit(&Node{Op: "pad", In: []Arg{{Var: v}, fill}, A: config}, typed(shape), max(v.mag, magOf(fill)))
	case 7:
		a := g.s.n(r)
		w := g.pick(func(w *Var) bool {
			if w.Type.DType != t.DType || w.Type.Rank() != r {
				return false
			}
			for k, n := range w.Type.Shape.All() {
				if k != a && n != s[k] {
					return false
				}
			}
			return true
		})
		shape := slices.Clone(s)
		if shape[a] += w.Type.Shape.At(a); size(shape) <= 12 {
			g.emit(&Node{Op: "concat", In: args(v, w), N: a}, typed(shape), max(v.mag, w.mag))
		}
	case 8:
		a := g.s.n(r)
		if s[a] > 1 {
			x, y := slices.Clone(s), slices.Clone(s)
			x[a], y[a] = 1, s[a]-1
			g.emitAll(&Node{Op: "split", In: args(v), N: a, A: []int{1, s[a] - 1}}, []core.ShapedArray{typed(x), typed(y)}, v.mag)
		}
	case 9:
		if t.Size() <= 6 {
			reps := make([]int, r)
			for k := range reps {
				reps[k] = 1
			}
			a := g.s.n(r)
			reps[a] = 2
			shape := slices.Clone(s)
			shape[a] *= 2
			g.emit(&Node{Op: "tile", In: args(v), A: reps}, typed(shape), v.mag)
		}
	case 10:
		dt := []core.DType{core.Float32, core.Int32, core.Float64}[g.s.n(3)]
		shape := []int{2, 3}[:1+g.s.n(2)]
		g.emit(&Node{Op: "iota", A: shape, N: g.s.n(len(shape)), DType: dt}, core.Aval(dt, shape...), 2)
	}
}

func (g *gen) indexing() {
	if len(g.axes) > 0 && g.s.n(3) == 1 {
		if a := g.axes[g.s.n(len(g.axes))]; g.isAround(a.block) {
			g.emit(&Node{Op: "axisindex", Name: a.name}, core.Aval(core.Int32), 2)
			g.stats.NamedAxes = true
			return
		}
	}
	v := g.pick(func(v *Var) bool { return v.Type.Rank() > 0 })
	if v == nil {
		g.movement()
		return
	}
	t := v.Type
	s := dims(t)
	switch g.s.n(4) {
	case 0:
		part := slices.Clone(s)
		a := g.s.n(len(s))
		part[a] = max(1, s[a]-1)
		in := args(v)
		for k := range s {
			if k == a {
				in = append(in, Arg{Var: g.index()})
			} else {
				in = append(in, lit(core.Int32, 0))
			}
		}
		g.emit(&Node{Op: "dslice", In: in, A: part}, core.Aval(t.DType, part...), v.mag)
	case 1:
		u := slices.Clone(s)
		u[g.s.n(len(s))] = 1
		w := g.fit(g.latest(func(w *Var) bool { return w != v }), core.Aval(t.DType, u...))
		in := args(v, w)
		for range s {
			in = append(in, Arg{Var: g.index()})
		}
		g.emit(&Node{Op: "dupdate", In: in}, t, max(v.mag, w.mag))
	case 2:
		i := g.indexes()
		shape := append([]int{i.Type.Shape.At(0)}, s[1:]...)
		if size(shape) <= 12 {
			g.emit(&Node{Op: "take", In: args(v, i), Flag: g.s.n(2) == 1 && isReal(v)}, core.Aval(t.DType, shape...), max(v.mag, 0.5))
		}
	case 3:
		if isBool(v) {
			return
		}
		i := g.indexes()
		shape := append([]int{i.Type.Shape.At(0)}, s[1:]...)
		if size(shape) > 12 {
			return
		}
		u := g.fit(g.latest(func(w *Var) bool { return w != v && w != i }), core.Aval(t.DType, shape...))
		mag := v.mag + 3*u.mag
		if isIntegral(v) {
			mag = min(mag, g.most(t.DType))
		}
		g.tamed(g.emit(&Node{Op: "scatteradd", In: args(v, i, u), Flag: g.s.n(2) == 1}, t, mag))
	}
}
