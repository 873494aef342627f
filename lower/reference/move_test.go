package reference

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// moverTypes are a dtype of each size, and the odd ones.
var moverTypes = []core.DType{core.Bool, core.Int4, core.Uint8, core.Float8E5M2, core.BFloat16, core.Float0, core.Float32, core.Float64, core.Key, core.Complex64, core.Complex128}

// stamped returns an array whose elements all differ, as far as their bytes allow.
func stamped(dt core.DType, shape core.Dims) *block.Tensor {
	x := block.NewTensor(core.ShapedArray{Shape: shape, DType: dt})
	size := max(dt.Size(), 1)
	for i := range x.Data {
		x.Data[i] = byte(i/size*7 + i%size*31 + i/size>>8)
	}
	if dt == core.Bool {
		for i := range x.Data {
			x.Data[i] &= 1
		}
	}
	return x
}

// expect compares each element of y with element from(index) of x, or with fill
// where that is −1.
func expect(t *testing.T, name string, y, x, fill *block.Tensor, from func(idx []int) int) {
	t.Helper()
	for i := range y.Size() {
		want := []byte(nil)
		if at := from(unravel(i, y.Shape)); at >= 0 {
			want = vector(x, at, 1).Data
		} else {
			want = vector(fill, 0, 1).Data
		}
		if got := vector(y, i, 1).Data; string(got) != string(want) {
			t.Errorf("%s: element %v of %v is %x, want %x", name, unravel(i, y.Shape), y, got, want)
			return
		}
	}
}

func randomShape(r *rand.Rand, most, rank int) []int {
	s := make([]int, rank)
	for i := range s {
		s[i] = r.IntN(most + 1)
		if r.IntN(4) > 0 && s[i] == 0 {
			s[i] = 1
		}
	}
	return s
}

func offset(idx []int, shape core.Dims) int {
	at := 0
	for i, s := range block.RowMajor(nil, shape) {
		at += idx[i] * s
	}
	return at
}

func TestMovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	d := core.MakeDims
	for step := range 500 {
		dt := moverTypes[r.IntN(len(moverTypes))]
		most := 5
		if step%10 == 0 {
			most = 40 // beyond the tiles
		}
		rank := r.IntN(5)
		if most > 5 {
			rank = 1 + r.IntN(3)
		}
		s := randomShape(r, most, rank)
		x := stamped(dt, d(s...))
		perm := r.Perm(rank)
		y := apply(t, prim.TransposeP{Perm: d(perm...)}, x)[0]
		expect(t, fmt.Sprint("transpose ", s, perm), y, x, nil, func(idx []int) int {
			from := make([]int, rank)
			for i, p := range perm {
				from[p] = idx[i]
			}
			return offset(from, x.Shape)
		})

		var axes []int
		for i := range rank {
			if r.IntN(2) == 0 {
				axes = append(axes, i)
			}
		}
		y = apply(t, prim.RevP{Dims: d(axes...)}, x)[0]
		expect(t, fmt.Sprint("rev ", s, axes), y, x, nil, func(idx []int) int {
			for _, a := range axes {
				idx[a] = s[a] - 1 - idx[a]
			}
			return offset(idx, x.Shape)
		})

		// Broadcast: each operand axis goes somewhere, in order, and size 1 repeats.
		var to []int
		var big []int
		for i := range rank {
			for r.IntN(3) == 0 {
				big = append(big, r.IntN(4))
			}
			to = append(to, len(big))
			n := s[i]
			if n == 1 {
				n = r.IntN(4)
			}
			big = append(big, n)
		}
		y = apply(t, prim.BroadcastInDimP{Shape: d(big...), Dims: d(to...)}, x)[0]
		expect(t, fmt.Sprint("broadcast ", s, big, to), y, x, nil, func(idx []int) int {
			from := make([]int, rank)
			for i, k := range to {
				if s[i] != 1 {
					from[i] = idx[k]
				}
			}
			return offset(from, x.Shape)
		})

		start, limit, stride := make([]int, rank), make([]int, rank), make([]int, rank)
		for i, n := range s {
			start[i] = r.IntN(n + 1)
			limit[i] = start[i] + r.IntN(n-start[i]+1)
			stride[i] = 1 + r.IntN(3)
		}
		y = apply(t, prim.SliceP{Start: d(start...), Limit: d(limit...), Strides: d(stride...)}, x)[0]
		expect(t, fmt.Sprint("slice ", s, start, limit, stride), y, x, nil, func(idx []int) int {
			for i := range idx {
				idx[i] = start[i] + idx[i]*stride[i]
			}
			return offset(idx, x.Shape)
		})

		var reps []int
		for range rank {
			reps = append(reps, r.IntN(3))
		}
		y = apply(t, prim.TileP{Reps: d(reps...)}, x)[0]
		expect(t, fmt.Sprint("tile ", s, reps), y, x, nil, func(idx []int) int {
			for i := range idx {
				idx[i] %= s[i]
			}
			return offset(idx, x.Shape)
		})

		var config []int
		for _, n := range s {
			lo, in := r.IntN(5)-2, r.IntN(3)
			size := n + max(n-1, 0)*in
			hi := max(r.IntN(5)-2, -size-lo)
			config = append(config, lo, hi, in)
		}
		fill := stamped(dt, d())
		y = apply(t, prim.PadP{Config: d(config...)}, x, fill)[0]
		expect(t, fmt.Sprint("pad ", s, config), y, x, fill, func(idx []int) int {
			for i := range idx {
				at, by := idx[i]-config[3*i], config[3*i+2]+1
				if at < 0 || at%by != 0 || at/by >= s[i] {
					return -1
				}
				idx[i] = at / by
			}
			return offset(idx, x.Shape)
		})
	}
}

func TestJoinsAndCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	d := core.MakeDims
	for range 300 {
		dt := moverTypes[r.IntN(len(moverTypes))]
		rank := 1 + r.IntN(3)
		s := randomShape(r, 4, rank)
		dim := r.IntN(rank)
		x := stamped(dt, d(s...))

		// Cut it, and put it together again.
		var sizes []int
		for left := s[dim]; left > 0 || len(sizes) == 0; {
			n := r.IntN(left + 1)
			sizes = append(sizes, n)
			left -= n
		}
		parts := apply(t, prim.SplitP{Axis: dim, Sizes: d(sizes...)}, x)
		at := 0
		for i, y := range parts {
			expect(t, "split", y, x, nil, func(idx []int) int {
				idx[dim] += at
				return offset(idx, x.Shape)
			})
			at += sizes[i]
		}
		if y := apply(t, prim.ConcatenateP{Dimension: dim}, parts...)[0]; string(y.Data) != string(x.Data) {
			t.Errorf("%v cut into %v along %d and joined differs", x, sizes, dim)
		}
		if s[dim] > 0 {
			layers := apply(t, prim.UnstackP{Axis: dim}, x)
			if y := apply(t, prim.StackP{Axis: dim}, layers...)[0]; string(y.Data) != string(x.Data) {
				t.Errorf("%v unstacked along %d and stacked differs", x, dim)
			}
			expect(t, "unstack", layers[0], x, nil, func(idx []int) int {
				return offset(append(append(append([]int(nil), idx[:dim]...), 0), idx[dim:]...), x.Shape)
			})
		}

		// Dynamic starts are clamped, wherever they point.
		var size, start []int
		var in []*block.Tensor
		for _, n := range s {
			size = append(size, r.IntN(n+1))
			v := r.IntN(12) - 4
			index := block.NewTensor(core.Aval(core.Int32))
			block.View[int32](index)[0] = int32(v)
			if r.IntN(8) == 0 {
				block.View[int32](index)[0] = []int32{-1 << 31, 1<<31 - 1}[r.IntN(2)]
				v = int(block.View[int32](index)[0])
			}
			start = append(start, max(0, min(v, n-size[len(size)-1])))
			in = append(in, index)
		}
		y := apply(t, indexed.DynamicSliceP{Sizes: d(size...)}, append([]*block.Tensor{x}, in...)...)[0]
		expect(t, "dynamic_slice", y, x, nil, func(idx []int) int {
			for i := range idx {
				idx[i] += start[i]
			}
			return offset(idx, x.Shape)
		})
		u := stamped(dt, d(size...))
		for i := range u.Data {
			u.Data[i] ^= 1
		}
		both := &block.Tensor{ShapedArray: core.Aval(dt, x.Size()+u.Size()), Data: append(append([]byte(nil), x.Data...), u.Data...)}
		y = apply(t, indexed.DynamicUpdateSliceP{}, append([]*block.Tensor{x, u}, in...)...)[0]
		expect(t, "dynamic_update_slice", y, both, nil, func(idx []int) int {
			to := make([]int, rank)
			for i := range idx {
				if to[i] = idx[i] - start[i]; to[i] < 0 || to[i] >= size[i] {
					return offset(idx, x.Shape)
				}
			}
			return x.Size() + offset(to, u.Shape)
		})
	}
}

func TestIota(t *testing.T) {
	for _, dt := range []core.DType{core.Int2, core.Uint8, core.Int32, core.Uint64, core.BFloat16, core.Float16, core.Float32, core.Float64, core.Complex64, core.Float8E4M3FN} {
		for dim := range 3 {
			p := prim.IotaP{DType: dt, Shape: core.MakeDims(3, 5, 7), Dimension: dim}
			y := apply(t, p)[0]
			one := apply(t, prim.IotaP{DType: dt, Shape: core.MakeDims(p.Shape.At(dim))})[0]
			expect(t, fmt.Sprint(p), y, one, nil, func(idx []int) int { return idx[dim] })
		}
	}
	f := block.View[float32](apply(t, prim.IotaP{DType: core.Float32, Shape: core.MakeDims(1<<24 + 4)})[0])
	if f[1<<24] != 1<<24 || f[1<<24+1] != 1<<24 || f[1<<24+3] != 1<<24+4 {
		t.Errorf("positions that f32 cannot hold: %v", f[1<<24:])
	}
	if b := block.View[int8](apply(t, prim.IotaP{DType: core.Int2, Shape: core.MakeDims(5)})[0]); fmt.Sprint(b) != "[0 1 -2 -1 0]" {
		t.Errorf("i2 does not wrap: %v", b)
	}
}
