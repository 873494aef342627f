package discharge

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// axis is the index along an axis of size dim: size elements from a position on, or, if drop is set, one element, or one
// for each number of an array. The field at is the position, unless it is nil: then start is.
type axis struct {
	dim, start, size int
	at               jaxpr.Atom
	drop             bool // the part lacks the axis
}

func (a axis) whole() bool { return a.at == nil && a.start == 0 && a.size == a.dim && !a.drop }

func (a axis) numbers() bool { return a.drop && a.at != nil && a.at.Aval().Rank() > 0 }

// variable stands for a variable in the text of an index.
const variable = "$"

// readIndex reads the index of an access: that of the reference, then of its part, and so on.
func readIndex(p *jaxpr.RefOp, vars []jaxpr.Atom, shape core.Dims) [][]axis {
	var text strings.Builder
	for _, s := range p.Index {
		if s == "" {
			s = variable
		}
		text.WriteString(s)
	}
	var ix [][]axis
	for _, group := range strings.Split(text.String(), "][") {
		at, ok := readAxes(group, &vars, shape)
		if !ok {
			core.FailOp(core.ErrIndex, p.Op, nil, "the index %s of an array of shape %v is not supported; use numbers, arrays of them, and slices of a constant size", strings.ReplaceAll(group, variable, "i"), shape)
		}
		ix = append(ix, at)
		shape = layout(at).shape
	}
	return ix
}

func readAxes(text string, vars *[]jaxpr.Atom, shape core.Dims) (ix []axis, ok bool) {
	if text == "..." {
		for _, n := range shape.All() {
			ix = append(ix, axis{dim: n, size: n})
		}
		return ix, true
	}
	items := strings.Split(text, ",")
	if len(items) != shape.Len() {
		return nil, false
	}
	take := func() jaxpr.Atom {
		v := (*vars)[0]
		*vars = (*vars)[1:]
		return v
	}
	var numbers core.Dims // the shape of arrays
	for i, s := range items {
		a := axis{dim: shape.At(i)}
		from, to, slice := strings.Cut(s, ":")
		var err error
		switch {
		case slice && from == variable:
			n, found := strings.CutPrefix(to, variable+"+")
			a.size, err = strconv.Atoi(n)
			if !found {
				return nil, false
			}
			a.at = take()
			take()
		case slice:
			end := a.dim
			if from != "" {
				a.start, err = strconv.Atoi(from)
			}
			if to != "" && err == nil {
				end, err = strconv.Atoi(to)
			}
			a.size = end - a.start
		case s == variable:
			a.at, a.size, a.drop = take(), 1, true
			if a.numbers() {
				numbers = a.at.Aval().Shape
			}
		default:
			a.size, a.drop = 1, true
			if a.start, err = strconv.Atoi(s); a.start < 0 {
				a.start += a.dim
			}
		}
		if err != nil || a.start < 0 || a.size < 0 || a.start+a.size > a.dim || a.at != nil && !a.at.Aval().DType.IsInteger() {
			return nil, false
		}
		ix = append(ix, a)
	}
	for _, a := range ix {
		if a.numbers() && a.at.Aval().Shape != numbers {
			return nil, false
		}
	}
	return ix, true
}

// laid is where the axes of a part come from.
type laid struct {
	shape   core.Dims
	at      []int // the part's axis for each axis that is not dropped
	numbers int   // the part's first axis of the arrays
}

// layout lays out a part as NumPy does: the axes of arrays stand where the first dropped axis was, or in front if a slice lies
// between two dropped axes.
func layout(ix []axis) laid {
	var numbers core.Dims
	first, last, dropped := -1, 0, 0
	for i, a := range ix {
		if a.numbers() {
			numbers = a.at.Aval().Shape
		}
		if a.drop {
			if first < 0 {
				first = i
			}
			last = i
			dropped++
		}
	}
	if last-first+1 != dropped {
		first = 0
	}
	l := laid{at: make([]int, len(ix))}
	var shape []int
	put := func() {
		l.numbers = len(shape)
		shape = append(shape, numbers.Ints()...)
	}
	for i, a := range ix {
		if i == first {
			put()
		}
		if !a.drop {
			l.at[i] = len(shape)
			shape = append(shape, a.size)
		}
	}
	l.shape = core.MakeDims(shape...)
	return l
}
