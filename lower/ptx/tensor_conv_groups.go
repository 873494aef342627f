package ptx

import (
	"slices"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// fetchGroups prints the copies of a piece in groups of elements of 16 bits that are neighbours in memory.
func (t *mma) fetchGroups(s *side, to string, chunk []spot, other spot) {
	var words []string
	for e := 0; e < len(chunk); e += s.group {
		if s.shifted {
			words = append(words, t.shiftedWords(s, chunk[e], other)...)
			continue
		}
		from, inside := t.element(s, chunk[e], other)
		t.copied("ca", to, s.shared+2*e, from, inside, 2*s.group)
	}
	if s.shifted {
		t.line("st.shared.v4.u32 [%s+%d], {%s}", to, s.shared, strings.Join(words, ", "))
	}
}

// shiftedWords prints the loads of a group that begins at any position along its axis: the words in which its elements lie, each of two
// elements or of none, as the axis has an even number. If the first element is a word's second one, all are shifted.
func (t *mma) shiftedWords(s *side, x, y spot) []string {
	g := s.gathered
	axis := slices.IndexFunc(g.axes, func(a simt.WindowAxis) bool { return a.Stride == 1 })
	position := t.sum(x.x[axis], y.x[axis])
	odd := t.calc(half, "and.b32", position, 1)
	first := t.calc(half, "sub.u32", position, odd)
	inside := t.both(x.inside, y.inside)
	for i, a := range g.axes {
		if i != axis {
			inside = t.both(inside, t.below(t.sum(x.x[i], y.x[i]), a.Extent))
		}
	}
	at := t.calc(half, "sub.u32", t.sum(x.at, y.at), odd)
	from := t.calc(full, "mad.wide.s32", at, 2, s.from)
	words := make([]string, s.group/2+1)
	for i := range words {
		words[i] = t.calc(half, "mov.u32", 0)
		in := t.both(inside, t.below(t.calc(half, "add.u32", first, 2*i), g.axes[axis].Extent))
		t.line("@%s ld.global.u32 %s, [%s+%d]", in, words[i], from, 4*i)
	}
	bits := t.calc(half, "shl.b32", odd, 4)
	for i := range s.group / 2 {
		words[i] = t.calc(half, "shf.r.wrap.b32", words[i], words[i+1], bits)
	}
	return words[:s.group/2]
}
