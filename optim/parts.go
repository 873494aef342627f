package optim

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Part is an optimizer for some of the leaves of a tree.
type Part[P any] struct {
	// Where selects the leaves, among those that no part before has selected; nil: all.
	Where Mask
	// New makes the optimizer, a pointer such as *Adam[P]. In p the leaves that are not this
	// part's are integers, which no optimizer changes. nil: the leaves stay as they are.
	New func(p P) Optimizer[P]
}

// Parts updates different leaves of a tree by different optimizers.
type Parts[P any] struct {
	Optimizers []Optimizer[P]
	Of         []int // the optimizer of each leaf; -1: none
}

// NewParts returns the state before the first step. A leaf that no part selects stays as it is.
func NewParts[P any](p P, parts ...Part[P]) Parts[P] {
	paths, xs := pathsOf(p), leavesOf(p)
	o := Parts[P]{Of: make([]int, len(xs))}
	for i := range o.Of {
		o.Of[i] = -1
		for k, part := range parts {
			if part.Where == nil || part.Where(paths[i], xs[i]) {
				o.Of[i] = k
				break
			}
		}
	}
	for k, part := range parts {
		if part.New == nil {
			o.Optimizers = append(o.Optimizers, nil)
			continue
		}
		own := leavesOf(p)
		for i, of := range o.Of {
			if of != k {
				own[i] = weft.ZerosOf(weft.Int32) // an integer needs no state
			}
		}
		opt := part.New(rebuild(p, own))
		if opt == nil {
			core.FailOp(core.ErrTree, "NewParts", nil, "part %d makes no optimizer; return a pointer to one, or leave New out to keep the leaves", k)
		}
		o.Optimizers = append(o.Optimizers, opt)
	}
	return o
}

// Update returns the parameters after a step of every part.
func (o *Parts[P]) Update(p, g P) P {
	requireNonNil("Parts.Update", o)
	for k, opt := range o.Optimizers {
		if opt == nil {
			continue
		}
		gs := leavesOf(g)
		for i, x := range gs {
			if i >= len(o.Of) || o.Of[i] != k {
				gs[i] = weft.ZerosOf(weft.Float0, x.Shape()...)
			}
		}
		p = opt.Update(p, rebuild(g, gs))
	}
	return p
}
