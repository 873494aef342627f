//go:build !purego

package linalg

import "golang.org/x/sys/cpu"

// fusesVectors is set where the machine multiplies and adds vectors with one rounding. With
// AVX-512 the functions of less512_amd64.go are used instead.
var fusesVectors = cpu.X86.HasAVX && cpu.X86.HasFMA && !cpu.X86.HasAVX512F
