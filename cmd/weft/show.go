package main

import (
	"flag"
	"fmt"

	"github.com/weft-go/weft/jaxpr"
)

var showCommand = command{
	name: "show", args: "[--as html|dot|stats|text] [FILE]",
	short: "show a program as a page, a graph or in numbers",
	long: `show writes another view of a program to standard output.

    --as html      a page: point at a variable to see where it is used, click on the
                   brace of a program within an equation to fold it (the default)
    --as dot       a graph for Graphviz: weft show --as dot f.jaxpr | dot -Tsvg > f.svg
    --as stats     equations by operation, how many operations on numbers they are, and
                   how many bytes they read and write
    --as text      the text, laid out as weft fmt does
`,
	run: runShow,
}

func runShow(e *env, words []string) int {
	var as string
	files, ok := parseFlags(e, "show", func(fs *flag.FlagSet) { fs.StringVar(&as, "as", "html", "") }, words)
	if !ok {
		return usage
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	if len(files) > 1 {
		return misused(e, "show", "one program at a time, got %d files", len(files))
	}
	var view func(*jaxpr.Jaxpr, string) string
	switch as {
	case "html":
		view = (*jaxpr.Jaxpr).HTML
	case "dot":
		view = func(j *jaxpr.Jaxpr, _ string) string { return j.DOT() }
	case "text":
		view = func(j *jaxpr.Jaxpr, _ string) string { return j.String() + "\n" }
	case "stats":
		view = func(j *jaxpr.Jaxpr, _ string) string { return jaxpr.Stats(j).String() + costOf(j).String() }
	default:
		return misused(e, "show", "there is no view %s; there are html, dot, stats, text", as)
	}
	j, s, ok := load(e, files[0])
	if !ok {
		return wrong
	}
	fmt.Fprint(e.out, view(j, s.name))
	return done
}
