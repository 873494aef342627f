package weft

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/internal/show"
)

// String returns x's elements laid out as NumPy does: columns aligned, long arrays shortened. A
// traced value is Traced<f32[3]>.
func (x Array) String() string { return show.Text(x.value(), nil) }

// Format supports the verbs of fmt: %v and %s are String, %.3v with three digits; %.3f,
// %e, %g and %d set how numbers look, %b and %o write integers to base 2 and 8, %t truth
// values as Go does; %x shows the bits, %+v adds the type. A width and flags apply to
// every element.
func (x Array) Format(s fmt.State, verb rune) { show.Format(s, verb, x.value()) }

// MarshalJSON writes type, shape and elements, so that reading restores the same bits, except
// those of NaNs. Random keys are written as their words. The zero Array is null.
func (x Array) MarshalJSON() (b []byte, err error) { return encode.JSON(x.value()) }

// UnmarshalJSON reads the output of MarshalJSON, and nested lists of numbers or truth values, as
// other programs write arrays. Lists of integers become i32, or i64 if one does not fit; lists of
// other numbers become f32. With [DefaultBits] 64 both have 64 bits.
func (x *Array) UnmarshalJSON(b []byte) error {
	return unmarshal("UnmarshalJSON", x, b, encode.FromJSON)
}

// MarshalBinary writes type, shape and elements; gob uses it.
func (x Array) MarshalBinary() (b []byte, err error) { return encode.Binary(x.value()) }

// UnmarshalBinary reads what MarshalBinary writes.
func (x *Array) UnmarshalBinary(b []byte) error {
	return unmarshal("UnmarshalBinary", x, b, encode.FromBinary)
}

func unmarshal(op string, x *Array, b []byte, read func([]byte) (core.Value, error)) error {
	if x == nil {
		return errors.New("weft: " + op + " of a nil *Array; pass the address of an Array")
	}
	v, err := read(b)
	if err == nil {
		*x = FromValue(v)
	}
	return err
}

// LogValue returns x's shape and type and, for known integers and real numbers, the minimum, mean and maximum, for
// log/slog.
func (x Array) LogValue() slog.Value { return show.LogValue(x.value()) }
