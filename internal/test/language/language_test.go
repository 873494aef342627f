// Package language checks the prose of the module: comments, messages and pages are plain
// technical English. It contains only tests.
package language

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// notVerbs are words in s that begin a comment without saying what a function does, and verbs
// that are for people.
var notVerbs = []string{"is", "has", "was", "does", "goes", "gives", "says", "asks", "holds", "knows", "sees", "meets", "believes", "tells", "this", "its", "as"}

// dialect matches words that are refused in comments, messages and pages: functions and
// programs are no people, and each thing has one name, that of the field.
var dialect = regexp.MustCompile(`\b([Ww]hoever|[Ss]omebody|[Nn]obody|[Ww]hatever|trips?|ways? out|(is|are|was|were) worth|has it written|strangers?|comes? back|came back|` +
	// A loop has iterations. A turn is an angle, "in turn" an order.
	`(each|every|first|last|next|one|per) turns? of (a|an|the|its) (loop|while|scan|body)|(on|in|at|after|before) (each|every|the (first|last|next)) turn|(loop|scan|while)'s turns?|` +
	// A window has positions. The place of a person's code, of an exponent or "in place" is the usual word.
	`(the (same|given) places|an array has places|places? of (the|an) array|place in (the|an|x's) (array|axis))|` +
	// Operands have types, and taps of windows read elements.
	`(what|that|they|types?|operands?|elements?|windows?|updates?|positions?|taps?|padding) (meet|met)\b|` +
	`windows?'?s? places?|(each|every|the|next) (place|places) of (a|an|the|its|each|every) windows?|at each of its places|` +
	`says|asks|knows|sees|believes|meets|tells|gives|gave|` +
	// A program states, requires, caches and receives; users know, want and see.
	`said|saw|remembers?|remembered|forgets|forgot|wants|wanted|thinks|thought|wishes|hopes|knew|tells?|telling|told|owes|learns of|cares? for|speaks? of|` +
	`[a-z]+s know|(they|not|it|does|would|needs? to|wants? to) know|(must|they|[a-z]+s) say|(to|and|or|not|;|,) say (what|which|how|nothing|so|for|of|that|where|when|why)|more to say|, say|` +
	`(they|functions?|rules?|programs?|callers?|drivers?|threads|runtime) want|(functions?|rules?|programs?|callers?|transformations?|interpreters?|executors?|kernels?|passes|scopes?|values?|batche?s?|both|each|never|others) see|` +
	`seen (by|yet|before)|(never|not|nothing has) seen|(functions?|programs?|values?|results?|rules?|kernels?|pools?) (forget|learn|think|care|trust)|` +
	`(?i:files?|texts?|programs?|functions?|arrays?|axis|tree|map|package|interface|equation|primitive|field|buffer|slice|struct|type|f16|f32|f64) (holds?|meet|give|say|ask|know|see|believe))\b`)

// goFiles returns the parsed Go files of the module by path.
func goFiles(t *testing.T) (*token.FileSet, map[string]*ast.File) {
	fset, files := token.NewFileSet(), map[string]*ast.File{}
	walk(t, func(file string) {
		if !strings.HasSuffix(file, ".go") {
			return
		}
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[file] = f
	})
	return fset, files
}

func walk(t *testing.T, visit func(file string)) {
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && file != root
		if d.IsDir() {
			if hidden || d.Name() == "testdata" || d.Name() == "language" {
				return filepath.SkipDir
			}
			return nil
		}
		visit(filepath.ToSlash(file))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The comment of an exported function begins with its name and a verb in the third person.
func TestCommentsBeginWithAVerb(t *testing.T) {
	fset, files := goFiles(t)
	n := 0
	for file, f := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil || !fn.Name.IsExported() {
				continue
			}
			n++
			words := strings.Fields(fn.Doc.Text())
			if len(words) < 2 || words[0] != fn.Name.Name || !verb(words[1]) {
				t.Errorf("%s: the comment of %s begins %q; write %q and a verb: returns, reports, computes …",
					fset.Position(fn.Doc.Pos()), fn.Name.Name, strings.Join(words[:min(4, len(words))], " "), fn.Name.Name)
			}
		}
	}
	if n < 2000 {
		t.Errorf("only %d comments were found", n)
	}
}

func verb(w string) bool {
	w = strings.TrimRight(w, ",")
	return regexp.MustCompile(`^[a-z]+s$`).MatchString(w) && !slices.Contains(notVerbs, w)
}

// Comments, messages and pages contain no word of the dialect.
func TestNoDialect(t *testing.T) {
	fset, files := goFiles(t)
	check := func(where, text string) {
		for _, w := range dialect.FindAllString(text, -1) {
			t.Errorf("%s: %q; use the field's words", where, w)
		}
	}
	for _, f := range files {
		for _, c := range f.Comments {
			for _, line := range c.List {
				check(fset.Position(line.Pos()).String(), line.Text)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				check(fset.Position(lit.Pos()).String(), lit.Value)
			}
			return true
		})
	}
	walk(t, func(file string) {
		if !strings.HasSuffix(file, ".md") {
			return
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			check(fmt.Sprintf("%s:%d", file, i+1), line)
		}
	})
}

// Words that the field has for something else are refused in the sense that it has another word for.
func TestDialectSenses(t *testing.T) {
	for _, text := range []string{
		"Whoever closes it", "Whatever runs", "each turn of the loop adds one", "checked on every turn", "after the last turn", "the scan's turns", "in each trip",
		"their values know whom they belong to", "the error does not know it", "what another package said", "wants an integer", "they say nothing that the types do not say",
		"how many steps it took, say.", "remembers the keys", "reset forgets the arrays", "cannot be told", "the rules do not see them, and a rule saw two", "seen by every interpreter", "kernels trust them", "what a driver needs to know",
		"counts the window's places", "the elements at the given places", "the types that met", "windows meet padding", "for each place of a window", "the next place of the window", "the elements under a window at each of its places",
	} {
		if !dialect.MatchString(text) {
			t.Errorf("%q: got no refusal", text)
		}
	}
	for _, text := range []string{
		"an eighth of a turn", "the two ranges do not meet", "whose edges meet", "a quarter turn", "the programs ran in turn", "rounding may turn the direction uphill", "turns the vector",
		"for those who know Go", "you know the shape", "a known value", "see Order", "you see the type", "as seen from the loop", "got 2, want 3", "off returns the error where the truth is want", "learns to read digits", "the forget gate",
		"adds in place", "atoms in the place of variables", "the exponent's place", "windows of any of the axes, many in one place",
	} {
		if w := dialect.FindString(text); w != "" {
			t.Errorf("%q: %q is refused", text, w)
		}
	}
}
