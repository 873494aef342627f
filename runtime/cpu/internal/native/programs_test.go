//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// programKernel applies a scalar program to arrays, in place or as a function.
func programKernel(p *scalar.Prog, function bool) *ir.Kernel {
	b := ir.NewBuilder("program")
	n := b.Symbol("n")
	type part struct{ buffer, components int }
	add := func(name string, role ir.Role, dts []core.DType) (parts []part) {
		for i, dt := range dts {
			c := scalar.Components(dt)
			size := n
			if c == 2 {
				size = b.Symbol(fmt.Sprintf("n%s%d", name, i))
			}
			parts = append(parts, part{b.Buffer(fmt.Sprintf("%s%d", name, i), role, scalar.Stored(dt), size), c})
		}
		return parts
	}
	in, out := add("x", ir.In, p.In), add("y", ir.Out, p.Out)
	var again []part
	if function {
		again = add("z", ir.Out, p.Out)
	}
	at := func(q part, i ir.Axis, c int) ir.Access {
		a := element(q.buffer, n, i)
		a.Offset, a.Coords[0].Stride = ir.Const(int64(c)), ir.Const(int64(q.components))
		return a
	}
	b.Vector(n, nil, func(i ir.Axis) {
		args := make([][]ir.Ref, len(in))
		for k, q := range in {
			for c := range q.components {
				args[k] = append(args[k], b.Load(at(q, i, c)))
			}
		}
		write := b.Inline
		if function {
			write = b.Apply
		}
		rs := write(p, args)
		if function { // the first results live across a call, whose operands stand in another order
			rs = append(rs, write(p, rotated(p.In, args))...)
		}
		for _, q := range append(out, again...) {
			for c := range q.components {
				b.Store(at(q, i, c), rs[0])
				rs = rs[1:]
			}
		}
	})
	return b.Finish()
}

// rotated exchanges operands of equal types.
func rotated(in []core.DType, args [][]ir.Ref) [][]ir.Ref {
	out := slices.Clone(args)
	for k := 1; k < len(in); k++ {
		if in[k] == in[k-1] {
			out[k], out[k-1] = out[k-1], out[k]
		}
	}
	return out
}

// checkProgram compares a program's code with the evaluator on random arguments. It returns the
// bytes of scratch memory that the code uses.
func checkProgram(t testing.TB, p *scalar.Prog, rng *rand.Rand, sizes ...int) (scratch int) {
	for _, function := range []bool{false, true} {
		k := programKernel(p, function)
		c := compile(t, k)
		for _, n := range sizes {
			symbols := []int64{int64(n)}
			for range len(k.Symbols) - 1 {
				symbols = append(symbols, int64(2*n))
			}
			var buffers [][]byte
			for _, b := range k.Buffers {
				buffers = append(buffers, randomBytes(rng, b.Type, int(b.Len.In(symbols))))
			}
			c.check(t, symbols, buffers)
		}
		for _, code := range c.codes {
			scratch += code.Scratch
		}
	}
	return scratch
}

// The expansion of every primitive has the evaluator's bits.
func TestExpansions(t *testing.T) {
	race.Values(t)
	rng := rand.New(rand.NewPCG(8, 1))
	n := 0
	seen := map[string]bool{}
	for _, s := range primtest.All() {
		if !expand.Has(s.Prim) {
			continue
		}
		out := core.AbstractOf(s.Prim, s.In)
		var in []core.DType
		for _, a := range s.In {
			in = append(in, a.DType)
		}
		if out[0].DType == core.Float0 || slices.Contains(in, core.Float0) {
			continue // it has no memory, so no kernel reads it
		}
		var p *scalar.Prog
		if core.Catch(func() { p, _ = expand.Program(s.Prim, in, out[0].DType) }) != nil || p == nil {
			continue
		}
		text := p.String()
		if seen[text] {
			continue
		}
		seen[text] = true
		t.Run(fmt.Sprintf("%s/%v", s.Prim.Name(), in), func(t *testing.T) {
			checkProgram(t, p, rng, 3, 100)
		})
		n++
	}
	require.Greater(t, n, 300)
}

// randomProg writes a program of random operations, with rare arms within rare arms.
func randomProg(rng *rand.Rand, length int) *scalar.Prog {
	kinds := [][]scalar.Type{
		{scalar.Bool, scalar.F32, scalar.F64, scalar.I32, scalar.U64, scalar.U8},
		{scalar.Bool, scalar.F32, scalar.I32, scalar.U32},
		{scalar.Bool, scalar.I64, scalar.F64, scalar.U64},
		{scalar.Bool, scalar.I8, scalar.U16, scalar.I16, scalar.U8, scalar.F32},
		{scalar.Bool, scalar.I32, scalar.U32, scalar.U64}, // no floats: long programs of them look at no NaN
	}[rng.IntN(5)]
	if length > 100 {
		kinds = []scalar.Type{scalar.Bool, scalar.I32, scalar.U32, scalar.U64, scalar.U16}
	}
	dtypes := map[scalar.Type]core.DType{scalar.Bool: core.Bool, scalar.F32: core.Float32, scalar.F64: core.Float64, scalar.I32: core.Int32, scalar.U32: core.Uint32,
		scalar.U64: core.Uint64, scalar.I64: core.Int64, scalar.U8: core.Uint8, scalar.I8: core.Int8, scalar.U16: core.Uint16, scalar.I16: core.Int16}
	var in []core.DType
	for _, t := range kinds {
		in = append(in, dtypes[t])
	}
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
	for range length {
		t := kinds[rng.IntN(len(kinds))]
		o := scalar.OpAdd + scalar.Op(rng.IntN(scalar.NumOps-int(scalar.OpAdd)))
		if rng.IntN(4) == 0 {
			o = scalar.OpRare
		}
		switch {
		case o == scalar.OpWiden || o == scalar.OpNarrow || o == scalar.OpScale || o == scalar.OpLookup || !o.Takes(t):
		case o.Form() == scalar.FormSame:
			x, y, z := pick(t), pick(t), pick(t)
			b.Emit(scalar.Inst{Op: o, Type: t, Args: [3]scalar.Ref{x, y, z}})
		case o.Form() == scalar.FormCompare:
			b.Emit(scalar.Inst{Op: o, Type: scalar.Bool, Args: [3]scalar.Ref{pick(t), pick(t)}})
		case o.Form() == scalar.FormSelect:
			b.Emit(scalar.Inst{Op: o, Type: t, Args: [3]scalar.Ref{pick(scalar.Bool), pick(t), pick(t)}})
		case o == scalar.OpConvert:
			if from := kinds[rng.IntN(len(kinds))]; from != t {
				b.Convert(t, pick(from))
			}
		case o == scalar.OpBitcast:
			for _, from := range kinds {
				if from != t && from.Size() == t.Size() && from != scalar.Bool {
					b.Bitcast(t, pick(from))
				}
			}
		}
	}
	var out []core.DType
	var results []scalar.Ref
	for range 3 + length/20 {
		r := b.Canon(scalar.Ref(len(b.Code) - 1 - rng.IntN(min(20+length/2, len(b.Code)))))
		out = append(out, dtypes[b.TypeOf(r)])
		results = append(results, r)
	}
	return b.Finish(out, results)
}

// Random programs, short and so long that registers spill, have the evaluator's bits.
func TestRandomPrograms(t *testing.T) {
	race.Values(t)
	rng := rand.New(rand.NewPCG(9, 1))
	n, scratch := 300, 0
	if testing.Short() {
		n = 60
	}
	for done := 0; done < n; {
		length := 60
		if done%10 == 0 {
			length = 600
		}
		p := randomProg(rng, length)
		if testcheck.LooksAtNaN(p) {
			continue
		}
		scratch += checkProgram(t, p, rng, rng.IntN(70), 200)
		done++
	}
	if spills {
		require.Positive(t, scratch, "no program spilled a register")
	}
}

func FuzzPrograms(f *testing.F) {
	f.Add(uint64(1), uint16(50), uint8(33))
	f.Fuzz(func(t *testing.T, seed uint64, length uint16, n uint8) {
		rng := rand.New(rand.NewPCG(seed, 2))
		if p := randomProg(rng, int(length%500)); !testcheck.LooksAtNaN(p) {
			checkProgram(t, p, rng, int(n))
		}
	})
}
