//go:build !purego

package native

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Chip returns the processor's name with its family, model and stepping.
func Chip() string {
	var name []byte
	if most, _, _, _ := cpuid(0x80000000, 0); most >= 0x80000004 {
		for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
			a, b, c, d := cpuid(leaf, 0)
			for _, v := range [...]uint32{a, b, c, d} {
				name = binary.LittleEndian.AppendUint32(name, v)
			}
		}
	}
	text := strings.Join(strings.Fields(strings.TrimRight(string(name), "\x00")), " ")
	a, _, _, _ := cpuid(1, 0)
	return fmt.Sprintf("%s, signature %08x", text, a)
}
