package amd64_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/codehash"
	"github.com/weft-go/weft/lower/native/amd64"
)

// Machine code is the same as before, byte for byte, unless testdata/code.txt changes with it.
func TestCode(t *testing.T) { codehash.Check(t, nil, amd64.AVX512, amd64.AVX2) }
