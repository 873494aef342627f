package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/stablehlo"
)

var showCommand = command{
	name: "show", args: "[--as html|dot|stats|text|plan|kernels|stablehlo] [--after PASS] [FILE]",
	short: "show a program as a page, a graph or in numbers",
	long: `show writes another view of a program to standard output.

    --as html      a page: point at a variable to see where it is used, click on the
                   brace of a program within an equation to fold it (the default)
    --as dot       a graph for Graphviz: weft show --as dot f.jaxpr | dot -Tsvg > f.svg
    --as stats     equations by operation, how many operations on numbers they are, and
                   how many bytes they read and write
    --as text      the text, laid out as weft fmt does (the default with --after)
    --as stablehlo a StableHLO module: see weft help lower
    --as plan      the steps of an executor with kernels: fused kernels and what they read
                   and write, equations left to the reference with the reason, memory
    --as kernels   these kernels in the kernel IR
    --after PASS   the program after a pass, and those before it, that rewrite a program for
                   an executor: ` + passNames() + `; all is the last one

    weft show --after all f.jaxpr
`,
	run: runShow,
}

// passNames lists the passes over programs in their order.
func passNames() string {
	var names []string
	for _, p := range lower.Passes() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func runShow(e *env, words []string) int {
	var as, after string
	files, ok := parseFlags(e, "show", func(fs *flag.FlagSet) {
		fs.StringVar(&as, "as", "", "")
		fs.StringVar(&after, "after", "", "")
		fs.StringVar(&e.function, "func", "", "")
	}, words)
	if !ok {
		return usage
	}
	passes := lower.Passes()
	if after == "all" {
		after = passes[len(passes)-1].Name
	}
	if after != "" && !slices.ContainsFunc(passes, func(p lower.Pass) bool { return p.Name == after }) {
		return misused(e, "show", "unknown pass %s; the passes are %s", after, passNames())
	}
	if as == "" {
		as = "html"
		if after != "" {
			as = "text"
		}
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
	case "stablehlo":
		view = nil
	case "plan", "kernels":
		if after != "" {
			return misused(e, "show", "--as %s shows what follows all passes; leave out --after", as)
		}
		view = func(j *jaxpr.Jaxpr, _ string) string { return plan(j, as) }
	default:
		return misused(e, "show", "unknown view %s; the views are html, dot, stats, text, plan, kernels, stablehlo", as)
	}
	j, s, ok := load(e, files[0])
	if !ok {
		return wrong
	}
	if after != "" {
		if err := core.Catch(func() { j = lower.After(j, after) }); err != nil {
			report(e, s, err)
			return wrong
		}
	}
	if view == nil {
		text, err := moduleText(j, stablehlo.WriteOptions{})
		if err != nil {
			report(e, s, err)
			return wrong
		}
		fmt.Fprint(e.out, text)
		return done
	}
	var text string
	if err := core.Catch(func() { text = view(j, s.name) }); err != nil {
		report(e, s, err)
		return wrong
	}
	fmt.Fprint(e.out, text)
	return done
}

// plan returns the plan of a lowered program as text, or its kernels.
func plan(j *jaxpr.Jaxpr, as string) string {
	p := fuse.Translate(lower.Program(j))
	if as == "plan" {
		return p.String()
	}
	var b strings.Builder
	for i, k := range p.Kernels() {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(k.String())
	}
	return b.String()
}
