package nd

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
)

// End is the upper bound of a Range that goes to the end of its axis.
const End = math.MaxInt

// Range is a part of an axis, as an index: see [R].
type Range struct {
	lo, hi, step int
	from, to     bool // lo and hi are given
}

// R returns the range from lo up to, but not including, hi. Negative bounds count from the end,
// and bounds outside of the axis are its beginning or its end. R(2, weft.End) goes to the end.
func R(lo, hi int) Range { return Range{lo: lo, hi: hi, step: 1, from: true, to: hi != End} }

// By takes every step-th element of the range; a negative step goes backwards.
func (r Range) By(step int) Range {
	if step == 0 {
		core.FailOp(core.ErrIndex, "Range.By", nil, "the step is 0; use a positive or negative one")
	}
	r.step = step
	return r
}

// String returns the range as Python writes it.
func (r Range) String() string {
	s := ":"
	if r.from {
		s = strconv.Itoa(r.lo) + s
	}
	if r.to {
		s += strconv.Itoa(r.hi)
	}
	if r.step != 1 {
		s += ":" + strconv.Itoa(r.step)
	}
	return s
}

// on returns where the range starts on an axis of n elements, and how many elements it has.
func (r Range) on(n int) (start, count int) {
	lo, hi := 0, n
	if r.step < 0 {
		lo, hi = n-1, -1
	}
	clamp := func(x int) int {
		if x < 0 {
			x += n
		}
		if r.step < 0 {
			return min(max(x, -1), n-1)
		}
		return min(max(x, 0), n)
	}
	if r.from {
		lo = clamp(r.lo)
	}
	if r.to {
		hi = clamp(r.hi)
	}
	switch { // no sum with the step, which may be as large as an int
	case r.step > 0 && hi > lo:
		return lo, (hi-lo-1)/r.step + 1
	case r.step < 0 && hi < lo:
		return lo, (hi-lo+1)/r.step + 1
	}
	return lo, 0
}

type ellipsis struct{}

// All is a whole axis, as an index; Ellipsis is as many whole axes as are missing.
var (
	All      = Range{step: 1}
	Ellipsis = ellipsis{}
)

// parseIndices turns the arguments of Index and At into ints, Ranges, Arrays, nil and ellipses.
func parseIndices(op string, idx []any) []any {
	out := make([]any, 0, len(idx))
	for _, i := range idx {
		switch i := i.(type) {
		case nil, int, Range, ellipsis, core.Value:
			out = append(out, i)
		case string:
			out = append(out, parseIndex(op, i)...)
		default:
			l, ok := Number(i)
			switch {
			case ok && l.Type.IsInteger() && l.Num.Fits(core.Int64):
				out = append(out, int(l.Num.Int64()))
			case ok && l.Type.IsBool():
				out = append(out, l.Value())
			case ok:
				core.FailOp(core.ErrIndex, op, nil, "%s is no index; give an integer, a Range, a text as \"1:, ::2\", nil for a new axis, or an Array of integers or truth values", core.WithArticle(reflect.TypeOf(i)))
			default:
				core.FailOp(core.ErrIndex, op, nil, "%s", noIndex(i))
			}
		}
	}
	return out
}

func noIndex(i any) string {
	t := reflect.TypeOf(i)
	if k := t.Kind(); k == reflect.Slice || k == reflect.Array {
		switch elem := t.Elem().Kind(); {
		case k == reflect.Slice && (elem == reflect.Bool || reflect.Int <= elem && elem <= reflect.Uint64):
			return fmt.Sprintf("%s is no index; for the elements that it lists write weft.FromSlice(…) around it, for one element of a deep array its numbers one by one, as in x.Index(1, 2)", core.WithArticle(t))
		case elem == reflect.Bool || reflect.Int <= elem && elem <= reflect.Uint64:
			return fmt.Sprintf("%s is no index; for the elements that it lists write weft.From(…) around it", core.WithArticle(t))
		}
	}
	return fmt.Sprintf("%s is no index; an index is an integer, a Range, a text as \"1:, ::2\", nil for a new axis, or an Array of integers or truth values", core.WithArticle(t))
}

var (
	parsedIndices sync.Map // text → []any, of the first maxParsed texts
	parsedCount   atomic.Int64
)

// maxParsed bounds the memory for a program that builds ever new texts from numbers.
const maxParsed = 4096

// parseIndex reads indices as Python writes them: 1, 2:, ::-1, ..., None.
func parseIndex(op, text string) []any {
	if v, ok := parsedIndices.Load(text); ok {
		return v.([]any)
	}
	var out []any
	for part := range strings.SplitSeq(text, ",") {
		i, err := parseOne(strings.TrimSpace(part))
		if err != nil {
			core.FailOp(core.ErrIndex, op, nil, "invalid index %q: %v", text, err)
		}
		out = append(out, i)
	}
	if parsedCount.Add(1) <= maxParsed {
		parsedIndices.Store(text, out)
	}
	return out
}

func parseOne(s string) (any, error) {
	switch s {
	case "...":
		return Ellipsis, nil
	case "None":
		return nil, nil
	case "":
		return nil, errors.New("one of the indices is empty; write : for the whole axis")
	}
	parts := strings.Split(s, ":")
	if len(parts) > 3 {
		return nil, fmt.Errorf("%q has more than start, stop and step; write start:stop:step", s)
	}
	var n [3]int
	var given [3]bool
	for k, p := range parts {
		if p = strings.TrimSpace(p); p == "" && len(parts) > 1 {
			continue
		}
		v, err := strconv.Atoi(p)
		if err != nil {
			return nil, fmt.Errorf("%q is no integer; write an index as 1, 2: or ::-1", p)
		}
		n[k], given[k] = v, true
	}
	if len(parts) == 1 {
		return n[0], nil
	}
	r := Range{lo: n[0], hi: n[1], step: 1, from: given[0], to: given[1]}
	if given[2] {
		if n[2] == 0 {
			return nil, fmt.Errorf("the step of a range cannot be 0; write 1, or -1 to reverse")
		}
		r.step = n[2]
	}
	return r, nil
}

// Index returns the part of x that the indices select, one index per axis: see weft.Array.Index.
func Index(x core.Value, idx ...any) core.Value {
	v := ValueOf("Index", x)
	n := newIndexer("Index", v, idx)
	return n.read(Ref{mode: indexed.PromiseInBounds})
}
