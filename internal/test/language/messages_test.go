package language

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Messages are of the form "op: problem (got, want); fix": they begin in lower case and end
// without a full stop, because an operation stands before them and a position may follow.
// Messages are what FailOp, Failf, fmt.Errorf, errors.New, panic, and functions of a package that
// take a format to fail with it receive, as literals, constants, or sums of them, and the field Msg of
// an Error that is written out.
func TestMessages(t *testing.T) {
	fset, files := goFiles(t)
	packages := map[string][]*ast.File{}
	for file, f := range files {
		if !strings.HasSuffix(file, "_test.go") {
			packages[path.Dir(file)] = append(packages[path.Dir(file)], f)
		}
	}
	n := 0
	for _, files := range packages {
		m := messagesOf(files)
		for call, text := range m.all() {
			n++
			if why := faulty(text); why != "" {
				t.Errorf("%s: the message %q %s", fset.Position(call.Pos()), text, why)
			}
		}
	}
	if n < 1500 {
		t.Errorf("only %d messages were found", n)
	}
}

// messages finds the messages of a package.
type messages struct {
	files   []*ast.File
	consts  map[string]string   // constants that are literals
	formats map[string][]format // functions that fail with a format, by name: the least position first
}

// format is how a function takes the format of an error.
type format struct {
	at     int      // the position of the parameter
	ending ast.Expr // what the function adds to the format, nil if it adds nothing
	isBug  bool     // the function adds "BUG: " in front
}

func messagesOf(files []*ast.File) *messages {
	m := &messages{files, map[string]string{}, map[string][]format{}}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				m.addConsts(n)
			case *ast.FuncDecl:
				m.addFormat(n.Name.Name, n.Type, n.Body)
			case *ast.AssignStmt:
				for i, r := range n.Rhs {
					if fn, ok := r.(*ast.FuncLit); ok && i < len(n.Lhs) {
						if id, ok := n.Lhs[i].(*ast.Ident); ok {
							m.addFormat(id.Name, fn.Type, fn.Body)
						}
					}
				}
			}
			return true
		})
	}
	return m
}

func (m *messages) addConsts(d *ast.GenDecl) {
	if d.Tok != token.CONST {
		return
	}
	for _, s := range d.Specs {
		v := s.(*ast.ValueSpec)
		for i, name := range v.Names {
			if i < len(v.Values) {
				if text, ok := m.text(v.Values[i]); ok {
					m.consts[name.Name] = text
				}
			}
		}
	}
}

// failing matches the names of functions that fail with the format that they take.
var failing = regexp.MustCompile(`(?i)fail|error|refuse|bad|unsupported|misused|wrong|malformed|damaged|newer|branching|invalid|bug`)

// addFormat records a function (…, format string, args ...any) that fails.
func (m *messages) addFormat(name string, t *ast.FuncType, body *ast.BlockStmt) {
	var names []string
	variadic := false
	for _, p := range t.Params.List {
		for _, n := range p.Names {
			names = append(names, n.Name)
		}
		_, variadic = p.Type.(*ast.Ellipsis)
	}
	k := len(names) - 2
	if !variadic || k < 0 || !slices.Contains([]string{"format", "msg", "message"}, names[k]) || !failing.MatchString(name) {
		return
	}
	f := format{at: k}
	f.ending, f.isBug = addedTo(names[k], body)
	list := m.formats[name]
	i, found := slices.BinarySearchFunc(list, f, func(a, b format) int { return a.at - b.at })
	switch {
	case !found:
		m.formats[name] = slices.Insert(list, i, f)
	default: // functions of one name: the one whose callers name the fix decides
		if f.ending == nil {
			list[i].ending = nil
		}
		list[i].isBug = list[i].isBug && f.isBug
	}
}

// addedTo returns y of the sum x+y in a function's body, nil if there is none, and reports
// whether there is a sum "BUG: "+x.
func addedTo(x string, body *ast.BlockStmt) (y ast.Expr, isBug bool) {
	is := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == x
	}
	ast.Inspect(body, func(n ast.Node) bool {
		sum, ok := n.(*ast.BinaryExpr)
		switch {
		case !ok || sum.Op != token.ADD:
		case is(sum.X):
			y = sum.Y
		case is(sum.Y):
			lit, ok := sum.X.(*ast.BasicLit)
			isBug = isBug || ok && lit.Value == `"BUG: "`
		}
		return true
	})
	return y, isBug
}

// all returns the calls and literals that make messages, and their formats.
func (m *messages) all() map[ast.Node]string {
	out := map[ast.Node]string{}
	for _, f := range m.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.GenDecl); ok && v.Tok == token.VAR && isKinds(v) {
				return false
			}
			if lit, ok := n.(*ast.CompositeLit); ok {
				if text, ok := m.msg(lit); ok {
					out[lit] = text
				}
				return true
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, f := range m.format(call) {
				if f.at >= len(call.Args) {
					break
				}
				if text, ok := m.text(call.Args[f.at]); ok {
					if f.ending != nil {
						ending, _ := m.text(f.ending)
						text += ending
					}
					if f.isBug {
						text = "BUG: " + text
					}
					out[call] = text
					break
				}
			}
			return true
		})
	}
	return out
}

// msg returns the message of an Error that is written out. An error behind it follows it.
func (m *messages) msg(lit *ast.CompositeLit) (text string, ok bool) {
	typ := lit.Type
	if s, is := typ.(*ast.SelectorExpr); is {
		typ = s.Sel
	}
	if id, is := typ.(*ast.Ident); !is || id.Name != "Error" {
		return "", false
	}
	wraps := false
	for _, e := range lit.Elts {
		kv, is := e.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		switch key, _ := kv.Key.(*ast.Ident); {
		case key == nil:
		case key.Name == "Msg":
			text, ok = m.text(kv.Value)
		case key.Name == "Err":
			wraps = true
		}
	}
	if wraps {
		text += ": %w"
	}
	return text, ok
}

// isKinds reports whether a declaration contains errors for errors.Is, which name a kind and not
// a mistake.
func isKinds(d *ast.GenDecl) bool {
	for _, s := range d.Specs {
		if v := s.(*ast.ValueSpec); !strings.HasPrefix(v.Names[0].Name, "Err") && !strings.HasPrefix(v.Names[0].Name, "err") {
			return false
		}
	}
	return true
}

// format returns which arguments of a call may be the format of an error: the first of them
// that has a text is.
func (m *messages) format(call *ast.CallExpr) []format {
	name, of := "", ""
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if x, ok := f.X.(*ast.Ident); ok {
			of = x.Name
		}
	case *ast.Ident:
		name = f.Name
	}
	switch {
	case name == "FailOp":
		return []format{{at: 3}}
	case name == "Failf":
		return []format{{at: 1}}
	case name == "panic" && of == "", of == "fmt" && name == "Errorf", of == "errors" && name == "New":
		return []format{{at: 0}}
	}
	return m.formats[name]
}

// text returns the text of an expression, %s where a part is not constant.
func (m *messages) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		s, ok := m.consts[e.Name]
		return s, ok
	case *ast.ParenExpr:
		return m.text(e.X)
	case *ast.BinaryExpr:
		x, ok := m.text(e.X)
		y, also := m.text(e.Y)
		if !ok {
			x = "%s"
		}
		if !also {
			y = "%s"
		}
		return x + y, ok || also
	case *ast.CallExpr: // panic(fmt.Sprintf("…"))
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" && len(e.Args) > 0 {
			return m.text(e.Args[0])
		}
	}
	return "", false
}

// name matches names of the library, which begin in upper case, and of others.
var name = regexp.MustCompile(`^([A-Z]\w*(\.\w+)*('s)?|[A-Z]\w*[A-Z]\w*'s) `)

// faulty returns what is wrong with a message, "" if nothing is. "BUG: " begins what only a
// mistake in the library can cause, and no user can mend: such a message names no fix.
// "expected" in a parser's message is the fix.
func faulty(text string) string {
	switch {
	case strings.HasPrefix(text, "BUG: "), text == "unreachable":
		return ""
	case strings.HasSuffix(text, "."):
		return "ends with a full stop"
	case strings.TrimSpace(text) != text:
		return "begins or ends with a space"
	case text != "" && text[0] >= 'A' && text[0] <= 'Z' && !name.MatchString(text):
		return "begins in upper case"
	case strings.HasPrefix(text, "The ") || strings.HasPrefix(text, "A ") || strings.HasPrefix(text, "An "):
		return "begins in upper case"
	case !strings.Contains(text, ";") && !strings.HasPrefix(text, "expected ") && !strings.Contains(text, "%w") && !strings.HasSuffix(text, "%s") && !strings.HasSuffix(text, "%v"):
		return "does not name the fix after a semicolon"
	}
	return ""
}

// Messages are found however they are written.
func TestMessagesAreFound(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", `package p
const why = "no fix"
var ErrKind = errors.New("a kind")
func fail(op, format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
type cursor int
func (c cursor) fail(kind error, at int, format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func damaged(format string, args ...any) { cursor(0).fail(nil, 0, format+"; copy it", args...) }
func bugf(format string, args ...any) { panic(fmt.Sprintf("BUG: "+format, args...)) }
func f() error {
	bugf("eight")
	cursor(0).fail(nil, 0, "six %d", 6)
	damaged("seven")
	refuse := func(format string, args ...any) {}
	refuse("one")
	fail("op", "two "+why)
	panic("three")
	panic(fmt.Sprintf("four %d", 4))
	panic(&core.Error{Op: "f", Msg: "nine " + why})
	panic(&Error{Msg: fmt.Sprintf("ten %d", 10), Err: ErrKind})
	fmt.Printf("no message")
	return errors.Join(errors.New(why), fmt.Errorf("five: %w", ErrKind))
}`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, text := range messagesOf([]*ast.File{f}).all() {
		got = append(got, text)
	}
	slices.Sort(got)
	if want := []string{"%s; copy it", "BUG: %s", "BUG: eight", "five: %w", "four %d", "nine no fix", "no fix", "one", "seven; copy it", "six %d", "ten %d: %w", "three", "two no fix"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for text, want := range map[string]bool{"no fix": true, "a; b": false, "BUG: of the library": false, "expected )": false, "Upper case; lower": false, "ends.": true, " a; b": true, "x: %w": false} {
		if why := faulty(text); (why != "") != want {
			t.Errorf("%q: got %q, want a fault %v", text, why, want)
		}
	}
}
