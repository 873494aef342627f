package stablehlo

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

// constantText returns a constant as it stands in a signature.
func constantText(dt core.DType, v float64) string {
	buf := make([]byte, dt.Size())
	elem.Put(buf, core.FloatNumber(v), dt)
	return fmt.Sprintf("%v:%x", dt, buf)
}
