package ireval

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/lower/scalar"
)

// Each computes what Apply does, of each type that an operation takes, where the mask holds.
func TestEach(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tried := map[scalar.Op]bool{}
	for op := range scalar.Op(scalar.NumOps) {
		for kind := scalar.Bool; int(kind) < scalar.NumTypes; kind++ {
			in, from := scalar.Inst{Op: op, Type: kind, Imm: draw(r, kind)}, kind
			switch op.Form() {
			case scalar.FormSame:
			case scalar.FormCompare:
				in.Type = scalar.Bool
			case scalar.FormSelect:
				from = scalar.Bool
			default:
				if op != scalar.OpConst && op != scalar.OpConvert && op != scalar.OpBitcast {
					continue
				}
				from = scalar.Type(1 + r.IntN(scalar.NumTypes-1))
			}
			if !op.Takes(kind) {
				continue
			}
			tried[op] = true
			const n = 100
			var mask [n]bool
			var got, a, b, c [n]uint64
			for i := range n {
				mask[i] = r.IntN(4) > 0
				got[i], a[i], b[i], c[i] = 77, draw(r, from), draw(r, kind), draw(r, kind)
				if r.IntN(4) == 0 {
					b[i] = a[i]
				}
			}
			want := got
			for i, m := range mask {
				if m {
					want[i] = Apply(in, from, a[i], b[i], c[i])
				}
			}
			if Each(in, from, mask[:], got[:], a[:], b[:], c[:]); got != want {
				t.Errorf("%v of %v: got %x, want %x, from %x, %x, %x where %v", op, kind, got, want, a, b, c, mask)
			}
		}
	}
	if len(tried) < 25 {
		t.Errorf("%d operations are tried: %v", len(tried), tried)
	}
}

// draw returns bits of a value, often a small number or one close to the ends.
func draw(r *rand.Rand, t scalar.Type) uint64 {
	x := r.Uint64()
	switch r.IntN(4) {
	case 0:
		x = uint64(r.IntN(5)) - 2
	case 1:
		x = 1<<(t.Bits()-1) - uint64(r.IntN(3))
	}
	if t == scalar.Bool {
		return x & 1
	}
	return x & (^uint64(0) >> (64 - t.Bits()))
}
