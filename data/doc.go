// Package data feeds training loops: examples in batches, in random order, prepared
// ahead of their use.
//
// A data set is a tree, typically a struct, of arrays and Go slices whose first axes
// have one length, the number of examples:
//
//	type Digits struct {
//		Images weft.Array // [n, 64]
//		Labels []int32
//	}
//
//	for batch := range data.Batches(data.Shuffle(digits, seed), 64, data.DropRest) { … }
//
// A batch is a tree of the same type. Sources are iterators of package iter, so that
// Go's own loops, breaks and adapters work on them.
package data
