package ptx

import (
	"fmt"
	"strings"
)

// start prints the addresses of a tile's first chunks.
func (t *mma) start(batch string) {
	size := t.Kind.Size()
	for i, s := range t.sides {
		at := t.calc(full, "add.u64", fmt.Sprintf("%%base%d", s.buffer), s.Offset*size)
		b := batch
		for d := len(t.Batch) - 1; d >= 0; d-- {
			x := b
			if d > 0 {
				x, b = t.calc(half, "rem.u32", b, t.Batch[d].N), t.calc(half, "div.u32", b, t.Batch[d].N)
			}
			stride := []int{t.Batch[d].A, t.Batch[d].B}[i]
			at = t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", x), stride*size, at)
		}
		if s.gathered != nil {
			t.line("mov.u64 %s, %s", s.from, at)
			continue
		}
		along := t.calc(half, "add.u32", s.first, s.along)
		at = t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", along), s.Outer*size, at)
		t.line("mad.lo.s64 %s, %s, %d, %s", s.from, t.calc(full, "cvt.u64.u32", s.depth), s.Operand.K*size, at)
	}
}

func (t *mma) fetch(stage, k string) {
	to := t.calc(half, "mad.lo.u32", stage, t.StageBytes(), t.base)
	size := t.Kind.Size()
	n := 16 / size
	for _, s := range t.sides {
		var places []string
		for _, x := range s.to {
			places = append(places, t.calc(half, "add.u32", to, x))
		}
		if s.gathered != nil {
			t.fetchGathered(s, to, places, k)
			continue
		}
		rows, stride := t.rows(s), t.stride(s)
		along, depth := t.calc(half, "add.u32", s.first, s.along), t.calc(half, "add.u32", k, s.depth)
		checkAlong, checkDepth := s.extent%s.lines != 0, t.K%t.Tile[2] != 0
		for line := 0; line < rows; line += stride {
			i := line / stride % len(places)
			at, offset := places[i], (line-i*stride)*t.pitch(s)
			from, a, d, step := s.from, along, depth, s.Outer
			if s.transposed {
				step = s.Operand.K
			}
			if line > 0 {
				from = t.calc(full, "add.u64", from, line*step*size)
				if s.transposed {
					d = t.calc(half, "add.u32", d, line)
				} else {
					a = t.calc(half, "add.u32", a, line)
				}
			}
			if !s.aligned {
				t.elements(s, from, t.calc(half, "add.u32", at, offset), a, d)
				continue
			}
			if !checkAlong && !checkDepth {
				t.line("cp.async.cg.shared.global [%s+%d], [%s], 16", at, offset, from)
				continue
			}
			// The bytes that are inside, 0 to 16; the others become zeros.
			chunk, limit, other, most := a, fmt.Sprint(s.extent), d, t.end
			if !s.transposed {
				chunk, limit, other, most = d, t.end, a, fmt.Sprint(s.extent)
			}
			left := t.calc(half, "sub.s32", limit, chunk)
			left = t.calc(half, "max.s32", left, 0)
			left = t.calc(half, "min.s32", left, n)
			left = t.calc(half, "mul.lo.u32", left, size)
			p := t.calc(predicate, "setp.lt.u32", other, most)
			left = t.calc(half, "selp.b32", left, 0, p)
			// An address outside of the array is not used, even for no bytes.
			q := t.calc(predicate, "setp.ne.u32", left, 0)
			from = t.calc(full, "selp.b64", from, fmt.Sprintf("%%base%d", s.buffer), q)
			t.line("cp.async.cg.shared.global [%s+%d], [%s], 16, %s", at, offset, from, left)
		}
		step := t.Tile[2] * s.Operand.K * size
		t.line("add.u64 %s, %s, %d", s.from, s.from, step)
	}
}

// elements prints the copy of a chunk whose elements are not aligned, one by one.
func (t *mma) elements(s *side, from, to, along, depth string) {
	size := t.Kind.Size()
	n := 16 / size
	step := s.Operand.K
	if s.transposed {
		step = s.Outer
	}
	words := make([]string, 4)
	parts := make([]string, n)
	for e := range n {
		a, d := along, depth
		if s.transposed {
			a = t.calc(half, "add.u32", a, e)
		} else {
			d = t.calc(half, "add.u32", d, e)
		}
		p := t.calc(predicate, "setp.lt.u32", a, s.extent)
		t.line("setp.lt.and.u32 %s, %s, %s, %s", p, d, t.end, p)
		parts[e] = t.calc(half, "mov.u32", 0)
		t.line("@%s ld.global.u%d %s, [%s+%d]", p, 8*size, parts[e], from, e*step*size)
	}
	for w := range words {
		if size == 4 {
			words[w] = parts[w]
			continue
		}
		x := t.calc(half, "shl.b32", parts[2*w+1], 16)
		words[w] = t.calc(half, "or.b32", x, parts[2*w])
	}
	t.line("st.shared.v4.u32 [%s], {%s}", to, strings.Join(words, ", "))
}
