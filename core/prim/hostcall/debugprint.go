package hostcall

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// DebugPrintP prints a text with values in it, whenever the program reaches it. Operands are the
// positional values, then the named ones in the order of their names. In Format, {} and {0} stand
// for positional values, {x} for a named one, {x:.3f} for one with a verb, {{ for a brace.
type DebugPrintP struct {
	Format     string
	Positional int
	Keywords   prim.Names // sorted
	Ordered    bool
}

// DebugPrint prints format with values: args, and named, whose names are keywords.
func DebugPrint(format string, ordered bool, args []core.Value, keywords []string, named []core.Value) {
	core.Bind(DebugPrintP{format, len(args), prim.MakeNames(keywords...), ordered}, slices.Concat(args, named)...)
}

func (DebugPrintP) Name() string { return "debug_print" }

func (DebugPrintP) read(r *jaxpr.ParamReader) core.Primitive { return readDebugPrint(r) }

const printOptions = "(('edgeitems', 3), ('threshold', 1000), ('floatmode', 'maxprec'), ('precision', 8), ('suppress', False), ('linewidth', 75), ('nanstr', 'nan'), ('infstr', 'inf'), ('sign', '-'), ('formatter', None), ('legacy', False), ('override_repr', None))"

func (p DebugPrintP) Params() []core.Param {
	return []core.Param{
		rule.Param("fmt", p.Format),
		rule.Param("has_placeholders", rule.PyBool(p.placeholders())),
		rule.Param("in_tree", p.tree()),
		rule.Param("logging_record", "None"),
		rule.Param("np_printoptions", printOptions),
		rule.Param("ordered", rule.PyBool(p.Ordered)),
		rule.Param("partitioned", "False"),
		rule.Param("static_args", "()"),
	}
}

// tree describes the operands: PyTreeDef(((*,), {'x': *})).
func (p DebugPrintP) tree() string {
	stars := strings.TrimSuffix(strings.Repeat("*, ", p.Positional), ", ")
	if p.Positional == 1 {
		stars = "*,"
	}
	var named []string
	for k := range p.Keywords.All() {
		named = append(named, rule.PyStr(k)+": *")
	}
	return fmt.Sprintf("PyTreeDef(((%s), {%s}))", stars, strings.Join(named, ", "))
}

// A formatPiece is a piece of a format: text, then a field if there is one.
type formatPiece struct {
	text  string
	field bool
	name  string // "" for the next positional value
	spec  string // what follows the colon
}

// pieces splits the format. err states what is wrong with it, "" if nothing is.
func (p DebugPrintP) pieces() (out []formatPiece, err string) {
	s := p.Format
	text := ""
	for s != "" {
		i := strings.IndexAny(s, "{}")
		switch {
		case i < 0:
			text, s = text+s, ""
		case i+1 < len(s) && s[i+1] == s[i]:
			out = append(out, formatPiece{text: text + s[:i+1]})
			text, s = "", s[i+2:]
		case s[i] == '}':
			return nil, "has a } without a {; write }} for a brace"
		default:
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				return nil, "has a { without a }; write {{ for a brace"
			}
			name, spec, _ := strings.Cut(s[i+1:i+end], ":")
			out = append(out, formatPiece{text + s[:i], true, name, spec})
			text, s = "", s[i+end+1:]
		}
	}
	if text != "" {
		out = append(out, formatPiece{text: text})
	}
	return out, ""
}

// placeholders reports whether the format has a field before its first doubled brace.
func (p DebugPrintP) placeholders() bool {
	ps, _ := p.pieces()
	return len(ps) > 0 && ps[0].field
}

// operand returns the index of the operand that a field stands for, and whether there is one. next counts fields without a name.
func (p DebugPrintP) operand(name string, next *int) (int, bool) {
	if name == "" {
		*next++
		return *next - 1, *next <= p.Positional
	}
	if n, err := strconv.Atoi(name); err == nil {
		return n, n >= 0 && n < p.Positional
	}
	for i, k := range slices.Collect(p.Keywords.All()) {
		if k == name {
			return p.Positional + i, true
		}
	}
	return 0, false
}

// Abstract checks that text and values fit. There are no results.
func (p DebugPrintP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	keywords := slices.Collect(p.Keywords.All())
	rule.Operands(in, p.Positional+len(keywords))
	ps, wrong := p.pieces()
	if wrong != "" {
		core.Failf(core.ErrStatic, "the format %q %s; use {} or {name} for each value", p.Format, wrong)
	}
	used := make([]bool, len(in))
	next := 0
	for _, f := range ps {
		if !f.field {
			continue
		}
		i, ok := p.operand(f.name, &next)
		if !ok {
			core.Failf(core.ErrStatic, "the text %q has {%s}, which was not given; pass a value for each, and write {{ for a brace", p.Format, f.name)
		}
		used[i] = true
	}
	for i, u := range used {
		switch {
		case u:
		case i < p.Positional:
			core.Failf(core.ErrStatic, "the text %q does not use positional value %d; write {} where it belongs", p.Format, i)
		default:
			core.Failf(core.ErrStatic, "the text %q does not use %s; write {%[2]s} where it belongs", p.Format, keywords[i-p.Positional])
		}
	}
	return nil
}

// Text returns the format with the values filled in: value writes operand i in the format
// that the text requests, "" for the usual one.
func (p DebugPrintP) Text(value func(i int, spec string) string) string {
	var b strings.Builder
	next := 0
	ps, _ := p.pieces()
	for _, f := range ps {
		b.WriteString(f.text)
		if f.field {
			i, _ := p.operand(f.name, &next)
			b.WriteString(value(i, f.spec))
		}
	}
	return b.String()
}

func (p DebugPrintP) Effects() core.Effect { return debugEffect(p.Ordered) }

// ZeroJVP applies since there are no results. The primal of a dual number is printed.
func (DebugPrintP) ZeroJVP() {}

// Batch prints each example in order.
func (p DebugPrintP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return perExample(p, n, in, mapped)
}

func readDebugPrint(r *jaxpr.ParamReader) core.Primitive {
	r.Ignore("has_placeholders") // it follows from fmt
	r.MustBe("logging_record", "None")
	r.MustBe("np_printoptions", printOptions)
	r.MustBe("partitioned", "False")
	r.MustBe("static_args", "()")
	p := DebugPrintP{Format: r.Text("fmt"), Ordered: r.Bool("ordered")}
	tree := r.Text("in_tree")
	args, named, _ := strings.Cut(tree, "), {")
	p.Positional = strings.Count(args, "*")
	var keywords []string
	for f := range strings.SplitSeq(strings.TrimSuffix(named, "}))"), ", ") {
		if k, ok := strings.CutSuffix(f, ": *"); ok && len(k) > 2 {
			keywords = append(keywords, k[1:len(k)-1])
		}
	}
	p.Keywords = prim.MakeNames(keywords...)
	// A tree of more than plain values would not print as it was read.
	r.MustBe("in_tree", p.tree())
	return p
}

var namedFuncs interned[HostFunc] // by name

// AbsentFunc returns the function of that name in programs read from text or file: one for each
// name, so that equal texts make equal programs. It cannot be called.
func AbsentFunc(name string) *HostFunc {
	return namedFuncs.of(name, &HostFunc{Name: name})
}
