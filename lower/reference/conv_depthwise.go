package reference

import (
	"unsafe"

	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// A depthwiser is depthwise for elements of one type.
type depthwiser[A any] func(z, x, w []A, axes []convAxis, batch, features, n, positions, k int, stop block.Stopper)

// depthwiseOf returns the depthwise convolution of A, nil where A is not f32 or f64.
func depthwiseOf[A any]() depthwiser[A] {
	var d any
	var a A
	switch any(a).(type) {
	case float32:
		d = depthwiser[float32](depthwise[float32])
	case float64:
		d = depthwiser[float64](depthwise[float64])
	default:
		return nil
	}
	return d.(depthwiser[A])
}

// depthwise convolves each feature alone, with n kernels of at most one chunk each: x is
// [batch, spatial, feature], w [feature·n, spatial], z [batch, spatial, feature·n]. The
// chains of all features run side by side: element (position, feature·n + j) is the chain
// over the kernel's positions in order, without those that lie outside.
func depthwise[A block.Float](z, x, w []A, axes []convAxis, batch, features, n, positions, k int, stop block.Stopper) {
	image := len(x) / batch
	size := block.ElementBytes[A]()
	fma := block.OpLoops[scalar.OpFMA][scalar.F64]
	if size == 4 {
		fma = block.OpLoops[scalar.OpFMA][scalar.F32]
	}
	// weights[j][t] are the weights of kernel j at position t, for all features.
	weights, lw := block.Borrow[A](len(w))
	for f := range features {
		for j := range n {
			for t := range k {
				weights[(j*k+t)*features+f] = w[(f*n+j)*k+t]
			}
		}
	}
	chain, lc := block.Borrow[A](features)
	var atBuf, tapBuf [block.FewAxes]int
	at, tap := block.Counters(atBuf[:0], len(axes)), block.Counters(tapBuf[:0], len(axes))
	// offsets[i][s·size + t] is where position s and tap t of axis i read, −1 outside.
	offsets := make([][]int, len(axes))
	for i, a := range axes {
		offsets[i] = make([]int, a.out*a.size)
		for s := range a.out {
			for t := range a.size {
				e := a.at(s, t)
				if e >= 0 {
					e *= a.step
				}
				offsets[i][s*a.size+t] = e
			}
		}
	}
	reads, taps := make([]int, k), make([]int, k)
	const between = 16 // positions between two calls of stop
	for b := range batch {
		clear(at)
		for s := 0; s < positions && (s%between != 0 || !stop.Stopped()); s++ {
			// The elements that the window reads, and their kernel positions.
			hits := 0
			clear(tap)
			for t := range k {
				from := 0
				for i := range axes {
					e := offsets[i][at[i]*axes[i].size+tap[i]]
					if e < 0 {
						from = -1
						break
					}
					from += e
				}
				if from >= 0 {
					reads[hits], taps[hits] = b*image+from, t
					hits++
				}
				for i := len(tap) - 1; i >= 0; i-- {
					if tap[i]++; tap[i] < axes[i].size {
						break
					}
					tap[i] = 0
				}
			}
			out := z[(b*positions+s)*features*n:][:features*n]
			for j := range n {
				clear(chain)
				c := unsafe.Pointer(&chain[0])
				for h, from := range reads[:hits] {
					fma(c, unsafe.Pointer(&x[from]), unsafe.Add(unsafe.Pointer(&weights[0]), (j*k+taps[h])*features*size), c, features)
				}
				for f, v := range chain {
					out[f*n+j] = v
				}
			}
			nextPosition(at, axes)
		}
	}
	addZero(z[:batch*positions*features*n])
	block.Canon(z[:batch*positions*features*n])
	lc.Back()
	lw.Back()
}

// addZero adds +0, so that no element is −0.
func addZero[A block.Float](x []A) {
	var zero A
	for i, v := range x {
		x[i] = zero + v
	}
}
