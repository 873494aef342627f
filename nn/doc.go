// Package nn contains what neural networks are made of: activations, losses and
// pooling, as jax.nn and Optax define them.
//
// Every function takes and returns arrays of package weft and works under all of its
// transformations. Integers and truth values count as floats.
package nn
