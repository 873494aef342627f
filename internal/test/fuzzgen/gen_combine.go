package fuzzgen

import (
	"slices"

	"github.com/weft-go/weft/core"
)

func (g *gen) combination() {
	v := g.pick(func(v *Var) bool { return v.Type.Rank() > 0 && !isBool(v) })
	if v == nil {
		g.movement()
		return
	}
	t := v.Type
	s := dims(t)
	r := len(s)
	axes := []int{g.s.n(r)}
	if r > 1 && g.s.n(3) == 2 {
		axes = upTo(r)
	}
	reduced := core.Aval(t.DType, dropped(s, axes)...)
	count := float64(t.Size())
	limit := func(mag float64) float64 {
		if isIntegral(v) {
			return min(mag, g.most(t.DType))
		}
		return mag
	}
	choice := g.s.n(10)
	if isInexact(v) && (choice == 2 || choice >= 5 && choice <= 7) {
		v = g.uneven(v, axes)
	}
	switch choice {
	case 0, 1:
		g.tamed(g.emit(&Node{Op: "sum", In: args(v), A: axes}, reduced, limit(v.mag*count)))
	case 2:
		if !isComplex(v) {
			g.emit(&Node{Op: []string{"maxr", "minr"}[g.s.n(2)], In: args(v), A: axes}, reduced, v.mag)
		}
	case 3:
		if w := g.tamed(v); w.mag <= 6 && s[axes[0]] <= 3 {
			g.tamed(g.emit(&Node{Op: "prod", In: args(w), A: axes[:1]}, core.Aval(t.DType, dropped(s, axes[:1])...), limit(216)))
		}
	case 4:
		g.tamed(g.emit(&Node{Op: "cumsum", In: args(v), N: axes[0], Flag: g.s.n(2) == 1}, t, limit(v.mag*count)))
	case 5:
		if !isComplex(v) {
			g.emit(&Node{Op: "cummax", In: args(v), N: axes[0], Flag: g.s.n(2) == 1}, t, v.mag)
		}
	case 6:
		if !isComplex(v) {
			g.emit(&Node{Op: "argmax", In: args(v), N: axes[0], DType: core.Int32}, core.Aval(core.Int32, dropped(s, axes[:1])...), 3)
		}
	case 7:
		if isComplex(v) {
			return
		}
		if w := g.pick(func(w *Var) bool { return w.Type.Shape == t.Shape && w != v }); w != nil && g.s.n(2) == 1 {
			g.emitAll(&Node{Op: "sort2", In: args(v, w), N: axes[0]}, []core.ShapedArray{t, w.Type}, max(v.mag, w.mag))
			return
		}
		g.emit(&Node{Op: "sort", In: args(v), N: axes[0]}, t, v.mag)
	default:
		g.dot(v)
	}
}

// dot contracts the last axis of v with an axis of another array, perhaps with a leading
// axis in step.
func (g *gen) dot(v *Var) {
	v = g.tamed(v)
	t := v.Type
	s := dims(t)
	r := len(s)
	var axis, batch int
	w := g.pick(func(w *Var) bool {
		if w.Type.DType != t.DType || w.Type.Rank() == 0 || w.mag > 6 && isInexact(w) {
			return false
		}
		ws := dims(w.Type)
		if r > 1 && len(ws) > 1 && ws[0] == s[0] && slices.Contains(ws[1:], s[r-1]) {
			batch, axis = 1, 1+slices.Index(ws[1:], s[r-1])
			return true
		}
		batch, axis = 0, slices.Index(ws, s[r-1])
		return axis >= 0
	})
	if w == nil {
		w = v
	}
	// pick has looked at others since: find the axes again.
	ws := dims(w.Type)
	batch, axis = 0, slices.Index(ws, s[r-1])
	if r > 1 && len(ws) > 1 && ws[0] == s[0] && slices.Contains(ws[1:], s[r-1]) {
		batch, axis = 1, 1+slices.Index(ws[1:], s[r-1])
	}
	shape := slices.Clone(s[:r-1])
	for a := batch; a < len(ws); a++ {
		if a != axis {
			shape = append(shape, ws[a])
		}
	}
	if size(shape) > 12 || len(shape) > 3 {
		return
	}
	mag := v.mag * w.mag * float64(s[r-1])
	if isIntegral(v) {
		mag = min(mag, g.most(t.DType))
	}
	g.tamed(g.emit(&Node{Op: "dot", In: args(v, w), A: []int{r - 1}, B: []int{axis}, N: batch}, core.Aval(t.DType, shape...), mag))
}
