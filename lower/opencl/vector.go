package opencl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

func (p *printer) loadVec(depth int, from string, dst []simt.Reg, at simt.Reg, plus int64) {
	if len(dst) == 1 {
		p.line(depth, "%s = (%s)[%s];", p.reg(dst[0]), from, p.displaced(at, plus))
		return
	}
	t := p.f.Types[dst[0]]
	p.line(depth, "{")
	p.line(depth+1, "%s%d v = vload%d(0, %s + %s);", p.typeName(t), len(dst), len(dst), from, p.displaced(at, plus))
	for i, r := range dst {
		p.line(depth+1, "%s = v.s%d;", p.reg(r), i)
	}
	p.line(depth, "}")
}

func (p *printer) storeVec(depth int, to string, t scalar.Type, at simt.Reg, plus int64, values []simt.Reg) {
	if len(values) == 1 {
		p.line(depth, "(%s)[%s] = %s;", to, p.displaced(at, plus), p.reg(values[0]))
		return
	}
	names := make([]string, len(values))
	for i, r := range values {
		names[i] = p.reg(r)
	}
	n := len(values)
	p.line(depth, "vstore%d((%s%d)(%s), 0, %s + %s);", n, p.typeName(t), n, strings.Join(names, ", "), to, p.displaced(at, plus))
}

func (p *printer) displaced(at simt.Reg, plus int64) string {
	if plus == 0 {
		return p.reg(at)
	}
	return fmt.Sprintf("(%s + %d)", p.reg(at), plus)
}

// shuffle writes an exchange through local memory, which every device has.
func (p *printer) shuffle(depth int, s *simt.Shuffle) {
	x := "x_" + p.typeName(p.f.Types[s.Src])
	p.line(depth, "barrier(CLK_LOCAL_MEM_FENCE);")
	p.line(depth, "%s[get_local_id(0)] = %s;", x, p.reg(s.Src))
	p.line(depth, "barrier(CLK_LOCAL_MEM_FENCE);")
	p.line(depth, "%s = %s[get_local_id(0) ^ %d];", p.reg(s.Dst), x, s.Xor)
}

// ballot prints a ballot: each thread collects the bits of the 32 threads that it belongs to.
func (p *printer) ballot(depth int, s *simt.Ballot) {
	p.line(depth, "barrier(CLK_LOCAL_MEM_FENCE);")
	p.line(depth, "x_uchar[get_local_id(0)] = %s;", p.reg(s.Src))
	p.line(depth, "barrier(CLK_LOCAL_MEM_FENCE);")
	p.line(depth, "%s = 0;", p.reg(s.Dst))
	p.line(depth, scalarLoop)
	p.line(depth, "for (int i = 0; i < 32; i++) %s |= (uint)x_uchar[(get_local_id(0) & ~31) + i] << i;", p.reg(s.Dst))
}

func (p *printer) exchanged() []scalar.Type {
	var ts []scalar.Type
	simt.Walk(p.f.Body, func(s simt.Stmt) {
		src := simt.NoReg
		switch s := s.(type) {
		case *simt.Shuffle:
			src = s.Src
		case *simt.Ballot:
			src = s.Src
		}
		if src != simt.NoReg && !slices.ContainsFunc(ts, func(t scalar.Type) bool { return p.typeName(t) == p.typeName(p.f.Types[src]) }) {
			ts = append(ts, p.f.Types[src])
		}
	})
	return ts
}
