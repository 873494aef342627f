package fuzzgen

// Linearize writes down what becomes of tangents, and drops what comes to nothing: an
// operand of the linear map is used only if a result depends on it.

// seed is an operand of a linear map, and a copy of it that is followed through the
// function.
type seed struct {
	of, own val
	bit     uint32
}

func (m *machine) newSeedBit() uint32 {
	bit := uint32(1)
	for m.seeds&bit != 0 {
		bit <<= 1
	}
	m.seeds |= bit
	return bit
}

func (m *machine) newSeed(v val) seed {
	s := seed{of: v, bit: m.newSeedBit()}
	s.own = marked(fresh(v), func(k marks) marks { k.seeds |= s.bit; return k })
	return s
}

// grown notes that the operands on which a result's tangent depends are used; one that
// is the tangent is only given back.
func (m *machine) grown(seeds []seed, t val) {
	if t == nil {
		return
	}
	for _, s := range seeds {
		original := map[*arr]*arr{}
		leaves(s.of, s.own, func(a, b *arr) { original[b.same()] = a.same() })
		leaves(t, t, func(x, _ *arr) {
			if o := original[x.same()]; o != nil {
				x.first = o
			} else if x.seeds&s.bit != 0 {
				m.touch(s.of)
			}
		})
	}
}

func seedBits(seeds []seed) (bits uint32) {
	for _, s := range seeds {
		bits |= s.bit
	}
	return bits
}
