package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// asyncTarget is the first target that copies to shared memory without registers.
const asyncTarget = 80

// CopiesAhead reports whether threads for a target continue while their copies to shared memory are under way.
func CopiesAhead(target int) bool { return target >= asyncTarget }

// Clusters reports whether groups for a target can share an item.
func Clusters(target int) bool { return target >= 90 }

type place struct {
	array bool
	i     int
	at    simt.Reg
}

// near returns a register with the address of a place. It is computed once in a block and the
// blocks within, unless its position can change.
func (p *printer) near(x place) string {
	for _, known := range p.addresses {
		if r, ok := known[x]; ok {
			return r
		}
	}
	var r string
	if x.array {
		r = p.arrayAddress(x.i, x.at)
	} else {
		r = p.address(fmt.Sprintf("%%base%d", x.i), x.at, p.f.Kernel.Buffers[x.i].Type)
	}
	if p.fixed[x.at] {
		p.addresses[len(p.addresses)-1][x] = r
	}
	return r
}

// fetch prints a copy to shared memory. Older targets copy at once, through registers.
func (p *printer) fetch(s *simt.Fetch) {
	t := p.f.Arrays[s.Array].Type
	to := displaced(p.near(place{true, s.Array, s.To}), s.ToPlus, t)
	from := displaced(p.near(place{false, s.Buffer, s.From}), s.FromPlus, t)
	n := s.N * t.Size()
	if !CopiesAhead(p.target) {
		p.fetchNow(s, to, from)
		return
	}
	cache := "ca"
	if n == 16 {
		cache = "cg"
	}
	if s.If == simt.NoReg {
		p.line("cp.async.%s.shared.global [%s], [%s], %d", cache, to, from, n)
		return
	}
	size := p.temp(half)
	p.line("selp.b32 %s, %d, 0, %s", size, n, p.reg(s.If))
	p.line("cp.async.%s.shared.global [%s], [%s], %d, %s", cache, to, from, n, size)
}

func (p *printer) fetchNow(s *simt.Fetch, to, from string) {
	t := p.f.Arrays[s.Array].Type
	names := make([]string, s.N)
	for i := range names {
		names[i] = p.temp(bankOf(t))
	}
	vector, list, guard := "", names[0], ""
	if s.N > 1 {
		vector, list = fmt.Sprintf(".v%d", s.N), "{"+strings.Join(names, ", ")+"}"
	}
	if s.If != simt.NoReg {
		for _, x := range names {
			p.line("mov%s %s, %s", banks[bankOf(t)], x, number(t, 0))
		}
		guard = "@" + p.reg(s.If) + " "
	}
	p.line("%sld.global%s.%s %s, [%s]", guard, vector, memType(t), list, from)
	p.line("st.shared%s.%s [%s], %s", vector, strings.Replace(memType(t), "s", "u", 1), to, list)
}
