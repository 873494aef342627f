// Package wefttest helps tests of programs over arrays: derivatives against
// differences, trees of arrays against each other, and text and arrays against files.
//
// A test binary that imports it has the flag -update, which writes the files of
// [Golden] and [GoldenArrays] anew.
package wefttest
