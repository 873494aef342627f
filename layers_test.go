package weft_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The house: a package imports only packages of floors below its own, or those named
// behind its arrow. A new arrow is a change of the design.
const house = `
8: examples/... cmd/... bench
7: . lax nn custom random optim data ode linalg fft special stats stablehlo image mesh tree wefttest
6: runtime runtime/... internal/...
5: transforms lower lower/...
4: trace
3: core/prim
2: promote jaxpr
1: core core/tree core/elem internal/npy internal/proflabel

lax -> .
nn custom random optim data ode linalg fft special stats stablehlo image mesh tree wefttest -> . lax
random ode linalg special stats -> custom
nn -> random
stats -> special
core/tree core/elem -> core
core/prim/primtest -> core/prim
cmd/... -> cmd/...
examples/... -> examples/curve examples/handwriting
lower lower/... -> lower/...
runtime/... -> runtime runtime/...
internal/... -> runtime internal/...
`

const module = "github.com/weft-go/weft"

func TestLayers(t *testing.T) {
	floor := map[string]int{}
	var allowed [][2]string
	for line := range strings.SplitSeq(strings.TrimSpace(house), "\n") {
		if from, to, ok := strings.Cut(line, " -> "); ok {
			for _, f := range strings.Fields(from) {
				for _, p := range strings.Fields(to) {
					allowed = append(allowed, [2]string{f, p})
				}
			}
		} else if n, rooms, ok := strings.Cut(line, ": "); ok {
			level, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range strings.Fields(rooms) {
				floor[r] = level
			}
		}
	}
	matches := func(pattern, pkg string) bool {
		if p, ok := strings.CutSuffix(pattern, "/..."); ok {
			return pkg == p || strings.HasPrefix(pkg, p+"/")
		}
		return pattern == pkg
	}
	floorOf := func(pkg string) int {
		best, level := "", 0
		for pattern, n := range floor {
			if (matches(pattern, pkg) || strings.HasPrefix(pkg, pattern+"/")) && len(pattern) > len(best) {
				best, level = pattern, n
			}
		}
		return level
	}
	checked := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		own := floorOf(pkg)
		if own == 0 {
			t.Errorf("package %s stands on no floor of the house", pkg)
		}
		for _, imp := range f.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			rest, ok := strings.CutPrefix(name, module)
			if !ok {
				continue
			}
			rest = strings.TrimPrefix(rest, "/")
			if rest == "" {
				rest = "."
			}
			checked++
			if floorOf(rest) < own {
				continue
			}
			ok = false
			for _, a := range allowed {
				ok = ok || matches(a[0], pkg) && matches(a[1], rest)
			}
			if !ok {
				t.Errorf("%s: %s (floor %d) imports %s (floor %d), which is not below it", file, pkg, own, rest, floorOf(rest))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked == 0 {
		t.Fatal("no import was checked")
	}
}
