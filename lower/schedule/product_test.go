package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
)

// product returns a product. The operands are row-major, unless left or right is set, which transposes
// the operand in memory.
func product(dt core.DType, m, k, n int, left, right bool) *fuse.Product {
	s := &fuse.Product{Type: dt, Chunk: 128, M: m, N: n, K: k, A: fuse.ProductView{Outer: k, K: 1}, B: fuse.ProductView{Outer: 1, K: n}}
	if left {
		s.A = fuse.ProductView{Outer: 1, K: m}
	}
	if right {
		s.B = fuse.ProductView{Outer: k, K: 1}
	}
	return s
}

// The shape of a product and the processor decide how it runs.
func TestProducts(t *testing.T) {
	f32, f64 := core.Float32, core.Float64
	for _, c := range []struct {
		name string
		m    Processor
		s    *fuse.Product
		want string
	}{
		{"one element", avx512, product(f32, 1, 1, 1, false, false), "tile 1×16, calls of 9000000×1 in 562432, items of 1×1: [1 1 1]"},
		{"small", avx512, product(f32, 8, 8, 8, false, false), "tile 8×16, calls of 140624×8 in 70272, items of 8×8: [1 1 1]"},
		{"small, AVX2", avx2, product(f32, 8, 8, 8, false, false), "tile 8×8, calls of 70312×8 in 70272, items of 8×8: [1 1 1]"},
		{"square", avx512, product(f32, 512, 512, 512, false, false), "tile 6×64, right copied, calls of 132×128 in 512, items of 512×128: [1 4 1]"},
		{"results in the second cache", avx512, product(f32, 256, 512, 512, false, false), "tile 6×64, right copied, calls of 132×512 in 128, items of 256×512: [1 1 1]"},
		{"square, AVX2", avx2, product(f32, 512, 512, 512, false, false), "tile 6×16, right copied, calls of 66×128 in 512, items of 512×128: [1 4 1]"},
		{"square, WebAssembly", simd128, product(f32, 512, 512, 512, false, false), "tile 3×12, right copied, calls of 33×120 in 640, items of 512×120: [1 5 1]"},
		{"square on four threads", avx512.On(4), product(f32, 512, 512, 512, false, false), "tile 6×64, right copied, calls of 270×64 in 512, items of 258×64: [1 8 2]"},
		{"f64", avx512, product(f64, 512, 512, 512, false, false), "tile 6×32, right copied, calls of 132×128 in 256, items of 512×128: [1 4 1]"},
		{"i32", avx512, product(core.Int32, 512, 512, 512, false, false), "tile 6×64, right copied, calls of 30×128 in 512, items of 512×128: [1 4 1]"},
		{"columns of the left operand", avx512, product(f32, 512, 512, 512, true, false), "tile 6×64, left copied, right copied, calls of 132×128 in 512, items of 512×128: [1 4 1]"},
		{"rows of the right operand", avx512, product(f32, 512, 512, 512, false, true), "tile 6×64, right transposed, calls of 132×128 in 512, items of 512×128: [1 4 1]"},
		{"a row times a small matrix", avx512, product(f32, 1, 64, 64, false, false), "tile 1×64, calls of 2197×64 in 140544, items of 1×64: [1 1 1]"},
		{"a row times a matrix from memory", avx512, product(f32, 1, 4096, 4096, false, false), "sweep, calls of 8×4096 in 128, items of 1×4096: [1 1 1]"},
		{"… on four threads", avx512.On(4), product(f32, 1, 4096, 4096, false, false), "sweep, calls of 8×512 in 128, items of 1×512: [1 8 1]"},
		{"a matrix times a vector", avx512, product(f32, 4096, 4096, 1, false, false), "rows as lanes, calls of 192×4096 in 24576, items of 4096×4096: [1 1 1]"},
		{"a transposed matrix times a vector", avx512, product(f32, 4096, 4096, 1, true, false), "sweep, swapped, calls of 8×4096 in 128, items of 1×4096: [1 1 1]"},
		{"two vectors", avx512, product(f32, 1, 1<<20, 1, false, false), "dots of 2048, calls of 32×1 in 24576, items of 1×1: [1 1 1]"},
		{"four vectors times a matrix's rows", avx512, product(f32, 4, 512, 512, false, true), "rows as lanes, calls of 1536×512 in 24576, items of 512×512: [1 1 1]"},
	} {
		p := ProductOf(c.s, c.m)
		if got := summary(p); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// summary returns what was decided about a product.
func summary(p *Product) string {
	s := fmt.Sprintf("tile %d×%d", p.Rows, p.Width())
	switch {
	case p.Long > 0:
		s = fmt.Sprintf("dots of %d", p.Long)
	case p.Few:
		s = "rows as lanes"
	case p.Sweep:
		s = "sweep"
	}
	if p.Swapped {
		s += ", swapped"
	}
	if p.Left.Bytes > 0 {
		s += ", left copied"
	}
	s += [...]string{"", ", right copied", ", right transposed"}[p.Pack]
	return s + fmt.Sprintf(", calls of %d×%d in %d, items of %d×%d: %v", p.Calls, p.Panel, p.Deep, p.Block, p.Panel, p.Items)
}

// randomProduct draws a product.
func randomProduct(r *rand.Rand) *fuse.Product {
	size := func() int {
		switch r.IntN(4) {
		case 0:
			return 1
		case 1:
			return 1 + r.IntN(40)
		case 2:
			return 1 << r.IntN(13)
		}
		return 1 + r.IntN(5000)
	}
	types := []core.DType{core.Float32, core.Float64, core.Int32, core.Uint64, core.Uint8}
	s := product(types[r.IntN(len(types))], size(), size(), size(), r.IntN(2) == 0, r.IntN(2) == 0)
	if s.Type == core.Uint8 {
		s.Type, s.Tensor, s.Pairs = core.Int32, core.Uint8, true
	}
	for range r.IntN(3) {
		s.Batch = append(s.Batch, fuse.ProductAxis{N: 1 + r.IntN(40), A: s.M * s.K, B: r.IntN(2) * s.N * s.K})
	}
	return s
}

// Items cover a product once, tiles have room in the registers, chains are whole, and no call
// takes much more time than it may.
func TestProductsCover(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 33))
	matrices := 0
	for range 5000 {
		s := randomProduct(r)
		m := []Processor{avx2, avx512, amx}[r.IntN(3)].On([]int{1, 2, 16}[r.IntN(3)])
		p := ProductOf(s, m)
		rows, columns := p.M, p.N
		if p.Few {
			rows, columns = max(p.M, p.N), max(p.M, p.N)
			if !p.RowsA {
				rows, columns = p.N, p.N
			}
		}
		for i, c := range [3]struct{ all, each int }{{p.Batches, p.Each}, {columns, p.Panel}, {rows, p.Block}} {
			if n := p.Items[i]; c.each < 1 || n*c.each < c.all || (n-1)*c.each >= c.all {
				t.Fatalf("%v on %+v: %d items of %d for %d", s, m, n, c.each, c.all)
			}
		}
		if p.Deep < 1 || p.Deep%p.Chunk != 0 && p.Deep < p.K {
			t.Fatalf("%v on %+v: calls of %d contracted elements cut chains of %d", s, m, p.Deep, p.Chunk)
		}
		if p.Few {
			continue
		}
		if p.Rows < 1 || p.Rows > p.M || p.Rows > m.TileRows(p.Elem, p.Vecs) {
			t.Fatalf("%v on %+v: a tile of %d rows and %d vectors, at most %d rows", s, m, p.Rows, p.Vecs, m.TileRows(p.Elem, p.Vecs))
		}
		if p.Elem == ByteMatrix {
			if p.Deep%MatrixSide != 0 && p.Deep < p.K {
				t.Fatalf("%v on %+v: calls of %d words cut matrices", s, m, p.Deep)
			}
			matrices++
		}
		work := float64(p.Calls) * float64(min(p.Panel, p.N)) * float64(min(p.Deep, p.K))
		if p.Calls > p.Rows && !p.Sweep && work > 1.01*p.callWork() {
			t.Fatalf("%v on %+v: calls of %v multiplications, want at most %v", s, m, work, p.callWork())
		}
	}
	if matrices < 50 {
		t.Errorf("%d products of matrices of bytes, want 50", matrices)
	}
}

// Tiles of matrices request nothing ahead, also where one row is left and the right operand is read from memory.
func TestTilesOfMatrices(t *testing.T) {
	s := product(core.Int32, 33, 256, 600, false, false)
	s.Tensor, s.Pairs = core.Uint8, true
	tiles := ProductOf(s, amx).Tiles()
	if got := tiles[RestRows][0]; got.Rows != 1 || got.Ahead != 0 {
		t.Errorf("got %+v", got)
	}
}

// A plan has no products without elements.
func TestEmptyProducts(t *testing.T) {
	for _, s := range []*fuse.Product{product(core.Float32, 0, 3, 3, false, false), product(core.Float32, 3, 0, 3, false, false), product(core.Float32, 3, 3, 0, false, false)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: got a plan, want a panic", s)
				}
			}()
			ProductOf(s, avx2)
		}()
	}
}

// Rows that are left are shared between two tiles where they would wait for their own sums.
func TestHalfTiles(t *testing.T) {
	for m, want := range map[int][3]int{12: {6}, 14: {6, 2, 4}, 56: {6, 2, 4}, 16: {6, 4}, 13: {6, 1}, 2: {2}} {
		s := &fuse.Product{Type: core.Float32, Chunk: 128, M: m, N: 64, K: 300, A: fuse.ProductView{Outer: 300, K: 1}, B: fuse.ProductView{Outer: 1, K: 64}}
		var got [3]int
		for i, tile := range ProductWith(s, avx2, Choices{Rows: min(m, 6), Vecs: 2}).Tiles() {
			got[i] = tile[0].Rows
		}
		if got != want {
			t.Errorf("%d rows: got tiles of %v rows, want %v", m, got, want)
		}
	}
}

// Copied rows do not lie apart by pages, and a cache line is free after each.
func TestApart(t *testing.T) {
	for n := range 20_000 {
		if row := apart(n); row%64 != 0 || row%4096 == 0 || row < n+64 || row >= n+3*64 {
			t.Fatalf("rows of %d bytes lie apart by %d", n, row)
		}
	}
}
