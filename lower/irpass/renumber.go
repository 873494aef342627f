package irpass

import (
	"strconv"

	"github.com/weft-go/weft/lower/ir"
)

// Compact removes the buffers that k's body does not use. ids has a number for each
// buffer; the result has the numbers of the buffers that stay. Each of them gets the role that its
// uses need, and a new name.
func Compact(k *ir.Kernel, ids []int) []int {
	reads, writes := make([]bool, len(ids)), make([]bool, len(ids))
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			reads[s.At.Buffer] = true
		case *ir.Store:
			writes[s.At.Buffer] = true
		}
	})
	to := make([]int, len(ids))
	var buffers []ir.Buffer
	var out []int
	for i, b := range k.Buffers {
		switch {
		case reads[i] && writes[i]:
			b.Role = ir.InOut
		case reads[i]:
			b.Role = ir.In
		case writes[i]:
			b.Role = ir.Out
		default:
			continue
		}
		to[i] = len(out)
		b.Name = "b" + strconv.Itoa(len(out))
		buffers = append(buffers, b)
		out = append(out, ids[i])
	}
	k.Buffers = buffers
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Load:
			s.At.Buffer = to[s.At.Buffer]
		case *ir.Store:
			s.At.Buffer = to[s.At.Buffer]
		}
	})
	return out
}

// renumberAxes numbers the axes of k in the order of their definitions.
func renumberAxes(k *ir.Kernel) {
	to := map[ir.Axis]ir.Axis{}
	define := func(a *ir.Axis) {
		to[*a] = ir.Axis(len(to))
		*a = to[*a]
	}
	for i := range k.Grid {
		define(&k.Grid[i].Axis)
	}
	terms := func(ts []ir.Term) {
		for i := range ts {
			ts[i].Axis = to[ts[i].Axis]
		}
	}
	access := func(a ir.Access) {
		for _, c := range a.Coords {
			terms(c.Terms)
		}
	}
	tail := func(t *ir.Tail) {
		if t != nil {
			t.Outer = to[t.Outer]
		}
	}
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Index:
			terms(s.Terms)
		case *ir.Load:
			access(s.At)
		case *ir.Store:
			access(s.At)
		case *ir.Loop:
			tail(s.Tail)
			define(&s.Axis)
		case *ir.Reduce:
			tail(s.Tail)
			define(&s.Axis)
		case *ir.Cumulate:
			define(&s.Axis)
		}
	})
	k.Axes = len(to)
}
