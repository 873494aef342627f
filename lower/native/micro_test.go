package native_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/schedule"
)

// Arguments are words without gaps on every processor, as many as the code says.
func TestMicroArguments(t *testing.T) {
	for _, c := range []struct {
		kernel native.MicroKernel
		args   any
	}{
		{native.Tile{Elem: schedule.F32, Rows: 2, Vecs: 2, Chunk: 128}, native.TileArgs{}},
		{native.RowDots{Elem: schedule.F32, Vecs: 2, Chunk: 128}, native.RowDotsArgs{}},
		{native.LongDot{Elem: schedule.F32, Chunk: 128}, native.LongDotArgs{}},
		{native.Sweep{Elem: schedule.F32}, native.SweepArgs{}},
		{native.Transpose{Size: 4}, native.TransposeArgs{}},
		{native.RowCopy{Size: 4}, native.RowCopyArgs{}},
		{native.Largest{Size: 4}, native.LargestArgs{}},
	} {
		code, err := native.CompileMicro(c.kernel, amd64.AVX2)
		if err != nil {
			t.Fatal(err)
		}
		args := reflect.TypeOf(c.args)
		if int(args.Size()) != 8*code.Args {
			t.Errorf("%v has %d bytes, but %s takes %d words", args, args.Size(), code.Name, code.Args)
		}
		at := uintptr(0)
		for f := range args.Fields() {
			if f.Offset != at || f.Type.Size()%8 != 0 {
				t.Errorf("%v.%s: %d bytes at offset %d, want whole words at %d", args, f.Name, f.Type.Size(), f.Offset, at)
			}
			at += f.Type.Size()
		}
	}
}

// Micro-kernels that no machine has, or that a machine without patterns for them has not, are errors.
func TestNoMicroKernel(t *testing.T) {
	for want, k := range map[string]native.MicroKernel{
		"tile of 40 rows":        native.Tile{Elem: schedule.F32, Rows: 40, Vecs: 1, Chunk: 128},
		"vectors of bf16":        native.Tile{Elem: schedule.BF16Pair, Rows: 1, Vecs: 1, Chunk: 128},
		"5 vectors of f64":       native.RowDots{Elem: schedule.F64, Vecs: 5, Chunk: 128},
		"chunks of 24":           native.LongDot{Elem: schedule.F64, Chunk: 24},
		"row of i32":             native.Sweep{Elem: schedule.I32},
		"elements of 2 bytes":    native.Transpose{Size: 2},
		"copy of elements of 16": native.RowCopy{Size: 16},
	} {
		if _, err := native.CompileMicro(k, amd64.AVX2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want an error with %q", k, err, want)
		}
	}
	if _, err := native.CompileMicro(native.RowCopy{Size: 4}, toy{}); err == nil || !strings.Contains(err.Error(), "copy_4 has no machine code") {
		t.Errorf("got %v, want an error of the machine", err)
	}
}
