package cpu

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// refusing returns an executor whose code generator refuses kernels, or breaks on them.
func refusing(t *testing.T, compile func(*ir.Kernel, codegen.Options) (*codegen.Code, error)) *executor {
	e := nativeExecutors(t)[0]
	e.compile = compile
	return e
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
	for name, compile := range map[string]func(*ir.Kernel, codegen.Options) (*codegen.Code, error){
		"error": func(*ir.Kernel, codegen.Options) (*codegen.Code, error) {
			return nil, errors.New("no such instruction")
		},
		"panic": func(*ir.Kernel, codegen.Options) (*codegen.Code, error) { panic("no such instruction") },
	} {
		t.Run(name, func(t *testing.T) {
			e := refusing(t, compile)
			a := compare(t, e, ircheck.Parse(t, sinProgram))
			if a.Kernels != 0 || len(a.Fallbacks) != 2 || a.Fallbacks[0].Op != "sin" || !strings.Contains(a.Fallbacks[0].Reason, "no such instruction") {
				t.Errorf("account: got %+v, want no kernel and a fallback for each equation", a)
			}
			if l := e.Leaf(prim.SinP{}, []core.ShapedArray{core.Aval(core.Float32, 1000)}, []core.ShapedArray{core.Aval(core.Float32, 1000)}); l != nil {
				t.Error("Leaf: got code for an operation whose kernel is refused")
			}
		})
	}
}

// Equations in a loop whose kernels are refused run on the reference; the loop does not.
func TestRefusedInLoop(t *testing.T) {
	e := refusing(t, func(k *ir.Kernel, o codegen.Options) (*codegen.Code, error) {
		if strings.Contains(k.Name, "sin") || strings.Contains(k.Name, "while") { // the loop as one kernel, then the equation
			return nil, errors.New("enough")
		}
		return codegen.Compile(k, o)
	})
	a := compare(t, e, ircheck.Parse(t, loopProgram))
	if a.Kernels != 3 || len(a.Fallbacks) != 1 || a.Fallbacks[0].Op != "sin" || a.Fallbacks[0].Reason != "enough" {
		t.Errorf("account: got %+v, want kernels of cos, lt and add, and sin as the fallback", a)
	}
	if f := compare(t, newExecutor(e.target), ircheck.Parse(t, loopProgram)).Fallbacks; len(f) > 0 {
		t.Errorf("got %+v although nothing is refused", f)
	}
}

const denseProgram = `{ lambda ; a:f32[64,64]. let
    b:f32[64,64] = sin a
    c:f32[64,64] = transpose[permutation=(1, 0)] a
    d:f32[64,64] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] b c
    e:f32[64,64] = transpose[permutation=(1, 0)] d
    f:f32[64,64] = cos e
    g:bf16[64,64] = convert_element_type[new_dtype=bfloat16 weak_type=False] f
    h:bf16[64,64] = convert_element_type[new_dtype=bfloat16 weak_type=False] e
    i:bf16[64,64] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=bfloat16] g h
    j:f32[64,64] = convert_element_type[new_dtype=float32 weak_type=False] i
    k:f32[1,4,32,32] = reshape[dimensions=None new_sizes=(1, 4, 32, 32) sharding=None] j
    l:f32[16,4,8,8] = reshape[dimensions=None new_sizes=(16, 4, 8, 8) sharding=None] e
    m:f32[1,16,32,32] = conv_general_dilated[
      batch_group_count=1
      dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3))
      feature_group_count=1 lhs_dilation=(1, 1) out_sharding=None padding=((3, 4), (3, 4)) precision=None
      preferred_element_type=None rhs_dilation=(1, 1) window_strides=(1, 1)
    ] k l
    n:f32[1,3] = slice[limit_indices=(1, 3) start_indices=(0, 0) strides=None] a
    o:f32[3] = squeeze[dimensions=(0,)] n
    p:f32[64,64] q:f32[3,64] = scan[
      jaxpr={ lambda ; r:f32[64,64] s:f32[64,64] t:f32[]. let
          u:f32[64,64] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] s r
          v:f32[64,64] = mul u t
          w:f32[64,64] = cos v
          x:f32[64] = reduce_sum[axes=(0,) out_sharding=None] w
        in (v, x) }
      length=3 num_carry=1 num_consts=1 reverse=False unroll=1
    ] e a o
    y:f32[1,16,32,32] = exp m
    z:f32[64,64] = sqrt a
    ba:f32[64,64] = transpose[permutation=(1, 0)] z
    bb:f32[64,64] = sort[dimension=1 is_stable=True num_keys=1] ba
  in (e, j, y, p, q, bb) }`

// Of products, convolutions and transpositions that have no code, the equation alone runs
// on the reference, also in loops, and also where it was translated into several.
func TestRefusedDenseSteps(t *testing.T) {
	j := ircheck.Parse(t, denseProgram)
	no := errors.New("no such instruction")
	for _, c := range []struct {
		change func(e *executor)
		want   []string
	}{
		{func(e *executor) {
			e.product = func(*fuse.Product, schedule.Processor) *schedule.Product { panic(no) }
		}, []string{"dot_general", "dot_general", "dot_general"}},
		{func(e *executor) {
			e.conv = func(*fuse.Conv, schedule.Processor) *schedule.Conv { panic(no) }
		}, []string{"conv_general_dilated"}},
		{func(e *executor) { // a product reads one operand transposed, a convolution brings one into another order
			micro := e.micro
			e.micro = func(k codegen.MicroKernel) (*native.Code, error) {
				if _, ok := k.(codegen.Transpose); ok {
					return nil, no
				}
				return micro(k)
			}
		}, []string{"transpose", "dot_general", "transpose", "conv_general_dilated", "transpose"}},
	} {
		e := refusing(t, codegen.Compile)
		c.change(e)
		a := compare(t, e, j)
		var ops []string
		for _, f := range a.Fallbacks {
			if !strings.Contains(f.Reason, no.Error()) {
				t.Errorf("reason: got %q, want %q", f.Reason, no)
			}
			ops = append(ops, f.Op)
		}
		if !slices.Equal(ops, c.want) || a.Kernels == 0 {
			t.Errorf("fallbacks: got %v and %d kernels, want %v and some", ops, a.Kernels, c.want)
		}
	}
}

// Of a kernel of several equations, those run on the reference that are refused by
// themselves; all of them where none is.
func TestRefusedEquation(t *testing.T) {
	const text = `{ lambda ; a:f32[1000]. let
    b:f32[1000] = tanh a
    c:f32[1000] = cos b
    d:f32[1000] = exp c
    e:f32[] = reduce_sum[axes=(0,) out_sharding=None] d
  in (e, d) }`
	for _, c := range []struct {
		refuse string
		want   []string
	}{
		{"cos", []string{"cos"}},
		{"tanh_cos_exp", []string{"tanh", "cos", "exp", "reduce_sum"}},
	} {
		e := refusing(t, func(k *ir.Kernel, o codegen.Options) (*codegen.Code, error) {
			if strings.Contains(k.Name, c.refuse) {
				panic("no such instruction")
			}
			return codegen.Compile(k, o)
		})
		a := compare(t, e, ircheck.Parse(t, text))
		var ops []string
		for _, f := range a.Fallbacks {
			ops = append(ops, f.Op)
		}
		if !slices.Equal(ops, c.want) || (a.Kernels > 0) != (len(ops) == 1) {
			t.Errorf("%s is refused: got the fallbacks %v and %d kernels, want %v", c.refuse, ops, a.Kernels, c.want)
		}
	}
}

// A loop in registers whose kernel is refused runs as kernels of its equations.
func TestRefusedRegisterLoop(t *testing.T) {
	const text = `{ lambda ; a:f32[4]. let
    _:i32[] c:f32[4] = while[
      body_jaxpr={ lambda ; d:i32[] e:f32[4]. let
          f:i32[] = add d 1:i32[]
          g:f32[4] = mul e 0.5:f32[]
        in (f, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; h:i32[] i:f32[4]. let j:bool[] = lt h 3:i32[] in (j,) }
      cond_nconsts=0
    ] 0:i32[] a
  in (c,) }`
	e := refusing(t, func(k *ir.Kernel, o codegen.Options) (*codegen.Code, error) {
		if strings.Contains(k.Name, "while") {
			return nil, errors.New("no loops")
		}
		return codegen.Compile(k, o)
	})
	if a := compare(t, e, ircheck.Parse(t, text)); a.Kernels == 0 || len(a.Fallbacks) > 0 {
		t.Errorf("got %+v, want kernels and no fallback", a)
	}
}

// An executor whose name another package has taken is not registered, which the log states.
func TestTakenName(t *testing.T) {
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	before := len(runtime.Executors())
	register(newExecutor(targetNamed("avx2")))
	if !strings.Contains(log.String(), `run without native executor avx2`) || !strings.Contains(log.String(), "twice") {
		t.Errorf("the log is %q", log.String())
	}
	if n := len(runtime.Executors()); n != before {
		t.Errorf("got %d executors, want %d", n, before)
	}
}
