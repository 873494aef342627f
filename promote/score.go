package promote

import (
	"math"

	"github.com/weft-go/weft/core"
)

// Score counts violations of what the design document requires of a promotion, over the pairs of
// different strong types; the last two count all pairs.
type Score struct {
	Wider     []Cell // the result is wider than both operands
	Overflow  []Cell // an operand has finite values beyond the range of the result
	Precision []Cell // an operand has more digits than the result
	Dropped   []Cell // an imaginary part or a fraction is lost
	Ambiguous int
	Undefined int
}

// Cell is a pair and its result.
type Cell struct{ Row, Col, Result string }

// Counts returns the six numbers: wider, overflow, precision, dropped, ambiguous,
// undefined.
func (s *Score) Counts() [6]int {
	core.RequireReceiver("promote.Score.Counts", s == nil)
	return [6]int{len(s.Wider), len(s.Overflow), len(s.Precision), len(s.Dropped), s.Ambiguous, s.Undefined}
}

// ScoreOf scores a table whose elements are types; it is nil for others. A pair
// counts once even if its two orders differ.
func ScoreOf(a *Algebra) *Score {
	s := &Score{}
	types := make([]Type, len(a.names))
	for i, n := range a.names {
		t, ok := ParseType(n)
		if !ok && len(n) > 1 && n[len(n)-1] == '?' {
			t, ok = ParseType(n[:len(n)-1])
			t.Weak = true
		}
		if !ok {
			return nil
		}
		types[i] = t
	}
	for i := range a.n {
		for j := i + 1; j < a.n; j++ {
			s.pair(a, types, i, j)
		}
	}
	return s
}

func (s *Score) pair(a *Algebra, types []Type, i, j int) {
	var wider, over, prec, drop bool
	var result int
	for _, k := range []int{a.at(i, j), a.at(j, i)} {
		switch {
		case k == ambiguous:
			s.Ambiguous++
			return
		case k < 0:
			s.Undefined++
			return
		}
		if result = k; types[i].Weak || types[j].Weak || types[k].Weak {
			continue
		}
		x, y, z := types[i].DType, types[j].DType, types[k].DType
		wider = wider || formatOf(z).bits > max(formatOf(x).bits, formatOf(y).bits)
		for _, in := range []core.DType{x, y} {
			l := LossOf(in, z)
			over, prec, drop = over || l.Overflow, prec || l.Precision, drop || l.Dropped
		}
	}
	c := Cell{a.names[i], a.names[j], a.names[result]}
	for _, x := range []struct {
		bad  bool
		list *[]Cell
	}{{wider, &s.Wider}, {over, &s.Overflow}, {prec, &s.Precision}, {drop, &s.Dropped}} {
		if x.bad {
			*x.list = append(*x.list, c)
		}
	}
}

// Loss is what values of one type can lose on becoming values of another.
type Loss struct {
	Overflow  bool // finite values that the other does not reach
	Precision bool // digits
	Dropped   bool // an imaginary part or a fraction
}

// LossOf returns the loss of going from one element type to another.
func LossOf(from, to core.DType) Loss {
	x, z := formatOf(from), formatOf(to)
	return Loss{
		Overflow:  x.max > z.max || x.negative && !z.negative,
		Precision: x.digits > z.digits,
		Dropped:   x.complex && !z.complex || x.fraction && !z.fraction,
	}
}

// format is what a type can hold; of a complex type, in each component.
type format struct {
	bits, digits                int // digits are binary
	max                         float64
	negative, fraction, complex bool
}

func formatOf(d core.DType) format {
	switch {
	case d.IsBool():
		return format{1, 1, 1, false, false, false}
	case d == Index || d == Address:
		d = core.Uint64
	case d == core.Complex64 || d == core.Complex128:
		f := formatOf(d.Real())
		f.complex = true
		return f
	case d == Complex32:
		f := formatOf(core.Float16)
		f.complex = true
		return f
	}
	if d.IsUnsigned() {
		return format{d.Bits(), d.Bits(), math.Ldexp(1, d.Bits()) - 1, false, false, false}
	}
	if d.IsSigned() {
		return format{d.Bits(), d.Bits() - 1, math.Ldexp(1, d.Bits()-1) - 1, true, false, false}
	}
	f := floats[d]
	return format{f.bits, f.digits, f.max, d != core.Float8E8M0FNU, true, false}
}

// floats lists the bits, the binary digits with the hidden one, and the largest finite value of
// floating types.
var floats = map[core.DType]struct {
	bits, digits int
	max          float64
}{
	core.Float4E2M1FN:      {4, 2, 6},
	core.Float6E2M3FN:      {6, 4, 7.5},
	core.Float6E3M2FN:      {6, 3, 28},
	core.Float8E3M4:        {8, 5, 15.5},
	core.Float8E4M3:        {8, 4, 240},
	core.Float8E4M3B11FNUZ: {8, 4, 30},
	core.Float8E4M3FN:      {8, 4, 448},
	core.Float8E4M3FNUZ:    {8, 4, 240},
	core.Float8E5M2:        {8, 3, 57344},
	core.Float8E5M2FNUZ:    {8, 3, 57344},
	core.Float8E8M0FNU:     {8, 1, 0x1p127},
	core.BFloat16:          {16, 8, 0x1.fep127},
	core.Float16:           {16, 11, 65504},
	TF32:                   {19, 11, 0x1.ffcp127},
	core.Float32:           {32, 24, math.MaxFloat32},
	core.Float64:           {64, 53, math.MaxFloat64},
}
