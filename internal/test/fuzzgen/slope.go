package fuzzgen

import (
	"fmt"
	"math"
	"slices"

	"github.com/weft-go/weft/core"
)

// constantOps have a derivative of zero, everywhere.
var constantOps = map[string]bool{
	"sign": true, "floor": true, "round": true, "isfinite": true, "stop": true,
	"lt": true, "le": true, "gt": true, "ge": true, "eq": true, "ne": true,
	"argmax": true, "iota": true, "all": true, "any": true,
}

// slopes are the derivatives of operations of one number, given operand and result.
var slopes map[string]func(m *machine, x, y val) val

func init() { // the rules use the rules
	slopes = slopeTable
}

var slopeTable = map[string]func(m *machine, x, y val) val{
	"neg": func(m *machine, x, y val) val { return numeral(x, -1) },
	"sin": func(m *machine, x, y val) val { return m.op("cos", x) },
	"cos": func(m *machine, x, y val) val { return m.op("neg", m.op("sin", x)) },
	"exp": func(m *machine, x, y val) val { return y },
	"tanh": func(m *machine, x, y val) val {
		return m.op("sub", numeral(x, 1), m.op("square", y))
	},
	"atan": func(m *machine, x, y val) val {
		return m.op("div", constant(x.like().dt, nil, 1), m.op("add", numeral(x, 1), m.op("square", x)))
	},
	"erf": func(m *machine, x, y val) val {
		return m.op("mul", numeral(x, 2/math.Sqrt(math.Pi)), m.op("exp", m.op("neg", m.op("square", x))))
	},
	"logistic": func(m *machine, x, y val) val { return m.op("mul", y, m.op("sub", numeral(x, 1), y)) },
	"log":      func(m *machine, x, y val) val { return m.op("div", numeral(x, 1), x) },
	"log1p":    func(m *machine, x, y val) val { return m.op("div", numeral(x, 1), m.op("add", numeral(x, 1), x)) },
	"expm1":    func(m *machine, x, y val) val { return m.op("exp", x) },
	"sqrt":     func(m *machine, x, y val) val { return m.op("div", numeral(x, 0.5), y) },
	"rsqrt":    func(m *machine, x, y val) val { return m.op("mul", numeral(x, -0.5), m.op("div", y, x)) },
	"abs":      func(m *machine, x, y val) val { return m.op("sign", x) },
	"square":   func(m *machine, x, y val) val { return m.op("mul", numeral(x, 2), x) },
}

// derivative returns the tangents of the results, given those of the operands, nil where
// zero; at least one is not.
func (m *machine) derivative(n *Node, in, out, t []val) []val {
	if constantOps[n.Op] {
		return make([]val, len(out))
	}
	y := out[0]
	if f, ok := slopes[n.Op]; ok {
		if n.Op == "abs" {
			m.kink(base(in[0]))
		}
		return []val{m.op("mul", t[0], f(m, in[0], y))}
	}
	switch n.Op {
	case "ipow":
		slope := m.op("mul", numeral(in[0], float64(n.N)), in[0])
		if n.N > 2 {
			slope = m.op("mul", numeral(in[0], float64(n.N)), m.node1(&Node{Op: "ipow", N: n.N - 1}, in[0]))
		}
		return []val{m.op("mul", t[0], slope)}
	case "conj", "real", "imag", "copy", "name", "convert":
		return m.apply(n, t)
	case "cabs":
		m.kink(base(y))
		re := m.op("mul", m.op("real", in[0]), m.op("real", t[0]))
		im := m.op("mul", m.op("imag", in[0]), m.op("imag", t[0]))
		return []val{m.op("div", m.op("add", re, im), y)}
	case "barrier": // around the tangents that are there
		touts := slices.Clone(t)
		some := m.apply(n, slices.DeleteFunc(slices.Clone(t), func(v val) bool { return v == nil }))
		for k, v := range touts {
			if v != nil {
				touts[k], some = some[0], some[1:]
			}
		}
		return touts
	case "complex":
		return m.apply(n, filled(m.overAll(t, y), in))
	case "add":
		return []val{m.over(m.plus(t[0], t[1]), y)}
	case "sub":
		var second val
		if t[1] != nil {
			second = m.op("neg", t[1])
		}
		return []val{m.over(m.plus(t[0], second), y)}
	case "mul":
		return []val{m.over(m.plus(m.times2(t[0], in[1]), m.times2(t[1], in[0])), y)}
	case "div":
		var a, b val
		if t[0] != nil {
			a = m.op("div", t[0], in[1])
		}
		if t[1] != nil {
			b = m.op("neg", m.op("div", m.op("mul", y, t[1]), in[1]))
		}
		return []val{m.over(m.plus(a, b), y)}
	case "pow":
		var a, b val
		if t[0] != nil {
			a = m.op("mul", t[0], m.op("mul", in[1], m.op("pow", in[0], m.op("sub", in[1], numeral(y, 1)))))
		}
		if t[1] != nil {
			b = m.op("mul", t[1], m.op("mul", m.op("log", in[0]), y))
		}
		return []val{m.over(m.plus(a, b), y)}
	case "max", "min":
		return []val{m.greater(n.Op, in, y, t)}
	case "select":
		z := filled(t[1:], in[1:])
		return []val{m.op("select", in[0], z[0], z[1])}
	case "maxr", "minr":
		x := base(in[0])
		at, shape := m.extreme(n.Op == "maxr", n.A, x)
		return []val{m.node1(&Node{Op: "pick", A: shape, B: at}, t[0])}
	case "cummax":
		x := base(in[0])
		return []val{m.node1(&Node{Op: "pick", A: x.shape, B: m.running(n, x)}, t[0])}
	case "sort", "sort2":
		x := base(in[0])
		p := &Node{Op: "pick", A: x.shape, B: m.sorted(x, n.N)}
		touts := make([]val, len(out))
		for k := range touts {
			if t[k] != nil {
				touts[k] = m.node1(p, t[k])
			}
		}
		return touts
	case "prod":
		return []val{m.productRule(n.A, in[0], t[0])}
	case "dot":
		var a, b val
		if t[0] != nil {
			a = m.node1(n, t[0], in[1])
		}
		if t[1] != nil {
			b = m.node1(n, in[0], t[1])
		}
		return []val{m.plus(a, b)}
	case "pick", "reshape", "transpose", "bcast", "rev", "slice", "split", "tile", "sum", "cumsum":
		return m.apply(n, t)
	case "pad", "concat":
		return m.apply(n, filled(t, in))
	case "dslice", "take":
		if n.Op == "take" { // what is filled in has no derivative
			n = &Node{Op: "take", Flag: n.Flag, N: 1}
		}
		return m.apply(n, append([]val{t[0]}, in[1:]...))
	case "dupdate":
		z := filled(t[:2], in)
		return m.apply(n, append(z, in[2:]...))
	case "scatteradd":
		z := filled([]val{t[0], nil, t[2]}, in)
		return m.apply(n, []val{z[0], in[1], z[2]})
	}
	panic(fmt.Sprintf("BUG: no derivative of %q", n.Op))
}

// kink records that a derivative jumps at zero.
func (m *machine) kink(x *arr) {
	for _, c := range x.c {
		if c.v == 0 {
			m.tied("a kink")
		}
	}
}

// greater returns the tangent of the operand that won.
func (m *machine) greater(op string, in []val, y val, t []val) val {
	a, b := base(in[0]), base(in[1])
	shape := y.like().shape
	won := newArr(core.Bool, shape)
	for k := range won.i {
		p, q := a.c[spreadIndex(a, shape, k)], b.c[spreadIndex(b, shape, k)]
		if p.v == q.v {
			m.tied("equal operands of " + op) // the derivative is divided
		}
		m.apart(op, p, q)
		if (real(p.v) < real(q.v)) == (op == "max") {
			won.i[k] = 1
		}
	}
	z := make([]val, 2)
	for k, v := range t {
		if v == nil {
			z[k] = constant(y.like().dt, shape, 0)
		} else {
			z[k] = m.over(v, y)
		}
	}
	return m.op("select", won, z[0], z[1])
}

// productRule returns Σᵢ tᵢ·Πⱼ₌ᵢ xⱼ over axes, the products without i.
func (m *machine) productRule(axes []int, x, t val) val {
	a := x.like()
	rest := dropped(a.shape, axes)
	ls := lanes(a.shape, axes)
	at := func(v val, j int) val {
		p := make([]int, len(ls))
		for k, lane := range ls {
			p[k] = lane[j]
		}
		return m.node1(&Node{Op: "pick", A: rest, B: p}, v)
	}
	var sum val
	for i := range len(ls[0]) {
		term := at(t, i)
		for j := range len(ls[0]) {
			if j != i {
				term = m.op("mul", term, at(x, j))
			}
		}
		sum = m.plus(sum, term)
	}
	return sum
}
