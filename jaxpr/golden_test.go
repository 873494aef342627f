package jaxpr_test

import (
	gocmp "cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core/prim"
	goldendata "github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
)

// golden is a program as JAX prints it.
type golden struct {
	File  string
	Name  string `json:"name"`
	Group string `json:"group"`
	Level string `json:"level"`
	Text  string `json:"text"`
	Plain string `json:"plain"` // Text with Python's integers for NumPy's
}

// text returns the text with plain integers.
func (g golden) text() string {
	if g.Plain != "" {
		return g.Plain
	}
	return g.Text
}

// goldens returns the records of testdata, or the whole where WEFT_GOLDEN names it,
// without those that read _.
func goldens(t testing.TB) []golden {
	t.Helper()
	return slices.DeleteFunc(allGoldens(t), golden.readsBlank)
}

func allGoldens(t testing.TB) []golden {
	t.Helper()
	files := []string{subset}
	if goldenfile.Whole() {
		files, _ = filepath.Glob(goldenfile.Path(t, "jax/jaxprs/*.jsonl", ""))
		if len(files) == 0 {
			t.Fatalf("no golden texts in %s", goldenfile.Dir())
		}
		files = append(files, goldenfile.Path(t, "jax/evals.jsonl", ""), goldenfile.Path(t, "jax/program_texts.jsonl", ""))
	}
	return readGoldens(t, files...)
}

// subset contains a few records of each group.
const subset = "testdata/jaxprs.jsonl"

func readGoldens(t testing.TB, files ...string) []golden {
	t.Helper()
	var all []golden
	for _, name := range files {
		for g := range goldenfile.Records[golden](t, goldenfile.OpenFile(t, name)) {
			g.File = filepath.Base(name)
			all = append(all, g)
		}
	}
	plain := map[string]string{}
	for _, g := range all {
		plain[g.Text] = gocmp.Or(plain[g.Text], g.Plain)
	}
	for i := range all {
		all[i].Plain = plain[all[i].Text]
	}
	return all
}

// blankOperand finds _ where it is read, as an operand or a result.
var blankOperand = regexp.MustCompile(`[ (]_[ ,)\n]`)

func (g golden) readsBlank() bool { return goldendata.ReadsBlank(g.text()) }

// Where the caller of a program drops a result, JAX writes the variable of that result as _, also
// as an operand within the program. Which variable is meant follows from the types.
func TestReadingBlank(t *testing.T) {
	n := 0
	for _, g := range allGoldens(t) {
		if !g.readsBlank() {
			continue
		}
		n++
		j, err := jaxpr.Parse(g.text(), prim.Vocabulary)
		if err == nil {
			err = jaxpr.Check(j)
		}
		if err != nil {
			t.Errorf("%s %s: %v", g.File, g.Name, err)
			continue
		}
		named, err := jaxpr.Parse(goldendata.NameBlanks(g.text()), prim.Vocabulary)
		if err != nil {
			t.Errorf("%s %s: with names: %v", g.File, g.Name, err)
		} else if diff := jaxpr.Diff(named, j); diff != "" {
			t.Errorf("%s %s: not as with names: %s", g.File, g.Name, diff)
		}
	}
	if n < 2 {
		t.Errorf("%d texts read _, want some", n)
	}
}

// Every other text of JAX reads, checks, and prints as it was.
func TestRoundTrip(t *testing.T) {
	same, blank := 0, 0
	for _, g := range goldens(t) {
		text := g.text()
		j, err := jaxpr.Parse(text, nil)
		if err != nil {
			t.Errorf("%s %s: %v", g.File, g.Name, err)
			continue
		}
		if got := j.String(); got != text {
			t.Errorf("%s %s: not as it was (-want +got)\n%s", g.File, g.Name, cmp.Diff(strings.Split(text, "\n"), strings.Split(got, "\n")))
			continue
		}
		same++
		if blankOperand.MatchString(text) {
			blank++
		}
	}
	t.Logf("%d texts print as they were; in %d of them _ is a result of a program that is called", same, blank)
}
