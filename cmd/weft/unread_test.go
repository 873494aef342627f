package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weft-go/weft/cmd/weft/internal/input"
)

// An error of reading a file names it once, whether the file is a text, a module or bytecode.
func TestUnreadFileNamedOnce(t *testing.T) {
	t.Setenv(input.Variable, "100000")
	for name, head := range map[string]string{"text": "", "module": "func.func @main() {", "bytecode": "ML\xefR"} {
		path := filepath.Join(t.TempDir(), name)
		assert.NoError(t, os.WriteFile(path, []byte(head+strings.Repeat(" ", 200000)), 0o666))
		for _, words := range []string{"fmt", "check", "show", "eval", "lower --to stablehlo", "grad"} {
			status, out, errs := weft(t, "", append(strings.Fields(words), path)...)
			assert.Equal(t, wrong, status, words)
			assert.Empty(t, out, words)
			assert.Equal(t, "weft: "+path+": input too large (more than 100000 bytes); set WEFT_MAX_BYTES to read more\n", errs, "%s %s", words, name)
		}
	}
}
