// Package nn has the parts of neural networks: layers, initializers, activations, losses and
// pooling. Activations and initializers are those of jax.nn, losses those of Optax.
//
// Every function takes and returns arrays of package weft and works under all of its
// transformations. Most functions convert integers and truth values to floats.
package nn
