package encode

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// jsonArray is an Array in JSON. NaN and infinities, which JSON does not have, are strings; a
// complex number is a pair.
type jsonArray struct {
	DType string            `json:"dtype"`
	Shape []int             `json:"shape"`
	Weak  bool              `json:"weak,omitempty"`
	Data  []json.RawMessage `json:"data"`
}

// JSON returns type, shape and elements, so that [FromJSON] returns the same bits, except those of
// NaNs; for nil it returns null.
func JSON(x core.Value) (b []byte, err error) {
	if x == nil {
		return []byte("null"), nil
	}
	caught := core.Catch(func() { b, err = jsonOf(nd.Look("MarshalJSON", x)) })
	if caught != nil {
		return nil, caught
	}
	return b, err
}

func jsonOf(a *runtime.Array) ([]byte, error) {
	t := a.Aval()
	if t.DType == core.Float0 { // without elements
		return json.Marshal(jsonArray{DType: t.DType.String(), Shape: append([]int{}, t.Shape.Ints()...), Data: []json.RawMessage{}})
	}
	out := jsonArray{DType: t.DType.String(), Shape: append([]int{}, t.Shape.Ints()...), Weak: t.Weak, Data: []json.RawMessage{}}
	a.Read("MarshalJSON", func(e *reference.Tensor) {
		words := WordsOf(t)
		for i := range words.Size() {
			n, _ := elem.Get(e.Data[i*words.DType.Size():], words.DType)
			out.Data = append(out.Data, jsonNumber(n, floatBits(words.DType)))
		}
	})
	return json.Marshal(out)
}

// floatBits returns the width of the Go type in which floats of a type are written and read, so
// that they have the fewest digits that restore them.
func floatBits(dt core.DType) int {
	if dt.IsInexact() && dt.Real().Bits() <= 32 {
		return 32
	}
	return 64
}

func jsonNumber(n core.Number, bits int) json.RawMessage {
	switch n.Kind() {
	case core.KindBool:
		return strconv.AppendBool(nil, n.Bool())
	case core.KindInt:
		return strconv.AppendInt(nil, n.Int64(), 10)
	case core.KindUint:
		return strconv.AppendUint(nil, n.Uint64(), 10)
	case core.KindComplex:
		c := n.Complex()
		return fmt.Appendf(nil, "[%s,%s]", jsonFloat(real(c), bits), jsonFloat(imag(c), bits))
	}
	return jsonFloat(n.Float(), bits)
}

func jsonFloat(f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(f, 'g', -1, bits))
	}
	return strconv.AppendFloat(nil, f, 'g', -1, bits)
}
