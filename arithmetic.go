package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Where returns a where c holds, else b. Numbers count as true where they are not 0.
// Neither a nor b is left out: both are computed, and the derivative of what is not
// chosen returns 0 times it.
func Where[A, B Operand](c Array, a A, b B) Array {
	return FromValue(nd.Where(c.value(), unwrap(a), unwrap(b)))
}
