// Package handwriting contains handwritten digits for the examples that learn to read them.
//
// The digits are scikit-learn's, written by make_digits.py: the test set of the Optical
// Recognition of Handwritten Digits data set by E. Alpaydin and C. Kaynak, 1998, UCI
// Machine Learning Repository, https://doi.org/10.24432/C50P49, licence CC BY 4.0.
package handwriting

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"

	"github.com/weft-go/weft"
)

//go:embed digits.bin.gz
var file []byte

// Digits is a set of digits, for example a batch.
type Digits struct {
	Pixels weft.Array // [n, 64], from 0 to 1
	Label  weft.Array // [n]
}

// Load returns the 1,797 digits.
func Load() (Digits, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return Digits{}, err
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return Digits{}, err
	}
	if len(b)%65 != 0 {
		return Digits{}, fmt.Errorf("the digits have %d bytes, not 65 each; restore the file", len(b))
	}
	all := weft.FromSlice(b, -1, 65)
	return Digits{
		Pixels: all.Index(weft.All, "0:64").AsType(weft.Float32).Div(16),
		Label:  all.Index(weft.All, 64).AsType(weft.Int32),
	}, nil
}
