package promote

import "testing"

func BenchmarkJoin(b *testing.B) {
	var s System = JAX
	x, y := WeakFloat, Strong(13)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Join(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResult(b *testing.B) {
	var s System = JAX
	x, y := WeakFloat, Strong(13)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Result(s, 32, x, y); err != nil {
			b.Fatal(err)
		}
	}
}
