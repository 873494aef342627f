//go:build !purego

package product

import "golang.org/x/sys/cpu"

// fusesVectors is set where the machine multiplies and adds vectors with one rounding and lacks AVX-512, whose
// tiles are in tiles512_amd64.go.
var fusesVectors = cpu.X86.HasAVX && cpu.X86.HasFMA && !cpu.X86.HasAVX512F
