package fuse_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/runtime"
)

// mixedLoop is a loop over arrays that registers do not hold, with all that one kernel can contain:
// products, branches, updates, reductions, swapped carries, rows that are read and written.
func mixedLoop(opts ...weft.ScanOption) func(a, b, x weft.Array) []weft.Array {
	type as = []weft.Array
	return func(a, b, x weft.Array) as {
		n := x.Shape()[1]
		rows := weft.Zeros(40, n).AsType(x.DType())
		c, ys := weft.Scan(func(c, x as) (as, as) {
			p, q, rows, i := c[0], c[1], c[2], c[3]
			u := a.MatMul(b).Add(x[0]).Mul(q)
			w := weft.Cond(i.Lt(2), func() weft.Array { return u }, func() weft.Array { return u.Sub(p) })
			sums := u.Sum(1)
			return as{q, w, rows.At(i).Set(sums.AsType(rows.DType())), i.Add(1)}, as{sums, w}
		}, as{x.Index(0), x.Index(1), rows, weft.Scalar(int32(0))}, as{x}, opts...)
		return append(c, ys...)
	}
}

func evaluated(j *jaxpr.Jaxpr, args []*reference.Tensor) []*reference.Tensor {
	vs := make([]core.Value, len(args))
	for i, a := range args {
		vs[i] = runtime.FromTensor(a)
	}
	return unboxed(jaxpr.Eval(j, nil, vs))
}

func TestWholeLoops(t *testing.T) {
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Int32, core.Uint8, core.BFloat16, core.Complex64} {
		for name, opts := range map[string][]weft.ScanOption{"forward": nil, "reverse": {weft.Reverse()}} {
			zeros := func(shape ...int) weft.Array { return weft.Zeros(shape...).AsType(dt) }
			j := trace(t, mixedLoop(opts...), zeros(10, 12), zeros(12, 10), zeros(5, 10, 10))
			args := drawAll(j)
			want := evaluated(j, args)
			p := fuse.Translate(j, fuse.Native())
			same(t, dt.String()+" "+name, j, p, args, want)
			text := p.String()
			if strings.Contains(text, "  loop ") || !strings.Contains(text, "register loop") {
				t.Errorf("%v %s: the loop is no kernel:\n%v", dt, name, p)
			}
			for _, e := range j.Eqns { // an executor may refuse it
				if _, ok := e.Prim.(*jaxpr.Scan); ok {
					q := fuse.TranslateWithout(j, fuse.Native(), fuse.Refusals{e: "a test"})
					same(t, "refused", j, q, args, want)
				}
			}
		}
	}
}

// A loop with a test runs until the test fails, in several launches if it must.
func TestWholeWhile(t *testing.T) {
	type as = []weft.Array
	for _, n := range []int32{0, 1, 1000} {
		j := trace(t, func(x weft.Array) as {
			return weft.While(func(c as) weft.Array { return c[1].Lt(n).And(weft.Abs(c[0]).Max().Ge(0)) }, func(c as) as {
				return as{c[0].Mul(0.5).Add(c[0].Sum(0)), c[1].Add(1)}
			}, as{x, weft.Scalar(int32(0))})
		}, weft.Zeros(9, 11))
		args := drawAll(j)
		p := fuse.Translate(j, fuse.Native())
		same(t, "while", j, p, args, evaluated(j, args))
		if !strings.Contains(p.String(), "register loop") {
			t.Errorf("the loop is no kernel:\n%v", p)
		}
	}
}

// A while within a loop might not end, so that the loop must be able to stop between its kernels.
// The steps around the while are one launch.
func TestMergedSteps(t *testing.T) {
	type as = []weft.Array
	j := trace(t, func(a, x weft.Array) as {
		c, ys := weft.Scan(func(c, x as) (as, as) {
			m := c[0].MatMul(a).Add(x[0])
			w := weft.While(func(c as) weft.Array { return c[0].Max().Lt(2) }, func(c as) as { return as{c[0].Add(1)} }, as{m})
			s := w[0].Sub(w[0].Max(0))
			v := weft.Cond(s.Sum().Gt(0), func() weft.Array { return s }, func() weft.Array { return m })
			return as{v.Mul(v.Sum(1))}, as{v.Sum(0)}
		}, as{x.Index(0)}, as{x})
		return append(c, ys...)
	}, weft.Zeros(9, 9), weft.Zeros(4, 9, 9))
	args := drawAll(j)
	p := fuse.Translate(j, fuse.Native())
	same(t, "merged", j, p, args, evaluated(j, args))
	if text := p.String(); strings.Count(text, "loop scan") != 1 || strings.Contains(text, "loop cond") || strings.Contains(text, "product") || !strings.Contains(text, "_steps") {
		t.Errorf("the steps beside the inner loop are not merged:\n%v", text)
	}
}

// A loop that copies large arrays in each iteration is not one kernel, in which it could not be stopped.
func TestLargeArraysInLoops(t *testing.T) {
	type as = []weft.Array
	for name, f := range map[string]func(x, y weft.Array) as{
		"swapped": func(x, y weft.Array) as {
			return weft.ForI(9, func(_ weft.Array, c as) as { return as{c[1], c[0]} }, as{x, y})
		},
		"stacked": func(x, y weft.Array) as {
			return second(weft.ScanN(func(c weft.Array) (weft.Array, as) { return c.Add(c.Sum(0)), as{x, y} }, x.Index(weft.R(0, 99)), 9))
		},
		"chosen": func(x, y weft.Array) as {
			return weft.ForI(9, func(i weft.Array, c as) as {
				return weft.Cond(i.Lt(3), func() as { return as{c[1], c[0]} }, func() as { return c })
			}, as{x, y})
		},
	} {
		j := trace(t, f, weft.Zeros(1<<17), weft.Zeros(1<<17))
		if p := fuse.Translate(j, fuse.Native()); strings.Contains(p.String(), "register loop") {
			t.Errorf("%s: the loop is a kernel:\n%v", name, p)
		}
	}

	// An array that is carried but not changed costs nothing, not even memory.
	j := trace(t, func(x, y weft.Array) as {
		return weft.ForI(9, func(i weft.Array, c as) as { return as{c[0], c[1].Add(c[1].Sum(0)).Add(c[0].Index(i))} }, as{x, y})
	}, weft.Zeros(1<<17), weft.Zeros(99))
	p := fuse.Translate(j, fuse.Native())
	if !strings.Contains(p.String(), "register loop") || p.Arena > 1<<16 {
		t.Errorf("got %d bytes of memory for a loop that is to be one kernel:\n%v", p.Arena, p)
	}
}

func second[A, B any](_ A, b B) B { return b }

// A launch of many steps has a bounded number of arrays: finding out what it may overwrite takes time that grows with the cube
// of their number.
func TestManyCarries(t *testing.T) {
	j := trace(t, func(x weft.Array) []weft.Array {
		c := make([]weft.Array, 300)
		for i := range c {
			c[i] = x.Add(i)
		}
		return weft.ForI(3, func(_ weft.Array, c []weft.Array) []weft.Array {
			next := make([]weft.Array, len(c))
			for i := range c {
				next[i] = c[(i+1)%len(c)].Add(c[i].Sum(0))
			}
			return next
		}, c)
	}, weft.Zeros(3, 7))
	args := drawAll(j)
	p := fuse.Translate(j, fuse.Native())
	same(t, "carries", j, p, args, evaluated(j, args))
	for _, k := range p.Kernels() {
		if strings.Contains(k.Name, "_steps") && len(k.Buffers) > 200 {
			t.Errorf("%s has %d arrays", k.Name, len(k.Buffers))
		}
	}
}

// On a processor the elements of arrays run a loop together, iteration by iteration: each vector alone
// would wait for its own results. On a device each runs it alone.
func TestElementLoops(t *testing.T) {
	for _, n := range []int{8, 32, 1 << 13} {
		j := trace(t, func(x weft.Array) weft.Array {
			return weft.ForI(9, func(_ weft.Array, x weft.Array) weft.Array { return x.Mul(0.5).Add(1) }, x)
		}, weft.Zeros(n))
		args := drawAll(j)
		want := evaluated(j, args)
		for name, target := range map[string]fuse.Target{"native": fuse.Native(), "device": fuse.Device(nil)} {
			p := fuse.Translate(j, target)
			same(t, name, j, p, args, want)
			ks := p.Kernels()
			if len(ks) != 1 {
				t.Fatalf("%s, %d elements: got %d kernels, want 1:\n%v", name, n, len(ks), p)
			}
			apart := false // the vector loop encloses the loop
			ks[0].Body.Walk(func(s ir.Stmt) {
				if l, ok := s.(*ir.Loop); ok && l.Kind == ir.Vector {
					l.Body.Walk(func(s ir.Stmt) {
						_, while := s.(*ir.While)
						apart = apart || while
					})
				}
			})
			if want := name == "device"; apart != want {
				t.Errorf("%s, %d elements run the loop apart: %t, want %t\n%v", name, n, apart, want, ks[0])
			}
		}
	}
}

// Rows of a table that iterations read by their numbers stay in memory on a processor: in registers,
// each element would be chosen among all.
func TestTablesOfLoops(t *testing.T) {
	for _, rows := range []int{3, 12} {
		j := trace(t, func(x, table weft.Array) weft.Array {
			return weft.ForI(rows, func(i weft.Array, x weft.Array) weft.Array { return x.Add(table.Index(i)).Mul(x.Sum()) }, x)
		}, weft.Zeros(4), weft.Zeros(rows, 4))
		args := drawAll(j)
		p := fuse.Translate(j, fuse.Native())
		same(t, "table", j, p, args, evaluated(j, args))
		chosen := 0
		for _, k := range p.Kernels() {
			k.Body.Walk(func(s ir.Stmt) {
				if l, ok := s.(*ir.Let); ok && l.Inst.Op == scalar.OpSelect {
					chosen++
				}
			})
		}
		if inRegisters := chosen >= 4*(rows-1); inRegisters != (rows == 3) || !strings.Contains(p.String(), "register loop") {
			t.Errorf("%d rows: %d choices\n%v", rows, chosen, p)
		}
	}
}
