package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// address returns a register with base + at·size.
func (p *printer) address(base string, at simt.Reg, t scalar.Type) string {
	x := p.temp(full)
	if p.f.Types[at].Size() == 4 {
		p.line("mad.wide.s32 %s, %s, %d, %s", x, p.arg(at), t.Size(), base)
	} else {
		p.line("mad.lo.s64 %s, %s, %d, %s", x, p.arg(at), t.Size(), base)
	}
	return x
}

func (p *printer) arrayAddress(array int, at simt.Reg) string {
	base := p.temp(full)
	p.line("mov.u64 %s, %s_a%d", base, p.name, array)
	return p.address(base, at, p.f.Arrays[array].Type)
}

func memType(t scalar.Type) string {
	switch {
	case t == scalar.Bool:
		return "u8"
	case t.IsFloat():
		return fmt.Sprintf("f%d", t.Bits())
	case t.IsSigned():
		return fmt.Sprintf("s%d", t.Bits())
	}
	return fmt.Sprintf("u%d", t.Bits())
}

// intType returns the type of operations on an integer's register.
func intType(t scalar.Type) string {
	kind := "u"
	if t.IsSigned() {
		kind = "s"
	}
	return fmt.Sprintf("%s%d", kind, max(32, t.Bits()))
}

func (p *printer) load(space string, t scalar.Type, dst simt.Reg, address string) {
	if t != scalar.Bool {
		p.line("ld.%s.%s %s, [%s]", space, memType(t), p.reg(dst), address)
		return
	}
	x := p.temp(half)
	p.line("ld.%s.u8 %s, [%s]", space, x, address)
	p.line("setp.ne.u32 %s, %s, 0", p.reg(dst), x)
}

func (p *printer) store(space string, t scalar.Type, address string, value simt.Reg) {
	x := p.stored(t, value)
	p.line("st.%s.%s [%s], %s", space, strings.Replace(memType(t), "s", "u", 1), address, x)
}

// stored returns a register with what is stored of a value of type t.
func (p *printer) stored(t scalar.Type, value simt.Reg) string {
	x := p.reg(value)
	if t == scalar.Bool {
		x = p.temp(half)
		p.line("selp.b32 %s, 1, 0, %s", x, p.reg(value))
	} else if bits, ok := p.constants[value]; ok {
		x = p.temp(bankOf(t))
		p.line("mov%s %s, %s", banks[bankOf(t)], x, number(t, bits))
	}
	return x
}

// getFrom prints a load from shared memory of a group of the cluster.
func (p *printer) getFrom(s *simt.GetFrom) {
	rank := p.temp(half)
	if p.f.Types[s.Rank].Size() == 8 {
		p.line("cvt.u32.u64 %s, %s", rank, p.arg(s.Rank))
	} else {
		p.line("mov.b32 %s, %s", rank, p.arg(s.Rank))
	}
	address := p.temp(full)
	p.line("mapa.shared::cluster.u64 %s, %s, %s", address, p.arrayAddress(s.Array, s.At), rank)
	p.load("shared::cluster", p.f.Arrays[s.Array].Type, s.Dst, address)
}
