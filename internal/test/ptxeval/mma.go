package ptxeval

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/simt"
)

// loadMatrices runs ldmatrix: four matrices of 8×8 numbers of 16 bits, whose rows are at
// the addresses of eight lanes each.
func loadMatrices(v *machine, ts []thread, in *inst) error {
	turned := strings.Contains(strings.Join(in.op, "."), ".trans.")
	var rows [4][8][]byte
	for i := range ts {
		b := v.place(&ts[i], &inst{space: "shared", bytes: 4}, v.addressOf(&ts[i], &in.args[4]), 16, simt.Reads)
		if v.fault != nil {
			return v.fault
		}
		rows[i/8][i%8] = b
	}
	for lane := range ts {
		for m := range 4 {
			g, k := lane/4, lane%4*2
			word := func(r, c int) uint64 { return uint64(binary.LittleEndian.Uint16(rows[m][r][2*c:])) }
			x := word(g, k) | word(g, k+1)<<16
			if turned {
				x = word(k, g) | word(k+1, g)<<16
			}
			ts[lane].regs[in.args[m].reg], ts[lane].written[in.args[m].reg] = x, true
		}
	}
	return nil
}

// kinds are the formats of operands by name.
var kinds = map[string]simt.TensorKind{"tf32": simt.TF32, "bf16": simt.BF16, "f16": simt.F16}

// number returns an element of a fragment as tensor cores read it: the last bits of f32 are
// cut.
func number(kind simt.TensorKind, bits uint64) float64 {
	if kind == simt.TF32 {
		bits &^= 1<<13 - 1
	}
	return simteval.Number(kind, uint32(bits))
}

// multiplyWarp runs mma.sync: sums in f64, rounded once.
func multiplyWarp(v *machine, ts []thread, in *inst) error {
	kind, depth := kinds[in.op[7]], 16
	if kind == simt.TF32 {
		depth = 8
	}
	read := func(lane, arg int) uint64 {
		t := &ts[lane]
		if !t.written[in.args[arg].reg] {
			v.fault = errUnset
		}
		return t.regs[in.args[arg].reg]
	}
	// Registers 4… are of A, 8… of B, 10… of C.
	var a [16][16]float64
	var b [16][8]float64
	for lane := range ts {
		g, k := lane/4, lane%4
		for r := range 4 {
			row, deep := g+8*(r&1), k+4*(r>>1)
			if depth == 8 {
				a[row][deep] = number(kind, read(lane, 4+r))
			} else {
				x := read(lane, 4+r)
				deep = 2*k + 8*(r>>1)
				a[row][deep], a[row][deep+1] = number(kind, x&0xffff), number(kind, x>>16)
			}
		}
		for r := range 2 {
			x := read(lane, 8+r)
			if depth == 8 {
				b[k+4*r][g] = number(kind, x)
			} else {
				b[2*k+8*r][g], b[2*k+8*r+1][g] = number(kind, x&0xffff), number(kind, x>>16)
			}
		}
	}
	for lane := range ts {
		for r := range 4 {
			row, col := lane/4+8*(r>>1), lane%4*2+r&1
			sum := float64(f32(read(lane, 10+r)))
			for k := range depth {
				sum += a[row][k] * b[k][col]
			}
			t := &ts[lane]
			t.regs[in.args[r].reg], t.written[in.args[r].reg] = uint64(math.Float32bits(float32(sum))), true
		}
	}
	return v.fault
}

// narrow returns what a conversion to a format of tensor cores computes and the number of its
// operands, nil if the instruction is none.
func narrow(name string) (operation, int) {
	switch name {
	case "cvt.rna.tf32.f32":
		return toTF32(false), 1
	case "cvt.rn.tf32.f32":
		return toTF32(true), 1
	case "cvt.rn.bf16x2.f32", "cvt.rn.f16x2.f32":
		k := kinds[strings.TrimSuffix(strings.Split(name, ".")[2], "x2")]
		return func(high, low, _ uint64) (uint64, error) {
			return uint64(simteval.Bits(k, f32(high)))<<16 | uint64(simteval.Bits(k, f32(low))), nil
		}, 2
	}
	return nil, 0
}

// toTF32 returns a function that rounds numbers to a mantissa of 10 bits, ties to even or away
// from zero.
func toTF32(even bool) operation {
	return func(x, _, _ uint64) (uint64, error) {
		if x<<1&(1<<32-1) < 0xff000000 {
			x += 1 << 12
			if even && x&(1<<13-1) == 0 {
				x &^= 1 << 13
			}
		}
		return x & (1<<32 - 1<<13), nil
	}
}
