package ptx

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

type tensor struct {
	*printer
	*simt.Tensor
	base string // address of the stages in shared memory, aligned to 1024
}

// calc prints an instruction with a new register for its result.
func (p *printer) calc(b bank, op string, args ...any) string {
	d := p.temp(b)
	parts := []string{d}
	for _, a := range args {
		parts = append(parts, fmt.Sprint(a))
	}
	p.line("%s %s", op, strings.Join(parts, ", "))
	return d
}

func (p *printer) at(label string) { p.body.WriteString(label + ":\n") }

func (p *printer) loopWhile(test func() string, body func()) {
	again, end := p.label(), p.label()
	p.at(again)
	p.line("@!%s bra %s", test(), end)
	body()
	p.line("bra %s", again)
	p.at(end)
}

func (p *printer) ifTrue(test string, body func()) {
	end := p.label()
	p.line("@!%s bra %s", test, end)
	body()
	p.at(end)
}

// roundTF32 prints the rounding of an f32 to tf32. The conversion that all targets have, of ties away from zero, takes
// two machine instructions before a product; from 9.0 on there is another, of ties to even, which takes one.
func (p *printer) roundTF32(to, from string) {
	if p.target >= 90 {
		p.line("cvt.rn.tf32.f32 %s, %s", to, from)
	} else {
		p.line("cvt.rna.tf32.f32 %s, %s", to, from)
	}
}

// aligned prints the address of the shared memory, aligned to 1024.
func (p *printer) aligned() string {
	x := p.calc(half, "mov.u32", p.name+"_s")
	x = p.calc(half, "add.u32", x, 1023)
	return p.calc(half, "and.b32", x, -1024)
}

// tile prints the first row, the first column and the batch of tile i. Neighbours along i have
// the same columns in Rows tiles of rows, and then the next columns.
func (t *tensor) tile(i string) (row, col, batch string) {
	tm, tn := t.Tiles()
	batch = t.calc(half, "mov.u32", 0)
	if t.Batches() > 1 {
		batch = t.calc(half, "div.u32", i, tm*tn)
		i = t.calc(half, "rem.u32", i, tm*tn)
	}
	rows := max(1, min(t.Rows, tm))
	q := t.calc(half, "div.u32", i, rows*tn)
	r := t.calc(half, "rem.u32", i, rows*tn)
	first := t.calc(half, "mul.lo.u32", q, rows)
	wide := t.calc(half, "sub.u32", tm, first)
	wide = t.calc(half, "min.u32", wide, rows)
	n := t.calc(half, "div.u32", r, wide)
	m := t.calc(half, "rem.u32", r, wide)
	m = t.calc(half, "add.u32", m, first)
	return t.calc(half, "mul.lo.u32", m, t.Tile[0]), t.calc(half, "mul.lo.u32", n, t.Tile[1]), batch
}

func (t *tensor) eachTile(body func(row, col, batch string)) {
	tm, tn := t.Tiles()
	i, step := t.calc(half, "mov.u32", "%ctaid.x"), t.calc(half, "mov.u32", "%nctaid.x")
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", i, tm*tn*t.Batches()) }, func() {
		body(t.tile(i))
		t.line("add.u32 %s, %s, %s", i, i, step)
	})
}

// storeRow prints the stores of sums in a row that starts at an address: two neighbours in
// each block of eight columns from col on, at the lane's place among four lanes.
func (t *tensor) storeRow(row, inside, col, lane string, sums []string) {
	first := t.calc(half, "mad.lo.u32", t.calc(half, "and.b32", lane, 3), 2, col)
	for b := 0; b < len(sums); b += 2 {
		t.store(row, t.calc(half, "add.u32", first, 4*b), inside, sums[b], sums[b+1])
	}
}

// store prints the stores of neighbouring sums in columns col and col+1 of a row that
// starts at an address.
func (t *tensor) store(row, col, inside, x, y string) {
	size := t.Out().Size()
	p := t.temp(predicate)
	stride := size
	if w := t.Windows; w != nil {
		stride *= w.Col.C
	}
	at := t.calc(full, "mad.wide.u32", col, stride, row)
	if t.pairs() {
		t.line("setp.lt.and.u32 %s, %s, %d, %s", p, col, t.N, inside)
		if t.Narrow {
			v := t.calc(half, "cvt.rn."+t.Kind.String()+"x2.f32", y, x)
			t.line("@%s st.global.b32 [%s], %s", p, at, v)
			return
		}
		t.line("@%s st.global.v2.f32 [%s], {%s, %s}", p, at, x, y)
		return
	}
	for i, v := range []string{x, y} {
		c := t.calc(half, "add.u32", col, i)
		t.line("setp.lt.and.u32 %s, %s, %d, %s", p, c, t.N, inside)
		place := t.calc(full, "add.u64", at, i*stride)
		if t.Narrow {
			w := t.calc(half, "cvt.rn."+t.Kind.String()+"x2.f32", v, v)
			t.line("@%s st.global.b16 [%s], %s", p, place, w)
			continue
		}
		t.line("@%s st.global.f32 [%s], %s", p, place, v)
	}
}

// pairs reports whether two neighbours of a row are stored at once.
func (t *tensor) pairs() bool {
	w := t.Windows
	if w == nil {
		return t.N%2 == 0
	}
	ok := w.Col.C == 1 && t.N%2 == 0 && w.Group.C%2 == 0 && w.First%2 == 0
	for _, d := range w.Rows {
		ok = ok && d.C%2 == 0
	}
	return ok
}

// rowAddress prints the address of column 0 of a row of C.
func (t *tensor) rowAddress(batch, row string) string {
	if t.Windows != nil {
		return t.windowAddress(batch, row)
	}
	at := t.calc(full, "mul.wide.u32", batch, t.M)
	r := t.calc(full, "cvt.u64.u32", row)
	at = t.calc(full, "add.u64", at, r)
	return t.calc(full, "mad.lo.u64", at, t.N*t.Out().Size(), "%base2")
}
