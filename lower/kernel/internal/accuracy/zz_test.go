package accuracy

import (
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	for _, f := range Functions() {
		if f.Unit==0 { continue }
		for seed := range uint64(3) {
		t0 := time.Now()
		r := f.Float64(300000, seed+3)
		d := time.Since(t0)
		t.Logf("%-9s %8d max %.4f at %v, wrong %d at %v  %.1f ns", f.Name, r.N, r.Max, r.At, r.Wrong, r.FirstAt, float64(d.Nanoseconds())/float64(r.N))
		}
	}
}
