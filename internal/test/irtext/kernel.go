package irtext

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Parse reads a kernel from its text and checks it.
func Parse(text string) (*ir.Kernel, error) {
	p := &parser{buffers: map[string]int{}, symbols: map[string]int{}}
	if err := p.read("kernel", text, p.kernel); err != nil {
		return nil, err
	}
	if err := p.k.Check(); err != nil {
		return nil, err
	}
	return &p.k, nil
}

type parser struct {
	reader
	k                ir.Kernel
	buffers, symbols map[string]int
}

func (p *parser) line() { p.next(";;") }

func (p *parser) kernel() {
	p.line()
	p.expect("kernel")
	if p.k.Name = p.take(); p.k.Name == "_" {
		p.k.Name = ""
	}
	p.expect("(")
	for !p.accept(")") {
		if len(p.k.Buffers)+len(p.k.Symbols) > 0 {
			p.expect(",")
		}
		p.param()
	}
	if p.accept("grid") {
		for more := true; more; more = p.accept(",") {
			a, n, _ := p.extent()
			p.k.Grid = append(p.k.Grid, ir.Dim{Axis: a, Extent: n})
		}
	}
	p.k.Body = p.block(0)
	p.end()
}

func (p *parser) param() {
	if p.accept("size") {
		name := p.take()
		p.k.Symbols = append(p.k.Symbols, name)
		p.symbols[name] = len(p.k.Symbols)
		return
	}
	b := ir.Buffer{Role: named(&p.reader, ir.In, ir.Scratch+1, "a role of a buffer"), Name: p.take(), Type: p.typ()}
	p.expect("[")
	b.Len = p.size()
	p.expect("]")
	p.buffers[b.Name] = len(p.k.Buffers)
	p.k.Buffers = append(p.k.Buffers, b)
}

func (p *parser) size() ir.Size {
	w := p.take()
	if s, ok := p.symbols[w]; ok {
		return ir.Size{Symbol: s}
	}
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		fail("%q is neither a number nor a size; declare the size in the head of the kernel", w)
	}
	return ir.Const(n)
}

func (p *parser) axis() ir.Axis {
	n := p.number("a", "an axis")
	p.k.Axes = max(p.k.Axes, n+1)
	return ir.Axis(n)
}

// record notes the type of a value that is defined here.
func (p *parser) record(r ir.Ref, t scalar.Type) {
	for int(r) >= len(p.k.Types) {
		p.k.Types = append(p.k.Types, scalar.NoType)
	}
	p.k.Types[r] = t
}

func (p *parser) typeOf(r ir.Ref) scalar.Type {
	if int(r) < len(p.k.Types) {
		return p.k.Types[r]
	}
	return scalar.NoType
}

// extent reads a0<size [tail a1 size].
func (p *parser) extent() (a ir.Axis, n ir.Size, t *ir.Tail) {
	a = p.axis()
	p.expect("<")
	n = p.size()
	if p.accept("tail") {
		t = &ir.Tail{Outer: p.axis(), Total: p.size()}
	}
	return a, n, t
}

// fields reads values, each behind its word.
func (p *parser) fields(words string, rs ...*ir.Ref) {
	for i, w := range strings.Fields(words) {
		if w != "." {
			p.expect(w)
		}
		if i < len(rs) {
			*rs[i] = p.ref()
		}
	}
}

// carry reads %p = %i, %n -> %r : f32; …
func (p *parser) carry() (cs []ir.Carry) {
	if !p.accept("carry") {
		return nil
	}
	for more := true; more; more = p.accept(";") {
		var c ir.Carry
		p.fields(". = , -> :", &c.Param, &c.Init, &c.Next, &c.Result)
		t := p.typ()
		p.record(c.Param, t)
		p.record(c.Result, t)
		cs = append(cs, c)
	}
	return cs
}

// affine reads base+2*a0+a1+%3. A size that is named as an axis wins: sizes are declared.
func (p *parser) affine() (base ir.Size, terms []ir.Term, value ir.Ref) {
	value = ir.NoRef
	for first := true; first || p.accept("+"); first = false {
		_, declared := p.symbols[p.peek()]
		switch {
		case strings.HasPrefix(p.peek(), "%"):
			value = p.ref()
		case !declared && p.isNext("a"):
			terms = append(terms, ir.Term{Axis: p.axis(), Coeff: ir.Const(1)})
		default:
			s := p.size()
			switch {
			case p.accept("*"):
				terms = append(terms, ir.Term{Axis: p.axis(), Coeff: s})
			case first:
				base = s
			default:
				fail("only the first term is a constant; write the constant first")
			}
		}
	}
	return base, terms, value
}

func (p *parser) access() (a ir.Access) {
	w := p.take()
	i, ok := p.buffers[w]
	if !ok {
		fail("%q is not a buffer; declare it in the head of the kernel", w)
	}
	a.Buffer = i
	if p.accept("@") {
		a.Offset = p.size()
	}
	p.expect("[")
	for !p.accept("]") {
		if len(a.Coords) > 0 {
			p.expect(",")
		}
		c := ir.Coord{Stride: ir.Const(1)}
		switch {
		case p.accept("clamp"):
			c.Mode = ir.Clamp
		case p.accept("drop"):
			c.Mode = ir.Drop
		}
		c.Base, c.Terms, c.Value = p.affine()
		p.expect("<")
		c.Bound = p.size()
		if p.accept("*") {
			c.Stride = p.size()
		}
		a.Coords = append(a.Coords, c)
	}
	return a
}
