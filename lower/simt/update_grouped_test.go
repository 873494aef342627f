package simt_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// Groups of updates need no more shared memory than each device of OpenCL has, also where keys have 64 bits.
func TestSharedMemoryOfUpdates(t *testing.T) {
	checked := 0
	for _, dt := range []core.DType{core.Float32, core.BFloat16, core.Float64, core.Complex64, core.Complex128, core.Int16, core.Uint64} {
		for _, how := range []indexed.Combiner{indexed.CombineAdd, indexed.CombineSub, indexed.CombineMul, indexed.CombineMin, indexed.CombineMax} {
			for _, rows := range []int{100, max(100, math.MaxInt>>31)} {
				for _, columns := range []int{1, 2, 5, 40} {
					b := jaxpr.NewBuilder()
					x, idx, u := b.Input(core.Aval(dt, rows, columns)), b.Input(core.Aval(core.Int64, 1<<20, 1)), b.Input(core.Aval(dt, 1<<20, columns))
					first := core.MakeDims(0)
					p := indexed.Scattering{UpdateWindowDims: core.MakeDims(1), InsertedWindowDims: first, ScatterDimsToOperandDims: first}.By(how, dt)
					for _, s := range fuse.Translate(b.Build(b.Eqn(p, x, idx, u)[0]), fuse.Target{}).Steps {
						if s, ok := s.(*fuse.Update); ok {
							bytes := 0
							for _, a := range simt.FuncOf(&schedule.UpdateGrouped{Update: schedule.NewUpdate(s.Kernel)}).Arrays {
								bytes += a.Len * a.Type.Size()
							}
							if checked++; bytes > 32<<10 {
								t.Errorf("%v of %v, %d×%d: got %d bytes, want 32 KB at most", how, dt, rows, columns, bytes)
							}
						}
					}
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("%d kernels were checked", checked)
	}
}

// Groups change what points in sequence change, with the same bits: for each width of rows and number of items of a thread, by which
// tiles have fewer points than threads, as many, or more; with all types, and kinds of indices, operations, types of keys and numbers of
// points in turn.
func TestGroupedUpdates(t *testing.T) {
	race.Values(t)
	r := rand.New(rand.NewPCG(6, 6))
	const rows = 40
	indices := []func(i int) int{
		func(int) int { return 7 },                      // all one row
		func(i int) int { return i % 2 * r.IntN(rows) }, // half of them one row
		func(int) int { return r.IntN(rows) },
		func(int) int { return r.IntN(3*rows) - rows }, // many outside
		func(int) int { return rows },                  // all outside
		func(i int) int { return i / 30 },              // in order
	}
	hows := []indexed.Combiner{indexed.CombineAdd, indexed.CombineMul, indexed.CombineMax, indexed.CombineSub, indexed.CombineMin}
	var types []core.DType
	for d := core.Bool + 1; int(d) < core.NumDTypes; d++ {
		if d.IsNumber() {
			types = append(types, d)
		}
	}
	cases, full := 0, 0 // full: tiles of as many points as threads
	for columns := 1; columns <= 9; columns++ {
		for _, items := range []int64{2, 4, 8} {
			for range 2 {
				dt, how, index := types[cases%len(types)], hows[cases%len(hows)], indices[(cases+cases/6)%len(indices)]
				tile, _ := (&schedule.UpdateGrouped{Update: simttest.Update(rows, columns, 9), Items: items}).Tile()
				if tile == schedule.GroupedThreads {
					full++
				}
				points := []int{1, int(tile) - 1, int(tile), int(tile) + 1, 2*int(tile) + 5}[r.IntN(5)]
				u := simttest.UpdateOf(how, dt, rows, columns, points)
				var buffers [][]byte // the array, updates, indices
				for _, b := range u.Kernel.Buffers {
					buffers = append(buffers, randomStored(r, dt, b))
				}
				for i := range points {
					binary.NativeEndian.PutUint32(buffers[2][4*i:], uint32(index(i)))
				}
				got := slices.Clone(buffers)
				got[0] = slices.Clone(buffers[0])
				if err := ireval.Run(u.Kernel, nil, buffers); err != nil {
					t.Fatal(err)
				}
				if cases++; cases%3 == 0 { // as if the array were so long that keys have 64 bits
					k := *u.Kernel
					k.Buffers = slices.Clone(k.Buffers)
					k.Buffers[0].Len = ir.Const(1 << 33)
					u = &schedule.Update{Kernel: &k, Points: u.Points, Prefix: u.Prefix, Store: u.Store, Inside: u.Inside, Run: u.Run}
				}
				keys, numbers := make([]byte, points*u.Key().Size()), make([]byte, 4*points)
				got = append(got, keys, numbers)
				run := func(k schedule.Kernel) {
					t.Helper()
					f := simt.FuncOf(k)
					if err := simteval.Run(f, nil, got, int(f.Groups(nil))); err != nil {
						t.Fatalf("%s: %v", f.Name, err)
					}
				}
				run(&schedule.UpdateKeys{Update: u})
				sortStored(keys, numbers, u.Key().Size())
				run(&schedule.UpdateGrouped{Update: u, Items: items})
				if !bytes.Equal(got[0], buffers[0]) {
					t.Errorf("%v of %v, case %d: %d points of %d columns in tiles of %d, keys of %v: got other bits than in sequence", how, dt, cases, points, columns, tile, u.Key())
				}
			}
		}
	}
	if full < 12 || cases < len(types) {
		t.Errorf("%d cases, %d with tiles of as many points as threads, of %d types", cases, full, len(types))
	}
}

// randomStored returns numbers of a type as a buffer has them. Most floating-point numbers are less than 2, so that their order in sums matters.
func randomStored(r *rand.Rand, dt core.DType, b ir.Buffer) []byte {
	size := b.Type.Size()
	out := make([]byte, 0, size*int(b.Len.Value))
	for range b.Len.Value {
		x := r.Uint64()
		switch {
		case dt.Bits() < 8 && b.Type != scalar.I32:
			x &= 1<<dt.Bits() - 1
			if dt.IsSigned() && !dt.IsFloat() {
				x = uint64(int64(x<<(64-dt.Bits())) >> (64 - dt.Bits()))
			}
		case b.Type.IsFloat() && size > 1 && r.IntN(100) > 0:
			x = x&^(1<<(8*size-2)) | 3<<(8*size-4)
		}
		var all [8]byte
		binary.LittleEndian.PutUint64(all[:], x)
		if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
			slices.Reverse(all[:size])
		}
		out = append(out, all[:size]...)
	}
	return out
}

// sortStored sorts keys stably, and numbers with them.
func sortStored(keys, numbers []byte, size int) {
	type pair struct {
		key    uint64
		number uint32
	}
	var all []pair
	for i := range len(numbers) / 4 {
		p := pair{number: binary.NativeEndian.Uint32(numbers[4*i:])}
		if size == 4 {
			p.key = uint64(binary.NativeEndian.Uint32(keys[4*i:]))
		} else {
			p.key = binary.NativeEndian.Uint64(keys[8*i:])
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	for i, p := range all {
		binary.NativeEndian.PutUint32(numbers[4*i:], p.number)
		if size == 4 {
			binary.NativeEndian.PutUint32(keys[4*i:], uint32(p.key))
		} else {
			binary.NativeEndian.PutUint64(keys[8*i:], p.key)
		}
	}
}
