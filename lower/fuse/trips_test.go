package fuse_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lower/fuse"
)

// A while within a loop joins it if its condition bounds its iterations.
func TestTrips(t *testing.T) {
	type as = []weft.Array
	zero := func() weft.Array { return weft.Scalar(int32(0)) }
	for name, c := range map[string]struct {
		start, step func(x weft.Array) weft.Array
		test        func(i, x weft.Array) weft.Array
		bounded     bool
	}{
		"less":              {test: func(i, x weft.Array) weft.Array { return i.Lt(5) }, bounded: true},
		"greater":           {test: func(i, x weft.Array) weft.Array { return weft.Scalar(int32(5)).Gt(i) }, bounded: true},
		"and":               {test: func(i, x weft.Array) weft.Array { return x.Max().Lt(3).And(i.Lt(7)).And(i.Lt(1000)) }, bounded: true},
		"or":                {test: func(i, x weft.Array) weft.Array { return x.Max().Lt(3).Or(i.Lt(7)) }},
		"no bound":          {test: func(i, x weft.Array) weft.Array { return x.Max().Lt(3) }},
		"at most":           {test: func(i, x weft.Array) weft.Array { return i.Le(4) }},
		"many":              {test: func(i, x weft.Array) weft.Array { return i.Lt(1 << 20).And(x.Max().Lt(3)) }},
		"steps of two":      {test: func(i, x weft.Array) weft.Array { return i.Lt(5) }, step: func(i weft.Array) weft.Array { return i.Add(2) }},
		"steps that differ": {test: func(i, x weft.Array) weft.Array { return i.Lt(5) }, step: func(i weft.Array) weft.Array { return i.Mul(2).Add(1) }},
		"unknown start":     {test: func(i, x weft.Array) weft.Array { return i.Lt(5) }, start: func(x weft.Array) weft.Array { return x.Gt(0).Sum().AsType(weft.Int32) }},
		"none":              {test: func(i, x weft.Array) weft.Array { return i.Lt(-3) }, bounded: true},
	} {
		j := trace(t, func(x weft.Array) as {
			d, ys := weft.Scan(func(d, x as) (as, as) {
				start, step := zero(), func(i weft.Array) weft.Array { return i.Add(1) }
				if c.start != nil {
					start = c.start(x[0])
				}
				if c.step != nil {
					step = c.step
				}
				w := weft.While(func(w as) weft.Array { return c.test(w[0], w[1]) }, func(w as) as {
					return as{step(w[0]), weft.Abs(w[1]).Mul(0.5).Add(weft.Abs(w[1]).Max(0)).Add(1)}
				}, as{start, d[0].Add(x[0])})
				return as{w[1].Sub(w[1].Max())}, as{w[0]}
			}, as{x.Index(0)}, as{x})
			return append(d, ys...)
		}, weft.Zeros(3, 9, 9))
		args := drawAll(j)
		p := fuse.Translate(j, fuse.Native())
		same(t, name, j, p, args, evaluated(j, args))
		if whole := !strings.Contains(p.String(), "  loop "); whole != c.bounded {
			t.Errorf("%s: one kernel: %v, want %v\n%v", name, whole, c.bounded, p)
		}
	}
}
