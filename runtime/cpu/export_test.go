package cpu

import (
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime"
)

// Banded returns an executor that runs steps on bands of some rows wherever it can, and products
// under schedules that draw, which returns a number below n, chooses.
func Banded(name string, rows func(s *fuse.Bands) int, draw func(n int) int) runtime.Executor {
	e := newExecutor(amd64.AVX512, name)
	if name == "avx2" {
		e.isa = amd64.AVX2
	}
	e.least, e.bands = 1, rows
	e.product = func(s *fuse.Product, isa amd64.ISA, threads int) (*productPlan, error) {
		choices := [...]choice{"", "", yes, no}
		c := schedule{Few: choices[draw(4)], Left: choices[draw(4)], Right: choices[draw(4)]}
		if p, err := planProduct(s, isa, threads); err == nil && draw(2) == 0 {
			c.Vecs = 1 + draw(4)
			c.Rows = 1 + draw(p.tile().MaxRows(c.Vecs))
			c.Deep, c.Panel = draw(3)*s.Chunk, draw(80)
		}
		return planProductAs(s, isa, threads, c)
	}
	return e
}

// Estimate returns the nanoseconds that the kernels of a program take by its estimates, and how
// many kernels run; ok is false if the program has steps of other kinds.
func Estimate(x runtime.Executable) (nanoseconds float64, kernels int, ok bool) {
	p, ok := x.(*program)
	if !ok {
		return 0, 0, false
	}
	add := func(s *launchStep) {
		kernels++
		nanoseconds += s.launch.each * float64(s.launch.points)
	}
	for _, s := range p.steps {
		switch s := s.(type) {
		case *launchStep:
			add(s)
		case boxesStep:
			for i := range s {
				add(&s[i])
			}
		default:
			return 0, 0, false
		}
	}
	return nanoseconds, kernels, true
}
