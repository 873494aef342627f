package weft_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// statements are the families of statements that the project must hold, with how
// many each has: on type promotion (P), on MAX (M), on anvil (A), on custom derivatives
// (J), on their arguments that are not differentiated (V), on staging everything (O).
var statements = map[string]int{"P": 40, "M": 8, "A": 8, "J": 29, "V": 8, "O": 8}

var statementRef = regexp.MustCompile(`\b([A-Z])-(\d+)(?: to ([A-Z])-(\d+))?`)

// Every statement is held by a test that names it in a comment.
func TestEveryStatementIsTested(t *testing.T) {
	files := map[string]map[string]bool{} // statement → the test files that name it
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, "_test.go") || file == "statements_test.go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, c := range f.Comments {
			for name := range named(c.Text()) {
				if files[name] == nil {
					files[name] = map[string]bool{}
				}
				files[name][filepath.ToSlash(file)] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range slices.Sorted(maps.Keys(statements)) {
		for i := range statements[family] {
			name := fmt.Sprintf("%s-%d", family, i+1)
			if len(files[name]) == 0 {
				t.Errorf("no test names %s", name)
			}
			t.Logf("%-5s %s", name, strings.Join(slices.Sorted(maps.Keys(files[name])), " "))
		}
	}
}

// named are the statements that a comment names, ranges written out.
func named(comment string) map[string]bool {
	names := map[string]bool{}
	for _, m := range statementRef.FindAllStringSubmatch(strings.ReplaceAll(comment, "\n", " "), -1) {
		lo, _ := strconv.Atoi(m[2])
		hi := lo
		if m[3] == m[1] {
			hi, _ = strconv.Atoi(m[4])
		}
		for n := lo; n <= hi; n++ {
			names[fmt.Sprintf("%s-%d", m[1], n)] = true
		}
	}
	return names
}

func TestNamed(t *testing.T) {
	got := slices.Sorted(maps.Keys(named("P-1, P-3 to\nP-5: and M-2. UTF-8 XA-4 is none.")))
	if strings.Join(got, " ") != "M-2 P-1 P-3 P-4 P-5" {
		t.Error(got)
	}
}
