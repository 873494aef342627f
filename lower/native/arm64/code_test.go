package arm64_test

import (
	"regexp"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"

	"github.com/weft-go/weft/internal/test/codehash"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/arm64"
)

// notOurs are the registers of the system, of Go and of the caller.
var notOurs = regexp.MustCompile(`(?i)\b([xw](18|28|29|30)|w?sp)\b`)

// Machine code is the same as before, byte for byte, unless testdata/code.txt changes with it. Another decoder
// knows each instruction, and none names a register that is not the code's.
func TestCode(t *testing.T) {
	seen := map[[4]byte]bool{}
	codehash.Check(t, func(c *native.Code) {
		for at := 0; at < c.Size; at += 4 {
			word := [4]byte(c.Bytes[at:])
			if seen[word] {
				continue
			}
			seen[word] = true
			in, err := arm64asm.Decode(word[:])
			if err != nil {
				t.Errorf("%s: %x: %v", c.Name, word, err)
			}
			for _, a := range in.Args {
				if a != nil && notOurs.MatchString(a.String()) && in.Op != arm64asm.RET {
					t.Errorf("%s: %v uses a register that is not the code's", c.Name, in)
				}
			}
		}
	}, arm64.NEON{})
}
