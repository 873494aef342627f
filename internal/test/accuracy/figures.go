package accuracy

import (
	"fmt"
	"hash/fnv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/lower/reference"
)

// Parts is the number of parts that a measurement of many arguments is made in.
const Parts = 16

// A Figure is a line of docs/accuracy.md: how right a function of one type is. It is
// measured in parts, each on other arguments.
type Figure struct {
	Name    string
	DType   core.DType // of the operands
	Parts   int
	Args    int // in a part
	Measure func(part int) Result
	// All is the function if the figure is of all its f32.
	All *Function

	prim core.Primitive
	in   []core.DType
	out  core.DType
}

// Figures returns all lines.
func Figures() []Figure {
	var all []Figure
	for _, f := range Functions() {
		one := func(dt core.DType, parts, args int, measure func(int) Result) Figure {
			return Figure{Name: f.Name, DType: dt, Parts: parts, Args: args, Measure: measure, prim: f.Prim, in: []core.DType{dt}, out: dt}
		}
		f32 := one(core.Float32, Parts, 1<<32/Parts, f.Float32Part)
		f32.All = &f
		all = append(all, f32)
		for _, dt := range []core.DType{core.Float16, core.BFloat16} {
			all = append(all, one(dt, 1, 1<<16, func(int) Result { return f.Half(dt) }))
		}
		all = append(all, one(core.Float64, Parts, 1e7/Parts, func(k int) Result { return f.Float64(1e7/Parts, uint64(k)) }))
	}
	for _, f := range BinaryFunctions() {
		for _, dt := range []core.DType{core.Float32, core.Float64} {
			n := 1e8 / Parts
			if dt == core.Float64 {
				n = 1e7 / Parts
			}
			g := Figure{Name: f.Name, DType: dt, Parts: Parts, Args: int(n), prim: f.Prim, in: f.operands(dt), out: dt}
			g.Measure = func(k int) Result { return f.Measure(dt, int(n), uint64(k)) }
			all = append(all, g)
		}
	}
	const n = 1e5 / Parts
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for _, f := range ComplexFunctions() {
			measure := func(k int) Result { return f.Measure(dt, n, uint64(k)) }
			all = append(all, Figure{Name: f.Name, DType: dt, Parts: Parts, Args: n, Measure: measure, prim: f.Prim, in: []core.DType{dt}, out: dt})
		}
		for _, f := range []struct {
			p core.Primitive
			t func(p uint, z, w oracle.C) oracle.C
		}{{prim.MulP{}, oracle.MulC}, {prim.DivP{}, oracle.DivC}, {prim.PowP{}, oracle.PowC}} {
			measure := func(k int) Result { return Pair2(f.p, f.t, dt, n, uint64(k)) }
			all = append(all, Figure{Name: f.p.Name(), DType: dt, Parts: Parts, Args: n, Measure: measure, prim: f.p, in: []core.DType{dt, dt}, out: dt})
		}
	}
	return all
}

// Key names the figure among all.
func (g Figure) Key() string { return g.Name + " " + g.DType.String() }

// Promise returns the greatest error that the function may have.
func (g Figure) Promise() float64 {
	if g.DType.IsComplex() {
		return PromisedComplex
	}
	return Promised(g.Name, g.DType)
}

// Digest identifies the programs that the function has had for the type: a measurement of one
// program says nothing about another.
func (g Figure) Digest() string {
	pl, ok := reference.PlanOf(g.prim, g.in, g.out)
	if !ok {
		panic("no expansion of " + g.Key())
	}
	h := fnv.New64a()
	h.Write([]byte(pl.Prog().String()))
	return fmt.Sprintf("%016x", h.Sum64())
}
