package cpu

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// A sampleResult is a result of the program that an executor is checked with.
type sampleResult struct {
	what string // names the result in errors
	hash uint64 // hash of the reference executor's bits: FNV-1a
}

var sampleResults = []sampleResult{
	{"tanh", 0x61127463f3cd98df},
	{"reduce_sum", 0x903e677e1cd8842},
	{"exp of f64", 0x17de76d229c3caa1},
	{"dot_general", 0xdd31880bbb3e435e},
	{"operations on integers", 0xa48dbc05cbee6cae},
}

// sampleProgram returns a program of a few kernels of different kinds: elementary functions of f32 and f64, a
// sum, a product on register tiles, integers with bools. No size is a multiple of a vector's length.
func sampleProgram() *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	x, y, n := b.Input(core.Aval(core.Float32, 9, 13)), b.Input(core.Aval(core.Float64, 21)), b.Input(core.Aval(core.Int32, 67))
	w := b.Input(core.Aval(core.Float32, 13, 21))
	tanh := b.Eqn(prim.TanhP{}, x)[0]
	sum := b.Eqn(prim.ReduceSumP{Axes: core.MakeDims(0, 1)}, tanh)[0]
	exp := b.Eqn(prim.ExpP{}, y)[0]
	product := b.Eqn(prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0), Preferred: core.Float32}, x, w)[0]
	square := b.Eqn(prim.MulP{}, n, n)[0]
	whole := b.Eqn(prim.SelectNP{}, b.Eqn(prim.LtP{}, square, n)[0], b.Eqn(prim.XorP{}, square, n)[0], n)[0]
	return b.Build(tanh, sum, exp, product, whole)
}

// sampleArguments returns fixed arguments of sampleProgram: numbers from −4 to 4, and integers, most of
// whose squares overflow.
func sampleArguments(j *jaxpr.Jaxpr) (args []*runtime.Array) {
	state := uint32(1)
	for _, v := range j.Ins {
		a := runtime.New(v.Type)
		data := a.Tensor().Data
		size := v.Type.DType.Size()
		for ; len(data) > 0; data = data[size:] {
			state = state*1664525 + 1013904223
			k := int32(state) >> 16
			switch x := float64(k) / (1 << 13); v.Type.DType {
			case core.Float32:
				binary.LittleEndian.PutUint32(data, math.Float32bits(float32(x)))
			case core.Float64:
				binary.LittleEndian.PutUint64(data, math.Float64bits(x))
			default:
				binary.LittleEndian.PutUint32(data, uint32(4*k))
			}
		}
		args = append(args, a)
	}
	return args
}

// check compiles and runs sampleProgram and compares its results with records.
func (e *executor) check(records []sampleResult) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("a check before the first use failed: %w", err)
		}
	}()
	j := sampleProgram()
	p, err := compileNative(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: 1}})
	if err != nil {
		return err
	}
	if f := p.account.Fallbacks; len(f) > 0 {
		return fmt.Errorf("%s has no machine code: %s", f[0].Op, f[0].Reason)
	}
	outs := make([]*runtime.Array, len(j.Outs))
	if err := p.Run(context.Background(), sampleArguments(j), outs); err != nil {
		return err
	}
	for i, r := range records {
		if hashOf(outs[i]) != r.hash {
			return fmt.Errorf("%s has other bits than the reference executor; report it with what weft env prints", r.what)
		}
	}
	return nil
}

func hashOf(a *runtime.Array) uint64 {
	h := fnv.New64a()
	h.Write(a.Tensor().Data)
	return h.Sum64()
}
