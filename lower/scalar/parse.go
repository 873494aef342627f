package scalar

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/weft-go/weft/core"
)

var opNames = sync.OnceValue(func() map[string]Op {
	m := make(map[string]Op)
	for o := OpParam; int(o) < NumOps; o++ {
		m[o.String()] = o
	}
	return m
})

var typeNames = sync.OnceValue(func() map[string]Type {
	m := make(map[string]Type)
	for t := Bool; int(t) < NumTypes; t++ {
		m[t.String()] = t
	}
	return m
})

// Parse reads a program from its text and checks it.
func Parse(text string) (p *Prog, err error) {
	line := 0
	fail := func(format string, args ...any) (*Prog, error) {
		return nil, &core.Error{Kind: core.ErrParse, Op: "scalar program",
			Msg: fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...)}
	}
	p = &Prog{}
	state := 0 // 0 before the head, 1 in the body, 2 after ret, 3 after the brace
	for _, s := range strings.Split(text, "\n") {
		line++
		s, _, _ = strings.Cut(s, ";")
		s = strings.TrimSpace(s)
		switch {
		case s == "":
		case state == 0:
			in, rest, ok := strings.Cut(strings.TrimPrefix(s, "func("), ")")
			out, brace := strings.CutSuffix(rest, "{")
			if !strings.HasPrefix(s, "func(") || !ok || !brace {
				return fail("%q is not the head of a program; write one such as func(f32) f32 {", s)
			}
			if p.In, err = parseDTypes(in); err == nil {
				p.Out, err = parseDTypes(out)
			}
			if err != nil {
				return fail("%v", err)
			}
			state = 1
		case state == 1 && (s == "ret" || strings.HasPrefix(s, "ret ")):
			for _, w := range words(s[3:]) {
				r, err := parseRef(w)
				if err != nil {
					return fail("%v", err)
				}
				p.Results = append(p.Results, r)
			}
			state = 2
		case state == 1 && strings.HasPrefix(s, "table "):
			t, err := parseTable(words(s), len(p.Tables))
			if err != nil {
				return fail("%v", err)
			}
			p.Tables = append(p.Tables, t)
		case state == 1:
			in, err := parseInst(s, len(p.Code))
			if err != nil {
				return fail("%v", err)
			}
			p.Code = append(p.Code, in)
		case state == 2 && s == "}":
			state = 3
		default:
			return fail("%q is not expected here; remove it", s)
		}
	}
	if state != 3 {
		return fail("the program ends too early; close it with ret and }")
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p, nil
}

func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
}

func parseDTypes(s string) ([]core.DType, error) {
	var out []core.DType
	for _, w := range words(s) {
		dt, ok := core.ParseDType(w)
		if !ok {
			return nil, fmt.Errorf("%q is not a dtype; write one such as f32", w)
		}
		out = append(out, dt)
	}
	return out, nil
}

// parseTable reads table number i from the words of its line.
func parseTable(w []string, i int) (t Table, err error) {
	if len(w) < 4 || w[1] != "t"+strconv.Itoa(i) {
		return t, fmt.Errorf("%q does not define table t%d; number tables from t0, and list a type and bits", strings.Join(w, " "), i)
	}
	var ok bool
	if t.Type, ok = typeNames()[w[2]]; !ok {
		return t, fmt.Errorf("%q is not a type; write one such as f32", w[2])
	}
	for _, x := range w[3:] {
		b, err := strconv.ParseUint(x, 0, 64)
		if err != nil {
			return t, fmt.Errorf("%q is not bits; write them as 0x3f800000", x)
		}
		t.Bits = append(t.Bits, b)
	}
	return t, nil
}

func parseRef(w string) (Ref, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(w, "%"), 10, 32)
	if !strings.HasPrefix(w, "%") || err != nil || n < 0 {
		return NoRef, fmt.Errorf("%q is not a value; write one such as %%3", w)
	}
	return Ref(n), nil
}

func parseInst(s string, i int) (Inst, error) {
	def, rest, ok := strings.Cut(s, "=")
	if r, err := parseRef(strings.TrimSpace(def)); !ok || err != nil || int(r) != i {
		return Inst{}, fmt.Errorf("%q does not define %%%d; number values in order from %%0", s, i)
	}
	return ParseInst(words(rest))
}

// ParseType returns the type of a name, as String returns it.
func ParseType(name string) (t Type, ok bool) {
	t, ok = typeNames()[name]
	return t, ok
}

// ParseInst reads an instruction from the words of its text without commas, as Text
// returns it: add f32 %0 %1. It does not check types.
func ParseInst(w []string) (Inst, error) {
	in := Inst{Args: [3]Ref{NoRef, NoRef, NoRef}}
	if len(w) < 2 {
		return in, fmt.Errorf("%q is not an instruction; write one such as add f32 %%0, %%1", strings.Join(w, " "))
	}
	var ok bool
	if in.Op, ok = opNames()[w[0]]; !ok {
		return in, fmt.Errorf("%q is not an operation; write one such as add", w[0])
	}
	if in.Type, ok = typeNames()[w[1]]; !ok {
		return in, fmt.Errorf("%q is not a type; write one such as f32", w[1])
	}
	w = w[2:]
	need := func(what string) (string, error) {
		if len(w) == 0 {
			return "", fmt.Errorf("%v lacks %s; add it", in.Op, what)
		}
		x := w[0]
		w = w[1:]
		return x, nil
	}
	switch in.Op {
	case OpParam:
		x, err := need("the number of its operand")
		if err != nil {
			return in, err
		}
		op, comp, _ := strings.Cut(x, ".")
		if comp == "" {
			comp = "0"
		}
		k, err1 := strconv.ParseUint(op, 10, 16)
		c, err2 := strconv.ParseUint(comp, 10, 8)
		if err1 != nil || err2 != nil {
			return in, fmt.Errorf("%q is not an operand; write one such as 0 or 0.1", x)
		}
		in.Imm = k<<8 | c
	case OpLookup:
		x, err := need("a table")
		if err != nil {
			return in, err
		}
		k, ok := strings.CutPrefix(x, "t")
		if in.Imm, err = strconv.ParseUint(k, 10, 16); !ok || err != nil {
			return in, fmt.Errorf("%q is not a table; write one such as t0", x)
		}
	case OpConst:
		x, err := need("its bits")
		if err != nil {
			return in, err
		}
		if in.Imm, err = strconv.ParseUint(x, 0, 64); err != nil {
			return in, fmt.Errorf("%q is not bits; write them as 0x3f800000", x)
		}
	case OpWiden, OpNarrow:
		x, err := need("a dtype")
		if err != nil {
			return in, err
		}
		if in.DType, ok = core.ParseDType(x); !ok {
			return in, fmt.Errorf("%q is not a dtype; write one such as f32", x)
		}
	}
	if len(w) != in.Op.Args() {
		return in, fmt.Errorf("%v takes %d operands, not %d; write as many", in.Op, in.Op.Args(), len(w))
	}
	for k, x := range w {
		r, err := parseRef(x)
		if err != nil {
			return in, err
		}
		in.Args[k] = r
	}
	return in, nil
}
