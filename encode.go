package weft

import (
	"errors"
	"log/slog"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/internal/show"
)

// MarshalJSON writes type, shape and elements, so that reading returns the same bits. The elements
// of keys of random numbers are their words. The zero Array is null.
func (x Array) MarshalJSON() (b []byte, err error) { return encode.JSON(x.value()) }

// UnmarshalJSON reads what MarshalJSON writes, and nested lists of numbers or truth values, as
// other programs write arrays: of integers they become i32, or i64 where one does not fit, and
// else f32 (64 bits by [DefaultBits]).
func (x *Array) UnmarshalJSON(b []byte) error {
	return unmarshal("UnmarshalJSON", x, b, encode.FromJSON)
}

// MarshalBinary writes type, shape and elements; gob uses it.
func (x Array) MarshalBinary() (b []byte, err error) { return encode.Binary(x.value()) }

// UnmarshalBinary reads what MarshalBinary writes.
func (x *Array) UnmarshalBinary(b []byte) error {
	return unmarshal("UnmarshalBinary", x, b, encode.FromBinary)
}

// unmarshal sets *x to what read returns of b, unless that is an error.
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

// LogValue returns shape and type, and of numbers least, mean and largest, for log/slog.
func (x Array) LogValue() slog.Value { return show.LogValue(x.value()) }
