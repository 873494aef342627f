package runtime

import (
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

const (
	lineWidth = 75
	edge      = 3    // elements shown at either end of a long axis
	threshold = 1000 // elements above which an array is shortened
)

// A Style formats numbers of one dtype as texts of equal width.
type Style func(ns []core.Number, dt core.DType) []string

// Text returns the array's elements laid out as NumPy does: columns aligned, long arrays
// shortened. If style is nil, numbers have the fewest digits that distinguish them. For a
// donated array, and for one that cannot be read, it returns a text that says so.
func (a *Array) Text(style Style) string {
	t := a.Aval()
	if !a.hold() {
		return "Donated<" + t.Full() + ">"
	}
	defer a.drop()
	if t.Size() == 0 {
		return "[]"
	}
	a, err := a.onHost(Context())
	if err != nil {
		return "Unreadable<" + t.Full() + ">(" + err.Error() + ")"
	}
	if _, ok := a.at(0); !ok {
		return t.String()
	}
	l := &layouter{a: a, dims: t.Shape.Ints(), short: t.Size() > threshold}
	l.collect(0, 0)
	switch {
	case style == nil && t.Rank() == 0 && t.DType.IsInexact():
		return scalarText(l.shown[0], t.DType)
	case style == nil && t.Rank() == 0:
		return strings.TrimSpace(shortest(l.shown, t.DType)[0])
	case style == nil:
		style = shortest
	}
	l.texts = style(l.shown, t.DType)
	if t.Rank() == 0 {
		return l.texts[0]
	}
	l.nest(0)
	return l.out.String()
}

// layouter nests elements in brackets and wraps lines.
type layouter struct {
	a     *Array
	dims  []int
	short bool
	shown []core.Number // the elements that are shown, in order
	texts []string
	out   strings.Builder
}

// ends returns how many elements of an axis are shown before and after the dots; no
// dots if before is 0.
func (l *layouter) ends(axis int) (before, after int) {
	if n := l.dims[axis]; l.short && n > 2*edge {
		return edge, edge
	} else {
		return 0, n
	}
}

func (l *layouter) collect(axis, at int) {
	if axis == len(l.dims) {
		n, _ := l.a.at(at)
		l.shown = append(l.shown, n)
		return
	}
	before, after := l.ends(axis)
	n := l.dims[axis]
	for i := range n {
		if i < before || i >= n-after {
			l.collect(axis+1, at*n+i)
		}
	}
}

func (l *layouter) next() string {
	t := l.texts[0]
	l.texts = l.texts[1:]
	return t
}

// nest writes the elements below an axis in brackets. Lines after the first begin with a space
// for each bracket that is open.
func (l *layouter) nest(axis int) {
	before, after := l.ends(axis)
	l.out.WriteByte('[')
	if axis == len(l.dims)-1 {
		l.wrap(before, after, axis+1)
	} else {
		next := func() {
			l.fill('\n', len(l.dims)-1-axis)
			l.fill(' ', axis+1)
		}
		for i := range before + after {
			if i > 0 {
				next()
			}
			if i == before && before > 0 {
				l.out.WriteString("...")
				next()
			}
			l.nest(axis + 1)
		}
	}
	l.out.WriteByte(']')
}

func (l *layouter) fill(b byte, n int) {
	for range n {
		l.out.WriteByte(b)
	}
}

// wrap writes the elements along the last axis in lines that leave room for the closing
// brackets, as many as the opening ones.
func (l *layouter) wrap(before, after, indent int) {
	var line []byte
	put := func(word string, last bool) {
		if len(line)+len(word) > lineWidth-2*indent && len(line) > 0 {
			l.out.WriteString(strings.TrimRight(string(line), " "))
			l.out.WriteByte('\n')
			l.fill(' ', indent)
			line = line[:0]
		}
		line = append(line, word...)
		if !last {
			line = append(line, ' ')
		}
	}
	for range before {
		put(l.next(), false)
	}
	if before > 0 {
		put("...", false)
	}
	for i := range after {
		put(l.next(), i == after-1)
	}
	l.out.Write(line)
}

// shortest writes numbers with the fewest digits that distinguish them, eight after
// the point at most.
func shortest(ns []core.Number, dt core.DType) []string {
	texts := make([]string, len(ns))
	switch {
	case dt.IsBool() || dt.IsInteger():
		for i, n := range ns {
			texts[i] = core.Lit(n, dt).Text()
			if dt.IsBool() && n.Bool() {
				texts[i] = " True" // as wide as False, even if no element is False
			}
		}
		return columns(texts, false)
	}
	re, im := make([]float64, len(ns)), make([]float64, len(ns))
	for i, n := range ns {
		re[i], im[i] = real(n.Complex()), imag(n.Complex())
	}
	texts = alignFloats(re, dt.Real(), false)
	if dt.IsComplex() {
		for i, t := range alignFloats(im, dt.Real(), true) {
			digits := strings.TrimRight(t, " ")
			texts[i] += digits + "j" + t[len(digits):]
		}
	}
	return texts
}

// alignFloats puts numbers under each other at their points, with exponents if a magnitude is too large
// or too small, or they differ too much. If plus is true, numbers that are not negative have the sign +.
func alignFloats(fs []float64, dt core.DType, plus bool) []string {
	texts := make([]string, len(fs))
	lo, hi, finite := math.Inf(1), 0., false
	for _, f := range fs {
		if f = math.Abs(f); !math.IsInf(f, 0) && f == f {
			finite = true
			if f != 0 {
				lo, hi = min(lo, f), max(hi, f)
			}
		}
	}
	cutoff := 1e6
	if dt == core.Float64 {
		cutoff = 1e8
	}
	exp := hi > 0 && (hi >= cutoff || lo < 1e-4 || hi/lo > 1000)
	left, right, expWidth := 0, 0, 0
	type parts struct{ whole, frac, exp string }
	cut := func(s string) (p parts) {
		s, p.exp, _ = strings.Cut(s, "e")
		p.whole, p.frac, _ = strings.Cut(s, ".")
		if plus && !strings.HasPrefix(p.whole, "-") {
			p.whole = "+" + p.whole
		}
		return p
	}
	split := make([]parts, len(fs))
	for i, f := range fs {
		if math.IsInf(f, 0) || f != f {
			continue
		}
		p := cut(digits(f, dt, exp))
		split[i] = p
		left, right, expWidth = max(left, len(p.whole)), max(right, len(p.frac)), max(expWidth, len(p.exp))
	}
	for i, p := range split {
		if exp && p.whole != "" {
			// All mantissas have as many digits as the longest one: their own digits, not zeros.
			split[i] = cut(strconv.FormatFloat(fs[i], 'e', right, 64))
			expWidth = max(expWidth, len(split[i].exp))
		}
	}
	tail := right
	if exp {
		tail += expWidth + 1
	}
	if !finite {
		tail = 0
	}
	special := make([]string, len(fs))
	for i, f := range fs {
		switch {
		case f != f:
			special[i] = "nan"
			if plus {
				special[i] = "+nan"
			}
		case math.IsInf(f, 1):
			special[i] = "inf"
			if plus {
				special[i] = "+inf"
			}
		case math.IsInf(f, -1):
			special[i] = "-inf"
		}
		left = max(left, len(special[i])-tail-1)
	}
	for i := range fs {
		if special[i] != "" {
			texts[i] = strings.Repeat(" ", left+tail+1-len(special[i])) + special[i]
			continue
		}
		p := split[i]
		t := strings.Repeat(" ", left-len(p.whole)) + p.whole + "." + p.frac
		if exp {
			t += "e" + p.exp[:1] + strings.Repeat("0", expWidth-len(p.exp)) + p.exp[1:]
		} else {
			t += strings.Repeat(" ", right-len(p.frac))
		}
		texts[i] = t
	}
	if !finite {
		for i := range texts {
			texts[i] = strings.TrimLeft(texts[i], " ")
		}
		columns(texts, false)
	}
	return texts
}

// digits returns f with the fewest digits that give it back in dt, rounded to eight
// after the point, without trailing zeros but with a point.
func digits(f float64, dt core.DType, exp bool) string {
	verb := byte('f')
	if exp {
		verb = 'e'
	}
	s := brief(f, dt, verb)
	mantissa, e, _ := strings.Cut(s, "e")
	if _, frac, _ := strings.Cut(mantissa, "."); len(frac) > 8 {
		s = strconv.FormatFloat(f, verb, 8, 64)
		mantissa, e, _ = strings.Cut(s, "e")
	}
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(mantissa, "0")
	} else {
		mantissa += "."
	}
	if exp {
		return mantissa + "e" + e
	}
	return mantissa
}

// brief returns the shortest text that reads back as f in dt.
func brief(f float64, dt core.DType, verb byte) string {
	switch {
	case dt == core.Float64:
		return strconv.FormatFloat(f, verb, -1, 64)
	case dt == core.Float32:
		return strconv.FormatFloat(f, verb, -1, 32)
	}
	for p := range 9 {
		s := strconv.FormatFloat(f, 'e', p, 64)
		g, _ := strconv.ParseFloat(s, 64)
		if elem.Round(core.FloatNumber(g), dt).Float() == f {
			return strconv.FormatFloat(g, verb, -1, 64)
		}
	}
	return strconv.FormatFloat(f, verb, -1, 64)
}

// scalarText returns one number alone, as Python writes it.
func scalarText(n core.Number, dt core.DType) string {
	if !dt.IsComplex() {
		return scalarFloat(n.Float(), dt)
	}
	c := n.Complex()
	re, im := strings.TrimSuffix(scalarFloat(real(c), dt.Real()), ".0"), strings.TrimSuffix(scalarFloat(imag(c), dt.Real()), ".0")
	if real(c) == 0 && !math.Signbit(real(c)) {
		return im + "j"
	}
	if im[0] != '-' {
		im = "+" + im
	}
	return "(" + re + im + "j)"
}

func scalarFloat(f float64, dt core.DType) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return brief(f, dt, 'e')
	}
	s := brief(f, dt, 'f')
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
