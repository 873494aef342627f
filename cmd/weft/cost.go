package main

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// cost counts the operations of a program, and the bytes that it moves.
type cost struct {
	flops uint64 // operations on single numbers; a term of a contraction counts for two
	bytes uint64 // read and written by the equations, each on its own
	loops bool   // some loop's number of iterations is not known: one iteration was counted
}

// costOf returns the cost of a program. Counts saturate instead of overflowing.
func costOf(j *jaxpr.Jaxpr) cost { return counter{}.program(j) }

// counter caches the cost of programs that equations share.
type counter map[*jaxpr.Jaxpr]cost

func (m counter) program(j *jaxpr.Jaxpr) (c cost) {
	if known, ok := m[j]; ok {
		return known
	}
	for _, e := range j.Eqns {
		c = c.plus(m.equation(e))
	}
	m[j] = c
	return c
}

func (m counter) equation(e *jaxpr.Eqn) (c cost) {
	if programs := jaxpr.Programs(e.Prim); len(programs) > 0 {
		return m.call(e, programs)
	}
	var in, out uint64
	for _, v := range e.Ins {
		c.bytes = add(c.bytes, size(v.Aval(), true))
		in = max(in, size(v.Aval(), false))
	}
	for _, v := range e.Outs {
		c.bytes = add(c.bytes, size(v.Type, true))
		out = max(out, size(v.Type, false))
	}
	switch p := e.Prim.(type) {
	case prim.DotGeneralP:
		c.flops = times(times(2, out), terms(e.Ins[0].Aval().Shape, p.LhsContract))
	case windows.ConvP:
		w := e.Ins[1].Aval().Shape
		k := uint64(w.Size())
		if n := w.At(p.RhsSpec.At(0)); n > 0 {
			k /= uint64(n)
		}
		c.flops = times(times(2, out), k)
	default:
		name := p.Name()
		_, elementwise := p.(interface{ Elementwise() })
		switch {
		case elementwise && name != "convert_element_type" && name != "copy":
			c.flops = out
		case strings.HasPrefix(name, "reduce_") || strings.HasPrefix(name, "arg") || strings.HasPrefix(name, "cum"):
			c.flops = in
		}
	}
	return c
}

// call returns the cost of the programs within an equation. The body of a loop counts once per iteration, or once if
// their number is unknown. Of the branches of a cond, only the most costly one counts; of a call with custom rules,
// only the function itself.
func (m counter) call(e *jaxpr.Eqn, programs []*jaxpr.Jaxpr) (c cost) {
	switch p := e.Prim.(type) {
	case *jaxpr.Cond:
		for _, j := range programs {
			if b := m.program(j); b.flops >= c.flops {
				b.loops = b.loops || c.loops
				c = b
			}
		}
		return c
	case *jaxpr.Scan:
		c = m.program(programs[0])
		c.flops, c.bytes = times(c.flops, uint64(p.Length)), times(c.bytes, uint64(p.Length))
		return c
	case *jaxpr.While:
		for _, j := range programs {
			c = c.plus(m.program(j))
		}
		c.loops = true
		return c
	}
	return m.program(programs[0])
}

func (c cost) plus(d cost) cost {
	return cost{add(c.flops, d.flops), add(c.bytes, d.bytes), c.loops || d.loops}
}

// String returns two lines, to be printed below the counts of equations.
func (c cost) String() string {
	note := ""
	if c.loops {
		note = ", one iteration of each while loop counted"
	}
	return fmt.Sprintf("%7s  operations on numbers%s\n%7s  bytes read and written, if no equation shares with another\n", short(c.flops), note, short(c.bytes))
}

// short formats a number with at most four digits and a unit.
func short(n uint64) string {
	switch {
	case n < 10000:
		return fmt.Sprint(n)
	case n == math.MaxUint64: // counts saturate here
		return "> 18E"
	}
	return scaled(float64(n), "", "k", "M", "G", "T", "P", "E")
}

// scaled formats a number with three digits in a unit that is 1000 times the one before. Only in the last unit may
// there be more digits.
func scaled(f float64, units ...string) string {
	for _, unit := range units {
		if f < 999.5 {
			return fmt.Sprintf("%.3g%s", f, unit)
		}
		f = max(f/1000, 1)
	}
	return fmt.Sprintf("%.0f%s", 1000*f, units[len(units)-1])
}

// size returns the number of elements of a type, or of their bytes.
func size(a core.ShapedArray, bytes bool) uint64 {
	n := uint64(a.Size())
	if bytes {
		return times(n, uint64(a.DType.Size()))
	}
	return n
}

// terms returns the number of products whose sum is an element of a contraction.
func terms(s, axes core.Dims) uint64 {
	n := uint64(1)
	for _, a := range axes.All() {
		n = times(n, uint64(s.At(a)))
	}
	return n
}

func add(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return s
}

func times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return math.MaxUint64
	}
	return lo
}
