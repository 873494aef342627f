//go:build !purego

package linalg

import "golang.org/x/sys/cpu"

// fusesVectors is set where the machine multiplies and adds vectors with one rounding, and has no
// better ones: see less512_amd64.go.
var fusesVectors = cpu.X86.HasAVX && cpu.X86.HasFMA && !cpu.X86.HasAVX512F
