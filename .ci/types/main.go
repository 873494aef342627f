// Types checks the packages of the module in the working directory for other systems, as the compiler would, without compiling them:
//
//	types windows/amd64 linux/386
//
// It checks the packages and all that they import with each system's files and int sizes, including the bodies of the module's functions.
// It does not see assembly, and errors that only the linker finds.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct{ Main bool }
	Error           *struct{ Err string }
}

func main() {
	status := 0
	for _, system := range os.Args[1:] {
		errs := check(".", system)
		for i, err := range errs {
			if i == 20 {
				fmt.Printf("%s: and %d more\n", system, len(errs)-i)
				break
			}
			fmt.Printf("%s: %v\n", system, err)
		}
		if len(errs) > 0 {
			status = 1
		}
	}
	os.Exit(status)
}

// check type-checks the module in dir for a system such as "linux/386".
func check(dir, system string) (errs []error) {
	goos, goarch, ok := strings.Cut(system, "/")
	sizes := types.SizesFor("gc", goarch)
	if !ok || sizes == nil {
		return []error{errors.New("no such system; name one such as linux/386")}
	}
	packages, err := list(dir, goos, goarch)
	if err != nil {
		return []error{err}
	}
	fset := token.NewFileSet()
	done := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, p := range packages { // each after those that it imports
		if p.ImportPath == "unsafe" {
			continue
		}
		own := p.Module != nil && p.Module.Main
		report := func(err error) {
			if own {
				errs = append(errs, err)
			}
		}
		if p.Error != nil {
			errs = append(errs, errors.New(p.Error.Err))
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				report(err)
				continue
			}
			files = append(files, f)
		}
		config := types.Config{
			Error:            report,
			Sizes:            sizes,
			IgnoreFuncBodies: !own,
			Importer: importer(func(path string) (*types.Package, error) {
				if q := p.ImportMap[path]; q != "" {
					path = q
				}
				if q := done[path]; q != nil {
					return q, nil
				}
				return nil, fmt.Errorf("package %s was not listed", path)
			}),
		}
		done[p.ImportPath], _ = config.Check(p.ImportPath, fset, files, nil) // what is wrong was reported
	}
	return errs
}

// list returns the module's packages and all that they import on that system.
func list(dir, goos, goarch string) (all []listed, err error) {
	c := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Module,Error", "./...")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOWORK=off")
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
