package weft

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// unmarshalList reads nested lists of numbers or truth values, or one alone.
func (x *Array) unmarshalList(b []byte) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return fmt.Errorf("weft: an Array in JSON: %w", err)
	}
	l := jsonList{ints: true}
	for at := v; ; {
		list, ok := at.([]any)
		if !ok {
			break
		}
		l.shape = append(l.shape, len(list))
		if len(list) == 0 {
			break
		}
		at = list[0]
	}
	if err := l.read(v, 0); err != nil {
		return fmt.Errorf("weft: an Array in JSON: %w", err)
	}
	return core.Catch(func() { *x = l.array() })
}

// jsonList collects the elements of nested lists.
type jsonList struct {
	shape   []int
	numbers []json.Number
	bools   []bool
	ints    bool // all numbers are integers
}

// read appends the elements of v, which is depth lists deep.
func (l *jsonList) read(v any, depth int) error {
	list, isList := v.([]any)
	if isList != (depth < len(l.shape)) || isList && len(list) != l.shape[depth] {
		return fmt.Errorf("the lists are ragged (want shape %v); make all of one length", l.shape)
	}
	switch v := v.(type) {
	case []any:
		for _, e := range list {
			if err := l.read(e, depth+1); err != nil {
				return err
			}
		}
	case bool:
		l.bools = append(l.bools, v)
	case json.Number:
		l.numbers = append(l.numbers, v)
		l.ints = l.ints && !strings.ContainsAny(string(v), ".eE")
	default:
		text, _ := json.Marshal(v)
		return fmt.Errorf("the element %.40s is neither a number nor a truth value; write numbers, true or false", text)
	}
	if len(l.bools) > 0 && len(l.numbers) > 0 {
		return fmt.Errorf("the lists contain truth values and numbers; use one of them")
	}
	return nil
}

// array returns the elements as an array.
func (l *jsonList) array() Array {
	if len(l.bools) > 0 {
		return FromSlice(l.bools).Reshape(l.shape...)
	}
	if l.ints && len(l.numbers) > 0 {
		if x, ok := l.integers(); ok {
			return x
		}
	}
	floats := make([]float64, len(l.numbers))
	for i, n := range l.numbers {
		v, err := strconv.ParseFloat(string(n), 64)
		if err != nil {
			core.FailOp(core.ErrParse, "UnmarshalJSON", nil, "element %d is %.40s, which is too large; check the file", i, n)
		}
		floats[i] = v
	}
	return FromSlice(floats).Reshape(l.shape...).AsType(nd.DefaultFloat())
}

// integers returns the elements as integers; ok is false if one does not fit 64 bits.
func (l *jsonList) integers() (x Array, ok bool) {
	ints := make([]int64, len(l.numbers))
	narrow := nd.DefaultInt() == core.Int32
	for i, n := range l.numbers {
		v, err := n.Int64()
		if err != nil {
			return Array{}, false
		}
		ints[i] = v
		narrow = narrow && v >= math.MinInt32 && v <= math.MaxInt32
	}
	x = FromSlice(ints).Reshape(l.shape...)
	if narrow {
		x = x.AsType(core.Int32)
	}
	return x, true
}
