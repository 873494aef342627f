package ir

import (
	"slices"

	"github.com/weft-go/weft/lower/scalar"
)

// Splice writes what a kernel does: the points of its grid one after the other, in row-major
// order. The kernel's buffer i is buffer buffers[i] here, and row, unless it is nil, returns a
// coordinate that every access to buffer i gets besides its own, nil for none.
func (b *Builder) Splice(k *Kernel, buffers []int, row func(i int) *Coord) {
	values, axes := Ref(len(b.k.Types)), Axis(b.k.Axes)
	b.k.Types = append(b.k.Types, k.Types...)
	b.k.Axes += k.Axes
	value := func(rs ...*Ref) {
		for _, r := range rs {
			if *r != NoRef {
				*r += values
			}
		}
	}
	access := func(a *Access) {
		for i := range a.Coords {
			value(&a.Coords[i].Value)
		}
		if row != nil {
			if c := row(a.Buffer); c != nil {
				a.Coords = append(a.Coords, *c)
			}
		}
		a.Buffer = buffers[a.Buffer]
	}
	carry := func(cs []Carry) {
		for i := range cs {
			value(&cs[i].Init, &cs[i].Param, &cs[i].Next, &cs[i].Result)
		}
	}
	body := k.Body.Copy(func(ts []Term) []Term {
		out := slices.Clone(ts)
		for i := range out {
			out[i].Axis += axes
		}
		return out
	})
	tail := func(t *Tail) {
		if t != nil {
			t.Outer += axes
		}
	}
	body.Walk(func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			value(&s.Dst, &s.Inst.Args[0], &s.Inst.Args[1], &s.Inst.Args[2])
			if s.Inst.Op == scalar.OpLookup {
				s.Inst.Imm = uint64(b.k.table(k.Tables[s.Inst.Imm]))
			}
		case *Apply:
			s.Func = b.function(k.Funcs[s.Func])
			for i := range s.Args {
				value(&s.Args[i])
			}
			for i := range s.Dst {
				value(&s.Dst[i])
			}
		case *Index:
			value(&s.Dst)
		case *Load:
			value(&s.Dst)
			access(&s.At)
		case *Store:
			value(&s.Value)
			access(&s.At)
		case *Loop:
			s.Axis += axes
			tail(s.Tail)
			carry(s.Carry)
		case *While:
			value(&s.Test)
			carry(s.Carry)
		case *If:
			value(&s.Cond)
			for i := range s.Merge {
				value(&s.Merge[i].Then, &s.Merge[i].Else, &s.Merge[i].Result)
			}
		case *Reduce:
			s.Axis += axes
			tail(s.Tail)
			for i := range s.Folds {
				f := &s.Folds[i]
				value(&f.Value, &f.Second, &f.Result, &f.Other)
			}
		case *Cumulate:
			s.Axis += axes
			value(&s.Value, &s.Param)
		}
	})
	for _, d := range slices.Backward(k.Grid) {
		body = Block{&Loop{Axis: d.Axis + axes, Extent: d.Extent, Kind: Sequential, Body: body}}
	}
	for _, s := range body {
		b.put(s)
	}
}
