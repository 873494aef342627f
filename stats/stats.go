// Package stats contains densities, distribution functions and covariances.
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

// Cov returns the covariances of the variables that are x's rows; its columns are the
// observations. The sum is divided by one less than their number.
func Cov(x weft.Array) weft.Array { return weft.FromValue(nd.Cov(nd.ValueOf("Cov", x))) }

// CorrCoef returns the correlations of the variables that are x's rows.
func CorrCoef(x weft.Array) weft.Array {
	return weft.FromValue(nd.CorrCoef(nd.ValueOf("CorrCoef", x)))
}
