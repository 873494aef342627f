package executors_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/weft-go/weft"

// Tests that link the runtime link executors to select, too: by the library's root, or by this
// package.
func TestTestsImportExecutors(t *testing.T) {
	links := linker(t)
	tests := map[string]map[string]bool{} // by folder, what its tests import
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, noModule := os.Stat(filepath.Join(path, "go.mod"))
			if name := d.Name(); path != "../../.." && (noModule == nil || name == "testdata" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, "_test.go") {
			dir := filepath.ToSlash(filepath.Join(module, strings.TrimPrefix(filepath.Dir(path), "../../..")))
			if tests[dir] == nil {
				tests[dir] = map[string]bool{dir: true}
			}
			for _, name := range imports(t, path) {
				tests[dir][name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, dir := range slices.Sorted(maps.Keys(tests)) {
		linked := map[string]bool{}
		for name := range tests[dir] {
			maps.Copy(linked, links(name))
		}
		if !linked[module+"/runtime"] {
			continue
		}
		found++
		if !linked[module] && !linked[module+"/internal/test/executors"] {
			t.Errorf("the tests of %s link the runtime without executors to select; import %s/internal/test/executors there", dir, module)
		}
	}
	if found < 50 {
		t.Errorf("only %d packages with tests that link the runtime were found", found)
	}
}

// linker returns a function that returns a package of the module and those that it links.
func linker(t *testing.T) func(name string) map[string]bool {
	memo := map[string]map[string]bool{}
	var links func(name string) map[string]bool
	links = func(name string) map[string]bool {
		if name != module && !strings.HasPrefix(name, module+"/") {
			return nil
		}
		if all, ok := memo[name]; ok {
			return all
		}
		all := map[string]bool{name: true}
		memo[name] = all
		files, err := filepath.Glob(filepath.Join("../../..", strings.TrimPrefix(name, module), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, next := range imports(t, file) {
				maps.Copy(all, links(next))
			}
		}
		return all
	}
	return links
}

// imports returns what a file imports.
func imports(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range f.Imports {
		name, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}
