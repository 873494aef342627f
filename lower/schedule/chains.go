package schedule

// SideBySide describes how the chains of long sums, of [Dense].Chunk terms each, are computed side by side. In each
// of Rounds rounds, Parts chains of each sum are stored in memory, and then added in order.
type SideBySide struct {
	Tiling  Tiling // of the products that compute chains
	Parts   int    // a multiple of PartsAtOnce
	Rounds  int
	Between int64 // elements of memory for the chains of a round
}

// PartsAtOnce is the number of chains' results that a thread reads at once.
const PartsAtOnce = 8

// Bounds of chains side by side.
const (
	betweenBytes = 32 << 20 // of memory for a round, about what a cache has room for
	mostRounds   = 128
)

// Results returns the number of elements that the products have together.
func (t Dense) Results() int64 { return int64(t.M) * int64(t.N) * int64(t.Batch) }

// SideBySide returns how chains are computed side by side; ok is false if there are too few of them, if their
// results take too much memory or too many rounds, or if that would not be much faster.
func (t Dense) SideBySide(d Device) (c SideBySide, ok bool) {
	d = d.known()
	chains := over(t.K, t.Chunk)
	size := int64(t.Type.Size())
	if chains < 2*PartsAtOnce || t.Results() == 0 {
		return c, false
	}
	c.Parts = int(min(int64(chains), betweenBytes/(size*t.Results()))) / PartsAtOnce * PartsAtOnce
	if c.Parts == 0 {
		return c, false
	}
	c.Rounds = over(chains, c.Parts)
	c.Between = t.Results() * int64(c.Parts)
	one := t
	one.K, one.Batch = t.Chunk, t.Batch*c.Parts
	c.Tiling = one.Tiling(d)
	const traffic = 12 // bytes of that memory that a multiprocessor moves in a cycle
	round := one.cost(c.Tiling, d) + float64(2*size*c.Between)/float64(traffic*d.Units) + 12000
	return c, c.Rounds <= mostRounds && 1.5*round*float64(c.Rounds) <= t.cost(t.Tiling(d), d)
}
