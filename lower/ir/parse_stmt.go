package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
)

// block reads statements up to the line that begins with a closing brace, whose rest
// stays in words.
func (p *parser) block(depth int) (Block, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("blocks are nested deeper than %d; split the kernel", maxDepth)
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	var b Block
	for {
		if err := p.next(); err != nil {
			return nil, err
		}
		if p.accept("}") {
			return b, nil
		}
		if depth == 0 && p.accept("table") {
			if err := p.table(); err != nil {
				return nil, err
			}
			continue
		}
		if depth == 0 && strings.HasPrefix(p.peek(), "f") && len(p.words) > 1 && p.words[1] == "=" {
			if err := p.function(); err != nil {
				return nil, err
			}
			continue
		}
		s, err := p.stmt(depth)
		if err != nil {
			return nil, err
		}
		if err := p.end(); err != nil {
			return nil, err
		}
		b = append(b, s)
	}
}

func (p *parser) table() (err error) {
	if err := p.expect("t" + strconv.Itoa(len(p.k.Tables))); err != nil {
		return err
	}
	var t Table
	if t.Type, err = p.typ(); err != nil {
		return err
	}
	for len(p.words) > 0 {
		x, err := strconv.ParseUint(p.take(), 0, 64)
		if err != nil {
			return err
		}
		t.Bits = append(t.Bits, x)
	}
	p.k.Tables = append(p.k.Tables, t)
	return nil
}

func (p *parser) stmt(depth int) (Stmt, error) {
	switch w := p.peek(); {
	case strings.HasPrefix(w, "%"):
		return p.definition()
	case p.accept("apply"):
		return p.apply()
	case p.accept("store"):
		at, err := p.access()
		if err != nil {
			return nil, err
		}
		if err := p.expect(","); err != nil {
			return nil, err
		}
		v, err := p.ref()
		return &Store{at, v}, err
	case p.accept("loop"):
		return p.loop(Sequential, depth)
	case p.accept("vector"):
		return p.loop(Vector, depth)
	case p.accept("while"):
		return p.while(depth)
	case p.accept("if"):
		return p.branch(depth)
	case p.accept("reduce"):
		return p.reduce(depth)
	case p.accept("cumulate"):
		return p.cumulate(depth)
	default:
		return nil, fmt.Errorf("%q is not a statement; write one such as store, loop or a definition", w)
	}
}

func (p *parser) definition() (Stmt, error) {
	dst, err := p.ref()
	if err != nil {
		return nil, err
	}
	if err := p.expect("="); err != nil {
		return nil, err
	}
	switch {
	case p.accept("index"):
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		base, terms, value, err := p.affine()
		if err == nil && value != NoRef {
			err = fmt.Errorf("an index has no computed part; add it as a value")
		}
		p.record(dst, t)
		return &Index{dst, base, terms}, err
	case p.accept("load"):
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		l := &Load{Dst: dst, Else: NoRef}
		if l.At, err = p.access(); err != nil {
			return nil, err
		}
		if p.accept("else") {
			if l.Else, err = p.ref(); err != nil {
				return nil, err
			}
		}
		p.record(dst, t)
		return l, nil
	}
	in, err := scalar.ParseInst(slices.DeleteFunc(p.words, func(w string) bool { return w == "," }))
	p.words = nil
	if err != nil {
		return nil, err
	}
	p.record(dst, in.Type)
	return &Let{dst, in}, nil
}

func (p *parser) loop(k Kind, depth int) (_ Stmt, err error) {
	l := &Loop{Kind: k}
	if l.Axis, l.Extent, l.Tail, err = p.extent(); err != nil {
		return nil, err
	}
	if l.Carry, err = p.carry(); err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	l.Body, err = p.block(depth + 1)
	return l, err
}

func (p *parser) while(depth int) (_ Stmt, err error) {
	w := &While{}
	if w.Carry, err = p.carry(); err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	if w.Cond, err = p.block(depth + 1); err != nil {
		return nil, err
	}
	if err := p.expect("test"); err != nil {
		return nil, err
	}
	if w.Test, err = p.ref(); err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	w.Body, err = p.block(depth + 1)
	return w, err
}

func (p *parser) branch(depth int) (_ Stmt, err error) {
	s := &If{}
	if s.Cond, err = p.ref(); err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	if s.Then, err = p.block(depth + 1); err != nil {
		return nil, err
	}
	if err := p.expect("else", "{"); err != nil {
		return nil, err
	}
	if s.Else, err = p.block(depth + 1); err != nil || !p.accept("merge") {
		return s, err
	}
	for more := true; more; more = p.accept(",") {
		var m Merge
		if m.Result, err = p.ref(); err != nil {
			return nil, err
		}
		if err := p.expect("="); err != nil {
			return nil, err
		}
		if m.Then, err = p.ref(); err != nil {
			return nil, err
		}
		if err := p.expect("|"); err != nil {
			return nil, err
		}
		if m.Else, err = p.ref(); err != nil {
			return nil, err
		}
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		p.record(m.Result, t)
		s.Merge = append(s.Merge, m)
	}
	return s, nil
}

func (p *parser) reduce(depth int) (Stmt, error) {
	o, err := named(orderNames[:], p.take(), "order")
	if err != nil {
		return nil, err
	}
	r := &Reduce{Order: Order(o)}
	if n, err := strconv.ParseUint(p.peek(), 10, 16); err == nil {
		r.Lanes = int(n)
		p.take()
	}
	if r.Axis, r.Extent, r.Tail, err = p.extent(); err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	if r.Body, err = p.block(depth + 1); err != nil {
		return nil, err
	}
	if err := p.expect("fold"); err != nil {
		return nil, err
	}
	for more := true; more; more = p.accept(",") {
		f := Fold{Second: NoRef, Other: NoRef}
		if f.Result, err = p.ref(); err != nil {
			return nil, err
		}
		if p.peek() != "=" {
			if f.Other, err = p.ref(); err != nil {
				return nil, err
			}
		}
		if err := p.expect("="); err != nil {
			return nil, err
		}
		op, err := named(foldNames[:], p.take(), "fold")
		if err != nil {
			return nil, err
		}
		f.Op = FoldOp(op)
		if f.Value, err = p.ref(); err != nil {
			return nil, err
		}
		if strings.HasPrefix(p.peek(), "%") {
			if f.Second, err = p.ref(); err != nil {
				return nil, err
			}
		}
		p.record(f.Result, p.typeOf(f.Value))
		if f.Other != NoRef && f.Second != NoRef {
			p.record(f.Other, p.typeOf(f.Second))
		}
		r.Folds = append(r.Folds, f)
	}
	return r, nil
}

func (p *parser) cumulate(depth int) (Stmt, error) {
	c := &Cumulate{Reverse: p.accept("reverse")}
	op, err := named(foldNames[:], p.take(), "fold")
	if err != nil {
		return nil, err
	}
	c.Op = FoldOp(op)
	if c.Axis, c.Extent, _, err = p.extent(); err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	if c.Body, err = p.block(depth + 1); err != nil {
		return nil, err
	}
	if err := p.expect("then"); err != nil {
		return nil, err
	}
	if c.Param, err = p.ref(); err != nil {
		return nil, err
	}
	if err := p.expect("="); err != nil {
		return nil, err
	}
	if c.Value, err = p.ref(); err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	p.record(c.Param, p.typeOf(c.Value))
	c.Then, err = p.block(depth + 1)
	return c, err
}
