package wasm

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

func fma(c *native.Draft, relaxed bool, size int, d, x, y, z native.VReg) {
	op := opFMA64
	switch {
	case relaxed && size == 4:
		op = f32x4RelaxedMadd
	case relaxed:
		op = f64x2RelaxedMadd
	case size == 4:
		op = opFMA32
	}
	c.Put(native.Inst{Op: op, D: d, A: x, B: y, C: z, Third: true})
}

// Helpers are functions behind those of a draft, in a module that calls one of them.
const (
	helperFMA32 = iota // x·y + z of any f32
	helperFMA64        // … of any f64
	helperLane         // … of one f64, as an i64
)

func (w *writer) help(helper int, rs ...native.VReg) {
	for _, r := range rs {
		w.push(r)
	}
	w.callHelper(helper)
}

// callHelper replaces operands by the result of a helper.
func (w *writer) callHelper(helper int) {
	w.helped = true
	w.opUint(opCall, uint64(1+w.Functions()+helper))
}

func (w *writer) helpers() []function {
	return []function{helperFMA32: w.anyFused32(), helperFMA64: w.fused64(), helperLane: w.fusedLane()}
}

func usesFMA32(list []native.Inst) bool {
	return slices.ContainsFunc(list, func(in native.Inst) bool { return in.Op == opFMA32 })
}

// same returns a vector of two equal words.
func same(x uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, x), x)
}

var (
	upperHalf    = []byte{8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15}
	lowerHalves  = []byte{0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 28, 29, 30, 31} // the second vector's were shifted to the upper halves
	joinedHalves = []byte{0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23}
	evenWords    = []byte{0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27}
	oddWords     = []byte{4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31}
)

// The product of two f32 is exact in f64. Its sum with a third f32 is rounded to f64, then to f32: that is the
// sum rounded once unless the first rounding hits the middle of two f32, which shows in the bits below those of
// an f32, or the result is subnormal, where the middles lie elsewhere.

// fusedLocals are the locals of a function that contains opFMA32.
type fusedLocals struct {
	low, high, result int32
	rounded           int32 // the first of two
	middle, least     int32 // constants, as those that follow
	half, upper       int32 // half of the last place of an f32 in an f64, and the bits above
	normal            int32
}

const fusedCount = 10

// startFused sets constants that all operations of a function read.
func (w *writer) startFused(first int32) fusedLocals {
	f := fusedLocals{first, first + 1, first + 2, first + 3, first + 5, first + 6, first + 7, first + 8, first + 9}
	two := func(x uint64) uint64 { return x<<32 | x }
	for _, c := range [...]struct {
		local int32
		bits  uint64
	}{{f.middle, two(1 << 31)}, {f.least, two(uint64(math.Float32bits(0x1p-126)))}, {f.half, halfPlace}, {f.upper, upperBits}, {f.normal, two(normalLimit)}} {
		w.constant(same(c.bits))
		w.put(c.local)
	}
	return f
}

// widened pushes a half of a vector of f32 as f64.
func (w *writer) widened(x int32, high bool) {
	w.get(x)
	if high {
		w.get(x)
		w.shuffle(upperHalf)
	}
	w.vec(f64x2PromoteLowF32x4)
}

// demoted pushes two vectors of f64 as one of f32.
func (w *writer) demoted(low, high int32) {
	w.get(low)
	w.vec(f32x4DemoteF64x2Zero)
	w.get(high)
	w.vec(f32x4DemoteF64x2Zero)
	w.shuffle(joinedHalves)
}

// sum64 pushes a half of x·y + z in f64. `equal` states that all lanes of y are equal.
func (w *writer) sum64(x, y, z native.VReg, high, equal bool) {
	w.half(x, high)
	w.half(y, high && !equal)
	w.vec(f64x2Mul)
	w.half(z, high)
	w.vec(f64x2Add)
}

func (w *writer) fused32(x, y, z native.VReg, equal bool) {
	f := &w.fma
	for i, sum := range [...]int32{f.low, f.high} {
		w.sum64(x, y, z, i == 1, equal)
		w.put(sum)
	}
	w.demoted(f.low, f.high)
	w.put(f.result)
	// The lower halves of the four sums, without their three bits that an f32 has, too.
	w.get(f.low)
	w.get(f.high)
	w.const32(32)
	w.vec(ofSize(i8x16Shl, 8))
	w.shuffle(lowerHalves)
	w.const32(3)
	w.vec(ofSize(i8x16Shl, 4))
	w.get(f.middle)
	w.vec(i32x4Eq)
	w.get(f.result)
	w.vec(f32x4Abs)
	w.get(f.least)
	w.vec(f32x4Le)
	w.vec(v128Or)
	w.vec(i32x4Bitmask)
	w.block(opIf, typeV128)
	w.help(helperFMA32, x, y, z)
	w.op(opElse)
	w.get(f.result)
	w.op(opEnd)
}

// A builder writes functions whose locals are numbered one after the other.
type builder struct {
	*writer
	next int32
}

func (b *builder) let(push func()) int32 {
	push()
	l := b.next
	b.next++
	b.put(l)
	return l
}

func (b *builder) apply(op Op, locals ...int32) func() {
	return func() {
		for _, l := range locals {
			b.get(l)
		}
		b.vec(op)
	}
}

func (b *builder) two(op Op, x, y int32) int32 { return b.let(b.apply(op, x, y)) }

// sum returns x + y rounded, and the error.
func (b *builder) sum(x, y int32) (s, e int32) {
	s = b.two(f64x2Add, x, y)
	t := b.two(f64x2Sub, s, x)
	first := b.two(f64x2Sub, x, b.two(f64x2Sub, s, t))
	return s, b.two(f64x2Add, first, b.two(f64x2Sub, y, t))
}

// odd returns s + e rounded to odd, given the rounded sum s and its error e: where s is not exact and its last
// bit is 0, the neighbour of s in the direction of e.
func (b *builder) odd(s, e int32) int32 {
	zero, one := b.let(func() { b.constant(same(0)) }), b.let(func() { b.constant(same(1)) })
	even := b.let(func() {
		b.apply(v128And, s, one)()
		b.get(zero)
		b.vec(i64x2Eq)
	})
	inexact := b.let(func() { // not where e is NaN
		b.apply(f64x2Lt, e, zero)()
		b.apply(f64x2Gt, e, zero)()
		b.vec(v128Or)
		b.get(even)
		b.vec(v128And)
	})
	step := b.let(func() { // 1 to larger magnitudes, −1 to lesser ones
		b.apply(v128Xor, s, e)()
		b.const32(63)
		b.vec(i64x2ShrS)
		b.get(one)
		b.vec(v128Or)
	})
	return b.let(func() {
		b.get(s)
		b.apply(v128And, step, inexact)()
		b.vec(i64x2Add)
	})
}

// vectorFunction returns a function of three vectors. write pushes the result.
func (w *writer) vectorFunction(write func(b *builder)) function {
	w.begin()
	b := &builder{w, 3}
	write(b)
	return w.finish(vectors(3), vectors(1), [numLocals]int32{vectorLocal: b.next - 3})
}

// anyFused32 rounds sums of f64 to odd, so that the second rounding is the only one that counts.
func (w *writer) anyFused32() function {
	return w.vectorFunction(func(b *builder) {
		var halves [2]int32
		for i := range halves {
			p := b.let(func() {
				w.widened(0, i == 1)
				w.widened(1, i == 1)
				w.vec(f64x2Mul)
			})
			s, e := b.sum(p, b.let(func() { w.widened(2, i == 1) }))
			halves[i] = b.odd(s, e)
		}
		w.demoted(halves[0], halves[1])
	})
}

// fused64 computes products and sums with their errors where none of them overflows or underflows: then x·y + z is
// a sum of a large part and a small one that is rounded to odd (Boldo and Melquiond, Emulation of a FMA and
// correctly rounded sums, 2008). Other lanes are computed from integers.
func (w *writer) fused64() function {
	return w.vectorFunction(func(b *builder) {
		const x, y, z = 0, 1, 2
		number := func(f float64) int32 { return b.let(func() { b.constant(same(math.Float64bits(f))) }) }
		magnitude := func(l int32) int32 { return b.let(b.apply(f64x2Abs, l)) }
		p := b.two(f64x2Mul, x, y)
		ax, ay, ap := magnitude(x), magnitude(y), magnitude(p)
		least := b.two(f64x2Pmin, ax, ay)
		zeros := b.two(f64x2Eq, least, number(0))
		inside := b.two(f64x2Lt, b.two(f64x2Pmax, ax, ay), number(0x1p990))
		inside = b.two(v128And, inside, b.two(f64x2Lt, magnitude(z), number(0x1p1000)))
		inside = b.two(v128And, inside, b.two(f64x2Lt, ap, number(0x1p1000)))
		inside = b.two(v128And, inside, b.two(v128Or, zeros, b.two(f64x2Gt, ap, number(0x1p-900))))
		w.get(inside)
		w.vec(i64x2AllTrue)
		w.block(opIf, typeV128)
		split := number(1<<27 + 1)
		halves := func(l int32) (high, low int32) {
			s := b.two(f64x2Mul, split, l)
			high = b.two(f64x2Sub, s, b.two(f64x2Sub, s, l))
			return high, b.two(f64x2Sub, l, high)
		}
		xh, xl := halves(x)
		yh, yl := halves(y)
		e := b.two(f64x2Sub, b.two(f64x2Mul, xh, yh), p)
		e = b.two(f64x2Add, e, b.two(f64x2Mul, xh, yl))
		e = b.two(f64x2Add, e, b.two(f64x2Mul, xl, yh))
		e = b.two(f64x2Add, e, b.two(f64x2Mul, xl, yl))
		th, tl := b.sum(z, e)
		vh, vl := b.sum(p, th)
		s, rest := b.sum(tl, vl)
		r := b.two(f64x2Add, vh, b.odd(s, rest))
		b.apply(f64x2Add, p, z)() // where a factor is 0
		b.get(r)
		b.get(zeros)
		w.vec(v128Bitselect)
		w.op(opElse)
		for i := range int64(2) {
			for l := range int32(3) {
				w.get(l)
				w.vecLane(i64x2ExtractLane, i)
			}
			w.help(helperLane)
			if i == 0 {
				w.vec(i64x2Splat)
			} else {
				w.vecLane(i64x2ReplaceLane, 1)
			}
		}
		w.op(opEnd)
	})
}
