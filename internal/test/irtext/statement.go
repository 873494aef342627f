package irtext

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/lower/ir"
)

// block reads { and statements up to the line that begins with }, whose rest stays in words.
func (p *parser) block(depth int) (b ir.Block) {
	if depth > maxDepth {
		fail("blocks are nested deeper than %d; split the kernel", maxDepth)
	}
	p.expect("{")
	p.end()
	for p.line(); !p.accept("}"); p.line() {
		switch {
		case depth == 0 && p.accept("table"):
			p.k.Tables = append(p.k.Tables, p.table(len(p.k.Tables)))
		case depth == 0 && p.isNext("f") && len(p.words) > 1 && p.words[1] == "=":
			p.expect("f"+strconv.Itoa(len(p.k.Funcs)), "=")
			f := p.program(";;")
			if err := f.Check(); err != nil {
				fail("%v", err)
			}
			p.k.Funcs = append(p.k.Funcs, f)
		default:
			b = append(b, p.stmt(depth+1))
			p.end()
		}
	}
	return b
}

// stmt reads a statement, whose blocks have a depth.
func (p *parser) stmt(depth int) ir.Stmt {
	if strings.HasPrefix(p.peek(), "%") {
		return p.definition()
	}
	switch w := p.take(); w {
	case "apply":
		return p.apply()
	case "store":
		s := &ir.Store{At: p.access()}
		p.fields(",", &s.Value)
		return s
	case "loop", "vector":
		l := &ir.Loop{Kind: ir.Sequential}
		if w == "vector" {
			l.Kind = ir.Vector
		}
		l.Axis, l.Extent, l.Tail = p.extent()
		l.Carry, l.Body = p.carry(), p.block(depth)
		return l
	case "while":
		l := &ir.While{Carry: p.carry(), Cond: p.block(depth)}
		p.fields("test", &l.Test)
		l.Body = p.block(depth)
		return l
	case "if":
		return p.branch(depth)
	case "reduce":
		return p.reduce(depth)
	case "cumulate":
		return p.cumulate(depth)
	default:
		fail("%q is not a statement; write one such as store, loop or a definition", w)
	}
	return nil
}

func (p *parser) definition() ir.Stmt {
	dst := p.ref()
	p.expect("=")
	switch {
	case p.accept("index"):
		p.record(dst, p.typ())
		base, terms, value := p.affine()
		if value != ir.NoRef {
			fail("an index has no computed part; add it as a value")
		}
		return &ir.Index{Dst: dst, Base: base, Terms: terms}
	case p.accept("load"):
		t := p.typ()
		l := &ir.Load{Dst: dst, At: p.access()}
		p.record(dst, t)
		return l
	}
	in := p.inst()
	p.record(dst, in.Type)
	return &ir.Let{Dst: dst, Inst: in}
}

// apply reads the use of a function: f0 %1, %2 -> %3.
func (p *parser) apply() ir.Stmt {
	n := p.number("f", "a function")
	if n >= len(p.k.Funcs) {
		fail("f%d is not a function of the kernel (it has %d); define it before its use", n, len(p.k.Funcs))
	}
	s := &ir.Apply{Func: n, Args: p.refs("->")}
	p.take()
	s.Dst = p.refs("")
	f := p.k.Funcs[n]
	for i, r := range s.Dst {
		if i < len(f.Results) {
			p.record(r, f.Code[f.Results[i]].Type)
		}
	}
	return s
}

func (p *parser) branch(depth int) ir.Stmt {
	s := &ir.If{Cond: p.ref(), Then: p.block(depth)}
	p.expect("else")
	s.Else = p.block(depth)
	if !p.accept("merge") {
		return s
	}
	for more := true; more; more = p.accept(",") {
		var m ir.Merge
		p.fields(". = | :", &m.Result, &m.Then, &m.Else)
		p.record(m.Result, p.typ())
		s.Merge = append(s.Merge, m)
	}
	return s
}

func (p *parser) fold() ir.FoldOp { return named(&p.reader, ir.Sum, ir.FoldOps, "a fold") }

func (p *parser) reduce(depth int) ir.Stmt {
	r := &ir.Reduce{Order: named(&p.reader, ir.Any, ir.Chain+1, "an order")}
	if p.isNext("") {
		r.Lanes = p.number("", "a number of lanes")
	}
	r.Axis, r.Extent, r.Tail = p.extent()
	r.Body = p.block(depth)
	p.expect("fold")
	for more := true; more; more = p.accept(",") {
		f := ir.Fold{Result: p.ref(), Second: ir.NoRef, Other: ir.NoRef}
		if p.peek() != "=" {
			f.Other = p.ref()
		}
		p.expect("=")
		f.Op, f.Value = p.fold(), p.ref()
		if strings.HasPrefix(p.peek(), "%") {
			f.Second = p.ref()
		}
		p.record(f.Result, p.typeOf(f.Value))
		if f.Other != ir.NoRef && f.Second != ir.NoRef {
			p.record(f.Other, p.typeOf(f.Second))
		}
		r.Folds = append(r.Folds, f)
	}
	return r
}

func (p *parser) cumulate(depth int) ir.Stmt {
	c := &ir.Cumulate{Reverse: p.accept("reverse"), Op: p.fold()}
	c.Axis, c.Extent, _ = p.extent()
	c.Body = p.block(depth)
	p.fields("then =", &c.Param, &c.Value)
	p.record(c.Param, p.typeOf(c.Value))
	c.Then = p.block(depth)
	return c
}
