package fuse_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
)

// writtenBytes returns how many bytes the steps of a plan write where the inputs are donated, one
// iteration of each loop included.
func writtenBytes(p *fuse.Plan) (n int) {
	whole := func(ids ...int) {
		for _, id := range ids {
			if id >= 0 {
				n += p.Values[id].Bytes()
			}
		}
	}
	for _, s := range p.Steps {
		switch s := s.(type) {
		case *fuse.RegisterLoop:
			whole(s.Buffers...)
		case *fuse.Update:
			from, to := p.Values[s.Args[0]], p.Values[s.Out]
			reused := to.Place == fuse.Result && from.Place == fuse.Input && p.Reuse[to.Index].Input == from.Index
			if same := from.Place == to.Place && from.Index == to.Index && from.Offset == to.Offset; !same && !reused {
				whole(s.Out)
			}
			for i, id := range s.Buffers { // the kernel changes as many elements as there are updates
				if s.Kernel.Buffers[i].Role == ir.In {
					whole(id)
				}
			}
		case *fuse.RowTiles:
			for _, q := range s.Steps {
				if q, ok := q.(*fuse.Launch); ok {
					whole(q.Buffers...)
				}
			}
		case *fuse.Loop:
			for _, q := range s.Plans {
				n += writtenBytes(q)
			}
		default:
			whole(s.Writes()...)
		}
	}
	return n
}

// An iteration of a loop that updates an element of its carry writes a few bytes and not the
// array, and so does a program that updates an element of a donated argument.
func TestUpdatesWriteFewBytes(t *testing.T) {
	type array = weft.Array
	const size = 1 << 16
	x, i := weft.Zeros(size), weft.Scalar(int32(3))
	loops := map[string]func(b, i array) array{
		"ForI": func(b, i array) array {
			return weft.ForI(500, func(i, b array) array { return b.At(i).Set(i) }, b)
		},
		"While": func(b, i array) array {
			type carry struct{ I, B array }
			return weft.While(func(c carry) array { return c.I.Lt(500) }, func(c carry) carry {
				return carry{c.I.Add(1), c.B.At(c.I).Set(c.I)}
			}, carry{weft.Scalar(int32(0)), b}).B
		},
		"ScanN": func(b, i array) array {
			b, _ = weft.ScanN(func(b array) (array, array) { return b.At(i).Add(1.), b.Index(i) }, b, 500)
			return b
		},
		"ForI of ForI": func(b, i array) array {
			return weft.ForI(20, func(i, b array) array {
				return weft.ForI(20, func(j, b array) array { return b.At(i.Add(j)).Mul(2.) }, b)
			}, b)
		},
		"ForI of While": func(b, i array) array {
			type carry struct{ I, B array }
			return weft.ForI(20, func(i, b array) array {
				return weft.While(func(c carry) array { return c.I.Lt(20) }, func(c carry) carry {
					return carry{c.I.Add(1), c.B.At(c.I).Set(c.I)}
				}, carry{i, b}).B
			}, b)
		},
		"ForI of Cond": func(b, i array) array {
			return weft.ForI(500, func(i, b array) array {
				return weft.Cond(i.Lt(3), func() array { return b.At(i).Set(i) }, func() array { return b.At(i).Add(1.) })
			}, b)
		},
		"ForI of Cond that updates or not": func(b, i array) array {
			return weft.ForI(500, func(i, b array) array {
				return weft.Cond(i.Lt(3), func() array { return b.At(i).Set(i) }, func() array { return b })
			}, b)
		},
		"ForI of updates before and after Switch": func(b, i array) array {
			return weft.ForI(500, func(i, b array) array {
				b = b.At(i).Add(1.)
				b = weft.Switch(i, func() array { return b }, func() array { return b.At(7).Set(i) }, func() array { return b.At(0).Add(2.) })
				return b.At(i.Add(1)).Mul(2.)
			}, b)
		},
	}
	for name, f := range loops {
		p := fuse.Translate(trace(t, f, x, i), fuse.Target{})
		found := false
		for _, s := range p.Steps {
			s, ok := s.(*fuse.Loop)
			if !ok {
				continue
			}
			found = true
			body := s.Plans[len(s.Plans)-1]
			if n := writtenBytes(body); n > 1000 {
				t.Errorf("%s: an iteration writes %d bytes, want less than 1000 of the array's %d\n%v", name, n, 4*size, body)
			}
			carried(t, name, s)
		}
		if !found {
			t.Errorf("%s: no loop\n%v", name, p)
		}
	}
	p := fuse.Translate(trace(t, func(x, i array) array { return x.At(i).Set(5.).At(i.Add(1)).Add(7.) }, x, i), fuse.Target{})
	if p.Reuse[0].Input != 0 {
		t.Errorf("the result does not lie in the argument\n%v", p)
	}
	updates := 0
	for _, s := range p.Steps {
		if _, ok := s.(*fuse.Update); ok {
			updates++
		}
	}
	if n := writtenBytes(p); updates != 2 || n > 1000 {
		t.Errorf("%d updates write %d bytes, want 2 and less than 1000 of the array's %d\n%v", updates, n, 4*size, p)
	}
}

// carried checks that each iteration leaves the large carries of a loop where it received them.
func carried(t *testing.T, name string, s *fuse.Loop) {
	t.Helper()
	body, first := s.Plans[len(s.Plans)-1], 0
	switch q := s.Eqn.Prim.(type) {
	case *jaxpr.While:
		first = q.BodyConsts
	case *jaxpr.Scan:
		first = q.NumConsts
	}
	for i, r := range body.Reuse {
		if a := body.Values[body.Outs[i]].Type; a.Rank() > 0 && a.SameType(core.Aval(core.Float32, 1<<16)) && r.Input != first+i {
			t.Errorf("%s: result %d of an iteration lies in input %d, want its own %d\n%v", name, i, r.Input, first+i, body)
		}
	}
}
