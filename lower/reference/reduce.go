package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// The canonical order of sums and products. Axes of size 1 are dropped, and
// neighbours that are both reduced or both kept are merged; the reduced groups
// that remain are reduced one at a time, innermost first. A group in lanes, the one that
// holds the minor dimension of the program as written, is cut into blocks of 1024 elements;
// in a block element i goes to lane i mod W, where the W lanes are 256 bytes of
// accumulators; each lane starts from the identity and takes its elements in
// order; then lane l takes lane l+W/2, l+W/4, … down to 1. All other groups are reduced in
// chunks: 16 elements in order from the identity. The results of blocks and of chunks
// combine in a pairwise tree of neighbours, in the order of a binary counter. Lanes that
// got no element are left out. Floats of fewer than 32 bits are f32 from the first group
// to the last and rounded once; every result starts from the identity, so a sum
// of −0s is +0 even if it is of one element. Complex numbers are added part by
// part and multiplied as mulC64 states.
const (
	blockSize = 1024
	chunkSize = 16
	cumChunk  = 32 // of cumulative operations
	laneBytes = 256
	maxLanes  = 256
)

// lanesOf returns the number of accumulators that fill the lanes.
func lanesOf[A any]() int {
	return laneBytes / block.ElementBytes[A]()
}

// A group is neighbouring axes of the operand, merged into one of n elements, that are all
// reduced or all kept.
type group struct {
	n       int
	reduced bool
}

// groupsOf merges the axes of a shape, without those of size 1. The groups are appended to buf.
func groupsOf(buf []group, shape, axes core.Dims) []group {
	g := buf
	for i, n := range shape.All() {
		r := axes.Has(i)
		switch k := len(g) - 1; {
		case n == 1:
		case k >= 0 && g[k].reduced == r:
			g[k].n *= n
		default:
			g = append(g, group{n, r})
		}
	}
	return g
}

// reduceTo reduces x over axes into y. lanes reports whether the innermost reduced group goes in
// lanes; for operations whose order does not matter that changes nothing.
func reduceTo(op foldOp, y, x *block.Tensor, axes core.Dims, lanes bool) {
	numericOf(x.DType).reduce(op, y, x, axes, lanes)
}

// shorten converts results of 8-bit arithmetic to integers of fewer bits: extrema of no elements to the type's
// extreme value, the rest by wrapping.
func shorten[A int8 | uint8](op foldOp, y []A, bits uint) {
	var zero A
	signed := zero-1 < 0
	for i, v := range y {
		if op == foldMax || op == foldMin {
			if signed {
				y[i] = max(min(v, A(1)<<(bits-1)-1), 0-A(1)<<(bits-1))
			} else {
				y[i] = min(v, A(1)<<bits-1)
			}
		} else if signed {
			y[i] = v << (8 - bits) >> (8 - bits)
		} else {
			y[i] = v & (A(1)<<bits - 1)
		}
	}
}

func reduceInto[A any](f *fold[A], y []A, x block.Rows[A], shape, axes core.Dims, lanes bool) {
	var buf [block.FewAxes]group
	g := groupsOf(buf[:0], shape, axes)
	todo := 0
	for _, q := range g {
		if q.n == 0 {
			block.FillRun(y, f.id)
			return
		}
		if q.reduced {
			todo++
		}
	}
	if todo == 0 {
		buf, l := block.Borrow[A](len(y))
		block.FillRun(y, f.id)
		f.into(y, x.At(0, len(y), buf))
		block.Canon(y)
		l.Back()
		return
	}
	// outer × n × inner: the innermost reduced group is n.
	k := len(g) - 1
	inner := 1
	if !g[k].reduced {
		inner = g[k].n
		k--
	}
	outer := 1
	for _, q := range g[:k] {
		outer *= q.n
	}
	if todo == 1 {
		reduceGroup(f, y, x, outer, g[k].n, inner, lanes)
		block.Canon(y)
		return
	}
	part, l := block.Borrow[A](outer * inner)
	reduceGroup(f, part, x, outer, g[k].n, inner, lanes)
	for k--; ; k-- {
		outer /= g[k].n
		if !g[k].reduced {
			inner *= g[k].n
			continue
		}
		todo--
		if todo == 1 {
			reduceGroup(f, y, block.Rows[A]{Plain: part}, outer, g[k].n, inner, false)
			block.Canon(y)
			l.Back()
			return
		}
		next, nl := block.Borrow[A](outer * inner)
		reduceGroup(f, next, block.Rows[A]{Plain: part}, outer, g[k].n, inner, false)
		l.Back()
		part, l = next, nl
	}
}

// reduceGroup reduces the middle axis of x[outer, n, inner].
func reduceGroup[A any](f *fold[A], y []A, x block.Rows[A], outer, n, inner int, lanes bool) {
	switch {
	case lanes && inner == 1:
		buf, l := block.Borrow[A](min(n, blockSize))
		acc, la := block.Borrow[A](maxLanes)
		for o := range outer {
			y[o] = foldLanes(f, x, o*n, n, buf, acc)
		}
		la.Back()
		l.Back()
	case lanes:
		// The group was the innermost one in the program as written, but is not in this order of axes.
		col, l := block.Borrow[A](n)
		buf, lb := block.Borrow[A](max(inner, maxLanes))
		for o := range outer {
			for j := range inner {
				for i := range n {
					col[i] = x.At((o*n+i)*inner+j, 1, buf)[0]
				}
				y[o*inner+j] = foldLanes(f, block.Rows[A]{Plain: col}, 0, n, nil, buf)
			}
		}
		lb.Back()
		l.Back()
	default:
		buf, l := block.Borrow[A](max(inner, min(n, chunkSize)))
		for o := range outer {
			foldChunks(f, y[o*inner:(o+1)*inner], x, o*n*inner, n, inner, buf)
		}
		l.Back()
	}
}

// foldLanes reduces n elements of x from `off` on, in blocks and lanes. acc is for the
// lanes.
func foldLanes[A any](f *fold[A], x block.Rows[A], off, n int, buf, acc []A) A {
	if n <= blockSize {
		return foldBlock(f, x.At(off, n, buf), acc)
	}
	t := newTree(f, (n+blockSize-1)/blockSize, 1)
	for at := 0; at < n; at += blockSize {
		t.next()[0] = foldBlock(f, x.At(off+at, min(blockSize, n-at), buf), acc)
		t.push()
	}
	t.result(acc[:1])
	return acc[0]
}

func foldBlock[A any](f *fold[A], x, acc []A) A {
	w := lanesOf[A]()
	used := min(w, len(x))
	block.FillRun(acc[:used], f.id)
	for len(x) > w {
		f.into(acc[:w], x[:w])
		x = x[w:]
	}
	f.into(acc[:len(x)], x)
	for h := w / 2; h > 0; h /= 2 {
		if used > h {
			f.into(acc[:used-h], acc[h:used])
			used = h
		}
	}
	return acc[0]
}

// foldChunks reduces x[n, inner], from `off` on, along its first axis into y.
func foldChunks[A any](f *fold[A], y []A, x block.Rows[A], off, n, inner int, buf []A) {
	if n <= chunkSize {
		foldChunk(f, y, x, off, n, inner, buf)
		return
	}
	t := newTree(f, (n+chunkSize-1)/chunkSize, inner)
	for at := 0; at < n; at += chunkSize {
		foldChunk(f, t.next(), x, off+at*inner, min(chunkSize, n-at), inner, buf)
		t.push()
	}
	t.result(y)
}

func foldChunk[A any](f *fold[A], y []A, x block.Rows[A], off, n, inner int, buf []A) {
	if inner == 1 {
		y[0] = f.run(f.id, x.At(off, n, buf))
		return
	}
	block.FillRun(y, f.id)
	for i := range n {
		f.into(y, x.At(off+i*inner, inner, buf))
	}
}

// reduceFree is reduceTo for operations whose result is the same in every order.
func reduceFree(op foldOp, y, x *block.Tensor, axes core.Dims) { reduceTo(op, y, x, axes, true) }
