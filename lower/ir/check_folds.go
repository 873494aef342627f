package ir

import (
	"fmt"

	"github.com/weft-go/weft/lower/scalar"
)

func (c *checker) reduce(s *Reduce, vector bool) error {
	if s.Order > Chain {
		return fmt.Errorf("invalid order of a reduction; use an Order of this package")
	}
	if len(s.Folds) == 0 {
		return fmt.Errorf("a reduction has at least one fold; add one")
	}
	if ok := s.Lanes > 0 && s.Lanes <= LaneBytes && s.Lanes&(s.Lanes-1) == 0; ok != (s.Order == Lanes) || !ok && s.Lanes != 0 {
		return fmt.Errorf("a reduction in order %v has %d lanes (want a power of two up to %d for lanes, else 0); correct Lanes", s.Order, s.Lanes, LaneBytes)
	}
	leave, err := c.enter(s.Axis, s.Extent, s.Tail)
	if err != nil {
		return err
	}
	types := make([][2]scalar.Type, len(s.Folds))
	err = c.block(s.Body, vector, func() error {
		for i, f := range s.Folds {
			if err := c.fold(s.Order, f, &types[i]); err != nil {
				return err
			}
		}
		return nil
	})
	leave()
	if err != nil {
		return err
	}
	for i, f := range s.Folds {
		if err := c.define(f.Result, types[i][0]); err != nil {
			return err
		}
		if f.Other != NoRef {
			if err := c.define(f.Other, types[i][1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// fold checks what a reduction's body yields for a fold and stores the types of Value and Second.
func (c *checker) fold(order Order, f Fold, types *[2]scalar.Type) (err error) {
	if types[0], err = c.use(f.Value); err != nil {
		return err
	}
	if (f.Second != NoRef) != (f.Op.Pairs() || order == Chain) || (f.Other != NoRef) != f.Op.Pairs() {
		return fmt.Errorf("fold %v has the wrong number of operands or results; set Second and Other for pairs only", f.Op)
	}
	if f.Second != NoRef {
		if types[1], err = c.use(f.Second); err != nil {
			return err
		}
	}
	t := types[0]
	switch {
	case int(f.Op) >= len(foldNames):
		return fmt.Errorf("invalid operation of a fold; use a FoldOp of this package")
	case order == Chain && (f.Op != Sum || t != types[1] || t == scalar.Bool):
		return fmt.Errorf("a chain sums products of two numbers of one type; got %v of %v and %v", f.Op, t, types[1])
	case f.Op == ComplexProd && (!t.IsFloat() || types[1] != t):
		return fmt.Errorf("fold cprod takes two floats of one type; got %v and %v", t, types[1])
	case (f.Op == ArgMax || f.Op == ArgMin) && !types[1].IsInt():
		return fmt.Errorf("fold %v takes an integer index; got %v", f.Op, types[1])
	}
	return foldTakes(f.Op, t)
}

func foldTakes(op FoldOp, t scalar.Type) error {
	ok := true
	switch op {
	case Sum, Prod, ComplexProd:
		ok = t.IsFloat() || t.IsInt()
	case And, Or, Xor:
		ok = t.IsInt() || t == scalar.Bool
	}
	if !ok {
		return fmt.Errorf("fold %v does not take %v; convert the value", op, t)
	}
	return nil
}

func (c *checker) cumulate(s *Cumulate, vector bool) error {
	leave, err := c.enter(s.Axis, s.Extent, nil)
	if err != nil {
		return err
	}
	defer leave()
	var t scalar.Type
	err = c.block(s.Body, vector, func() (err error) {
		if t, err = c.use(s.Value); err != nil {
			return err
		}
		if s.Op.Pairs() || int(s.Op) >= len(foldNames) {
			return fmt.Errorf("a running fold is one of sum, prod, max, min, and, or, xor; use a loop for others")
		}
		return foldTakes(s.Op, t)
	})
	if err != nil {
		return err
	}
	n := len(c.scope)
	if err := c.define(s.Param, t); err != nil {
		return err
	}
	err = c.block(s.Then, vector)
	c.live[s.Param] = false
	c.scope = c.scope[:n]
	return err
}
