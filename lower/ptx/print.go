package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// A Module is the text of one module with an entry for each function it was made of.
type Module struct {
	Text  string
	Names []string // of the entries, by function
	// Accelerated reports that only devices of one compute capability or family have its instructions: the target
	// is sm_90a or sm_100f.
	Accelerated bool
}

// Print returns a module for a compute capability, such as 80 or 90. An entry takes, for each
// buffer of its function, an address, and then the symbols, all of 64 bits. The tensor maps of [simt.Func.Maps] follow.
func Print(target int, funcs ...*simt.Func) *Module {
	m := &Module{}
	var b strings.Builder
	version, arch := versionOf(target), fmt.Sprintf("sm_%d", target)
	for _, f := range funcs {
		if len(f.Maps()) > 0 || f.Tensor != nil && f.Tensor.Unit == simt.WGMMA {
			version, arch, m.Accelerated = "8.0", "sm_90a", true
			if f.Tensor != nil && f.Tensor.Unit == simt.TCGEN05 {
				version, arch = "8.8", "sm_100f"
			}
		}
	}
	fmt.Fprintf(&b, ".version %s\n.target %s\n.address_size 64\n", version, arch)
	for i, f := range funcs {
		name := fmt.Sprintf("k%d_%s", i, word(f.Name))
		m.Names = append(m.Names, name)
		p := &printer{f: f, target: target, name: name, constants: f.Constants(), fixed: f.Fixed(), anyNaN: f.AnyNaN()}
		p.entry(&b)
	}
	m.Text = b.String()
	return m
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

// A bank is a kind of register. Bool is a predicate; integers of fewer than 32 bits lie
// in 32 bits, extended as their type states.
type bank byte

const (
	predicate bank = 'p'
	half      bank = 'r' // 32 bits
	full      bank = 'd' // 64 bits
	single    bank = 'f'
	double    bank = 'g'
	half16    bank = 'h' // 16 bits
)

var banks = map[bank]string{predicate: ".pred", half: ".b32", full: ".b64", single: ".f32", double: ".f64", half16: ".b16"}

func bankOf(t scalar.Type) bank {
	switch {
	case t == scalar.Bool:
		return predicate
	case t == scalar.F32:
		return single
	case t == scalar.F64:
		return double
	case t.Size() == 8:
		return full
	}
	return half
}

type printer struct {
	f         *simt.Func
	target    int
	name      string
	body      strings.Builder
	constants map[simt.Reg]uint64
	extra     map[bank]int // number of registers besides the function's, by bank
	labels    int
	fixed     map[simt.Reg]bool  // registers that only one statement assigns
	anyNaN    map[simt.Reg]bool  // registers that may have the bits of any NaN where they are NaN
	addresses []map[place]string // registers with addresses, by open block
}

func (p *printer) line(format string, args ...any) {
	p.body.WriteByte('\t')
	fmt.Fprintf(&p.body, format, args...)
	p.body.WriteString(";\n")
}

func (p *printer) reg(r simt.Reg) string {
	return fmt.Sprintf("%%%c%d", bankOf(p.f.Types[r]), r)
}

// arg returns the register of an operand, or the number that it always is.
func (p *printer) arg(r simt.Reg) string {
	if bits, ok := p.constants[r]; ok && p.f.Types[r] != scalar.Bool {
		return number(p.f.Types[r], bits)
	}
	return p.reg(r)
}

func number(t scalar.Type, bits uint64) string {
	switch {
	case t == scalar.F32:
		return fmt.Sprintf("0f%08X", bits)
	case t == scalar.F64:
		return fmt.Sprintf("0d%016X", bits)
	case t.IsSigned():
		n := 64 - t.Bits()
		return fmt.Sprint(int64(bits<<n) >> n)
	case t == scalar.U64:
		return fmt.Sprintf("0x%x", bits)
	}
	return fmt.Sprint(bits)
}

func (p *printer) temp(b bank) string {
	if p.extra == nil {
		p.extra = map[bank]int{}
	}
	p.extra[b]++
	return fmt.Sprintf("%%%ct%d", b, p.extra[b])
}

func (p *printer) label() string {
	p.labels++
	return fmt.Sprintf("$L%s_%d", p.name, p.labels)
}

func (p *printer) entry(b *strings.Builder) {
	p.block(p.f.Body)
	k := p.f.Kernel
	for i, t := range k.Tables {
		var words []string
		for _, bits := range t.Bits {
			words = append(words, fmt.Sprintf("0x%x", bits))
		}
		fmt.Fprintf(b, "\n.const .align 8 .b%d %s_t%d[%d] = {%s};\n", t.Type.Bits(), p.name, i, len(words), strings.Join(words, ", "))
	}
	var params []string
	for i := range len(k.Buffers) + len(k.Symbols) {
		params = append(params, fmt.Sprintf("\t.param .u64 %s_%d", p.name, i))
	}
	demand := fmt.Sprintf(".reqntid %d, 1, 1", p.f.Threads)
	if p.f.Cluster > 1 {
		demand += fmt.Sprintf("\n.reqnctapercluster %d, 1, 1", p.f.Cluster)
	}
	if p.f.Least > 0 {
		demand += fmt.Sprintf("\n.minnctapersm %d", p.f.Least)
	}
	if p.f.DynamicBytes() > 0 {
		fmt.Fprintf(b, "\n.extern .shared .align 1024 .b8 %s_s[];\n", p.name)
		for i := range p.f.Maps() {
			params = append(params, fmt.Sprintf("\t.param .align 64 .b8 %s_m%d[128]", p.name, i))
		}
		switch {
		case p.f.Resident > 0:
			demand += fmt.Sprintf("\n.minnctapersm %d", p.f.Resident)
		case p.f.Attention != nil || p.f.Gradient != nil:
			demand += "\n.minnctapersm 2" // registers rather than more groups at once
		}
	}
	fmt.Fprintf(b, "\n.visible .entry %s(\n%s\n)\n%s\n{\n", p.name, strings.Join(params, ",\n"), demand)
	for i, a := range p.f.Arrays {
		where := ".local"
		if a.Shared {
			where = ".shared"
		}
		fmt.Fprintf(b, "\t%s .align 16 .b8 %s_a%d[%d];\n", where, p.name, i, a.Len*a.Type.Size())
	}
	for _, kind := range []bank{predicate, half, full, single, double, half16} {
		if kind != half16 {
			fmt.Fprintf(b, "\t.reg %s %%%c<%d>;\n", banks[kind], kind, len(p.f.Types)+1)
		}
		if n := p.extra[kind]; n > 0 {
			fmt.Fprintf(b, "\t.reg %s %%%ct<%d>;\n", banks[kind], kind, n+1)
		}
	}
	fmt.Fprintf(b, "\t.reg .b64 %%base<%d>;\n", len(k.Buffers)+1)
	for i := range k.Buffers {
		fmt.Fprintf(b, "\tld.param.u64 %%base%d, [%s_%d];\n\tcvta.to.global.u64 %%base%d, %%base%d;\n", i, p.name, i, i, i)
	}
	b.WriteString(p.body.String())
	b.WriteString("\tret;\n}\n")
}

func (p *printer) block(b []simt.Stmt) {
	p.addresses = append(p.addresses, map[place]string{})
	for _, s := range b {
		p.stmt(s)
	}
	p.addresses = p.addresses[:len(p.addresses)-1]
}

func (p *printer) stmt(s simt.Stmt) {
	switch s := s.(type) {
	case *simt.Op:
		if _, ok := p.constants[s.Dst]; ok && s.Inst.Type != scalar.Bool {
			return
		}
		p.op(s.Dst, &s.Inst)
	case *simt.Move:
		p.move(s.Dst, s.Src)
	case *simt.Special:
		p.special(s)
	case *simt.Load:
		t := p.f.Kernel.Buffers[s.Buffer].Type
		p.load("global", t, s.Dst, p.address(fmt.Sprintf("%%base%d", s.Buffer), s.At, t))
	case *simt.Store:
		t := p.f.Kernel.Buffers[s.Buffer].Type
		p.store("global", t, p.address(fmt.Sprintf("%%base%d", s.Buffer), s.At, t), s.Value)
	case *simt.Get:
		a := p.f.Arrays[s.Array]
		p.load(space(a), a.Type, s.Dst, p.arrayAddress(s.Array, s.At))
	case *simt.GetFrom:
		p.getFrom(s)
	case *simt.Put:
		a := p.f.Arrays[s.Array]
		p.store(space(a), a.Type, p.arrayAddress(s.Array, s.At), s.Value)
	case *simt.LoadVec:
		t := p.f.Kernel.Buffers[s.Buffer].Type
		p.loadVec("global", t, s.Dst, p.near(place{false, s.Buffer, s.At}), s.Plus)
	case *simt.StoreVec:
		t := p.f.Kernel.Buffers[s.Buffer].Type
		p.storeVec("global", t, p.near(place{false, s.Buffer, s.At}), s.Plus, s.Values)
	case *simt.GetVec:
		a := p.f.Arrays[s.Array]
		p.loadVec(space(a), a.Type, s.Dst, p.near(place{true, s.Array, s.At}), s.Plus)
	case *simt.PutVec:
		a := p.f.Arrays[s.Array]
		p.storeVec(space(a), a.Type, p.near(place{true, s.Array, s.At}), s.Plus, s.Values)
	case *simt.Shuffle:
		p.shuffle(s)
	case *simt.Ballot:
		p.line("vote.sync.ballot.b32 %s, %s, 0xffffffff", p.reg(s.Dst), p.reg(s.Src))
	case *simt.Add:
		p.line("red.shared.add.u32 [%s], %s", p.arrayAddress(s.Array, s.At), p.arg(s.Value))
	case *simt.AddTo:
		t := p.f.Kernel.Buffers[s.Buffer].Type
		p.line("red.global.add.u%d [%s], %s", t.Bits(), p.near(place{false, s.Buffer, s.At}), p.arg(s.Value))
	case *simt.Fetch:
		p.fetch(s)
	case *simt.Commit:
		if CopiesAhead(p.target) {
			p.line("cp.async.commit_group")
		}
	case *simt.Await:
		if CopiesAhead(p.target) {
			p.line("cp.async.wait_group %d", s.Left)
		}
	case *simt.For:
		p.loop(s)
	case *simt.While:
		again, end := p.label(), p.label()
		p.body.WriteString(again + ":\n")
		p.block(s.Cond)
		p.line("@!%s bra %s", p.reg(s.Test), end)
		p.block(s.Body)
		p.line("bra %s", again)
		p.body.WriteString(end + ":\n")
	case *simt.If:
		other, end := p.label(), p.label()
		p.line("@!%s bra %s", p.reg(s.Cond), other)
		p.block(s.Then)
		if len(s.Else) > 0 {
			p.line("bra %s", end)
		}
		p.body.WriteString(other + ":\n")
		p.block(s.Else)
		if len(s.Else) > 0 {
			p.body.WriteString(end + ":\n")
		}
	case *simt.Barrier:
		p.line("bar.sync 0")
	case *simt.ClusterBarrier:
		p.line("barrier.cluster.arrive.aligned")
		p.line("barrier.cluster.wait.aligned")
	case *simt.Tensor:
		t := tensor{printer: p, Tensor: s}
		switch {
		case !s.Copied():
			(&mma{tensor: t}).print()
		case s.Unit == simt.WGMMA:
			(&wgmma{copied{t}}).print()
		default:
			(&tcgen05{copied{t}}).print()
		}
	case *simt.Attention:
		a := attention{printer: p, Attention: s}
		if s.Unit == simt.WGMMA {
			(&attentionWGMMA{attention: a}).print()
			return
		}
		a.print()
	case *simt.AttentionGrad:
		(&attentionGrad{attention: attention{printer: p, Attention: &s.Attention}, g: s}).print()
	}
}

func space(a simt.Array) string {
	if a.Shared {
		return "shared"
	}
	return "local"
}

func (p *printer) loop(s *simt.For) {
	again, end := p.label(), p.label()
	t := intType(p.f.Types[s.Index])
	p.move(s.Index, s.From)
	p.body.WriteString(again + ":\n")
	c := p.temp(predicate)
	p.line("setp.ge.%s %s, %s, %s", t, c, p.reg(s.Index), p.arg(s.To))
	p.line("@%s bra %s", c, end)
	p.block(s.Body)
	p.line("add.%s %s, %s, %s", t, p.reg(s.Index), p.reg(s.Index), p.arg(s.Step))
	p.line("bra %s", again)
	p.body.WriteString(end + ":\n")
}

func (p *printer) move(dst, src simt.Reg) {
	p.line("mov%s %s, %s", banks[bankOf(p.f.Types[dst])], p.reg(dst), p.arg(src))
}

func (p *printer) special(s *simt.Special) {
	wide := p.f.Types[s.Dst].Size() == 8
	name := ""
	switch s.What {
	case simt.Thread:
		name = "%tid.x"
	case simt.GroupIndex:
		name = "%ctaid.x"
	case simt.GroupCount:
		name = "%nctaid.x"
	case simt.Aligned:
		x := p.temp(full)
		p.line("and.b64 %s, %%base%d, %d", x, s.Index, simt.VecBytes-1)
		p.line("setp.eq.u64 %s, %s, 0", p.reg(s.Dst), x)
		return
	case simt.Symbol:
		x := p.temp(full)
		p.line("ld.param.u64 %s, [%s_%d]", x, p.name, len(p.f.Kernel.Buffers)+s.Index)
		if wide {
			p.line("mov.b64 %s, %s", p.reg(s.Dst), x)
		} else {
			p.line("cvt.u32.u64 %s, %s", p.reg(s.Dst), x)
		}
		return
	}
	if !wide {
		p.line("mov.u32 %s, %s", p.reg(s.Dst), name)
		return
	}
	x := p.temp(half)
	p.line("mov.u32 %s, %s", x, name)
	p.line("cvt.u64.u32 %s, %s", p.reg(s.Dst), x)
}
