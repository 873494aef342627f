// Package image resizes and resamples images, and other arrays of samples in any number of
// dimensions, as jax.image does.
package image
