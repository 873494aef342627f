// Package composed writes kernels of operations that the reference executor computes by Go code
// rather than by scalar programs: Fourier transforms, special functions whose series and fractions have
// no fixed number of terms, cumulative products of complex numbers. They perform the same operations in
// the same order, in f64 or in sums of two f64, so devices that run them have the same bits.
package composed
