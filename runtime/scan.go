package runtime

import (
	"slices"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/kernel"
)

// scan runs its body once an element of the leading axis. Stacked results are
// allocated whole and filled row by row.
type scan struct {
	body          *program
	length        int
	consts, carry int
	reverse       bool
	rows          []core.ShapedArray // types of an element of each leading axis
	stacked       []core.ShapedArray
}

func newScan(p *jaxpr.Scan, types []core.ShapedArray) *scan {
	return &scan{programOf(p.Jaxpr), p.Length, p.NumConsts, p.NumCarry, p.Reverse,
		p.Jaxpr.InAvals()[p.NumConsts+p.NumCarry:], types[p.NumCarry:]}
}

func (s *scan) run(x *run, in []*Array) []*Array {
	nk := s.consts + s.carry
	args := slices.Clone(in)
	ys := make([]*Array, len(s.stacked))
	for i, t := range s.stacked {
		ys[i] = New(t)
	}
	frame := make([]*Array, s.body.slots)
	for trip := range s.length {
		x.ask()
		i := trip
		if s.reverse {
			i = s.length - 1 - trip
		}
		for k, xs := range in[nk:] {
			args[nk+k] = xs.row(i, s.length, s.rows[k])
		}
		outs := s.body.call(x, frame, args)
		copy(args[s.consts:nk], outs)
		for k, y := range outs[s.carry:] {
			row := len(y.t.Data)
			copy(ys[k].t.Data[i*row:(i+1)*row], y.t.Data)
		}
	}
	carry := slices.Clone(args[s.consts:nk])
	for i, c := range carry {
		for _, xs := range in[nk:] {
			if c.within(xs) {
				carry[i] = c.clone()
			}
		}
	}
	return append(carry, ys...)
}

// row is element i of a leading axis of the given length. It shares the elements where they are
// aligned as a tensor's must be.
func (a *Array) row(i, length int, t core.ShapedArray) *Array {
	n := len(a.t.Data) / length
	if data := a.t.Data[i*n : (i+1)*n : (i+1)*n]; n > 64 && n%16 == 0 {
		return &Array{t: kernel.Tensor{ShapedArray: t, Data: data}}
	} else {
		r := New(t)
		copy(r.t.Data, data)
		return r
	}
}

// within reports whether a's elements are part of b's memory, so that a small
// array would keep a large one alive.
func (a *Array) within(b *Array) bool {
	if len(a.t.Data) == 0 || len(a.t.Data) >= len(b.t.Data) {
		return false
	}
	p, q := uintptr(unsafe.Pointer(&a.t.Data[0])), uintptr(unsafe.Pointer(&b.t.Data[0]))
	return p >= q && p < q+uintptr(len(b.t.Data))
}

func (a *Array) clone() *Array {
	c := New(a.t.ShapedArray)
	copy(c.t.Data, a.t.Data)
	return c
}
