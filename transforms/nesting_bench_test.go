package transforms_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

// BenchmarkNesting measures transformations within each other, and operations over many arrays,
// whose cost must grow with the depth or the count alone.
func BenchmarkNesting(b *testing.B) {
	type f = func(weft.Array) weft.Array
	x := weft.Scalar(float32(0.5))
	grads := func(wrap func(f) f) func(int) func() {
		return func(n int) func() {
			g := func(x weft.Array) weft.Array { return weft.Sin(x) }
			for range n {
				g = weft.Grad(wrap(g))
			}
			return func() { g(x) }
		}
	}
	for _, c := range []struct {
		name  string
		sizes []int
		make  func(n int) func()
	}{
		{"grad", []int{8, 12}, grads(func(g f) f { return g })},
		{"grad of jit", []int{8, 12}, grads(func(g f) f { return weft.Jit(g) })},
		{"vmap", []int{100, 400}, func(n int) func() {
			g, x := nested(n, func(g f) f { return weft.Vmap(g) }), weft.Ones(slices.Repeat([]int{1}, n)...)
			return func() { g(x) }
		}},
		{"custom.VJP", []int{100, 400}, func(n int) func() {
			g := nested(n, func(g f) f {
				return custom.VJP(g, func(x weft.Array) (weft.Array, weft.Array) { return g(x), x }, func(x, ct weft.Array) weft.Array { return ct.Mul(x) })
			})
			return func() { weft.Grad(g)(x) }
		}},
		{"unstack", []int{500, 4000}, func(n int) func() {
			y := weft.Ones(n)
			g := weft.Grad(func(x weft.Array) weft.Array {
				s := weft.Scalar(0.)
				for _, v := range weft.Unstack(x, 0) {
					s = s.Add(v.Mul(v))
				}
				return s
			})
			return func() { g(y) }
		}},
		{"einsum", []int{50, 200}, func(n int) func() {
			m, spec := weft.Ones(2, 2), "ij"
			for range n - 1 {
				spec += ",ij"
			}
			return func() { weft.Einsum(spec+"->ij", slices.Repeat([]weft.Array{m}, n)...) }
		}},
	} {
		for _, n := range c.sizes {
			run := c.make(n)
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					run()
				}
			})
		}
	}
}
