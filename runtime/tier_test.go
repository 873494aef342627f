package runtime

import (
	"context"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// slowCompiler is the reference executor with a compiler that takes as long as three and
// a half runs.
type slowCompiler struct {
	referenceExecutor
	compiled int
}

func (*slowCompiler) Name() string                           { return "slow compiler" }
func (*slowCompiler) Costs(*jaxpr.Jaxpr) (run, comp float64) { return 10, 35 }

func (c *slowCompiler) Compile(r *Request) (Executable, error) {
	c.compiled++
	return c.referenceExecutor.Compile(r)
}

// Results have the program's weak marks, also where a loop returns what it started from.
func TestResultsWeakMarks(t *testing.T) {
	j, err := jaxpr.Parse(`{ lambda ; a:i32[]. let
    b:i32[] _:i32[] = while[
      body_jaxpr={ lambda ; c:i32[] d:i32[]. let e:i32[] = add c 1:i32[] in (e, d) }
      body_nconsts=0
      cond_jaxpr={ lambda ; c:i32[] d:i32[]. let e:bool[] = lt d 0:i32[] in (e,) }
      cond_nconsts=0
    ] 7:i32[] a
  in (b,) }`, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	zero := j.Eqns[0].Ins[0].(core.Literal)
	zero.Weak = true
	j.Eqns[0].Ins[0] = zero
	outs, err := Evaluate(context.Background(), Reference, j, []*Array{New(j.Ins[0].Type)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range j.OutAvals() {
		if got := outs[i].Aval(); got != want {
			t.Errorf("result %d: got type %v, want %v", i, got.Full(), want.Full())
		}
	}
}

// A program runs on the reference executor until that has cost as much as compiling.
func TestGradualCompilation(t *testing.T) {
	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, 3))
	j := b.Build(b.Eqn(prim.NegP{}, x)[0])
	e := &slowCompiler{}
	arg := New(x.Type)
	for run := 1; run <= 6; run++ {
		outs := compiledFor(e, j, nil, Current(), "f").run(context.Background(), []*Array{arg})
		if len(outs) != 1 || outs[0].Aval() != x.Type {
			t.Errorf("run %d: got %v, want one %v", run, outs, x.Type)
		}
		want := 0
		if run >= 4 {
			want = 1
		}
		if e.compiled != want {
			t.Errorf("after run %d it was compiled %d times, want %d", run, e.compiled, want)
		}
	}
	if _, err := Evaluate(context.Background(), e, j, []*Array{arg}); err != nil || e.compiled != 2 {
		t.Errorf("Evaluate: compiled %d times (%v), want 2: it compiles at once", e.compiled, err)
	}
}
