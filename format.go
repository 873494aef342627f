package weft

import (
	"fmt"

	"github.com/weft-go/weft/internal/show"
)

// String returns x's elements laid out as NumPy does: columns aligned, long arrays
// shortened. A value that is not known is Traced<f32[3]>.
func (x Array) String() string { return show.Text(x.value(), nil) }

// Format supports the verbs of fmt: %v and %s are String, %.3v with three digits; %.3f,
// %e, %g and %d set how numbers look, %b and %o write integers to base 2 and 8, %t truth
// values as Go does; %x shows the bits, %+v adds the type. A width and flags hold for
// every element.
func (x Array) Format(s fmt.State, verb rune) { show.Format(s, verb, x.value()) }
