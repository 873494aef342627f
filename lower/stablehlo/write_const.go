package stablehlo

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

func putNumber(dst []byte, l core.Literal) { elem.Put(dst, l.Num, l.Type) }

// elementText returns one element as it stands in dense<…>. Infinities, NaNs and floats of at most eight bits are bit
// patterns.
func elementText(b []byte, dt core.DType) string {
	switch {
	case dt.IsComplex():
		part, half := core.Float32, len(b)/2
		if dt == core.Complex128 {
			part = core.Float64
		}
		return "(" + elementText(b[:half], part) + "," + elementText(b[half:], part) + ")"
	case dt.IsBool():
		return strconv.FormatBool(b[0] != 0)
	}
	n, _ := elem.Get(b, dt)
	if !dt.IsFloat() {
		if dt.IsUnsigned() {
			return strconv.FormatUint(n.Uint64(), 10)
		}
		return strconv.FormatInt(n.Int64(), 10)
	}
	f := n.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) || dt.Bits() <= 8 {
		return fmt.Sprintf("0x%0*X", (dt.Bits()+3)/4, bitsOf(b, dt))
	}
	width := 64
	if dt == core.Float32 {
		width = 32
	}
	s := strconv.FormatFloat(f, 'e', -1, width)
	if !strings.Contains(s, ".") {
		s = strings.Replace(s, "e", ".0e", 1)
	}
	return s
}

// denseText returns an array as it stands in dense<…>: nothing if it is empty, an element without brackets for a scalar,
// a hexadecimal string if it has more than 100 elements of at least eight bits that are not booleans, and else a list.
func denseText(data []byte, a core.ShapedArray) string {
	dt, size := a.DType, a.DType.Size()
	n := a.Size()
	switch {
	case n == 0:
		return ""
	case a.Rank() == 0:
		return elementText(data, dt)
	case n > 100 && dt.Bits() >= 8 && !dt.IsBool():
		if bigEndian {
			data = slices.Clone(data)
			native(data, dt)
		}
		return `"0x` + strings.ToUpper(hex.EncodeToString(data)) + `"`
	}
	var b strings.Builder
	var level func(k int)
	level = func(k int) {
		if k == a.Rank() {
			b.WriteString(elementText(data[:size], dt))
			data = data[size:]
			return
		}
		b.WriteByte('[')
		for i := range a.Shape.At(k) {
			if i > 0 {
				b.WriteString(", ")
			}
			level(k + 1)
		}
		b.WriteByte(']')
	}
	level(0)
	return b.String()
}
