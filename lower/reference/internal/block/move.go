package block

import "unsafe"

// Move copies src[s+…] to dst[d+…] over the nest of axes, which it may rewrite.
// Bits are copied as they are: nothing here depends on what an element means.
func Move(dst, src *Tensor, d, s int, axes []Axis) {
	axes, ok := Tidy(axes)
	if !ok {
		return
	}
	moveTidy(dst, src, d, s, axes)
}

// moveTidy is Move over a nest that is tidy and not empty. It does not change the nest.
func moveTidy(dst, src *Tensor, d, s int, axes []Axis) {
	if len(dst.Data) > 0 && len(src.Data) > 0 {
		size := dst.DType.Size()
		moveBits(unsafe.Pointer(&dst.Data[0]), len(dst.Data)/size, unsafe.Pointer(&src.Data[0]), len(src.Data)/size, size, d, s, axes)
	}
}

// MoveAs is moveTidy for slices.
func MoveAs[T any](dst, src []T, d, s int, axes []Axis) {
	moveBits(unsafe.Pointer(unsafe.SliceData(dst)), len(dst), unsafe.Pointer(unsafe.SliceData(src)), len(src), ElementBytes[T](), d, s, axes)
}

// moveBits is moveTidy for arrays of m and n elements. Only the size of elements matters.
func moveBits(dst unsafe.Pointer, m int, src unsafe.Pointer, n, size, d, s int, axes []Axis) {
	switch size {
	case 1:
		MoveRuns(vec[uint8](dst, m), vec[uint8](src, n), d, s, axes)
	case 2:
		MoveRuns(vec[uint16](dst, m), vec[uint16](src, n), d, s, axes)
	case 4:
		MoveRuns(vec[uint32](dst, m), vec[uint32](src, n), d, s, axes)
	case 8:
		MoveRuns(vec[uint64](dst, m), vec[uint64](src, n), d, s, axes)
	case 16:
		MoveRuns(vec[[2]uint64](dst, m), vec[[2]uint64](src, n), d, s, axes)
	}
}

func MoveRuns[T any](dst, src []T, d, s int, axes []Axis) {
	k := len(axes) - 1
	if k < 0 {
		dst[d] = src[s]
		return
	}
	last := axes[k]
	if k == 0 {
		moveRun(dst, src, d, s, last)
		return
	}
	if p := crossing(axes); p >= 0 {
		moveCrossing(dst, src, d, s, axes, p)
		return
	}
	if last.N*last.D == axes[k-1].D && last.D == 1 && axes[k-1].S == 0 {
		moveRepeats(dst, src, d, s, axes)
		return
	}
	var buf [FewAxes]int
	at := Counters(buf[:0], k)
	for more := true; more; more = Advance(axes[:k], at, &d, &s) {
		moveRun(dst, src, d, s, last)
	}
}

func moveRun[T any](dst, src []T, d, s int, a Axis) {
	switch {
	case a.D == 1 && a.S == 1:
		copy(dst[d:d+a.N], src[s:s+a.N])
	case a.D == 1 && a.S == 0:
		FillRun(dst[d:d+a.N], src[s])
	case a.D == 1 && a.S == -1:
		from := src[s-a.N+1 : s+1]
		to := dst[d : d+a.N]
		for i := range to {
			to[i] = from[len(from)-1-i]
		}
	case a.D == 1:
		for i := range dst[d : d+a.N] {
			dst[d+i] = src[s]
			s += a.S
		}
	default:
		for range a.N {
			dst[d] = src[s]
			d += a.D
			s += a.S
		}
	}
}

// FillRun sets all of dst to v.
func FillRun[T any](dst []T, v T) {
	n := min(len(dst), 64)
	for i := range dst[:n] {
		dst[i] = v
	}
	for n < len(dst) {
		n += copy(dst[n:], dst[:n])
	}
}

// moveRepeats copies where the last axis but one repeats a contiguous run of the
// destination: the run is made once and copied.
func moveRepeats[T any](dst, src []T, d, s int, axes []Axis) {
	k := len(axes) - 1
	run, times := axes[k], axes[k-1].N
	var buf [FewAxes]int
	at := Counters(buf[:0], k-1)
	for more := true; more; more = Advance(axes[:k-1], at, &d, &s) {
		moveRun(dst, src, d, s, run)
		all := dst[d : d+times*run.N]
		for done := run.N; done < len(all); {
			done += copy(all[done:], all[:done])
		}
	}
}

// crossing returns the axis along which the source is contiguous, if the last axis leaps in the source: the two
// are better walked in square tiles. It returns −1 if the last axis does not leap, or if no such axis has 4
// elements or more.
func crossing(axes []Axis) int {
	k := len(axes) - 1
	if s := axes[k].S; s >= -1 && s <= 1 {
		return -1
	}
	for i := k - 1; i >= 0; i-- {
		if axes[i].S == 1 && axes[i].N >= 4 {
			return i
		}
	}
	return -1
}

// tile is the edge of a square that is transposed through a buffer. A row of it is a cache line
// of elements of 4 bytes.
const tile = 16

func moveCrossing[T any](dst, src []T, d, s int, axes []Axis, p int) {
	k := len(axes) - 1
	a, b := axes[p], axes[k] // a: source contiguous; b: the destination's last axis
	var buf [FewAxes]Axis
	rest := append(append(buf[:0], axes[:p]...), axes[p+1:k]...)
	var atBuf [FewAxes]int
	at := Counters(atBuf[:0], len(rest))
	var square [tile * tile]T
	for more := true; more; more = Advance(rest, at, &d, &s) {
		for i0 := 0; i0 < a.N; i0 += tile {
			ni := min(tile, a.N-i0)
			for j0 := 0; j0 < b.N; j0 += tile {
				nj := min(tile, b.N-j0)
				from := s + i0 + j0*b.S
				for j := range nj {
					copy(square[j*tile:j*tile+ni], src[from:])
					from += b.S
				}
				to := d + i0*a.D + j0*b.D
				for i := range ni {
					if b.D == 1 {
						row := dst[to+i*a.D:][:nj]
						for j := range row {
							row[j] = square[(j*tile+i)&(tile*tile-1)]
						}
						continue
					}
					for j := range nj {
						dst[to+i*a.D+j*b.D] = square[j*tile+i]
					}
				}
			}
		}
	}
}
