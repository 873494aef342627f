package runtime

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/kernel"
)

func init() {
	lower.NewConstant = func(t *kernel.Tensor) core.Value { return FromTensor(t) }
}
