package main

import "testing"

// A compile error removes the mutation on its line, and none in a file of another package that has
// the same name.
func TestWithoutCompileErrors(t *testing.T) {
	places := []place{
		{pkg: "lower/expand", file: "table.go", line: 7},
		{pkg: "lower/reference", file: "table.go", line: 7},
		{pkg: "lower/reference", file: "table.go", line: 8},
		{pkg: ".", file: "jit.go", line: 3},
		{pkg: "lax", file: "jit.go", line: 3},
	}
	for text, want := range map[string]int{
		"# github.com/weft-go/weft/lower/reference\nlower/reference/table.go:7:2: x declared and not used\n": 1,
		"# github.com/weft-go/weft\n./jit.go:3:1: missing return\n":                                          3,
		"/source/lower/expand/table.go:7:9: undefined: y\n":                                                  0,
		"/changed/lower/reference/table.go:8:2: cannot infer T\n":                                            2,
		"../changed/lax/jit.go:3:2: cannot infer T\n":                                                        4,
	} {
		got := without([]string{"/source", "/changed"}, places, []byte(text))
		if len(got) != len(places)-1 {
			t.Errorf("%q: got %d places, want all but one of %d", text, len(got), len(places))
		}
		for _, p := range got {
			if p.key() == places[want].key() && p.line == places[want].line {
				t.Errorf("%q: got %v, want all but it", text, p)
			}
		}
	}
}
