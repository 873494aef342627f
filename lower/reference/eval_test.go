package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// anyBits returns bits of type t, awkward ones half of the time.
func anyBits(rng *rand.Rand, t scalar.Type) uint64 {
	mask := uint64(math.MaxUint64) >> (64 - t.Bits())
	switch {
	case t == scalar.Bool:
		return rng.Uint64() & 1
	case t == scalar.F32 && rng.IntN(2) == 0:
		s := specials32()
		return uint64(math.Float32bits(s[rng.IntN(len(s))]))
	case t == scalar.F64 && rng.IntN(2) == 0:
		s := []float64{0, 1, 0.5, 1.5, 2.5, 5e-324, 0x1p-1022, math.MaxFloat64, math.Inf(1), math.NaN(), 0x1p31, 0x1p32, 0x1p63, 0x1p64, 0x1p52 + 1, 1e300, 1e-300, 127.5, 255.9, 32767.9}
		return math.Float64bits(s[rng.IntN(len(s))]) ^ rng.Uint64()&1<<63
	case t.IsInt() && rng.IntN(2) == 0:
		s := []uint64{0, 1, 2, 3, mask, mask - 1, mask >> 1, mask>>1 + 1, uint64(t.Bits()), uint64(t.Bits() - 1), 7}
		return s[rng.IntN(len(s))]
	}
	return rng.Uint64() & mask
}

// dtypeOf returns a dtype stored as t.
func dtypeOf(t scalar.Type) core.DType {
	for _, dt := range []core.DType{core.Bool, core.Int8, core.Int16, core.Int32, core.Int64, core.Uint8, core.Uint16, core.Uint32, core.Uint64, core.Float32, core.Float64} {
		if scalar.Stored(dt) == t {
			return dt
		}
	}
	panic(t.String())
}

// checkProg compares plan and definition on n random elements.
func checkProg(t *testing.T, p *scalar.Prog, rng *rand.Rand, n int) {
	t.Helper()
	var in, out []*block.Tensor
	for _, dt := range p.In {
		x := block.NewTensor(core.Aval(dt, n))
		for i := range n {
			storeBits(x, i, anyBits(rng, scalar.Stored(dt)))
		}
		in = append(in, x)
	}
	for _, dt := range p.Out {
		out = append(out, block.NewTensor(core.Aval(dt, n)))
	}
	block.Compile(p).Run(in, out)
	args := make([]uint64, len(in))
	for i := range n {
		for k, x := range in {
			args[k] = loadBits(x, i)
		}
		want := evalOne(p, args)
		applied := applyOne(p, args)
		for k, y := range out {
			got := loadBits(y, i)
			requireSameBits(t, p, args, k, want[k], applied[k])
			requireSameBits(t, p, args, k, want[k], got)
		}
	}
}

// requireSameBits compares result k; NaNs are equal, regardless of their bits.
func requireSameBits(t *testing.T, p *scalar.Prog, args []uint64, k int, want, got uint64) {
	t.Helper()
	if tt := scalar.Stored(p.Out[k]); tt.IsFloat() && floatOf(tt, got) != floatOf(tt, got) && floatOf(tt, want) != floatOf(tt, want) {
		return
	}
	require.Equal(t, fmt.Sprintf("%#x", want), fmt.Sprintf("%#x", got), "%v of %#x in\n%v", k, args, p)
}

// applyOne runs a program on one element by ireval.Apply.
func applyOne(p *scalar.Prog, in []uint64) []uint64 {
	v := make([]uint64, len(p.Code))
	for i, x := range p.Code {
		if x.Op == scalar.OpParam {
			v[i] = in[x.Imm>>8]
			continue
		}
		var a [3]uint64
		var ty scalar.Type
		for k, r := range x.Args {
			if r == scalar.NoRef {
				continue
			}
			if a[k] = v[r]; k == 0 {
				ty = p.Code[r].Type
			}
		}
		if x.Op == scalar.OpLookup {
			v[i] = p.Tables[x.Imm].At(a[0])
			continue
		}
		v[i] = ireval.Apply(x, ty, a[0], a[1], a[2])
	}
	var out []uint64
	for _, r := range p.Results {
		out = append(out, v[r])
	}
	return out
}

// Every operation on every type is what its definition states.
func TestOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for op := scalar.OpAdd; int(op) < scalar.NumOps; op++ {
		for ty := scalar.Bool; int(ty) < scalar.NumTypes; ty++ {
			if !op.Takes(ty) || op == scalar.OpWiden || op == scalar.OpNarrow || op == scalar.OpLookup {
				continue
			}
			dt := dtypeOf(ty)
			from := []core.DType{dt, dt, dt}[:op.Args()]
			out := dt
			switch op.Form() {
			case scalar.FormCompare:
				out = core.Bool
			case scalar.FormSelect:
				from[0] = core.Bool
			case scalar.FormChange:
				for src := scalar.Bool; int(src) < scalar.NumTypes; src++ {
					if src == ty || op == scalar.OpBitcast && (src.Size() != ty.Size() || src == scalar.Bool) {
						continue
					}
					b := scalar.NewBuilder(dtypeOf(src))
					checkProg(t, b.Finish([]core.DType{dt}, []scalar.Ref{b.Emit(scalar.Inst{Op: op, Type: ty, Args: [3]scalar.Ref{b.Param(0, 0)}})}), rng, 300)
				}
				continue
			}
			b := scalar.NewBuilder(from...)
			var args [3]scalar.Ref
			for k := range from {
				args[k] = b.Param(k, 0)
			}
			if op == scalar.OpScale {
				args[1] = b.Rint(args[1])
			}
			r := b.Emit(scalar.Inst{Op: op, Type: scalar.Stored(out), Args: args})
			checkProg(t, b.Finish([]core.DType{out}, []scalar.Ref{r}), rng, 700)
			if ty == scalar.Bool {
				continue
			}
			// And with what the compiler joins: canon behind, constants inside.
			results := []scalar.Ref{b.Canon(r), r}
			if op.Args() == 2 {
				results[1] = b.Emit(scalar.Inst{Op: op, Type: scalar.Stored(out), Args: [3]scalar.Ref{args[0], b.Const(ty, 3)}})
			}
			checkProg(t, b.Finish([]core.DType{out, out}, results), rng, 300)
		}
	}
}

// randomProg writes a program of random operations, with rare arms within rare arms.
func randomProg(rng *rand.Rand) *scalar.Prog {
	types := []scalar.Type{scalar.Bool, scalar.F32, scalar.F64, scalar.I32, scalar.U64, scalar.U8}
	in := []core.DType{core.Float32, core.Float64, core.Int32, core.Uint64, core.Bool, core.Uint8}
	b := scalar.NewBuilder(in...)
	for k := range in {
		b.Param(k, 0)
	}
	pick := func(t scalar.Type) scalar.Ref {
		for range 30 {
			if r := scalar.Ref(rng.IntN(len(b.Code))); b.TypeOf(r) == t {
				return r
			}
		}
		return b.Const(t, anyBits(rng, t))
	}
	for range 60 {
		t := types[rng.IntN(len(types))]
		op := scalar.OpAdd + scalar.Op(rng.IntN(scalar.NumOps-int(scalar.OpAdd)))
		if rng.IntN(4) == 0 {
			op = scalar.OpRare
		}
		switch {
		case op == scalar.OpLookup && (t == scalar.F32 || t == scalar.F64 || t == scalar.U64):
			table := scalar.Table{Type: t}
			for range 1 << rng.IntN(6) {
				table.Bits = append(table.Bits, anyBits(rng, t))
			}
			i := scalar.U64
			if t == scalar.F32 {
				i = scalar.I32
			}
			b.Lookup(table, pick(i))
		case op == scalar.OpScale && t.IsFloat():
			b.Scale(pick(t), b.Rint(pick(t)))
		case op == scalar.OpWiden || op == scalar.OpNarrow || op == scalar.OpLookup || !op.Takes(t):
		case op.Form() == scalar.FormSame:
			x, y, z := pick(t), pick(t), pick(t)
			b.Emit(scalar.Inst{Op: op, Type: t, Args: [3]scalar.Ref{x, y, z}})
		case op.Form() == scalar.FormCompare:
			b.Emit(scalar.Inst{Op: op, Type: scalar.Bool, Args: [3]scalar.Ref{pick(t), pick(t)}})
		case op.Form() == scalar.FormSelect:
			b.Emit(scalar.Inst{Op: op, Type: t, Args: [3]scalar.Ref{pick(scalar.Bool), pick(t), pick(t)}})
		case op == scalar.OpConvert:
			if from := types[rng.IntN(len(types))]; from != t {
				b.Convert(t, pick(from))
			}
		case op == scalar.OpBitcast:
			for _, from := range types {
				if from != t && from.Size() == t.Size() && from != scalar.Bool {
					b.Bitcast(t, pick(from))
				}
			}
		}
	}
	// NaN has unspecified bits: they must not be looked at. Canonical ones may.
	var out []core.DType
	var results []scalar.Ref
	for k := 0; k < 3; k++ {
		r := b.Canon(scalar.Ref(len(b.Code) - 1 - rng.IntN(20)))
		out = append(out, dtypeOf(b.TypeOf(r)))
		results = append(results, r)
	}
	return b.Finish(out, results)
}

func TestRandomPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	n := 400
	if testing.Short() {
		n = 100
	}
	for done := 0; done < n; {
		p := randomProg(rng)
		if testcheck.LooksAtNaN(p) {
			continue
		}
		checkProg(t, p, rng, []int{1, 7, 255, 256, 300}[rng.IntN(5)])
		q, err := irtext.Scalar(p.String())
		require.NoError(t, err)
		require.Equal(t, p, q)
		done++
	}
}

// Operands spread: every mix of full axes, axes of size 1 and rank 0, against the
// operands written out.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, shape := range [][]int{{5}, {3, 4}, {2, 3, 4}, {7, 1, 100}, {2, 300}, {300, 2}, {3, 2, 2, 5}, {1}, {1, 1}, {0, 3}} {
		for mask := range 1 << (2 * len(shape)) {
			var dims [2][]int
			for k := range 2 {
				for i, d := range shape {
					if mask>>(k*len(shape)+i)&1 == 1 {
						d = 1
					}
					dims[k] = append(dims[k], d)
				}
			}
			if mask == 1<<len(shape)-1 {
				dims[0] = nil // rank 0
			}
			for _, dt := range []core.DType{core.Float32, core.Complex64, core.Uint8} {
				checkSpread(t, rng, dt, dims)
			}
		}
	}
}

func checkSpread(t *testing.T, rng *rand.Rand, dt core.DType, dims [2][]int) {
	t.Helper()
	var in []*block.Tensor
	for _, d := range dims {
		x := block.NewTensor(core.Aval(dt, d...))
		for i := range x.Data {
			x.Data[i] = byte(rng.IntN(64)) // small positive floats, no NaN
		}
		in = append(in, x)
	}
	out := block.NewTensor(core.AbstractOf(prim.AddP{}, avalsOf(in))[0])
	block.Elementwise(prim.AddP{}, in, []*block.Tensor{out})
	var full []*block.Tensor
	for _, x := range in {
		y := block.NewTensor(out.ShapedArray)
		size := dt.Size()
		for i := range y.Size() {
			at, stride, rest := 0, 1, i
			for k := x.Rank() - 1; k >= 0; k-- {
				d := out.Shape.At(k)
				if x.Shape.At(k) > 1 {
					at += rest % d * stride
				}
				rest /= d
				stride *= x.Shape.At(k)
			}
			copy(y.Data[i*size:(i+1)*size], x.Data[at*size:])
		}
		full = append(full, y)
	}
	want := block.NewTensor(out.ShapedArray)
	block.Elementwise(prim.AddP{}, full, []*block.Tensor{want})
	require.Equal(t, want.Data, out.Data, "%v + %v", in[0], in[1])
}

// Many goroutines may run one plan, and ranges of one result.
func TestConcurrentRanges(t *testing.T) {
	const n = 10000
	x := block.NewTensor(core.Aval(core.Float32, n))
	for i := range n {
		block.View[float32](x)[i] = float32(i) - n/2
	}
	pl := block.MustPlan(prim.SinP{}, core.Float32, core.Float32)
	want := block.NewTensor(x.ShapedArray)
	pl.Run([]*block.Tensor{x}, []*block.Tensor{want})
	got := block.NewTensor(x.ShapedArray)
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += 640 {
		wg.Go(func() { pl.RunRange([]*block.Tensor{x}, []*block.Tensor{got}, lo, min(lo+640, n)) })
	}
	wg.Wait()
	require.Equal(t, want.Data, got.Data)
}

// Running a plan allocates nothing once it has run.
func TestRunAllocates(t *testing.T) {
	x := block.NewTensor(core.Aval(core.Float32, 1000))
	in, out := []*block.Tensor{x}, []*block.Tensor{block.NewTensor(x.ShapedArray)}
	var p core.Primitive = prim.ExpP{}
	block.Elementwise(p, in, out)
	if n := testing.AllocsPerRun(100, func() { block.Elementwise(p, in, out) }); n > 0.5 {
		t.Errorf("%v allocations a run", n)
	}
}

// What a rare arm alone needs is skipped where no element takes it: division by zero
// would show as another result otherwise, so the count of steps is looked at.
func TestRareSkips(t *testing.T) {
	b := scalar.NewBuilder(core.Float32)
	x := b.Param(0, 0)
	far := b.Lt(b.Float(scalar.F32, 100), x)
	slow := x
	for range 50 {
		slow = b.Sqrt(slow)
	}
	p := b.Finish([]core.DType{core.Float32}, []scalar.Ref{b.Rare(far, slow, b.Neg(x))})
	pl := block.Compile(p)
	skips := 0
	for _, s := range pl.Steps {
		if s.Kind == block.StepSkip {
			skips += int(s.To) - 1
		}
	}
	require.Greater(t, skips, 50)
	for _, v := range []float32{3, 1e30} {
		in, out := block.NewTensor(core.Aval(core.Float32, 3)), block.NewTensor(core.Aval(core.Float32, 3))
		copy(block.View[float32](in), []float32{1, v, 2})
		pl.Run([]*block.Tensor{in}, []*block.Tensor{out})
		for i, got := range block.View[float32](out) {
			want := evalOne(p, []uint64{uint64(math.Float32bits(block.View[float32](in)[i]))})[0]
			require.Equal(t, uint32(want), math.Float32bits(got))
		}
	}
}
