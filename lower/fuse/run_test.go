package fuse_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// run performs a plan: kernels by the evaluator of package ir, calls by the reference.
// Memory that nothing has written is filled with a pattern.
func run(p *fuse.Plan, args []*reference.Tensor) ([]*reference.Tensor, error) {
	arena := bytes.Repeat([]byte{0xa5}, p.Arena)
	mem := make([][]byte, len(p.Values))
	shared := map[int][]byte{} // results
	for id := range p.Values {
		v := &p.Values[id]
		switch v.Place {
		case fuse.Input:
			mem[id] = args[v.Index].Data
		case fuse.Const:
			mem[id] = p.Program.ConstVals[v.Index].(*runtime.Array).Tensor().Data
		case fuse.Result:
			if shared[v.Index] == nil {
				shared[v.Index] = bytes.Repeat([]byte{0x5a}, v.Bytes())
			}
			mem[id] = shared[v.Index]
		case fuse.Literal:
			mem[id] = reference.NewTensor(v.Type).Data
			if len(mem[id]) > 0 {
				elem.Put(mem[id], v.Lit.Num, v.Lit.Type)
			}
		case fuse.Arena:
			mem[id] = arena[v.Offset : v.Offset+v.Bytes()]
		}
	}
	tensor := func(id int) *reference.Tensor {
		t := reference.NewTensor(p.Values[id].Type)
		copy(t.Data, mem[id])
		return t
	}
	tensors := func(ids []int) []*reference.Tensor {
		ts := make([]*reference.Tensor, len(ids))
		for i, id := range ids {
			ts[i] = tensor(id)
		}
		return ts
	}
	put := func(ids []int, out []*reference.Tensor) {
		for i, id := range ids {
			if id >= 0 {
				copy(mem[id], out[i].Data)
			}
		}
	}
	for _, s := range p.Steps {
		switch s := s.(type) {
		case *fuse.Launch:
			bufs := make([][]byte, len(s.Buffers))
			for i, id := range s.Buffers {
				bufs[i] = mem[id]
			}
			if err := ireval.Run(s.Kernel, nil, bufs); err != nil {
				return nil, fmt.Errorf("%w\n%v", err, s.Kernel)
			}
		case *fuse.RegisterLoop:
			for _, c := range s.Copies {
				copy(mem[c[0]], mem[c[1]])
			}
			for _, id := range s.Zero {
				clear(mem[id])
			}
			bufs := make([][]byte, len(s.Buffers))
			for i, id := range s.Buffers {
				bufs[i] = mem[id]
			}
			for more := true; more; more = mem[s.More][0] != 0 {
				if err := ireval.Run(s.Kernel, nil, bufs); err != nil {
					return nil, fmt.Errorf("%w\n%v", err, s.Kernel)
				}
			}
		case *fuse.RowTiles:
			if err := runRowTiles(p, s, mem); err != nil {
				return nil, err
			}
		case *fuse.Call:
			put(s.Out, referenceOf(s.Eqn.Prim, tensors(s.In)))
		case *fuse.Product:
			multiply(s, mem[s.In[0]], mem[s.In[1]], mem[s.Out])
		case *fuse.Conv:
			put([]int{s.Out}, referenceOf(s.Eqn.Prim, tensors([]int{s.In[0], s.Kernel})))
		case *fuse.Transpose:
			transposed(s, mem[s.In], mem[s.Out])
		case *fuse.Sort:
			put(s.Out, referenceOf(s.Eqn.Prim, tensors(s.In)))
		case *fuse.Update:
			if x := mem[s.Args[0]]; len(x) > 0 && &x[0] != &mem[s.Out][0] {
				copy(mem[s.Out], x)
			}
			bufs := make([][]byte, len(s.Buffers))
			for i, id := range s.Buffers {
				bufs[i] = mem[id]
			}
			if err := ireval.Run(s.Kernel, nil, bufs); err != nil {
				return nil, fmt.Errorf("%w\n%v", err, s.Kernel)
			}
		case *fuse.Loop:
			out, err := runLoop(s, tensors(s.In))
			if err != nil {
				return nil, err
			}
			put(s.Out, out)
		default:
			return nil, fmt.Errorf("BUG: unknown step %T", s)
		}
	}
	return tensors(p.Outs), nil
}

// referenceOf evaluates an operation.
func referenceOf(p core.Primitive, in []*reference.Tensor) []*reference.Tensor {
	vs := make([]core.Value, len(in))
	for i, t := range in {
		vs[i] = runtime.FromTensor(t)
	}
	return unboxed(core.Bind(p, vs...))
}

func unboxed(vs []core.Value) []*reference.Tensor {
	out := make([]*reference.Tensor, len(vs))
	for i, v := range vs {
		switch v := v.(type) {
		case *runtime.Array:
			out[i] = v.Tensor()
		case core.Literal:
			out[i] = runtime.FromLiteral(v).Tensor()
		}
	}
	return out
}

func runLoop(l *fuse.Loop, in []*reference.Tensor) ([]*reference.Tensor, error) {
	switch q := l.Eqn.Prim.(type) {
	case *jaxpr.Cond:
		k := reference.View[int32](in[0])[0]
		return run(l.Plans[min(max(k, 0), int32(len(l.Plans)-1))], in[1:])
	case *jaxpr.While:
		if q.Cond.OutAvals()[0].Rank() > 0 {
			return referenceOf(q, in), nil
		}
		cc, bc := q.CondConsts, q.CondConsts+q.BodyConsts
		carry := in[bc:]
		for {
			t, err := run(l.Plans[0], append(append([]*reference.Tensor{}, in[:cc]...), carry...))
			if err != nil {
				return nil, err
			}
			if t[0].Data[0] == 0 {
				return carry, nil
			}
			if carry, err = run(l.Plans[1], append(append([]*reference.Tensor{}, in[cc:bc]...), carry...)); err != nil {
				return nil, err
			}
		}
	case *jaxpr.Scan:
		nk := q.NumConsts + q.NumCarry
		carry := in[q.NumConsts:nk]
		ys := make([]*reference.Tensor, len(l.Eqn.Outs)-q.NumCarry)
		for i := range ys {
			ys[i] = reference.NewTensor(l.Eqn.Outs[q.NumCarry+i].Type)
		}
		for trip := range q.Length {
			i := trip
			if q.Reverse {
				i = q.Length - 1 - trip
			}
			args := append(append([]*reference.Tensor{}, in[:q.NumConsts]...), carry...)
			for k, x := range in[nk:] {
				row := reference.NewTensor(q.Jaxpr.Ins[nk+k].Type)
				copy(row.Data, x.Data[i*len(row.Data):])
				args = append(args, row)
			}
			out, err := run(l.Plans[0], args)
			if err != nil {
				return nil, err
			}
			carry = out[:q.NumCarry]
			for k, y := range out[q.NumCarry:] {
				copy(ys[k].Data[i*len(y.Data):], y.Data)
			}
		}
		return append(append([]*reference.Tensor{}, carry...), ys...), nil
	}
	return nil, fmt.Errorf("unknown loop %s", l.Eqn.Prim.Name())
}

// draw returns a tensor of numbers of a domain, some of them not finite where the domain
// allows all.
func draw(r *rand.Rand, a core.ShapedArray, d primtest.Domain) *reference.Tensor {
	t := reference.NewTensor(a)
	size := a.DType.Size()
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 1, 1e-40, 3e38}
	used := map[float64]bool{}
	for i := range a.Size() {
		at := t.Data[i*size:]
		lo, hi := d.Lo, d.Hi
		if lo == 0 && hi == 0 {
			lo, hi = -4, 4
		}
		x := lo + r.Float64()*(hi-lo)
		switch {
		case d.Values != nil:
			x = d.Values[r.IntN(len(d.Values))]
		case a.DType.IsInexact() && d.Lo == 0 && d.Hi == 0 && r.IntN(8) == 0:
			x = special[r.IntN(len(special))]
		}
		for k := 0; d.Unique && used[math.Round(x)] && k < 1000; k++ {
			x = lo + r.Float64()*(hi-lo)
		}
		if d.Unique {
			x = math.Round(x)
			used[x] = true
		}
		switch {
		case a.DType.IsKey():
			for k := range size {
				at[k] = byte(r.Uint32())
			}
		case a.DType == core.Bool:
			at[0] = byte(r.IntN(2))
			if d.Values != nil {
				elem.Put(at, core.FloatNumber(x), a.DType)
			}
		case a.DType.IsInteger():
			elem.Put(at, core.IntNumber(int64(math.Round(x))), a.DType)
		case a.DType.IsComplex():
			elem.Put(at, core.ComplexNumber(complex(x, lo+r.Float64()*(hi-lo))), a.DType)
		case size > 0:
			elem.Put(at, core.FloatNumber(x), a.DType)
		}
	}
	return t
}

// compare runs a program by its plan and by the reference, and checks that the results have equal bits.
func compare(t *testing.T, name string, j *jaxpr.Jaxpr, args []*reference.Tensor) *fuse.Plan {
	t.Helper()
	vs := make([]core.Value, len(args))
	for i, a := range args {
		vs[i] = runtime.FromTensor(a)
	}
	want := unboxed(jaxpr.Eval(j, nil, vs))
	p := fuse.Translate(j, fuse.Target{})
	if q := fuse.Translate(j, nativeFrom(1)); strings.Contains(q.String(), "  row tiles ") {
		same(t, name, j, q, args, want)
	}
	same(t, name, j, p, args, want)
	return p
}

// nativeFrom returns the target of native code on which steps run on row tiles if they pass each other so many bytes.
func nativeFrom(bytes int) fuse.Target {
	t := fuse.Native()
	t.RowTiles = bytes
	return t
}

// same runs a plan and checks that the results have the reference's bits.
func same(t *testing.T, name string, j *jaxpr.Jaxpr, p *fuse.Plan, args, want []*reference.Tensor) {
	t.Helper()
	got, err := run(p, args)
	if err != nil {
		t.Errorf("%s: %v\n%v", name, err, j)
		return
	}
	for i := range want {
		if !bytes.Equal(got[i].Data, want[i].Data) {
			t.Errorf("%s: result %d\ngot  %s\nwant %s\n%v\n%v", name, i, show(got[i]), show(want[i]), j, p)
			for _, k := range p.Kernels() {
				t.Log(k)
			}
		}
	}
}

func show(t *reference.Tensor) string {
	s := fmt.Sprintf("%x %v", t.Data, runtime.FromTensor(t).Text(nil))
	if len(s) > 600 {
		s = s[:600] + "…"
	}
	return s
}

// Every sample of every primitive, in every type, has the reference's bits.
func TestSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fused, calls := 0, map[string]bool{}
	for _, s := range primtest.EveryType() {
		if !s.Standalone() {
			continue
		}
		if s.Prim.Name() == "empty" || s.Prim.Name() == "empty2" {
			continue
		}
		args := make([]*reference.Tensor, len(s.In))
		for i, a := range s.In {
			var d primtest.Domain
			if s.Dom != nil {
				d = s.Dom[i]
			}
			args[i] = draw(r, a, d)
		}
		p := compare(t, s.Prim.Name(), s.Jaxpr(), args)
		if cs := p.Fallbacks(); len(cs) > 0 {
			calls[s.Prim.Name()+": "+cs[0].Reason] = true
		} else {
			fused++
		}
	}
	if fused < 4500 {
		t.Errorf("%d samples are kernels, want 4500", fused)
	}
	t.Logf("%d samples as kernels; the reference runs %v", fused, slices.Sorted(maps.Keys(calls)))
}
