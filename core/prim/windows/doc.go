// Package windows contains the primitives that move a window over an array: convolutions, reductions
// of what lies under a window, and their transposes, which scatter. See package prim.
package windows

//go:generate go run ../../../internal/test/vocabulary/generate
