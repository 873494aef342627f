package cpu

import (
	"github.com/weft-go/weft/lower/fuse"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
)

// generated returns the targets of this architecture.
func generated() (of []target) {
	for _, t := range targets {
		if t.isa != nil {
			of = append(of, t)
		}
	}
	return of
}

// WidestISA returns that of the first target.
func WidestISA() codegen.ISA { return generated()[0].isa }

// allExecutors returns new ones for all targets, whether the machine has them or not.
func allExecutors() (all []*executor) {
	for _, t := range generated() {
		all = append(all, newExecutor(t))
	}
	return all
}

// Targets returns the names of the native executors, whether the machine has them or not.
func Targets() (names []string) {
	for _, t := range generated() {
		names = append(names, t.name)
	}
	return names
}

// targetNamed returns the target of an executor.
func targetNamed(name string) target {
	for _, t := range targets {
		if t.name == name {
			return t
		}
	}
	panic("no executor " + name)
}

// RowTiled returns an executor that runs steps on row tiles of some rows wherever it can, and products
// under choices that draw, which returns a number below n, makes.
func RowTiled(name string, rows func(s *fuse.RowTiles) int, draw func(n int) int) runtime.Executor {
	e := newExecutor(targetNamed(name))
	e.least, e.tileRows = 1, rows
	e.product = func(s *fuse.Product, m schedule.Processor) *schedule.Product {
		choices := [...]schedule.Choice{"", "", schedule.Yes, schedule.No}
		c := schedule.Choices{Few: choices[draw(4)], Left: choices[draw(4)], Right: choices[draw(4)]}
		if draw(2) == 0 {
			c.Vecs = 1 + draw(4)
			c.Rows = 1 + draw(m.TileRows(schedule.ProductOf(s, m).Elem, c.Vecs))
			c.Deep, c.Panel = draw(3)*s.Chunk, draw(80)
		}
		return schedule.ProductWith(s, m, c)
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
