package schedule

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// Tiling describes how a product is cut into tiles of C, and how the threads of a group share
// the work on a tile. All numbers are powers of two.
type Tiling struct {
	Rows, Cols int // results of a thread
	Y, X       int // threads along the sides of a tile
	Slices     int // sets of Y·X threads; each takes every Slices-th chain of all sums
	Depth      int // elements along k that are in shared memory at once, at most 32
	Stages     int // of shared memory, at least 2: the next ones are fetched while one is used
}

// Height returns the rows of a tile.
func (l Tiling) Height() int { return l.Rows * l.Y }

// Width returns the columns of a tile.
func (l Tiling) Width() int { return l.Cols * l.X }

// Slice returns the threads of a slice.
func (l Tiling) Slice() int { return l.Y * l.X }

// Dense is a number of products of m×k and k×n elements of a type, as devices compute them.
type Dense struct {
	Type           scalar.Type
	M, N, K, Batch int
	Chunk          int     // length of a chain
	Along          [2]bool // neighbours of A and B in memory are neighbours along k
}

// Tiling returns the tiling that takes the least time by the cost model, the smallest one if
// none has room.
func (t Dense) Tiling(d Device) Tiling {
	d = d.known()
	best, least := Tiling{Rows: 1, Cols: 1, Y: 1, X: 1, Slices: 1, Depth: 16, Stages: 2}, math.Inf(1)
	t.tilings(d, func(l Tiling) {
		if cost := t.cost(l, d); cost < least {
			best, least = l, cost
		}
	})
	return best
}

// large are the tilings of products of 32 bits that fill a device. Each is the fastest of eight
// in a row of the table of dense products in bench/results/2026-11-24-epyc.md, which was measured
// on an H100.
var large = []Tiling{
	{Rows: 8, Cols: 8, Y: 8, X: 16, Slices: 1, Depth: 16, Stages: 2},
	{Rows: 4, Cols: 8, Y: 16, X: 16, Slices: 1, Depth: 16, Stages: 2},
	{Rows: 4, Cols: 8, Y: 16, X: 8, Slices: 1, Depth: 16, Stages: 2},
}

// sides are the results of a thread in other products: rows and columns.
var sides = [][2]int{{8, 8}, {4, 8}, {8, 4}, {4, 4}, {2, 4}, {4, 2}, {1, 4}, {4, 1}, {1, 1}}

const mostThreads = 256

// tilings calls f for the tilings among which the cost model chooses.
func (t Dense) tilings(d Device, f func(Tiling)) {
	if l := large[2]; !d.Small() && t.Type.Size() == 4 && t.M >= l.Height() && t.N >= l.Width() && t.tiles(l) >= d.Units && t.Shared(l) <= d.Shared {
		for _, l := range large {
			f(l)
		}
		return
	}
	for _, side := range sides {
		if side[0] > 1 && side[0] >= 2*t.M || side[1] > 1 && side[1] >= 2*t.N {
			continue // half of it or more would be empty
		}
		for y := 1; y == 1 || y <= mostThreads && side[0]*y < 2*t.M; y *= 2 {
			for x := 1; x == 1 || x*y <= mostThreads && side[1]*x < 2*t.N; x *= 2 {
				for s := 1; s == 1 || s*x*y <= mostThreads && s*t.Chunk < 2*t.K; s *= 2 {
					for stages := 2; stages <= d.Stages; stages *= 2 {
						f(Tiling{Rows: side[0], Cols: side[1], Y: y, X: x, Slices: s, Depth: 16, Stages: stages})
						f(Tiling{Rows: side[0], Cols: side[1], Y: y, X: x, Slices: s, Depth: 32, Stages: stages})
					}
				}
			}
		}
	}
}

func (t Dense) tiles(l Tiling) int {
	return (t.M + l.Height() - 1) / l.Height() * ((t.N + l.Width() - 1) / l.Width()) * t.Batch
}

// cost returns an estimate of the cycles of a product on a device, infinity if it has no room.
// Its constants make the tiling of least cost the fastest one in the rows of the table that large
// cites; of other sizes, types and devices no times are known.
func (t Dense) cost(l Tiling, d Device) float64 {
	const (
		access   = 2.8  // an access to shared memory takes this many times the cycles of a multiplication
		start    = 1.7  // warps' worth of cycles that a multiprocessor loses to latency
		read     = 24.  // bytes that a multiprocessor reads in a cycle
		latency  = 900. // cycles of a read
		overhead = 1500 // cycles of a tile
	)
	size := t.Type.Size()
	lines, results := l.Height()+l.Width(), l.Rows*l.Cols
	regs := (2*results+l.Rows+l.Cols)*size/4 + 23
	shared := t.Shared(l)
	if shared > d.Shared || regs > 240 || l.Slice()*l.Slices > d.Group {
		return math.Inf(1)
	}
	threads := max(l.Slice()*l.Slices, 32)
	room := max(1, min(d.Room/(shared+1024), 65536/(regs*threads), 2048/threads, 32)) // groups of a multiprocessor
	steps := float64((t.K+t.Chunk*l.Slices-1)/(t.Chunk*l.Slices)) * float64(t.Chunk)  // of a slice
	if t.K < t.Chunk {
		steps = float64((t.K + l.Depth - 1) / l.Depth * l.Depth)
	}
	vectors := func(n int) float64 { return math.Ceil(float64(n*size) / 16) }
	accesses, bytes := 0., 0. // of a thread; of a group, for one k
	for i, side := range [2][2]int{{l.Height(), l.Rows}, {l.Width(), l.Cols}} {
		lines, each := side[0], side[1]
		width := float64(lines * size)
		bytes += width
		switch along := t.Along[i]; {
		case along && each == 1:
			accesses += float64(size)/16 + vectors(lines)/float64(l.Slice())
		case along: // lines are transposed element by element
			accesses += vectors(each) + float64(lines)/float64(l.Slice())
		default:
			accesses += vectors(each) + vectors(lines)/float64(l.Slice())
			if width < 128 { // memory is read in pieces of 128 bytes
				bytes += (128 - width) / 4
			}
		}
	}
	if l.X%4 != 0 || l.Y%8 != 0 {
		accesses *= 1.5 // threads do not share their reads
	}
	multiply := float64(results*size)/4 + access*accesses
	if l.Slices > 1 {
		multiply *= 1.1
	}
	work := multiply * float64(threads) * steps / 128
	bytes *= float64(l.Slices) * steps
	flight := float64(lines * l.Slices * (l.Stages - 1) * l.Depth * size)
	batch := func(n float64) float64 { // n groups on a multiprocessor
		warps := n * float64(threads) / 32
		compute := n * work * (warps + start) / warps
		memory := n * bytes / min(read, n*flight/latency)
		return math.Hypot(compute, memory) + overhead
	}
	per := (t.tiles(l) + d.Units - 1) / d.Units // of a multiprocessor
	cost := float64(per/room) * batch(float64(room))
	if rest := per % room; rest > 0 {
		cost += batch(float64(rest))
	}
	return cost
}

// Shared returns the bytes of shared memory of a group, at most.
func (t Dense) Shared(l Tiling) int {
	size := t.Type.Size()
	shelf := func(lines, each int) int {
		n := (lines + 2*16/size) * l.Depth
		if each == 1 {
			n = max(n, lines*(l.Depth+16/size))
		}
		return n * size
	}
	n := l.Slices * l.Stages * (shelf(l.Height(), l.Rows) + shelf(l.Width(), l.Cols))
	return n + (l.Slices-1)*l.Height()*l.Width()*size
}
