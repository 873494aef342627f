// Package vocabulary finds the words of core/prim and the packages under it in their source: it
// generates the tables by which the parser finds a primitive, and shows tests where a primitive is
// declared.
package vocabulary

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Primitive is a declared operation: an exported type with a method Name.
type Primitive struct {
	Type string
	Pos  token.Position // of the type; the file without its folder
	// Words are its names in text, each with the expression whose method read reads it;
	// the expression is "" where another type reads the word.
	Words []Word
	reads bool
	empty bool // no fields but embedded structs
}

// A Word is a name in text.
type Word struct{ Name, Receiver string }

// directive begins a line of a type's comment that selects one of several words:
// its name and the value whose method read reads it, or - for none.
const directive = "//prim:word "

// FindAll returns the primitives of core/prim, whose folder is dir, and of the packages under it.
// Positions have the folder within the module.
func FindAll(dir string) ([]Primitive, error) {
	var out []Primitive
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		ps, err := Find(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, name)
		for _, p := range ps {
			p.Pos.Filename = path.Join("core/prim", filepath.ToSlash(below), p.Pos.Filename)
			out = append(out, p)
		}
		return err
	})
	return out, err
}

// Find returns the primitives that the Go files of a folder declare, by position.
func Find(dir string) ([]Primitive, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	types := map[string]*Primitive{}
	names := map[string]string{}
	named, reads := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if t, ok := s.(*ast.TypeSpec); ok && t.Name.IsExported() {
						doc := t.Doc
						if doc == nil {
							doc = d.Doc
						}
						types[t.Name.Name] = declared(set, t, doc)
					}
				}
			case *ast.FuncDecl:
				recv := receiver(d)
				switch d.Name.Name {
				case "Name":
					named[recv] = true
					names[recv] = literal(d)
				case "read":
					reads[recv] = true
				}
			}
		}
	}
	var out []Primitive
	for name, p := range types {
		if !named[name] {
			continue
		}
		p.reads = reads[name]
		if len(p.Words) == 0 && names[name] != "" {
			p.Words = []Word{{names[name], name + "{}"}}
		}
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Primitive) int {
		if a.Pos.Filename != b.Pos.Filename {
			return strings.Compare(a.Pos.Filename, b.Pos.Filename)
		}
		return a.Pos.Line - b.Pos.Line
	})
	return out, nil
}

func declared(set *token.FileSet, t *ast.TypeSpec, doc *ast.CommentGroup) *Primitive {
	p := &Primitive{Type: t.Name.Name, Pos: set.Position(t.Pos()), empty: true}
	p.Pos.Filename = filepath.Base(p.Pos.Filename)
	if s, ok := t.Type.(*ast.StructType); ok {
		for _, f := range s.Fields.List {
			name, ok := embedded(f)
			p.empty = p.empty && ok && !ast.IsExported(name)
		}
	}
	if doc == nil {
		return p
	}
	for _, c := range doc.List {
		if text, ok := strings.CutPrefix(c.Text, directive); ok {
			name, receiver, _ := strings.Cut(text, " ")
			p.Words = append(p.Words, Word{name, receiver})
		}
	}
	return p
}

// embedded returns the name of an embedded field's type. Those that are not exported, such as
// unary[D], have no fields.
func embedded(f *ast.Field) (name string, ok bool) {
	if len(f.Names) > 0 {
		return "", false
	}
	switch t := f.Type.(type) {
	case *ast.Ident:
		return t.Name, true
	case *ast.IndexExpr:
		if id, ok := t.X.(*ast.Ident); ok {
			return id.Name, true
		}
	}
	return "", false
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	id, _ := t.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

// literal returns the string that a method returns, "" if it does more.
func literal(d *ast.FuncDecl) string {
	if len(d.Body.List) == 1 {
		if r, ok := d.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
			if l, ok := r.Results[0].(*ast.BasicLit); ok {
				s, _ := strconv.Unquote(l.Value)
				return s
			}
		}
	}
	return ""
}

// Generate returns the source of vocabulary.go for the primitives of a folder, in the package of
// that name. A type that cannot be read is an error with its file and line.
func Generate(dir, pkg string) ([]byte, error) {
	ps, err := Find(dir)
	if err != nil {
		return nil, err
	}
	var lines []string
	at := map[string]Primitive{}
	for _, p := range ps {
		if len(p.Words) == 0 {
			return nil, fmt.Errorf("%v: %s has no word; return a string literal from Name, or write lines %sNAME RECEIVER above the type", p.Pos, p.Type, directive)
		}
		for _, w := range p.Words {
			if w.Receiver == "" {
				continue
			}
			if other, twice := at[w.Name]; twice {
				return nil, fmt.Errorf("%v: the word %s of %s is that of %s (%v); rename one", p.Pos, w.Name, p.Type, other.Type, other.Pos)
			}
			at[w.Name] = p
			switch {
			case p.reads:
				lines = append(lines, fmt.Sprintf("%q: %s.read,", w.Name, w.Receiver))
			case p.empty:
				lines = append(lines, fmt.Sprintf("%q: rule.Word(%s),", w.Name, w.Receiver))
			default:
				return nil, fmt.Errorf("%v: %s has parameters and no method read; add func (%s) read(*jaxpr.ParamReader) core.Primitive", p.Pos, p.Type, p.Type)
			}
		}
	}
	slices.Sort(lines)
	imports := []string{"github.com/weft-go/weft/jaxpr"}
	if slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, ": rule.") }) {
		imports = slices.Insert(imports, 0, "github.com/weft-go/weft/core/prim/internal/rule")
	}
	var b bytes.Buffer
	b.WriteString("// Code generated by go generate; DO NOT EDIT.\n\npackage " + pkg + "\n\nimport (\n")
	for _, p := range imports {
		fmt.Fprintf(&b, "%q\n", p)
	}
	if pkg == "prim" {
		b.WriteString(")\n\n// Vocabulary is the operations of this package by name. The packages under it register theirs with [jaxpr.Register].\n")
	} else {
		b.WriteString(")\n\nfunc init() { jaxpr.Register(Vocabulary) }\n\n// Vocabulary is the operations of this package by name. A program that imports the package can parse them.\n")
	}
	b.WriteString("var Vocabulary = jaxpr.Vocabulary{\n")
	for _, l := range lines {
		b.WriteString("\t" + l + "\n")
	}
	b.WriteString("}\n")
	return format.Source(b.Bytes())
}
