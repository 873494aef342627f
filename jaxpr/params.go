package jaxpr

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// ParamReader gives a function of a [Vocabulary] the parameters in the text of an equation, and
// the types of its operands and results. Its methods panic with a parse error that names the
// parameter. Every parameter must be read or ignored by name, so that nothing in a text is lost
// silently.
type ParamReader struct {
	In, Out []core.ShapedArray // types of operands and declared results

	op     string
	params []ParsedParam
	read   []bool
	unused []bool // results that are written _, as unused ones are
}

// ParsedParam is a parameter as it stands in a text: Text, or programs.
type ParsedParam struct {
	Key    string
	Text   string
	Jaxpr  []*Jaxpr // one program, or the programs of a tuple or among other text; nil if there are none
	Tuple  bool     // the programs stood in parentheses
	Around []string // of a value that mixes programs and text, which Text holds as well: the text before, between and after them
}

// NewParamReader returns a reader of the given parameters.
func NewParamReader(op string, params []ParsedParam, in, out []core.ShapedArray) *ParamReader {
	return &ParamReader{In: in, Out: out, op: op, params: params, read: make([]bool, len(params))}
}

func (r *ParamReader) fail(key, format string, args ...any) {
	panic(&core.Error{Kind: core.ErrParse, Op: r.op,
		Msg: "parameter " + key + ": " + fmt.Sprintf(format, args...), Err: &badParam{key}})
}

// Unsupported fails for a primitive whose text is correct but which Weft does
// not have. The parser then keeps the equation as Opaque.
func (r *ParamReader) Unsupported(format string, args ...any) {
	core.RequireReceiver("jaxpr.ParamReader.Unsupported", r == nil)
	why := fmt.Sprintf(format, args...)
	panic(&core.Error{Kind: core.ErrParse, Op: r.op, Msg: why, Err: &unsupported{why}})
}

func (r *ParamReader) find(key string) (ParsedParam, bool) {
	for i, p := range r.params {
		if p.Key == key {
			r.read[i] = true
			return p, true
		}
	}
	return ParsedParam{}, false
}

// Has reports whether the text showed the parameter.
func (r *ParamReader) Has(key string) bool {
	core.RequireReceiver("jaxpr.ParamReader.Has", r == nil)
	_, ok := r.find(key)
	return ok
}

// Text returns the parameter as it stands in the text.
func (r *ParamReader) Text(key string) string {
	core.RequireReceiver("jaxpr.ParamReader.Text", r == nil)
	p, ok := r.find(key)
	if !ok {
		r.fail(key, "is missing; write it in the brackets of the equation")
	}
	if p.Jaxpr != nil && p.Around == nil {
		r.fail(key, "is a program; write a value")
	}
	return p.Text
}

// IsNone reports whether the parameter is absent or None.
func (r *ParamReader) IsNone(key string) bool {
	core.RequireReceiver("jaxpr.ParamReader.IsNone", r == nil)
	p, ok := r.find(key)
	return !ok || p.Jaxpr == nil && p.Text == "None"
}

// MustBe demands that the parameter, if shown, has one of the given texts: for
// parameters that Weft does not have. Other texts are Unsupported, except those of
// shardings that change nothing.
func (r *ParamReader) MustBe(key string, texts ...string) {
	core.RequireReceiver("jaxpr.ParamReader.MustBe", r == nil)
	p, ok := r.find(key)
	if !ok {
		return
	}
	if strings.HasSuffix(key, "sharding") && placesNothing(p.Text) {
		return
	}
	for _, t := range texts {
		if p.Text == t {
			return
		}
	}
	r.Unsupported("its parameter %s is %s; supported: %s", key, p.Text, strings.Join(texts, ", "))
}

// placesNothing reports whether a sharding in a text changes nothing: it is on one device, or on
// none (as JAX 0.8 and 0.9 print None within vmap), or it cuts no axis within shard_map.
func placesNothing(sharding string) bool {
	if strings.HasPrefix(sharding, "NamedSharding(") {
		_, spec, ok := strings.Cut(sharding, "spec=")
		return oneDevice(sharding) || ok && strings.Contains(sharding, "(Manual") && !strings.ContainsAny(spec, "'\"")
	}
	return strings.HasPrefix(sharding, "SingleDeviceSharding(")
}

// Int reads an integer.
func (r *ParamReader) Int(key string) int {
	core.RequireReceiver("jaxpr.ParamReader.Int", r == nil)
	s := r.Text(key)
	n, err := strconv.Atoi(plainInt(s))
	if err != nil {
		r.fail(key, "must be an integer (got %q); write one, as 3", s)
	}
	return n
}

// plainInt takes a NumPy integer's wrapping off: np.int64(1).
func plainInt(s string) string {
	kind, rest, _ := strings.Cut(s, "(")
	u, ok := strings.CutSuffix(rest, ")")
	if ok && (strings.HasPrefix(kind, "np.int") || strings.HasPrefix(kind, "np.uint")) {
		return u
	}
	return s
}

// Float reads a real number as Python writes it.
func (r *ParamReader) Float(key string) float64 {
	core.RequireReceiver("jaxpr.ParamReader.Float", r == nil)
	s := r.Text(key)
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		r.fail(key, "must be a number (got %q); write one, as 0.5", s)
	}
	return f
}

// Bool reads True or False.
func (r *ParamReader) Bool(key string) bool {
	core.RequireReceiver("jaxpr.ParamReader.Bool", r == nil)
	s := r.Text(key)
	if s != "True" && s != "False" {
		r.fail(key, "must be a truth value (got %q); write True or False", s)
	}
	return s == "True"
}

// DType reads a dtype by its long or short name.
func (r *ParamReader) DType(key string) core.DType {
	core.RequireReceiver("jaxpr.ParamReader.DType", r == nil)
	s := r.Text(key)
	d, ok := core.ParseDType(s)
	if !ok {
		r.fail(key, "must be a dtype (got %q); write one, as float32", s)
	}
	return d
}

// OptDType reads a dtype or None, which is Invalid; so is an absent parameter.
func (r *ParamReader) OptDType(key string) core.DType {
	core.RequireReceiver("jaxpr.ParamReader.OptDType", r == nil)
	if r.IsNone(key) {
		return core.Invalid
	}
	return r.DType(key)
}

// Dims reads a tuple or list of integers: (1, 2), [0], ().
func (r *ParamReader) Dims(key string) core.Dims {
	core.RequireReceiver("jaxpr.ParamReader.Dims", r == nil)
	s := r.Text(key)
	v, rest, ok := readInts(s)
	if !ok || rest != "" {
		r.fail(key, "must be a tuple of integers (got %q); write one, as (1, 2)", s)
	}
	return core.MakeDims(v...)
}

// Pairs reads a tuple of integer tuples of equal length, as ((0, 1, 0), (1, 1, 0)),
// into one flat list and that length (0 if there are none).
func (r *ParamReader) Pairs(key string) (flat core.Dims, each int) {
	core.RequireReceiver("jaxpr.ParamReader.Pairs", r == nil)
	s := r.Text(key)
	body, ok := syntax.Unbracket(s)
	if !ok {
		r.fail(key, "must be a tuple of tuples (got %q); write one, as ((0, 1), (1, 1))", s)
	}
	var all []int
	for body = strings.TrimSpace(body); body != ""; {
		v, rest, ok := readInts(body)
		if !ok || each != 0 && len(v) != each || len(v) == 0 {
			r.fail(key, "must be tuples of integers of equal length (got %q); write them as ((0, 1), (1, 1))", s)
		}
		each = len(v)
		all = append(all, v...)
		body = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), ","))
	}
	return core.MakeDims(all...), each
}

// readInts reads one tuple or list of integers, or a range, from the head of s.
func readInts(s string) (v []int, rest string, ok bool) {
	if of, isRange := strings.CutPrefix(s, "range"); isRange {
		return readRange(of)
	}
	if s == "" || s[0] != '(' && s[0] != '[' {
		return nil, s, false
	}
	closing := byte(')')
	if s[0] == '[' {
		closing = ']'
	}
	depth, end := 0, -1
	for i := range len(s) {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				end = i
			}
		}
		if end >= 0 {
			break
		}
	}
	if end < 0 || s[end] != closing {
		return nil, s, false
	}
	for f := range strings.SplitSeq(s[1:end], ",") {
		f = plainInt(strings.TrimSpace(f))
		if f == "" {
			continue
		}
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, s, false
		}
		v = append(v, n)
	}
	return v, s[end+1:], true
}

// maxRange limits the integers of a range: no array has as many axes.
const maxRange = 1 << 10

// readRange reads (start, stop) or (start, stop, step) as the integers that a range of Python has.
func readRange(s string) (v []int, rest string, ok bool) {
	b, rest, ok := readInts(s)
	if len(b) == 2 {
		b = append(b, 1)
	}
	if !ok || len(b) != 3 || b[2] == 0 {
		return nil, s, false
	}
	for i := b[0]; (i < b[1]) == (b[2] > 0) && i != b[1]; i += b[2] {
		if v = append(v, i); len(v) > maxRange {
			return nil, s, false
		}
	}
	return v, rest, true
}

// Field reads one keyword of a parameter that is written as a call, as
// operand_batching_dims in GatherDimensionNumbers(offset_dims=(1,), …), which must
// be a tuple of integers.
func (r *ParamReader) Field(key, field string) core.Dims {
	core.RequireReceiver("jaxpr.ParamReader.Field", r == nil)
	s := r.Text(key)
	i := strings.Index(s, field+"=")
	if i < 0 || i > 0 && s[i-1] != '(' && s[i-1] != ' ' {
		r.fail(key, "has no field %s (got %q); write it as %s=(0,)", field, s, field)
	}
	v, _, ok := readInts(s[i+len(field)+1:])
	if !ok {
		r.fail(key, "the field %s must be a tuple of integers (got %q); write one, as (1, 2)", field, s)
	}
	return core.MakeDims(v...)
}

// Jaxpr returns the program that the parameter contains.
func (r *ParamReader) Jaxpr(key string) *Jaxpr {
	core.RequireReceiver("jaxpr.ParamReader.Jaxpr", r == nil)
	p, ok := r.find(key)
	if !ok {
		r.fail(key, "is missing; write it in the brackets of the equation")
	}
	if len(p.Jaxpr) != 1 || p.Tuple || p.Around != nil {
		r.fail(key, "must be a program; write one, as { lambda ; a:f32[]. let  in (a,) }")
	}
	return p.Jaxpr[0]
}

// Mixed reads a value that has programs among other text, or text alone.
func (r *ParamReader) Mixed(key string) Mixed {
	core.RequireReceiver("jaxpr.ParamReader.Mixed", r == nil)
	p, ok := r.find(key)
	if !ok {
		r.fail(key, "is missing; write it in the brackets of the equation")
	}
	switch {
	case p.Around != nil:
		return Mixed{p.Around, p.Jaxpr}
	case p.Jaxpr != nil:
		r.fail(key, "is a program; write a value")
	}
	return Mixed{Around: []string{p.Text}}
}

// Jaxprs returns the programs of the tuple that the parameter contains.
func (r *ParamReader) Jaxprs(key string) []*Jaxpr {
	core.RequireReceiver("jaxpr.ParamReader.Jaxprs", r == nil)
	p, ok := r.find(key)
	if !ok {
		r.fail(key, "is missing; write it in the brackets of the equation")
	}
	if !p.Tuple && !(p.Jaxpr == nil && p.Text == "()") {
		r.fail(key, "must be a tuple of programs; write it in parentheses")
	}
	return p.Jaxpr
}

// Ignore marks parameters as read. It is for those that the primitive does not need.
func (r *ParamReader) Ignore(keys ...string) {
	core.RequireReceiver("jaxpr.ParamReader.Ignore", r == nil)
	for _, k := range keys {
		r.find(k)
	}
}

// Rest takes the parameters that nothing has read, as they stand in the text.
func (r *ParamReader) Rest() []core.Param {
	core.RequireReceiver("jaxpr.ParamReader.Rest", r == nil)
	var out []core.Param
	for i, p := range r.params {
		if !r.read[i] {
			r.read[i] = true
			out = append(out, core.Param{Key: p.Key, Value: p.value()})
		}
	}
	return out
}

// Unread lists the parameters that nothing read.
func (r *ParamReader) Unread() []string {
	core.RequireReceiver("jaxpr.ParamReader.Unread", r == nil)
	var out []string
	for i, p := range r.params {
		if !r.read[i] {
			out = append(out, p.Key)
		}
	}
	return out
}
