package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
)

var (
	roleNames  = [...]string{In: "in", Out: "out", InOut: "inout", Scratch: "scratch"}
	modeNames  = [...]string{Proved: "", Clamp: "clamp ", Drop: "drop "}
	orderNames = [...]string{Any: "any", Ordered: "ordered", Lanes: "lanes", Chunks: "chunks", Tree: "tree", Chain: "chain"}
	foldNames  = [...]string{Sum: "sum", Prod: "prod", Max: "max", Min: "min", And: "and", Or: "or", Xor: "xor",
		ComplexProd: "cprod", ArgMax: "argmax", ArgMin: "argmin"}
)

// String returns the order's name.
func (o Order) String() string { return nameIn(orderNames[:], int(o)) }

// String returns the operation's name.
func (o FoldOp) String() string { return nameIn(foldNames[:], int(o)) }

// String returns the role's name.
func (r Role) String() string { return nameIn(roleNames[:], int(r)) }

func nameIn(names []string, i int) string {
	if i >= len(names) {
		return "invalid"
	}
	return names[i]
}

// String returns the kernel as text:
//
//	kernel sum_of_squares(in x f32[1024], out y f32[1]) {
//	  reduce lanes 64 a0<1024 {
//	    %0 = load f32 x[a0<1024]
//	    %1 = mul f32 %0, %0
//	  } fold %2 = sum %1
//	  store y[], %2
//	}
func (k *Kernel) String() string {
	w := &printer{k: k}
	w.kernel()
	return w.b.String()
}

type printer struct {
	k      *Kernel
	b      strings.Builder
	indent int
}

func (w *printer) line(format string, args ...any) {
	for range w.indent {
		w.b.WriteString("  ")
	}
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *printer) kernel() {
	k := w.k
	name := k.Name
	if name == "" {
		name = "_"
	}
	var ps []string
	for _, s := range k.Symbols {
		ps = append(ps, "size "+s)
	}
	for _, b := range k.Buffers {
		ps = append(ps, fmt.Sprintf("%v %s %v[%s]", b.Role, b.Name, b.Type, w.size(b.Len)))
	}
	head := "kernel " + name + "(" + strings.Join(ps, ", ") + ")"
	for i, d := range k.Grid {
		if i == 0 {
			head += " grid"
		} else {
			head += ","
		}
		head += fmt.Sprintf(" a%d<%s", d.Axis, w.size(d.Extent))
	}
	w.line("%s {", head)
	w.indent++
	for i, t := range k.Tables {
		s := make([]string, len(t.Bits))
		for j, x := range t.Bits {
			s[j] = "0x" + strconv.FormatUint(x, 16)
		}
		w.line("table t%d %v %s", i, t.Type, strings.Join(s, " "))
	}
	for i, f := range k.Funcs {
		w.function(i, f)
	}
	w.block(k.Body)
	w.indent--
	w.line("}")
}

func (w *printer) size(s Size) string {
	if s.IsConst() {
		return strconv.FormatInt(s.Value, 10)
	}
	if s.Symbol > len(w.k.Symbols) {
		return "invalid"
	}
	return w.k.Symbols[s.Symbol-1]
}

func ref(r Ref) string {
	if r == NoRef {
		return "_"
	}
	return "%" + strconv.Itoa(int(r))
}

func (w *printer) typeOf(r Ref) scalar.Type {
	if r < 0 || int(r) >= len(w.k.Types) {
		return scalar.NoType
	}
	return w.k.Types[r]
}

func (w *printer) block(b Block) {
	for _, s := range b {
		w.stmt(s)
	}
}

func (w *printer) inner(b Block) {
	w.indent++
	w.block(b)
	w.indent--
}

func (w *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Let:
		w.line("%s = %s", ref(s.Dst), s.Inst.Text())
	case *Apply:
		w.apply(s)
	case *Index:
		w.line("%s = index %v %s", ref(s.Dst), w.typeOf(s.Dst), w.affine(s.Base, s.Terms, NoRef))
	case *Load:
		w.line("%s = load %v %s", ref(s.Dst), w.typeOf(s.Dst), w.access(s.At))
	case *Store:
		w.line("store %s, %s", w.access(s.At), ref(s.Value))
	case *Loop:
		kind := "loop"
		if s.Kind == Vector {
			kind = "vector"
		}
		w.line("%s %s%s {", kind, w.extent(s.Axis, s.Extent, s.Tail), w.carry(s.Carry))
		w.inner(s.Body)
		w.line("}")
	case *While:
		w.line("while%s {", w.carry(s.Carry))
		w.inner(s.Cond)
		w.line("} test %s {", ref(s.Test))
		w.inner(s.Body)
		w.line("}")
	case *If:
		w.line("if %s {", ref(s.Cond))
		w.inner(s.Then)
		w.line("} else {")
		w.inner(s.Else)
		var ms []string
		for _, m := range s.Merge {
			ms = append(ms, fmt.Sprintf("%s = %s | %s : %v", ref(m.Result), ref(m.Then), ref(m.Else), w.typeOf(m.Result)))
		}
		if len(ms) > 0 {
			w.line("} merge %s", strings.Join(ms, ", "))
		} else {
			w.line("}")
		}
	case *Reduce:
		lanes := ""
		if s.Lanes != 0 {
			lanes = " " + strconv.Itoa(s.Lanes)
		}
		w.line("reduce %v%s %s {", s.Order, lanes, w.extent(s.Axis, s.Extent, s.Tail))
		w.inner(s.Body)
		var fs []string
		for _, f := range s.Folds {
			t := fmt.Sprintf("%s = %v %s", ref(f.Result), f.Op, ref(f.Value))
			if f.Op.Pairs() {
				t = fmt.Sprintf("%s %s = %v %s %s", ref(f.Result), ref(f.Other), f.Op, ref(f.Value), ref(f.Second))
			} else if f.Second != NoRef {
				t += " " + ref(f.Second)
			}
			fs = append(fs, t)
		}
		w.line("} fold %s", strings.Join(fs, ", "))
	case *Cumulate:
		way := ""
		if s.Reverse {
			way = "reverse "
		}
		w.line("cumulate %s%v %s {", way, s.Op, w.extent(s.Axis, s.Extent, nil))
		w.inner(s.Body)
		w.line("} then %s = %s {", ref(s.Param), ref(s.Value))
		w.inner(s.Then)
		w.line("}")
	}
}

func (w *printer) extent(a Axis, extent Size, t *Tail) string {
	s := fmt.Sprintf("a%d<%s", a, w.size(extent))
	if t != nil {
		s += fmt.Sprintf(" tail a%d %s", t.Outer, w.size(t.Total))
	}
	return s
}

func (w *printer) carry(cs []Carry) string {
	if len(cs) == 0 {
		return ""
	}
	s := make([]string, len(cs))
	for i, c := range cs {
		s[i] = fmt.Sprintf("%s = %s, %s -> %s : %v", ref(c.Param), ref(c.Init), ref(c.Next), ref(c.Result), w.typeOf(c.Param))
	}
	return " carry " + strings.Join(s, "; ")
}

// affine writes base + Σ coeff·axis + value.
func (w *printer) affine(base Size, terms []Term, value Ref) string {
	var parts []string
	if base != (Size{}) || len(terms) == 0 && value == NoRef {
		parts = append(parts, w.size(base))
	}
	for _, t := range terms {
		s := fmt.Sprintf("a%d", t.Axis)
		if t.Coeff != Const(1) {
			s = w.size(t.Coeff) + "*" + s
		}
		parts = append(parts, s)
	}
	if value != NoRef {
		parts = append(parts, ref(value))
	}
	return strings.Join(parts, "+")
}

// access writes buffer@offset[mode coordinate<bound*stride, …].
func (w *printer) access(a Access) string {
	name := "invalid"
	if a.Buffer >= 0 && a.Buffer < len(w.k.Buffers) {
		name = w.k.Buffers[a.Buffer].Name
	}
	if a.Offset != (Size{}) {
		name += "@" + w.size(a.Offset)
	}
	cs := make([]string, len(a.Coords))
	for i, c := range a.Coords {
		cs[i] = nameIn(modeNames[:], int(c.Mode)) + w.affine(c.Base, c.Terms, c.Value) + "<" + w.size(c.Bound)
		if c.Stride != Const(1) {
			cs[i] += "*" + w.size(c.Stride)
		}
	}
	return name + "[" + strings.Join(cs, ", ") + "]"
}
