package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

func (p *printer) loadVec(space string, t scalar.Type, dst []simt.Reg, address string, plus int64) {
	var names []string
	for _, r := range dst {
		x := p.reg(r)
		if t == scalar.Bool {
			x = p.temp(half)
		}
		names = append(names, x)
	}
	p.line("ld.%s%s.%s {%s}, [%s]", space, together(len(dst)), memType(t), strings.Join(names, ", "), displaced(address, plus, t))
	if t == scalar.Bool {
		for i, r := range dst {
			p.line("setp.ne.u32 %s, %s, 0", p.reg(r), names[i])
		}
	}
}

func (p *printer) storeVec(space string, t scalar.Type, address string, plus int64, values []simt.Reg) {
	var names []string
	for _, r := range values {
		names = append(names, p.stored(t, r))
	}
	p.line("st.%s%s.%s [%s], {%s}", space, together(len(values)), strings.Replace(memType(t), "s", "u", 1), displaced(address, plus, t), strings.Join(names, ", "))
}

// together returns the part of an instruction's name that states how many elements it accesses.
func together(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(".v%d", n)
}

// displaced returns the address of the element that lies `plus` elements after an address.
func displaced(address string, plus int64, t scalar.Type) string {
	if plus == 0 {
		return address
	}
	return fmt.Sprintf("%s+%d", address, plus*int64(t.Size()))
}

// shuffle prints an exchange of values in a warp, in pieces of 32 bits.
func (p *printer) shuffle(s *simt.Shuffle) {
	t := p.f.Types[s.Dst]
	exchange := func(dst, src string) { p.line("shfl.sync.bfly.b32 %s, %s, %d, 31, -1", dst, src, s.Xor) }
	switch bankOf(t) {
	case predicate:
		x := p.temp(half)
		p.line("selp.b32 %s, 1, 0, %s", x, p.reg(s.Src))
		exchange(x, x)
		p.line("setp.ne.u32 %s, %s, 0", p.reg(s.Dst), x)
	case half:
		exchange(p.reg(s.Dst), p.reg(s.Src))
	case single:
		x := p.temp(half)
		p.line("mov.b32 %s, %s", x, p.reg(s.Src))
		exchange(x, x)
		p.line("mov.b32 %s, %s", p.reg(s.Dst), x)
	default:
		x, y, low, high := p.temp(full), p.temp(full), p.temp(half), p.temp(half)
		p.line("mov.b64 %s, %s", x, p.reg(s.Src))
		p.line("cvt.u32.u64 %s, %s", low, x)
		p.line("shr.u64 %s, %s, 32", x, x)
		p.line("cvt.u32.u64 %s, %s", high, x)
		exchange(low, low)
		exchange(high, high)
		p.line("cvt.u64.u32 %s, %s", x, low)
		p.line("cvt.u64.u32 %s, %s", y, high)
		p.line("shl.b64 %s, %s, 32", y, y)
		p.line("or.b64 %s, %s, %s", x, x, y)
		p.line("mov.b64 %s, %s", p.reg(s.Dst), x)
	}
}
