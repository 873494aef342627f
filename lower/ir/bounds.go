package ir

import (
	"fmt"
	"math/bits"

	"github.com/weft-go/weft/core"
)

// CheckLaunch proves every access of the kernel in bounds where the symbols have the given values and the
// buffers the given lengths, in scalar values; nil lengths stand for the lengths that the kernel declares. It
// allocates only if it fails or the kernel has more than 16 axes.
func (k *Kernel) CheckLaunch(symbols, lens []int64) error {
	var few [16]extent
	p := prover{k: k, symbols: symbols, lens: lens, axes: few[:0]}
	if k.Axes > len(few) {
		p.axes = make([]extent, k.Axes)
	} else {
		p.axes = few[:k.Axes]
	}
	if err := p.launch(); err != nil {
		return &core.Error{Kind: core.ErrCheck, Op: "kernel " + k.Name, Msg: err.Error()}
	}
	return nil
}

// extent is what is known about an axis: 0 ≤ axis < n, and for the inner part of a split axis n·outer + axis <
// total.
type extent struct {
	n, total int64
	outer    Axis // NoAxis: not split
}

type prover struct {
	k             *Kernel
	symbols, lens []int64
	axes          []extent
}

func (p *prover) launch() error {
	if len(p.symbols) != len(p.k.Symbols) {
		return fmt.Errorf("got %d sizes, want %d; pass one for each symbol", len(p.symbols), len(p.k.Symbols))
	}
	if p.lens != nil && len(p.lens) != len(p.k.Buffers) {
		return fmt.Errorf("got %d buffers, want %d; pass one for each that the kernel declares", len(p.lens), len(p.k.Buffers))
	}
	for i, b := range p.k.Buffers {
		n := b.Len.In(p.symbols)
		if n < 0 || p.lens != nil && p.lens[i] < n {
			return fmt.Errorf("buffer %s is too short (got %d, want %d); allocate as much", b.Name, p.len(i), n)
		}
	}
	for _, d := range p.k.Grid {
		n := d.Extent.In(p.symbols)
		if n <= 0 {
			return nil // no point runs
		}
		p.axes[d.Axis] = extent{n: n, outer: NoAxis}
	}
	return p.block(p.k.Body)
}

func (p *prover) len(i int) int64 {
	if p.lens != nil {
		return p.lens[i]
	}
	return p.k.Buffers[i].Len.In(p.symbols)
}

func (p *prover) block(b Block) error {
	for _, s := range b {
		if err := p.stmt(s); err != nil {
			return err
		}
	}
	return nil
}

func (p *prover) stmt(s Stmt) error {
	switch s := s.(type) {
	case *Load:
		return p.access(&s.At)
	case *Store:
		return p.access(&s.At)
	case *Loop:
		return p.over(s.Axis, s.Extent, s.Tail, s.Body, nil)
	case *Reduce:
		return p.over(s.Axis, s.Extent, s.Tail, s.Body, nil)
	case *Cumulate:
		return p.over(s.Axis, s.Extent, nil, s.Body, s.Then)
	case *While:
		if err := p.block(s.Cond); err != nil {
			return err
		}
		return p.block(s.Body)
	case *If:
		if err := p.block(s.Then); err != nil {
			return err
		}
		return p.block(s.Else)
	}
	return nil
}

func (p *prover) over(a Axis, n Size, t *Tail, body, then Block) error {
	e := extent{n: n.In(p.symbols), outer: NoAxis}
	if e.n <= 0 {
		return nil // no iteration runs
	}
	if t != nil {
		e.outer, e.total = t.Outer, t.Total.In(p.symbols)
		if e.total <= 0 {
			return nil
		}
	}
	p.axes[a] = e
	if err := p.block(body); err != nil {
		return err
	}
	return p.block(then)
}

func (p *prover) access(a *Access) error {
	b := p.k.Buffers[a.Buffer]
	var sum arith
	sum.lo = a.Offset.In(p.symbols)
	sum.hi = sum.lo
	for i := range a.Coords {
		c := &a.Coords[i]
		bound, stride := c.Bound.In(p.symbols), c.Stride.In(p.symbols)
		lo, hi := int64(0), bound-1
		switch c.Mode {
		case Proved:
			r := p.affine(c.Base, c.Terms)
			if r.over || r.lo < 0 || r.hi >= bound {
				return fmt.Errorf("coordinate %d of an access to %s leaves its bounds (got %d to %d, want 0 to %d); clamp or drop it", i, b.Name, r.lo, r.hi, bound-1)
			}
			lo, hi = r.lo, r.hi
		case Clamp:
			if bound <= 0 {
				return fmt.Errorf("coordinate %d of an access to %s is clamped to nothing; drop it, or state a positive bound", i, b.Name)
			}
		case Drop:
			if bound <= 0 {
				return nil // never performed
			}
		}
		sum.addMul(stride, lo, hi)
	}
	if n := p.len(a.Buffer); sum.over || sum.lo < 0 || sum.hi >= n {
		return fmt.Errorf("an access to %s leaves the buffer (got %d to %d, want 0 to %d); correct its offset and strides", b.Name, sum.lo, sum.hi, n-1)
	}
	return nil
}

// affine returns the range of base + Σ coeff·axis.
func (p *prover) affine(base Size, terms []Term) arith {
	var r arith
	r.lo = base.In(p.symbols)
	r.hi = r.lo
	for i, t := range terms {
		e, coeff := p.axes[t.Axis], t.Coeff.In(p.symbols)
		if e.outer != NoAxis {
			if c, over := mul(coeff, e.n); !over && p.coeffOf(terms, e.outer) == c && c != 0 && !repeats(terms, i) {
				r.addMul(coeff, 0, e.total-1) // together with the outer part
				continue
			}
		}
		if p.joined(terms, t, coeff) {
			continue
		}
		r.addMul(coeff, 0, e.n-1)
	}
	return r
}

// joined reports whether t is the outer part of a split axis whose inner part is among the terms, with the
// coefficient that fits.
func (p *prover) joined(terms []Term, t Term, coeff int64) bool {
	for i, u := range terms {
		e := p.axes[u.Axis]
		if e.outer != t.Axis || repeats(terms, i) || p.coeffOf(terms, t.Axis) != coeff {
			continue
		}
		if c, over := mul(u.Coeff.In(p.symbols), e.n); !over && c == coeff && c != 0 {
			return true
		}
	}
	return false
}

// repeats reports whether another term has the axis of term i, so that the range of term i cannot be joined
// with the range of its outer part.
func repeats(terms []Term, i int) bool {
	for j, u := range terms {
		if j != i && u.Axis == terms[i].Axis {
			return true
		}
	}
	return false
}

// coeffOf returns the coefficient of an axis among the terms, 0 unless exactly one term has the
// axis.
func (p *prover) coeffOf(terms []Term, a Axis) (c int64) {
	n := 0
	for _, t := range terms {
		if t.Axis == a {
			c = t.Coeff.In(p.symbols)
			n++
		}
	}
	if n != 1 {
		return 0
	}
	return c
}

// arith is a range of integers; over reports that a bound may not fit 64 bits.
type arith struct {
	lo, hi int64
	over   bool
}

// addMul adds c·[lo, hi].
func (r *arith) addMul(c, lo, hi int64) {
	a, o1 := mul(c, lo)
	b, o2 := mul(c, hi)
	if a > b {
		a, b = b, a
	}
	l, o3 := add(r.lo, a)
	h, o4 := add(r.hi, b)
	r.lo, r.hi = l, h
	r.over = r.over || o1 || o2 || o3 || o4
}

func mul(a, b int64) (int64, bool) {
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > 1<<62 {
		return 0, true
	}
	if neg {
		return -int64(lo), false
	}
	return int64(lo), false
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func add(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) != (b > 0) && b != 0
}
