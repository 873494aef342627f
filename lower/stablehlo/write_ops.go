package stablehlo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// direct maps elementwise operations to their names in StableHLO.
var direct = map[string]string{
	"neg": "negate", "abs": "abs", "floor": "floor", "ceil": "ceil", "is_finite": "is_finite", "exp": "exponential", "expm1": "exponential_minus_one",
	"log": "log", "log1p": "log_plus_one", "logistic": "logistic", "sqrt": "sqrt", "rsqrt": "rsqrt", "cbrt": "cbrt", "sin": "sine", "cos": "cosine",
	"tan": "tan", "tanh": "tanh", "real": "real", "imag": "imag", "not": "not", "population_count": "popcnt", "clz": "count_leading_zeros",
	"add": "add", "add_any": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "rem": "remainder", "max": "maximum", "min": "minimum",
	"atan2": "atan2", "complex": "complex", "and": "and", "or": "or", "xor": "xor", "shift_left": "shift_left",
	"shift_right_arithmetic": "shift_right_arithmetic", "shift_right_logical": "shift_right_logical",
}

// inCHLO maps elementwise operations that only CHLO has to their names there.
var inCHLO = map[string]string{
	"asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
	"mulhi": "mulhi",
	"erf":   "erf", "erfc": "erfc", "erf_inv": "erf_inv", "lgamma": "lgamma", "digamma": "digamma", "nextafter": "next_after", "polygamma": "polygamma",
	"zeta": "zeta", "bessel_i1e": "bessel_i1e",
}

var directions = map[string]string{"eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT", "ge": "GE", "lt_to": "LT", "le_to": "LE"}

func outAvals(vs []*jaxpr.Var) []core.ShapedArray {
	out := make([]core.ShapedArray, len(vs))
	for i, v := range vs {
		out[i] = v.Type
	}
	return out
}

func (b *block) equation(p core.Primitive, in []operand, outs []*jaxpr.Var) []operand {
	out := outAvals(outs)
	if hasKeys(in, out) && !takesKeys(p) {
		if x := b.onWords(p, in, out); x != nil {
			return x
		}
		if b.opt.Step != nil {
			return b.step(in, out)
		}
		core.Failf(core.ErrNoRule, "is not written for keys of random numbers; unwrap them first")
	}
	if b.opt.Step != nil && len(jaxpr.Programs(p)) == 0 && onHost(p, avalsOf(in)) {
		return b.step(in, out)
	}
	if e := core.EffectsOf(p); e != 0 && b.opt.Step == nil {
		core.Failf(core.ErrNoRule, "calls the host, which StableHLO cannot; remove the callback before you export")
	}
	one := func(x operand) []operand { return []operand{x} }
	name := p.Name()
	if _, ok := p.(prim.MulToP); ok { // StableHLO's operation has operands of one type
		return b.composite(p, in, out)
	}
	if s, ok := direct[name]; ok && writable(p, in) {
		return one(b.op("stablehlo."+s, out[0], b.spread(in, out[0])...))
	}
	if s, ok := inCHLO[name]; ok && b.opt.Missing == CHLO && !in[0].aval.DType.IsMinorFloat() && !isNibble(in[0].aval.DType) {
		return b.generic("chlo."+s, "", out, nil, b.spread(in, out[0])...)
	}
	if d, ok := directions[name]; ok {
		return one(b.compare(d, strings.HasSuffix(name, "_to"), out[0], b.spread(in, out[0])))
	}
	if x := b.collective(p, in, out); x != nil {
		return x
	}
	if q, ok := p.(*jaxpr.ShardMap); ok && b.overDevices(q) {
		return b.shardMap(q, in, out)
	}
	if !throughBytes(p, avalsOf(in)) {
		if x := b.structural(p, in, out); x != nil {
			return x
		}
	}
	return b.composite(p, in, out)
}

func hasKeys(in []operand, out []core.ShapedArray) bool {
	for _, x := range in {
		if x.aval.DType.IsKey() {
			return true
		}
	}
	for _, a := range out {
		if a.DType.IsKey() {
			return true
		}
	}
	return false
}

// writable reports whether StableHLO's operation takes the operands' type.
func writable(p core.Primitive, in []operand) bool {
	dt := in[0].aval.DType
	switch p.(type) {
	case prim.RealP, prim.ImagP:
		return dt.IsComplex()
	case prim.PopulationCountP:
		return !isNibble(dt) || dt.IsUnsigned() // XLA also counts the bits by which it extends the sign
	}
	return true
}

func (b *block) spread(in []operand, out core.ShapedArray) []operand {
	wide := make([]operand, len(in))
	for i, x := range in {
		wide[i] = b.widen(x, out.Shape)
	}
	return wide
}

func (b *block) widen(x operand, shape core.Dims) operand {
	s := x.aval.Shape
	if s == shape {
		return x
	}
	axes := core.Range(0, s.Len())
	return b.broadcast(x, shape, axes)
}

func (b *block) broadcast(x operand, shape, axes core.Dims) operand {
	a := x.aval.WithShape(shape).Strong()
	y := operand{b.fresh(), a}
	b.line("%s = stablehlo.broadcast_in_dim %s, dims = %s : %s", y.name, x.name, listText(axes), signature([]operand{x}, []core.ShapedArray{a}))
	return y
}

func listText(d core.Dims) string {
	list := make([]string, d.Len())
	for i, n := range d.All() {
		list[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// i64s returns array<i64: 1, 2>.
func i64s(d core.Dims) string {
	if d.Len() == 0 {
		return "array<i64>"
	}
	return "array<i64: " + strings.Trim(listText(d), "[]") + ">"
}

func (b *block) compare(direction string, total bool, out core.ShapedArray, in []operand) operand {
	dt := in[0].aval.DType
	kind := "FLOAT"
	switch {
	case dt.IsSigned():
		kind = "SIGNED"
	case dt.IsUnsigned(), dt.IsBool():
		kind = "UNSIGNED"
	case total:
		kind = "TOTALORDER"
	}
	x := operand{b.fresh(), out.Strong()}
	b.line("%s = stablehlo.compare %s, %s, %s : %s", x.name, direction, names(in), kind, signature(in, []core.ShapedArray{out}))
	return x
}

func (b *block) number(v float64, dt core.DType) operand {
	return b.literal(prim.Num(core.Aval(dt), v).(core.Literal))
}

func (b *block) reshape(x operand, shape core.Dims) operand {
	if x.aval.Shape == shape {
		return x
	}
	return b.op("stablehlo.reshape", x.aval.WithShape(shape), x)
}

// choose takes elements of yes where a boolean holds, else of no. The booleans' axes are the first of the arrays'.
func (b *block) choose(which, yes, no operand) operand {
	a := yes.aval
	shape := wordsOf(a).Shape
	if n := which.aval.Rank(); n > 0 && which.aval.Shape != shape {
		which = b.broadcast(which, shape, core.Range(0, n))
	}
	return b.op("stablehlo.select", a, which, yes, no)
}

// selectN chooses by a boolean, or by a number, which is clamped.
func (b *block) selectN(in []operand, out core.ShapedArray) operand {
	which, cases := in[0], in[1:]
	if len(cases) == 1 {
		return operand{cases[0].name, out.Strong()}
	}
	if which.aval.DType.IsBool() {
		return b.choose(which, cases[1], cases[0])
	}
	x := cases[len(cases)-1]
	for k := len(cases) - 2; k >= 0; k-- {
		if !core.IntNumber(int64(k + 1)).Fits(which.aval.DType) {
			x = cases[k] // the type of the index cannot hold k+1
			continue
		}
		limit := b.widen(b.number(float64(k+1), which.aval.DType), which.aval.Shape)
		p := b.compare("LT", false, which.aval.WithDType(core.Bool), []operand{which, limit})
		x = b.choose(p, cases[k], x)
	}
	return x
}

// composite writes an operation that StableHLO lacks: its equation as an attribute, and a decomposition into what
// StableHLO has. If there is none, the host runs the operation where that is possible. The option Plain leaves only the
// decomposition.
func (b *block) composite(p core.Primitive, in []operand, out []core.ShapedArray) []operand {
	avals := make([]core.ShapedArray, len(in))
	for i, x := range in {
		avals[i] = x.aval
	}
	if b.opt.Missing == Refuse {
		core.Failf(core.ErrNoRule, "has no counterpart in StableHLO; write it as CHLO or decomposed")
	}
	d := decomposition(p, avals)
	if d == nil && b.opt.Step != nil && len(jaxpr.Programs(p)) == 0 {
		return b.step(in, out)
	}
	if d == nil {
		core.Failf(core.ErrNoRule, "has no counterpart in StableHLO; export with decomposition, or compute it otherwise")
	}
	text := equationText(p, avals, out)
	if b.extra == nil {
		b.writer.extra = map[string]*jaxpr.Jaxpr{}
	}
	if old := b.extra[text]; old != nil {
		d = old
	}
	b.extra[text] = d
	if b.opt.Plain {
		return b.call(p.Name(), d, in)
	}
	callee := b.callee("weft."+strings.ReplaceAll(p.Name(), "-", "_"), d)
	xs, left := b.bind(out)
	b.line("%sstablehlo.composite \"weft.%s\" %s {composite_attributes = {equation = %s}, decomposition = @%s} : %s", left, p.Name(), names(in), quote(text), callee, signature(in, out))
	return xs
}

// quote writes a string as MLIR does.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// equationText returns the program of one equation.
func equationText(p core.Primitive, in, out []core.ShapedArray) string {
	j := &jaxpr.Jaxpr{}
	e := &jaxpr.Eqn{Prim: p}
	for _, a := range in {
		v := jaxpr.NewVar(a.Strong())
		j.Ins, e.Ins = append(j.Ins, v), append(e.Ins, v)
	}
	for _, a := range out {
		v := jaxpr.NewVar(a.Strong())
		j.Outs, e.Outs = append(j.Outs, v), append(e.Outs, v)
	}
	j.Eqns = []*jaxpr.Eqn{e}
	return j.String()
}
