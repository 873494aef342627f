package cpu

import (
	"os"
	goruntime "runtime"
	"slices"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

type target struct {
	name  string      // of the executor
	isa   codegen.ISA // nil on another architecture: a binary contains only the code generator of its own
	lacks string      // what the processor lacks, "" if it has all that the code needs
	pairs bool        // the processor multiplies pairs of bf16
	dots  bool        // one instruction multiplies pairs of i16, another fours of bytes, and adds the products to i32
	// matrices reports whether one instruction multiplies matrices of bytes. It may ask the system for
	// permission, so it is called only where the instruction pays.
	matrices func() bool
	named    bool // programs run here only where the executor is selected by name
	// unseen is set where the code has been run by emulators only: some kernels are checked
	// before the first use in a process.
	unseen bool
}

// targets are the instruction sets of the native executors, the best one first.
var targets = [...]target{
	{name: "avx512", isa: avx512, lacks: unless(native.CPU().AVX512, "AVX-512 (F, BW, DQ, VL, CD)"), pairs: native.CPU().BF16, dots: native.CPU().VNNI, matrices: native.Matrices},
	{name: "avx2", isa: avx2, lacks: unless(native.CPU().AVX2, "AVX2 with FMA")},
	{name: "neon", isa: neon, lacks: unless(native.CPU().NEON, "NEON for 64 bits"), named: goruntime.GOOS == "windows", unseen: true},
	{name: "simd128", isa: simd128, lacks: unless(native.CPU().SIMD128, "vectors of WebAssembly")},
}

// selected reports whether the environment selects a native executor by name.
func selected() bool {
	name := os.Getenv(runtime.ExecutorVariable)
	return slices.ContainsFunc(targets[:], func(t target) bool { return t.name == name })
}

func unless(has bool, what string) string {
	if has {
		return ""
	}
	return what
}
