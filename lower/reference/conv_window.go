package reference

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
)

// nextPosition advances `at` to the next output position in row-major order.
func nextPosition(at []int, axes []convAxis) {
	for i := len(at) - 1; i >= 0; i-- {
		if at[i]++; at[i] < axes[i].out {
			return
		}
		at[i] = 0
	}
}

// layWindow lays out in a row the elements of x under the window at a position, with zeros where the window
// reads no element.
func layWindow[A any](row, x []A, place []int, axes []convAxis, channels int, dense bool) {
	if len(axes) == 0 {
		copy(row, x[:channels])
		return
	}
	a := &axes[0]
	k := len(row) / a.size
	if len(axes) == 1 && dense && a.ldil == 1 && a.rdil == 1 {
		// Neighbours in the window are neighbours in memory.
		pos := place[0]*a.stride - a.lo
		t0 := min(max(0, -pos), a.size)
		t1 := max(t0, min(a.size, a.in-pos))
		clear(row[:t0*k])
		if t1 > t0 {
			copy(row[t0*k:t1*k], x[(pos+t0)*k:])
		}
		clear(row[t1*k:])
		return
	}
	for t := range a.size {
		part := row[t*k : (t+1)*k]
		if i := a.at(place[0], t); i >= 0 {
			layWindow(part, x[i*a.step:], place[1:], axes[1:], channels, dense)
		} else {
			clear(part)
		}
	}
}

// allFinite reports whether all elements are finite, so that their products with zero are zero.
func allFinite[A any](x []A) bool {
	switch x := any(x).(type) {
	case []float32:
		for _, v := range x {
			if v-v != 0 {
				return false
			}
		}
	case []float64:
		for _, v := range x {
			if v-v != 0 {
				return false
			}
		}
	case []complex64:
		for _, v := range x {
			if v-v != 0 {
				return false
			}
		}
	case []complex128:
		for _, v := range x {
			if v-v != 0 {
				return false
			}
		}
	}
	return true
}

// skipRow computes a row of results where a kernel element may be infinite or NaN. Its products
// with zeros in place of padding would not be zero, so the chains leave padding out.
func skipRow[A any](kernel product.DotKernel[A], sum *fold[A], y, row, w []A, place []int, axes []convAxis, channels int) {
	k := len(row)
	there, lt := block.Borrow[bool](k)
	markWindow(there, place, axes)
	var a, b [product.DotChunk]A
	for j := range y {
		total := sum.id
		for lo := 0; lo < k; lo += product.DotChunk {
			n := 0
			for i := lo; i < min(lo+product.DotChunk, k); i++ {
				if there[i] {
					a[n], b[n] = row[i], w[j*k+i]
					n++
				}
			}
			if n > 0 {
				var c [1]A
				kernel(c[:], a[:n], b[:n])
				total = sum.two(total, c[0])
			}
		}
		y[j] = total
	}
	block.Canon(y)
	lt.Back()
}

// markWindow sets there[i] to whether tap i of a window's row reads an element.
func markWindow(there []bool, place []int, axes []convAxis) {
	if len(axes) == 0 {
		block.FillRun(there, true)
		return
	}
	a := &axes[0]
	k := len(there) / a.size
	for t := range a.size {
		if part := there[t*k : (t+1)*k]; a.at(place[0], t) >= 0 {
			markWindow(part, place[1:], axes[1:])
		} else {
			clear(part)
		}
	}
}
