//go:build linux && amd64 && !purego

package native_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// Products of rows have the canonical order's bits and touch nothing else.
func TestRowDots(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 16))
	gw, gx, gy := newGuarded(t, 1<<19), newGuarded(t, 1<<18), newGuarded(t, 1<<18)
	for _, isa := range isas(t) {
		for _, e := range []amd64.TileElem{amd64.TileF32, amd64.TileF64} {
			for vecs := 1; vecs <= 4; vecs++ {
				for _, twice := range []bool{false, true} {
					if twice && vecs > 2 {
						continue
					}
					d := amd64.RowDots{ISA: isa, Elem: e, Vecs: vecs, Twice: twice, Chunk: 128}
					c, err := amd64.CompileRowDots(d)
					code := load(t, c, err)
					for rows := 1; rows <= 70; rows++ {
						checkRows(t, r, d, code, rows, gw, gx, gy)
					}
				}
			}
		}
	}
}

func checkRows(t *testing.T, r *rand.Rand, d amd64.RowDots, code *native.Code, rows int, gw, gx, gy *guarded) {
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
	args := make([]uint64, amd64.RowsArgs)
	args[amd64.RowsW], args[amd64.RowsX], args[amd64.RowsY] = w.address(), x.address(), y.address()
	args[amd64.RowsLdW], args[amd64.RowsLdX], args[amd64.RowsLdY] = uint64(ldw*size), uint64(ldx*size), uint64(ldy*size)
	args[amd64.RowsCount], args[amd64.RowsK], args[amd64.RowsFlags] = uint64(rows), uint64(k), flags
	want := matrix{bytes.Clone(y.mem), size}
	for j := range d.Vecs {
		for i := range rows {
			before := uint64(0)
			if flags&amd64.TileAccumulate != 0 {
				before = want.get(j*ldy + i)
			}
			want.set(j*ldy+i, chain(d.Elem, d.Chunk, k, func(c int) uint64 { return w.get(i*ldw + c) }, func(c int) uint64 { return x.get(j*ldx + c) },
				before, flags&amd64.TileFinal != 0))
		}
	}
	invoke(t, code, args)
	for i := range len(want.mem) / size {
		g, v := y.get(i), want.get(i)
		if g != v && (flags&amd64.TileFinal != 0 || !bothNaN(d.Elem, g, v)) {
			t.Fatalf("%v %v: k %d, %d rows, flags %d: element %d: got %x, want %x", d.ISA, d, k, rows, flags, i, g, v)
		}
	}
}

// Products of long vectors have the canonical order's bits and touch nothing else.
func TestLongDot(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 16))
	gw, gx, gy := newGuarded(t, 1<<18), newGuarded(t, 1<<18), newGuarded(t, 1<<12)
	for _, isa := range isas(t) {
		for _, e := range []amd64.TileElem{amd64.TileF32, amd64.TileF64} {
			d := amd64.LongDot{ISA: isa, Elem: e, Chunk: 128}
			c, err := amd64.CompileLongDot(d)
			code := load(t, c, err)
			for i := range 60 {
				size, n := e.Size(), 1+r.IntN(5)
				w := matrix{gw.at(n*d.Group()*size, i%2 == 0), size}
				x := matrix{gx.at(n*d.Group()*size, r.IntN(2) == 0), size}
				y := matrix{gy.at(size, r.IntN(2) == 0), size}
				special := r.IntN(3) == 0
				w.fill(r, e, special)
				x.fill(r, e, special)
				y.fill(r, e, special)
				flags, before := uint64(i/4%4), uint64(0)
				if flags&amd64.TileAccumulate != 0 {
					before = y.get(0)
				}
				want := chain(e, d.Chunk, n*d.Group(), w.get, x.get, before, flags&amd64.TileFinal != 0)
				args := make([]uint64, amd64.LongArgs)
				args[amd64.LongW], args[amd64.LongX], args[amd64.LongY] = w.address(), x.address(), y.address()
				args[amd64.LongCount], args[amd64.LongFlags] = uint64(n), flags
				invoke(t, code, args)
				if got := y.get(0); got != want && (flags&amd64.TileFinal != 0 || !bothNaN(e, got, want)) {
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
	for _, isa := range isas(t) {
		for _, size := range []int{4, 8} {
			c, err := amd64.CompileRowCopy(amd64.RowCopy{ISA: isa, Size: size})
			code := load(t, c, err)
			for cols := 1; cols <= 70; cols++ {
				rows := 1 + r.IntN(5)
				lds, ldd := cols+r.IntN(3), cols+r.IntN(3)
				end := r.IntN(2) == 0
				s := matrix{gs.at(((rows-1)*lds+cols)*size, end), size}
				d := matrix{gd.at(((rows-1)*ldd+cols)*size, end), size}
				s.fill(r, amd64.TileI64, false)
				d.fill(r, amd64.TileI64, false)
				want := matrix{bytes.Clone(d.mem), size}
				for i := range rows {
					for j := range cols {
						want.set(i*ldd+j, s.get(i*lds+j))
					}
				}
				args := make([]uint64, amd64.CopyArgs)
				args[amd64.CopySrc], args[amd64.CopyDst] = s.address(), d.address()
				args[amd64.CopyLdS], args[amd64.CopyLdD] = uint64(lds*size), uint64(ldd*size)
				args[amd64.CopyRows], args[amd64.CopyCols] = uint64(rows), uint64(cols)
				invoke(t, code, args)
				if !bytes.Equal(want.mem, d.mem) {
					t.Fatalf("%v, %d bytes, %d rows, %d columns: wrong elements", isa, size, rows, cols)
				}
			}
		}
	}
}
