package jaxpr

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr/internal/syntax"
)

// literal reads the number of a literal the way its dtype is written.
func (b *builder) literal(a syntax.Atom) core.Literal {
	if a.Type.Rank() > 0 || a.Type.Ref {
		b.fail(a.Pos, "a literal is a scalar; %v is not", a.Type)
	}
	n, ok := ParseNumber(a.Word, a.Type.DType)
	if !ok {
		b.fail(a.Pos, "%s is not a number of type %v; write one that the type has", a.Word, a.Type.DType)
	}
	return core.Literal{Num: n, Type: a.Type.DType, Weak: a.Type.Weak}
}

// ParseNumber reads a number as text writes it for the dtype: True, -1, 2.5, 1e-05,
// nan, inf, (1+2j). Integers must fit; floats are not rounded to the dtype.
func ParseNumber(s string, dt core.DType) (n core.Number, ok bool) {
	switch {
	case dt.IsBool():
		return core.BoolNumber(s == "True"), s == "True" || s == "False"
	case dt.IsInteger():
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			n = core.IntNumber(i)
			return n, n.Fits(dt) && s[0] != '+'
		}
		u, err := strconv.ParseUint(s, 10, 64)
		n = core.UintNumber(u)
		return n, err == nil && n.Fits(dt)
	case dt.IsFloat():
		f, ok := pyFloat(s)
		return core.FloatNumber(f), ok
	case dt.IsComplex():
		c, ok := pyComplex(s)
		return core.ComplexNumber(c), ok
	case dt == core.Float0 && s == core.NoElementText:
		return core.BoolNumber(false), true
	case dt == core.Float0: // the zero tangent of an integer, as it prints
		return core.FloatNumber(0), s == "0.0"
	}
	return n, false
}

// pyFloat reads what Python's repr writes for a float, and integers.
func pyFloat(s string) (float64, bool) {
	switch strings.TrimPrefix(s, "-") {
	case "nan", "inf":
	default:
		if s == "" || strings.Trim(s, "0123456789+-.e") != "" || s[0] == '+' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// pyComplex reads what Python's repr writes for a complex: 1j, (1+2j), (nan-infj).
func pyComplex(s string) (complex128, bool) {
	body, wrapped := syntax.Unbracket(s)
	if !wrapped || s[0] != '(' {
		body = s
	}
	im, hasIm := strings.CutSuffix(body, "j")
	if !hasIm {
		f, ok := pyFloat(body)
		return complex(f, 0), ok
	}
	split := 0 // where the imaginary part begins: at the last sign that is not an exponent's
	for i := len(im) - 1; i > 0; i-- {
		if (im[i] == '+' || im[i] == '-') && im[i-1] != 'e' {
			split = i
			break
		}
	}
	re := 0.0
	if split > 0 {
		var ok bool
		if re, ok = pyFloat(im[:split]); !ok {
			return 0, false
		}
	}
	f, ok := pyFloat(strings.TrimPrefix(im[split:], "+"))
	return complex(re, f), ok
}

// refEqn builds an equation on a reference. The words of an index that are
// variables are operands.
func (b *builder) refEqn(s *scope, raw *syntax.Eqn, e *Eqn) {
	f := raw.Ref
	p := &RefOp{Op: f.Op}
	e.Ins = []Atom{b.atom(s, f.Ref)}
	if !e.Ins[0].Aval().Ref {
		b.fail(f.Ref.Pos, "%s is no reference but %v; write a variable of type Ref", f.Ref.Word, e.Ins[0].Aval())
	}
	if f.Value != nil {
		e.Ins = append(e.Ins, b.atom(s, *f.Value))
	}
	for rest := f.Index; rest != ""; {
		n := strings.IndexFunc(rest, func(c rune) bool { return c < 128 && syntax.IsLetter(byte(c)) })
		if n != 0 {
			if n < 0 {
				n = len(rest)
			}
			p.Index = append(p.Index, rest[:n])
			rest = rest[n:]
			continue
		}
		for n < len(rest) && syntax.IsWord(rest[n]) {
			n++
		}
		e.Ins = append(e.Ins, b.atom(s, syntax.Atom{Word: rest[:n], Pos: f.Ref.Pos}))
		p.Index = append(p.Index, "")
		rest = rest[n:]
	}
	for _, x := range raw.Outs {
		p.OutAvals = append(p.OutAvals, x.Type)
		e.Outs = append(e.Outs, b.bind(s, x, x.Type.Weak))
	}
	e.Prim = p
	if f.Op == "get" && len(raw.Outs) != 1 {
		b.fail(raw.Pos, "reading a reference returns one result; bind one variable")
	}
}
