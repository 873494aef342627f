package runtime

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
)

func init() {
	lower.NewConstant = func(t *reference.Tensor) core.Value { return FromTensor(t) }
}
