package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// WriteOptions change how programs are written.
type WriteOptions struct {
	// Bytes returns the elements of a constant of the program, in the host's byte order, or false if they are unknown.
	Bytes func(core.Value) ([]byte, bool)
	// Missing is how operations that StableHLO lacks are written.
	Missing Missing
	// Locations writes the lines of the user's files after the operations.
	Locations bool

	// The fields below are for a module that a compiler reads in this process.

	// Inputs are captured arrays that main takes as inputs, in front of its own.
	Inputs []core.Value
	// Donated marks the inputs of main whose memory results may take.
	Donated []bool
	// Step returns the number under which the host runs an equation: one that calls a Go function or
	// prints, or an operation for which the module would need a library. It is written as a call of
	// [StepTarget] with that number. If Step is nil, the former are errors and the latter are decomposed.
	Step func(e *jaxpr.Eqn) int
	// Stacked writes programs over meshes as programs of one device. If Division is set, Stacked
	// has no effect: a program over a mesh of as many devices as the mesh of Division runs on the
	// devices, and others are written as programs of one device.
	Stacked bool
	// Division is how a compiler divides the program; nil means that it does not.
	Division *Division
	// Plain writes decompositions without the operations that they stand for, which only readers need.
	Plain bool
}

// Missing is how an operation that StableHLO lacks is written.
type Missing uint8

const (
	// CHLO writes the operation as one of CHLO; if CHLO lacks it too, as [Decompose] does.
	CHLO Missing = iota
	// Decompose writes a composite with a decomposition.
	Decompose
	// Refuse reports an error that names the operation.
	Refuse
)

// Write returns a program as a StableHLO module: the function main, and a function for each named
// program within it. An operation without a counterpart is written as o.Missing says. One that
// cannot be written so is an error, unless o.Step takes it.
func Write(j *jaxpr.Jaxpr, o WriteOptions) (text string, err error) {
	err = core.Catch(func() {
		w := &writer{opt: o, named: map[string]bool{}, funcs: map[*jaxpr.Jaxpr]string{}, given: map[core.Value]int{}, capturing: map[*jaxpr.Jaxpr]bool{}}
		for i, v := range o.Inputs {
			w.given[v] = i
		}
		w.funcs[j] = w.unique("main")
		w.queue = []*jaxpr.Jaxpr{j}
		for len(w.queue) > 0 {
			next := w.queue[0]
			w.queue = w.queue[1:]
			w.function(next)
		}
		text = w.module() + w.out.String() + "}\n"
	})
	return text, err
}

// module returns the text in front of the functions.
func (w *writer) module() string {
	if len(w.meshes) == 0 {
		return "module @weft {\n"
	}
	text := fmt.Sprintf("module @weft attributes {mhlo.num_partitions = %d : i32, mhlo.num_replicas = 1 : i32} {\n", w.partitions)
	for i, m := range w.meshes {
		text += fmt.Sprintf("  sdy.mesh @%s = %s\n", meshSymbol(i), m)
	}
	return text
}

type writer struct {
	opt   WriteOptions
	out   strings.Builder
	named map[string]bool
	funcs map[*jaxpr.Jaxpr]string
	queue []*jaxpr.Jaxpr
	extra map[string]*jaxpr.Jaxpr // decompositions by their equation's text
	given map[core.Value]int      // captured arrays that are inputs of main, and their index among them
	eqn   *jaxpr.Eqn              // the equation that is being written

	capturing map[*jaxpr.Jaxpr]bool // whether programs contain arrays of given, as far as is known

	meshes     []string // that the module declares
	partitions int      // devices of the largest mesh
	channels   int      // number of collectives so far
}

func (w *writer) unique(name string) string {
	clean := []byte(name)
	for i, c := range clean {
		if !isName(c) || c == '-' {
			clean[i] = '_'
		}
	}
	if len(clean) == 0 || !isLetter(clean[0]) {
		clean = append([]byte("f_"), clean...)
	}
	base := string(clean)
	for n := 0; ; n++ {
		s := base
		if n > 0 {
			s = fmt.Sprintf("%s_%d", base, n)
		}
		if !w.named[s] {
			w.named[s] = true
			return s
		}
	}
}

// callee returns the symbol of a program's function, which is written later.
func (w *writer) callee(name string, j *jaxpr.Jaxpr) string {
	if s, ok := w.funcs[j]; ok {
		return s
	}
	s := w.unique(name)
	w.funcs[j] = s
	w.queue = append(w.queue, j)
	return s
}

// operand is a value of the text: its name with %, and its type.
type operand struct {
	name string
	aval core.ShapedArray
}

// typ returns the type of an operand; keys of random numbers are their words, and float0 is i1, as
// JAX writes it.
func (x operand) typ() string { return writtenType(x.aval) }

func writtenType(a core.ShapedArray) string {
	if a.DType == core.Float0 {
		a = a.WithDType(core.Bool)
	}
	a = wordsOf(a)
	if elemNames[a.DType] == "" {
		core.Failf(core.ErrDType, "StableHLO has no type for %v; convert to another dtype", a)
	}
	return typeText(a)
}

type block struct {
	*writer
	indent string
	next   *int // number of the next value
	env    map[*jaxpr.Var]operand
	consts map[string]operand // literals written so far in this region
	lines  strings.Builder
	loc    string      // of the equation that is written, with a blank in front; "" if not requested
	main   bool        // the region is within main, whose inputs it can read
	mesh   *jaxpr.Mesh // the mesh on each of whose devices the region runs, or nil
}

func (w *writer) function(j *jaxpr.Jaxpr) {
	n := 0
	b := &block{writer: w, indent: "    ", next: &n, env: map[*jaxpr.Var]operand{}, consts: map[string]operand{}}
	name := w.funcs[j]
	visibility := "private"
	var args, results []string
	var division *Division
	aliased := map[int]int{}
	if b.main = name == "main"; b.main {
		visibility, division = "public", w.opt.Division
		for i, v := range w.opt.Inputs {
			noted := ""
			if division != nil {
				noted = attributes(w.cut(division.Given[i], v.Aval()))
			}
			args = append(args, givenName(i)+": "+writtenType(v.Aval())+noted)
		}
		if division == nil {
			aliased = Aliases(j, w.opt.Donated)
		}
	}
	for i, v := range j.Ins {
		x := operand{fmt.Sprintf("%%arg%d", i), v.Type}
		b.env[v] = x
		var attrs []string
		if to, ok := aliased[i]; ok {
			attrs = append(attrs, fmt.Sprintf("tf.aliasing_output = %d : i32", to))
		}
		if division != nil {
			attrs = append(attrs, w.cut(division.In[i], v.Type))
			if i < len(w.opt.Donated) && w.opt.Donated[i] {
				attrs = append(attrs, "jax.buffer_donor = true")
			}
		}
		noted := attributes(attrs...)
		if b.main && len(j.InNames) == len(j.Ins) && j.InNames[i] != "" {
			noted += fmt.Sprintf(" loc(%s)", quote(j.InNames[i]))
		}
		args = append(args, x.name+": "+x.typ()+noted)
	}
	if len(j.ConstVals) != len(j.Consts) {
		core.Failf(core.ErrCheck, "the program was read from text, without the values of its %s; make them inputs", core.Count(len(j.Consts), "constant"))
	}
	for i, v := range j.Consts {
		b.env[v] = b.array(j.ConstVals[i])
	}
	outs := b.program(j)
	var names, types []string
	for i, x := range outs {
		names, types = append(names, x.name), append(types, x.typ())
		noted := ""
		if division != nil && division.Out[i] != nil {
			noted = attributes(w.cut(*division.Out[i], j.Outs[i].Aval()))
		}
		results = append(results, x.typ()+noted)
	}
	fmt.Fprintf(&w.out, "  func.func %s @%s(%s) -> (%s) {\n%s    return", visibility, name, strings.Join(args, ", "), strings.Join(results, ", "), b.lines.String())
	if len(names) > 0 {
		fmt.Fprintf(&w.out, " %s : %s", strings.Join(names, ", "), strings.Join(types, ", "))
	}
	w.out.WriteString("\n  }\n")
}

func givenName(i int) string { return fmt.Sprintf("%%given%d", i) }

// Aliases maps donated inputs to the results that take their memory: each input, in order, to the first result of its type
// that is left.
func Aliases(j *jaxpr.Jaxpr, donated []bool) map[int]int {
	taken, out := map[int]bool{}, map[int]int{}
	for i, d := range donated {
		if !d {
			continue
		}
		for k, t := range j.OutAvals() {
			if !taken[k] && t.SameType(j.Ins[i].Type) {
				taken[k], out[i] = true, k
				break
			}
		}
	}
	return out
}

// captures reports whether a program, or one within it, contains an array that is an input of main.
func (w *writer) captures(j *jaxpr.Jaxpr) bool {
	if len(w.given) == 0 {
		return false
	}
	found, known := w.capturing[j]
	if !known {
		found = slices.ContainsFunc(j.ConstVals, func(v core.Value) bool { _, ok := w.given[v]; return ok }) ||
			slices.ContainsFunc(j.Eqns, func(e *jaxpr.Eqn) bool { return slices.ContainsFunc(jaxpr.Programs(e.Prim), w.captures) })
		w.capturing[j] = found
	}
	return found
}

// program writes the equations of a program whose inputs are bound, and returns its results.
func (b *block) program(j *jaxpr.Jaxpr) []operand {
	outer, eqn := b.loc, b.eqn
	defer func() { b.loc, b.eqn = outer, eqn }()
	for _, e := range j.Eqns {
		b.eqn = e
		if b.opt.Locations {
			b.loc = locationOf(e.Site)
		}
		in := make([]operand, len(e.Ins))
		for i, a := range e.Ins {
			in[i] = b.read(a)
		}
		var out []operand
		func() {
			defer core.Guard(e.Prim, e.Ins)
			out = b.equation(e.Prim, in, e.Outs)
		}()
		for i, v := range e.Outs {
			b.env[v] = out[i]
		}
	}
	outs := make([]operand, len(j.Outs))
	for i, a := range j.Outs {
		outs[i] = b.read(a)
	}
	return outs
}

// inline writes a program with operands in the place of its inputs.
func (b *block) inline(j *jaxpr.Jaxpr, in []operand) []operand {
	env := b.env
	b.env = map[*jaxpr.Var]operand{}
	for i, v := range j.Ins {
		b.env[v] = in[i]
	}
	if len(j.ConstVals) != len(j.Consts) {
		core.Failf(core.ErrCheck, "the program was read from text, without the values of its %s; make them inputs", core.Count(len(j.Consts), "constant"))
	}
	for i, v := range j.Consts {
		b.env[v] = b.array(j.ConstVals[i])
	}
	out := b.program(j)
	b.env = env
	return out
}

func (b *block) read(a jaxpr.Atom) operand {
	if v, ok := a.(*jaxpr.Var); ok {
		x, ok := b.env[v]
		if !ok {
			core.Failf(core.ErrCheck, "a variable of type %v is used where it is not bound; check the program", v.Type.Full())
		}
		return x
	}
	return b.literal(a.(core.Literal))
}

func (b *block) fresh() string {
	*b.next++
	return fmt.Sprintf("%%%d", *b.next-1)
}

func (b *block) line(format string, args ...any) {
	b.lines.WriteString(b.indent)
	fmt.Fprintf(&b.lines, format, args...)
	b.lines.WriteString(b.loc)
	b.lines.WriteByte('\n')
}

// locationOf returns a line of a file as MLIR has it, "" if it is not known.
func locationOf(s core.Site) string {
	file, line, _ := s.Resolve()
	if file == "" || line <= 0 {
		return ""
	}
	return fmt.Sprintf(" loc(%s:%d:1)", quote(file), line)
}

func (b *block) literal(l core.Literal) operand {
	if l.Type == core.Float0 {
		l = core.Lit(core.BoolNumber(false), core.Bool)
	}
	a := core.Aval(l.Type)
	key := l.String() + fmt.Sprint(l.Num)
	if x, ok := b.consts[key]; ok {
		return x
	}
	buf := make([]byte, l.Type.Size())
	putNumber(buf, l)
	x := operand{b.fresh(), a}
	b.line("%s = stablehlo.constant dense<%s> : %s", x.name, elementText(buf, l.Type), x.typ())
	b.consts[key] = x
	return x
}

// array returns a captured array: an input of main, or else a constant that it writes.
func (b *block) array(v core.Value) operand {
	if l, ok := v.(core.Literal); ok {
		return b.literal(l)
	}
	a := v.Aval()
	if i, ok := b.given[v]; ok && b.main {
		return operand{givenName(i), a.Strong()}
	}
	if a.DType == core.Float0 {
		return b.widen(b.literal(core.Lit(core.BoolNumber(false), core.Bool)), a.Shape)
	}
	var data []byte
	ok := false
	if b.opt.Bytes != nil {
		data, ok = b.opt.Bytes(v)
	}
	if !ok {
		core.Failf(core.ErrConcrete, "the elements of a constant of type %v are unknown; make it an input", a.Full())
	}
	x := operand{b.fresh(), a.Strong()}
	b.line("%s = stablehlo.constant dense<%s> : %s", x.name, denseText(data, a), x.typ())
	return x
}

// op writes an operation of one result in the usual pretty form.
func (b *block) op(name string, out core.ShapedArray, in ...operand) operand {
	x := operand{b.fresh(), out.Strong()}
	b.line("%s = %s %s : %s", x.name, name, names(in), signature(in, []core.ShapedArray{out}))
	return x
}

// bind names the results of an operation and returns what stands before it: "%1 = " or "%1:2 = ".
func (b *block) bind(out []core.ShapedArray) (xs []operand, left string) {
	xs = make([]operand, len(out))
	if len(out) == 1 {
		xs[0] = operand{b.fresh(), out[0].Strong()}
		left = xs[0].name + " = "
	} else if len(out) > 1 {
		base := b.fresh()
		left = fmt.Sprintf("%s:%d = ", base, len(out))
		for i, a := range out {
			xs[i] = operand{fmt.Sprintf("%s#%d", base, i), a.Strong()}
		}
	}
	return xs, left
}

// generic writes an operation in the generic form; regions are texts of regions.
func (b *block) generic(name, attrs string, out []core.ShapedArray, regions []string, in ...operand) []operand {
	xs, left := b.bind(out)
	props := ""
	if attrs != "" {
		props = " <{" + attrs + "}>"
	}
	body := ""
	if len(regions) > 0 {
		body = " (" + strings.Join(regions, ", ") + ")"
	}
	b.line("%s\"%s\"(%s)%s%s : %s", left, name, names(in), props, body, signature(in, out))
	return xs
}

func names(in []operand) string {
	list := make([]string, len(in))
	for i, x := range in {
		list[i] = x.name
	}
	return strings.Join(list, ", ")
}

// signature returns (T, …) -> T.
func signature(in []operand, out []core.ShapedArray) string {
	ins, outs := make([]string, len(in)), make([]string, len(out))
	for i, x := range in {
		ins[i] = x.typ()
	}
	for i, a := range out {
		outs[i] = writtenType(a)
	}
	results := strings.Join(outs, ", ")
	if len(outs) != 1 {
		results = "(" + results + ")"
	}
	return "(" + strings.Join(ins, ", ") + ") -> " + results
}

func (b *block) region(in []core.ShapedArray, f func(b *block, in []operand) []operand) string {
	inner := &block{writer: b.writer, indent: b.indent + "  ", next: b.next, env: b.env, consts: map[string]operand{}, main: b.main, mesh: b.mesh}
	args := make([]operand, len(in))
	var head []string
	for i, a := range in {
		args[i] = operand{b.fresh(), a.Strong()}
		head = append(head, args[i].name+": "+args[i].typ())
	}
	outs := f(inner, args)
	var text strings.Builder
	text.WriteString("{\n")
	if len(in) > 0 {
		fmt.Fprintf(&text, "%s^bb0(%s):\n", b.indent, strings.Join(head, ", "))
	}
	text.WriteString(inner.lines.String())
	var types []string
	for _, x := range outs {
		types = append(types, x.typ())
	}
	fmt.Fprintf(&text, "%sstablehlo.return %s : %s\n%s}", inner.indent, names(outs), strings.Join(types, ", "), b.indent)
	return text.String()
}

// call writes a call of a program as a function, or the program itself where a function could not read all that it needs.
func (b *block) call(name string, j *jaxpr.Jaxpr, in []operand) []operand {
	if b.main && b.captures(j) || b.mesh != nil { // functions cannot read the inputs of main, nor the mesh
		return b.inline(j, in)
	}
	callee := b.callee(name, j)
	out := j.OutAvals()
	xs := make([]operand, len(out))
	left := ""
	switch len(out) {
	case 0:
	case 1:
		xs[0] = operand{b.fresh(), out[0].Strong()}
		left = xs[0].name + " = "
	default:
		base := b.fresh()
		left = fmt.Sprintf("%s:%d = ", base, len(out))
		for i, a := range out {
			xs[i] = operand{fmt.Sprintf("%s#%d", base, i), a.Strong()}
		}
	}
	b.line("%scall @%s(%s) : %s", left, callee, names(in), signature(in, out))
	return xs
}
