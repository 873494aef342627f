package amd64_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/scalar"
)

// gatherRows returns a kernel that copies n of an array's rows of 64 numbers. Their indices are
// doubled some times.
func gatherRows(rows, n int64, doublings int) *ir.Kernel {
	b := ir.NewBuilder("rows")
	x := b.Buffer("x", ir.In, scalar.F32, ir.Const(64*rows))
	at := b.Buffer("at", ir.In, scalar.I64, ir.Const(n))
	out := b.Buffer("out", ir.Out, scalar.F32, ir.Const(64*n))
	row := b.Grid(ir.Const(n))
	r := b.Load(ir.Access{Buffer: at, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(n), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef}}})
	for range doublings {
		r = b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.I64, Args: [3]ir.Ref{r, r, ir.NoRef}})
	}
	b.Vector(ir.Const(64), nil, func(i ir.Axis) {
		in := ir.Coord{Stride: ir.Const(1), Bound: ir.Const(64), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}
		to := ir.Coord{Stride: ir.Const(64), Bound: ir.Const(n), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef}
		from := ir.Coord{Stride: ir.Const(64), Bound: ir.Const(rows), Mode: ir.Clamp, Value: r}
		b.Store(ir.Access{Buffer: out, Coords: []ir.Coord{to, in}}, b.Load(ir.Access{Buffer: x, Coords: []ir.Coord{from, in}}))
	})
	return b.Finish()
}

// Rows that an index chooses are copied by loops that only load and store: the address of
// a row is computed in front of its loop.
func TestUniformAddresses(t *testing.T) {
	k := gatherRows(10, 5, 0)
	for _, isa := range []amd64.ISA{amd64.AVX2, amd64.AVX512} {
		c, err := native.Compile(k, native.Options{ISA: isa, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		_, loop, ok := strings.Cut(c.Listing, "; %1 = load")
		if !ok {
			t.Fatalf("%v: no load in the listing:\n%s", isa, c.Listing)
		}
		loop, _, _ = strings.Cut(loop, "jl ")
		if strings.Contains(loop, "cmov") || strings.Contains(loop, "shl") {
			t.Errorf("%v: the loop computes the row's address:\n%s", isa, loop)
		}
	}
}

// The lines of later rows are requested where many rows of a large array are read and few
// operations compute their indices. An index that uses each value twice has 2ⁿ paths.
func TestRequestRows(t *testing.T) {
	for _, c := range []struct {
		rows, n         int64
		doublings, want int
	}{{10, 5, 0, 0}, {10, 5000, 0, 0}, {5000, 5, 0, 0}, {5000, 5000, 0, 4}, {5000, 5000, 15, 4}, {5000, 5000, 16, 0}, {5000, 5000, 64, 0}} {
		for _, isa := range []amd64.ISA{amd64.AVX2, amd64.AVX512} {
			code, err := native.Compile(gatherRows(c.rows, c.n, c.doublings), native.Options{ISA: isa, Listing: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(code.Listing, "prefetcht0"); got != c.want {
				t.Errorf("%v: %d rows of %d, %d doublings: got %d requests, want %d:\n%s", isa, c.n, c.rows, c.doublings, got, c.want, code.Listing)
			}
		}
	}
}

// The lines behind the last of several loads of a large array are requested.
func TestRequestBeyondWindows(t *testing.T) {
	taps := func(n int64, taps int) *ir.Kernel {
		b := ir.NewBuilder("taps")
		x := b.Buffer("x", ir.In, scalar.F32, ir.Const(64*(n+8)))
		out := b.Buffer("out", ir.Out, scalar.F32, ir.Const(64*n))
		row := b.Grid(ir.Const(n))
		b.Vector(ir.Const(64), nil, func(i ir.Axis) {
			at := func(n, base int64) []ir.Coord {
				return []ir.Coord{{Stride: ir.Const(64), Bound: ir.Const(n), Base: ir.Const(base), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef},
					{Stride: ir.Const(1), Bound: ir.Const(64), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}
			}
			sum := b.Const(scalar.F32, 0)
			for k := range taps {
				v := b.Load(ir.Access{Buffer: x, Coords: at(n+8, int64(k))})
				sum = b.Op(scalar.Inst{Op: scalar.OpAdd, Type: scalar.F32, Args: [3]ir.Ref{sum, v, ir.NoRef}})
			}
			b.Store(ir.Access{Buffer: out, Coords: at(n, 0)}, sum)
		})
		return b.Finish()
	}
	for _, c := range []struct {
		n    int64
		taps int
		want bool
	}{{10, 5, false}, {5000, 3, false}, {5000, 5, true}} {
		for _, isa := range []amd64.ISA{amd64.AVX2, amd64.AVX512} {
			code, err := native.Compile(taps(c.n, c.taps), native.Options{ISA: isa, Listing: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(code.Listing, "prefetcht0"); got != c.want {
				t.Errorf("%v: %d taps of %d rows: requests %v, want %v:\n%s", isa, c.taps, c.n, got, c.want, code.Listing)
			}
		}
	}
}

// The last loop over rows that a reduction has read requests the lines of the next row, once, unless rows are so
// short that the processor sees the next one, or so long that no cache holds two. Then the reduction requests lines, if
// the array is large.
func TestRequestNextRow(t *testing.T) {
	normalized := func(rows, n int64, shared bool) *ir.Kernel {
		b := ir.NewBuilder("normalized")
		x := b.Buffer("x", ir.In, scalar.F32, ir.Const(rows*n))
		out := b.Buffer("out", ir.Out, scalar.F32, ir.Const(rows*n))
		row := b.Grid(ir.Const(rows))
		at := func(buffer int, i ir.Axis) ir.Access {
			c := []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(n), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}
			if !shared || buffer != x {
				c = append(c, ir.Coord{Stride: ir.Const(n), Bound: ir.Const(rows), Terms: []ir.Term{{Axis: row, Coeff: ir.Const(1)}}, Value: ir.NoRef})
			}
			return ir.Access{Buffer: buffer, Coords: c}
		}
		most := b.Reduce(ir.Any, 0, ir.Const(n), nil, func(i ir.Axis) []ir.Elem {
			return []ir.Elem{{Op: ir.Max, Value: b.Load(at(x, i)), Second: ir.NoRef}}
		})[0]
		for range 2 {
			b.Vector(ir.Const(n), nil, func(i ir.Axis) {
				b.Store(at(out, i), b.Op(scalar.Inst{Op: scalar.OpSub, Type: scalar.F32, Args: [3]ir.Ref{b.Load(at(x, i)), most, ir.NoRef}}))
			})
		}
		return b.Finish()
	}
	for _, c := range []struct {
		rows, n int64
		shared  bool
		reduced bool
		want    int
	}{{1024, 1024, false, false, 2}, {16384, 384, false, true, 0}, {4, 1 << 20, false, true, 0}, {16, 1024, false, false, 0}, {1024, 1024, true, true, 0}} {
		code, err := native.Compile(normalized(c.rows, c.n, c.shared), native.Options{ISA: amd64.AVX2, Listing: true})
		if err != nil {
			t.Fatal(err)
		}
		reduction, loops, _ := strings.Cut(code.Listing, "vector loop")
		if got := strings.Count(loops, "prefetcht0"); got != c.want { // 4 copies of half a line
			t.Errorf("%d rows of %d, the same one %t: %d requests, want %d:\n%s", c.rows, c.n, c.shared, got, c.want, code.Listing)
		}
		if got := strings.Contains(reduction, "prefetcht0"); got != c.reduced {
			t.Errorf("%d rows of %d, the same one %t: the reduction requests lines is %t, want %t:\n%s", c.rows, c.n, c.shared, got, c.reduced, code.Listing)
		}
	}
}
