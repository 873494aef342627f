package ptx

import (
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// convert prints the conversion of r to the register d. A boolean becomes 0 or 1; a number becomes true unless it is 0.
func (p *printer) convert(to, from scalar.Type, d string, r simt.Reg) {
	switch {
	case from == scalar.Bool:
		x := p.temp(half)
		p.line("selp.b32 %s, 1, 0, %s", x, p.reg(r))
		switch {
		case to == scalar.Bool:
			p.line("mov.pred %s, %s", d, p.reg(r))
		case to.IsFloat():
			p.line("cvt.rn.f%d.u32 %s, %s", to.Bits(), d, x)
		case to.Size() == 8:
			p.line("cvt.u64.u32 %s, %s", d, x)
		default:
			p.line("mov.b32 %s, %s", d, x)
		}
	case to == scalar.Bool:
		if from.IsFloat() {
			p.line("setp.neu.f%d %s, %s, %s", from.Bits(), d, p.arg(r), number(from, 0))
		} else {
			p.line("setp.ne.%s %s, %s, 0", intType(from), d, p.arg(r))
		}
	case from.IsFloat() && to.IsFloat():
		switch {
		case from == to:
			p.line("mov.f%d %s, %s", to.Bits(), d, p.arg(r))
		case to == scalar.F64:
			p.line("cvt.f64.f32 %s, %s", d, p.arg(r))
		default:
			p.line("cvt.rn.f32.f64 %s, %s", d, p.arg(r))
		}
	case from.IsFloat():
		p.truncate(to, from, d, p.arg(r))
	case to.IsFloat():
		p.line("cvt.rn.f%d.%s %s, %s", to.Bits(), intType(from), d, p.arg(r))
	case to.Size() == 8 && from.Size() < 8:
		p.line("cvt.%s.%s %s, %s", map[bool]string{true: "s64", false: "u64"}[from.IsSigned()], intType(from), d, p.arg(r))
	case from.Size() == 8 && to.Size() < 8:
		x := p.temp(half)
		p.line("cvt.u32.u64 %s, %s", x, p.arg(r))
		p.normal(to, d, x)
	default:
		p.normal(to, d, p.arg(r))
	}
}

// truncate converts a float to an integer: saturated, 0 for NaN.
func (p *printer) truncate(to, from scalar.Type, d, x string) {
	w := max(32, to.Bits())
	b := half
	if w == 64 {
		b = full
	}
	v, c := p.temp(b), p.temp(predicate)
	kind := intType(to)
	if to.Size() < 4 {
		kind = "s32"
	}
	p.line("cvt.rzi.%s.f%d %s, %s", kind, from.Bits(), v, x)
	switch {
	case to.Size() < 4 && to.IsSigned():
		p.line("max.s32 %s, %s, %d", v, v, -(1 << (to.Bits() - 1)))
		p.line("min.s32 %s, %s, %d", v, v, 1<<(to.Bits()-1)-1)
	case to.Size() < 4:
		p.line("max.s32 %s, %s, 0", v, v)
		p.line("min.s32 %s, %s, %d", v, v, 1<<to.Bits()-1)
	}
	p.line("setp.neu.f%d %s, %s, %s", from.Bits(), c, x, x)
	p.line("selp.b%d %s, 0, %s, %s", w, d, v, c)
}
