//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/lower/ir"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// kernel is a kernel with its code for each instruction set.
type kernel struct {
	k     *ir.Kernel
	codes []*codegen.Code
	run   []*native.Code
	bufs  []*guarded
}

const maxBuffer = 1 << 20

func compile(t testing.TB, k *ir.Kernel) *kernel {
	c := &kernel{k: k}
	for _, isa := range targets(t) {
		code, err := codegen.Compile(k, codegen.Options{ISA: isa})
		require.NoError(t, err, "%v", k)
		n, err := native.Load(k.Name, code.Bytes)
		require.NoError(t, err)
		c.codes, c.run = append(c.codes, code), append(c.run, n)
	}
	for range k.Buffers {
		c.bufs = append(c.bufs, newGuarded(t, maxBuffer))
	}
	return c
}

var scratch = make([]byte, 1<<24)

// call runs the code of kernel number i on buffers that lie between guard pages.
func (c *kernel) call(t testing.TB, i int, symbols []int64, buffers [][]byte, end bool) [][]byte {
	code := c.codes[i]
	require.LessOrEqual(t, code.Scratch+64, len(scratch))
	at := uintptr(unsafe.Pointer(&scratch[0]))
	args := []uint64{uint64(at+63) &^ 63}
	out := make([][]byte, len(buffers))
	for j, b := range buffers {
		out[j] = c.bufs[j].at(len(b), end)
		copy(out[j], b)
		args = append(args, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(out[j])))))
	}
	points := int64(1)
	for _, s := range symbols {
		args = append(args, uint64(s))
	}
	for _, d := range c.k.Grid {
		args = append(args, 0)
		points *= max(0, d.Extent.In(symbols))
	}
	args = append(args, uint64(points))
	run := func() {
		require.NoError(t, c.run[i].Guard(func() { c.run[i].Call(unsafe.Pointer(&args[0])) }), "%v\n%v", code.ISA, c.k)
	}
	if code.Fold == nil {
		require.Len(t, args, code.Args)
		run()
		return out
	}
	n := code.Fold.Extent.In(symbols)
	args = append(args, 0, uint64(n))
	require.Len(t, args, code.Args)
	if end || len(c.k.Grid) > 0 {
		run()
		return out
	}
	last := len(args) - 1
	for at := int64(0); at < n; at += codegen.Segment { // in parts
		args[last-1], args[last] = uint64(at), codegen.Segment
		run()
	}
	return out
}

// check compares the code with the evaluator.
func (c *kernel) check(t testing.TB, symbols []int64, buffers [][]byte) {
	t.Helper()
	want := make([][]byte, len(buffers))
	for j, b := range buffers {
		want[j] = bytes.Clone(b)
	}
	require.NoError(t, ireval.Run(c.k, symbols, want))
	for i, code := range c.codes {
		for _, end := range []bool{true, false} {
			got := c.call(t, i, symbols, buffers, end)
			for j := range got {
				if !bytes.Equal(want[j], got[j]) {
					c.fail(t, code, symbols, buffers, want[j], got[j], j)
				}
			}
		}
	}
}

func (c *kernel) fail(t testing.TB, code *codegen.Code, symbols []int64, buffers [][]byte, want, got []byte, j int) {
	t.Helper()
	size := c.k.Buffers[j].Type.Size()
	at := 0
	for bytes.Equal(want[at*size:at*size+size], got[at*size:at*size+size]) {
		at++
	}
	var in []string
	for b, x := range buffers {
		if s := c.k.Buffers[b].Type.Size(); (at+1)*s <= len(x) {
			in = append(in, fmt.Sprintf("%x", reversed(x[at*s:at*s+s])))
		}
	}
	listing, _ := codegen.Compile(c.k, codegen.Options{ISA: code.ISA, Listing: true})
	t.Fatalf("%v, sizes %v: element %d of %s: got %x, want %x; operands there: %s\n%v\n%s", code.ISA, symbols, at, c.k.Buffers[j].Name,
		reversed(got[at*size:at*size+size]), reversed(want[at*size:at*size+size]), strings.Join(in, " "), c.k, listing.Listing)
}

func reversed(b []byte) []byte {
	r := bytes.Clone(b)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return r
}

// anyBits returns bits of type t, awkward ones half of the time.
func anyBits(rng *rand.Rand, t scalar.Type) uint64 {
	mask := uint64(math.MaxUint64) >> (64 - t.Bits())
	switch {
	case t == scalar.Bool:
		return rng.Uint64() & 1
	case t == scalar.F32 && rng.IntN(2) == 0:
		s := []float32{0, 1, 0.5, 1.5, 2.5, 1e-45, 0x1p-126, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN()), 0x1p31, 0x1p32, 0x1p63, 0x1p64, 0x1p23 + 1, 127.5, 255.9, 32767.9, 128, 448, 65504, 65520, 3.5, 0x1p-9, 0x1p-10, 57344, 61440}
		return uint64(math.Float32bits(s[rng.IntN(len(s))]) ^ uint32(rng.Uint64()&1<<31))
	case t == scalar.F64 && rng.IntN(2) == 0:
		s := []float64{0, 1, 0.5, 1.5, 2.5, 5e-324, 0x1p-1022, math.MaxFloat64, math.Inf(1), math.NaN(), 0x1p31, 0x1p32, 0x1p63, 0x1p64, 0x1p52 + 1, 1e300, 1e-300, 127.5, 255.9, 32767.9, 0x1.fffffep127}
		return math.Float64bits(s[rng.IntN(len(s))]) ^ rng.Uint64()&1<<63
	case t == scalar.F32 && rng.IntN(2) == 0:
		return uint64(math.Float32bits(float32(rng.NormFloat64() * 1000)))
	case t == scalar.F64 && rng.IntN(2) == 0:
		return math.Float64bits(rng.NormFloat64() * 1e6)
	case t.IsInt() && rng.IntN(2) == 0:
		s := []uint64{0, 1, 2, 3, mask, mask - 1, mask >> 1, mask>>1 + 1, uint64(t.Bits()), uint64(t.Bits() - 1), 7}
		return s[rng.IntN(len(s))]
	case t.IsInt() && rng.IntN(2) == 0:
		return rng.Uint64() & mask >> rng.IntN(t.Bits())
	}
	return rng.Uint64() & mask
}

func randomBytes(rng *rand.Rand, t scalar.Type, n int) []byte {
	b := make([]byte, 0, n*t.Size())
	for range n {
		x := anyBits(rng, t)
		for k := range t.Size() {
			b = append(b, byte(x>>(8*k)))
		}
	}
	return b
}

// element returns an access to element i of a buffer of n elements.
func element(buffer int, n ir.Size, i ir.Axis) ir.Access {
	return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: n, Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
}

// mapKernel applies body to the elements of its operands, any number of them.
func mapKernel(in, out []scalar.Type, body func(b *ir.Builder, args []ir.Ref) []ir.Ref) *ir.Kernel {
	b := ir.NewBuilder("map")
	n := b.Symbol("n")
	var ins, outs []int
	for i, t := range in {
		ins = append(ins, b.Buffer(fmt.Sprintf("x%d", i), ir.In, t, n))
	}
	for i, t := range out {
		outs = append(outs, b.Buffer(fmt.Sprintf("y%d", i), ir.Out, t, n))
	}
	b.Vector(n, nil, func(i ir.Axis) {
		var args []ir.Ref
		for _, x := range ins {
			args = append(args, b.Load(element(x, n, i)))
		}
		for k, r := range body(b, args) {
			b.Store(element(outs[k], n, i), r)
		}
	})
	return b.Finish()
}

func (c *kernel) checkRandom(t testing.TB, rng *rand.Rand, n int) {
	t.Helper()
	var buffers [][]byte
	for _, b := range c.k.Buffers {
		buffers = append(buffers, randomBytes(rng, b.Type, n))
	}
	c.check(t, []int64{int64(n)}, buffers)
}

// checkTails runs a kernel of one size on every small number of elements.
func checkTails(t testing.TB, k *ir.Kernel, seed uint64) {
	t.Helper()
	c := compile(t, k)
	rng := rand.New(rand.NewPCG(seed, 1))
	for n := range 71 {
		c.checkRandom(t, rng, n)
	}
	c.checkRandom(t, rng, 1000)
}

func op(o scalar.Op, t scalar.Type, args ...ir.Ref) scalar.Inst {
	in := scalar.Inst{Op: o, Type: t, Args: [3]ir.Ref{ir.NoRef, ir.NoRef, ir.NoRef}}
	copy(in.Args[:], args)
	return in
}

func canon(b *ir.Builder, r ir.Ref) ir.Ref {
	if t := b.TypeOf(r); t.IsFloat() {
		return b.Op(op(scalar.OpCanon, t, r))
	}
	return r
}

var types = []scalar.Type{scalar.Bool, scalar.I8, scalar.I16, scalar.I32, scalar.I64, scalar.U8, scalar.U16, scalar.U32, scalar.U64, scalar.F32, scalar.F64}

// Every operation on every type has the evaluator's bits, regardless of the number of elements.
func TestOperations(t *testing.T) {
	race.Values(t)
	for o := scalar.OpAdd; int(o) < scalar.NumOps; o++ {
		for _, ty := range types {
			if !o.Takes(ty) || o == scalar.OpWiden || o == scalar.OpNarrow || o == scalar.OpScale || o == scalar.OpLookup {
				continue
			}
			name := fmt.Sprintf("%v/%v", o, ty)
			in, out := []scalar.Type{ty, ty, ty}[:o.Args()], ty
			switch o.Form() {
			case scalar.FormCompare:
				out = scalar.Bool
			case scalar.FormSelect:
				in = []scalar.Type{scalar.Bool, ty, ty}
			case scalar.FormChange:
				for _, from := range types {
					if from == ty || o == scalar.OpBitcast && (from.Size() != ty.Size() || from == scalar.Bool) {
						continue
					}
					t.Run(name+"/"+from.String(), func(t *testing.T) {
						checkTails(t, mapKernel([]scalar.Type{from}, []scalar.Type{ty}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
							return []ir.Ref{canon(b, b.Op(op(o, ty, a[0])))}
						}), 1)
					})
				}
				continue
			}
			t.Run(name, func(t *testing.T) {
				k := mapKernel(in, []scalar.Type{out}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
					return []ir.Ref{canon(b, b.Op(op(o, out, a...)))}
				})
				checkTails(t, k, 2)
			})
			if o == scalar.OpShl || o == scalar.OpShr {
				t.Run(name+"/const", func(t *testing.T) {
					for n := range ty.Bits() + 2 {
						c := compile(t, mapKernel(in[:1], []scalar.Type{out}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
							return []ir.Ref{b.Op(op(o, out, a[0], b.Const(ty, uint64(n))))}
						}))
						c.checkRandom(t, rand.New(rand.NewPCG(3, 1)), 40)
					}
				})
			}
		}
	}
}

// A fused multiply-add beside lanes that are NaN rounds once, to a subnormal, too: the sum of f64 would be half way
// between two of f32, of which the even one may be the least that is normal.
func TestFMABesideNaN(t *testing.T) {
	c := compile(t, mapKernel([]scalar.Type{scalar.F32, scalar.F32, scalar.F32}, []scalar.Type{scalar.F32}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
		return []ir.Ref{canon(b, b.Op(op(scalar.OpFMA, scalar.F32, a...)))}
	}))
	const n = 64
	for nan := range 4 { // a pair of lanes from this one on
		buffers := [][]byte{3: make([]byte, 4*n)}
		for i := range n {
			x := float32(0x1p-75 + 0x1p-98)
			if (i+4-nan)%4 < 2 {
				x = float32(math.NaN())
			}
			z := [...]float32{0x1p-127 + 0x1p-149, 0x1p-126 - 0x1p-149}[i/4%2]
			for b, f := range [...]float32{x, 0x1p-75 - 0x1p-98, z} {
				buffers[b] = binary.LittleEndian.AppendUint32(buffers[b], math.Float32bits(f))
			}
		}
		c.check(t, []int64{n}, buffers)
	}
}

// A fused multiply-add of an infinity is that infinity, also where the product of the factors alone would overflow.
func TestFMAOfInfinities(t *testing.T) {
	for ty, bits := range map[scalar.Type][]uint64{
		scalar.F32: {0, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000},
		scalar.F64: {0, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48},
	} {
		c := compile(t, mapKernel([]scalar.Type{ty, ty, ty}, []scalar.Type{ty}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
			return []ir.Ref{canon(b, b.Op(op(scalar.OpFMA, ty, a...)))}
		}))
		n := len(bits) * len(bits) * len(bits)
		buffers := [][]byte{3: make([]byte, n*ty.Size())}
		for i := range n {
			for k := range 3 {
				x := bits[i%len(bits)]
				i /= len(bits)
				for j := range ty.Size() {
					buffers[k] = append(buffers[k], byte(x>>(8*j)))
				}
			}
		}
		c.check(t, []int64{int64(n)}, buffers)
	}
}

// Multiply-adds of others' sums round each sum once: ties, subnormal numbers, zeros of either sign and infinities, with
// small constants and large ones.
func TestFMAOfSums(t *testing.T) {
	f32 := scalar.F32
	var numbers []float32
	for _, x := range []float64{0, 1, 1 + 0x1p-12, 1 + 0x1p-23, 3 - 0x1p-22, 0x1p-24, 0x1p-51 + 0x1p-73, 0x1p-75 + 0x1p-98, 0x1p-126 - 0x1p-149, 0x1p-126, 0x1p-149, 0x1p66, math.MaxFloat32, math.Inf(1)} {
		numbers = append(numbers, float32(x), -float32(x))
	}
	n := len(numbers) * len(numbers) * len(numbers)
	buffers := [][]byte{4: nil}
	for i := range n {
		for k := range 3 {
			buffers[k] = binary.LittleEndian.AppendUint32(buffers[k], math.Float32bits(numbers[i%len(numbers)]))
			i /= len(numbers)
		}
	}
	buffers[3], buffers[4] = make([]byte, 4*n), make([]byte, 4*n)
	for _, constant := range []float32{-1, 0x1p-24, 0x1p-61, 0x1p-126, math.MaxFloat32, 0} {
		c := compile(t, mapKernel([]scalar.Type{f32, f32, f32}, []scalar.Type{f32, f32}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
			p := b.Op(op(scalar.OpFMA, f32, a...))
			q := b.Op(op(scalar.OpFMA, f32, p, a[1], a[2]))
			r := b.Op(op(scalar.OpFMA, f32, a[0], q, b.Const(f32, uint64(math.Float32bits(constant)))))
			return []ir.Ref{canon(b, q), canon(b, b.Op(op(scalar.OpFMA, f32, r, b.Const(f32, uint64(math.Float32bits(0x1p100))), p)))}
		}))
		c.check(t, []int64{int64(n)}, buffers)
	}
}

var smallFloats = []core.DType{core.BFloat16, core.Float16, core.Float8E5M2, core.Float8E4M3, core.Float8E3M4, core.Float8E4M3FN, core.Float8E4M3FNUZ,
	core.Float8E4M3B11FNUZ, core.Float8E5M2FNUZ, core.Float6E2M3FN, core.Float6E3M2FN, core.Float4E2M1FN, core.Float8E8M0FNU}

// Small floats widen from every code and narrow from every sort of number.
func TestSmallFloats(t *testing.T) {
	race.Values(t)
	for _, dt := range smallFloats {
		t.Run(dt.String(), func(t *testing.T) {
			stored := scalar.Stored(dt)
			widen := compile(t, mapKernel([]scalar.Type{stored}, []scalar.Type{scalar.F32}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
				in := op(scalar.OpWiden, scalar.F32, a[0])
				in.DType = dt
				return []ir.Ref{b.Op(in)}
			}))
			all := make([]byte, 0, 1<<17)
			for code := range 1 << stored.Bits() {
				all = append(all, byte(code))
				if stored == scalar.U16 {
					all = append(all, byte(code>>8))
				}
			}
			n := len(all) / stored.Size()
			widen.check(t, []int64{int64(n)}, [][]byte{all, make([]byte, 4*n)})
			narrow := mapKernel([]scalar.Type{scalar.F32}, []scalar.Type{stored}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
				in := op(scalar.OpNarrow, stored, a[0])
				in.DType = dt
				return []ir.Ref{b.Op(in)}
			})
			checkTails(t, narrow, 4)
			// Around every number of the format, and half way between two.
			var near []byte
			for code := range min(n, 1<<11) {
				x := math.Float32bits(scalar.WidenSmall(dt, uint32(code*(n/min(n, 1<<11)))))
				for _, d := range []uint32{0, 1, ^uint32(0), 1 << 12, 1<<12 + 1, 1 << 15, 1<<15 - 1, 1<<15 + 1, 1 << 19, 1<<19 + 1, 1 << 20, 1<<20 - 1, 1 << 21, 1 << 22, 1<<22 - 1} {
					y := x + d
					near = append(near, byte(y), byte(y>>8), byte(y>>16), byte(y>>24))
				}
			}
			m := len(near) / 4
			compile(t, narrow).check(t, []int64{int64(m)}, [][]byte{near, make([]byte, m*stored.Size())})
		})
	}
}

// x·2ⁿ rounds once, for every n that the operation allows.
func TestScale(t *testing.T) {
	for _, ty := range []scalar.Type{scalar.F32, scalar.F64} {
		t.Run(ty.String(), func(t *testing.T) {
			limit, exp, mant := uint64(math.Float32bits(252)), uint64(127)<<23, uint64(1)<<31|1<<23-1
			if ty == scalar.F64 {
				limit, exp, mant = math.Float64bits(2044), 1023<<52, 1<<63|1<<52-1
			}
			u := ty.Unsigned()
			checkTails(t, mapKernel([]scalar.Type{ty, ty}, []scalar.Type{ty}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
				hi := b.Const(ty, limit)
				n := b.Op(op(scalar.OpMin, ty, a[1], hi))
				n = b.Op(op(scalar.OpRint, ty, b.Op(op(scalar.OpMax, ty, n, b.Op(op(scalar.OpNeg, ty, hi))))))
				n = b.Op(op(scalar.OpSelect, ty, b.Op(op(scalar.OpNe, scalar.Bool, n, n)), b.Const(ty, 0), n))
				// Numbers in [1, 2); zeros, infinities and NaN as they are.
				bits := b.Op(op(scalar.OpBitcast, u, a[0]))
				one := b.Op(op(scalar.OpBitcast, ty, b.Op(op(scalar.OpOr, u, b.Op(op(scalar.OpAnd, u, bits, b.Const(u, mant))), b.Const(u, exp)))))
				diff := b.Op(op(scalar.OpSub, ty, a[0], a[0]))
				finite := b.Op(op(scalar.OpEq, scalar.Bool, diff, diff))
				nonzero := b.Op(op(scalar.OpNe, scalar.Bool, a[0], b.Const(ty, 0)))
				x := b.Op(op(scalar.OpSelect, ty, b.Op(op(scalar.OpAnd, scalar.Bool, finite, nonzero)), one, a[0]))
				return []ir.Ref{canon(b, b.Op(op(scalar.OpScale, ty, x, n)))}
			}), 5)
		})
	}
}

// Tables of every length and type are read by the low bits of any index.
func TestLookup(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, ty := range []scalar.Type{scalar.F32, scalar.I32, scalar.U32, scalar.F64, scalar.I64} {
		for n := 1; n <= scalar.MaxTable; n *= 2 {
			t.Run(fmt.Sprint(ty, n), func(t *testing.T) {
				table := scalar.Table{Type: ty}
				for range n {
					table.Bits = append(table.Bits, anyBits(rng, ty))
				}
				checkTails(t, mapKernel([]scalar.Type{ty.Signed()}, []scalar.Type{ty}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
					in := op(scalar.OpLookup, ty, a[0])
					in.Imm = uint64(b.Table(table))
					return []ir.Ref{b.Op(in)}
				}), 7)
			})
		}
	}
}
