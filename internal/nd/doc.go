// Package nd implements the functions of package weft over core.Value: promotion,
// broadcasting, axes, indexing and the functions of jax.numpy. Package weft wraps each
// of them in one line; packages nn and custom use the same functions.
//
// A parameter of type any takes a core.Value or a Go number; indices take what
// weft.Array.Index takes.
package nd
