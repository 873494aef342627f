package fuse

import (
	"github.com/weft-go/weft/jaxpr"
)

// Nanoseconds on one core of an EPYC (Zen 4), measured by BenchmarkProgramEstimates of
// runtime/cpu.
const (
	perEquation  = 125.0 // the reference executor: an equation without elements
	perElement   = 1.2   // … an element that is moved, added or compared
	perFunction  = 12.0  // … an element of a transcendental function
	perProgram   = 14e3  // translation: a program
	perStep      = 2e3   // … an equation
	perExpansion = 1e3   // … an equation with a long scalar program, in addition to perStep
)

// whileTrips is the assumed number of iterations of a while.
const whileTrips = 100

// Estimate returns how many nanoseconds a run of a program takes on the reference
// executor, as far as kernels can shorten it, and how many its translation to machine code
// takes.
func Estimate(j *jaxpr.Jaxpr) (run, translate float64) {
	t := (estimator{}).program(j)
	return t.run, t.translate + perProgram
}

type times struct{ run, translate float64 }

// An estimator contains the times of the programs that it has estimated.
type estimator map[*jaxpr.Jaxpr]times

func (m estimator) program(j *jaxpr.Jaxpr) times {
	if t, ok := m[j]; ok {
		return t
	}
	var all times
	for _, e := range j.Eqns {
		r, t := m.equation(e)
		all.run += r
		all.translate += t
	}
	m[j] = all
	return all
}

func (m estimator) equation(e *jaxpr.Eqn) (run, translate float64) {
	switch q := e.Prim.(type) {
	case *jaxpr.Scan:
		t := m.program(q.Jaxpr)
		return t.run * float64(q.Length), t.translate + perStep
	case *jaxpr.While:
		c, b := m.program(q.Cond), m.program(q.Body)
		return whileTrips * (c.run + b.run), c.translate + b.translate + perStep
	case *jaxpr.Cond:
		for _, b := range q.Branches {
			t := m.program(b)
			run = max(run, t.run)
			translate += t.translate
		}
		return run + perEquation, translate + perStep
	}
	c, _ := classOf(e)
	if c == fallback || c == empty {
		return 0, perStep / 4
	}
	n := 0
	for _, v := range e.Outs {
		n = max(n, v.Type.Size())
	}
	for _, a := range e.Ins {
		n = max(n, a.Aval().Size())
	}
	if c == pointwise && weightOf(e) > 1 {
		return perEquation + perFunction*float64(n), perStep + perExpansion
	}
	return perEquation + perElement*float64(n), perStep
}
