package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A block is a fenced piece of a page.
type block struct {
	page  string // its file's name
	line  int    // where the fence stands
	kind  string // what stands behind the fence
	given string // parameters of the function that a "go" block is the body of
	text  string
}

var fence = regexp.MustCompile("(?ms)(?:^<!-- given: ([^\n]*?) -->\n)?^```([^\n]*)\n(.*?)^```$")

// blocksOf returns the blocks of a page.
//
//	go run    the body of a function, which the test runs: what stands behind "// prints: " must be printed
//	go        a file, if it begins with a package clause, or the body of a function, whose parameters
//	          stand in the comment "<!-- given: x weft.Array -->" before it; the test compiles it.
//	          Lines of the module are "<!-- given: in FILE -->", and what a reader adds to it is
//	          "<!-- given: after FILE: LINE -->"
//	sh        commands; those of weft are run
func blocksOf(page string) ([]block, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	var blocks []block
	for _, m := range fence.FindAllSubmatchIndex(text, -1) {
		part := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return string(text[m[2*i]:m[2*i+1]])
		}
		line := 1 + strings.Count(string(text[:m[4]]), "\n")
		blocks = append(blocks, block{page: filepath.Base(page), line: line, kind: part(2), given: part(1), text: part(3)})
	}
	return blocks, nil
}

var packages = map[string]string{
	"bytes": "bytes", "context": "context", "errors": "errors", "fmt": "fmt", "http": "net/http", "httptest": "net/http/httptest", "io": "io", "iter": "iter",
	"json": "encoding/json", "log": "log", "math": "math", "strings": "strings", "time": "time",
	"weft": module, "core": module + "/core", "custom": module + "/custom", "data": module + "/data", "fft": module + "/fft",
	"jaxpr": module + "/jaxpr", "lax": module + "/lax", "linalg": module + "/linalg", "mesh": module + "/mesh", "mpi": module + "/runtime/mpi", "nn": module + "/nn", "ode": module + "/ode",
	"onnx": module + "/onnx", "optim": module + "/optim", "promote": module + "/promote", "random": module + "/random",
	"special": module + "/special", "stablehlo": module + "/stablehlo", "stats": module + "/stats",
}

const module = "github.com/weft-go/weft"

// imports returns an import declaration of the packages that the code names.
func imports(code string) string {
	var b strings.Builder
	for name, path := range packages {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(code) {
			b.WriteString("import \"" + path + "\"\n")
		}
	}
	return b.String()
}
