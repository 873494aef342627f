package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link is a name between brackets in a comment: [Name], [Type.Member], [package.Name] or [package.Type.Member].
var link = regexp.MustCompile(`(?:^|[\s(])\[\*?(?:([a-z]\w*)\.)?([A-Z]\w{2,})(?:\.([A-Z]\w*))?\](?:$|[^\w\[(:])`)

// Links in comments lead to names that there are.
func TestLinksInComments(t *testing.T) {
	root, _ := pages(t)
	folders := map[string][]string{} // by the package's name
	var all []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); path != root && strings.HasPrefix(name, ".") || name == "testdata" {
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if len(files) > 0 {
			all = append(all, path)
			folders[filepath.Base(path)] = append(folders[filepath.Base(path)], path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	folders["weft"] = append(folders["weft"], root)
	cache := map[string]map[string]bool{}
	names := func(dir string) map[string]bool {
		if cache[dir] == nil {
			cache[dir] = declared(t, dir)
		}
		return cache[dir]
	}
	looked := 0
	for _, dir := range all {
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range file.Comments {
				for _, m := range link.FindAllStringSubmatch(c.Text(), -1) {
					in := []string{dir}
					if m[1] != "" {
						if in = folders[m[1]]; in == nil {
							continue // of another module
						}
					}
					looked++
					found := false
					for _, d := range in {
						found = found || names(d)[m[2]] && (m[3] == "" || names(d)["."+m[3]])
					}
					if !found && m[2] != "True" && m[2] != "False" { // [True] is an array of Python
						t.Errorf("%v: there is no %s", set.Position(c.Pos()), strings.TrimSpace(m[0]))
					}
				}
			}
		}
	}
	if looked < 500 {
		t.Errorf("only %d links were looked at", looked)
	}
}
