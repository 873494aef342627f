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
	"strconv"
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

// key returns what identifies the place in the list.
func (p place) key() string {
	return strings.Join([]string{p.pkg, p.file, p.function, p.change}, "\t")
}

// hash returns the text that orders places by chance.
func (p place) hash() string {
	h := sha256.Sum256([]byte("1\t" + p.key()))
	return hex.EncodeToString(h[:])
}

// A listed package is what go list prints of it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// findPlaces lists the places of all targets.
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

// A finder finds the places of a file.
type finder struct {
	pkg, file, function string
	fset                *token.FileSet
	src                 []byte
	info                *types.Info
	types               *types.Package
	seen                map[string]int // how often a change occurred in the function
	out                 []place
}

// declaration finds the places of functions and of function literals in variables.
func (v *finder) declaration(d ast.Decl) {
	v.seen = map[string]int{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		v.function = d.Name.Name
		if d.Recv != nil {
			v.function = v.text(d.Recv.List[0].Type) + "." + v.function
		}
		if d.Body != nil && d.Name.Name != "String" {
			v.body(d.Body)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				v.function = s.Names[0].Name
				for _, x := range s.Values {
					ast.Inspect(x, func(n ast.Node) bool {
						l, ok := n.(*ast.FuncLit)
						if ok {
							v.body(l.Body)
						}
						return !ok
					})
				}
			}
		}
	}
}

func (v *finder) offset(p token.Pos) int { return v.fset.Position(p).Offset }

// text returns the source of a node on one line.
func (v *finder) text(n ast.Node) string {
	return strings.Join(strings.Fields(string(v.src[v.offset(n.Pos()):v.offset(n.End())])), " ")
}

// add adds a place where node n becomes text.
func (v *finder) add(n ast.Node, text string, edits ...edit) {
	change := v.text(n) + " => " + text
	v.seen[change]++
	if k := v.seen[change]; k > 1 {
		change += " #" + strconv.Itoa(k)
	}
	v.out = append(v.out, place{v.pkg, v.file, v.function, change, v.fset.Position(n.Pos()).Line, edits})
}

// around returns the edits that write text before and after a node.
func (v *finder) around(n ast.Node, depth int, before, after string) []edit {
	from, to := v.offset(n.Pos()), v.offset(n.End())
	return []edit{{from, from, before, depth}, {to, to, after, -depth}}
}

// body finds the places of a function's body.
func (v *finder) body(b *ast.BlockStmt) {
	v.node(b, 1)
	v.walk(b, 2)
}

// walk finds the places below a node.
func (v *finder) walk(root ast.Node, depth int) {
	if root == nil {
		return
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if n == root || n == nil {
			return true
		}
		if call, ok := n.(*ast.CallExpr); ok && isFailure(call) {
			return false // the text of a message
		}
		v.node(n, depth)
		v.walk(n, depth+1)
		return false
	})
}

var boundaries = map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}
var negations = map[token.Token]string{token.LSS: ">=", token.LEQ: ">", token.GTR: "<=", token.GEQ: "<", token.EQL: "!=", token.NEQ: "=="}
var arithmetic = map[token.Token]string{token.ADD: "-", token.SUB: "+", token.MUL: "+", token.QUO: "*", token.REM: "/"}
var helpers = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Quo", token.REM: "Rem",
	token.LSS: "Lss", token.LEQ: "Leq", token.GTR: "Gtr", token.GEQ: "Geq",
}

// swapped are operations and what is called in their place.
var swapped = map[string]string{
	"Add": "Sub", "Sub": "Add", "Mul": "Add", "Div": "Mul", "Max": "Min", "Min": "Max", "Lt": "Le", "Le": "Lt", "Gt": "Ge", "Ge": "Gt",
	"Eq": "Ne", "Ne": "Eq", "And": "Or", "Or": "And", "Sin": "Cos", "Cos": "Sin", "Sinh": "Cosh", "Cosh": "Sinh", "Exp": "Log", "Log": "Exp",
	"Neg": "Abs", "Abs": "Neg", "Re": "Im", "Im": "Re", "Real": "Imag", "Imag": "Real", "ShlN": "ShrN", "ShrN": "ShlN", "Floor": "Ceil", "Ceil": "Floor",
}

// node finds the places of one node.
func (v *finder) node(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		v.binary(n, depth)
	case *ast.UnaryExpr:
		if t := v.info.Types[n]; n.Op == token.NOT && t.Value == nil {
			v.add(n, v.text(n.X), v.around(n, depth, "(", " != mutant.On(%d))")...)
		}
	case *ast.CallExpr:
		v.call(n, depth)
	case *ast.IndexExpr:
		switch v.info.TypeOf(n.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer:
			v.index(n, n.Index)
		}
	case *ast.SliceExpr:
		v.index(n, n.Low)
	case *ast.ReturnStmt:
		for _, x := range n.Results {
			if id, ok := x.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") && v.info.TypeOf(x) != nil {
				v.add(n, "!"+id.Name, v.around(x, depth, "(", " != mutant.On(%d))")...)
			}
		}
	case *ast.IfStmt:
		if len(n.Body.List) == 1 {
			if e, ok := n.Body.List[0].(*ast.ExprStmt); ok {
				if c, ok := e.X.(*ast.CallExpr); ok && isFailure(c) {
					v.add(n.Cond, "never refuses", v.around(n.Cond, depth, "!mutant.On(%d) && (", ")")...)
				}
			}
		}
	case *ast.BlockStmt:
		v.statements(n.List, depth)
	case *ast.CaseClause:
		v.statements(n.Body, depth)
	}
}

func (v *finder) binary(n *ast.BinaryExpr, depth int) {
	t := v.info.Types[n]
	if t.Value != nil {
		return
	}
	from, to := v.offset(n.OpPos), v.offset(n.OpPos)+len(n.Op.String())
	other := func(op string) string { return v.text(n.X) + " " + op + " " + v.text(n.Y) }
	helper := func(op string) {
		e := v.around(n, depth, "mutant."+helpers[n.Op]+"(%d, ", ")")
		v.add(n, other(op), append(e, edit{from, to, ",", 0})...)
	}
	if op, ok := negations[n.Op]; ok {
		v.add(n, other(op), v.around(n, depth, "((", ") != mutant.On(%d))")...)
	}
	if op, ok := boundaries[n.Op]; ok {
		helper(op)
	}
	if op, ok := arithmetic[n.Op]; ok {
		if b, ok := t.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			helper(op)
		}
	}
	if op, ok := map[token.Token]string{token.LAND: "||", token.LOR: "&&"}[n.Op]; ok { // by De Morgan's law
		e := v.around(n.X, depth+1, "((", ") != mutant.On(%d))")
		e = append(e, v.around(n.Y, depth+1, "((", ") != mutant.On(%d))")...)
		e = append(e, v.around(n, depth, "((", ") != mutant.On(%d))")...)
		v.add(n, other(op), e...)
	}
}

// call finds a call of an operation that another operation of the same signature may replace.
func (v *finder) call(n *ast.CallExpr, depth int) {
	var id *ast.Ident
	prefix := ""
	var scope types.Type
	switch f := n.Fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		if strings.Contains(v.text(f.X), "(") {
			return
		}
		id, prefix = f.Sel, v.text(f.X)+"."
		scope = v.info.TypeOf(f.X)
	default:
		return
	}
	lower := id.Name == strings.ToLower(id.Name[:1])+id.Name[1:]
	to, ok := swapped[strings.ToUpper(id.Name[:1])+id.Name[1:]]
	used := v.info.Uses[id]
	if !ok || used == nil {
		return
	}
	if lower {
		to = strings.ToLower(to[:1]) + to[1:]
	}
	var with types.Object
	if sig, ok := used.Type().(*types.Signature); ok && sig.Recv() != nil {
		with, _, _ = types.LookupFieldOrMethod(scope, true, v.types, to)
	} else if used.Pkg() != nil {
		with = used.Pkg().Scope().Lookup(to)
	}
	if with == nil || !types.Identical(with.Type(), used.Type()) {
		return
	}
	v.add(n, prefix+to, v.around(n.Fun, depth, "mutant.Pick(%d, ", ", "+prefix+to+")")...)
}

// index finds an index or a bound that is the constant 0 or 1.
func (v *finder) index(n ast.Node, x ast.Expr) {
	if l, ok := x.(*ast.BasicLit); ok && (l.Value == "0" || l.Value == "1") {
		at := v.offset(l.End())
		v.add(n, "other index than "+l.Value, edit{at, at, "^mutant.Bit(%d)", 0})
	}
}

// statements finds assignments and calls that may be left out.
func (v *finder) statements(list []ast.Stmt, depth int) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if c, ok := s.X.(*ast.CallExpr); !ok || isFailure(c) || strings.Contains(v.text(c.Fun), "ock") {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || v.text(s.Lhs[0]) == "_" {
				continue
			}
		default:
			continue
		}
		if len(v.text(s)) < 100 {
			v.add(s, "left out", v.around(s, depth, "if !mutant.On(%d) { ", " }")...)
		}
	}
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
