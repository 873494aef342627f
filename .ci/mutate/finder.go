package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

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

func (v *finder) body(b *ast.BlockStmt) {
	v.node(b, 1)
	v.walk(b, 2)
}

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

// swapped has the operations that are called in place of others.
var swapped = map[string]string{
	"Add": "Sub", "Sub": "Add", "Mul": "Add", "Div": "Mul", "Max": "Min", "Min": "Max", "Lt": "Le", "Le": "Lt", "Gt": "Ge", "Ge": "Gt",
	"Eq": "Ne", "Ne": "Eq", "And": "Or", "Or": "And", "Sin": "Cos", "Cos": "Sin", "Sinh": "Cosh", "Cosh": "Sinh", "Exp": "Log", "Log": "Exp",
	"Neg": "Abs", "Abs": "Neg", "Re": "Im", "Im": "Re", "Real": "Imag", "Imag": "Real", "ShlN": "ShrN", "ShrN": "ShlN", "Floor": "Ceil", "Ceil": "Floor",
}

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

func isFailure(c *ast.CallExpr) bool {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return strings.HasPrefix(f.Sel.Name, "Fail") || strings.HasPrefix(f.Sel.Name, "Refuse") || f.Sel.Name == "Errorf"
	case *ast.Ident:
		return f.Name == "fail" || f.Name == "panic" || strings.HasPrefix(f.Name, "refuse")
	}
	return false
}
