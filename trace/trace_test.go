package trace_test

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

type val = core.Value

var (
	f32 = core.Aval(core.Float32)
	i32 = core.Aval(core.Int32)
)

func lit(n int64) core.Literal    { return core.Literal{Num: core.IntNumber(n), Type: core.Int32} }
func litF(v float64) core.Literal { return core.Literal{Num: core.FloatNumber(v), Type: core.Float32} }
func scalar(l core.Literal) val   { return runtime.FromLiteral(l) }
func stage(f func(x val) val, in core.ShapedArray) *jaxpr.Jaxpr {
	return trace.Stage("f", []core.ShapedArray{in}, func(in []val) []val { return []val{f(in[0])} })
}

func number(t *testing.T, v val) core.Number {
	t.Helper()
	looked, err := trace.Look(v)
	if err != nil {
		t.Fatal(err)
	}
	switch x := looked.(type) {
	case core.Literal:
		return x.Num
	case core.Concrete:
		if n, ok := x.Scalar(); ok {
			return n
		}
	}
	t.Fatalf("%v is not a number", looked)
	return core.Number{}
}

// counting counts the primitives that the bottom executes while f runs.
func counting(f func()) (executed int) {
	old := core.Bottom
	c := &counter{Interpreter: old}
	core.Bottom = c
	defer func() { core.Bottom = old }()
	f()
	return c.n
}

type counter struct {
	core.Interpreter
	n int
}

func (c *counter) Interpret(p core.Primitive, in []val) []val {
	c.n++
	return c.Interpreter.Interpret(p, in)
}

// Everything in the dynamic scope of a trace is recorded, nothing is executed, and
// constants are not folded.
func TestToyIsRecorded(t *testing.T) {
	statement.Shows(t, "O-1", "everything in the dynamic scope of a trace is recorded")
	statement.Shows(t, "O-4", "the toy f(x) = (1+1)x, before and after")
	toy := func(x val) val {
		y := prim.Add(lit(1), lit(1))
		return prim.Mul(x, y)
	}
	var after *jaxpr.Jaxpr
	if n := counting(func() { after = stage(toy, i32) }); n != 0 {
		t.Errorf("%d primitives were executed while tracing, want 0", n)
	}
	want := `{ lambda ; a:i32[]. let
    b:i32[] = add 1:i32[] 1:i32[]
    c:i32[] = mul a b
  in (c,) }`
	if got := after.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var before *jaxpr.Jaxpr
	if n := counting(func() {
		before = trace.StageData("f", []core.ShapedArray{i32}, func(in []val) []val { return []val{toy(in[0])} })
	}); n != 1 {
		t.Errorf("%d primitives were executed with data dependence only, want 1", n)
	}
	if s := before.String(); strings.Contains(s, "add") || !strings.Contains(s, "mul") {
		t.Errorf("with data dependence only the sum must not be recorded:\n%s", s)
	}
	for _, j := range []*jaxpr.Jaxpr{before, after} {
		if got := number(t, jaxpr.Eval(j, nil, []val{scalar(lit(3))})[0]).Int64(); got != 6 {
			t.Errorf("f(3) = %d, want 6", got)
		}
	}
}

// The mask of select_tril is computed by the program, not while tracing; no constant but
// scalars is in it.
func TestTrilHasNoLargeConstant(t *testing.T) {
	statement.Shows(t, "O-5", "select_tril returns the same array, before and after")
	statement.Shows(t, "O-6", "tracing runs no primitive and keeps no array constant")
	tril := func(x val) val {
		s := x.Aval().Shape
		rows := prim.BroadcastInDim(prim.Iota(core.Int32, core.MakeDims(s.At(0)), 0), s, core.MakeDims(0))
		cols := prim.BroadcastInDim(prim.Iota(core.Int32, core.MakeDims(s.At(1)), 0), s, core.MakeDims(1))
		zero := prim.BroadcastInDim(lit(0), s, core.Dims{})
		return prim.Where(prim.Gt(rows, cols), x, zero)
	}
	in := core.Aval(core.Int32, 3, 4)
	x := runtime.New(in)
	for i := range 12 {
		x.Tensor().Data[4*i] = byte(i)
	}
	bytesOf := func(j *jaxpr.Jaxpr) (n int) {
		for _, v := range j.ConstVals {
			n += v.Aval().Size() * v.Aval().DType.Size()
		}
		return n
	}
	var before, after *jaxpr.Jaxpr
	executedAfter := counting(func() { after = stage(tril, in) })
	executedBefore := counting(func() {
		before = trace.StageData("f", []core.ShapedArray{in}, func(in []val) []val { return []val{tril(in[0])} })
	})
	if executedAfter != 0 || bytesOf(after) != 0 {
		t.Errorf("%d primitives executed and %d bytes of constants, want 0 and 0", executedAfter, bytesOf(after))
	}
	if executedBefore < 3 || bytesOf(before) < 12 {
		t.Errorf("with data dependence only: %d primitives executed, %d bytes of constants; want several, and a mask of 12 bytes", executedBefore, bytesOf(before))
	}
	want := []byte{0, 0, 0, 0, 4, 0, 0, 0, 8, 9, 0, 0}
	for _, j := range []*jaxpr.Jaxpr{before, after} {
		out := jaxpr.Eval(j, nil, []val{x})[0].(*runtime.Array)
		for i, w := range want {
			if out.Tensor().Data[4*i] != w {
				t.Fatalf("element %d is %d, want %d", i, out.Tensor().Data[4*i], w)
			}
		}
	}
}

// A value that depends on no argument can be looked at while tracing, and the program does
// not change; one that does is an error with provenance.
func TestLooking(t *testing.T) {
	statement.Shows(t, "O-3", "a size that arrays compute can be looked at; what depends on an argument cannot")
	var size int64
	j := stage(func(x val) val {
		shape := runtime.New(core.Aval(core.Int32, 2))
		shape.Tensor().Data[0], shape.Tensor().Data[4] = 20, 6
		n := prim.ReduceProd(shape, core.MakeDims(0))
		size = number(t, n).Int64()
		return prim.Mul(x, x)
	}, f32)
	if size != 120 {
		t.Errorf("looked at %d, want 120", size)
	}
	if s := j.String(); !strings.Contains(s, "reduce_prod") {
		t.Errorf("looking changed the program:\n%s", s)
	}
	stage(func(x val) val {
		y := prim.Sin(x)
		_, err := trace.Look(y)
		if !errors.Is(err, core.ErrConcrete) {
			t.Errorf("looking at an unknown value returns %v", err)
		}
		for _, part := range []string{"f32[]", "sin at trace_test.go:", "Where", "static argument"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error does not contain %q: %v", part, err)
			}
		}
		if _, err := trace.Look(x); err == nil || !strings.Contains(err.Error(), "argument 0") {
			t.Errorf("looking at an argument returns %v", err)
		}
		return y
	}, f32)
}

// A slice is evaluated once and without recursion, however it branches.
func TestLookingIsLinear(t *testing.T) {
	race.Values(t)
	start := time.Now()
	stage(func(x val) val {
		y := val(scalar(litF(1)))
		for range 60 {
			y = prim.Add(y, y)
		}
		if got := number(t, y).Float(); got != 1<<60 {
			t.Errorf("got %g", got)
		}
		z := val(litF(1))
		for range 200_000 {
			z = prim.Mul(z, z)
		}
		number(t, z)
		return x
	}, f32)
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
}

// A value that depends on an argument cannot leave its trace; any other is concrete outside.
func TestEscape(t *testing.T) {
	statement.Shows(t, "O-8", "a traced function that replaces a global random key, and values that leave their trace")
	var unknown, known val
	stage(func(x val) val {
		unknown = prim.Sin(x)
		known = prim.Add(litF(1), litF(2))
		return x
	}, f32)
	err := core.Catch(func() { prim.Cos(unknown) })
	if !errors.Is(err, core.ErrEscaped) {
		t.Fatalf("using an escaped tracer returns %v", err)
	}
	for _, part := range []string{"cos", "sin at trace_test.go:", "traced at trace_test.go:", "return it as a result"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not contain %q: %v", part, err)
		}
	}
	if got := number(t, prim.Mul(known, litF(2))).Float(); got != 6 {
		t.Errorf("a known value is %g outside of its trace, want 6", got)
	}
	// In a later trace too, and as a result.
	j := stage(func(x val) val { return prim.Mul(x, known) }, f32)
	if got := number(t, jaxpr.Eval(j, nil, []val{scalar(litF(2))})[0]).Float(); got != 6 {
		t.Errorf("a known value is %g in a later trace, want 6", got)
	}
	var warned []string
	warn := func(s string) { warned = append(warned, s) }
	trace.Explain.Store(&warn)
	defer trace.Explain.Store(nil)
	prim.Mul(known, litF(2))
	if len(warned) != 1 || !strings.Contains(warned[0], "outlives") {
		t.Errorf("in debug mode a known value that outlives its trace must warn; got %q", warned)
	}
}

// Panics and Goexit inside nested traces leave nothing behind.
func TestStackAfterPanics(t *testing.T) {
	broken := func(f func()) func() {
		return func() {
			_ = testcheck.Recover(func() {
				stage(func(x val) val {
					return stage(func(y val) val { f(); return y }, f32).ConstVals[0]
				}, f32)
			})
		}
	}
	for name, f := range map[string]func(){
		"panic":  broken(func() { panic("other") }),
		"Goexit": broken(goruntime.Goexit),
	} {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() {
				if n := counting(func() { prim.Add(scalar(litF(1)), litF(2)) }); n != 1 {
					t.Errorf("after %s an eager add executes %d primitives, want 1", name, n)
				}
			}()
			f()
		}()
		<-done
	}
	if core.Tracing() {
		t.Error("the goroutine's stack is not empty")
	}
}

// Goroutines trace at once without affecting each other.
func TestManyGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	block := make(chan bool)
	wg.Go(func() {
		stage(func(x val) val { <-block; return prim.Sin(x) }, f32)
	})
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				j := stage(func(x val) val {
					for range i % 7 {
						x = prim.Mul(x, litF(float64(g)))
					}
					return x
				}, f32)
				if len(j.Eqns) != i%7 {
					t.Errorf("%d equations, want %d", len(j.Eqns), i%7)
				}
			}
		})
	}
	// Beside a blocked trace, eager work is done at once.
	if n := counting(func() {
		x := scalar(litF(1))
		for range 1000 {
			x = prim.Mul(x, litF(1))
		}
	}); n < 1000 {
		t.Errorf("%d of 1000 eager operations were executed", n)
	}
	close(block)
	wg.Wait()
}

// An operation on an outer value inside a branch belongs to the branch.
func TestBranchOwnsItsWork(t *testing.T) {
	j := stage(func(x val) val {
		return trace.Cond(prim.Gt(x, litF(0)), func() []val { return []val{prim.Sin(x)} }, func() []val { return []val{x} })[0]
	}, f32)
	for _, e := range j.Eqns {
		if e.Prim.Name() == "sin" {
			t.Errorf("the branch's sin stands outside of the cond:\n%s", j)
		}
	}
	if !strings.Contains(j.String(), "sin") {
		t.Errorf("the branch's sin is gone:\n%s", j)
	}
}

func TestStagedProgramsPassCheck(t *testing.T) {
	x := runtime.New(core.Aval(core.Float32, 3))
	j := stage(func(a val) val {
		b := prim.Mul(a, x)
		c, ys := trace.Scan(func(c, xs []val) (next, y []val) {
			return []val{prim.Add(c[0], prim.Mul(xs[0], litF(2)))}, []val{prim.Sin(c[0])}
		}, []val{litF(0)}, []val{b}, trace.ScanConfig{Length: -1})
		return prim.Add(c[0], prim.ReduceSum(ys[0], core.MakeDims(0)))
	}, core.Aval(core.Float32, 3))
	if err := jaxpr.Check(j); err != nil {
		t.Error(err)
	}
	text := j.String()
	back, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	if again := back.String(); again != text {
		t.Errorf("printed again:\n%s\nwas\n%s", again, text)
	}
}

func ExampleStage() {
	j := trace.Stage("f", []core.ShapedArray{f32, f32}, func(in []core.Value) []core.Value {
		return []core.Value{prim.Add(prim.Sin(in[0]), in[1])}
	})
	fmt.Println(j)
	// Output: { lambda ; a:f32[] b:f32[]. let c:f32[] = sin a; d:f32[] = add c b in (d,) }
}
