package golden

import "regexp"

// Scientific matches the lines of the golden data that name the primitives of linear algebra, Fourier transforms and special functions.
// They are 296 records.
var Scientific = regexp.MustCompile(`(?:^|[^\w.])(?:lu|lu_pivots_to_permutation|qr|householder_product|eigh|eig|svd|schur|hessenberg|tridiagonal|tridiagonal_solve|` +
	`symmetric_product|fft|igamma|igammac|random_gamma_grad|regularized_incomplete_beta|zeta|bessel_i0e|bessel_i1e)(?:\W|$)`)
