package fuse

import (
	"github.com/weft-go/weft/jaxpr"
)

// Nanoseconds, about, on one core of a server of 2024.
const (
	perEquation  = 500.0 // the reference executor: an equation without elements
	perElement   = 1.0   // … an element that is moved, added or compared
	perFunction  = 30.0  // … an element of a transcendental function
	perProgram   = 20e3  // translation: a program
	perStep      = 4e3   // … an equation
	perExpansion = 12e3  // … one with a long scalar program
	whileTrips   = 100   // iterations of a loop whose number is not known
)

// Estimate returns how many nanoseconds a run of a program takes on the reference
// executor, as far as kernels can shorten it, and how many its translation to machine code
// takes.
func Estimate(j *jaxpr.Jaxpr) (run, translate float64) {
	run, translate = estimate(j)
	return run, translate + perProgram
}

func estimate(j *jaxpr.Jaxpr) (run, translate float64) {
	for _, e := range j.Eqns {
		r, t := estimateEquation(e)
		run += r
		translate += t
	}
	return run, translate
}

func estimateEquation(e *jaxpr.Eqn) (run, translate float64) {
	switch q := e.Prim.(type) {
	case *jaxpr.Scan:
		run, translate = estimate(q.Jaxpr)
		return run * float64(q.Length), translate + perStep
	case *jaxpr.While:
		r1, t1 := estimate(q.Cond)
		r2, t2 := estimate(q.Body)
		return whileTrips * (r1 + r2), t1 + t2 + perStep
	case *jaxpr.Cond:
		for _, b := range q.Branches {
			r, t := estimate(b)
			run = max(run, r)
			translate += t
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
