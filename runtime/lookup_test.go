package runtime

import (
	"strings"
	"testing"
)

// The error of a device whose package a program does not import names the package.
func TestLookupNamesThePackage(t *testing.T) {
	for name, want := range map[string]string{
		"cuda:0": `import _ "github.com/weft-go/weft/runtime/cuda"`, "opencl": `import _ "github.com/weft-go/weft/runtime/opencl"`,
		"": "import the package that contains it", "cudas:0": "import the package that contains it",
	} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s in it", name, err, want)
		}
	}
}
