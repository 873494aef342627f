//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
)

// A doubleCase is an operation with operands or a result of type f64, as a function of the bits of its operands.
type doubleCase struct {
	name string
	body string // from the bits %0, %1, %2, also as the numbers %3, %4, %5, to the bits %9
	want func(x, y, z uint64) uint64
}

// skipped is the result of operands for which an operation is not defined.
const skipped = 0x7ff4_dead_dead_dead

// doubleCases returns every operation with operands or a result of type f64.
func doubleCases() []doubleCase {
	bits, number := math.Float64bits, math.Float64frombits
	var all []doubleCase
	same := func(o scalar.Op, f func(x, y, z float64) float64) {
		args := strings.Join([]string{"%3", "%4", "%5"}[:o.Args()], ", ")
		all = append(all, doubleCase{o.String(), fmt.Sprintf("%%6 = %v f64 %s\n%%9 = bitcast u64 %%6", o, args), func(x, y, z uint64) uint64 { return bits(f(number(x), number(y), number(z))) }})
	}
	same(scalar.OpAdd, func(x, y, _ float64) float64 { return x + y })
	same(scalar.OpSub, func(x, y, _ float64) float64 { return x - y })
	same(scalar.OpMul, func(x, y, _ float64) float64 { return x * y })
	same(scalar.OpDiv, func(x, y, _ float64) float64 { return x / y })
	same(scalar.OpFMA, math.FMA)
	same(scalar.OpNeg, func(x, _, _ float64) float64 { return math.Copysign(x, -math.Copysign(1, x)) })
	same(scalar.OpAbs, func(x, _, _ float64) float64 { return math.Abs(x) })
	same(scalar.OpMin, func(x, y, _ float64) float64 { return min(x, y) })
	same(scalar.OpMax, func(x, y, _ float64) float64 { return max(x, y) })
	same(scalar.OpSqrt, func(x, _, _ float64) float64 { return math.Sqrt(x) })
	same(scalar.OpFloor, func(x, _, _ float64) float64 { return math.Floor(x) })
	same(scalar.OpCeil, func(x, _, _ float64) float64 { return math.Ceil(x) })
	same(scalar.OpTrunc, func(x, _, _ float64) float64 { return math.Trunc(x) })
	same(scalar.OpRint, func(x, _, _ float64) float64 { return math.RoundToEven(x) })
	all = append(all, doubleCase{"canon", "%6 = canon f64 %3\n%9 = bitcast u64 %6", func(x, _, _ uint64) uint64 {
		if number(x) != number(x) {
			return scalar.NaNBits64
		}
		return x
	}})
	all = append(all, doubleCase{"scale", "%6 = const u64 0xfff\n%7 = and u64 %1, %6\n%8 = const i64 0x7fc\n%10 = bitcast i64 %7\n%11 = sub i64 %10, %8\n%12 = convert f64 %11\n%13 = scale f64 %3, %12\n%9 = bitcast u64 %13", func(x, y, _ uint64) uint64 {
		n := int(y&0xfff) - 0x7fc
		part := math.Abs(math.Ldexp(number(x), n>>1))
		if n > 2044 || n != 0 && x<<1 != 0 && part < 0x1p-1022 {
			return skipped
		}
		return bits(math.Ldexp(number(x), n))
	}})
	compare := func(o scalar.Op, f func(x, y float64) bool) {
		all = append(all, doubleCase{o.String(), fmt.Sprintf("%%6 = %v bool %%3, %%4\n%%9 = convert u64 %%6", o), func(x, y, _ uint64) uint64 {
			if f(number(x), number(y)) {
				return 1
			}
			return 0
		}})
	}
	compare(scalar.OpEq, func(x, y float64) bool { return x == y })
	compare(scalar.OpNe, func(x, y float64) bool { return x != y })
	compare(scalar.OpLt, func(x, y float64) bool { return x < y })
	compare(scalar.OpLe, func(x, y float64) bool { return x <= y })
	choose := func(o scalar.Op) {
		all = append(all, doubleCase{o.String(), fmt.Sprintf("%%6 = lt bool %%3, %%4\n%%7 = %v f64 %%6, %%5, %%3\n%%9 = bitcast u64 %%7", o), func(x, y, z uint64) uint64 {
			if number(x) < number(y) {
				return z
			}
			return x
		}})
	}
	choose(scalar.OpSelect)
	choose(scalar.OpRare)
	for typ := scalar.I8; typ <= scalar.U64; typ++ {
		width := typ.Bits()
		narrow, widen := fmt.Sprintf("%%6 = convert %v %%0", typ), fmt.Sprintf("%%6 = convert %v %%3\n%%9 = convert u64 %%6", typ)
		if typ == scalar.U64 { // conversions to the same type are no operation
			narrow, widen = "%6 = or u64 %0, %0", "%9 = convert u64 %3"
		}
		all = append(all, doubleCase{fmt.Sprintf("f64 of %v", typ), narrow + "\n%7 = convert f64 %6\n%9 = bitcast u64 %7", func(x, _, _ uint64) uint64 {
			if typ.IsSigned() {
				return bits(float64(int64(x<<(64-width)) >> (64 - width)))
			}
			return bits(float64(x << (64 - width) >> (64 - width)))
		}}, doubleCase{fmt.Sprintf("%v of f64", typ), widen, func(x, _, _ uint64) uint64 {
			return saturated(number(x), typ)
		}})
	}
	all = append(all, doubleCase{"f64 of bool", "%6 = lt bool %3, %4\n%7 = convert f64 %6\n%9 = bitcast u64 %7", func(x, y, _ uint64) uint64 {
		if number(x) < number(y) {
			return bits(1)
		}
		return 0
	}}, doubleCase{"f64 of f32", "%6 = convert u32 %0\n%7 = bitcast f32 %6\n%8 = convert f64 %7\n%9 = bitcast u64 %8", func(x, _, _ uint64) uint64 {
		return bits(float64(math.Float32frombits(uint32(x))))
	}}, doubleCase{"f32 of f64", "%6 = convert f32 %3\n%7 = canon f32 %6\n%8 = bitcast u32 %7\n%9 = convert u64 %8", func(x, _, _ uint64) uint64 {
		if number(x) != number(x) {
			return scalar.NaNBits32
		}
		return uint64(math.Float32bits(float32(number(x))))
	}})
	return all
}

// saturated returns x without its fraction as the nearest number of an integer type, with the sign extended.
func saturated(x float64, t scalar.Type) uint64 {
	low, high := 0.0, math.Ldexp(1, t.Bits())
	if t.IsSigned() {
		low, high = -high/2, high/2
	}
	switch {
	case x != x:
		return 0
	case x >= high && t.IsSigned():
		return 1<<(t.Bits()-1) - 1
	case x >= high:
		return ^uint64(0) >> (64 - t.Bits())
	case x <= low:
		return uint64(int64(low))
	case t.IsSigned():
		return uint64(int64(x))
	}
	return uint64(x)
}

// drawDouble returns the bits of a number of one of many kinds: of any exponent, special, subnormal, with few
// bits, between two integers, near the middle between two f32, near an integer type's limits.
func drawDouble(r *rand.Rand) uint64 {
	sign := r.Uint64() & (1 << 63)
	exponent := func(low, n int) uint64 { return uint64(1023+low+r.IntN(n)) << 52 }
	mantissa := r.Uint64() >> 12
	switch r.IntN(9) {
	case 0:
		return r.Uint64()
	case 1:
		special := []float64{0, 1, 2, 0.5, 1.5, 2.5, math.Inf(1), math.NaN(), math.MaxFloat64, math.MaxFloat32, 0x1p-1074, 0x1p-1022, 0x1p-149, 0x1p-126, 0x1p-150, 0x1p52, 0x1p53, 0x1p63, 0x1p64}
		return sign | math.Float64bits(special[r.IntN(len(special))])
	case 2:
		return sign | mantissa>>r.IntN(52) // subnormal
	case 3:
		return sign | exponent(-60, 120) | mantissa&(^uint64(0)<<r.IntN(52))
	case 4:
		return sign | math.Float64bits(float64(r.Uint64()>>(12+r.IntN(52)))+0.5)
	case 5: // from the last bit of a subnormal f32 to above the greatest
		return sign | exponent(-152, 282) | (mantissa&^(1<<29-1) + 1<<28 + uint64(r.IntN(3)) - 1)
	case 6:
		return sign | (math.Float64bits(math.Ldexp(1, []int{7, 8, 15, 16, 31, 32, 63, 64, 52, 53}[r.IntN(10)])) + uint64(r.IntN(5)) - 2)
	case 7:
		return sign | exponent(-1022, 2046) | mantissa
	}
	return sign | exponent(-4, 8) | mantissa
}

// drawOperands returns operands of a sum, product or quotient that cancel, are subnormal or lie between two numbers in
// half of all cases.
func drawOperands(r *rand.Rand) (x, y, z uint64) {
	bits, number := math.Float64bits, math.Float64frombits
	x, y, z = drawDouble(r), drawDouble(r), drawDouble(r)
	near := func(u uint64) uint64 { return u + uint64(r.IntN(5)) - 2 }
	switch r.IntN(10) {
	case 0:
		y = near(x) ^ r.Uint64()&(1<<63)
	case 1:
		z = near(bits(-number(x) * number(y)))
	case 2: // far below or above the last bit of the product
		z = bits(math.Ldexp(number(x)*number(y), r.IntN(240)-120)) ^ r.Uint64()&(1<<63)
	case 3: // a product that is subnormal
		y = bits(math.Ldexp(number(y), -1030-math.Ilogb(number(x))-math.Ilogb(number(y))-r.IntN(48)))
	case 4: // a quotient that is subnormal
		y = bits(math.Ldexp(number(y), 1030+math.Ilogb(number(x))-math.Ilogb(number(y))+r.IntN(48)))
	}
	return x, y, z
}

// f64 computed in integers has the bits of f64, for every operation and a million triples of operands, fewer with -short.
func TestDoublesInIntegers(t *testing.T) {
	d := opened(t)
	d.doubles = false
	const n = 1 << 16
	cases, rounds := doubleCases(), 16
	if testing.Short() {
		rounds = 2
	}
	var fs []*simt.Func
	for _, c := range cases {
		fs = append(fs, lowered(t, fmt.Sprintf(`kernel k(in x u64[%[1]d], in y u64[%[1]d], in z u64[%[1]d], out w u64[%[1]d]) {
vector a0<%[1]d {
%%0 = load u64 x[a0<%[1]d]
%%1 = load u64 y[a0<%[1]d]
%%2 = load u64 z[a0<%[1]d]
%%3 = bitcast f64 %%0
%%4 = bitcast f64 %%1
%%5 = bitcast f64 %%2
%[2]s
store w[a0<%[1]d], %%9
}
}`, n, c.body), c.name, ""))
	}
	code, err := d.Build(fs)
	if err != nil {
		t.Fatal(err)
	}
	var memory [4]device.Place
	for i := range memory {
		m, err := d.Alloc(8 * n)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Free(m)
		memory[i].Memory = m
	}
	r := rand.New(rand.NewPCG(1, 64))
	operands, got := [3][]uint64{make([]uint64, n), make([]uint64, n), make([]uint64, n)}, make([]byte, 8*n)
	for range rounds {
		for i := range n {
			operands[0][i], operands[1][i], operands[2][i] = drawOperands(r)
		}
		for i, o := range operands {
			if err := d.Write(memory[i].Memory, 0, littleEndian(o)); err != nil {
				t.Fatal(err)
			}
		}
		for k, c := range cases {
			if err := d.Launch(code.Kernels[k], (n+fs[k].Threads-1)/fs[k].Threads, memory[:], nil); err != nil {
				t.Fatal(err)
			}
			readComputed(t, d, got, memory[3].Memory)
			bad := 0
			for i := range n {
				x, y, z := operands[0][i], operands[1][i], operands[2][i]
				g, w := binary.LittleEndian.Uint64(got[8*i:]), c.want(x, y, z)
				bothNaN := math.IsNaN(math.Float64frombits(g)) && math.IsNaN(math.Float64frombits(w))
				if g != w && w != skipped && (!bothNaN || c.name == "canon") {
					if bad++; bad <= 3 {
						t.Errorf("%s of %#x, %#x, %#x: got %#x, want %#x", c.name, x, y, z, g, w)
					}
				}
			}
			if bad > 0 {
				t.Errorf("%s: %d of %d results differ", c.name, bad, n)
			}
		}
	}
}

func littleEndian(words []uint64) []byte {
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}
