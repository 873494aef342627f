package transforms_test

import (
	"math"
	"math/rand/v2"

	"github.com/weft-go/weft/core/prim"
)

// dnum is a float64, or a number with a derivative at a level above those within.
type dnum struct {
	level int
	v     float64
	p, t  *dnum
}

// nought is a derivative that is zero because nothing is differentiated.
var nought = &dnum{}

// dualMachine runs stacks on nested dual numbers, with loops for batches.
type dualMachine struct{ *dualState }

type dualState struct {
	level   int
	reverse map[int]bool // levels of derivatives in reverse
	noise   *rand.Rand   // if not nil, each result is off by a rounding error

	outer []bool // whether the derivatives that rules are called for are in reverse

	// Reasons to refuse a program, also from parts that are not run if everything is
	// visited: a program is differentiated as a whole.
	visitAll                    bool
	reverseWhile, forwardCustom bool
}

func newDualMachine(noise *rand.Rand) dualMachine {
	return dualMachine{&dualState{reverse: map[int]bool{}, noise: noise}}
}

func (dualMachine) num(v float64) *dnum { return &dnum{v: v} }

func (m dualMachine) rounded(v float64) *dnum {
	if m.noise != nil {
		v *= 1 + (2*m.noise.Float64()-1)*0x1p-52
	}
	return &dnum{v: v}
}

// parts returns the primal and the tangent of x at a level.
func (x *dnum) parts(level int) (p, t *dnum) {
	if x.level == level {
		return x.p, x.t
	}
	return x, nought
}

func (x *dnum) base() float64 {
	for x.level > 0 {
		x = x.p
	}
	return x.v
}

func dual(level int, p, t *dnum) *dnum {
	if t == nought {
		return p
	}
	return &dnum{level: level, p: p, t: t}
}

func (m dualMachine) add(x, y *dnum) *dnum {
	switch {
	case x == nought:
		return y
	case y == nought:
		return x
	}
	l := max(x.level, y.level)
	if l == 0 {
		return m.rounded(x.v + y.v)
	}
	px, tx := x.parts(l)
	py, ty := y.parts(l)
	return dual(l, m.add(px, py), m.add(tx, ty))
}

func (m dualMachine) mul(x, y *dnum) *dnum {
	if x == nought || y == nought {
		return nought
	}
	l := max(x.level, y.level)
	if l == 0 {
		return m.rounded(x.v * y.v)
	}
	px, tx := x.parts(l)
	py, ty := y.parts(l)
	return dual(l, m.mul(px, py), m.add(m.mul(tx, py), m.mul(px, ty)))
}

func (m dualMachine) lift(x *dnum, f func(float64) float64, df func(*dnum) *dnum) *dnum {
	if x.level == 0 {
		return m.rounded(f(x.v))
	}
	return dual(x.level, m.lift(x.p, f, df), m.mul(df(x.p), x.t))
}

// The sine is the executor's: a loop may make a large difference of a small one, and
// this is not a test of the sine's last bit.
func (m dualMachine) sin(x *dnum) *dnum { return m.lift(x, executed1(prim.Sin), m.cos) }

func (m dualMachine) cos(x *dnum) *dnum {
	return m.lift(x, executed1(prim.Cos), func(x *dnum) *dnum { return m.mul(m.num(-1), m.sin(x)) })
}

func executed1(f func(val) val) func(float64) float64 {
	return func(x float64) float64 {
		n, _ := literalOrArray(f(runtimeScalar(x)))
		return n
	}
}

func (m dualMachine) inverse(x *dnum) *dnum {
	return m.lift(x, func(v float64) float64 { return 1 / v }, func(x *dnum) *dnum {
		r := m.inverse(x)
		return m.mul(m.num(-1), m.mul(r, r))
	})
}

func (m dualMachine) stop(x *dnum) *dnum { return m.num(x.base()) }

func (m dualMachine) derivative(f func(*dnum) *dnum, x *dnum, reverse bool) (p, t *dnum) {
	m.level++
	l := m.level
	m.reverse[l] = reverse
	p, t = f(&dnum{level: l, p: x, t: m.num(1)}).parts(l)
	if t == nought {
		t = m.num(0)
	}
	return p, t
}

func (dualMachine) jit(f func(*dnum) *dnum) func(*dnum) *dnum        { return f }
func (dualMachine) remat(f func(*dnum) *dnum) func(*dnum) *dnum      { return f }
func (dualMachine) policy(f func(*dnum) *dnum) func(*dnum) *dnum     { return f }
func (dualMachine) customVmap(f func(*dnum) *dnum) func(*dnum) *dnum { return f }

func (m dualMachine) grad(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { _, t := m.derivative(f, x, true); return t }
}
func (m dualMachine) jacrev(f func(*dnum) *dnum) func(*dnum) *dnum { return m.grad(f) }
func (m dualMachine) linearize(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { _, t := m.derivative(f, x, false); return t }
}
func (m dualMachine) jacfwd(f func(*dnum) *dnum) func(*dnum) *dnum { return m.linearize(f) }
func (m dualMachine) jvp(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { p, t := m.derivative(f, x, false); return m.add(p, t) }
}
func (m dualMachine) vmap(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { return m.add(f(x), f(m.mul(x, m.num(2)))) }
}
func (m dualMachine) named(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		sum := m.vmap(f)(x)
		return m.add(m.mul(sum, x), m.mul(sum, m.mul(x, m.num(2))))
	}
}
func (m dualMachine) scan(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		for range 3 {
			x = m.mul(f(x), m.num(0.5))
		}
		return x
	}
}
func (m dualMachine) fori(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		for i := range 2 {
			x = m.add(m.mul(f(x), m.num(0.5)), m.mul(m.num(float64(i)), m.num(0.1)))
		}
		return x
	}
}
func (m dualMachine) scanXs(f func(*dnum) *dnum) func(*dnum) *dnum   { return m.overXs(f, false) }
func (m dualMachine) scanBack(f func(*dnum) *dnum) func(*dnum) *dnum { return m.overXs(f, true) }
func (m dualMachine) overXs(f func(*dnum) *dnum, reverse bool) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		c, sum := x, nought
		for i := range 2 {
			if reverse {
				i = 1 - i
			}
			next := m.add(m.mul(f(c), m.num(0.5)), m.mul(x, m.num(0.5+float64(i))))
			sum = m.add(sum, m.add(m.mul(c, x), m.mul(next, m.num(1+float64(i)))))
			c = next
		}
		return m.add(c, sum)
	}
}
func (m dualMachine) while(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { return m.left(m.scan(f)(x)) }
}
func (m dualMachine) search(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		step := func(c *dnum) *dnum { return m.add(m.mul(f(c), m.num(0.5)), x) }
		if m.visitAll {
			m.left(step(step(x)))
		}
		c := x
		for i := 0; i < 3 && c.base() < 1.25; i++ {
			c = step(c)
		}
		return m.left(c)
	}
}

// left returns x, a result of a while loop, and sets reverseWhile if it is differentiated in reverse.
func (m dualMachine) left(x *dnum) *dnum {
	var walk func(x *dnum) bool
	walk = func(x *dnum) bool { return x.level > 0 && (m.reverse[x.level] || walk(x.p) || walk(x.t)) }
	m.reverseWhile = m.reverseWhile || walk(x)
	return x
}
func (m dualMachine) cond(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		if m.visitAll {
			f(x)
		}
		if x.base() > 0.1 {
			return f(x)
		}
		return m.sin(x)
	}
}
func (m dualMachine) branch(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		if m.visitAll {
			f(x)
			f(m.sin(x))
		}
		switch {
		case x.base() > 1:
			return m.mul(x, f(m.sin(x)))
		case x.base() > 0.1:
			return f(x)
		}
		return m.sin(x)
	}
}

// custom returns a function with a rule: its value, and t times its slope. The rule is applied
// at the youngest level; what is below receives the rule's own arithmetic, in which f itself is
// called, or, where the rule differentiates f, f's rule.
func (m dualMachine) custom(f func(*dnum) *dnum, reverse bool, rule func(*dnum) (value, slope *dnum)) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		if x.level == 0 {
			return f(x)
		}
		m.forwardCustom = m.forwardCustom || reverse && !m.reverse[x.level]
		m.outer = append(m.outer, m.reverse[x.level])
		p, slope := rule(x.p)
		t := m.mul(x.t, slope)
		m.outer = m.outer[:len(m.outer)-1]
		return &dnum{level: x.level, p: p, t: t}
	}
}

// apart returns a rule that calls f for the value.
func apart(f, slope func(*dnum) *dnum) func(*dnum) (value, slope *dnum) {
	return func(x *dnum) (*dnum, *dnum) {
		t := slope(x)
		return f(x), t
	}
}

func (m dualMachine) thrice(x *dnum) *dnum { return m.mul(m.num(3), m.cos(x)) }

func (m dualMachine) customJVP(f func(*dnum) *dnum) func(*dnum) *dnum {
	return m.custom(f, false, apart(f, m.thrice))
}
func (m dualMachine) customVJP(f func(*dnum) *dnum) func(*dnum) *dnum {
	return m.custom(f, true, apart(f, m.thrice))
}
func (m dualMachine) ruleJVP(f func(*dnum) *dnum) func(*dnum) *dnum {
	return m.custom(f, false, func(x *dnum) (*dnum, *dnum) {
		// A rule that goes forward is linear in a tangent that may go in reverse.
		return m.derivative(f, x, m.outer[len(m.outer)-1])
	})
}
func (m dualMachine) ruleVJP(f func(*dnum) *dnum) func(*dnum) *dnum {
	return m.custom(f, true, apart(f, m.grad(f)))
}
func (m dualMachine) linear(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { return m.mul(m.add(f(x), x), x) }
}
func (m dualMachine) solve(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { return m.mul(f(x), m.inverse(m.add(m.num(2), m.mul(x, x)))) }
}
func (m dualMachine) linearCall(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { return m.mul(f(x), m.num(0.7)) }
}
func (m dualMachine) stopped(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		y := f(x)
		return m.mul(y, m.stop(y))
	}
}

// spread returns how much rounding errors change what f returns: the largest deviation from
// the mean of a few runs, each with other errors.
func spread(f func(dualMachine) float64) float64 {
	const runs = 8
	var vs [runs]float64
	mean := 0.0
	for k := range vs {
		vs[k] = f(newDualMachine(rand.New(rand.NewPCG(uint64(k), 1))))
		mean += vs[k] / runs
	}
	d := 0.0
	for _, v := range vs {
		d = math.Max(d, math.Abs(v-mean))
	}
	return d
}
