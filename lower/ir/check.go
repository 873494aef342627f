package ir

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// Check reports the first thing that is wrong with the kernel: names out of scope,
// types that do not fit, axes that do not exist. If the kernel has no symbols, Check
// proves every access in bounds, too; else CheckLaunch does.
func (k *Kernel) Check() error {
	c := &checker{k: k, defined: make([]bool, len(k.Types)), axes: make([]bool, k.Axes), live: make([]bool, len(k.Types))}
	if err := c.kernel(); err != nil {
		return &core.Error{Kind: core.ErrCheck, Op: "kernel " + k.Name, Msg: err.Error()}
	}
	if len(k.Symbols) > 0 {
		return nil
	}
	return k.CheckLaunch(nil, nil)
}

type checker struct {
	k       *Kernel
	defined []bool // by Ref: defined so far
	live    []bool // by Ref: visible now
	axes    []bool // by Axis: visible now
	used    []bool // by Axis: used so far
	scope   []Ref  // visible values in the order of their definitions
	whiles  int    // while loops in the vector loop that is checked
}

func (c *checker) kernel() error {
	k := c.k
	c.used = make([]bool, k.Axes)
	names := map[string]bool{}
	for _, n := range k.Symbols {
		if names[n] || !isName(n) {
			return fmt.Errorf("invalid or repeated name of a size: %q; use letters, digits and _, each name once", n)
		}
		names[n] = true
	}
	for _, b := range k.Buffers {
		if names[b.Name] || !isName(b.Name) {
			return fmt.Errorf("invalid or repeated name of a buffer: %q; use letters, digits and _, each name once", b.Name)
		}
		names[b.Name] = true
		if b.Role > Scratch || b.Type == scalar.NoType || int(b.Type) >= scalar.NumTypes {
			return fmt.Errorf("buffer %s: invalid role or type; use a role and a type of this package", b.Name)
		}
		if err := c.sizes(b.Len); err != nil {
			return fmt.Errorf("buffer %s: %w", b.Name, err)
		}
	}
	for i, t := range k.Tables {
		if err := t.Check(); err != nil {
			return fmt.Errorf("t%d: %w", i, err)
		}
	}
	for i, f := range k.Funcs {
		if err := f.Check(); err != nil {
			return fmt.Errorf("f%d: %w", i, err)
		}
	}
	for _, d := range k.Grid {
		if err := c.sizes(d.Extent); err != nil {
			return err
		}
		if err := c.newAxis(d.Axis); err != nil {
			return err
		}
	}
	return c.block(k.Body, false)
}

// isName reports whether s is a name that the text form can contain.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

func (c *checker) sizes(ss ...Size) error {
	for _, s := range ss {
		if s.Symbol < 0 || s.Symbol > len(c.k.Symbols) {
			return fmt.Errorf("size refers to symbol %d of %d; declare the symbol", s.Symbol, len(c.k.Symbols))
		}
	}
	return nil
}

func (c *checker) newAxis(a Axis) error {
	if a < 0 || int(a) >= c.k.Axes || c.used[a] {
		return fmt.Errorf("axis a%d is defined twice or out of range (%d axes); use another number below that", a, c.k.Axes)
	}
	c.used[a], c.axes[a] = true, true
	return nil
}

func (c *checker) define(r Ref, t scalar.Type) error {
	if r < 0 || int(r) >= len(c.defined) || c.defined[r] {
		return fmt.Errorf("value %s is defined twice or out of range (%d values); use another number below that", ref(r), len(c.defined))
	}
	if c.k.Types[r] != t {
		return fmt.Errorf("value %s is recorded as %v, its definition makes %v; correct Types", ref(r), c.k.Types[r], t)
	}
	c.defined[r], c.live[r] = true, true
	c.scope = append(c.scope, r)
	return nil
}

func (c *checker) use(r Ref) (scalar.Type, error) {
	if r < 0 || int(r) >= len(c.live) || !c.live[r] {
		return scalar.NoType, fmt.Errorf("value %s is not visible here; define it before, in this block or one around it", ref(r))
	}
	return c.k.Types[r], nil
}

func (c *checker) useAs(r Ref, want scalar.Type) error {
	t, err := c.use(r)
	if err == nil && t != want {
		err = fmt.Errorf("value %s is %v, want %v; convert it", ref(r), t, want)
	}
	return err
}

// block checks the statements of a block. vector reports whether the block lies in a
// vector loop. leave runs at the end, while the block's values are visible.
func (c *checker) block(b Block, vector bool, leave ...func() error) error {
	n := len(c.scope)
	for _, s := range b {
		if err := c.stmt(s, vector); err != nil {
			return err
		}
	}
	for _, f := range leave {
		if err := f(); err != nil {
			return err
		}
	}
	for _, r := range c.scope[n:] {
		c.live[r] = false
	}
	c.scope = c.scope[:n]
	return nil
}

func (c *checker) stmt(s Stmt, vector bool) error {
	switch s := s.(type) {
	case *Let:
		return c.let(s)
	case *Apply:
		return c.apply(s)
	case *Index:
		if err := c.affine(s.Base, s.Terms); err != nil {
			return err
		}
		if s.Dst < 0 || int(s.Dst) >= len(c.k.Types) || !c.k.Types[s.Dst].IsInt() {
			return fmt.Errorf("an index is an integer; make it i32 or i64")
		}
		return c.define(s.Dst, c.k.Types[s.Dst])
	case *Load:
		b, err := c.access(s.At)
		if err != nil {
			return err
		}
		if b.Role == Out {
			return fmt.Errorf("load from %s, which is only written; make it inout", b.Name)
		}
		return c.define(s.Dst, b.Type)
	case *Store:
		b, err := c.access(s.At)
		if err != nil {
			return err
		}
		if b.Role == In {
			return fmt.Errorf("store to %s, which is only read; make it out or inout", b.Name)
		}
		return c.useAs(s.Value, b.Type)
	case *Loop:
		return c.loop(s, vector)
	case *While:
		return c.while(s, vector)
	case *If:
		if vector {
			return fmt.Errorf("a branch stands in a vector loop; use select")
		}
		return c.branch(s, vector)
	case *Reduce:
		return c.reduce(s, vector)
	case *Cumulate:
		return c.cumulate(s, vector)
	}
	return fmt.Errorf("unknown statement %T; use one of this package", s)
}

func (c *checker) let(s *Let) error {
	in := s.Inst
	if in.Op == scalar.OpParam {
		return fmt.Errorf("param is no operation of kernels; load from a buffer")
	}
	var types [3]scalar.Type
	for i, a := range in.Args {
		if a == NoRef {
			continue
		}
		t, err := c.use(a)
		if err != nil {
			return err
		}
		types[i] = t
	}
	if err := in.CheckTypes(types); err != nil {
		return fmt.Errorf("%s = %s: %w", ref(s.Dst), in.Text(), err)
	}
	if in.Op == scalar.OpLookup {
		if in.Imm >= uint64(len(c.k.Tables)) {
			return fmt.Errorf("%s = %s: there is no such table (got %d tables); add the table to the kernel", ref(s.Dst), in.Text(), len(c.k.Tables))
		}
		if t := c.k.Tables[in.Imm].Type; t != in.Type {
			return fmt.Errorf("%s = %s: the table contains %v; look up that type", ref(s.Dst), in.Text(), t)
		}
	}
	return c.define(s.Dst, in.Type)
}

func (c *checker) affine(base Size, terms []Term) error {
	if err := c.sizes(base); err != nil {
		return err
	}
	for _, t := range terms {
		if err := c.sizes(t.Coeff); err != nil {
			return err
		}
		if t.Axis < 0 || int(t.Axis) >= len(c.axes) || !c.axes[t.Axis] {
			return fmt.Errorf("axis a%d is not visible here; use one of the grid or of a loop around it", t.Axis)
		}
	}
	return nil
}

func (c *checker) access(a Access) (Buffer, error) {
	if a.Buffer < 0 || a.Buffer >= len(c.k.Buffers) {
		return Buffer{}, fmt.Errorf("access to buffer %d of %d; declare the buffer", a.Buffer, len(c.k.Buffers))
	}
	b := c.k.Buffers[a.Buffer]
	if err := c.sizes(a.Offset); err != nil {
		return b, err
	}
	for _, co := range a.Coords {
		if err := c.sizes(co.Stride, co.Bound); err != nil {
			return b, err
		}
		if err := c.affine(co.Base, co.Terms); err != nil {
			return b, err
		}
		if co.Mode > Drop {
			return b, fmt.Errorf("access to %s: invalid mode; use Proved, Clamp or Drop", b.Name)
		}
		if co.Value == NoRef {
			continue
		}
		if co.Mode == Proved {
			return b, fmt.Errorf("access to %s: a coordinate with a computed value cannot be proved in bounds; clamp or drop it", b.Name)
		}
		t, err := c.use(co.Value)
		if err != nil {
			return b, err
		}
		if t != scalar.I64 && t != scalar.I32 {
			return b, fmt.Errorf("access to %s: a coordinate is %v, want i32 or i64; convert it", b.Name, t)
		}
	}
	return b, nil
}
