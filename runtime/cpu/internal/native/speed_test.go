//go:build linux && (amd64 || arm64) && !purego

package native_test

import (
	"fmt"
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower/expand"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// clock returns the cycles of a nanosecond, from a chain of dependent multiplications.
func clock() float64 {
	best := math.Inf(1)
	for range 50 {
		x := uint64(3)
		start := time.Now()
		for range 20000 {
			x *= x // 3 cycles
			x *= x
			x *= x
			x *= x
		}
		best = min(best, float64(time.Since(start).Nanoseconds()))
		sink = x
	}
	return 80000 * 3 / best
}

var sink uint64

// BenchmarkFunctions reports the cycles that 16 numbers in L1 take.
func BenchmarkFunctions(b *testing.B) {
	done := map[string]bool{}
	for _, s := range primtest.All() {
		if !expand.Has(s.Prim) || len(s.In) == 0 {
			continue
		}
		dt := s.In[0].DType
		name := fmt.Sprintf("%s-%v", s.Prim.Name(), dt)
		if done[name] || dt != core.Float32 && dt != core.Float64 {
			continue
		}
		done[name] = true
		var in []core.DType
		for _, a := range s.In {
			in = append(in, a.DType)
		}
		out := core.AbstractOf(s.Prim, s.In)
		p, ok := expand.Program(s.Prim, in, out[0].DType)
		if !ok {
			continue
		}
		for _, isa := range targets(b) {
			b.Run(fmt.Sprintf("%s/%v", name, isa), func(b *testing.B) {
				k := programKernel(p, false)
				code, err := codegen.Compile(k, codegen.Options{ISA: isa})
				require.NoError(b, err)
				run, err := native.Load(name, code.Bytes)
				require.NoError(b, err)
				n := 1024
				if dt == core.Float64 {
					n = 512
				}
				args := []uint64{uint64(uintptr(unsafe.Pointer(&scratch[0]))+63) &^ 63}
				var keep [][]float64
				for range k.Buffers {
					x := make([]float64, 2*n+8)
					for i := range x {
						v := 0.1 + 2*float64(i%1000)/1000
						if dt == core.Float64 {
							x[i] = v
						} else {
							u := uint64(math.Float32bits(float32(v)))
							x[i] = math.Float64frombits(u<<32 | u)
						}
					}
					keep = append(keep, x)
					args = append(args, uint64(uintptr(unsafe.Pointer(&x[0]))+63)&^63)
				}
				for range k.Symbols {
					args = append(args, uint64(n))
				}
				args = append(args, 1)
				ghz := clock()
				best := math.Inf(1)
				for b.Loop() {
					start := time.Now()
					for range 20 {
						run.Call(unsafe.Pointer(&args[0]))
					}
					best = min(best, float64(time.Since(start).Nanoseconds())/20)
				}
				_ = keep
				b.ReportMetric(best*ghz*16/float64(n), "cycles/16")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkCompile reports what compiling an instruction costs.
func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"exp", "tanh", "pow", "lgamma"} {
		for _, s := range primtest.All() {
			if s.Prim.Name() != name || s.In[0].DType != core.Float32 {
				continue
			}
			var in []core.DType
			for _, a := range s.In {
				in = append(in, a.DType)
			}
			p, _ := expand.Program(s.Prim, in, core.Float32)
			k := programKernel(p, false)
			b.Run(name, func(b *testing.B) {
				code, err := codegen.Compile(k, codegen.Options{ISA: targets(b)[0]})
				require.NoError(b, err)
				var bytes int
				b.ReportAllocs()
				best := math.Inf(1)
				for b.Loop() {
					start := time.Now()
					code, err := codegen.Compile(k, codegen.Options{ISA: targets(b)[0]})
					require.NoError(b, err)
					best = min(best, float64(time.Since(start).Nanoseconds()))
					bytes = code.Size
				}
				b.ReportMetric(best, "best-ns")
				b.ReportMetric(float64(bytes), "bytes")
				b.ReportMetric(best/float64(code.Instructions), "ns/inst")
			})
			break
		}
	}
}
