//go:build !purego

package block

import "golang.org/x/sys/cpu"

// fusesVectors is set where the machine multiplies and adds vectors with one rounding.
var fusesVectors = cpu.X86.HasAVX && cpu.X86.HasFMA
