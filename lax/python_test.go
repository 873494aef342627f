package lax_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// expr is a Python expression of the golden sources: a name, a number, a list or
// tuple, or a call.
type expr struct {
	text string // of a name or number
	list []expr
	call bool
	keys map[string]expr // keyword arguments of a call
}

// readExpr reads one expression from the head of s.
func readExpr(s string) (e expr, rest string) {
	s = strings.TrimSpace(s)
	end := strings.IndexAny(s, "()[],= ")
	if end < 0 {
		end = len(s)
	}
	e.text, s = s[:end], s[end:]
	if s == "" || s[0] != '(' && s[0] != '[' {
		return e, s
	}
	e.call, e.keys = e.text != "", map[string]expr{}
	for s = s[1:]; ; {
		s = strings.TrimLeft(s, ", \n")
		if s[0] == ')' || s[0] == ']' {
			return e, s[1:]
		}
		if name, value, ok := strings.Cut(s, "="); ok && !strings.ContainsAny(name, "()[], ") {
			e.keys[name], s = readExpr(value)
			continue
		}
		var x expr
		x, s = readExpr(s)
		e.list = append(e.list, x)
	}
}

// python is a golden program that is one call of a lax function.
type python struct {
	t    *testing.T
	args map[string]array
	expr
}

func (p python) at(i int, key string) (expr, bool) {
	if e, ok := p.keys[key]; ok {
		return e, true
	}
	if i < len(p.list) {
		return p.list[i], true
	}
	return expr{}, false
}

// array is the array argument i.
func (p python) array(i int) array { return p.toArray(p.list[i]) }

func (p python) toArray(e expr) array {
	if x, ok := p.args[e.text]; ok {
		return x
	}
	return weft.Scalar(toInt(p.t, e))
}

func (p python) arrays(e expr) []array {
	var out []array
	for _, x := range e.list {
		out = append(out, p.toArray(x))
	}
	return out
}

func (p python) ints(i int, key string) []int {
	e, _ := p.at(i, key)
	return toInts(p.t, e)
}

// integer is an integer argument, or what it is when left out.
func (p python) integer(i int, key string, otherwise int) int {
	if e, ok := p.at(i, key); ok {
		return toInt(p.t, e)
	}
	return otherwise
}

func (p python) truth(i int, key string, otherwise bool) bool {
	if e, ok := p.at(i, key); ok {
		return e.text == "True"
	}
	return otherwise
}

func (p python) dtype(i int) weft.DType {
	dt, ok := dtypes[p.list[i].text]
	if !ok {
		dt, ok = core.ParseDType(strings.TrimPrefix(p.list[i].text, "np."))
	}
	require.True(p.t, ok, p.list[i].text)
	return dt
}

func toInt(t *testing.T, e expr) int {
	n, err := strconv.Atoi(e.text)
	require.NoError(t, err)
	return n
}

func toInts(t *testing.T, e expr) []int {
	var out []int
	for _, x := range e.list {
		out = append(out, toInt(t, x))
	}
	return out
}

// field is a dimension number, by keyword or by position in the call that makes them.
func (p python) field(i, k int, key string) []int {
	e, _ := p.at(i, "dimension_numbers")
	if f, ok := e.keys[key]; ok {
		return toInts(p.t, f)
	}
	if k < len(e.list) {
		return toInts(p.t, e.list[k])
	}
	return nil
}

func (p python) mode() lax.IndexMode {
	text := p.keys["mode"].text
	modes := map[string]lax.IndexMode{"": lax.DefaultMode, "CLIP": lax.Clip, "PROMISE_IN_BOUNDS": lax.PromiseInBounds, "FILL_OR_DROP": lax.FillOrDrop,
		`"clip"`: lax.Clip, `"fill"`: lax.FillOrDrop}
	m, ok := modes[text[strings.LastIndex(text, ".")+1:]]
	require.True(p.t, ok, text)
	return m
}

func (p python) gather() []array {
	c := lax.GatherConfig{
		OffsetDims: p.field(2, 0, "offset_dims"), CollapsedSliceDims: p.field(2, 1, "collapsed_slice_dims"), StartIndexMap: p.field(2, 2, "start_index_map"),
		SliceSizes: p.ints(3, "slice_sizes"), Mode: p.mode(), Sorted: p.truth(9, "indices_are_sorted", false), Unique: p.truth(9, "unique_indices", false),
	}
	return results(lax.Gather(p.array(0), p.array(1), c))
}

func (p python) scatter(f func(x, idx, u array, c lax.ScatterConfig) array) []array {
	c := lax.ScatterConfig{
		UpdateWindowDims: p.field(3, 0, "update_window_dims"), InsertedWindowDims: p.field(3, 1, "inserted_window_dims"),
		ScatterDimsToOperandDims: p.field(3, 2, "scatter_dims_to_operand_dims"),
		Mode:                     p.mode(), Sorted: p.truth(9, "indices_are_sorted", false), Unique: p.truth(9, "unique_indices", false),
	}
	return results(f(p.array(0), p.array(1), p.array(2), c))
}

func (p python) pads() (config [][3]int) {
	for _, c := range p.list[2].list {
		config = append(config, [3]int(toInts(p.t, c)))
	}
	return config
}

// full is lax.full: its shape may be a tuple, its dtype is given.
func (p python) full() []array {
	return results(lax.Full(p.ints(0, "shape"), toInt(p.t, p.list[1]), p.dtype(2)))
}

// fullLike fills with a NumPy or Python number.
func (p python) fullLike() []array {
	e := p.list[1]
	if e.call {
		e = e.list[0]
	}
	if n, err := strconv.Atoi(e.text); err == nil {
		return results(lax.FullLike(p.array(0), n))
	}
	f, err := strconv.ParseFloat(e.text, 64)
	require.NoError(p.t, err)
	return results(lax.FullLike(p.array(0), f))
}
