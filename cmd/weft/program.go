package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/weft-go/weft/cmd/weft/internal/input"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms/discharge"

	_ "github.com/weft-go/weft/equinox" // words of programs of Equinox and Lineax
)

type source struct {
	name   string      // of the file, or <stdin>
	text   string      // of a jaxpr
	file   *moduleFile // of a module or an ONNX model, not read yet
	onnx   bool
	module *stablehlo.Module // the module, once it was read
}

// readSource reads the text of a file, or of standard input if the name is -. A module or an ONNX model is read later, in
// pieces or through its file, since its constants may be large.
func readSource(e *env, name string) (s source, err error) {
	s.name = name
	var in *input.Reader
	if name == "-" {
		s.name = "<stdin>"
		in, err = input.New(s.name, io.NopCloser(e.in))
	} else {
		in, err = input.Open(name)
	}
	if err != nil {
		return s, err
	}
	e.progress.during("reading "+s.name, in)
	r := bufio.NewReaderSize(in, headBytes)
	head, err := r.Peek(headBytes)
	if err != nil && err != io.EOF {
		in.Close()
		return s, err
	}
	if bytes.HasPrefix(head, []byte(mark)) { // editors write this invisible mark at the beginning of texts
		r.Discard(len(mark))
		head = head[len(mark):]
	}
	if s.onnx = isONNX(s.name, head); s.onnx || isModule(s.name, head) {
		s.file = &moduleFile{r, in}
		return s, nil
	}
	defer in.Close()
	b, err := io.ReadAll(r)
	s.text = string(b)
	e.progress.during(e.progress.name(), nil)
	return s, err
}

const (
	headBytes = 1 << 16
	mark      = "\ufeff" // the byte order mark
)

// load reads, parses and checks a program, makes values of its mutable references, and reports what is wrong with it.
func load(e *env, name string) (j *jaxpr.Jaxpr, s source, ok bool) {
	j, s, ok = loadWritten(e, name)
	if !ok {
		return nil, s, false
	}
	written := j
	if err := core.Catch(func() { j = discharge.Program(written) }); err != nil {
		report(e, s, err)
		return nil, s, false
	}
	return j, s, true
}

// loadWritten is load for a program that stays as it was written.
func loadWritten(e *env, name string) (j *jaxpr.Jaxpr, s source, ok bool) {
	s, err := readSource(e, name)
	if err != nil {
		fmt.Fprintf(e.err, "weft: %v\n", err)
		return nil, s, false
	}
	return loadSource(e, s)
}

func loadSource(e *env, s source) (j *jaxpr.Jaxpr, _ source, ok bool) {
	switch {
	case s.onnx:
		return loadONNX(e, s)
	case s.file != nil:
		return loadModule(e, s)
	}
	if strings.TrimSpace(s.text) == "" {
		fmt.Fprintf(e.err, "%s: there is no program: the text is empty\n", s.name)
		return nil, s, false
	}
	j, err := jaxpr.Parse(s.text, prim.Vocabulary)
	if err == nil {
		fillEmpty(j)
		err = jaxpr.Check(j)
	}
	if err != nil {
		report(e, s, err)
		if strings.Contains(err.Error(), "a second program begins here") {
			fmt.Fprintln(e.err, "write each program to a file of its own; of the two that weft linearize writes, --part fwd or --part lin prints one")
		}
		return nil, s, false
	}
	return j, s, true
}

// fillEmpty sets the constants of programs within j if all of them are arrays without elements: a text contains no values
// of such constants, but an array without elements has only one.
func fillEmpty(j *jaxpr.Jaxpr) {
	for _, e := range j.Eqns {
		for _, p := range jaxpr.Programs(e.Prim) {
			fillEmpty(p)
			if len(p.Consts) == 0 || p.ConstVals != nil || slices.ContainsFunc(p.Consts, func(v *jaxpr.Var) bool { return v.Type.Size() > 0 }) {
				continue
			}
			for _, v := range p.Consts {
				p.ConstVals = append(p.ConstVals, runtime.New(v.Type))
			}
		}
	}
}

// report writes an error with its place in the text, if it has one, and a caret.
func report(e *env, s source, err error) {
	if s.module != nil && s.module.PlaceOf(err) != nil {
		reportModule(e, s, err)
		return
	}
	var c *core.Error
	if !errors.As(err, &c) {
		fmt.Fprintf(e.err, "%s: %v\n", s.name, err)
		return
	}
	d := *c
	d.Pos = "" // a position in the text, printed below, or in Go code
	d.Msg = inCommandsWords(d.Msg)
	if at := jaxpr.InText(s.text, err); at != nil {
		d.Err = nil // it has the position, which at gives
		fmt.Fprintf(e.err, "%s:%d:%d: %v\n%s\n", s.name, at.Line, at.Col, &d, at.Caret())
		return
	}
	fmt.Fprintf(e.err, "%s: %v\n", s.name, &d)
}
