package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A place is a mutation of one place in the source.
type place struct {
	pkg, file, function, change string
	line                        int
	edits                       []edit
}

// An edit replaces the text from offset to end of a file. The text contains %d for the mutation's
// number. Edits at the same offset open outer expressions before inner ones.
type edit struct {
	offset, end int
	text        string
	depth       int // of the node in the syntax tree; negative for a closing part
}

func (p place) key() string {
	return strings.Join([]string{p.pkg, p.file, p.function, p.change}, "\t")
}

// hash returns the text by which places are put in a random order.
func (p place) hash() string {
	h := sha256.Sum256([]byte("1\t" + p.key()))
	return hex.EncodeToString(h[:])
}

// A listed package is what go list prints of it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

func findPlaces() ([]place, error) {
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles"}
	for _, t := range targets {
		args = append(args, "./"+t.pkg)
	}
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	packages := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		packages[p.ImportPath] = p
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(packages[path].Export) })
	var out []place
	for _, t := range targets {
		p := packages[strings.TrimSuffix(module+"/"+t.pkg, "/.")]
		var files []*ast.File
		var sources [][]byte
		for _, name := range p.GoFiles {
			src, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			files, sources = append(files, f), append(sources, src)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		conf := types.Config{Importer: imports}
		checked, err := conf.Check(p.ImportPath, fset, files, info)
		if err != nil {
			return nil, err
		}
		for i, f := range files {
			v := &finder{pkg: t.pkg, file: p.GoFiles[i], fset: fset, src: sources[i], info: info, types: checked}
			for _, d := range f.Decls {
				v.declaration(d)
			}
			out = append(out, v.out...)
		}
	}
	return out, nil
}

// rewrite returns a file's text with its mutations; numbers are those of the places.
func rewrite(src []byte, places []place, numbers []int) []byte {
	var edits []edit
	for i, p := range places {
		for _, e := range p.edits {
			if strings.Contains(e.text, "%d") {
				e.text = fmt.Sprintf(e.text, numbers[i])
			}
			edits = append(edits, e)
		}
	}
	// Closing parts come before opening ones, inner closing parts and outer opening parts first.
	// Parts of one node nest in the order of the places.
	order := func(d int) int {
		if d < 0 {
			return d - 1<<20 // closes: the deepest first
		}
		return d
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(order(a.depth), order(b.depth)))
	})
	for from := 0; from < len(edits); { // the closing parts of one node in the reverse order
		to := from + 1
		for to < len(edits) && edits[to].offset == edits[from].offset && edits[to].depth == edits[from].depth {
			to++
		}
		if edits[from].depth < 0 {
			slices.Reverse(edits[from:to])
		}
		from = to
	}
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.offset]...), e.text...)
		at = e.end
	}
	return append(out, src[at:]...)
}
