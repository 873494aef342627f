package ptx

import (
	"fmt"
	"math"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// matrices prints the read of four matrices of eight rows of 16 bytes.
func (t *attention) matrices(from string, offset int, transposed bool) []string {
	r := []string{t.temp(half), t.temp(half), t.temp(half), t.temp(half)}
	kind := ".x4.shared.b16"
	if transposed {
		kind = ".x4.trans.shared.b16"
	}
	t.line("ldmatrix.sync.aligned.m8n8%s {%s}, [%s+%d]", kind, strings.Join(r, ", "), from, offset)
	return r
}

// round prints the rounding of operands to tf32, if that is their format.
func (t *attention) round(regs []string) []string {
	if t.Kind == simt.TF32 {
		for _, r := range regs {
			t.roundTF32(r, r)
		}
	}
	return regs
}

// product prints c += a·b for 16 rows and 8 columns.
func (t *attention) product(c, a, b []string) {
	shape, kind := "m16n8k16", t.Kind.String()
	if t.Kind == simt.TF32 {
		shape = "m16n8k8"
	}
	sum := strings.Join(c, ", ")
	t.line("mma.sync.aligned.%s.row.col.f32.%s.%s.f32 {%s}, {%s}, {%s}, {%s}", shape, kind, kind, sum, strings.Join(a, ", "), strings.Join(b, ", "), sum)
}

// fit prints sums of products of the rows of two operands, with the addresses from which the lane reads them.
func (t *attention) fit(sums []string, rows, columns string, operand int) {
	for _, s := range sums {
		t.line("mov.f32 %s, 0f00000000", s)
	}
	for k := range (t.Pitch(operand) - 16) / 32 { // 32 bytes of a row
		a := t.round(t.matrices(rows, 32*k, false))
		for n := range t.block / 16 {
			b := t.round(t.matrices(columns, 16*n*t.Pitch(operand)+32*k, false))
			t.product(sums[8*n:8*n+4], a, b[:2])
			t.product(sums[8*n+4:8*n+8], a, b[2:])
		}
	}
}

// weigh prints how the scores become weights: exponentials of their differences from the
// greatest score so far, to which the sums of earlier keys are rescaled.
func (t *attention) weigh() {
	for h := range 2 {
		most, origin, rescale := t.rescale(h, t.most[h], t.score)
		t.line("mov.f32 %s, %s", t.most[h], most)
		t.line("mul.rn.f32 %s, %s, %s", t.total[h], t.total[h], rescale)
		for n := range t.D / 8 {
			for e := range 2 {
				y := t.sums[4*n+2*h+e]
				t.line("mul.rn.f32 %s, %s, %s", y, y, rescale)
			}
		}
		for n := range t.block / 8 {
			for e := range 2 {
				x := t.exp(t.scores[4*n+2*h+e], origin)
				t.line("add.rn.f32 %s, %s, %s", t.total[h], t.total[h], x)
			}
		}
	}
	for _, o := range t.scored() {
		for _, at := range t.near[o.operand] {
			t.line("add.u64 %s, %s, %d", at, at, t.block*t.Column[o.operand]*o.size)
		}
	}
}

// rescale prints the scores of row h of the lane. It returns the greatest of them and of `before`, which is the greatest score of
// earlier keys; the number that is subtracted from the scores; and the factor of earlier sums.
func (t *attention) rescale(h int, before string, score func(x string, h, column int)) (most, origin, factor string) {
	most = t.calc(single, "mov.f32", before)
	for n := range t.block / 8 {
		for e := range 2 {
			x := t.scores[4*n+2*h+e]
			score(x, h, 8*n+e)
			t.line("max.NaN.f32 %s, %s, %s", most, most, x)
		}
	}
	t.across(most, "max.NaN.f32")
	// Where all scores so far are −∞, their weights are 0.
	none := t.calc(predicate, "setp.eq.f32", most, fmt.Sprintf("0f%08X", math.Float32bits(float32(math.Inf(-1)))))
	origin = t.calc(single, "selp.f32", "0f00000000", most, none)
	return most, origin, t.exp(t.calc(single, "mov.f32", before), origin)
}

// score prints the scale, bias and mask of a score in row h of the lane. column counts from the lane's first one.
func (t *attention) score(x string, h, column int) {
	if t.Scale != 1 {
		t.line("mul.rn.f32 %s, %s, 0f%08X", x, x, math.Float32bits(t.Scale))
	}
	inside, at, ragged := "", "", t.T%t.Queries() != 0 || t.S%t.block != 0
	if ragged || t.Causal {
		at = t.calc(half, "add.u32", t.calc(half, "add.u32", t.keys, t.pair), column)
	}
	if t.Causal {
		defer func() {
			hidden := t.calc(predicate, "setp.gt.u32", at, t.row[h])
			t.line("selp.f32 %s, 0f%08X, %s, %s", x, math.Float32bits(float32(math.Inf(-1))), x, hidden)
		}()
	}
	if ragged {
		inside = t.calc(predicate, "setp.lt.u32", at, t.S)
		if t.Biased || t.Masked {
			row := t.calc(predicate, "setp.lt.u32", t.row[h], t.T)
			t.load(h, x, column, t.calc(predicate, "and.pred", inside, row))
		}
		t.line("selp.f32 %s, %s, 0f%08X, %s", x, x, math.Float32bits(float32(math.Inf(-1))), inside)
		return
	}
	t.load(h, x, column, "")
}

// load prints bias and mask of a score. If guard is not empty, this predicate guards their loads.
func (t *attention) load(h int, x string, column int, guard string) {
	if guard != "" {
		guard = "@" + guard + " "
	}
	if t.Biased {
		b := t.calc(single, "mov.f32", "0f00000000")
		t.line("%sld.global.f32 %s, [%s+%d]", guard, b, t.near[simt.Bias][h], 4*column*t.Column[simt.Bias])
		t.line("add.rn.f32 %s, %s, %s", x, x, b)
	}
	if t.Masked {
		m := t.calc(half, "mov.u32", 0)
		t.line("%sld.global.u8 %s, [%s+%d]", guard, m, t.near[simt.Mask][h], column*t.Column[simt.Mask])
		test := "setp.eq.u32"
		if t.Fills {
			test = "setp.ne.u32"
		}
		p := t.calc(predicate, test, m, 0)
		t.line("selp.f32 %s, 0f%08X, %s, %s", x, math.Float32bits(t.Fill), x, p)
	}
}

// exp prints x = exp(x − origin).
func (t *attention) exp(x, origin string) string {
	t.line("sub.rn.f32 %s, %s, %s", x, x, origin)
	t.line("mul.rn.f32 %s, %s, 0f%08X", x, x, math.Float32bits(math.Log2E))
	t.line("ex2.approx.f32 %s, %s", x, x)
	return x
}

// across prints an operation over the four lanes that share a row.
func (t *attention) across(x, op string) {
	for _, xor := range []int{1, 2} {
		y := t.temp(half)
		t.line("shfl.sync.bfly.b32 %s, %s, %d, 31, -1", y, x, xor)
		t.line("%s %s, %s, %s", op, x, x, t.calc(single, "mov.b32", y))
	}
}

// mix prints sums of the products of weights w and the rows of an operand. A lane's weights are those of
// neighbouring columns 2i and 2i+1 of a block of eight; tf32 instructions expect columns i and
// i+4, so the values are read in that order.
func (t *attention) mix(sums, w []string, read string, operand int) {
	pitch, features := t.Pitch(operand), (t.Pitch(operand)-16)/t.Kind.Size()
	if t.Kind == simt.TF32 {
		for k := range t.block / 8 {
			var a []string
			for _, i := range []int{0, 2, 1, 3} {
				a = append(a, t.temp(half))
				t.roundTF32(a[len(a)-1], w[4*k+i])
			}
			for n := range features / 8 {
				b := []string{t.temp(half), t.temp(half)}
				for i, r := range b {
					t.line("ld.shared.u32 %s, [%s+%d]", r, read, (8*k+i)*pitch+32*n)
				}
				t.product(sums[4*n:4*n+4], a, t.round(b))
			}
		}
		return
	}
	for k := range t.block / 16 {
		a := t.weights(w, k)
		for n := range features / 16 {
			b := t.matrices(read, 16*k*pitch+32*n, true)
			t.product(sums[8*n:8*n+4], a, b[:2])
			t.product(sums[8*n+4:8*n+8], a, b[2:])
		}
	}
}

// weights prints the weights of 16 columns, from 16·k on, as a left operand of 16 bits.
func (t *attention) weights(w []string, k int) (a []string) {
	for i := range 4 {
		at := 8*k + 2*i
		a = append(a, t.calc(half, "cvt.rn."+t.Kind.String()+"x2.f32", w[at+1], w[at]))
	}
	return a
}
