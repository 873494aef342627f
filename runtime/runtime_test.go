package runtime

import (
	"context"
	"errors"
	"fmt"
	"math"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

func f32(dims []int, v ...float64) core.Value {
	a := New(core.Aval(core.Float32, dims...))
	for i, x := range v {
		elem.Put(a.t.Data[i*4:], core.FloatNumber(x), core.Float32)
	}
	return a
}

func lit(v float64) core.Value { return core.Lit(core.FloatNumber(v), core.Float32) }

func i32(v int64) core.Value { return core.Lit(core.IntNumber(v), core.Int32) }

func show(v core.Value) string {
	a := v.(*Array)
	var parts []string
	for i := range a.Aval().Size() {
		n, ok := a.At(i)
		if !ok {
			break
		}
		parts = append(parts, core.Lit(n, a.Aval().DType).Text())
	}
	return a.Aval().Full() + " " + strings.Join(parts, " ")
}

func vec(dims ...int) core.ShapedArray { return core.Aval(core.Float32, dims...) }

// staged records f as a program, checks it, and returns its results.
func staged(t testing.TB, f func([]core.Value) []core.Value, args ...core.Value) []core.Value {
	t.Helper()
	j := trace.Stage("f", core.AvalsOf(args), f)
	if err := jaxpr.Check(j); err != nil {
		t.Fatal(err)
	}
	return Call(t.Context(), &jaxpr.Jit{Jaxpr: j}, args)
}

func one(v core.Value) []core.Value { return []core.Value{v} }

func TestEagerAndStaged(t *testing.T) {
	x, y := f32([]int{4}, 1, 2, 3, 4), f32([]int{4}, 10, 20, 30, 40)
	captured := f32([]int{4}, 100, 100, 100, 100)
	for _, c := range []struct {
		name string
		f    func(in []core.Value) []core.Value
		want string
	}{
		{"add", func(in []core.Value) []core.Value { return one(prim.Add(in[0], in[1])) }, "f32[4] 11.0 22.0 33.0 44.0"},
		{"literal", func(in []core.Value) []core.Value { return one(prim.Mul(in[0], lit(0.5))) }, "f32[4] 0.5 1.0 1.5 2.0"},
		{"captured", func(in []core.Value) []core.Value { return one(prim.Add(captured, in[1])) }, "f32[4] 110.0 120.0 130.0 140.0"},
		{"argument", func(in []core.Value) []core.Value { return one(in[1]) }, "f32[4] 10.0 20.0 30.0 40.0"},
		{"twice", func(in []core.Value) []core.Value { return one(prim.Mul(in[0], in[0])) }, "f32[4] 1.0 4.0 9.0 16.0"},
		{"compare", func(in []core.Value) []core.Value { return one(prim.Lt(in[0], lit(2.5))) }, "bool[4] True True False False"},
		{"slots", func(in []core.Value) []core.Value {
			a := prim.Add(in[0], in[1])
			b := prim.Mul(a, a)
			c := prim.Sub(b, in[0])
			return one(prim.Add(c, prim.Neg(b)))
		}, "f32[4] -1.0 -2.0 -3.0 -4.0"},
		{"full", func(in []core.Value) []core.Value { return one(prim.Full(vec(2, 2), 0.1)) },
			"f32[2,2] 0.10000000149011612 0.10000000149011612 0.10000000149011612 0.10000000149011612"},
	} {
		if got := show(c.f([]core.Value{x, y})[0]); got != c.want {
			t.Errorf("%s, eager: %s, want %s", c.name, got, c.want)
		}
		if got := show(staged(t, c.f, x, y)[0]); got != c.want {
			t.Errorf("%s, staged: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestControlFlow(t *testing.T) {
	cond := func(in []core.Value) []core.Value {
		p := prim.Lt(prim.Mul(in[0], in[0]), lit(5))
		return trace.Cond(p, func() []core.Value { return one(prim.Neg(in[0])) }, func() []core.Value { return one(prim.Mul(in[0], lit(10))) })
	}
	double := func(in []core.Value) []core.Value {
		return trace.While(func(c []core.Value) core.Value { return prim.Lt(c[0], in[1]) },
			func(c []core.Value) []core.Value { return one(prim.Mul(c[0], lit(2))) }, in[:1])
	}
	for _, c := range []struct {
		name string
		f    func([]core.Value) []core.Value
		in   []core.Value
		want string
	}{
		{"cond yes", cond, one(f32(nil, 2)), "f32[] -2.0"},
		{"cond no", cond, one(f32(nil, 3)), "f32[] 30.0"},
		{"while", double, []core.Value{f32(nil, 1), f32(nil, 1000)}, "f32[] 1024.0"},
		{"while, no iteration", double, []core.Value{f32(nil, 1), f32(nil, 0)}, "f32[] 1.0"},
	} {
		if got := show(c.f(c.in)[0]); got != c.want {
			t.Errorf("%s, eager: %s, want %s", c.name, got, c.want)
		}
		if got := show(staged(t, c.f, c.in...)[0]); got != c.want {
			t.Errorf("%s, staged: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestSwitchClamps(t *testing.T) {
	j := func(v float64) *jaxpr.Jaxpr {
		return trace.Stage("branch", nil, func([]core.Value) []core.Value { return one(lit(v)) })
	}
	p := &jaxpr.Cond{Branches: []*jaxpr.Jaxpr{j(0), j(1), j(2)}}
	for i, want := range map[int64]string{-5: "f32[] 0.0", 0: "f32[] 0.0", 1: "f32[] 1.0", 2: "f32[] 2.0", 9: "f32[] 2.0"} {
		if got := show(core.Bind1(p, i32(i))); got != want {
			t.Errorf("branch %d returns %s, want %s", i, got, want)
		}
	}
}

func TestScan(t *testing.T) {
	body := func(carry, x []core.Value) (next, y []core.Value) {
		s := prim.Add(carry[0], x[0])
		return one(s), []core.Value{s, x[0]}
	}
	xs := f32([]int{5}, 1, 2, 3, 4, 5)
	rows := New(vec(3, 32))
	for i := range 3 * 32 {
		elem.Put(rows.t.Data[i*4:], core.IntNumber(int64(i)), core.Float32)
	}
	for _, reverse := range []bool{false, true} {
		f := func(in []core.Value) []core.Value {
			c, ys := trace.Scan(body, one(lit(0)), in, trace.ScanConfig{Length: 5, Reverse: reverse})
			return append(c, ys...)
		}
		want := "[f32[] 15.0 f32[5] 1.0 3.0 6.0 10.0 15.0 f32[5] 1.0 2.0 3.0 4.0 5.0]"
		if reverse {
			want = "[f32[] 15.0 f32[5] 15.0 14.0 12.0 9.0 5.0 f32[5] 1.0 2.0 3.0 4.0 5.0]"
		}
		for name, out := range map[string][]core.Value{"eager": f(one(xs)), "staged": staged(t, f, xs)} {
			var got []string
			for _, v := range out {
				got = append(got, show(v))
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%s, reverse %v: %v, want %v", name, reverse, got, want)
			}
		}
		// A last carry that is a row of xs does not keep xs alive.
		last := func(in []core.Value) []core.Value {
			c, _ := trace.Scan(func(carry, x []core.Value) (next, y []core.Value) { return x, nil }, one(prim.Full(vec(32), 0)), in,
				trace.ScanConfig{Length: 3, Reverse: reverse})
			return c
		}
		out := staged(t, last, rows)[0].(*Array)
		if n, _ := out.At(1); n.Float() != map[bool]float64{false: 65, true: 1}[reverse] || len(out.t.Data) == 128 && &out.t.Data[0] == &rows.t.Data[map[bool]int{false: 256, true: 0}[reverse]] {
			t.Errorf("last carry is %v", show(out))
		}
	}
}

func TestScanWithoutInputs(t *testing.T) {
	f := func(in []core.Value) []core.Value {
		c, ys := trace.Scan(func(c, x []core.Value) (next, y []core.Value) { return one(prim.Add(c[0], x[0])), one(c[0]) }, one(lit(7)), in, trace.ScanConfig{})
		return append(c, ys...)
	}
	out := staged(t, f, f32([]int{0}))
	if got := show(out[0]) + "; " + show(out[1]); got != "f32[] 7.0; f32[0] " {
		t.Error(got)
	}
}

func TestCustomCalls(t *testing.T) {
	f := func(in []core.Value) []core.Value { return one(prim.Mul(in[0], lit(3))) }
	x := f32(nil, 2)
	for _, p := range []core.Primitive{
		&jaxpr.CustomJVP{Fn: "f", F: f},
		&jaxpr.CustomVJP{Fn: "f", F: f},
		&jaxpr.CustomVmap{Fn: "f", F: f},
	} {
		g := func(in []core.Value) []core.Value { return core.Bind(p, in...) }
		for name, out := range map[string][]core.Value{"eager": g(one(x)), "staged": staged(t, g, x)} {
			if got := show(out[0]); got != "f32[] 6.0" {
				t.Errorf("%s, %s: %s", p.Name(), name, got)
			}
		}
	}
}

func TestWeakMarks(t *testing.T) {
	weak := core.Literal{Num: core.FloatNumber(1), Type: core.Float32, Weak: true}
	f := func(in []core.Value) []core.Value {
		return []core.Value{prim.Add(in[0], weak), weak, prim.Mul(weak, weak)}
	}
	for name, out := range map[string][]core.Value{"eager": f(one(weak)), "staged": staged(t, f, weak)} {
		for i, v := range out {
			if name == "eager" && i == 1 {
				continue
			}
			if got := v.Aval().Full(); got != "~f32[]" {
				t.Errorf("%s: result %d is %s", name, i, got)
			}
		}
	}
}

func TestDonation(t *testing.T) {
	f := func(in []core.Value) []core.Value { return []core.Value{prim.Add(in[0], in[1]), in[0]} }
	x, y := f32([]int{2}, 1, 2), f32([]int{2}, 3, 4)
	p := &jaxpr.Jit{Jaxpr: trace.Stage("f", core.AvalsOf([]core.Value{x, y}), f), Donated: []bool{true, false}}
	out := core.Bind(p, x, y)
	if got := show(out[0]) + "; " + show(out[1]); got != "f32[2] 4.0 6.0; f32[2] 1.0 2.0" {
		t.Error(got)
	}
	err := core.Catch(func() { prim.Add(x, y) })
	if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "donated") {
		t.Errorf("use of a donated array: %v", err)
	}
	prim.Add(out[1], y)
}

// Memory outside of the Go heap that a call has and no result takes is free when the call ends,
// unless another array has it, too.
func TestDonatedMemoryIsFreed(t *testing.T) {
	sum := func(in []core.Value) []core.Value { return []core.Value{prim.ReduceSum(in[0], core.MakeDims(0))} }
	same := func(in []core.Value) []core.Value { return in }
	home := Default()
	if home.Memory() != Host { // a device reads a copy
		home = Reference
	}
	for name, c := range map[string]struct {
		f       func(in []core.Value) []core.Value
		alias   bool
		donated bool
		want    int
	}{
		"dead":        {sum, false, true, 1},
		"not donated": {sum, false, false, 0},
		"result":      {same, false, true, 0},
		"shared":      {sum, true, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			aval := core.Aval(core.Float32, 1000)
			freed := 0
			made := Made(aval, make([]byte, 4000), func([]byte) { freed++ })
			x := made
			if c.alias {
				x = made.WithType(aval)
			}
			p := &jaxpr.Jit{Jaxpr: trace.Stage("f", []core.ShapedArray{aval}, c.f), Donated: []bool{c.donated}, Device: home.Name()}
			out := core.Bind(p, x)
			if freed != c.want {
				t.Errorf("freed %d times, want %d", freed, c.want)
			}
			goruntime.KeepAlive(made)
			goruntime.KeepAlive(x)
			goruntime.KeepAlive(out)
		})
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	forever := trace.Stage("forever", []core.ShapedArray{vec()}, func(in []core.Value) []core.Value {
		return trace.While(func(c []core.Value) core.Value { return prim.Lt(c[0], lit(math.Inf(1))) },
			func(c []core.Value) []core.Value { return one(prim.Neg(c[0])) }, in)
	})
	why := errors.New("enough")
	started := make(chan bool)
	go func() { <-started; cancel(why) }()
	err := core.Catch(func() {
		close(started)
		Call(ctx, &jaxpr.Jit{Jaxpr: forever}, one(f32(nil, 1)))
	})
	if !errors.Is(err, why) {
		t.Errorf("cancelled call: %v", err)
	}
}

type noKernel struct{}

func (noKernel) Name() string                                      { return "no_kernel" }
func (noKernel) Abstract(in []core.ShapedArray) []core.ShapedArray { return in }

type expands struct{}

func (expands) Name() string                                      { return "expands" }
func (expands) Abstract(in []core.ShapedArray) []core.ShapedArray { return in }
func (expands) Expand(in []core.Value) []core.Value               { return one(prim.Add(in[0], in[0])) }

func TestMissingPrimitives(t *testing.T) {
	x := f32(nil, 1)
	f := func(in []core.Value) []core.Value { return core.Bind(noKernel{}, in...) }
	for _, g := range []func(){func() { f(one(x)) }, func() { staged(t, f, x) }} {
		err := core.Catch(g)
		if !errors.Is(err, core.ErrNoRule) || !strings.Contains(err.Error(), "no_kernel: ") {
			t.Errorf("missing kernel: %v", err)
		}
	}
	e := func(in []core.Value) []core.Value { return core.Bind(expands{}, in...) }
	if got := show(e(one(x))[0]) + "; " + show(staged(t, e, x)[0]); got != "f32[] 2.0; f32[] 2.0" {
		t.Errorf("expansion: %s", got)
	}
	lin := &jaxpr.CustomLin{OutAvals: []core.ShapedArray{vec()}}
	if err := core.Catch(func() { core.Bind(lin, x) }); !errors.Is(err, core.ErrNoRule) {
		t.Errorf("custom_lin: %v", err)
	}
}

// A program with wrong types does not reach a kernel.
func TestWrongTypes(t *testing.T) {
	j := trace.Stage("f", []core.ShapedArray{vec(4)}, func(in []core.Value) []core.Value { return one(prim.Neg(in[0])) })
	j.Eqns[0].Outs[0].Type = vec(8)
	if err := errOf(Compile(Reference, &Request{Jaxpr: j})); !errors.Is(err, core.ErrCheck) {
		t.Errorf("wrong result type: %v", err)
	}
}

func TestManyGoroutines(t *testing.T) {
	f := func(in []core.Value) []core.Value { return one(prim.Mul(prim.Add(in[0], in[1]), lit(2))) }
	j := trace.Stage("f", []core.ShapedArray{vec(4), vec(4)}, f)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			x := f32([]int{4}, float64(n), 1, 2, 3)
			for range 200 {
				out := Call(t.Context(), &jaxpr.Jit{Jaxpr: j}, []core.Value{x, x})
				if v, _ := out[0].(*Array).At(0); v.Float() != float64(4*n) {
					t.Errorf("%d: %s", n, show(out[0]))
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestAlignment(t *testing.T) {
	for n := range 200 {
		a := New(core.Aval(core.Int8, n))
		if n > 0 && align(a)%16 != 0 {
			t.Fatalf("%d bytes lie at %d modulo 16", n, align(a)%16)
		}
	}
}

// Operands that a host function keeps do not change afterwards.
func TestHostKeepsOperands(t *testing.T) {
	var kept []*Array
	f := &hostcall.HostFunc{Name: "keep", Call: func(in []core.Value) []core.Value {
		kept = append(kept, in[0].(*Array), in[1].(*Array))
		return one(in[0])
	}}
	x := f32([]int{20, 32})
	for i := range 20 * 32 {
		elem.Put(x.(*Array).t.Data[i*4:], core.IntNumber(int64(i)), core.Float32)
	}
	out := staged(t, func(in []core.Value) []core.Value {
		_, ys := trace.Scan(func(c, x []core.Value) (next, y []core.Value) {
			s := prim.Add(c[0], x[0])
			r := core.Bind(hostcall.PureCallbackP{Fn: f, Results: hostcall.MakeAvals(vec(32))}, s, x[0])
			return one(s), r
		}, one(prim.Full(vec(32), 0)), in, trace.ScanConfig{Length: 20})
		return ys
	}, x)[0].(*Array)
	total := 0.0
	for i := range 20 {
		total += float64(i * 32)
		a, _ := kept[2*i].At(0)
		b, _ := kept[2*i+1].At(0)
		y, _ := out.At(i * 32)
		if a.Float() != total || b.Float() != float64(i*32) || y.Float() != total {
			t.Fatalf("iteration %d: kept %v and %v, returned %v; want %v, %v, %v", i, a.Float(), b.Float(), y.Float(), total, i*32, total)
		}
	}
}

// The memory of a run's results is never used again for another array.
func TestResultsStay(t *testing.T) {
	j := trace.Stage("f", []core.ShapedArray{vec(8), vec(8)}, func(in []core.Value) []core.Value {
		a := prim.Add(in[0], in[1])
		b := prim.Mul(a, a)
		return []core.Value{a, prim.Neg(b), a, in[0], b}
	})
	var all [][]core.Value
	for i := range 50 {
		x := f32([]int{8}, float64(i))
		all = append(all, Call(t.Context(), &jaxpr.Jit{Jaxpr: j}, []core.Value{x, x}))
	}
	for i, outs := range all {
		for k, want := range []int{2 * i, -4 * i * i, 2 * i, i, 4 * i * i} {
			if n, _ := outs[k].(*Array).At(0); n.Float() != float64(want) {
				t.Fatalf("call %d, result %d: %v, want %d", i, k, n.Float(), want)
			}
		}
	}
}

// What does not fit in memory is an error that names the operation, also where each
// array fits by itself.
func TestTooLarge(t *testing.T) {
	limit := memoryLimit()
	big := func(n int) core.Value { return prim.Full(vec(n), 1) }
	for _, f := range []func([]core.Value) []core.Value{
		func([]core.Value) []core.Value { return one(big(limit)) },
		func([]core.Value) []core.Value { return one(prim.Full(vec(math.MaxInt/2, 8), 1)) },
	} {
		err := core.Catch(func() { inHostMemory(func() { staged(t, f) }) })
		if !errors.Is(err, core.ErrShape) || !strings.Contains(err.Error(), "runtime_test.go:") || !strings.Contains(err.Error(), "broadcast_in_dim: the result cannot be allocated: an array of type f32[") {
			t.Errorf("too large: %v", err)
		}
	}
	x := newRun(context.Background(), nil)
	x.used = limit - 10
	if err := core.Catch(func() { x.alloc(vec(100)) }); !errors.Is(err, core.ErrShape) || !strings.Contains(err.Error(), "beside the") {
		t.Errorf("too much together: %v", err)
	}
}

// inHostMemory runs f on the default executor or, if that is a device's, on the reference
// executor: for what a test demands of host memory.
func inHostMemory(f func()) {
	WithSettings(func(s *Settings) {
		if currentExecutor(s).Memory() != Host {
			s.Executor = Reference
		}
	}, f)
}

func errOf(_ *Compiled, err error) error { return err }
