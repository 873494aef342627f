package data

import (
	"iter"
	"math/bits"
	"math/rand/v2"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// Rest selects what happens to the examples that do not fill a batch.
type Rest int

// What happens to the examples that do not fill a batch.
const (
	KeepRest Rest = iota // the last batch is smaller
	DropRest             // they are left out, so that all batches have one shape
	WrapRest             // the last batch is filled up with the first examples
)

// Batches ranges over the examples of a set, size at a time, in their order. A last
// batch of another size makes Jit trace again; [DropRest] and [WrapRest] avoid that.
func Batches[T any](set T, size int, rest Rest) iter.Seq[T] {
	n := length("Batches", set)
	if size < 1 {
		core.FailOp(core.ErrShape, "Batches", nil, "a batch has at least one example, not %d; make it 1 or more", size)
	}
	if rest < KeepRest || rest > WrapRest {
		core.FailOp(core.ErrStatic, "Batches", nil, "the rest is KeepRest, DropRest or WrapRest, not %d; pass one of them", int(rest))
	}
	if rest == WrapRest && n%size != 0 {
		nd.Room("Batches", []int{size}, core.Int64) // of the last batch, which may be larger than the set
	}
	return func(yield func(T) bool) {
		for lo := 0; lo < n; lo += size {
			hi := lo + size
			switch {
			case hi <= n:
			case rest == DropRest:
				return
			case rest == WrapRest:
				if !yield(Take(set, wrapped(lo, hi, n))) {
					return
				}
				continue
			default:
				hi = n
			}
			if !yield(Slice(set, lo, hi)) {
				return
			}
		}
	}
}

// wrapped returns the numbers from lo up to, not including, hi, each modulo n.
func wrapped(lo, hi, n int) []int {
	at := make([]int, hi-lo)
	for i := range at {
		at[i] = (lo + i) % n
	}
	return at
}

// Shuffle returns a set in a random order, which seed determines.
func Shuffle[T any](set T, seed uint64) T { return Take(set, Order(length("Shuffle", set), seed)) }

// Order returns the numbers below n in a random order, which seed determines.
func Order(n int, seed uint64) []int {
	if n < 0 {
		core.FailOp(core.ErrShape, "Order", nil, "cannot order %d things; give 0 or more", n)
	}
	nd.Room("Order", []int{n}, core.Int64)
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	// By hand, so that no version of Go orders otherwise.
	source := rand.NewPCG(seed, 0x9e3779b97f4a7c15)
	for i := n - 1; i > 0; i-- {
		k, _ := bits.Mul64(source.Uint64(), uint64(i+1))
		at[i], at[k] = at[k], at[i]
	}
	return at
}

// Epochs ranges over a set in batches, epochs times, or without end if epochs is 0. Each time it
// uses another random order, and seed determines them all. The first value is the number of the epoch, from 0 on.
func Epochs[T any](set T, epochs, size int, rest Rest, seed uint64) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for e := 0; epochs == 0 || e < epochs; e++ {
			at := Shuffle(set, rand.NewPCG(seed, uint64(e)).Uint64())
			any := false
			for b := range Batches(at, size, rest) {
				any = true
				if !yield(e, b) {
					return
				}
			}
			if !any {
				return // nor will there be one in the next
			}
		}
	}
}

// Split returns the first examples of a set and the others, all in a random order that seed
// determines: use it to hold examples out.
func Split[T any](set T, first int, seed uint64) (T, T) {
	n := length("Split", set)
	if first < 0 || first > n {
		core.FailOp(core.ErrIndex, "Split", nil, "there are no %d examples among %d; hold out fewer", first, n)
	}
	at := Order(n, seed)
	return Take(set, at[:first]), Take(set, at[first:])
}
