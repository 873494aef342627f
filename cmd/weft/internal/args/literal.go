package args

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Literal reads an array of type want from one of
//
//	f32[2,2]{{1,2},{3,4}}   type and elements
//	{{1,2},{3,4}}           elements
//	f32 1.5, f32:1.5, 1.5   a scalar, with its dtype or without
//
// Numbers are Python's: 1e-05, nan, inf, (1+2j), True. Keys are their words in
// decimal, as 0:42.
func Literal(s string, want core.ShapedArray) (*runtime.Array, error) {
	s = strings.TrimSpace(s)
	got, elements, err := splitType(s, want)
	if err != nil {
		return nil, err
	}
	if !fits(want, got) {
		return nil, typeError(want, got)
	}
	want = filled(want, got.Shape.Ints())
	a, err := alloc(want)
	if err != nil {
		return nil, err
	}
	r := &elementReader{s: elements, t: want, data: a.Tensor().Data}
	if err := r.read(); err != nil {
		if elements == "" {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", abbreviate(elements), err)
	}
	return a, nil
}

func abbreviate(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// splitType splits a literal into its type and its elements. A literal without a type has the type want.
func splitType(s string, want core.ShapedArray) (t core.ShapedArray, elements string, err error) {
	if i := strings.IndexByte(s, '{'); i > 0 {
		t, err := parseType(s[:i])
		return t, s[i:], err
	}
	if i := strings.IndexAny(s, " :"); i > 0 {
		if dt, ok := core.ParseDType(s[:i]); ok {
			return core.ShapedArray{DType: dt}, strings.TrimSpace(s[i+1:]), nil
		}
	}
	if want.Rank() > 0 && !strings.HasPrefix(s, "{") {
		return want, s, fmt.Errorf("the program takes %s; write its elements as %v", typeText(want), sample(want))
	}
	return filled(want, sizesOf(s, want.Rank())), s, nil
}

// sample returns a pattern for literals of type t, for messages.
func sample(t core.ShapedArray) string {
	s := "…"
	for range t.Rank() {
		s = "{" + s + "}"
	}
	return typeText(t) + s
}

// parseType parses a type such as f32[2,3].
func parseType(s string) (core.ShapedArray, error) {
	s = strings.TrimSpace(s)
	name, dims, ok := strings.Cut(s, "[")
	dt, known := core.ParseDType(name)
	dims, closed := strings.CutSuffix(dims, "]")
	if !ok || !known || !closed {
		return core.ShapedArray{}, fmt.Errorf("%q is no type; write f32[2,3]", abbreviate(s))
	}
	var shape []int
	if dims != "" {
		for d := range strings.SplitSeq(dims, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(d))
			if err != nil || n < 0 {
				return core.ShapedArray{}, fmt.Errorf("%q is no type: %q is no size; write sizes as in f32[2,3]", abbreviate(s), abbreviate(d))
			}
			shape = append(shape, n)
		}
	}
	return core.Aval(dt, shape...), nil
}

// elementReader fills an array from nested braces.
type elementReader struct {
	s    string
	t    core.ShapedArray
	data []byte // the elements that are not filled yet
}

func (r *elementReader) read() error {
	r.blanks()
	if r.t.Rank() == 0 && strings.HasPrefix(r.s, "{") {
		r.s = r.s[1:]
		if err := r.element(); err != nil {
			return err
		}
		if err := r.expect("}"); err != nil {
			return err
		}
	} else if rest, ok := strings.CutPrefix(r.s, "{}"); ok && manyEmpty(r.t) {
		r.s = rest
	} else if err := r.level(0); err != nil {
		return err
	}
	if r.blanks(); r.s != "" {
		return fmt.Errorf("%q is left over; write one array an argument", abbreviate(r.s))
	}
	return nil
}

func (r *elementReader) blanks() { r.s = strings.TrimLeft(r.s, " \t\r\n") }

func (r *elementReader) expect(c string) error {
	r.blanks()
	if !strings.HasPrefix(r.s, c) {
		if r.s == "" {
			return fmt.Errorf("expected %s at the end", c)
		}
		return fmt.Errorf("expected %s before %q", c, abbreviate(r.s))
	}
	r.s = r.s[1:]
	return nil
}

// level reads the subarray at fixed indices of the axes before axis.
func (r *elementReader) level(axis int) error {
	if axis == r.t.Rank() {
		return r.element()
	}
	if err := r.expect("{"); err != nil {
		return err
	}
	n := r.t.Shape.At(axis)
	for i := range n {
		if i > 0 {
			if err := r.expect(","); err != nil {
				return fmt.Errorf("axis %d has %s, got %d: %w", axis, core.Count(n, "element"), i, err)
			}
		}
		if err := r.level(axis + 1); err != nil {
			return err
		}
	}
	r.blanks()
	if strings.HasPrefix(r.s, ",") {
		return fmt.Errorf("axis %d has %s, got more; remove the others", axis, core.Count(n, "element"))
	}
	return r.expect("}")
}

func (r *elementReader) element() error {
	r.blanks()
	end := strings.IndexAny(r.s, ",}")
	if end < 0 {
		end = len(r.s)
	}
	word := strings.TrimSpace(r.s[:end])
	size := r.t.DType.Size()
	if word == "" {
		return fmt.Errorf("a number is missing; write one after each comma")
	}
	if r.t.DType.IsKey() {
		if err := putKey(r.data[:size], word); err != nil {
			return err
		}
	} else {
		n, ok := jaxpr.ParseNumber(word, r.t.DType)
		if !ok {
			return fmt.Errorf("%s is not a number of type %v; write one that the type has", abbreviate(word), r.t.DType)
		}
		elem.Put(r.data, n, r.t.DType)
	}
	r.data = r.data[size:]
	r.s = r.s[end:]
	return nil
}

func putKey(dst []byte, text string) error {
	words := strings.Split(text, ":")
	ok := len(words) == len(dst)/4
	for i := 0; ok && i < len(words); i++ {
		w, err := strconv.ParseUint(words[i], 10, 32)
		ok = err == nil
		binary.NativeEndian.PutUint32(dst[4*i:], uint32(w))
	}
	if ok {
		return nil
	}
	switch len(dst) {
	case 4:
		return fmt.Errorf("%s is not a key; write its word, as 42", abbreviate(text))
	case 8:
		return fmt.Errorf("%s is not a key; write its two words, as 0:42", abbreviate(text))
	}
	return fmt.Errorf("%s is not a key; write its four words, as 0:42:0:42", abbreviate(text))
}

// Text writes an array as a literal that reads back with the same bits, except for the payloads of NaNs.
func Text(a *runtime.Array) string {
	t := a.Aval().Strong()
	var b strings.Builder
	b.WriteString(t.String())
	if t.Rank() == 0 {
		b.WriteByte('{')
	}
	if manyEmpty(t) {
		b.WriteString("{}")
	} else {
		a.Read("print", func(e *reference.Tensor) {
			w := elementWriter{b: &b, t: t, data: e.Data}
			w.level(0)
		})
	}
	if t.Rank() == 0 {
		b.WriteByte('}')
	}
	return b.String()
}

// manyEmpty reports whether an array without elements has too many empty rows for a reader to count. It is then
// written as {}.
func manyEmpty(t core.ShapedArray) bool {
	if t.Rank() == 0 {
		return false
	}
	rows := 1
	for _, n := range t.Shape.All() {
		if n == 0 {
			return rows > maxRows
		}
		if n > maxRows {
			n = maxRows + 1
		}
		rows = min(rows*n, maxRows+1)
	}
	return false
}

const maxRows = 1000

type elementWriter struct {
	b    *strings.Builder
	t    core.ShapedArray
	data []byte
}

func (w *elementWriter) level(axis int) {
	if axis == w.t.Rank() {
		w.b.WriteString(elementText(w.data, w.t.DType))
		w.data = w.data[w.t.DType.Size():]
		return
	}
	w.b.WriteByte('{')
	for i := range w.t.Shape.At(axis) {
		if i > 0 {
			w.b.WriteByte(',')
		}
		w.level(axis + 1)
	}
	w.b.WriteByte('}')
}

func elementText(data []byte, dt core.DType) string {
	if dt == core.Float0 {
		return "0"
	}
	if dt.IsKey() {
		words := make([]string, dt.KeyWords())
		for i := range words {
			words[i] = strconv.FormatUint(uint64(binary.NativeEndian.Uint32(data[4*i:])), 10)
		}
		return strings.Join(words, ":")
	}
	n, ok := elem.Get(data, dt)
	if !ok {
		return "?"
	}
	switch dt {
	case core.Float32:
		return short(n.Float())
	case core.Complex64:
		c := n.Complex()
		re, im := short(real(c)), short(imag(c))
		if im[0] != '-' {
			im = "+" + im
		}
		return "(" + re + im + "j)"
	}
	return core.Lit(n, dt).Text()
}

// short formats a float32 with the fewest digits that identify it.
func short(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 32)
	switch s {
	case "NaN":
		return "nan"
	case "+Inf":
		return "inf"
	case "-Inf":
		return "-inf"
	}
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
