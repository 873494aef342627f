// Package rng contains the primitives of random numbers: keys made of seeds and of other keys, random
// bits, the hashes behind them, and gamma variates. See package prim.
package rng

//go:generate go run ../../../internal/test/vocabulary/generate
