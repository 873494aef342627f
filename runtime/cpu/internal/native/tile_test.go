//go:build linux && amd64 && !purego

package native_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// matrix is elements of 4 or 8 bytes in memory between guard pages.
type matrix struct {
	mem  []byte
	size int
}

func (m matrix) get(i int) uint64 {
	if m.size == 4 {
		return uint64(binary.LittleEndian.Uint32(m.mem[4*i:]))
	}
	return binary.LittleEndian.Uint64(m.mem[8*i:])
}

func (m matrix) set(i int, v uint64) {
	if m.size == 4 {
		binary.LittleEndian.PutUint32(m.mem[4*i:], uint32(v))
	} else {
		binary.LittleEndian.PutUint64(m.mem[8*i:], v)
	}
}

func (m matrix) address() uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.mem)))) }

// fill draws numbers, some of them awkward.
func (m matrix) fill(r *rand.Rand, e amd64.TileElem, special bool) {
	for i := range len(m.mem) / m.size {
		x := r.NormFloat64()
		if special && r.IntN(20) == 0 {
			x = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e-40, 3e38}[r.IntN(7)]
		}
		switch e {
		case amd64.TileF32:
			m.set(i, uint64(math.Float32bits(float32(x))))
		case amd64.TileF64:
			m.set(i, math.Float64bits(x))
		default:
			m.set(i, r.Uint64())
		}
	}
}

// chain returns Σ a·b in the canonical order onto an earlier sum.
func chain(e amd64.TileElem, chunk, k int, a, b func(int) uint64, before uint64, final bool) uint64 {
	switch e {
	case amd64.TileF32:
		t := math.Float32frombits(uint32(before))
		for lo := 0; lo < k; lo += chunk {
			s := float32(0)
			for i := lo; i < min(lo+chunk, k); i++ {
				s = scalar.FMA32(math.Float32frombits(uint32(a(i))), math.Float32frombits(uint32(b(i))), s)
			}
			t += s
		}
		if t != t && final {
			return 0x7fc00000
		}
		return uint64(math.Float32bits(t))
	case amd64.TileF64:
		t := math.Float64frombits(before)
		for lo := 0; lo < k; lo += chunk {
			s := 0.0
			for i := lo; i < min(lo+chunk, k); i++ {
				s = math.FMA(math.Float64frombits(a(i)), math.Float64frombits(b(i)), s)
			}
			t += s
		}
		if t != t && final {
			return 0x7ff8000000000000
		}
		return math.Float64bits(t)
	}
	t := before
	for i := range k {
		if e == amd64.TileI16 {
			for s := 0; s < 32; s += 16 {
				t += uint64(int64(int16(a(i)>>s)) * int64(int16(b(i)>>s)))
			}
			continue
		}
		t += a(i) * b(i)
	}
	if e == amd64.TileI32 || e == amd64.TileI16 {
		t &= math.MaxUint32
	}
	return t
}

// load maps code and checks that no error occurs.
func load(t testing.TB, c *codegen.Code, err error) *native.Code {
	t.Helper()
	require.NoError(t, err)
	n, err := native.Load(c.Name, c.Bytes)
	require.NoError(t, err)
	return n
}

func invoke(t testing.TB, c *native.Code, args []uint64) {
	t.Helper()
	require.NoError(t, c.Guard(func() { c.Call(unsafe.Pointer(&args[0])) }))
}

// setMask writes a mask of n elements into the words of a tile's arguments.
func setMask(args []uint64, isa amd64.ISA, size, n int) {
	if isa == amd64.AVX512 {
		args[amd64.TileMask] = 1<<n - 1
		return
	}
	var b [32]byte
	for i := range n * size {
		b[i] = 0xff
	}
	for i := range 4 {
		args[amd64.TileMask+i] = binary.LittleEndian.Uint64(b[8*i:])
	}
}

// Tiles have the canonical order's bits and read and write nothing else.
func TestTile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 16))
	ga, gb, gc := newGuarded(t, 1<<18), newGuarded(t, 1<<20), newGuarded(t, 1<<18)
	for _, isa := range isas(t) {
		for _, e := range []amd64.TileElem{amd64.TileF32, amd64.TileF64, amd64.TileI32, amd64.TileI64, amd64.TileI16} {
			for vecs := 1; vecs < 32; vecs++ {
				tile := amd64.Tile{ISA: isa, Elem: e, Vecs: vecs, Chunk: []int{128, 256}[r.IntN(2)]}
				most := tile.MaxRows(vecs)
				for rows := 1; rows <= most; rows++ {
					tile.Rows, tile.Down = rows, r.IntN(2) == 0
					c, err := amd64.CompileTile(tile)
					code := load(t, c, err)
					for range 3 {
						checkTile(t, r, tile, code, ga, gb, gc)
					}
				}
			}
		}
	}
}

func checkTile(t *testing.T, r *rand.Rand, tile amd64.Tile, code *native.Code, ga, gb, gc *guarded) {
	size, lanes := tile.Elem.Size(), tile.Lanes()
	k := []int{1, 2, 3, 4, 5, 127, 128, 129, 255, 256, 257, 300}[r.IntN(12)]
	n := (tile.Vecs-1)*lanes + 1 + r.IntN(lanes) // columns of a tile
	ni, nj := 1+r.IntN(2), 1+r.IntN(2)
	m, cols := ni*tile.Rows, nj*n
	lda, ldb, ldc := k+r.IntN(3), cols+r.IntN(3), cols+r.IntN(3)
	if tile.Down {
		lda = m + r.IntN(3)
	}
	lenA := (m-1)*lda + k
	if tile.Down {
		lenA = (k-1)*lda + m
	}
	end := r.IntN(2) == 0
	a := matrix{ga.at(lenA*size, end), size}
	b := matrix{gb.at(((k-1)*ldb+cols)*size, end), size}
	c := matrix{gc.at(((m-1)*ldc+cols)*size, end), size}
	special := r.IntN(3) == 0
	a.fill(r, tile.Elem, special)
	b.fill(r, tile.Elem, special)
	c.fill(r, tile.Elem, special)
	args := make([]uint64, amd64.TileArgs)
	args[amd64.TileA], args[amd64.TileB], args[amd64.TileC] = a.address(), b.address(), c.address()
	args[amd64.TileLdA], args[amd64.TileLdB], args[amd64.TileLdC] = uint64(lda*size), uint64(ldb*size), uint64(ldc*size)
	args[amd64.TileK] = uint64(k)
	accumulate, final := r.IntN(2) == 0, r.IntN(2) == 0
	if accumulate {
		args[amd64.TileFlags] |= amd64.TileAccumulate
	}
	if final {
		args[amd64.TileFlags] |= amd64.TileFinal
	}
	setMask(args, tile.ISA, size, n-(tile.Vecs-1)*lanes)
	rowStep := lda
	if tile.Down {
		rowStep = 1
	}
	loops := [][4]int{{1}, {ni, tile.Rows * rowStep * size, 0, tile.Rows * ldc * size}, {nj, 0, n * size, n * size}}
	r.Shuffle(3, func(i, j int) { loops[i], loops[j] = loops[j], loops[i] })
	for i, l := range loops {
		for j, v := range l {
			args[amd64.TileLoops+4*i+j] = uint64(v)
		}
	}
	want := matrix{bytes.Clone(c.mem), size}
	for i := range m {
		for j := range cols {
			before := uint64(0)
			if accumulate {
				before = want.get(i*ldc + j)
			}
			want.set(i*ldc+j, chain(tile.Elem, tile.Chunk, k, func(x int) uint64 {
				if tile.Down {
					return a.get(x*lda + i)
				}
				return a.get(i*lda + x)
			}, func(x int) uint64 { return b.get(x*ldb + j) }, before, final))
		}
	}
	invoke(t, code, args)
	for i := range len(want.mem) / size {
		g, x := c.get(i), want.get(i)
		if g != x && (final || !bothNaN(tile.Elem, g, x)) {
			t.Fatalf("%v %v: k %d, m %d, n %d, accumulate %v: element %d: got %x, want %x", tile.ISA, tile, k, m, cols, accumulate, i, g, x)
		}
	}
}

func bothNaN(e amd64.TileElem, a, b uint64) bool {
	switch e {
	case amd64.TileF32:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return x != x && y != y
	case amd64.TileF64:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		return x != x && y != y
	}
	return false
}

// Transpositions in registers move every element and touch nothing else.
func TestTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 16))
	gs, gd := newGuarded(t, 1<<18), newGuarded(t, 1<<18)
	for _, isa := range isas(t) {
		for _, size := range []int{4, 8} {
			c, err := amd64.CompileTurn(amd64.Turn{ISA: isa, Size: size})
			code := load(t, c, err)
			for rows := 1; rows <= 40; rows++ {
				for cols := 1; cols <= 40; cols++ {
					lds, ldd := cols+r.IntN(3), rows+r.IntN(3)
					end := r.IntN(2) == 0
					s := matrix{gs.at(((rows-1)*lds+cols)*size, end), size}
					d := matrix{gd.at(((cols-1)*ldd+rows)*size, end), size}
					s.fill(r, amd64.TileI64, false)
					d.fill(r, amd64.TileI64, false)
					want := matrix{bytes.Clone(d.mem), size}
					for i := range rows {
						for j := range cols {
							want.set(j*ldd+i, s.get(i*lds+j))
						}
					}
					args := make([]uint64, amd64.TurnArgs)
					args[amd64.TurnSrc], args[amd64.TurnDst] = s.address(), d.address()
					args[amd64.TurnLdS], args[amd64.TurnLdD] = uint64(lds*size), uint64(ldd*size)
					args[amd64.TurnRows], args[amd64.TurnCols] = uint64(rows), uint64(cols)
					invoke(t, code, args)
					if !bytes.Equal(want.mem, d.mem) {
						t.Fatalf("%v, %d bytes, %d rows, %d columns: wrong elements", isa, size, rows, cols)
					}
				}
			}
		}
	}
}

func BenchmarkTile(b *testing.B) {
	isa := isas(b)[0]
	ga, gb, gc := newGuarded(b, 1<<22), newGuarded(b, 1<<22), newGuarded(b, 1<<22)
	for _, rv := range [][2]int{{6, 4}, {8, 3}, {12, 2}, {16, 1}} {
		tile := amd64.Tile{ISA: isa, Elem: amd64.TileF32, Rows: rv[0], Vecs: rv[1], Chunk: 128}
		c, err := amd64.CompileTile(tile)
		code := load(b, c, err)
		for _, n := range []int{64, 192, 384} {
			ni, nj := n/rv[0], n/(rv[1]*tile.Lanes())
			if nj == 0 {
				continue
			}
			args := make([]uint64, amd64.TileArgs)
			args[amd64.TileA], args[amd64.TileB], args[amd64.TileC] = matrix{ga.mem, 4}.address(), matrix{gb.mem, 4}.address(), matrix{gc.mem, 4}.address()
			ld := uint64(4 * n)
			args[amd64.TileLdA], args[amd64.TileLdB], args[amd64.TileLdC], args[amd64.TileK] = ld, ld, ld, uint64(n)
			setMask(args, isa, 4, tile.Lanes())
			for i, l := range [][4]int{{1}, {nj, 0, rv[1] * 64, rv[1] * 64}, {ni, rv[0] * n * 4, 0, rv[0] * n * 4}} {
				for j, v := range l {
					args[amd64.TileLoops+4*i+j] = uint64(v)
				}
			}
			b.Run(fmt.Sprintf("%v/%d", tile, n), func(b *testing.B) {
				flops := 2 * float64(ni*rv[0]) * float64(nj*rv[1]*tile.Lanes()) * float64(n)
				best := math.Inf(1) // other work on the machine lengthens the rest
				for range b.N {
					start := time.Now()
					code.Call(unsafe.Pointer(&args[0]))
					best = min(best, float64(time.Since(start).Nanoseconds()))
				}
				b.ReportMetric(flops/best, "GF/s")
			})
		}
	}
}
