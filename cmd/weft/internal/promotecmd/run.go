// Package promotecmd implements the command `weft promote`. It shows which type several types promote to under each
// known system, prints tables and pictures of the systems, and checks systems that users define.
package promotecmd

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/weft-go/weft/promote"
)

const usage = `usage:
  weft promote TYPE TYPE…              the result in Weft and why, then under every system
  weft promote --list                  the systems
  weft promote --scores [S…]           the score of each: verdict, laws, and pairs that lose something
  weft promote --system S --table      the table of a system (--format text, md, csv, tsv)
  weft promote --system S --lattice F  its lattice as dot, svg (--across: from left to right) or text
  weft promote --check S               is it a lattice? If not, why not, and status 1 (--limit N of each sort, 0 all)
  weft promote --diff S S              the cells in which two systems differ
  weft promote --explain TYPE TYPE TYPE  the three bracketings of a sum

A TYPE is f32, float32, bool, i* (a bare integer), f*, c*, i32? …, or a number such as
1000 or 2.5, which is what a Go constant is: a bare number with a value. A shell may
want 'i*' in quotes.
An S is the name of a system, or a file (- for standard input) with a graph
  {"A": ["B"], "B": []}   or   a < b < c; b < d
or a table, as JSON {"A": {"A": "A"}} or as tab-separated cells.
With --system, the first and the last form show that system only.
`

// The exit statuses.
const (
	ok       = 0
	refuted  = 1 // --check: no lattice
	mistaken = 2
)

type options struct {
	system, lattice, check, format string
	table, diff, explain, across   bool
	list, scores                   bool
	limit                          int
}

// Run runs the command with the arguments after `weft promote`. It returns the exit status: 0, 1 if the system that
// --check names is not a lattice, or 2 if the command could not be run.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var o options
	fs := flag.NewFlagSet("weft promote", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.system, "system", "", "")
	fs.StringVar(&o.lattice, "lattice", "", "")
	fs.StringVar(&o.check, "check", "", "")
	fs.StringVar(&o.format, "format", "text", "")
	fs.BoolVar(&o.table, "table", false, "")
	fs.BoolVar(&o.diff, "diff", false, "")
	fs.BoolVar(&o.explain, "explain", false, "")
	fs.BoolVar(&o.across, "across", false, "")
	fs.BoolVar(&o.list, "list", false, "")
	fs.BoolVar(&o.scores, "scores", false, "")
	fs.IntVar(&o.limit, "limit", 12, "")
	words, err := parse(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return ok
	}
	status := ok
	if err == nil {
		c := &command{options: o, stdin: stdin, out: stdout}
		status, err = c.run(words)
	}
	if err != nil {
		fmt.Fprintf(stderr, "weft promote: %s\n", strings.TrimPrefix(err.Error(), "promote: "))
		if errors.As(err, new(usageError)) {
			fmt.Fprint(stderr, usage)
		}
		return mistaken
	}
	return status
}

// parse parses flags wherever they stand among the words. A lone - is a word, and
// so is a negative number.
func parse(fs *flag.FlagSet, args []string) (words []string, err error) {
	for len(args) > 0 {
		a := args[0]
		if len(a) < 2 || a[0] != '-' || strings.ContainsRune("0123456789.", rune(a[1])) {
			words = append(words, a)
			args = args[1:]
			continue
		}
		if a == "--" {
			return append(words, args[1:]...), nil
		}
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, usageError{err.Error()}
		}
		args = fs.Args()
	}
	return words, nil
}

// usageError is a mistake in the arguments, answered with the usage.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

type command struct {
	options
	stdin io.Reader
	out   io.Writer
}

func (c *command) run(words []string) (int, error) {
	if err := c.oneTask(words); err != nil {
		return mistaken, err
	}
	switch {
	case c.list:
		return ok, c.listSystems()
	case c.scores:
		return ok, c.scoreSystems(words)
	case c.check != "":
		return c.checkSystem()
	case c.diff:
		return ok, c.diffSystems(words[0], words[1])
	case c.explain:
		return ok, c.explainTypes(words)
	case c.table:
		return ok, c.printTable()
	case c.lattice != "":
		return ok, c.drawLattice()
	}
	return ok, c.promoteTypes(words)
}

// oneTask checks that the flags ask for a single task, go together, and name a known format, and that the task takes as many words as there are.
func (c *command) oneTask(words []string) error {
	var tasks []string
	for name, set := range map[string]bool{"--list": c.list, "--scores": c.scores, "--check": c.check != "", "--diff": c.diff, "--explain": c.explain, "--table": c.table, "--lattice": c.lattice != ""} {
		if set {
			tasks = append(tasks, name)
		}
	}
	if len(tasks) > 1 {
		return usageError{fmt.Sprintf("%s and %s are two tasks; ask for one", min(tasks[0], tasks[1]), max(tasks[0], tasks[1]))}
	}
	if c.format != "text" && c.format != "md" && c.format != "csv" && c.format != "tsv" {
		return usageError{fmt.Sprintf("--format %s: there are text, md, csv and tsv", c.format)}
	}
	if (c.table || c.lattice != "") && c.system == "" {
		return usageError{tasks[0] + " needs --system S"}
	}
	if c.across && c.lattice != "svg" {
		return usageError{"--across needs --lattice svg"}
	}
	want := 0
	switch {
	case c.diff:
		want = 2
	case c.explain:
		want = 3
	case c.scores:
		want = len(words)
	case len(tasks) == 0:
		if len(words) < 2 {
			return usageError{"give two types or more"}
		}
		return nil
	}
	if len(words) != want {
		return usageError{fmt.Sprintf("%s takes %d words, not %d (%s)", tasks[0], want, len(words), strings.Join(words, " "))}
	}
	return nil
}

// systems returns the systems to show: the one that --system names, or all.
func (c *command) systems() ([]promote.System, error) {
	if c.system == "" {
		return promote.Systems(), nil
	}
	s, err := c.load(c.system)
	return []promote.System{s}, err
}
