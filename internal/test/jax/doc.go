// Package jax evaluates programs of JAX, written in Python, with Weft: golden data of JAX contain
// their sources. Its tests compare jax.numpy's types and values.
package jax
