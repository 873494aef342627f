package runtime

import "github.com/weft-go/weft/jaxpr"

// Estimates of what one form of a program occupies in memory. Recorded, lowered and
// prepared for the reference executor, programs of 1, 10, 100 and 1,000 elementwise
// equations occupy 2.2, 6.3, 51 and 407 KB of the heap (TestFootprint); compiled for
// avx512 they occupy less.
const (
	programBytes  = 600
	equationBytes = 144
)

// Footprint returns the arrays that a program captured, each once, and an estimate of the
// bytes of everything else that is freed with the program: its equations, the programs
// within it and those that were made of it, and their machine code.
func Footprint(j *jaxpr.Jaxpr) (arrays []*Array, bytes int64) {
	seen, listed := map[*jaxpr.Jaxpr]bool{}, map[*Array]bool{}
	var walk func(j *jaxpr.Jaxpr)
	walk = func(j *jaxpr.Jaxpr) {
		if seen[j] {
			return
		}
		seen[j] = true
		own := programBytes + equationBytes*int64(len(j.Eqns))
		bytes += own
		for _, v := range j.ConstVals {
			if a, ok := v.(*Array); ok && !listed[a] {
				listed[a] = true
				arrays = append(arrays, a)
			}
		}
		for _, e := range j.Eqns {
			for _, q := range jaxpr.Programs(e.Prim) {
				walk(q)
			}
		}
		for _, v := range j.Memos() {
			switch v := v.(type) {
			case *jaxpr.Jaxpr:
				walk(v)
			case *Compiled:
				walk(v.jaxpr)
				if v.ref == nil {
					bytes += int64(v.exe.Account().CodeBytes)
				}
			case []*Array:
			default: // what else was made of j is taken to be as large as j
				bytes += own
			}
		}
	}
	walk(j)
	return arrays, bytes
}
