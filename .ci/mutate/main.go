// Mutate changes the library in one place at a time and reports the changes that the fast tests
// do not notice. It is run by hand: it takes hours.
//
//	go run ./.ci/mutate -n 300 -out .ci/mutations.tsv
//
// It breaks comparisons, signs, arithmetic, indices, logic, checks that refuse, and calls of
// operations, in functions chosen evenly over the packages below by a hash of their text. The
// source tree is not changed: the compiler reads the changed file through an overlay. A line of
// the output is a change: its package, place, what was changed, and what became of it: "found",
// "missed" or "does not compile". Changes that the output lists already are not tried again.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// targets are the packages that are changed, with the packages whose tests must notice.
var targets = []struct {
	pkg    string
	tests  []string
	weight int
}{
	{"promote", []string{"./promote"}, 40},
	{"core/prim", []string{"./core/prim", "./transforms"}, 60},
	{"transforms", []string{"./transforms"}, 40},
	{"lower", []string{"./lower"}, 20},
	{"lower/expand", []string{"./lower/expand"}, 25},
	{"lower/kernel", []string{"./lower/kernel"}, 25},
	{"lax", []string{"./lax"}, 25},
	{"random", []string{"./random"}, 25},
	{"internal/nd", []string{"."}, 50},
	{".", []string{"."}, 20},
}

// mutation is one change of one file.
type mutation struct {
	pkg, file, function, what string
	line                      int
	offset, length            int // of the text that is replaced
	text                      string
	tests                     []string
}

func (m mutation) key() string {
	return strings.Join([]string{m.pkg, filepath.Base(m.file), m.function, m.what}, "\t")
}

func (m mutation) hash() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, m.key())
	return h.Sum64()
}

var swaps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.QUO,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// calls are operations and what is called in place of them.
var calls = map[string]string{
	"Add": "Sub", "Sub": "Add", "Mul": "Add", "Div": "Mul", "Max": "Min", "Min": "Max", "Lt": "Le", "Le": "Lt", "Gt": "Ge", "Ge": "Gt",
	"Eq": "Ne", "Ne": "Eq", "And": "Or", "Or": "And", "Sin": "Cos", "Cos": "Sin", "Exp": "Log", "Log": "Exp", "Neg": "Abs",
}

// mutationsOf lists the changes of a file.
func mutationsOf(pkg, file string, tests []string) ([]mutation, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return nil, err
	}
	var out []mutation
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Name.Name == "String" {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			var b bytes.Buffer
			printer.Fprint(&b, fset, fn.Recv.List[0].Type)
			name = b.String() + "." + name
		}
		seen := map[string]int{}
		add := func(at token.Pos, length int, text, what string) {
			seen[what]++
			if n := seen[what]; n > 1 {
				what += " #" + strconv.Itoa(n)
			}
			p := fset.Position(at)
			out = append(out, mutation{pkg: pkg, file: file, function: name, what: what, line: p.Line, offset: p.Offset, length: length, text: text, tests: tests})
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if to, ok := swaps[n.Op]; ok && !isString(n.X) && !isString(n.Y) {
					add(n.OpPos, len(n.Op.String()), to.String(), n.Op.String()+" becomes "+to.String())
				}
			case *ast.CallExpr:
				if isFailure(n) { // messages change nothing
					return false
				}
				if s, ok := n.Fun.(*ast.SelectorExpr); ok {
					if to, ok := calls[s.Sel.Name]; ok {
						if x, ok := s.X.(*ast.Ident); ok && (x.Name == "prim" || x.Name == "b" || x.Name == "nd") {
							add(s.Sel.Pos(), len(s.Sel.Name), to, x.Name+"."+s.Sel.Name+" becomes "+to)
						}
					}
				}
			case *ast.IndexExpr:
				if l, ok := n.Index.(*ast.BasicLit); ok && l.Kind == token.INT && len(l.Value) == 1 {
					to := string('0' + (l.Value[0] - '0') ^ 1)
					add(l.Pos(), 1, to, "index "+l.Value+" becomes "+to)
				}
			case *ast.IfStmt:
				if len(n.Body.List) == 1 {
					if e, ok := n.Body.List[0].(*ast.ExprStmt); ok {
						if c, ok := e.X.(*ast.CallExpr); ok && isFailure(c) {
							at := fset.Position(n.Cond.Pos()).Offset
							cond := string(src[at:fset.Position(n.Cond.End()).Offset])
							add(n.Cond.Pos(), len(cond), "false && ("+cond+")", "check never refuses")
						}
					}
				}
			}
			return true
		})
	}
	return out, nil
}

func isString(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind == token.STRING
}

// isFailure reports whether a call raises an error.
func isFailure(c *ast.CallExpr) bool {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return strings.HasPrefix(f.Sel.Name, "Fail") || strings.HasPrefix(f.Sel.Name, "Refuse") || f.Sel.Name == "Errorf"
	case *ast.Ident:
		return f.Name == "fail" || f.Name == "panic" || strings.HasPrefix(f.Name, "refuse")
	}
	return false
}

// try runs the tests on the changed source.
func try(m mutation, dir string, limit time.Duration) (string, error) {
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed := slices.Concat(src[:m.offset], []byte(m.text), src[m.offset+m.length:])
	file := filepath.Join(dir, "changed.go")
	if err := os.WriteFile(file, changed, 0o644); err != nil {
		return "", err
	}
	at, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {at: file}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return "", err
	}
	for _, t := range m.tests {
		ctx, cancel := context.WithTimeout(context.Background(), limit+time.Minute)
		cmd := exec.CommandContext(ctx, "go", "test", "-short", "-failfast", "-vet=off", "-timeout", limit.String(), "-overlay", list, t)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		text, err := cmd.CombinedOutput()
		cancel()
		switch {
		case bytes.Contains(text, []byte("[build failed]")) || bytes.Contains(text, []byte("[setup failed]")):
			return "does not compile", nil
		case err != nil:
			return "found", nil
		}
	}
	return "missed", nil
}

func main() {
	n := flag.Int("n", 300, "how many changes that compile the output must have")
	out := flag.String("out", ".ci/mutations.tsv", "the file that results are added to")
	limit := flag.Duration("limit", 5*time.Minute, "the time that the tests of one package may take; a change that makes them slower is found")
	only := flag.String("pkg", "", "change this package only")
	list := flag.Bool("list", false, "print the number of changes of each package, and try none")
	flag.Parse()
	if err := run(*n, *out, *only, *limit, *list); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(n int, out, only string, limit time.Duration, list bool) error {
	done := map[string]bool{}
	count := map[string]int{} // of a package: changes that compile
	if text, err := os.ReadFile(out); err == nil {
		s := bufio.NewScanner(bytes.NewReader(text))
		for s.Scan() {
			f := strings.Split(s.Text(), "\t")
			if len(f) < 6 || strings.HasPrefix(f[0], "#") {
				continue
			}
			done[strings.Join(f[:4], "\t")] = true
			if f[5] != "does not compile" {
				count[f[0]]++
			}
		}
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	total, weights := 0, 0
	todo := map[string][]mutation{}
	for _, t := range targets {
		weights += t.weight
		files, err := filepath.Glob(filepath.Join(t.pkg, "*.go"))
		if err != nil {
			return err
		}
		var all []mutation
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			ms, err := mutationsOf(t.pkg, f, t.tests)
			if err != nil {
				return err
			}
			all = append(all, ms...)
		}
		slices.SortFunc(all, func(a, b mutation) int {
			if a.hash() < b.hash() {
				return -1
			}
			return 1
		})
		if list {
			fmt.Printf("%-14s %5d places\n", t.pkg, len(all))
		}
		todo[t.pkg] = all
		total += count[t.pkg]
	}
	if list {
		return nil
	}
	file, err := os.OpenFile(out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	for total < n { // a change of each package in turn, until each has its share
		tried := false
		for _, t := range targets {
			if only != "" && t.pkg != only || count[t.pkg]*weights >= n*t.weight+weights {
				continue
			}
			ms := todo[t.pkg]
			for len(ms) > 0 && done[ms[0].key()] {
				ms = ms[1:]
			}
			if len(ms) == 0 {
				continue
			}
			m := ms[0]
			todo[t.pkg] = ms[1:]
			tried = true
			result, err := try(m, dir, limit)
			if err != nil {
				return err
			}
			if result != "does not compile" {
				count[t.pkg]++
				total++
			}
			fmt.Fprintf(file, "%s\t%d\t%s\n", m.key(), m.line, result)
			if result == "missed" {
				fmt.Printf("missed: %s:%d: %s\n", m.file, m.line, m.what)
			}
		}
		if !tried {
			break
		}
	}
	fmt.Printf("%d changes that compile\n", total)
	return nil
}
