package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

const (
	maxNumber = 1 << 20 // of values, axes and lines of a kernel's text
	maxDepth  = 200     // of nested blocks
)

// Parse reads a kernel from the text that String returns, and checks it.
func Parse(text string) (*Kernel, error) {
	p := &parser{lines: strings.Split(text, "\n"), buffers: map[string]int{}, symbols: map[string]int{}}
	if len(p.lines) > maxNumber {
		return nil, &core.Error{Kind: core.ErrParse, Op: "kernel", Msg: fmt.Sprintf("too many lines (got %d, want at most %d); split the kernel", len(p.lines), maxNumber)}
	}
	if err := p.kernel(); err != nil {
		return nil, &core.Error{Kind: core.ErrParse, Op: "kernel", Msg: fmt.Sprintf("line %d: %v", p.at, err)}
	}
	if err := p.k.Check(); err != nil {
		return nil, err
	}
	return &p.k, nil
}

type parser struct {
	lines            []string
	at               int // lines read
	k                Kernel
	buffers, symbols map[string]int
	words            []string // rest of the current line
}

func (p *parser) kernel() error {
	if err := p.next(); err != nil {
		return err
	}
	if err := p.expect("kernel"); err != nil {
		return err
	}
	if p.k.Name = p.take(); p.k.Name == "_" {
		p.k.Name = ""
	}
	if err := p.expect("("); err != nil {
		return err
	}
	for !p.accept(")") {
		if len(p.k.Buffers)+len(p.k.Symbols) > 0 {
			if err := p.expect(","); err != nil {
				return err
			}
		}
		if err := p.param(); err != nil {
			return err
		}
	}
	if p.accept("grid") {
		for more := true; more; more = p.accept(",") {
			a, n, _, err := p.extent()
			if err != nil {
				return err
			}
			p.k.Grid = append(p.k.Grid, Dim{a, n})
		}
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	var err error
	if p.k.Body, err = p.block(0); err != nil {
		return err
	}
	if err := p.end(); err != nil {
		return err
	}
	for p.at < len(p.lines) {
		if p.at++; strings.TrimSpace(p.lines[p.at-1]) != "" {
			return fmt.Errorf("text after the end of the kernel; parse one kernel at a time")
		}
	}
	return nil
}

func (p *parser) param() error {
	w := p.take()
	if w == "size" {
		name := p.take()
		p.k.Symbols = append(p.k.Symbols, name)
		p.symbols[name] = len(p.k.Symbols)
		return nil
	}
	role, err := named(roleNames[:], w, "role of a buffer")
	if err != nil {
		return err
	}
	b := Buffer{Role: Role(role), Name: p.take()}
	if b.Type, err = p.typ(); err != nil {
		return err
	}
	if err := p.expect("["); err != nil {
		return err
	}
	if b.Len, err = p.size(); err != nil {
		return err
	}
	p.buffers[b.Name] = len(p.k.Buffers)
	p.k.Buffers = append(p.k.Buffers, b)
	return p.expect("]")
}

func named(names []string, w, what string) (int, error) {
	for i, n := range names {
		if n == w {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%q is not a %s; use one of %s", w, what, strings.Join(names, ", "))
}

func (p *parser) typ() (scalar.Type, error) {
	w := p.take()
	t, ok := scalar.ParseType(w)
	if !ok {
		return t, fmt.Errorf("%q is not a type; write one such as f32 or i64", w)
	}
	return t, nil
}

func (p *parser) size() (Size, error) {
	w := p.take()
	if s, ok := p.symbols[w]; ok {
		return Size{Symbol: s}, nil
	}
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		return Size{}, fmt.Errorf("%q is neither a number nor a size; declare the size in the head of the kernel", w)
	}
	return Const(n), nil
}

func (p *parser) axis() (Axis, error) {
	w := p.take()
	n, err := strconv.ParseUint(strings.TrimPrefix(w, "a"), 10, 31)
	if err != nil || !strings.HasPrefix(w, "a") || n >= maxNumber {
		return 0, fmt.Errorf("%q is not an axis; write one such as a0", w)
	}
	if int(n) >= p.k.Axes {
		p.k.Axes = int(n) + 1
	}
	return Axis(n), nil
}

func (p *parser) ref() (Ref, error) {
	w := p.take()
	n, err := strconv.ParseUint(strings.TrimPrefix(w, "%"), 10, 31)
	if err != nil || !strings.HasPrefix(w, "%") || n >= maxNumber {
		return NoRef, fmt.Errorf("%q is not a value; write one such as %%0", w)
	}
	return Ref(n), nil
}

// record notes the type of a value that is defined here.
func (p *parser) record(r Ref, t scalar.Type) {
	for int(r) >= len(p.k.Types) {
		p.k.Types = append(p.k.Types, scalar.NoType)
	}
	p.k.Types[r] = t
}

func (p *parser) typeOf(r Ref) scalar.Type {
	if int(r) < len(p.k.Types) {
		return p.k.Types[r]
	}
	return scalar.NoType
}

// extent reads a0<size [tail a1 size].
func (p *parser) extent() (a Axis, n Size, t *Tail, err error) {
	if a, err = p.axis(); err != nil {
		return
	}
	if err = p.expect("<"); err != nil {
		return
	}
	if n, err = p.size(); err != nil || !p.accept("tail") {
		return
	}
	t = &Tail{}
	if t.Outer, err = p.axis(); err != nil {
		return
	}
	t.Total, err = p.size()
	return
}

// carry reads %p = %i, %n -> %r : f32; …
func (p *parser) carry() (cs []Carry, err error) {
	if !p.accept("carry") {
		return nil, nil
	}
	for more := true; more; more = p.accept(";") {
		var c Carry
		for _, f := range []struct {
			r      *Ref
			before string
		}{{&c.Param, ""}, {&c.Init, "="}, {&c.Next, ","}, {&c.Result, "->"}} {
			if f.before != "" {
				if err := p.expect(f.before); err != nil {
					return nil, err
				}
			}
			if *f.r, err = p.ref(); err != nil {
				return nil, err
			}
		}
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		p.record(c.Param, t)
		p.record(c.Result, t)
		cs = append(cs, c)
	}
	return cs, nil
}

// affine reads base+2*a0+a1+%3.
func (p *parser) affine() (base Size, terms []Term, value Ref, err error) {
	value = NoRef
	for first := true; ; first = false {
		w := p.peek()
		switch {
		case strings.HasPrefix(w, "%"):
			if value, err = p.ref(); err != nil {
				return
			}
		case p.isAxis(w):
			t := Term{Coeff: Const(1)}
			if t.Axis, err = p.axis(); err != nil {
				return
			}
			terms = append(terms, t)
		default:
			var s Size
			if s, err = p.size(); err != nil {
				return
			}
			if !p.accept("*") {
				if !first {
					err = fmt.Errorf("only the first term is a constant; write the constant first")
					return
				}
				base = s
				break
			}
			t := Term{Coeff: s}
			if t.Axis, err = p.axis(); err != nil {
				return
			}
			terms = append(terms, t)
		}
		if !p.accept("+") {
			return
		}
	}
}

// isAxis reports whether a word is an axis. A size of the same name wins: sizes are
// declared.
func (p *parser) isAxis(w string) bool {
	if _, ok := p.symbols[w]; ok || len(w) < 2 || w[0] != 'a' {
		return false
	}
	_, err := strconv.ParseUint(w[1:], 10, 31)
	return err == nil
}

func (p *parser) access() (a Access, err error) {
	w := p.take()
	i, ok := p.buffers[w]
	if !ok {
		return a, fmt.Errorf("%q is not a buffer; declare it in the head of the kernel", w)
	}
	a.Buffer = i
	if p.accept("@") {
		if a.Offset, err = p.size(); err != nil {
			return a, err
		}
	}
	if err := p.expect("["); err != nil {
		return a, err
	}
	for !p.accept("]") {
		if len(a.Coords) > 0 {
			if err := p.expect(","); err != nil {
				return a, err
			}
		}
		c := Coord{Stride: Const(1)}
		switch {
		case p.accept("clamp"):
			c.Mode = Clamp
		case p.accept("drop"):
			c.Mode = Drop
		}
		if c.Base, c.Terms, c.Value, err = p.affine(); err != nil {
			return a, err
		}
		if err := p.expect("<"); err != nil {
			return a, err
		}
		if c.Bound, err = p.size(); err != nil {
			return a, err
		}
		if p.accept("*") {
			if c.Stride, err = p.size(); err != nil {
				return a, err
			}
		}
		a.Coords = append(a.Coords, c)
	}
	return a, nil
}
