//go:build linux && (amd64 || arm64) && !purego

package native_test

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/internal/test/irtext"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// BenchmarkLoops reports the best time of kernels that show the speed of a construct.
func BenchmarkLoops(b *testing.B) {
	for name, text := range map[string]string{
		"copy1e5":     "kernel copy(in x f32[100000], out y f32[100000]) {\nvector a0<100000 {\n%0 = load f32 x[a0<100000]\nstore y[a0<100000], %0\n}\n}",
		"sum1e5":      "kernel sum(in x f32[100000], out y f32[1]) {\nreduce lanes 64 a0<100000 {\n%0 = load f32 x[a0<100000]\n} fold %1 = sum %0\nstore y[], %1\n}",
		"sumbf16_1e5": "kernel sum(in x u16[100000], out y f32[1]) {\nreduce lanes 64 a0<100000 {\n%0 = load u16 x[a0<100000]\n%1 = widen f32 bf16 %0\n} fold %2 = sum %1\nstore y[], %2\n}",
		"argmax1e5":   "kernel arg(in x f32[100000], out y i32[1]) {\nreduce any a0<100000 {\n%0 = load f32 x[a0<100000]\n%1 = index i32 a0\n} fold %2 %3 = argmax %0 %1\nstore y[], %3\n}",
		"max1e5":      "kernel max(in x f32[100000], out y f32[1]) {\nreduce any a0<100000 {\n%0 = load f32 x[a0<100000]\n} fold %2 = max %0\nstore y[], %2\n}",
		"columns300":  "kernel columns(in x f32[90000], out y f32[300]) {\nvector a0<300 {\nreduce chunks a1<300 {\n%0 = load f32 x[300*a1+a0<90000]\n} fold %1 = sum %0\nstore y[a0<300], %1\n}\n}",
		"cumsum1e5":   "kernel scan(in x f32[100000], out y f32[100000]) {\ncumulate sum a0<100000 {\n%0 = load f32 x[a0<100000]\n} then %1 = %0 {\nstore y[a0<100000], %1\n}\n}",
		"transpose":   "kernel transpose(in x f32[90000], out y f32[90000]) grid a0<300 {\nvector a1<300 {\n%0 = load f32 x[a1<300*300, a0<300]\nstore y[300*a0+a1<90000], %0\n}\n}",
		"matvecrows":  "kernel mv(in x f32[90000], in v f32[300], out y f32[300]) {\nvector a0<300 {\nreduce chain a1<300 {\n%0 = load f32 x[300*a1+a0<90000]\n%1 = load f32 v[a1<300]\n} fold %2 = sum %0 %1\nstore y[a0<300], %2\n}\n}",
		"while1e5":    "kernel w(in x f32[1], out y f32[1]) {\n%0 = load f32 x[]\n%1 = const i32 0x0\n%2 = const i32 0x186a0\n%9 = const f32 0x3f7fbe77\n%10 = const f32 0x3a83126f\nwhile carry %3 = %0, %6 -> %11 : f32; %4 = %1, %7 -> %12 : i32 {\n%5 = lt bool %4, %2\n} test %5 {\n%6 = fma f32 %3, %9, %10\n%8 = const i32 0x1\n%7 = add i32 %4, %8\n}\nstore y[], %11\n}",
		"fori1e5":     "kernel f(in x f32[1], out y f32[1]) {\n%0 = load f32 x[]\n%9 = const f32 0x3f7fbe77\n%10 = const f32 0x3a83126f\nloop a0<100000 carry %3 = %0, %6 -> %11 : f32 {\n%6 = fma f32 %3, %9, %10\n}\nstore y[], %11\n}",
		"bf16add1e5":  "kernel add(in x u16[100000], out y u16[100000]) {\nvector a0<100000 {\n%0 = load u16 x[a0<100000]\n%1 = widen f32 bf16 %0\n%2 = add f32 %1, %1\n%3 = narrow u16 bf16 %2\nstore y[a0<100000], %3\n}\n}",
	} {
		k, err := irtext.Parse(text)
		require.NoError(b, err, text)
		require.NoError(b, k.Check())
		for _, isa := range targets(b) {
			b.Run(name+"/"+isa.String(), func(b *testing.B) {
				code, err := codegen.Compile(k, codegen.Options{ISA: isa})
				require.NoError(b, err)
				run, err := native.Load(name, code.Bytes)
				require.NoError(b, err)
				args := []uint64{uint64(uintptr(unsafe.Pointer(&scratch[0]))+63) &^ 63}
				var keep [][]byte
				for _, q := range k.Buffers {
					m := make([]byte, int(q.Len.Value)*q.Type.Size()+64)
					keep = append(keep, m)
					args = append(args, uint64(uintptr(unsafe.Pointer(&m[0]))+63)&^63)
				}
				points := uint64(1)
				for _, d := range k.Grid {
					args = append(args, 0)
					points *= uint64(d.Extent.Value)
				}
				args = append(args, points)
				best := math.Inf(1)
				for b.Loop() {
					start := time.Now()
					run.Call(unsafe.Pointer(&args[0]))
					best = min(best, float64(time.Since(start).Nanoseconds()))
				}
				_ = keep
				b.ReportMetric(best, "best-ns")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
