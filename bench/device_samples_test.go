package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sampledTests returns the tests of a folder that run a share of their samples on a device, by the stride: 40
// means one sample of 40. They call functions of package samples, directly or through functions of the folder.
func sampledTests(folder string) (map[int][]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	calls, few := map[string]map[string]bool{}, map[string]int{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Body == nil {
				continue
			}
			name := fn.Name.Name
			calls[name] = map[string]bool{}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					calls[name][id.Name] = true
				}
				if stride := sampleStride(n); stride > 0 {
					few[name] = max(few[name], stride)
				}
				return true
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for name, called := range calls {
			for c := range called {
				if few[c] > few[name] {
					few[name], changed = few[c], true
				}
			}
		}
	}
	tests := map[int][]string{}
	for _, name := range slices.Sorted(maps.Keys(few)) {
		if strings.HasPrefix(name, "Test") {
			tests[few[name]] = append(tests[few[name]], name)
		}
	}
	return tests, nil
}

// sampleStride returns 40 for the call samples.Of(t, all, 40), 0 for others.
func sampleStride(n ast.Node) int {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return 0
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name == "Whole" {
		return 0
	}
	if x, ok := f.X.(*ast.Ident); !ok || x.Name != "samples" {
		return 0
	}
	if few, ok := call.Args[len(call.Args)-1].(*ast.BasicLit); ok {
		stride, _ := strconv.Atoi(few.Value)
		return stride
	}
	return 0
}

// TestPrintSampledTests prints the tests of the folders in WEFT_FOLDERS that run a share of their samples on a
// device, for bench/gpu.sh, which runs all of their samples.
func TestPrintSampledTests(t *testing.T) {
	if os.Getenv("WEFT_FOLDERS") == "" {
		t.Skip("WEFT_FOLDERS names no folders")
	}
	for _, folder := range strings.Fields(os.Getenv("WEFT_FOLDERS")) {
		tests, err := sampledTests(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, few := range slices.Sorted(maps.Keys(tests)) {
			fmt.Println("sampled", folder, few, strings.Join(tests[few], "|"))
		}
	}
}

func TestSampledTests(t *testing.T) {
	tests, err := sampledTests("../transforms")
	if err != nil {
		t.Fatal(err)
	}
	for few, want := range map[int]string{40: "TestLawBatch", 8: "TestPackedResiduals"} {
		if !slices.ContainsFunc(tests[few], func(name string) bool { return strings.HasPrefix(name, want) }) {
			t.Errorf("one of %d: got %v, want %s", few, tests[few], want)
		}
	}
	if slices.Contains(tests[40], "TestProgramsOnDevices") {
		t.Errorf("TestProgramsOnDevices runs no samples")
	}
}
