package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// fromList returns nested lists of numbers or truth values, or a single number or truth value, as an array.
func fromList(b []byte) (core.Value, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("weft: an Array in JSON: %w", err)
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
		return nil, fmt.Errorf("weft: an Array in JSON: %w", err)
	}
	return catch(l.array)
}

type jsonList struct {
	shape   []int
	numbers []json.Number
	bools   []bool
	ints    bool // all numbers are integers
}

// read appends the elements of v, which lies within depth lists.
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

// array returns truth values as bools, integers that fit as i32 or i64, and other numbers as floats of
// the default width.
func (l *jsonList) array() core.Value {
	if len(l.bools) > 0 {
		return shaped(core.Bool, l.bools, core.BoolNumber, l.shape)
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
	return nd.AsType(shaped(core.Float64, floats, core.FloatNumber, l.shape), nd.DefaultFloat())
}

// integers returns the elements as integers; ok is false if one does not fit 64 bits.
func (l *jsonList) integers() (x core.Value, ok bool) {
	ints := make([]int64, len(l.numbers))
	narrow := nd.DefaultInt() == core.Int32
	for i, n := range l.numbers {
		v, err := n.Int64()
		if err != nil {
			return nil, false
		}
		ints[i] = v
		narrow = narrow && v >= math.MinInt32 && v <= math.MaxInt32
	}
	x = shaped(core.Int64, ints, core.IntNumber, l.shape)
	if narrow {
		x = nd.AsType(x, core.Int32)
	}
	return x, true
}

func shaped[T any](dt core.DType, data []T, number func(T) core.Number, dims []int) core.Value {
	a := runtime.New(core.Aval(dt, len(data)))
	for i, v := range data {
		elem.Put(a.Tensor().Data[i*dt.Size():], number(v), dt)
	}
	return nd.Reshape(a, dims...)
}
