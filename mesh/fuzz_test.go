package mesh

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

var fuzzed = flag.Int("programs", 300, "how many random programs over meshes to check")

// An instruction computes one more value of random programs: pieces of shape [4, 4], like all others.
type instruction struct {
	op   string
	a, b int      // operands
	axes []string // of the mesh
	n    int
}

// A generated program runs on pieces of its arguments, which are cut by specs.
type generated struct {
	m     Mesh
	specs []Spec
	code  []instruction
	out   Spec
	exact bool // no operation rounds on small integers
}

var exactOps = []string{"add", "sub", "mul", "neg", "double", "index", "psum", "psum", "ppermute", "gather", "scatter", "exchange", "loop", "branch", "jit"}

var roundingOps = append([]string{"tanh", "exp", "div", "pmean", "pmax", "pmin"}, exactOps...)

// generate returns a program on a mesh whose axes have some of the sizes.
func generate(r *rand.Rand, sizes ...int) generated {
	g := generated{exact: r.IntN(2) == 0}
	for _, name := range []string{"x", "y", "z"}[:1+r.IntN(2)] {
		g.m.ir.Axes = append(g.m.ir.Axes, jaxpr.MeshAxis{Name: name, Size: sizes[r.IntN(len(sizes))]})
	}
	names := g.m.names()
	some := func() []string {
		picked := slices.Clone(names)
		r.Shuffle(len(picked), func(i, k int) { picked[i], picked[k] = picked[k], picked[i] })
		return picked[:r.IntN(len(picked)+1)]
	}
	for range 2 {
		spec := P()
		for k, n := range some() {
			if r.IntN(2) == 0 || k > 0 {
				spec.ir = append(spec.ir, []string{n})
			} else {
				spec.ir = append(spec.ir, nil, []string{n})
			}
			if len(spec.ir) > 2 {
				spec.ir = spec.ir[:2]
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(spec.ir.Names())))) != len(spec.ir.Names()) {
			spec = P()
		}
		g.specs = append(g.specs, spec)
	}
	ops := exactOps
	if !g.exact {
		ops = roundingOps
	}
	products := 0
	for i := range 3 + r.IntN(6) {
		x := instruction{op: ops[r.IntN(len(ops))], a: r.IntN(2 + i), b: r.IntN(2 + i), n: r.IntN(3)}
		if x.op == "mul" || x.op == "loop" || x.op == "scatter" {
			if products++; products > 2 {
				x.op = "add"
			}
		}
		x.axes = []string{names[r.IntN(len(names))]}
		if x.op[0] == 'p' && x.op != "ppermute" && r.IntN(2) == 0 {
			x.axes = slices.Clone(names)
		}
		g.code = append(g.code, x)
	}
	g.out = P(names) // every device's piece
	return g
}

// run computes the program on one device, within ShardMap.
func (g generated) run(a, b weft.Array) weft.Array {
	regs := []weft.Array{a, b}
	for _, x := range g.code {
		a, b, axis := regs[x.a], regs[x.b], x.axes[0]
		n := g.m.Size(axis)
		var y weft.Array
		switch x.op {
		case "add":
			y = a.Add(b)
		case "sub":
			y = a.Sub(b)
		case "mul":
			y = a.Mul(b)
		case "neg":
			y = a.Neg()
		case "double":
			y = a.Mul(2)
		case "div":
			y = a.Div(weft.Abs(b).Add(1))
		case "tanh":
			y = weft.Tanh(a)
		case "exp":
			y = weft.Exp(weft.Minimum(a, 1))
		case "index":
			y = a.Add(lax.AxisIndex(axis).AsType(a.DType()))
		case "psum":
			y = lax.Psum(a, x.axes...)
		case "pmean":
			y = lax.Pmean(a, x.axes...)
		case "pmax":
			y = lax.Pmax(a, x.axes...)
		case "pmin":
			y = lax.Pmin(a, x.axes...)
		case "ppermute":
			y = lax.Ppermute(a, axis, ring(n, x.n)...)
		case "gather": // the sum of the first and the last piece
			all := lax.AllGather(a, axis, 0, true)
			y = all.Index(weft.R(0, 4)).Add(all.Index(weft.R(4*(n-1), 4*n)))
		case "scatter":
			all := lax.AllGather(a, axis, 0, true)
			y = lax.PsumScatter(all, axis, 0, true)
		case "exchange":
			y = lax.AllToAll(weft.Concat(0, slices.Repeat([]weft.Array{a}, n)...), axis, 0, 0, true).Index(weft.R(0, 4))
		case "loop":
			c := lax.Pvary(a, g.m.names()...)
			y = weft.ForI(2, func(_, c weft.Array) weft.Array { return c.Add(lax.Psum(b, axis)) }, c)
		case "branch":
			y = weft.Cond(lax.AxisIndex(axis).Lt(1), func() weft.Array { return lax.Pvary(a.Mul(3), g.m.names()...) },
				func() weft.Array { return lax.Pvary(b, g.m.names()...) })
		case "jit":
			y = weft.Jit(func(a, b weft.Array) weft.Array { return a.Sub(lax.Psum(b, axis)) })(a, b)
		default:
			panic("no operation " + x.op)
		}
		regs = append(regs, y)
	}
	return regs[len(regs)-1]
}

// loop computes the program for one device after the other, from the definition of each operation.
func (g generated) loop(ins ...[]weft.Array) []weft.Array {
	devices := g.m.Devices()
	at := make([]map[string]int, devices)
	for d := range at {
		at[d] = g.m.coordinates(d)
	}
	// peers returns the devices that differ from d along an axis only, in order.
	peers := func(d int, axis string) (out []int) {
		for e := range devices {
			same := true
			for _, n := range g.m.names() {
				same = same && (n == axis || at[d][n] == at[e][n])
			}
			if same {
				out = append(out, e)
			}
		}
		return out
	}
	// tree combines neighbours, then neighbours of these.
	tree := func(xs []weft.Array, f func(a, b weft.Array) weft.Array) weft.Array {
		for len(xs) > 1 {
			var next []weft.Array
			for i := 0; i < len(xs); i += 2 {
				if i+1 < len(xs) {
					next = append(next, f(xs[i], xs[i+1]))
				} else {
					next = append(next, xs[i])
				}
			}
			xs = next
		}
		return xs[0]
	}
	reduce := func(xs []weft.Array, axes []string, f func(a, b weft.Array) weft.Array) []weft.Array {
		names := g.m.names()
		for _, axis := range slices.Backward(names) {
			if !slices.Contains(axes, axis) {
				continue
			}
			out := make([]weft.Array, devices)
			for d := range out {
				var group []weft.Array
				for _, e := range peers(d, axis) {
					group = append(group, xs[e])
				}
				out[d] = tree(group, f)
			}
			xs = out
		}
		return xs
	}
	add := func(a, b weft.Array) weft.Array { return a.Add(b) }
	each := func(f func(d int) weft.Array) []weft.Array {
		out := make([]weft.Array, devices)
		for d := range out {
			out[d] = f(d)
		}
		return out
	}
	regs := ins
	for _, x := range g.code {
		a, b, axis := regs[x.a], regs[x.b], x.axes[0]
		n := g.m.Size(axis)
		all := 1
		for _, s := range x.axes {
			all *= g.m.Size(s)
		}
		var y []weft.Array
		switch x.op {
		case "add":
			y = each(func(d int) weft.Array { return a[d].Add(b[d]) })
		case "sub":
			y = each(func(d int) weft.Array { return a[d].Sub(b[d]) })
		case "mul":
			y = each(func(d int) weft.Array { return a[d].Mul(b[d]) })
		case "neg":
			y = each(func(d int) weft.Array { return a[d].Neg() })
		case "double":
			y = each(func(d int) weft.Array { return a[d].Mul(2) })
		case "div":
			y = each(func(d int) weft.Array { return a[d].Div(weft.Abs(b[d]).Add(1)) })
		case "tanh":
			y = each(func(d int) weft.Array { return weft.Tanh(a[d]) })
		case "exp":
			y = each(func(d int) weft.Array { return weft.Exp(weft.Minimum(a[d], 1)) })
		case "index":
			y = each(func(d int) weft.Array { return a[d].Add(at[d][axis]) })
		case "psum":
			y = reduce(a, x.axes, add)
		case "pmean":
			s := reduce(a, x.axes, add)
			y = each(func(d int) weft.Array { return s[d].Div(all) })
		case "pmax":
			y = reduce(a, x.axes, func(a, b weft.Array) weft.Array { return weft.Maximum(a, b) })
		case "pmin":
			y = reduce(a, x.axes, func(a, b weft.Array) weft.Array { return weft.Minimum(a, b) })
		case "ppermute":
			y = each(func(d int) weft.Array { return a[peers(d, axis)[(at[d][axis]-x.n%n+n)%n]] })
		case "gather":
			y = each(func(d int) weft.Array { p := peers(d, axis); return a[p[0]].Add(a[p[n-1]]) })
		case "scatter": // the sum of the piece that each has gathered n times
			s := each(func(d int) weft.Array { return tree(slices.Repeat([]weft.Array{a[d]}, n), add) })
			y = s
		case "exchange": // part 0 of what comes is of device 0
			y = each(func(d int) weft.Array { return a[peers(d, axis)[0]] })
		case "loop":
			s := reduce(b, []string{axis}, add)
			y = each(func(d int) weft.Array { return a[d].Add(s[d]).Add(s[d]) })
		case "branch":
			y = each(func(d int) weft.Array {
				if at[d][axis] < 1 {
					return a[d].Mul(3)
				}
				return b[d]
			})
		case "jit":
			s := reduce(b, []string{axis}, add)
			y = each(func(d int) weft.Array { return a[d].Sub(s[d]) })
		}
		regs = append(regs, y)
	}
	return regs[len(regs)-1]
}

// pieces returns the devices' pieces of an array.
func pieces(m Mesh, s Spec, x weft.Array) (out []weft.Array) {
	for p := range Shards(m, s, x) {
		out = append(out, p.Piece)
	}
	return out
}

func (g generated) String() string {
	text := fmt.Sprintf("mesh %v, specs %v\n", g.m, g.specs)
	for i, x := range g.code {
		text += fmt.Sprintf("%%%d = %s %%%d %%%d %v %d\n", i+2, x.op, x.a, x.b, x.axes, x.n)
	}
	return text
}

// arguments returns whole arrays for the program.
func (g generated) arguments(r *rand.Rand) (args []weft.Array) {
	for _, s := range g.specs {
		x := normal(r, s.ir.Whole(g.m.ir, "an argument", core.Aval(core.Float32, 4, 4)).Shape.Ints()...)
		if g.exact {
			x = weft.Round(x).AsType(weft.Float64) // sums and products of these have 53 bits
		}
		args = append(args, x)
	}
	return args
}

// Random programs compute the same bits by the rules of ShardMap, as one program over all devices, compiled, and for one
// device after the other; on small integers, where nothing rounds, so do their derivatives and batches.
func TestRandomPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 11))
	for i := range *fuzzed {
		g := generate(r, 1, 2, 3, 4)
		f := ShardMap(g.run, g.m, In(g.specs[0], g.specs[1]), Out(g.out))
		args := g.arguments(r)
		var args3 []weft.Array
		for k, more := range g.arguments(r) {
			args3 = append(args3, weft.Stack(0, args[k], more, args[k].Neg()))
		}
		if err := core.Catch(func() { g.check(t, f, args, args3) }); err != nil {
			t.Errorf("%v", err)
		}
		if t.Failed() {
			t.Fatalf("program %d:\n%v", i, g)
		}
	}
}

func (g generated) check(t *testing.T, f func(a, b weft.Array) weft.Array, args, args3 []weft.Array) {
	want := weft.Concat(0, g.loop(pieces(g.m, g.specs[0], args[0]), pieces(g.m, g.specs[1], args[1]))...)
	same(t, "loop over the devices", f(args[0], args[1]), want)
	same(t, "compiled", weft.Jit(f)(args[0], args[1]), want)
	j, err := weft.Jaxpr(f, args[0], args[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := jaxpr.Check(j); err != nil {
		t.Errorf("%v\n%v", err, j)
	}
	rows := weft.Vmap(f)(args3[0], args3[1])
	for k := range 3 {
		same(t, "batch", rows.Index(k), f(args3[0].Index(k), args3[1].Index(k)))
	}
	if !g.exact {
		return
	}
	stack := trace.Stage("stack", j.InAvals(), func(vs []core.Value) []core.Value {
		return jaxpr.Stacked(j.Eqns[0].Prim.(*jaxpr.ShardMap), vs)
	})
	ct := weft.Round(want.Mul(0).Add(2))
	in := []core.Value{args[0].Value(), args[1].Value(), ct.Value()}
	rule := transforms.VJPProgram(j)
	if err := jaxpr.Check(rule); err != nil {
		t.Errorf("derivative: %v\n%v", err, rule)
	}
	got, of := jaxpr.Eval(rule, nil, in), jaxpr.Eval(transforms.VJPProgram(stack), nil, in)
	for k := range got {
		same(t, fmt.Sprintf("derivative of argument %d against that of the stack", k), weft.FromValue(got[k]), weft.FromValue(of[k]))
	}
	second := func(f func(a, b weft.Array) weft.Array) weft.Array {
		return weft.Grad(func(x weft.Array) weft.Array {
			y := weft.Grad(func(x weft.Array) weft.Array { return f(x, args[1]).Sum() })(x)
			return y.Mul(y).Sum()
		})(args[0])
	}
	same(t, "second derivative against that of the stack", second(f), second(func(a, b weft.Array) weft.Array {
		return weft.FromValue(jaxpr.Eval(stack, nil, []core.Value{a.Value(), b.Value()})[0])
	}))
	tangent := args3[0].Index(1)
	_, forward := weft.JVP(func(x weft.Array) weft.Array { return f(x, args[1]) }, args[0], tangent)
	same(t, "forward derivative against reverse", forward.Mul(ct).Sum(), tangent.Mul(weft.FromValue(got[0])).Sum())
}
