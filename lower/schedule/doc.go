// Package schedule decides how a machine divides the work of a plan: products and
// convolutions into register tiles, panels and blocks, steps on row tiles into tiles of
// rows, kernels into calls.
//
// Its functions are pure: they take shapes and a description of the machine, and return
// plans, which executors run. No decision changes a result.
package schedule
