package block

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/internal/pages"
)

// A Loan is scratch memory of a kernel, given back when it returns, so that
// kernels that run often allocate nothing.
type Loan struct {
	words [][2]uint64
	class int
}

var loans [64]sync.Pool

// Borrow lends n elements of T with arbitrary contents. T holds no pointers. Inlining it would
// repeat its code in the kernels of every type.
//
//go:noinline
func Borrow[T any](n int) ([]T, *Loan) {
	var z T
	size := int(unsafe.Sizeof(z))
	if n <= 0 {
		return nil, nil
	}
	words := (n*size + 15) / 16
	class := bits.Len(uint(words - 1))
	l, _ := loans[class].Get().(*Loan)
	if l == nil {
		pages.Need(16 << class)
		l = &Loan{make([][2]uint64, 1<<class), class}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&l.words[0])), n), l
}

// Back returns the memory. The slice that Borrow returned with the loan must not be used afterwards.
// Inlining Back would repeat its code in the kernels of every type.
//
//go:noinline
func (l *Loan) Back() {
	if l != nil {
		loans[l.class].Put(l)
	}
}
