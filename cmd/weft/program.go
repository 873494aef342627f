package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-go/weft/cmd/weft/internal/input"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// source is a program's text and where it came from.
type source struct {
	name string // of the file, or <stdin>
	text string
}

// readSource reads a file, or standard input where it is called -.
func readSource(e *env, name string) (source, error) {
	if name == "-" {
		b, err := input.Read("<stdin>", e.in)
		return source{"<stdin>", string(b)}, err
	}
	b, err := input.ReadFile(name)
	return source{name, string(b)}, err
}

// load reads, parses and checks a program, and reports what is wrong with it.
func load(e *env, name string) (j *jaxpr.Jaxpr, s source, ok bool) {
	s, err := readSource(e, name)
	if err != nil {
		fmt.Fprintf(e.err, "weft: %v\n", err)
		return nil, s, false
	}
	return loadSource(e, s)
}

// loadSource returns load of a file that was read.
func loadSource(e *env, s source) (j *jaxpr.Jaxpr, _ source, ok bool) {
	var err error
	s.text = strings.TrimPrefix(s.text, "\ufeff") // editors mark texts with it, and it is invisible
	if strings.TrimSpace(s.text) == "" {
		fmt.Fprintf(e.err, "%s: there is no program: the text is empty\n", s.name)
		return nil, s, false
	}
	if isModule(s) {
		j, ok = loadModule(e, s)
		return j, s, ok
	}
	j, err = jaxpr.Parse(s.text, prim.Vocabulary)
	if err == nil {
		err = jaxpr.Check(j)
	}
	if err != nil {
		report(e, s, err)
		if strings.Contains(err.Error(), "a second program begins here") {
			fmt.Fprintln(e.err, "write each program to a file of its own; of the two that weft linearize writes, --part fwd or --part lin gives one")
		}
		return nil, s, false
	}
	return j, s, true
}

// report writes an error with its place in the text, if it has one, and a caret.
func report(e *env, s source, err error) {
	var c *core.Error
	if !errors.As(err, &c) {
		fmt.Fprintf(e.err, "%s: %v\n", s.name, err)
		return
	}
	d := *c
	d.Pos = "" // in the text, or a line of ours
	d.Msg = inCommandsWords(d.Msg)
	if at := jaxpr.InText(s.text, err); at != nil {
		d.Err = nil // the place
		fmt.Fprintf(e.err, "%s:%d:%d: %v\n%s\n", s.name, at.Line, at.Col, &d, at.Caret())
		return
	}
	fmt.Fprintf(e.err, "%s: %v\n", s.name, &d)
}
