package nd

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Einsum returns a sum of products in Einstein's notation: "ij,jk->ik" is the product of
// matrices. Letters name axes; a letter that the result does not have is summed over; "..."
// stands for axes that broadcast. Without an arrow the result has the letters that occur once, in
// alphabetical order. With more than two operands, the pair with the smallest product is
// contracted first.
func Einsum(subscripts string, xs ...core.Value) core.Value {
	vs := promoteAll("Einsum", xs)
	e := parseEinsum(subscripts, vs)
	c := contraction{out: e.out, terms: map[rune]int{}}
	for i, v := range vs {
		c.add(labeled{v, e.in[i]}.diagonals())
	}
	last := c.run().sumExcept(e.out)
	perm := make([]int, len(e.out))
	for i, l := range e.out {
		perm[i] = slices.Index(last.labels, l)
	}
	return Permute(last.v, perm)
}

type labeled struct {
	v      core.Value
	labels []rune
}

type einsum struct {
	in  [][]rune
	out []rune
}

// parseEinsum reads subscripts. The axes of an ellipsis are labelled by numbers, from the last axis on.
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
		fail("there are terms for %s, got %d; write one for each operand, separated by commas", core.Count(len(terms), "operand"), len(vs))
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
				fail("%q is no letter; name axes by a to z and A to Z", string(c))
			}
		}
		if dots > 0 && !seen {
			fail("the term %q names %s fewer than its operand has; name all, or write ... for the others", term, core.Count(dots, "axis"))
		}
		return out
	}
	var e einsum
	most := 0
	for i, t := range terms {
		letters := len(strings.Replace(t, "...", "", 1))
		dots := avals[i].Rank() - letters
		if dots < 0 || dots > 0 && !strings.Contains(t, "...") {
			fail("the term %q names %s, its operand %v has %d; name each axis, or write ... for several", t, core.Count(letters, "axis"), avals[i].Full(), avals[i].Rank())
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
				fail("the result has the axis %s twice; name it once", axisName(l))
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

// sumAxes sums; for truth values it reports whether any is true.
func sumAxes(v core.Value, dims core.Dims) core.Value {
	if dims.Len() == 0 {
		return v
	}
	if IsBool(v) {
		return prim.ReduceOr(v, dims)
	}
	return prim.ReduceSum(v, dims)
}

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

func (x labeled) without(l rune) labeled {
	i := slices.Index(x.labels, l)
	return labeled{prim.Squeeze(x.v, core.MakeDims(i)), slices.Delete(slices.Clone(x.labels), i, i+1)}
}

func (x labeled) size(l rune) int { return x.v.Aval().Shape.At(slices.Index(x.labels, l)) }

type contraction struct {
	out   []rune
	terms map[rune]int // the number of remaining operands that have an axis
	parts []part       // in the order in which they were made
	left  int
}

// part is an operand or a product of operands. It is gone once it has been contracted with another part.
type part struct {
	labeled
	gone bool
	with int     // the later part with which its product is smallest, the first of equals; 0: none
	cost float64 // the number of elements of that product
}

func (c *contraction) add(x labeled) {
	for _, l := range x.labels {
		c.terms[l]++
	}
	c.parts = append(c.parts, part{labeled: x})
	c.left++
}

// run contracts the pair with the smallest product, the first of equal ones, until one part is left. Each part
// stores the best partner among the parts after it; a new product changes that for only a few parts.
func (c *contraction) run() labeled {
	for i := range c.parts {
		c.match(i)
	}
	for c.left > 1 {
		i := -1
		for k := range c.parts {
			if p := &c.parts[k]; !p.gone && p.with > 0 && (i < 0 || p.cost < c.parts[i].cost) {
				i = k
			}
		}
		j := c.parts[i].with
		x, y := c.take(i), c.take(j)
		c.add(c.contract(x, y))
		last := len(c.parts) - 1
		for k := range c.parts[:last] {
			switch p := &c.parts[k]; {
			case p.gone:
			case p.with == i || p.with == j:
				c.match(k)
			default:
				c.offer(k, last)
			}
		}
	}
	return c.parts[len(c.parts)-1].labeled
}

func (c *contraction) take(i int) labeled {
	p := &c.parts[i]
	for _, l := range p.labels {
		c.terms[l]--
	}
	p.gone = true
	c.left--
	return p.labeled
}

// match finds the best partner of part i among the parts after it.
func (c *contraction) match(i int) {
	c.parts[i].with = 0
	for j := i + 1; j < len(c.parts); j++ {
		if !c.parts[j].gone {
			c.offer(i, j)
		}
	}
}

// offer makes part j the partner of part i if their product is smaller than that with the present partner.
func (c *contraction) offer(i, j int) {
	p := &c.parts[i]
	if n := c.product(p.labeled, c.parts[j].labeled); p.with == 0 || n < p.cost {
		p.with, p.cost = j, n
	}
}

// product returns the number of elements of the product of two parts.
func (c *contraction) product(x, y labeled) float64 {
	n := 1.
	for _, l := range x.labels {
		own := 1
		if slices.Contains(y.labels, l) {
			own = 2
		}
		if c.terms[l] > own || slices.Contains(c.out, l) {
			n *= float64(x.size(l))
		}
	}
	for _, l := range y.labels {
		if !slices.Contains(x.labels, l) && (c.terms[l] > 1 || slices.Contains(c.out, l)) {
			n *= float64(y.size(l))
		}
	}
	return n
}

// contract multiplies x and y, which were taken, and sums over the axes that nothing else needs.
func (c *contraction) contract(x, y labeled) labeled {
	var want []rune
	for _, l := range slices.Concat(x.labels, y.labels) {
		if c.terms[l] > 0 || slices.Contains(c.out, l) {
			want = append(want, l)
		}
	}
	x, y = x.sumExcept(append(slices.Clone(want), y.labels...)), y.sumExcept(append(slices.Clone(want), x.labels...))
	// An axis of size 1 broadcasts: only the other operand keeps the axis.
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
