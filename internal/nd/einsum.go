package nd

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Einsum returns a sum of products in Einstein's notation: "ij,jk->ik" is the product of
// matrices. Letters name axes; a letter that the result does not have is summed
// over; "..." stands for axes that broadcast. Without an arrow the result has the
// letters that come once, in alphabetical order. Of more than two operands the pair
// with the smallest product is contracted first.
func Einsum(subscripts string, xs ...core.Value) core.Value {
	vs := promoteAll("Einsum", xs)
	e := parseEinsum(subscripts, vs)
	parts := make([]labeled, len(vs))
	for i, v := range vs {
		parts[i] = labeled{v, e.in[i]}.diagonals()
	}
	for len(parts) > 1 {
		i, j := e.cheapest(parts)
		rest := slices.Delete(slices.Clone(parts), j, j+1)
		rest = slices.Delete(rest, i, i+1)
		parts = append(rest, e.contract(parts[i], parts[j], rest))
	}
	last := parts[0].sumExcept(e.out)
	perm := make([]int, len(e.out))
	for i, l := range e.out {
		perm[i] = slices.Index(last.labels, l)
	}
	return Permute(last.v, perm)
}

// labelled is an operand whose axes have names.
type labeled struct {
	v      core.Value
	labels []rune
}

type einsum struct {
	in  [][]rune
	out []rune
}

// parseEinsum reads subscripts. The axes of an ellipsis are called by numbers, from
// the last one.
func parseEinsum(s string, vs []core.Value) einsum {
	avals := core.AvalsOf(vs)
	fail := func(format string, args ...any) {
		core.FailOp(core.ErrShape, "Einsum", avals, "the subscripts %q: "+format, append([]any{s}, args...)...)
	}
	for _, c := range s {
		if c >= utf8.RuneSelf {
			fail("%q is no letter that names an axis; those are a to z and A to Z, and the arrow is ->", string(c))
		}
	}
	text := strings.ReplaceAll(s, " ", "")
	left, right, explicit := strings.Cut(text, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(vs) {
		fail("there are terms for %s, got %d", core.Count(len(terms), "operand"), len(vs))
	}
	read := func(term string, dots int) []rune {
		var out []rune
		seen := false
		for i := 0; i < len(term); {
			c := term[i]
			switch {
			case strings.HasPrefix(term[i:], "...") && !seen:
				seen = true
				for k := range max(dots, 0) {
					out = append(out, rune(dots-k))
				}
				i += 3
			case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
				out = append(out, rune(c))
				i++
			default:
				fail("%q is no letter", string(c))
			}
		}
		if dots > 0 && !seen {
			fail("the term %q names %s fewer than its operand has", term, core.Count(dots, "axis"))
		}
		return out
	}
	var e einsum
	most := 0
	for i, t := range terms {
		letters := len(strings.Replace(t, "...", "", 1))
		dots := avals[i].Rank() - letters
		if dots < 0 || dots > 0 && !strings.Contains(t, "...") {
			fail("the term %q names %s, its operand %v has %d", t, core.Count(letters, "axis"), avals[i].Full(), avals[i].Rank())
		}
		e.in = append(e.in, read(t, dots))
		most = max(most, dots)
	}
	count := map[rune]int{}
	size := map[rune]int{}
	for i, labels := range e.in {
		for k, l := range labels {
			count[l]++
			n := avals[i].Shape.At(k)
			if old, ok := size[l]; ok && old != n && old != 1 && n != 1 {
				fail("the axis %s has %s in one operand and %d in another; make them equal", axisName(l), core.Count(old, "element"), n)
			}
			size[l] = max(size[l], n)
		}
	}
	if explicit {
		dots := 0
		if strings.Contains(right, "...") {
			dots = most
		}
		e.out = read(right, dots)
		for i, l := range e.out {
			if count[l] == 0 {
				fail("the result's axis %s is in no operand; name axes of the operands only", axisName(l))
			}
			if slices.Contains(e.out[:i], l) {
				fail("the result has the axis %s twice", axisName(l))
			}
		}
		return e
	}
	for k := range most {
		e.out = append(e.out, rune(most-k))
	}
	var once []rune
	for l, n := range count {
		if n == 1 && l >= 'A' {
			once = append(once, l)
		}
	}
	slices.Sort(once)
	e.out = append(e.out, once...)
	return e
}

func axisName(l rune) string {
	if l < 'A' {
		return "..."
	}
	return string(l)
}

// diagonals takes the diagonal where an operand names an axis twice.
func (x labeled) diagonals() labeled {
	for i := 0; i < len(x.labels); i++ {
		j := slices.Index(x.labels[:i], x.labels[i])
		if j < 0 {
			continue
		}
		a := x.v.Aval()
		if a.Shape.At(i) != a.Shape.At(j) {
			core.FailOp(core.ErrShape, "Einsum", []core.ShapedArray{a}, "%v has no diagonal along axes %d and %d, which differ in size; use distinct letters", a.Full(), j, i)
		}
		on := prim.Eq(prim.Iota(core.Int32, a.Shape, i), prim.Iota(core.Int32, a.Shape, j))
		x.v = sumAxes(Choose(on, x.v, FillLike(Num(x.v, 0), x.v)), core.MakeDims(i))
		x.labels = slices.Delete(slices.Clone(x.labels), i, i+1)
		i--
	}
	return x
}

// sumAxes sums, or finds out whether any holds.
func sumAxes(v core.Value, dims core.Dims) core.Value {
	if dims.Len() == 0 {
		return v
	}
	if IsBool(v) {
		return prim.ReduceOr(v, dims)
	}
	return prim.ReduceSum(v, dims)
}

// sumExcept sums over the axes that are not wanted.
func (x labeled) sumExcept(want []rune) labeled {
	var dims []int
	var keep []rune
	for i, l := range x.labels {
		if slices.Contains(want, l) {
			keep = append(keep, l)
		} else {
			dims = append(dims, i)
		}
	}
	return labeled{sumAxes(x.v, core.MakeDims(dims...)), keep}
}

// without drops an axis of size 1.
func (x labeled) without(l rune) labeled {
	i := slices.Index(x.labels, l)
	return labeled{prim.Squeeze(x.v, core.MakeDims(i)), slices.Delete(slices.Clone(x.labels), i, i+1)}
}

func (x labeled) size(l rune) int { return x.v.Aval().Shape.At(slices.Index(x.labels, l)) }

// wanted returns the axes that are needed after x and y are contracted.
func (e *einsum) wanted(rest []labeled) []rune {
	w := slices.Clone(e.out)
	for _, r := range rest {
		w = append(w, r.labels...)
	}
	return w
}

// cheapest returns the pair whose product has the fewest elements.
func (e *einsum) cheapest(parts []labeled) (int, int) {
	bi, bj, best := 0, 1, -1.
	for i := range parts {
		for j := i + 1; j < len(parts); j++ {
			var rest []labeled
			for k, p := range parts {
				if k != i && k != j {
					rest = append(rest, p)
				}
			}
			want := e.wanted(rest)
			n := 1.
			for k, p := range []labeled{parts[i], parts[j]} {
				for _, l := range p.labels {
					if slices.Contains(want, l) && (k == 0 || !slices.Contains(parts[i].labels, l)) {
						n *= float64(p.size(l))
					}
				}
			}
			if best < 0 || n < best {
				bi, bj, best = i, j, n
			}
		}
	}
	return bi, bj
}

// contract multiplies x and y and sums over the axes that nothing else needs.
func (e *einsum) contract(x, y labeled, rest []labeled) labeled {
	want := e.wanted(rest)
	x, y = x.sumExcept(append(slices.Clone(want), y.labels...)), y.sumExcept(append(slices.Clone(want), x.labels...))
	// An axis of size 1 broadcasts: the other operand has it alone.
	for _, l := range slices.Clone(x.labels) {
		if slices.Contains(y.labels, l) && x.size(l) != y.size(l) {
			if x.size(l) == 1 {
				x = x.without(l)
			} else {
				y = y.without(l)
			}
		}
	}
	x, y = x.sumExcept(append(slices.Clone(want), y.labels...)), y.sumExcept(append(slices.Clone(want), x.labels...))
	var p prim.DotGeneralP
	var lb, rb, lc, rc []int
	var labels, freeX, freeY []rune
	for i, l := range x.labels {
		j := slices.Index(y.labels, l)
		switch {
		case j < 0:
			freeX = append(freeX, l)
		case slices.Contains(want, l):
			lb, rb, labels = append(lb, i), append(rb, j), append(labels, l)
		default:
			lc, rc = append(lc, i), append(rc, j)
		}
	}
	for _, l := range y.labels {
		if !slices.Contains(x.labels, l) {
			freeY = append(freeY, l)
		}
	}
	p.LhsBatch, p.RhsBatch = core.MakeDims(lb...), core.MakeDims(rb...)
	p.LhsContract, p.RhsContract = core.MakeDims(lc...), core.MakeDims(rc...)
	return labeled{product(x.v, y.v, p), slices.Concat(labels, freeX, freeY)}
}
