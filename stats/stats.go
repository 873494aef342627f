// Package stats contains densities and distribution functions.
package stats

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/nd"
)

// NormalCDF returns the probability that a standard normal number is below x.
func NormalCDF(x weft.Array) weft.Array {
	return weft.FromValue(nd.NormalCDF(nd.ValueOf("NormalCDF", x)))
}

// NormalPDF returns the density of standard normal numbers at x.
func NormalPDF(x weft.Array) weft.Array {
	return weft.FromValue(nd.NormalPDF(nd.ValueOf("NormalPDF", x)))
}
