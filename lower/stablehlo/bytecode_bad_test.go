package stablehlo_test

import (
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/lower/stablehlo"
)

// translateBytecode reads bytecode and translates its entry; internal errors are failures.
func translateBytecode(t testing.TB, code []byte) (read bool) {
	m, err := stablehlo.Read("mutated", string(code))
	if read = err == nil; read && m.Main() != nil {
		f := m.Main()
		avals, e := m.Avals(f)
		if e == nil {
			_, e = m.Program(f, avals, options)
		}
		err = e
	}
	if err != nil && strings.Contains(err.Error(), "internal error") {
		t.Errorf("%v\n%x", err, code)
	}
	return read
}

// mutateBytes changes bytecode at a few places.
func mutateBytes(r *rand.Rand, old string) []byte {
	code := []byte(old)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(code))
		switch r.IntN(6) {
		case 0:
			code[i] = byte(r.IntN(256))
		case 1: // another reference or number
			code[i] += byte(2 * (1 + r.IntN(3)))
		case 2:
			code[i] ^= 1 << r.IntN(8)
		case 3:
			n := min(1+r.IntN(8), len(code)-i)
			code = append(code[:i], code[i+n:]...)
		case 4:
			n := min(1+r.IntN(8), len(code)-i)
			code = append(code[:i:i], append(append([]byte(nil), code[i:i+n]...), code[i:]...)...)
		case 5:
			code = code[:i]
		}
		if len(code) == 0 {
			return []byte{0}
		}
	}
	return code
}

// Mutated bytecode crashes nothing, ends soon, and needs little memory.
func TestMutatedBytecode(t *testing.T) {
	codes, names := archive(t, "testdata/bytecode.tar.gz")
	r := rand.New(rand.NewPCG(17, 9))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(4 << 30))
	read := 0
	for range *mutations {
		name := names[r.IntN(len(names))]
		code := mutateBytes(r, codes[name])
		start := time.Now()
		if translateBytecode(t, code) {
			read++
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s takes %v:\n%x", name, d, code)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d of %d were read and translated, or refused there", read, *mutations)
}

func FuzzBytecode(f *testing.F) {
	codes, names := archive(f, "testdata/bytecode.tar.gz")
	for i, name := range names {
		if i%7 == 0 && len(codes[name]) < 2000 {
			f.Add([]byte(codes[name]))
		}
	}
	f.Fuzz(func(t *testing.T, code []byte) { translateBytecode(t, code) })
}

// Mistakes in bytecode are reported with the section and the byte.
func TestBytecodeMistakes(t *testing.T) {
	codes, _ := archive(t, "testdata/bytecode.tar.gz")
	good := codes["add_uint16_20_20_uint16_20_20@1.17.0.mlirbc"]
	require.NotEmpty(t, good)
	newer := strings.Replace(good, "add_v1\x00", "add_v9\x00", 1)
	for _, c := range []struct{ code, want string }{
		{"ML\xefR", "module:header byte 4: stablehlo: the section header ends too early; the file is damaged or incomplete, copy or export it again"},
		{"ML\xefR\x13", "version 9 of MLIR's bytecode is newer than this reader"},
		{good[:len(good)/2], "bytes, the file has"},
		{"ML\xefR\x0dStableHLO\x00", "the section strings is missing; the file is damaged or incomplete, copy or export it again"},
		{newer, "the operation vhlo.add_v9 is not known, or newer than this reader; serialize for an older version of StableHLO"},
	} {
		_, err := stablehlo.Read("module", c.code)
		if assert.Error(t, err) {
			assert.Contains(t, err.Error(), c.want)
		}
	}
}

// An operation that is refused is named with its byte.
func TestBytecodeOperationMistake(t *testing.T) {
	codes, _ := archive(t, "testdata/bytecode.tar.gz")
	code := codes["add_uint16_20_20_uint16_20_20@1.17.0.mlirbc"]
	m, err := stablehlo.Read("f.mlirbc", strings.Replace(code, "add_v1\x00", "cos_v1\x00", 1))
	assert.ErrorContains(t, err, "f.mlirbc:operations byte ")
	assert.Nil(t, m)
}
