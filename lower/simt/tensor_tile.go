package simt

// TensorCores describes the tensor cores of a device.
type TensorCores struct {
	MMA, WGMMA, TCGEN05 bool
	Shared              int // bytes of shared memory that a group can have
	Processors          int // multiprocessors
}

// Copies reports whether the device has a unit that multiplies operands which TMA copies.
func (c TensorCores) Copies() bool { return c.WGMMA || c.TCGEN05 }

func (c TensorCores) has(u TensorUnit) bool {
	return [...]bool{MMA: c.MMA, WGMMA: c.WGMMA, TCGEN05: c.TCGEN05}[u]
}

// A TensorMap describes how TMA reads an operand: an array of Rank axes, the innermost
// first, in tiles of Box elements. Strides, in bytes, are those of all axes but the first.
type TensorMap struct {
	Buffer  int
	Offset  int // bytes from the buffer's start to the first element
	Kind    TensorKind
	Rank    int
	Dims    [5]uint64
	Strides [4]uint64
	Box     [5]uint32
}

// Maps returns the tensor maps of A and B that a product by WGMMA or TCGEN05 takes.
func (t *Tensor) Maps() []TensorMap {
	if !t.Copied() {
		return nil
	}
	size := t.Kind.Size()
	var maps []TensorMap
	for i, o := range []Operand{t.A, t.B} {
		extent, lines := []int{t.M, t.N}[i], t.Tile[i]
		m := TensorMap{Buffer: i, Offset: o.Offset * size, Kind: t.Kind, Rank: 2}
		if o.K == 1 {
			m.Dims, m.Box = [5]uint64{uint64(t.K), uint64(extent)}, [5]uint32{uint32(128 / size), uint32(lines)}
			m.Strides[0] = uint64(o.Outer * size)
		} else {
			m.Dims, m.Box = [5]uint64{uint64(extent), uint64(t.K)}, [5]uint32{uint32(128 / size), uint32(t.Tile[2])}
			m.Strides[0] = uint64(o.K * size)
		}
		for d := len(t.Batch) - 1; d >= 0; d-- {
			b := t.Batch[d]
			m.along(b.N, []int{b.A, b.B}[i]*size)
		}
		maps = append(maps, m)
	}
	return maps
}

// along adds an axis of a batch, if the operand differs along it.
func (m *TensorMap) along(n, stride int) {
	if stride == 0 || n == 1 {
		return
	}
	if m.Rank < 5 {
		m.Dims[m.Rank], m.Box[m.Rank], m.Strides[m.Rank-1] = uint64(n), 1, uint64(stride)
	}
	m.Rank++
}

// copies reports whether TMA can copy the operand: it begins at a multiple of 16 bytes, its array has at most five axes, and their
// strides are multiples of 16 bytes, not 0 and less than 1 TiB.
func (m *TensorMap) copies() bool {
	if m.Rank > 5 || m.Offset%16 != 0 {
		return false
	}
	for d := range m.Rank - 1 {
		if s := m.Strides[d]; s == 0 || s%16 != 0 || s >= 1<<40 {
			return false
		}
	}
	return true
}

// copies reports whether TMA can copy the operands so that WGMMA and TCGEN05 can read them: neighbours in memory are neighbours
// along k or, if elements have 16 bits, along m or n.
func (t *Tensor) copies() bool {
	for i, m := range t.Maps() {
		o := []Operand{t.A, t.B}[i]
		extent := []int{t.M, t.N}[i]
		if o.K != 1 && (o.Outer != 1 && extent > 1 || t.Kind == TF32) || !m.copies() {
			return false
		}
	}
	return true
}

// candidate is a tile that a unit can have, with its rates for operands of 16 and of 32 bits. Those of WGMMA and MMA are relative
// to the first tile of WGMMA, measured on an H100 with matrices of 1024 to 8192 rows and columns. Those of TCGEN05 are relative to
// its first tile and estimated: with fewer columns the operands' bytes limit it.
type candidate struct {
	unit       TensorUnit
	m, n       int
	warps      [2]int
	stages     int
	rate, wide float64
	most       int // tiles of a multiprocessor up to which it is a candidate, unless no tile before it suits; 0: any number
}

var candidates = []candidate{
	{TCGEN05, 128, 256, [2]int{}, 4, 1, 1, 0},
	{TCGEN05, 128, 128, [2]int{}, 6, .8, .8, 4},
	{TCGEN05, 128, 64, [2]int{}, 4, .5, .5, 4},
	{WGMMA, 128, 256, [2]int{}, 4, 1, 1, 0},
	{WGMMA, 64, 256, [2]int{}, 4, 1.03, .9, 2},
	{WGMMA, 128, 128, [2]int{}, 5, .97, .9, 2},
	{WGMMA, 64, 128, [2]int{}, 4, .75, .7, 4},
	{MMA, 128, 256, [2]int{2, 4}, 4, .65, .5, 0},
	{MMA, 128, 256, [2]int{2, 4}, 3, .64, .49, 0},
	{MMA, 128, 128, [2]int{2, 2}, 3, .63, .48, 0},
}

// LowerTensor writes a product as the program of a thread that multiplies on tensor cores.
// The operands have type k, and so does the result if narrow is true. It returns nil if
// the device has no tensor cores or too little shared memory.
func LowerTensor(p *Product, k TensorKind, narrow bool, cores TensorCores) *Func {
	best, _ := chooseTensor(p, k, narrow, cores)
	if best == nil {
		return nil
	}
	return TensorFunc(p.Name, best, p.Lens)
}

// chooseTensor returns the best tile of a product, nil if there is none, and what it costs: the
// results of a multiprocessor, for each k, divided by the tile's rate.
func chooseTensor(p *Product, k TensorKind, narrow bool, cores TensorCores) (best *Tensor, least float64) {
	for _, c := range candidates {
		t := &Tensor{
			Unit: c.unit, Kind: k, Narrow: narrow, M: p.M, N: p.N, K: p.K, Batch: p.Batch, A: p.A, B: p.B,
			Tile: [3]int{c.m, c.n, 128 / k.Size()}, Warps: c.warps, Stages: c.stages, Rows: 16,
		}
		if !cores.has(c.unit) || t.Copied() && !t.copies() || t.SharedBytes() > cores.Shared {
			continue
		}
		m, n := t.Tiles()
		waves := (m*n*t.Batches() + cores.Processors - 1) / max(1, cores.Processors)
		if c.most > 0 && waves > c.most && best != nil {
			continue
		}
		rate := c.rate
		if k == TF32 {
			rate = c.wide
		}
		if cost := float64(waves) * float64(c.m*c.n) / rate; best == nil || cost < least {
			best, least = t, cost
		}
	}
	return best, least
}

// The times by which parts are chosen: what a multiprocessor or the memory does in a microsecond, and
// how long a launch takes. They are about those of an H100.
const (
	tensorFlops  = 5e6   // by a multiprocessor with a tile of rate 1, of operands of 16 bits
	tensorBytes  = 2.5e6 // to and from memory
	tensorLaunch = 2     // microseconds of the sum of parts, without the time of its bytes
)

const mostTensorParts = 16

// TensorParts returns in how many parts the sums of a product are best divided: a product with
// few results and long sums would leave most multiprocessors idle. Parts have whole tiles of k.
func TensorParts(p *Product, k TensorKind, cores TensorCores) int {
	micros := func(parts int) float64 {
		q := *p
		q.K /= parts
		results := parts * p.M * p.N
		for _, b := range p.Batch {
			results *= b.N
		}
		if parts > 1 {
			q.Batch = append([]BatchAxis{{parts, q.K * p.A.K, q.K * p.B.K}}, p.Batch...)
		}
		_, cost := chooseTensor(&q, k, false, cores)
		t := 2 * float64(q.K) * cost / tensorFlops
		if k == TF32 {
			t *= 2
		}
		if parts > 1 {
			t += tensorLaunch + float64(2*4*results)/tensorBytes
		}
		return t
	}
	best, tile := 1, 128/k.Size()
	least := .8 * micros(1) // a small gain is not worth the memory
	for n := 2; n <= mostTensorParts && p.K/n >= 4*tile; n++ {
		if p.K%(n*tile) != 0 {
			continue
		}
		if t := micros(n); t < least {
			best, least = n, t
		}
	}
	return best
}

// LeastTensorShared is the number of bytes of shared memory of a group with which every product has a tile.
const LeastTensorShared = 99 << 10
