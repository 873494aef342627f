//go:build ((linux && (amd64 || arm64)) || js) && !purego

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

	"github.com/weft-go/weft/internal/test/race"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
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
func (m matrix) fill(r *rand.Rand, e schedule.Element, special bool) {
	for i := range len(m.mem) / m.size {
		x := r.NormFloat64()
		if special && r.IntN(20) == 0 {
			x = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e-40, 3e38}[r.IntN(7)]
		}
		switch e {
		case schedule.F32:
			m.set(i, uint64(math.Float32bits(float32(x))))
		case schedule.F64:
			m.set(i, math.Float64bits(x))
		default:
			if bits := r.Uint64(); special && r.IntN(4) == 0 {
				m.set(i, 0x8000_8000_8000_8000) // two products of least numbers have the sum 2³¹
			} else if special && r.IntN(4) == 0 {
				m.set(i, [2]uint64{0xffff_ffff_ffff_ffff, 0x8080_8080_8080_8080}[r.IntN(2)]) // the extremes of bytes
			} else {
				m.set(i, bits)
			}
		}
	}
}

// shorten fills with f32 of 10 bits between 2^e/2 and 2^e·2, and zeros: sums of their products lie in the middle of two
// f32. e may depend on the element.
func (m matrix) shorten(r *rand.Rand, e func(i int) int) {
	for i := range len(m.mem) / 4 {
		x := math.Ldexp(float64(512+r.IntN(512)), e(i)-9-r.IntN(2)) * float64(r.IntN(3)-1)
		m.set(i, uint64(math.Float32bits(float32(x))))
	}
}

// chain returns Σ a·b in the canonical order onto an earlier sum.
func chain(e schedule.Element, chunk, k int, a, b func(int) uint64, before uint64, final bool) uint64 {
	switch e {
	case schedule.F32:
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
	case schedule.F64:
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
		if e == schedule.I16Pair || e == schedule.I16Dot {
			for s := 0; s < 32; s += 16 {
				t += uint64(int64(int16(a(i)>>s)) * int64(int16(b(i)>>s)))
			}
			continue
		}
		if e >= schedule.ByteDot {
			for s := 0; s < 32; s += 8 {
				t += uint64(int64(uint8(a(i)>>s)) * int64(int8(b(i)>>s)))
			}
			continue
		}
		t += a(i) * b(i)
	}
	if e != schedule.I64 {
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

// loadMicro compiles and maps a micro-kernel.
func loadMicro(t testing.TB, k codegen.MicroKernel, isa codegen.ISA) *native.Code {
	t.Helper()
	c, err := codegen.CompileMicro(k, isa)
	return load(t, c, err)
}

func invokeMicro[A any](t testing.TB, c *native.Code, args *A) {
	t.Helper()
	require.NoError(t, c.Guard(func() { c.Call(unsafe.Pointer(args)) }))
}

// Tiles have the canonical order's bits and read and write nothing else.
func TestTile(t *testing.T) {
	race.Values(t)
	r := rand.New(rand.NewPCG(1, 16))
	ga, gb, gc := newGuarded(t, 1<<18), newGuarded(t, 1<<21), newGuarded(t, 1<<18)
	for _, isa := range targets(t) {
		elements := []schedule.Element{schedule.F32, schedule.F64, schedule.I32, schedule.I64, schedule.I16Pair}
		if isa.Model().Pairs && native.CPU().VNNI {
			elements = append(elements, schedule.I16Dot, schedule.ByteDot)
		}
		if isa.Model().MatrixShape != nil && native.Matrices() {
			elements = append(elements, schedule.ByteMatrix)
		}
		for _, e := range elements {
			for vecs := 1; vecs < 32; vecs++ {
				tile := codegen.Tile{Elem: e, Vecs: vecs, Chunk: []int{128, 256}[r.IntN(2)]}
				most := isa.Model().Processor.TileRows(e, vecs)
				for rows := 1; rows <= most; rows++ {
					tile.Rows, tile.Down, tile.Whole, tile.Ahead, tile.Beside = rows, r.IntN(2) == 0, r.IntN(2) == 0, 0, rows > 1 && r.IntN(2) == 0
					switch {
					case e == schedule.ByteMatrix:
						tile.Down, tile.Beside = false, false
					case rows == 1 && e.Fused():
						tile.Ahead = 8 * r.IntN(2)
					}
					code := loadMicro(t, tile, isa)
					for range 3 {
						checkTile(t, r, tile, isa.Model(), code, ga, gb, gc)
					}
				}
			}
		}
	}
}

func checkTile(t *testing.T, r *rand.Rand, tile codegen.Tile, m *codegen.Model, code *native.Code, ga, gb, gc *guarded) {
	size := tile.Elem.Size()
	lanes := m.VectorBytes / size
	k := []int{1, 2, 3, 4, 5, 127, 128, 129, 255, 256, 257, 300}[r.IntN(12)]
	if side := schedule.MatrixSide; tile.Elem == schedule.ByteMatrix && k > side {
		k -= k % side
	}
	n := (tile.Vecs-1)*lanes + 1 + r.IntN(lanes) // columns of a tile
	if tile.Whole {
		n = tile.Vecs * lanes
	}
	ni, nj := 1+r.IntN(2), 1+r.IntN(2)
	rows, cols := ni*tile.Rows, nj*n
	lda, ldb, ldc := k+r.IntN(3), cols+r.IntN(3), cols+r.IntN(3)
	if tile.Down {
		lda = rows + r.IntN(3)
	}
	lenA := (rows-1)*lda + k
	if tile.Down {
		lenA = (k-1)*lda + rows
	}
	end := r.IntN(2) == 0
	a := matrix{ga.at(lenA*size, end), size}
	b := matrix{gb.at(((k-1)*ldb+cols)*size, end), size}
	c := matrix{gc.at(((rows-1)*ldc+cols)*size, end), size}
	special := r.IntN(3) == 0
	a.fill(r, tile.Elem, special)
	b.fill(r, tile.Elem, special)
	c.fill(r, tile.Elem, special)
	if tile.Elem == schedule.F32 && r.IntN(2) == 0 {
		// In one row of A or one column of B the products may be too small or too large for f32.
		near, far := -50, []int{-50, -95}[r.IntN(2)]
		if r.IntN(2) == 0 {
			near, far = -1-near, -1-far
		}
		one, ld, of, other := r.IntN(rows), lda, a, b
		if tile.Down {
			one *= -1
		}
		if r.IntN(2) == 0 {
			one, ld, of, other = -r.IntN(cols), ldb, b, a
		}
		of.shorten(r, func(i int) int {
			if one > 0 && i/ld == one || one <= 0 && i%ld == -one {
				return far
			}
			return near
		})
		other.shorten(r, func(int) int { return near })
	}
	args := &codegen.TileArgs{A: a.address(), B: b.address(), C: c.address(), LdA: uint64(lda * size), LdB: uint64(ldb * size), LdC: uint64(ldc * size), K: uint64(k),
		Mask: m.LaneMask(size, n-(tile.Vecs-1)*lanes)}
	if tile.Elem == schedule.ByteMatrix {
		args.SetMatrices(m, tile.Rows, n, min(k, schedule.MatrixSide))
	}
	accumulate, final := r.IntN(2) == 0, r.IntN(2) == 0
	if accumulate {
		args.Flags |= codegen.Accumulate
	}
	if final {
		args.Flags |= codegen.Final
	}
	rowStep := lda
	if tile.Down {
		rowStep = 1
	}
	l := &args.Loops
	*l = [3]codegen.TileLoop{{Count: 1}, {Count: uint64(ni), A: uint64(tile.Rows * rowStep * size), C: uint64(tile.Rows * ldc * size)},
		{Count: uint64(nj), B: uint64(n * size), C: uint64(n * size)}}
	r.Shuffle(3, func(i, j int) { l[i], l[j] = l[j], l[i] })
	want := matrix{bytes.Clone(c.mem), size}
	for i := range rows {
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
	invokeMicro(t, code, args)
	for i := range len(want.mem) / size {
		g, x := c.get(i), want.get(i)
		if g != x && (final || !bothNaN(tile.Elem, g, x)) {
			t.Fatalf("%s: k %d, m %d, n %d, accumulate %v: element %d: got %x, want %x", code.Name(), k, rows, cols, accumulate, i, g, x)
		}
	}
}

func bothNaN(e schedule.Element, a, b uint64) bool {
	switch e {
	case schedule.F32:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return x != x && y != y
	case schedule.F64:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		return x != x && y != y
	}
	return false
}

// Transpositions in registers move every element and touch nothing else.
func TestTranspose(t *testing.T) {
	race.Values(t)
	r := rand.New(rand.NewPCG(2, 16))
	gs, gd := newGuarded(t, 1<<18), newGuarded(t, 1<<18)
	for _, isa := range targets(t) {
		for _, size := range []int{4, 8} {
			code := loadMicro(t, codegen.Transpose{Size: size}, isa)
			for rows := 1; rows <= 40; rows++ {
				for cols := 1; cols <= 40; cols++ {
					lds, ldd := cols+r.IntN(3), rows+r.IntN(3)
					end := r.IntN(2) == 0
					s := matrix{gs.at(((rows-1)*lds+cols)*size, end), size}
					d := matrix{gd.at(((cols-1)*ldd+rows)*size, end), size}
					s.fill(r, schedule.I64, false)
					d.fill(r, schedule.I64, false)
					want := matrix{bytes.Clone(d.mem), size}
					for i := range rows {
						for j := range cols {
							want.set(j*ldd+i, s.get(i*lds+j))
						}
					}
					invokeMicro(t, code, &codegen.TransposeArgs{Src: s.address(), Dst: d.address(), LdS: uint64(lds * size), LdD: uint64(ldd * size),
						Rows: uint64(rows), Cols: uint64(cols)})
					if !bytes.Equal(want.mem, d.mem) {
						t.Fatalf("%v, %d bytes, %d rows, %d columns: wrong elements", isa, size, rows, cols)
					}
				}
			}
		}
	}
}

func BenchmarkTile(b *testing.B) {
	isa := targets(b)[0]
	ga, gb, gc := newGuarded(b, 1<<22), newGuarded(b, 1<<22), newGuarded(b, 1<<22)
	for _, rv := range [][2]int{{6, 4}, {8, 3}, {12, 2}, {14, 2}, {16, 1}} {
		tile := codegen.Tile{Elem: schedule.F32, Rows: rv[0], Vecs: rv[1], Chunk: 128, Whole: true}
		code := loadMicro(b, tile, isa)
		bytes := rv[1] * isa.Model().VectorBytes // of a tile's columns
		for _, n := range []int{64, 192, 384} {
			ni, nj := n/rv[0], n*4/bytes
			if nj == 0 {
				continue
			}
			ld := uint64(4 * n)
			args := &codegen.TileArgs{A: matrix{ga.mem, 4}.address(), B: matrix{gb.mem, 4}.address(), C: matrix{gc.mem, 4}.address(),
				LdA: ld, LdB: ld, LdC: ld, K: uint64(n), Mask: isa.Model().LaneMask(4, isa.Model().VectorBytes/4),
				Loops: [3]codegen.TileLoop{{Count: 1}, {Count: uint64(nj), B: uint64(bytes), C: uint64(bytes)},
					{Count: uint64(ni), A: uint64(rv[0] * n * 4), C: uint64(rv[0] * n * 4)}}}
			b.Run(fmt.Sprintf("%s/%d", code.Name(), n), func(b *testing.B) {
				flops := 2 * float64(ni*rv[0]) * float64(nj*bytes/4) * float64(n)
				best := math.Inf(1) // other work on the machine lengthens the rest
				for range b.N {
					start := time.Now()
					code.Call(unsafe.Pointer(args))
					best = min(best, float64(time.Since(start).Nanoseconds()))
				}
				b.ReportMetric(flops/best, "GF/s")
			})
		}
	}
}
