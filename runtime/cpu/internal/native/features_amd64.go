//go:build !purego

package native

import "golang.org/x/sys/cpu"

var detected = func() Features {
	x := &cpu.X86
	var f Features
	f.AVX2 = x.HasAVX && x.HasAVX2 && x.HasFMA && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT && extensions()
	f.AVX512 = f.AVX2 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512CD
	f.BF16 = f.AVX512 && x.HasAVX512BF16
	f.VNNI = f.AVX512 && x.HasAVX512VNNI
	f.AMX = f.VNNI && x.HasAMXTile && x.HasAMXInt8
	return f
}()

// extensions reports whether the processor has F16C and LZCNT, of which package cpu reports neither.
func extensions() bool {
	const f16c, lzcnt = 1 << 29, 1 << 5
	_, _, c, _ := cpuid(1, 0)
	if c&f16c == 0 {
		return false
	}
	if most, _, _, _ := cpuid(0x80000000, 0); most < 0x80000001 {
		return false
	}
	_, _, c, _ = cpuid(0x80000001, 0)
	return c&lzcnt != 0
}

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
