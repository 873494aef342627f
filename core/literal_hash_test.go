package core

import "testing"

// Small numbers, which programs use most, have places of their own among 64.
func TestLiteralHashSpreads(t *testing.T) {
	for name, number := range map[string]func(i int) Number{
		"int":   func(i int) Number { return IntNumber(int64(i)) },
		"float": func(i int) Number { return FloatNumber(float64(i)) },
		"half":  func(i int) Number { return FloatNumber(float64(i) / 2) },
	} {
		seen := map[uint64]bool{}
		for i := range 16 {
			seen[Lit(number(i), Float32).Hash()%64] = true
		}
		if len(seen) < 10 {
			t.Errorf("%s: 16 numbers have %d places among 64, want at least 10", name, len(seen))
		}
	}
}
