package promote

import "github.com/weft-go/weft/core"

// sequence promotes two types or more as NumPy does since 1.20 where no values
// count: not by folding, but by finding the most general of them first, which
// then is joined with each of the others. So i8, u8, f16 together are f16, although i8
// with u8 is i16, and i16 with f16 is f32.
func (s *numpy1) sequence(types []core.DType) (core.DType, error) {
	types = append([]core.DType(nil), types...)
	result, known, err := s.mostGeneral(types)
	if err != nil {
		return core.Invalid, err
	}
	start := 2
	if !known {
		start = 1
	}
	for _, d := range types[start:] {
		if d == core.Invalid {
			continue
		}
		t, err := s.Join(Strong(types[0]), Strong(d))
		if err == nil && known {
			t, err = s.Join(Strong(result), t)
		}
		if err != nil {
			return core.Invalid, err
		}
		result, known = t.DType, true
	}
	return result, nil
}

// mostGeneral moves the most general type to the front: it compares the first type with the last,
// the second with the last but one and so on, moves the more general of each pair to the first half,
// and goes on with that half. A type that is joined into another becomes Invalid. It returns the
// join of the last pair, unless that was exchanged: then known is false.
func (s *numpy1) mostGeneral(types []core.DType) (result core.DType, known bool, err error) {
	n := len(types)
	for low := range n / 2 {
		high := n - 1 - low
		a, b := types[low], types[high]
		if known = numpyOrder(a) >= numpyOrder(b); !known {
			types[low], types[high] = b, a
			continue
		}
		t, err := s.Join(Strong(a), Strong(b))
		if err != nil {
			return core.Invalid, false, err
		}
		if result = t.DType; result == a {
			types[high] = core.Invalid
		}
	}
	if n == 2 {
		return result, known, nil
	}
	return s.mostGeneral(types[:n-n/2])
}

// numpyOrder returns the number that NumPy gives a type: of two types, the one with the larger
// number decides what they promote to. Half comes last.
func numpyOrder(d core.DType) int {
	for i, t := range [...]core.DType{core.Bool, core.Int8, core.Uint8, core.Int16, core.Uint16, core.Int32, core.Uint32,
		core.Int64, core.Uint64, core.Float32, core.Float64, core.Complex64, core.Complex128, core.Float16} {
		if t == d {
			return i
		}
	}
	return -1
}
