package accuracy

import "github.com/weft-go/weft/core"

// Promised returns the greatest error, in ulps, that a function of real numbers may have.
func Promised(name string, dt core.DType) float64 {
	special := false
	switch name {
	case "erf", "erfc", "erf_inv", "lgamma", "digamma":
		special = true
	case "bessel_i0e", "bessel_i1e":
		switch dt {
		case core.Float32:
			return 3
		case core.Float64:
			return 5
		}
	case "sqrt":
		return 0.5
	case "rem", "nextafter":
		return 0
	}
	switch {
	case dt == core.Float64 && special:
		return 4
	case dt == core.Float64 || dt == core.Float32 && special:
		return 2
	case dt == core.Float32 && name != "exp" && name != "exp2" && name != "log" && name != "rsqrt":
		return 2
	}
	return 1
}

// PromisedComplex is the same for functions of complex numbers, in ulps of the modulus.
const PromisedComplex = 4
