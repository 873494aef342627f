package fuse

import (
	"cmp"
	"slices"

	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
)

// A group is a kernel that is being put together: equations over one domain. The domain
// has size elements in row-major order. If it has rows, a reduction combines the cols
// elements of each row, and members are either full (one value for each element of the domain) or
// rows (one value for each row).
type group struct {
	seq  int
	size int64
	cols int64 // 0: no rows
	// chain are the products of trailing sizes at which the domain is divided into axes,
	// ascending; each divides the next. The last is size.
	chain   []int64
	members []*node // in program order
	reads   int     // upper bound on the values in memory from which members are computed
	closed  bool    // it takes no further members
	dest    *dest   // nil unless the group copies elements to a part of a value
	cum     []span  // the spans of a running fold, along the reduced one; nil in other groups
	few     *fewRows
}

// dest is where a group puts the elements of one piece of a concatenation or a stack.
type dest struct {
	eqn   *jaxpr.Eqn
	value int
	shape []int64
	piece jaxpr.Atom
	in    []int64 // the piece's shape, with an axis of size 1 where it is stacked
	axis  int
	lo    int64
}

const maxMembers = 400

// A CUDA kernel has 4096 bytes of parameters, 8 for each buffer: maxBuffers stays below 512. The last member of a group
// may add up to memberBuffers buffers.
const (
	maxBuffers    = 500
	memberBuffers = 40
)

// mostBuffers bounds the buffers of a kernel before its last member.
func (p *planner) mostBuffers() int {
	n := cmp.Or(p.target.Buffers, maxBuffers)
	return n - min(memberBuffers, n/3)
}

func newGroup(size int64) *group { return &group{size: size, chain: []int64{size}} }

// refined returns the chain with further divisions at the axes of a shape, which has the elements of the domain or, if
// row is set, its rows. ok is false where the divisions do not nest.
func (g *group) refined(shape []int64, row bool) (chain []int64, ok bool) {
	chain = slices.Clone(g.chain)
	p := int64(1)
	if row {
		p = g.cols
	}
	for i := len(shape) - 1; i >= 0; i-- {
		p *= shape[i]
		if p == 1 || slices.Contains(chain, p) {
			continue
		}
		if p < g.cols {
			return nil, false
		}
		chain = append(chain, p)
	}
	slices.Sort(chain)
	for i := 1; i < len(chain); i++ {
		if chain[i]%chain[i-1] != 0 {
			return nil, false
		}
	}
	return chain, chain[len(chain)-1] == g.size
}

// withRows returns the chain of the domain with rows of n elements; ok is false if it cannot have such rows.
func (g *group) withRows(n int64) (chain []int64, ok bool) {
	if g.cols == n {
		return g.chain, true
	}
	if g.cols != 0 || n < 2 || g.size%n != 0 || g.chain[0] < n {
		return nil, false
	}
	chain = slices.Clone(g.chain)
	if !slices.Contains(chain, n) {
		chain = append([]int64{n}, chain...)
	}
	for i := 1; i < len(chain); i++ {
		if chain[i]%chain[i-1] != 0 {
			return nil, false
		}
	}
	return chain, true
}

// sizesOf returns the sizes of the axes that a chain makes, outermost first.
func sizesOf(chain []int64) []int64 {
	out := make([]int64, len(chain))
	p := int64(1)
	for i, c := range chain {
		out[len(chain)-1-i] = c / p
		p = c
	}
	return out
}

// dryDomain adds the axes of the domain to m, which has none yet. It returns the indices along them of an element and of
// its row.
func (g *group) dryDomain(m *mapper) (full, row index) {
	full.shape = sizesOf(g.chain)
	for i, n := range full.shape {
		m.extent = append(m.extent, n)
		full.co = append(full.co, along(ir.Axis(i)))
	}
	return full, g.rowOf(full)
}

func (g *group) rowOf(full index) index {
	if g.cols == 0 {
		return index{}
	}
	n := len(full.shape)
	for p := int64(1); p < g.cols; {
		n--
		p *= full.shape[n]
	}
	return index{shape: full.shape[:n], co: full.co[:n]}
}

func (g *group) rows() int64 {
	if g.cols == 0 {
		return 0
	}
	return g.size / g.cols
}

// sameIndex reports whether two indices are known to name the same element.
func (m *mapper) sameIndex(a, b index) bool {
	if a.loose || b.loose {
		return false
	}
	return sameCoord(m.linear(a.shape, a.co), m.linear(b.shape, b.co), m)
}

func sameCoord(a, b coord, m *mapper) bool {
	if a.base != b.base || a.value != b.value {
		return false
	}
	coeff := func(c coord, x ir.Axis) (n int64) {
		for _, t := range c.terms {
			if t.axis == x {
				n += t.coeff
			}
		}
		return n
	}
	for _, ts := range [][]term{a.terms, b.terms} {
		for _, t := range ts {
			if m.extent[t.axis] > 1 && coeff(a, t.axis) != coeff(b, t.axis) {
				return false
			}
		}
	}
	return true
}
