package irpass_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// softmaxText returns a kernel with the exponentials of the rows of x less their greatest number, and the sums of
// the exponentials. number writes constants, lo and hi bound the argument of exp.
func softmaxText(t scalar.Type, rows, n int, lo, hi float64, log2e, magic, hi2, lo2 float64, greatest string) string {
	number := func(x float64) string {
		if t == scalar.F32 {
			return fmt.Sprintf("%#x", math.Float32bits(float32(x)))
		}
		return fmt.Sprintf("%#x", math.Float64bits(x))
	}
	return strings.NewReplacer("@TWO", number(2), "@T", t.String(), "@ALL", fmt.Sprint(rows*n), "@ROWS", fmt.Sprint(rows), "@N", fmt.Sprint(n),
		"@LOG2E", number(log2e), "@LO", number(lo), "@HI", number(hi), "@MAGIC", number(magic), "@H2", number(hi2), "@L2", number(lo2),
		"@ONE", number(1), "@HALF", number(0.5), "@SIXTH", number(1.0/6), "@GREATEST", greatest).Replace(
		`kernel k(in b0 @T[@ALL], out b1 @T[@ALL], out b2 @T[@ROWS]) grid a0<@ROWS {
  %0 = const @T @TWO
  reduce any a1<@N {
    %1 = load @T b0[a1+@N*a0<@ALL]
    %2 = mul @T %1, %0
    %3 = canon @T %2
  } fold %4 = max %3
  %5 = @GREATEST
  %6 = const @T @LO
  %7 = const @T @HI
  %8 = const @T @LOG2E
  %9 = const @T @MAGIC
  %10 = const @T @H2
  %11 = const @T @L2
  %12 = const @T @SIXTH
  %13 = const @T @HALF
  %14 = const @T @ONE
  vector a2<@N {
    %15 = load @T b0[a2+@N*a0<@ALL]
    %16 = mul @T %15, %0
    %17 = sub @T %16, %5
    %18 = lt bool %17, %6
    %19 = select @T %18, %6, %17
    %20 = lt bool %7, %19
    %21 = select @T %20, %7, %19
    %22 = fma @T %21, %8, %9
    %23 = sub @T %22, %9
    %24 = fma @T %23, %10, %21
    %25 = fma @T %23, %11, %24
    %26 = fma @T %12, %25, %13
    %27 = fma @T %26, %25, %14
    %28 = fma @T %27, %25, %14
    %29 = scale @T %28, %23
    %30 = canon @T %29
    store b1[a2+@N*a0<@ALL], %30
  }
  reduce lanes 32 a3<@N {
    %31 = load @T b0[a3+@N*a0<@ALL]
    %32 = mul @T %31, %0
    %33 = sub @T %32, %5
    %34 = lt bool %33, %6
    %35 = select @T %34, %6, %33
    %36 = lt bool %7, %35
    %37 = select @T %36, %7, %35
    %38 = fma @T %37, %8, %9
    %39 = sub @T %38, %9
    %40 = fma @T %39, %10, %37
    %41 = fma @T %39, %11, %40
    %42 = fma @T %13, %41, %14
    %43 = fma @T %42, %41, %14
    %44 = scale @T %43, %39
  } fold %45 = sum %44
  %46 = canon @T %45
  store b2[a0<@ROWS], %46
}`)
}

// Exponentials less the greatest number have the same bits with and without the pass: also where they are
// subnormal or 0, and in rows with NaNs of any bits and with infinities. Other exponentials have the same bits on machines
// that multiply by powers of two, where no power makes a result that is not normal.
func TestShifted(t *testing.T) {
	const rows, n = 8, 96
	for _, typ := range []scalar.Type{scalar.F32, scalar.F64} {
		greatest := "canon " + typ.String() + " %4"
		text := softmaxText(typ, rows, n, -104, 89, math.Log2E, 0x1.8p23, -0x1.62e43p-1, 0x1.05c61p-29, greatest)
		lanes, least := "lanes 64", 104.0
		if typ == scalar.F64 {
			text = softmaxText(typ, rows, n, -746, 710, math.Log2E, 0x1.8p52, -0x1.62e42fefa39efp-1, -0x1.abc9e3b39803fp-56, greatest)
			lanes, least = "lanes 32", 746
		}
		text = strings.Replace(text, "lanes 32", lanes, 1)
		k := parsed(t, text)
		q := irpass.Shifted(k, false)
		if strings.Contains(q.String(), "scale") || strings.Count(q.String(), "rare") != 2 {
			t.Errorf("%v: %v", typ, q)
		}
		if k.String() != parsed(t, text).String() {
			t.Error("Shifted changed its argument")
		}
		r := rand.New(rand.NewPCG(1, 2))
		in := make([]float64, rows*n)
		for i := range in {
			switch row := i / n; row {
			case 0:
				in[i] = r.NormFloat64()
			default:
				in[i] = -least / 2 * 1.02 * r.Float64() // the kernel doubles it
			}
		}
		inf := math.Inf(1)
		in[2*n+3], in[3*n+4], in[3*n+5], in[4*n+6] = math.NaN(), inf, -inf, -inf
		for i := range n {
			in[5*n+i], in[6*n+i] = -inf, -in[6*n+i]
			in[7*n+i] = -1e30 * float64(i)
		}
		memories := func() [][]byte {
			m := memory(k)
			for i, x := range in {
				if typ == scalar.F32 {
					binary.LittleEndian.PutUint32(m[0][4*i:], math.Float32bits(float32(x)))
				} else {
					binary.LittleEndian.PutUint64(m[0][8*i:], math.Float64bits(x))
				}
			}
			if typ == scalar.F32 { // a NaN with all bits that addition to the exponent could disturb
				binary.LittleEndian.PutUint32(m[0][4*(n+1):], 0x7fc001ff)
			}
			return m
		}
		other := parsed(t, strings.Replace(text, "%5 = "+greatest, "%5 = const "+typ.String()+" 0x0", 1))
		scaled, otherScaled := irpass.Shifted(k, true), irpass.Shifted(other, true)
		for q, rares := range map[*ir.Kernel]int{scaled: 4, otherScaled: 2} {
			if strings.Count(q.String(), "scale") != 4 || strings.Count(q.String(), "rare") != rares {
				t.Errorf("%v: %v", typ, q)
			}
		}
		for _, c := range [][2]*ir.Kernel{{k, q}, {k, scaled}, {other, otherScaled}} {
			want, got := memories(), memories()
			run(t, c[0], want)
			run(t, c[1], got)
			for i := range want {
				if !bytes.Equal(want[i], got[i]) {
					t.Errorf("%v: buffer %d differs: %v", typ, i, c[1])
				}
			}
		}
	}
}

// What is not less than the greatest of the same numbers keeps its bounds.
func TestShiftedRefuses(t *testing.T) {
	good := strings.ReplaceAll(softmaxText(scalar.F32, 8, 96, -104, 89, math.Log2E, 0x1.8p23, -0x1.62e43p-1, 0x1.05c61p-29, "canon f32 %4"), "lanes 32", "lanes 64")
	for name, edit := range map[string][2]string{
		"the least":         {"fold %4 = max", "fold %4 = min"},
		"other numbers":     {"%16 = mul f32 %15, %0", "%16 = add f32 %15, %0"},
		"another row":       {"%1 = load f32 b0[a1+96*a0<768]", "%1 = load f32 b0[clamp 1+a1+96*a0<768]"},
		"half of the row":   {"reduce any a1<96", "reduce any a1<95"},
		"another threshold": {"0xc2d00000", "0xc3d00000"},
		"less than it":      {"%5 = canon f32 %4", "%5 = neg f32 %4"},
	} {
		text := strings.Replace(good, edit[0], edit[1], 1)
		if text == good {
			t.Fatal(name)
		}
		if q := irpass.Shifted(parsed(t, text), false); !strings.Contains(q.String(), "scale") {
			t.Errorf("%s: %v", name, q)
		}
	}
	if k := parsed(t, good); irpass.Shifted(k, false) == k {
		t.Error("the kernel that is edited is refused")
	}
	if k := parsed(t, strings.Replace(good, "%5 = canon f32 %4", "%5 = max f32 %4, %0", 1)); irpass.Shifted(k, false) == k {
		t.Error("the greater of the greatest and a constant is refused")
	}
	// Numbers made of the bits of NaNs: those of canonical NaNs are not the greatest.
	bits := strings.Replace(good, "%2 = mul f32 %1, %0\n    %3 = canon f32 %2", "%60 = canon f32 %1\n    %2 = bitcast i32 %60\n    %3 = convert f32 %2", 1)
	bits = strings.Replace(bits, "%16 = mul f32 %15, %0", "%61 = bitcast i32 %15\n    %16 = convert f32 %61", 1)
	if q := irpass.Shifted(parsed(t, bits), false); strings.Contains(q.String(), "rare") {
		t.Errorf("bits of NaNs: %v", q)
	}
	if q := irpass.Shifted(parsed(t, strings.Replace(bits, "bitcast i32 %60", "bitcast i32 %1", 1)), false); !strings.Contains(q.String(), "rare") {
		t.Error("the same bits are refused")
	}
}
