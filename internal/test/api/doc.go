// Package api compares the exported API of the module with lists that a reviewer reads: every
// exported name of the public packages, and where the functions of jax.numpy are.
package api
