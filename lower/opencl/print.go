package opencl

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// A Source is the text of one program with a kernel for each function it was made of.
type Source struct {
	Text  string
	Names []string // of the kernels in the text, by function
}

// BuildOptions are the options with which the text must be compiled.
const BuildOptions = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"

// scalarLoop precedes every loop. PoCL 3.1 divides a kernel at its barriers after LLVM has
// vectorized the loops of each thread, and then drops statements between two barriers of a
// vectorized loop. The later vectorization across threads is not affected. Other compilers
// gain nothing from vectors in the loops of one thread.
const scalarLoop = "#pragma clang loop vectorize(disable)"

// Print returns a program with the given functions. A kernel takes, for each
// buffer of its function, memory and a byte offset, and then the symbols; offsets and symbols have type long.
func Print(funcs ...*simt.Func) *Source {
	return printText(false, funcs)
}

// printText is Print. If inIntegers is true, f64 is computed on its bits: see PrintWithoutDoubles.
func printText(inIntegers bool, funcs []*simt.Func) *Source {
	s := &Source{}
	var b strings.Builder
	doubles := false
	for i, f := range funcs {
		name := fmt.Sprintf("k%d_%s", i, word(f.Name))
		s.Names = append(s.Names, name)
		p := &printer{f: f, b: &b, name: name, constants: f.Constants(), sizes: f.Sizes(), inIntegers: inIntegers}
		p.kernel()
		doubles = doubles || p.doubles()
	}
	head := "#pragma OPENCL FP_CONTRACT OFF\n"
	switch {
	case doubles && inIntegers:
		head += doubleText
	case doubles:
		head += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
	}
	s.Text = head + b.String()
	return s
}

// word returns a name with _ in the place of all characters but letters and digits.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

var typeNames = [...]string{
	scalar.Bool: "uchar", scalar.I8: "char", scalar.I16: "short", scalar.I32: "int", scalar.I64: "long",
	scalar.U8: "uchar", scalar.U16: "ushort", scalar.U32: "uint", scalar.U64: "ulong", scalar.F32: "float", scalar.F64: "double",
}

// unsigned returns C's name of the unsigned integer type of the same size.
func unsigned(t scalar.Type) string {
	switch t.Size() {
	case 1:
		return "uchar"
	case 2:
		return "ushort"
	case 4:
		return "uint"
	}
	return "ulong"
}

type printer struct {
	f    *simt.Func
	b    *strings.Builder
	name string

	constants  map[simt.Reg]uint64 // registers that are written as numbers
	sizes      map[simt.Reg]int    // registers that are symbols of sizes
	inIntegers bool                // f64 is computed on its bits
}

func (p *printer) line(depth int, format string, args ...any) {
	p.b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(p.b, format, args...)
	p.b.WriteByte('\n')
}

// doubles reports whether a register or buffer is F64.
func (p *printer) doubles() bool {
	for _, t := range p.f.Types {
		if t == scalar.F64 {
			return true
		}
	}
	for _, b := range p.f.Kernel.Buffers {
		if b.Type == scalar.F64 {
			return true
		}
	}
	return false
}

// reg returns a register, or the number or the argument that it always is.
func (p *printer) reg(r simt.Reg) string {
	if bits, ok := p.constants[r]; ok {
		return p.constant(p.f.Types[r], bits)
	}
	if n, ok := p.sizes[r]; ok {
		return fmt.Sprintf("((%s)s%d)", p.typeName(p.f.Types[r]), n)
	}
	return fmt.Sprintf("r%d", r)
}

func (p *printer) kernel() {
	k := p.f.Kernel
	for i, t := range k.Tables {
		var words []string
		size := t.Type
		for n := range len(t.Bits) {
			words = append(words, constant(scalar.U64, t.Bits[n]))
		}
		p.line(0, "__constant %s %s_t%d[%d] = {%s};", unsigned(size), p.name, i, len(words), strings.Join(words, ", "))
	}
	var params []string
	for i, b := range k.Buffers {
		params = append(params, fmt.Sprintf("__global %suchar *m%d, long o%d", readOnly(b), i, i))
	}
	for i := range k.Symbols {
		params = append(params, fmt.Sprintf("long s%d", i))
	}
	p.line(0, "__kernel __attribute__((reqd_work_group_size(%d, 1, 1)))", p.f.Threads)
	p.line(0, "void %s(%s) {", p.name, strings.Join(params, ", "))
	for i, b := range k.Buffers {
		t := fmt.Sprintf("__global %s%s *", readOnly(b), p.typeName(b.Type))
		p.line(1, "%sb%d = (%s)(m%d + o%d);", t, i, t, i, i)
	}
	for i, a := range p.f.Arrays {
		where := ""
		if a.Shared {
			where = "__local "
		}
		p.line(1, "%s%s a%d[%d];", where, p.typeName(a.Type), i, a.Len)
	}
	for _, t := range p.exchanged() {
		p.line(1, "__local %s x_%s[%d];", p.typeName(t), p.typeName(t), p.f.Threads)
	}
	p.registers()
	p.block(p.f.Body, 1)
	p.line(0, "}")
}

func readOnly(b ir.Buffer) string {
	if b.Role == ir.In {
		return "const "
	}
	return ""
}

// registers declares the registers, in lines of at most 16 of one type.
func (p *printer) registers() {
	byType := make([][]string, scalar.NumTypes)
	for i, t := range p.f.Types {
		if _, ok := p.constants[simt.Reg(i)]; ok {
			continue
		}
		if _, ok := p.sizes[simt.Reg(i)]; ok {
			continue
		}
		byType[t] = append(byType[t], p.reg(simt.Reg(i)))
	}
	for t, names := range byType {
		for ; len(names) > 0; names = names[min(len(names), 16):] {
			p.line(1, "%s %s;", p.typeName(scalar.Type(t)), strings.Join(names[:min(len(names), 16)], ", "))
		}
	}
}

func (p *printer) block(b []simt.Stmt, depth int) {
	for _, s := range b {
		p.stmt(s, depth)
	}
}

func (p *printer) stmt(s simt.Stmt, depth int) {
	switch s := s.(type) {
	case *simt.Op:
		if _, ok := p.constants[s.Dst]; ok {
			return
		}
		p.line(depth, "%s = %s;", p.reg(s.Dst), p.op(&s.Inst))
	case *simt.Move:
		p.line(depth, "%s = %s;", p.reg(s.Dst), p.reg(s.Src))
	case *simt.Special:
		if _, ok := p.sizes[s.Dst]; ok {
			return
		}
		if s.What == simt.Aligned {
			p.line(depth, "%s = (uchar)((ulong)b%d %% %d == 0);", p.reg(s.Dst), s.Index, simt.VecBytes)
			return
		}
		what := [...]string{simt.Thread: "get_local_id(0)", simt.GroupIndex: "get_group_id(0)", simt.GroupCount: "get_num_groups(0)", simt.Symbol: fmt.Sprintf("s%d", s.Index)}[s.What]
		p.line(depth, "%s = (%s)%s;", p.reg(s.Dst), p.typeName(p.f.Types[s.Dst]), what)
	case *simt.Load:
		p.line(depth, "%s = b%d[%s];", p.reg(s.Dst), s.Buffer, p.reg(s.At))
	case *simt.Store:
		p.line(depth, "b%d[%s] = %s;", s.Buffer, p.reg(s.At), p.reg(s.Value))
	case *simt.Get:
		p.line(depth, "%s = a%d[%s];", p.reg(s.Dst), s.Array, p.reg(s.At))
	case *simt.Put:
		p.line(depth, "a%d[%s] = %s;", s.Array, p.reg(s.At), p.reg(s.Value))
	case *simt.LoadVec:
		p.loadVec(depth, fmt.Sprintf("b%d", s.Buffer), s.Dst, s.At, s.Plus)
	case *simt.StoreVec:
		p.storeVec(depth, fmt.Sprintf("b%d", s.Buffer), p.f.Kernel.Buffers[s.Buffer].Type, s.At, s.Plus, s.Values)
	case *simt.GetVec:
		p.loadVec(depth, fmt.Sprintf("a%d", s.Array), s.Dst, s.At, s.Plus)
	case *simt.PutVec:
		p.storeVec(depth, fmt.Sprintf("a%d", s.Array), p.f.Arrays[s.Array].Type, s.At, s.Plus, s.Values)
	case *simt.Shuffle:
		p.shuffle(depth, s)
	case *simt.Ballot:
		p.ballot(depth, s)
	case *simt.Add:
		p.line(depth, "atomic_add(&a%d[%s], %s);", s.Array, p.reg(s.At), p.reg(s.Value))
	case *simt.AddTo: // only of four bytes: OpenCL 1.2 has no larger atomic additions
		p.line(depth, "atomic_add(&b%d[%s], %s);", s.Buffer, p.reg(s.At), p.reg(s.Value))
	case *simt.Fetch:
		p.fetch(depth, s)
	case *simt.Commit, *simt.Await: // fetches are complete at once
	case *simt.For:
		i := p.reg(s.Index)
		p.line(depth, scalarLoop)
		p.line(depth, "for (%s = %s; %s < %s; %s += %s) {", i, p.reg(s.From), i, p.reg(s.To), i, p.reg(s.Step))
		p.block(s.Body, depth+1)
		p.line(depth, "}")
	case *simt.While:
		p.line(depth, scalarLoop)
		p.line(depth, "for (;;) {")
		p.block(s.Cond, depth+1)
		p.line(depth+1, "if (!%s) break;", p.reg(s.Test))
		p.block(s.Body, depth+1)
		p.line(depth, "}")
	case *simt.If:
		p.line(depth, "if (%s) {", p.reg(s.Cond))
		p.block(s.Then, depth+1)
		if len(s.Else) > 0 {
			p.line(depth, "} else {")
			p.block(s.Else, depth+1)
		}
		p.line(depth, "}")
	case *simt.Barrier:
		p.line(depth, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
	default:
		panic(fmt.Sprintf("BUG: OpenCL C has no form of %T", s))
	}
}
