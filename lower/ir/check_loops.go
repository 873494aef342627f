package ir

import (
	"fmt"

	"github.com/weft-go/weft/lower/scalar"
)

// enter checks the extent and the tail of a loop and makes its axis visible. The function that it returns hides the
// axis again.
func (c *checker) enter(a Axis, extent Size, t *Tail) (func(), error) {
	if err := c.sizes(extent); err != nil {
		return nil, err
	}
	if t != nil {
		if err := c.sizes(t.Total); err != nil {
			return nil, err
		}
		if err := c.affine(Size{}, []Term{{Axis: t.Outer}}); err != nil {
			return nil, err
		}
	}
	if err := c.newAxis(a); err != nil {
		return nil, err
	}
	return func() { c.axes[a] = false }, nil
}

func (c *checker) loop(s *Loop, vector bool) error {
	if s.Kind > Vector {
		return fmt.Errorf("invalid kind of loop; use a kind of this package")
	}
	if s.Kind == Vector && len(s.Carry) > 0 {
		return fmt.Errorf("a vector loop carries no values; make it a serial loop or a reduction")
	}
	if s.Kind == Vector && vector {
		return fmt.Errorf("a vector loop stands in another one; make one of them serial")
	}
	leave, err := c.enter(s.Axis, s.Extent, s.Tail)
	if err != nil {
		return err
	}
	return c.carried(s.Carry, func(next func() error) error {
		err := c.block(s.Body, vector || s.Kind == Vector, next)
		leave()
		if err == nil && s.Kind == Vector {
			err = c.endTogether(s)
		}
		return err
	})
}

// carried checks the carries of a loop. body checks the loop's block and calls next at its end.
func (c *checker) carried(cs []Carry, body func(next func() error) error) error {
	n := len(c.scope)
	types := make([]scalar.Type, len(cs))
	for i, x := range cs {
		t, err := c.use(x.Init)
		if err != nil {
			return err
		}
		types[i] = t
	}
	for i, x := range cs {
		if err := c.define(x.Param, types[i]); err != nil {
			return err
		}
	}
	err := body(func() error {
		for i, x := range cs {
			if err := c.useAs(x.Next, types[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range c.scope[n:] {
		c.live[r] = false
	}
	c.scope = c.scope[:n]
	for i, x := range cs {
		if err := c.define(x.Result, types[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) while(s *While, vector bool) error {
	if vector {
		c.whiles++
	}
	return c.carried(s.Carry, func(next func() error) error {
		if err := c.block(s.Cond, vector, func() error { return c.useAs(s.Test, scalar.Bool) }); err != nil {
			return err
		}
		return c.block(s.Body, vector, next)
	})
}

// endTogether checks the while loops in a vector loop: they must be statements of its body itself, not of inner
// blocks, and all iterations of the vector loop must run them equally often.
func (c *checker) endTogether(s *Loop) error {
	if c.whiles == 0 {
		return nil
	}
	u := &uniformity{k: c.k, varies: make([]bool, len(c.k.Types)), axis: s.Axis}
	for _, x := range s.Body {
		w, ok := x.(*While)
		if !ok {
			u.stmt(x)
			continue
		}
		if !u.ends(w) {
			return fmt.Errorf("a while loop stands in a vector loop, whose iterations would end at different times; make that loop serial")
		}
		c.whiles--
	}
	if c.whiles > 0 {
		return fmt.Errorf("a while loop stands in a block within a vector loop; move it to the body of that loop")
	}
	return nil
}

func (c *checker) branch(s *If, vector bool) error {
	if err := c.useAs(s.Cond, scalar.Bool); err != nil {
		return err
	}
	types := make([]scalar.Type, len(s.Merge))
	err := c.block(s.Then, vector, func() (err error) {
		for i, m := range s.Merge {
			if types[i], err = c.use(m.Then); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = c.block(s.Else, vector, func() error {
		for i, m := range s.Merge {
			if err := c.useAs(m.Else, types[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, m := range s.Merge {
		if err := c.define(m.Result, types[i]); err != nil {
			return err
		}
	}
	return nil
}
