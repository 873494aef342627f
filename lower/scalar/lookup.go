package scalar

import (
	"fmt"
	"math"
	"slices"
)

// MaxTable is the greatest number of entries of a table: the number of f32 in two vector registers of 64 bytes.
const MaxTable = 32

// A Table is a constant table of numbers of four or eight bytes, which OpLookup reads. The
// number of entries is a power of two.
type Table struct {
	Type Type
	Bits []uint64 // of the entries
}

// FloatTable returns a table of the numbers x, rounded to t.
func FloatTable(t Type, x ...float64) Table {
	bits := make([]uint64, len(x))
	for i, v := range x {
		if t == F32 {
			bits[i] = uint64(math.Float32bits(float32(v)))
		} else {
			bits[i] = math.Float64bits(v)
		}
	}
	return Table{t, bits}
}

// At returns the bits of the entry whose index is in the low bits of i.
func (t Table) At(i uint64) uint64 { return t.Bits[i&uint64(len(t.Bits)-1)] }

// Check reports what is wrong with the table.
func (t Table) Check() error {
	if n := len(t.Bits); n == 0 || n > MaxTable || n&(n-1) != 0 {
		return fmt.Errorf("table has the wrong length (got %d entries, want a power of two up to %d); fill it up", n, MaxTable)
	}
	if s := t.Type; int(s) >= NumTypes || s.Size() < 4 {
		return fmt.Errorf("table has the wrong type (got %v, want a number of four or eight bytes); use such a type", s)
	}
	if t.Type.Size() == 4 {
		for i, b := range t.Bits {
			if b>>32 != 0 {
				return fmt.Errorf("entry %d does not fit %v: %#x; use its bits in the type", i, t.Type, b)
			}
		}
	}
	return nil
}

func (t Table) equal(u Table) bool { return t.Type == u.Type && slices.Equal(t.Bits, u.Bits) }

// Scale32 returns x·2ⁿ rounded once, for integral n of any size; NaN if either is NaN.
func Scale32(x, n float32) float32 {
	b := math.Float32bits(x)
	if n >= -300 && n <= 300 {
		k := int32(n)
		if e := int32(b >> 23 & 0xff); e != 0 && e != 255 && e+k > 0 && e+k < 255 {
			return math.Float32frombits(b + uint32(k)<<23)
		}
		// f64 contains the product, so that the conversion rounds once.
		return float32(float64(x) * math.Float64frombits(uint64(k+1023)<<52))
	}
	return float32(scaleFar(float64(x), float64(n)))
}

// Scale64 returns x·2ⁿ rounded once, for integral n of any size; NaN if either is NaN.
func Scale64(x, n float64) float64 {
	b := math.Float64bits(x)
	if n >= -2200 && n <= 2200 {
		k := int64(n)
		if e := int64(b >> 52 & 0x7ff); e != 0 && e != 2047 && e+k > 0 && e+k < 2047 {
			return math.Float64frombits(b + uint64(k)<<52)
		}
		return math.Ldexp(x, int(k))
	}
	return scaleFar(x, n)
}

// scaleFar returns x·2ⁿ for |n| so large that a finite x becomes zero or infinity. Zero and
// infinity stay.
func scaleFar(x, n float64) float64 {
	switch {
	case n != n || x != x:
		return math.NaN()
	case x == 0 || math.IsInf(x, 0):
		return x
	case n > 0:
		return math.Copysign(math.Inf(1), x)
	}
	return math.Copysign(0, x)
}
