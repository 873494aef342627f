//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/race"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// Products of rows have the canonical order's bits and touch nothing else.
func TestRowDots(t *testing.T) {
	race.Values(t)
	r := rand.New(rand.NewPCG(3, 16))
	gw, gx, gy := newGuarded(t, 1<<19), newGuarded(t, 1<<18), newGuarded(t, 1<<18)
	for _, isa := range targets(t) {
		for _, e := range []schedule.Element{schedule.F32, schedule.F64} {
			for vecs := 1; vecs <= 4; vecs++ {
				for _, twice := range []bool{false, true} {
					if twice && vecs > 2 {
						continue
					}
					d := codegen.RowDots{Elem: e, Vecs: vecs, Twice: twice, Chunk: 128}
					code := loadMicro(t, d, isa)
					for rows := 1; rows <= 70; rows++ {
						checkRows(t, r, d, code, rows, gw, gx, gy)
					}
				}
			}
		}
	}
}

func checkRows(t *testing.T, r *rand.Rand, d codegen.RowDots, code *native.Code, rows int, gw, gx, gy *guarded) {
	size := d.Elem.Size()
	k := 1 + r.IntN(70)
	if r.IntN(3) == 0 {
		k = []int{127, 128, 129, 255, 256, 257, 300, 640}[r.IntN(8)]
	}
	ldw, ldx, ldy := k+r.IntN(3), k+r.IntN(3), rows+r.IntN(3)
	end := r.IntN(2) == 0
	w := matrix{gw.at(((rows-1)*ldw+k)*size, end), size}
	x := matrix{gx.at(((d.Vecs-1)*ldx+k)*size, end), size}
	y := matrix{gy.at(((d.Vecs-1)*ldy+rows)*size, end), size}
	special := r.IntN(3) == 0
	w.fill(r, d.Elem, special)
	x.fill(r, d.Elem, special)
	y.fill(r, d.Elem, special)
	flags := uint64(r.IntN(4))
	args := &codegen.RowDotsArgs{W: w.address(), X: x.address(), Y: y.address(), LdW: uint64(ldw * size), LdX: uint64(ldx * size), LdY: uint64(ldy * size),
		Count: uint64(rows), K: uint64(k), Flags: flags}
	want := matrix{bytes.Clone(y.mem), size}
	for j := range d.Vecs {
		for i := range rows {
			before := uint64(0)
			if flags&codegen.Accumulate != 0 {
				before = want.get(j*ldy + i)
			}
			want.set(j*ldy+i, chain(d.Elem, d.Chunk, k, func(c int) uint64 { return w.get(i*ldw + c) }, func(c int) uint64 { return x.get(j*ldx + c) },
				before, flags&codegen.Final != 0))
		}
	}
	invokeMicro(t, code, args)
	for i := range len(want.mem) / size {
		g, v := y.get(i), want.get(i)
		if g != v && (flags&codegen.Final != 0 || !bothNaN(d.Elem, g, v)) {
			t.Fatalf("%s: k %d, %d rows, flags %d: element %d: got %x, want %x", code.Name(), k, rows, flags, i, g, v)
		}
	}
}

// Products of long vectors have the canonical order's bits and touch nothing else.
func TestLongDot(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 16))
	gw, gx, gy := newGuarded(t, 1<<18), newGuarded(t, 1<<18), newGuarded(t, 1<<12)
	for _, isa := range targets(t) {
		for _, e := range []schedule.Element{schedule.F32, schedule.F64} {
			d := codegen.LongDot{Elem: e, Chunk: 128}
			code := loadMicro(t, d, isa)
			group := d.Chunk * isa.Model().VectorBytes / e.Size()
			for i := range 60 {
				size, n := e.Size(), 1+r.IntN(5)
				w := matrix{gw.at(n*group*size, i%2 == 0), size}
				x := matrix{gx.at(n*group*size, r.IntN(2) == 0), size}
				y := matrix{gy.at(size, r.IntN(2) == 0), size}
				special := r.IntN(3) == 0
				w.fill(r, e, special)
				x.fill(r, e, special)
				y.fill(r, e, special)
				flags, before := uint64(i/4%4), uint64(0)
				if flags&codegen.Accumulate != 0 {
					before = y.get(0)
				}
				want := chain(e, d.Chunk, n*group, w.get, x.get, before, flags&codegen.Final != 0)
				invokeMicro(t, code, &codegen.LongDotArgs{W: w.address(), X: x.address(), Y: y.address(), Count: uint64(n), Flags: flags})
				if got := y.get(0); got != want && (flags&codegen.Final != 0 || !bothNaN(e, got, want)) {
					t.Fatalf("%v %v: %d groups, flags %d: got %x, want %x", isa, d, n, flags, got, want)
				}
			}
		}
	}
}

// Copies of rows move every element and touch nothing else.
func TestRowCopy(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 16))
	gs, gd := newGuarded(t, 1<<18), newGuarded(t, 1<<18)
	for _, isa := range targets(t) {
		for _, size := range []int{4, 8} {
			code := loadMicro(t, codegen.RowCopy{Size: size}, isa)
			for cols := 1; cols <= 70; cols++ {
				rows := 1 + r.IntN(5)
				lds, ldd := cols+r.IntN(3), cols+r.IntN(3)
				end := r.IntN(2) == 0
				s := matrix{gs.at(((rows-1)*lds+cols)*size, end), size}
				d := matrix{gd.at(((rows-1)*ldd+cols)*size, end), size}
				s.fill(r, schedule.I64, false)
				d.fill(r, schedule.I64, false)
				want := matrix{bytes.Clone(d.mem), size}
				for i := range rows {
					for j := range cols {
						want.set(i*ldd+j, s.get(i*lds+j))
					}
				}
				invokeMicro(t, code, &codegen.RowCopyArgs{Src: s.address(), Dst: d.address(), LdS: uint64(lds * size), LdD: uint64(ldd * size),
					Rows: uint64(rows), Cols: uint64(cols)})
				if !bytes.Equal(want.mem, d.mem) {
					t.Fatalf("%v, %d bytes, %d rows, %d columns: wrong elements", isa, size, rows, cols)
				}
			}
		}
	}
}
