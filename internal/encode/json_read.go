package encode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// FromJSON reads what [JSON] wrote, and nested lists of numbers or truth values; for null it
// returns nil.
func FromJSON(b []byte) (core.Value, error) {
	text := bytes.TrimSpace(b)
	if bytes.Equal(text, []byte("null")) {
		return nil, nil
	}
	if len(text) > 0 && text[0] != '{' {
		return fromList(text)
	}
	var in jsonArray
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("weft: invalid Array in JSON: %w; write an object of dtype, shape and data, or lists of numbers", err)
	}
	dt, ok := core.ParseDType(in.DType)
	if ok && dt == core.Float0 && len(in.Data) == 0 {
		return catch(func() core.Value { return nd.ZerosOf(dt, in.Shape...) })
	}
	if !ok || !dt.IsBool() && !dt.IsNumber() && !dt.IsKey() {
		return nil, fmt.Errorf("weft: no element type %q of arrays in JSON; write one such as \"f32\"", in.DType)
	}
	return catch(func() core.Value {
		t := core.ShapedArray{Shape: core.MakeDims(in.Shape...), DType: dt, Weak: in.Weak && !dt.IsKey()}
		words := WordsOf(t)
		if len(in.Data) != words.Size() { // before anything is allocated
			core.FailOp(core.ErrShape, "UnmarshalJSON", nil, "%s cannot fill the shape %v; check the file", core.Count(len(in.Data), "element"), words.Shape)
		}
		a := runtime.New(t)
		dt := words.DType
		for i, m := range in.Data {
			n, err := readNumber(m, floatBits(dt))
			at := a.Tensor().Data[i*dt.Size():]
			if err == nil {
				elem.Put(at, n, dt)
			}
			if got, _ := elem.Get(at, dt); err != nil || !lossless(n, got, dt) {
				text := string(m)
				if len(text) > 40 {
					text = text[:40] + "…"
				}
				core.FailOp(core.ErrParse, "UnmarshalJSON", nil, "element %d is %s, which is no %v; check the file", i, text, dt)
			}
		}
		return a
	})
}

// catch returns what f returns, or the error that it panics with.
func catch(f func() core.Value) (x core.Value, err error) {
	err = core.Catch(func() { x = f() })
	return x, err
}

// lossless reports whether got, which is n stored in an array, is n except for the rounding of
// floats.
func lossless(n, got core.Number, dt core.DType) bool {
	kind := n.Kind()
	switch {
	case dt.IsBool() || kind == core.KindBool:
		return dt.IsBool() && kind == core.KindBool
	case kind == core.KindComplex:
		return dt.IsComplex()
	case dt.IsInteger():
		if kind == core.KindFloat { // the largest integers round up to 2⁶³
			return got.Float() == n.Float() && n.Float() < math.Ldexp(1, 63)
		}
		return got.Float() == n.Float() && got.Int64() == n.Int64()
	}
	return true
}

// readNumber reads an element of the data. A float is rounded once, to the given number of bits.
func readNumber(m json.RawMessage, bits int) (core.Number, error) {
	s := string(m)
	switch {
	case s == "true" || s == "false":
		return core.BoolNumber(s == "true"), nil
	case s != "" && s[0] == '[':
		var parts [2]json.RawMessage
		if err := json.Unmarshal(m, &parts); err != nil {
			return core.Number{}, err
		}
		re, err := readNumber(parts[0], bits)
		if err != nil {
			return core.Number{}, err
		}
		im, err := readNumber(parts[1], bits)
		return core.ComplexNumber(complex(re.Float(), im.Float())), err
	case s != "" && s[0] == '"':
		if err := json.Unmarshal(m, &s); err != nil {
			return core.Number{}, err
		}
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil && s != "-0" {
		return core.IntNumber(i), nil
	}
	if u, err := strconv.ParseUint(s, 10, 64); err == nil {
		return core.UintNumber(u), nil
	}
	f, err := strconv.ParseFloat(s, bits)
	if errors.Is(err, strconv.ErrRange) { // a number too large for f32 becomes infinite later
		f, err = strconv.ParseFloat(s, 64)
	}
	return core.FloatNumber(f), err
}
