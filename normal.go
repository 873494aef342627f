package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// NormalCDF returns the probability that a standard normal number is below x.
func NormalCDF(x Array) Array { return FromValue(nd.NormalCDF(x.value())) }

// NormalPDF returns the density of standard normal numbers at x.
func NormalPDF(x Array) Array { return FromValue(nd.NormalPDF(x.value())) }
