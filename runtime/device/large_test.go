package device_test

import (
	"flag"
	"math/bits"
	"os"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/runtime/device"
)

var largeElements = flag.Int("large.elements", 1<<12+7, "elements of the arrays of TestIndicesOfLargeArraysOnDevices; more than 1<<32 need 64 bits")

// namedDevice returns the device that WEFT_DEVICE names, or else a simulated one.
func namedDevice(t *testing.T) weft.Device {
	t.Helper()
	name := os.Getenv("WEFT_DEVICE")
	if name == "" {
		simulated()
		name = "simulated"
	}
	d, err := weft.Try(func() weft.Device { return weft.DeviceNamed(name) })
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Arrays that no memory holds are refused, also those whose bytes exceed 64 bits.
func TestLargeArraysOnDevices(t *testing.T) {
	on := weft.On(namedDevice(t))
	for _, shape := range [][]int{{1 << 31, 1 << 31}, {1 << 30, 1 << 32}, {1 << 61, 1}, {1, 1 << 62}} {
		g := weft.Jit(func(x weft.Array) weft.Array { return x.BroadcastTo(shape...).Add(1) }, on)
		if _, err := weft.Try(func() weft.Array { return g(weft.Scalar(float32(1))) }); err == nil || !strings.Contains(err.Error(), "does not fit in memory; make it smaller") {
			t.Errorf("%v: got %v", shape, err)
		}
	}
}

// Elements after the 2³²nd are found by their indices of 64 bits. The flag sets the number of elements; by
// default they are few, so that the programs are tested without much memory.
func TestIndicesOfLargeArraysOnDevices(t *testing.T) {
	d := namedDevice(t)
	columns := 1 << (bits.Len(uint(*largeElements)) / 2)
	rows := *largeElements/columns + 1
	t.Logf("%d elements: u8[%d,%d]", rows*columns, rows, columns)
	need := 3 * rows * columns // the array, a result, and one that is not released yet
	if has := device.CapacityOf(deviceOf(t)); has > 0 && has < need {
		t.Skipf("arrays of %d elements need %s, the device has %s", rows*columns, device.Bytes(need), device.Bytes(has))
	}
	// An element's value depends on its row: it differs from that of the element 2³² before.
	value := func(r, c int) int { return (r*7 + c) % 251 }
	values := func(s weft.Array) weft.Array {
		index := func(axis int) weft.Array { return weft.Iota(weft.Int32, axis, rows, columns) }
		return index(0).Mul(7).Add(index(1)).Add(s).Rem(251).AsType(weft.Uint8)
	}
	x := weft.Jit(values, weft.On(d))(weft.Scalar(int32(0)))
	last := func(y weft.Array) weft.Array { // the last elements of an array that is in memory
		y = lax.OptimizationBarrier(y)[0].Reshape(rows * columns)
		return y.Index("-5:").AsType(weft.Int32)
	}
	ends := func(value func(i int) int) (want []int32) {
		for i := rows*columns - 5; i < rows*columns; i++ {
			want = append(want, int32(value(i)))
		}
		return want
	}
	var perRow [251]int32 // sums of rows, which begin with the value of the index
	for v := range perRow {
		for c := range columns {
			perRow[v] += int32(value(0, v+c))
		}
	}
	var sum, fives int32 // modulo 2³²
	for r := range rows {
		sum += perRow[value(r, 0)]
		for c := (5 - value(r, 0) + 251) % 251; c < columns; c += 251 {
			fives++
		}
	}
	for _, c := range []struct {
		name string
		f    func(x weft.Array) weft.Array
		want []int32
	}{
		{"slice", last, ends(func(i int) int { return value(i/columns, i%columns) })},
		{"elementwise", func(x weft.Array) weft.Array { return last(x.Mul(3).Add(1)) }, ends(func(i int) int { return (value(i/columns, i%columns)*3 + 1) % 256 })},
		{"transpose", func(x weft.Array) weft.Array { return last(x.T()) }, ends(func(i int) int { return value(i%rows, i/rows) })},
		{"cumulative sum", func(x weft.Array) weft.Array {
			return lax.OptimizationBarrier(x.CumSum(1))[0].Index("-1", "-1").AsType(weft.Int32).Reshape(1)
		}, []int32{perRow[value(rows-1, 0)] % 256}},
		{"sum", func(x weft.Array) weft.Array { return x.AsType(weft.Int32).Sum().Reshape(1) }, []int32{sum}},
		{"sums of columns", func(x weft.Array) weft.Array { return x.AsType(weft.Int32).Sum(0).Sum().Reshape(1) }, []int32{sum}},
		{"count", func(x weft.Array) weft.Array {
			return lax.OptimizationBarrier(x.Eq(5))[0].AsType(weft.Int32).Sum().Reshape(1)
		}, []int32{fives}},
		{"gather", func(x weft.Array) weft.Array {
			return weft.Take(x, weft.Of(int32(rows-1), int32(rows-2), 0), 0).AsType(weft.Int32).Index(":", "-1")
		}, []int32{int32(value(rows-1, columns-1)), int32(value(rows-2, columns-1)), int32(value(0, columns-1))}},
		{"scatter", func(x weft.Array) weft.Array { return last(x.At(weft.Of(int32(rows-1), 0)).Set(weft.Scalar(uint8(9)))) }, []int32{9, 9, 9, 9, 9}},
	} {
		got, err := weft.Try(func() []int32 { return weft.ToSlice[int32](weft.Jit(c.f)(x)) })
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i := range c.want {
			if got[i] != c.want[i] {
				t.Errorf("%s: got %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}
