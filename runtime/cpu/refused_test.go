package cpu

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/amd64"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/runtime"
)

// refusing returns an executor whose code generator refuses kernels, or breaks on them.
func refusing(t *testing.T, compile func(*ir.Kernel, amd64.Options) (*amd64.Code, error)) *executor {
	for _, e := range []*executor{newExecutor(amd64.AVX512, "avx512"), newExecutor(amd64.AVX2, "avx2")} {
		if e.Available() == nil {
			e.compile = compile
			return e
		}
	}
	t.Skip("no native executor can run here")
	return nil
}

const sinProgram = `{ lambda ; a:f32[1000]. let b:f32[1000] = sin a; c:f32[] = reduce_sum[axes=(0,) out_sharding=None] b in (c,) }`

const loopProgram = `{ lambda ; a:f32[1000]. let
    b:f32[1000] = cos a
    _:i32[] c:f32[1000] = while[
      body_jaxpr={ lambda ; d:i32[] e:f32[1000]. let
          f:i32[] = add d 1:i32[]
          g:f32[1000] = sin e
        in (f, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; h:i32[] i:f32[1000]. let j:bool[] = lt h 3:i32[] in (j,) }
      cond_nconsts=0
    ] 0:i32[] b
  in (c,) }`

func parse(t *testing.T, text string) *jaxpr.Jaxpr {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// compare runs a program on an executor and on the reference and returns the account.
func compare(t *testing.T, e runtime.Executor, j *jaxpr.Jaxpr) runtime.Account {
	t.Helper()
	x := runtime.New(j.Ins[0].Type)
	for i := range x.Tensor().Data {
		x.Tensor().Data[i] = byte(i % 61)
	}
	ctx := context.Background()
	want, err := runtime.Evaluate(ctx, runtime.Reference, j, []*runtime.Array{x})
	if err != nil {
		t.Fatal(err)
	}
	c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Run(ctx, []*runtime.Array{x})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if string(got[i].Tensor().Data) != string(want[i].Tensor().Data) {
			t.Errorf("result %d: got %s, want %s", i, got[i].Text(nil), want[i].Text(nil))
		}
	}
	return c.Account()
}

func TestRefusedKernels(t *testing.T) {
	for name, compile := range map[string]func(*ir.Kernel, amd64.Options) (*amd64.Code, error){
		"error": func(*ir.Kernel, amd64.Options) (*amd64.Code, error) { return nil, errors.New("no such instruction") },
		"panic": func(*ir.Kernel, amd64.Options) (*amd64.Code, error) { panic("no such instruction") },
	} {
		t.Run(name, func(t *testing.T) {
			e := refusing(t, compile)
			a := compare(t, e, parse(t, sinProgram))
			if a.Kernels != 0 || len(a.Fallbacks) != 2 || a.Fallbacks[0].Op != "sin" || !strings.Contains(a.Fallbacks[0].Reason, "no such instruction") {
				t.Errorf("account: got %+v, want no kernel and a fallback for each equation", a)
			}
			if l := e.Leaf(prim.SinP{}, []core.ShapedArray{core.Aval(core.Float32, 1000)}, []core.ShapedArray{core.Aval(core.Float32, 1000)}); l != nil {
				t.Error("Leaf: got code for an operation whose kernel is refused")
			}
		})
	}
}

// A loop whose kernels are refused runs on the reference; the rest of the program does not.
func TestRefusedLoop(t *testing.T) {
	calls := 0
	e := refusing(t, func(k *ir.Kernel, o amd64.Options) (*amd64.Code, error) {
		if calls++; calls > 1 {
			return nil, errors.New("enough")
		}
		return amd64.Compile(k, o)
	})
	a := compare(t, e, parse(t, loopProgram))
	if a.Kernels != 1 || len(a.Fallbacks) != 1 || a.Fallbacks[0].Op != "while" || a.Fallbacks[0].Reason != "enough" {
		t.Errorf("account: got %+v, want one kernel and the loop as the fallback", a)
	}
	if slices.ContainsFunc(compare(t, newExecutor(e.isa, e.name), parse(t, loopProgram)).Fallbacks, func(runtime.Fallback) bool { return true }) {
		t.Error("the loop falls back although nothing is refused")
	}
}
