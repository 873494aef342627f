// Package ir is the kernel IR: what a native executor or a GPU runs as one call. A
// kernel is a nest of loops over buffers whose innermost statements are operations of
// package lower/scalar. The orders in which sums are taken are constructs of the IR,
// so every target computes the same bits.
//
// The IR names no machine. Passes that split, order or vectorize loops write their
// decisions as loops; a code generator follows them.
//
// Before version 1.0 anything in this package may change.
package ir
