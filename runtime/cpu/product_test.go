//go:build linux

package cpu_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// operation runs programs of one equation on operands between guard pages.
type operation struct {
	t   testing.TB
	r   *rand.Rand
	mem []*guarded

	named     func(name string) runtime.Executor                   // nil: those that are registered
	tiled     int                                                  // steps on row tiles that ran
	fallbacks bool                                                 // the reference may run some operations
	draw      func(i int, a *runtime.Array)                        // fills operand i; nil: any elements
	before    func(b *jaxpr.Builder, in []jaxpr.Atom) []jaxpr.Atom // computes the operands from the inputs
}

func newOperation(t testing.TB, seed uint64, operands int) *operation {
	o := &operation{t: t, r: rand.New(rand.NewPCG(seed, 16))}
	for range operands + 1 {
		o.mem = append(o.mem, newGuarded(t, 1<<22))
	}
	return o
}

// check compares the native executors with the reference, on one thread and on several.
// It returns the number of operations that ran as native code, 0 or 1.
func (o *operation) check(p core.Primitive, in ...core.ShapedArray) (native int) {
	o.t.Helper()
	b := jaxpr.NewBuilder()
	atoms, args := make([]jaxpr.Atom, len(in)), make([]*runtime.Array, len(in))
	special := o.r.IntN(3) == 0
	for i, a := range in {
		atoms[i] = b.Input(a)
		args[i] = o.mem[i].array(a, o.r.IntN(2) == 0)
		fill(o.r, args[i], special)
		if o.draw != nil {
			o.draw(i, args[i])
		}
	}
	if o.before != nil {
		atoms = o.before(b, atoms)
	}
	var outs []jaxpr.Atom
	for _, v := range b.Eqn(p, atoms...) {
		outs = append(outs, v)
	}
	return o.same(b.Build(outs...), args)
}

// same compares the native executors with the reference on a program, on one thread and on
// several. It returns whether the program ran as native code, 0 or 1.
func (o *operation) same(j *jaxpr.Jaxpr, args []*runtime.Array) (native int) {
	o.t.Helper()
	ctx := context.Background()
	want, err := runtime.Evaluate(ctx, runtime.Reference, j, args)
	if err != nil {
		o.t.Fatal(err)
	}
	for _, name := range cpu.Targets() {
		e, _ := runtime.Named(name)
		if e.Available() != nil {
			continue
		}
		if o.named != nil {
			e = o.named(name)
		}
		threads := 1 + o.r.IntN(2)*2
		x, err := e.Compile(&runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: threads}})
		if err != nil {
			o.t.Fatal(err)
		}
		if f := x.Account().Fallbacks; len(f) == 0 {
			native = 1
		} else if !o.fallbacks {
			o.t.Fatalf("the reference runs it: %s\n%v", f[0].Reason, j)
		}
		got := make([]*runtime.Array, len(want))
		got[0] = o.mem[len(o.mem)-1].array(want[0].Aval(), o.r.IntN(2) == 0)
		for i := range got[0].Tensor().Data {
			got[0].Tensor().Data[i] = 0xa5
		}
		if err := x.Run(ctx, args, got); err != nil {
			o.t.Fatalf("%s: %v", name, err)
		}
		for i := range got {
			if string(got[i].Tensor().Data) != string(want[i].Tensor().Data) {
				o.t.Fatalf("%s, %d threads, result %d: %v\n%s", name, threads, i, j, difference(got[i], want[i]))
			}
		}
	}
	return native
}

// hasNative reports whether a native executor can run here: not under the build tag purego.
func hasNative() bool {
	for _, name := range cpu.Targets() {
		if e, ok := runtime.Named(name); ok && e.Available() == nil {
			return true
		}
	}
	return false
}

func difference(got, want *runtime.Array) string {
	size := want.Aval().DType.Size()
	g, w := got.Tensor().Data, want.Tensor().Data
	bad, first := 0, -1
	for i := 0; i < len(w); i += size {
		if string(g[i:i+size]) != string(w[i:i+size]) {
			if bad++; first < 0 {
				first = i
			}
		}
	}
	return fmt.Sprintf("%d of %d elements differ; the first is %d: got %x, want %x", bad, len(w)/size, first/size, g[first:first+size], w[first:first+size])
}

var dotTypes = []core.DType{core.Float32, core.Float32, core.Float32, core.Float64, core.Int32, core.Uint8, core.Int8, core.Int16, core.Uint16, core.Uint32, core.Int64,
	core.Uint64, core.BFloat16, core.Float16, core.Bool}

var complexTypes = []core.DType{core.Complex64, core.Complex128}

// dot draws a dot_general: axes in any order, sizes by size.
func (o *operation) dot(dt core.DType, size func(kind int) int) (prim.DotGeneralP, [2]core.ShapedArray) {
	r := o.r
	var q prim.DotGeneralP
	var in [2]core.ShapedArray
	nb, nk := []int{0, 0, 0, 1, 1, 2}[r.IntN(6)], []int{0, 1, 1, 1, 1, 2}[r.IntN(6)]
	shared := make([]int, nb+nk)
	for i := range shared {
		shared[i] = size(min(1, i/max(1, nb)))
		if i < nb {
			shared[i] = 1 + r.IntN(5)
		}
	}
	for i := range in {
		all := append([]int(nil), shared...)
		for range []int{0, 1, 1, 1, 1, 2}[r.IntN(6)] {
			all = append(all, size(2))
		}
		perm := r.Perm(len(all))
		shape := make([]int, len(all))
		for j, d := range perm {
			shape[d] = all[j]
		}
		in[i] = core.Aval(dt, shape...)
		batch, contract := core.MakeDims(perm[:nb]...), core.MakeDims(perm[nb:nb+nk]...)
		if i == 0 {
			q.LhsBatch, q.LhsContract = batch, contract
		} else {
			q.RhsBatch, q.RhsContract = batch, contract
		}
	}
	return q, in
}

// Products have the reference's bits: every type, layout and size up to 70, operands
// at guard pages, any number of threads.
func TestProductFuzz(t *testing.T) {
	o := newOperation(t, 1, 2)
	for n := range rounds(1500) {
		dt := dotTypes[o.r.IntN(len(dotTypes))]
		q, in := o.dot(dt, func(kind int) int {
			switch {
			case kind < 2 && o.r.IntN(40) == 0:
				return 1 + o.r.IntN(300)
			case n%4 == 0:
				return 1 + o.r.IntN(70)
			}
			return 1 + o.r.IntN(20)
		})
		if in[0].Size() > 1<<16 || in[1].Size() > 1<<16 || q.Abstract(in[:])[0].Size() > 1<<16 {
			continue
		}
		o.check(q, in[0], in[1])
	}
}

// Products of complex numbers have the reference's bits: every layout and size up to 70.
func TestComplexProductFuzz(t *testing.T) {
	o := newOperation(t, 13, 2)
	for range rounds(600) {
		q, in := o.dot(complexTypes[o.r.IntN(2)], func(kind int) int {
			if kind < 2 && o.r.IntN(20) == 0 {
				return 1 + o.r.IntN(300)
			}
			return 1 + o.r.IntN([]int{8, 20, 70}[o.r.IntN(3)])
		})
		if in[0].Size() > 1<<15 || in[1].Size() > 1<<15 || q.Abstract(in[:])[0].Size() > 1<<15 {
			continue
		}
		o.check(q, in[0], in[1])
	}
}

// Every size from 1 to 70 of rows, columns and contracted elements; every third where tests are not thorough, with each
// number of elements that is left after vectors.
func TestProductTails(t *testing.T) {
	race.Values(t)
	o := newOperation(t, 2, 2)
	d := core.MakeDims
	step := 3
	if samples.Thorough() {
		step = 1
	}
	for n := 1; n <= 70; n += step {
		for _, dt := range []core.DType{core.Float32, core.Float64, core.Complex64} {
			other := 1 + o.r.IntN(70)
			for _, s := range [][3]int{{n, other, 70 - other + 1}, {other, n, 3}, {other, 70 - other + 1, n}, {1, n, 33}, {n, 1, 33}, {n, 1, 140}, {1, 1, n}} {
				m, n, k := s[0], s[1], s[2]
				o.check(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, core.Aval(dt, m, k), core.Aval(dt, k, n))
				o.check(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1)}, core.Aval(dt, m, k), core.Aval(dt, n, k))
				o.check(prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, core.Aval(dt, k, m), core.Aval(dt, k, n))
				o.check(prim.DotGeneralP{LhsContract: d(0), RhsContract: d(1)}, core.Aval(dt, k, m), core.Aval(dt, n, k))
			}
		}
	}
}

// Products that are packed, split among threads or into calls.
func TestProductLarge(t *testing.T) {
	race.Values(t)
	o := newOperation(t, 3, 2)
	d := core.MakeDims
	for _, s := range [][3]int{{97, 530, 601}, {300, 1030, 260}, {3, 1000, 700}, {700, 2, 1000}, {1, 700, 1300}, {70, 70, 2600}, {1, 1, 70000}, {200, 900, 600}} {
		for _, dt := range []core.DType{core.Float32, core.Float64} {
			m, n, k := s[0], s[1], s[2]
			if dt == core.Float64 {
				m, n = (m+1)/2, (n+1)/2
			}
			o.check(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, core.Aval(dt, m, k), core.Aval(dt, k, n))
			o.check(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1)}, core.Aval(dt, m, k), core.Aval(dt, n, k))
			o.check(prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, core.Aval(dt, k, m), core.Aval(dt, k, n))
		}
	}
	o.check(prim.DotGeneralP{LhsContract: d(2), RhsContract: d(1), LhsBatch: d(0), RhsBatch: d(0)}, core.Aval(core.Float32, 500, 24, 30), core.Aval(core.Float32, 500, 30, 40))
	for _, s := range [][3]int{{97, 330, 4 * 601}, {5, 530, 2571}, {130, 2, 1000}, {600, 49, 68}} {
		for _, dt := range [][2]core.DType{{core.Uint8, core.Int8}, {core.Int8, core.Int8}, {core.Uint8, core.Uint8}} {
			o.check(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1), Preferred: core.Int32}, core.Aval(dt[0], s[0], s[2]), core.Aval(dt[1], s[1], s[2]))
		}
	}
	for _, s := range [][3]int{{33, 600, 1024}, {130, 600, 1024}} { // columns beside each other, read in place and copied
		o.check(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0), Preferred: core.Int32}, core.Aval(core.Uint8, s[0], s[2]), core.Aval(core.Int8, s[2], s[1]))
	}
}
