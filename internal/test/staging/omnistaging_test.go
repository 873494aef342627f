package staging_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// The statements on omnistaging, on the façade. What the recorder does is tested in
// package trace.

// executing counts the operations that are executed while f runs.
func executing(f func()) int {
	c := &atBottom{Interpreter: core.Bottom}
	defer func(old core.Interpreter) { core.Bottom = old }(core.Bottom)
	core.Bottom = c
	f()
	return c.n
}

type atBottom struct {
	core.Interpreter
	n int
}

func (c *atBottom) Interpret(p core.Primitive, in []core.Value) []core.Value {
	c.n++
	return c.Interpreter.Interpret(p, in)
}

// lowered counts the operations of f's program without calls and without what has no use,
// the literals among them, and the bytes of array constants; and the operations that were
// executed while tracing.
func lowered(t *testing.T, on bool, f any, args ...any) (ops map[string]int, bytes, executed int) {
	t.Helper()
	var ir *weft.IR
	var err error
	weft.With(weft.Omnistaging(on), func() {
		executed = executing(func() { ir, err = weft.Jaxpr(f, args...) })
	})
	if err != nil {
		t.Fatal(err)
	}
	ir = jaxpr.DCE(lower.Inline(ir, lower.Inlining{}))
	ops = map[string]int{"parameter": len(ir.Ins)}
	for _, v := range ir.Consts {
		if v.Type.Rank() > 0 {
			bytes += v.Type.Size() * v.Type.DType.Size()
		}
		ops["constant "+v.Type.Full()]++
	}
	for _, e := range ir.Eqns {
		ops[e.Prim.Name()]++
		for _, a := range e.Ins {
			if l, ok := a.(core.Literal); ok {
				ops["constant "+l.Aval().Full()]++
			}
		}
	}
	return ops, bytes, executed
}

func toy(x weft.Array) weft.Array { return x.Mul(weft.Add(1, 1)) }

func selectTril(x weft.Array) weft.Array {
	mask := weft.Arange(x.Dim(0)).ExpandDims(1).Gt(weft.Arange(x.Dim(1)))
	return weft.Where(mask, x, weft.ZerosLike(x))
}

// What the dynamic scope of a trace executes is recorded: also in the bodies of control
// flow, and what depends on no argument there. Nothing is folded.
func TestO1EverythingIsStaged(t *testing.T) {
	statement.Shows(t, "O-1", "everything in the dynamic scope of a trace is recorded")
	f := func(x weft.Array) weft.Array {
		c := weft.Cond(x.Gt(0), func() weft.Array { return weft.Add(1., 2.).Mul(x) }, func() weft.Array { return weft.Sin(weft.Scalar(3.)) })
		c, _ = weft.ScanN(func(c weft.Array) (weft.Array, weft.Array) { return c.Add(weft.Exp(weft.Scalar(1.))), c }, c, 3)
		return weft.While(func(c weft.Array) weft.Array { return c.Lt(weft.Sqrt(weft.Scalar(99.))) }, func(c weft.Array) weft.Array { return c.Mul(weft.Sub(4., 1.)) }, c).
			Add(weft.Vmap(weft.Cos)(weft.Arange(4.)).Sum())
	}
	var ir *weft.IR
	var err error
	if n := executing(func() { ir, err = weft.Jaxpr(f, 1.) }); n != 0 || err != nil {
		t.Fatalf("%d operations were executed while tracing, want 0 (%v)", n, err)
	}
	for _, op := range []string{"add 1.0:f32[] 2.0:f32[]", "sin 3.0", "exp 1.0", "sqrt 99.0", "sub 4.0:f32[] 1.0:f32[]", "iota", "cos"} {
		if !strings.Contains(ir.String(), op) {
			t.Errorf("%s is not in the program:\n%s", op, ir)
		}
	}
	if len(ir.Consts) != 0 {
		t.Errorf("the program has %d constants, want none:\n%s", len(ir.Consts), ir)
	}
}

// It can be switched off, for a goroutine's scope or for the process; the switch is part
// of what Jit keeps programs under.
func TestO2Switch(t *testing.T) {
	statement.Shows(t, "O-2", "omnistaging can be switched off, for a goroutine or the process")
	text := func() string {
		ir, err := weft.Jaxpr(toy, 1)
		if err != nil {
			t.Fatal(err)
		}
		return ir.String()
	}
	after := text()
	var before string
	weft.With(weft.Omnistaging(false), func() {
		before = text()
		weft.With(weft.Omnistaging(true), func() {
			if s := text(); s != after {
				t.Errorf("switched on again:\n%s", s)
			}
		})
	})
	if strings.Contains(before, "add") || !strings.Contains(after, "add") {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	weft.SetProcessDefault(weft.Omnistaging(false))
	s := text()
	weft.SetProcessDefault(weft.Omnistaging(true))
	if s != before || text() != after {
		t.Errorf("as the process's default:\n%s", s)
	}
	err := core.Catch(func() {
		weft.With(weft.Omnistaging(false), func() { weft.Zeros(2).Add(weft.Zeros(3)) })
	})
	if err == nil || text() != after {
		t.Error("a panic leaves it switched off")
	}
	traces := 0
	f := weft.Jit(func(x weft.Array) weft.Array { traces++; return toy(x) })
	f(weft.Scalar(3))
	weft.With(weft.Omnistaging(false), func() { f(weft.Scalar(3)); f(weft.Scalar(4)) })
	f(weft.Scalar(5))
	if traces != 2 {
		t.Errorf("traced %d times, want once a setting", traces)
	}
}

// The programs before mean what those after mean, in any nesting.
func TestO2SameMeaning(t *testing.T) {
	statement.Shows(t, "O-2", "omnistaging can be switched off, for a goroutine or the process")
	inner := func(x weft.Array) weft.Array {
		k := weft.Add(1., 1.)
		c := weft.Cond(x.Gt(0), func() weft.Array { return weft.Sin(x).Mul(k) }, func() weft.Array { return k.Mul(k) })
		return weft.ForI(3, func(i, c weft.Array) weft.Array { return c.Mul(weft.Cos(k)).Add(x) }, c)
	}
	programs := map[string]func(weft.Array) weft.Array{
		"jit":          weft.Jit(inner),
		"grad":         weft.Grad(inner),
		"jit of grad":  weft.Jit(weft.Grad(inner)),
		"grad of jit":  weft.Grad(weft.Jit(inner)),
		"grad²":        weft.Jit(weft.Grad(weft.Grad(weft.Jit(inner)))),
		"jvp in jit":   weft.Jit(func(x weft.Array) weft.Array { _, t := weft.JVP(inner, x, weft.OnesLike(x)); return t }),
		"vmap in jit":  weft.Jit(func(x weft.Array) weft.Array { return weft.Vmap(inner)(weft.Stack(0, x, x.Neg())).Sum() }),
		"jit in vmap":  func(x weft.Array) weft.Array { return weft.Vmap(weft.Jit(inner))(weft.Stack(0, x, x.Neg())).Sum() },
		"remat":        weft.Grad(weft.Remat(inner)),
		"custom rule":  weft.Grad(weft.Jit(arraycheck.Twice())),
		"look":         weft.Jit(func(x weft.Array) weft.Array { return x.Mul(weft.Of(2., 3.).Prod().Float()) }),
		"filled, then": weft.Jit(func(x weft.Array) weft.Array { return weft.Zeros(3).Add(1).Sum().Mul(x) }),
	}
	for name, f := range programs {
		for _, x := range []weft.Array{s(0.7), s(-1.2)} {
			after := f(x)
			weft.With(weft.Omnistaging(false), func() {
				if before := f(x); !(math.Abs(before.Float()-after.Float()) <= 1e-6*math.Abs(after.Float())) {
					t.Errorf("%s at %v: before %v, after %v", name, x, before, after)
				}
			})
		}
	}
}

// A size that arrays compute can be looked at, since it depends on no argument (JAX has an
// error here), as can one that Go computes. What depends on an argument is an error that
// names the function and the operation, with their lines.
func TestO3ShapeComputations(t *testing.T) {
	statement.Shows(t, "O-3", "a size that arrays compute can be looked at; what depends on an argument cannot")
	device := weft.Jit(func(x weft.Array) weft.Array {
		if weft.FromSlice(x.Shape()).Prod().Int() > 100 {
			return x.Mul(2)
		}
		return x
	})
	host := weft.Jit(func(x weft.Array) weft.Array {
		if x.Size() > 100 {
			return x.Mul(2)
		}
		return x
	})
	for n, want := range map[int]float64{100: 1, 101: 2} {
		near(t, "by arrays", device(weft.Ones(n)).Index(0), want)
		near(t, "by Go", host(weft.Ones(n)).Index(0), want)
	}
	size := func(shape weft.Array) weft.Array {
		n := shape.Prod()
		if n.Int() > 100 {
			return n
		}
		return n.Neg()
	}
	_, err := weft.Try(func() weft.Array { return weft.Jit(size)(weft.Of(20, 6)) })
	if !errors.Is(err, core.ErrConcrete) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"omnistaging_test.go:", "Int", "i32[]", "not known while", "traced at omnistaging_test.go:", "reduce_prod at omnistaging_test.go:", "depends on an argument", "Where, Cond or While"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not contain %q: %v", part, err)
		}
	}
}

// The toy, f(3) = 6 both ways: before, a parameter, a constant and a product; after, two
// constants and their sum, too.
func TestO4Toy(t *testing.T) {
	statement.Shows(t, "O-4", "the toy f(x) = (1+1)x, before and after")
	before, _, _ := lowered(t, false, toy, 3)
	after, _, _ := lowered(t, true, toy, 3)
	if got, want := fmt.Sprint(before), "map[constant ~i32[]:1 mul:1 parameter:1]"; got != want {
		t.Errorf("before: %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(after), "map[add:1 constant ~i32[]:2 mul:1 parameter:1]"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
	for _, on := range []bool{false, true} {
		weft.With(weft.Omnistaging(on), func() { near(t, "f(3)", weft.Jit(toy)(weft.Scalar(3)), 6) })
	}
}

// Select_tril. Before, its mask is computed while tracing and is a constant that grows
// with x, and zeros_like is staged all the same; after, the program computes the mask and
// has no constant but numbers.
func TestO5SelectTril(t *testing.T) {
	statement.Shows(t, "O-5", "select_tril returns the same array, before and after")
	statement.Shows(t, "O-6", "tracing runs no primitive and keeps no array constant")
	statement.Shows(t, "O-7", "zeros_like is an operation like any other")
	x := weft.FromSlice([]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, 4)
	before, beforeBytes, executedBefore := lowered(t, false, selectTril, x)
	after, afterBytes, executedAfter := lowered(t, true, selectTril, x)
	if got, want := fmt.Sprint(before), "map[broadcast_in_dim:1 constant bool[3,4]:1 constant i32[]:1 parameter:1 select_n:1]"; got != want {
		t.Errorf("before: %s, want %s", got, want)
	}
	for op, n := range map[string]int{"iota": 2, "gt": 1, "select_n": 1, "parameter": 1, "constant i32[]": 1} {
		if after[op] != n {
			t.Errorf("after: %d %s, want %d", after[op], op, n)
		}
	}
	if after["broadcast_in_dim"] < 3 {
		t.Errorf("after: %d broadcasts, want the mask's two and that of 0", after["broadcast_in_dim"])
	}
	if beforeBytes != 12 || afterBytes != 0 || executedBefore < 3 || executedAfter != 0 {
		t.Errorf("before: %d bytes and %d operations executed, want 12 and several; after: %d and %d, want none", beforeBytes, executedBefore, afterBytes, executedAfter)
	}
	if _, bytes, _ := lowered(t, false, selectTril, weft.Zeros(100, 200)); bytes != 20000 {
		t.Errorf("before: %d bytes of constants for 100 × 200, want 20000", bytes)
	}
	if _, bytes, _ := lowered(t, true, selectTril, weft.Zeros(100, 200)); bytes != 0 {
		t.Errorf("after: %d bytes of constants for 100 × 200, want none", bytes)
	}
	want := weft.FromSlice([]int32{0, 0, 0, 0, 4, 0, 0, 0, 8, 9, 0, 0}, 3, 4)
	for _, on := range []bool{false, true} {
		weft.With(weft.Omnistaging(on), func() {
			if got := weft.Jit(selectTril)(x); !got.Equal(want) {
				t.Errorf("select_tril returns\n%v", got)
			}
		})
	}
}

// With omnistaging nothing lazy is needed: zeros_like is an operation like any other.
// Before, an operation that needs the zeros computes them then.
func TestO7ZerosLike(t *testing.T) {
	statement.Shows(t, "O-7", "zeros_like is an operation like any other")
	f := func(x weft.Array) weft.Array { return x.Add(weft.ZerosLike(x)) }
	g := func(x weft.Array) weft.Array { return x.Add(weft.ZerosLike(x).Add(1)) }
	for _, c := range []struct {
		name     string
		f        func(weft.Array) weft.Array
		on       bool
		bytes    int
		executed bool
	}{{"staged before", f, false, 0, false}, {"staged after", f, true, 0, false}, {"needed before", g, false, 40, true}, {"needed after", g, true, 0, false}} {
		_, bytes, executed := lowered(t, c.on, c.f, weft.Ones(10))
		if bytes != c.bytes || (executed > 0) != c.executed {
			t.Errorf("%s: %d bytes of constants, %d operations executed", c.name, bytes, executed)
		}
	}
}

// A traced function that replaces a global random key returns the same number on each call,
// and no error, since the key depends on no argument; in debug mode it warns. A value that
// depends on an argument cannot be left behind.
func TestO8SideEffects(t *testing.T) {
	statement.Shows(t, "O-8", "a traced function that replaces a global random key, and values that leave their trace")
	key := random.New(0)
	draw := weft.Jit(func() weft.Array {
		var sub random.Key
		key, sub = key.Split()
		return random.Normal(sub)
	})
	a, b := draw(), draw()
	if !a.Equal(b) {
		t.Errorf("two calls give %v and %v; the key is part of the program", a, b)
	}
	var warned []string
	warn := func(s string) { warned = append(warned, s) }
	trace.Explain.Store(&warn)
	defer trace.Explain.Store(nil)
	// The key that was left behind is its value.
	_, second := random.New(0).Split()
	want, _ := random.New(0).Split()
	_ = second
	if !random.Normal(key).Equal(random.Normal(want)) {
		t.Error("the key that was left behind is not that of the first split")
	}
	if len(warned) == 0 || !strings.Contains(warned[0], "outlives its trace") {
		t.Errorf("in debug mode it must warn; got %q", warned)
	}
	var left weft.Array
	weft.Jit(func(x weft.Array) weft.Array { left = weft.Sin(x); return x })(s(1))
	_, err := weft.Try(func() weft.Array { return left.Add(1) })
	if !errors.Is(err, core.ErrEscaped) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"omnistaging_test.go:", "f32[]", "sin at omnistaging_test.go:", "after the trace had ended", "return it as a result"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not contain %q: %v", part, err)
		}
	}
}

// WEFT_OMNISTAGING=0 switches omnistaging off for a process: this test runs itself again under
// each value.
func TestOmnistagingVariable(t *testing.T) {
	race.Values(t)
	program := func() string {
		ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { return x.Mul(weft.Ones(2).Add(1)) }, 2.)
		if err != nil {
			return err.Error()
		}
		return ir.String()
	}
	if os.Getenv("WEFT_TEST_OMNISTAGING") != "" {
		fmt.Println(program())
		return
	}
	if goruntime.GOOS == "js" {
		t.Skip("there are no processes")
	}
	on := program()
	if !strings.Contains(on, "add") {
		t.Fatalf("without the variable the sum is not recorded:\n%s", on)
	}
	for value, recorded := range map[string]bool{"": true, "1": true, "true": true, "0": false, "false": false} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOmnistagingVariable$")
		cmd.Env = append(os.Environ(), runtime.OmnistagingVariable+"="+value, "WEFT_TEST_OMNISTAGING=1")
		out, err := cmd.CombinedOutput()
		if got := string(out); err != nil || strings.Contains(got, "add") != recorded || !strings.Contains(got, "mul") {
			t.Errorf("%s=%q: got %v and the program below, want the sum recorded: %v\n%s", runtime.OmnistagingVariable, value, err, recorded, got)
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestOmnistagingVariable$")
	cmd.Env = append(os.Environ(), runtime.OmnistagingVariable+"=off", "WEFT_TEST_OMNISTAGING=1")
	if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), `the environment variable WEFT_OMNISTAGING is "off"; set it to 0 or 1`) {
		t.Errorf("an unknown value: got %s, want an error that names the variable", out)
	}
}
