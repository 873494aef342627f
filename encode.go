package weft

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/runtime"
)

// jsonArray is how an Array is written in JSON. NaN and infinities, which JSON does
// not have, are texts; a complex number is a pair.
type jsonArray struct {
	DType string            `json:"dtype"`
	Shape []int             `json:"shape"`
	Weak  bool              `json:"weak,omitempty"`
	Data  []json.RawMessage `json:"data"`
}

// MarshalJSON writes type, shape and elements, so that reading returns the same bits. The elements
// of keys of random numbers are their words. The zero Array is null.
func (x Array) MarshalJSON() (b []byte, err error) {
	if x.v == nil {
		return []byte("null"), nil
	}
	err = core.Catch(func() { b, err = x.marshalJSON() })
	return b, err
}

func (x Array) marshalJSON() ([]byte, error) {
	a := x.look("MarshalJSON")
	t := a.Aval()
	if t.DType == core.Float0 { // without elements
		return json.Marshal(jsonArray{DType: t.DType.String(), Shape: append([]int{}, t.Shape.Ints()...), Data: []json.RawMessage{}})
	}
	out := jsonArray{DType: t.DType.String(), Shape: append([]int{}, t.Shape.Ints()...), Weak: t.Weak, Data: []json.RawMessage{}}
	a.Read("MarshalJSON", func(e *kernel.Tensor) {
		words := wordsOf(t)
		for i := range words.Size() {
			n, _ := elem.Get(e.Data[i*words.DType.Size():], words.DType)
			out.Data = append(out.Data, jsonNumber(n))
		}
	})
	return json.Marshal(out)
}

func jsonNumber(n core.Number) json.RawMessage {
	switch n.Kind() {
	case core.KindBool:
		return strconv.AppendBool(nil, n.Bool())
	case core.KindInt:
		return strconv.AppendInt(nil, n.Int64(), 10)
	case core.KindUint:
		return strconv.AppendUint(nil, n.Uint64(), 10)
	case core.KindComplex:
		c := n.Complex()
		return fmt.Appendf(nil, "[%s,%s]", jsonFloat(real(c)), jsonFloat(imag(c)))
	}
	return jsonFloat(n.Float())
}

func jsonFloat(f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(f, 'g', -1, 64))
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64)
}

// UnmarshalJSON reads what MarshalJSON writes, and nested lists of numbers or truth values, as
// other programs write arrays: of integers they become i32, or i64 where one does not fit, and
// else f32 (64 bits by [DefaultBits]).
func (x *Array) UnmarshalJSON(b []byte) error {
	if x == nil {
		return errors.New("weft: UnmarshalJSON of a nil *Array; pass the address of an Array")
	}
	if bytes.Equal(bytes.TrimSpace(b), []byte("null")) {
		*x = Array{}
		return nil
	}
	if text := bytes.TrimSpace(b); len(text) > 0 && text[0] != '{' {
		return x.unmarshalList(text)
	}
	var in jsonArray
	if err := json.Unmarshal(b, &in); err != nil {
		return fmt.Errorf("weft: invalid Array in JSON: %w; write an object of dtype, shape and data, or lists of numbers", err)
	}
	dt, ok := core.ParseDType(in.DType)
	if ok && dt == core.Float0 && len(in.Data) == 0 {
		return core.Catch(func() { *x = ZerosOf(dt, in.Shape...) })
	}
	if !ok || !dt.IsBool() && !dt.IsNumber() && dt != core.Key {
		return fmt.Errorf("weft: no element type %q of arrays in JSON; write one such as \"f32\"", in.DType)
	}
	return core.Catch(func() {
		t := core.ShapedArray{Shape: core.MakeDims(in.Shape...), DType: dt, Weak: in.Weak && dt != core.Key}
		words := wordsOf(t)
		if len(in.Data) != words.Size() { // before anything is allocated
			core.FailOp(core.ErrShape, "UnmarshalJSON", nil, "%s cannot fill the shape %v; check the file", core.Count(len(in.Data), "element"), words.Shape)
		}
		a := runtime.New(t)
		dt := words.DType
		for i, m := range in.Data {
			n, err := readNumber(m)
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
		*x = wrap(a)
	})
}

// lossless reports whether what became of a number in an array is the number, but for the
// rounding of floats.
func lossless(n, got core.Number, dt core.DType) bool {
	kind := n.Kind()
	switch {
	case dt.IsBool() || kind == core.KindBool:
		return dt.IsBool() && kind == core.KindBool
	case kind == core.KindComplex:
		return dt.IsComplex()
	case dt.IsInteger():
		if kind == core.KindFloat { // of which the largest integers round up to one too many
			return got.Float() == n.Float() && n.Float() < math.Ldexp(1, 63)
		}
		return got.Float() == n.Float() && got.Int64() == n.Int64()
	}
	return true
}

func readNumber(m json.RawMessage) (core.Number, error) {
	s := string(m)
	switch {
	case s == "true" || s == "false":
		return core.BoolNumber(s == "true"), nil
	case s != "" && s[0] == '[':
		var parts [2]json.RawMessage
		if err := json.Unmarshal(m, &parts); err != nil {
			return core.Number{}, err
		}
		re, err := readNumber(parts[0])
		if err != nil {
			return core.Number{}, err
		}
		im, err := readNumber(parts[1])
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
	f, err := strconv.ParseFloat(s, 64)
	return core.FloatNumber(f), err
}

// MarshalBinary writes type, shape and elements; gob uses it.
func (x Array) MarshalBinary() (b []byte, err error) {
	if x.v == nil {
		return []byte{0}, nil
	}
	err = core.Catch(func() {
		a := x.look("MarshalBinary")
		t := a.Aval()
		flags := byte(1)
		if t.Weak {
			flags |= 2
		}
		name := t.DType.String()
		b = append(b, flags, byte(len(name)))
		b = append(b, name...)
		b = binary.AppendUvarint(b, uint64(t.Rank()))
		for _, n := range t.Shape.All() {
			b = binary.AppendUvarint(b, uint64(n))
		}
		a.Read("MarshalBinary", func(e *kernel.Tensor) { b = append(b, littleEndian(e.Data, t.DType)...) })
	})
	return b, err
}

// UnmarshalBinary reads what MarshalBinary writes.
func (x *Array) UnmarshalBinary(b []byte) error {
	if x == nil {
		return errors.New("weft: UnmarshalBinary of a nil *Array; pass the address of an Array")
	}
	short := fmt.Errorf("weft: an Array in binary form ends early: %w", io.ErrUnexpectedEOF)
	if len(b) == 0 {
		return short
	}
	if b[0] == 0 {
		if len(b) > 1 {
			return fmt.Errorf("weft: %d bytes follow the zero Array in binary form; pass what MarshalBinary returned, and no more", len(b)-1)
		}
		*x = Array{}
		return nil
	}
	if len(b) < 2 || len(b) < 2+int(b[1]) {
		return short
	}
	name := b[2 : 2+int(b[1])]
	dt, ok := core.ParseDType(string(name))
	if !ok || dt == core.Token {
		return fmt.Errorf("weft: no element type %q; pass what MarshalBinary returned", name)
	}
	weak := b[0]&2 != 0
	b = b[2+len(name):]
	next := func() (int, bool) {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > math.MaxInt {
			return 0, false
		}
		b = b[k:]
		return int(n), true
	}
	rank, ok := next()
	if !ok || rank > len(b) {
		return short
	}
	dims := make([]int, rank)
	for i := range dims {
		if dims[i], ok = next(); !ok {
			return short
		}
	}
	return core.Catch(func() {
		t := core.ShapedArray{Shape: core.MakeDims(dims...), DType: dt, Weak: weak}
		if n := t.Size(); n < 0 || dt.Size() > 0 && n != len(b)/dt.Size() || n*dt.Size() != len(b) {
			core.FailOp(core.ErrShape, "UnmarshalBinary", []core.ShapedArray{t}, "%d bytes cannot be decoded as %v; the data is damaged or of another type", len(b), t.Full())
		}
		a := runtime.New(t)
		copy(a.Tensor().Data, littleEndian(b, dt))
		*x = wrap(a)
	})
}

// littleEndian returns elements of the host's byte order in little-endian order, and the
// other way round.
func littleEndian(b []byte, dt core.DType) []byte {
	w := dt.Real().Size()
	if dt.IsKey() {
		w = 4
	}
	if w < 2 || binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return b
	}
	out := make([]byte, len(b))
	for i := range b {
		out[i] = b[i-i%w+w-1-i%w]
	}
	return out
}

// LogValue returns shape and type, and of numbers least, mean and largest, for log/slog.
func (x Array) LogValue() slog.Value {
	if x.v == nil {
		return slog.StringValue("<no Array>")
	}
	t := x.aval()
	attrs := []slog.Attr{slog.String("type", t.Full())}
	core.Catch(func() {
		if t.Size() == 0 || !t.DType.IsInteger() && !t.DType.IsFloat() {
			return
		}
		a := x.look("LogValue")
		lo, hi, sum := math.Inf(1), math.Inf(-1), 0.
		for i := range t.Size() {
			n, _ := a.At(i)
			f := n.Float()
			lo, hi, sum = min(lo, f), max(hi, f), sum+f
		}
		attrs = append(attrs, slog.Float64("min", lo), slog.Float64("mean", sum/float64(t.Size())), slog.Float64("max", hi))
	})
	return slog.GroupValue(attrs...)
}
