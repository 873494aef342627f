package fuzzgen

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
)

// val is a number array or a dual one: a value with tangents.
type val interface{ like() *arr }

// dual is a value and its tangents at a level, nil where they are known to be zero. At least one
// is not nil. The primal and the tangents may be dual at older levels.
type dual struct {
	l *level
	p val
	t []val
}

// like returns an array of the value's type.
func (x *arr) like() *arr { return x }

func (x *dual) like() *arr { return x.p.like() }

// box returns p with tangents, if there are any.
func box(l *level, p val, t []val) val {
	for _, v := range t {
		if v != nil {
			return &dual{l, p, t}
		}
	}
	return p
}

// apply applies a leaf operation: to numbers, or to duals by its derivative.
func (m *machine) apply(n *Node, in []val) []val {
	l := youngest(in)
	if l == nil {
		nums := make([]*arr, len(in))
		for k, v := range in {
			nums[k] = v.(*arr)
		}
		var tape uint32
		for _, x := range nums {
			tape |= x.linear
		}
		outs := make([]val, 0, 1)
		for _, x := range m.leaf(n, nums) {
			if n.Op == "barrier" { // on a tape one equation of them all
				x = pick(x, x.shape, upTo(x.size()))
				if x.dt.IsInexact() {
					x.linear |= tape
				}
			}
			outs = append(outs, x)
		}
		return outs
	}
	ps, ts := make([]val, len(in)), make([][]val, len(in))
	for k, v := range in {
		ps[k], ts[k] = l.parts(v)
	}
	outs := m.apply(n, ps)
	touts := make([][]val, len(outs))
	for k := range touts {
		touts[k] = make([]val, l.width)
	}
	t := make([]val, len(in))
	for d := range l.width {
		some := false
		for k := range in {
			t[k] = ts[k][d]
			some = some || t[k] != nil
		}
		if !some || !slices.ContainsFunc(outs, func(v val) bool { return v.like().dt.IsInexact() }) {
			continue
		}
		for k, v := range m.derivative(n, ps, outs, t) {
			if v != nil && outs[k].like().dt.IsInexact() {
				touts[k][d] = v
			}
		}
	}
	for k := range outs {
		outs[k] = box(l, outs[k], touts[k])
	}
	return outs
}

// op returns an operation without parameters and with one result.
func (m *machine) op(name string, in ...val) val { return m.apply(&Node{Op: name}, in)[0] }

func (m *machine) node1(n *Node, in ...val) val { return m.apply(n, in)[0] }

// numeral returns a scalar of x's type.
func numeral(x val, v float64) val {
	return constant(x.like().dt, nil, v)
}

func constant(dt core.DType, shape []int, v float64) *arr {
	out := newArr(dt, shape)
	for k := range out.size() {
		if out.c == nil {
			out.i[k] = int64(v)
			continue
		}
		out.c[k].v = complex(v, 0)
		if math.Abs(v) != math.Trunc(math.Abs(v)*64)/64 {
			out.c[k].e = unit(dt) * math.Abs(v)
		}
	}
	return out
}

func zerosLike(x val) *arr {
	a := x.like()
	return constant(a.dt, a.shape, 0)
}

// plus adds tangents, nil where zero.
func (m *machine) plus(a, b val) val {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return m.op("add", a, b)
}

// over broadcasts a tangent to the shape of the result.
func (m *machine) over(t, out val) val {
	if t == nil {
		return nil
	}
	a, b := t.like(), out.like()
	if size(a.shape) == size(b.shape) && len(a.shape) == len(b.shape) {
		return t
	}
	at := indices(b.shape, func(at []int) int {
		if len(a.shape) == 0 {
			return 0
		}
		for k := range at {
			if a.shape[k] == 1 {
				at[k] = 0
			}
		}
		return ravel(a.shape, at)
	})
	return m.node1(&Node{Op: "pick", A: b.shape, B: at}, t)
}

func (m *machine) overAll(t []val, out val) []val {
	o := make([]val, len(t))
	for k, v := range t {
		o[k] = m.over(v, out)
	}
	return o
}

func (m *machine) times2(t, x val) val {
	if t == nil {
		return nil
	}
	return m.op("mul", t, x)
}

// filled returns the tangents with zeros written out.
func filled(t, in []val) []val {
	out := make([]val, len(t))
	for k, v := range t {
		if v == nil {
			v = zerosLike(in[k])
		}
		out[k] = v
	}
	return out
}

// base returns the numbers under all duals.
func base(v val) *arr {
	for {
		d, ok := v.(*dual)
		if !ok {
			return v.(*arr)
		}
		v = d.p
	}
}
