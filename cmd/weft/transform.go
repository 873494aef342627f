package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// transformation is a command that reads one program and writes another.
type transformation struct {
	name   string
	define func(*flag.FlagSet)
	// ready checks that the flags agree with each other. It returns a description of the mistake, or "".
	ready func() string
	// apply returns the programs to be written, made from the one that was read.
	apply func(*jaxpr.Jaxpr) []*jaxpr.Jaxpr
	// rules is set if the result depends on custom rules. Then there is a flag to ignore them.
	rules bool
}

func (t *transformation) run(e *env, words []string) int {
	var ignore bool
	files, ok := parseFlags(e, t.name, func(fs *flag.FlagSet) {
		if t.define != nil {
			t.define(fs)
		}
		fs.StringVar(&e.function, "func", "", "")
		fs.StringVar(&e.types, "types", "", "")
		fs.Func("bind", "", e.binds)
		if t.rules {
			fs.BoolVar(&ignore, "ignore-custom-rules", false, "")
		}
	}, words)
	if !ok {
		return usage
	}
	if t.ready != nil {
		if mistake := t.ready(); mistake != "" {
			return misused(e, t.name, "%s", mistake)
		}
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	if len(files) > 1 {
		return misused(e, t.name, "one program at a time (got %d files); name one", len(files))
	}
	j, s, ok := load(e, files[0])
	if !ok {
		return wrong
	}
	// The text cannot contain the values of a module's constants: they become binders.
	j = &jaxpr.Jaxpr{Consts: j.Consts, Ins: j.Ins, Eqns: j.Eqns, Outs: j.Outs}
	if ignore {
		j = withoutRules(j)
	}
	var out []*jaxpr.Jaxpr
	if err := core.Catch(func() { out = t.apply(j) }); err != nil {
		report(e, s, err)
		if t.rules && !ignore && errors.Is(err, core.ErrCustomRule) {
			fmt.Fprintf(e.err, "weft %s --ignore-custom-rules goes on, with the program of the function instead of its rules\n", t.name)
		}
		return wrong
	}
	var text strings.Builder
	for _, p := range out {
		if err := jaxpr.Check(p); err != nil {
			report(e, s, err)
			return wrong
		}
		text.WriteString(p.String())
		text.WriteByte('\n')
	}
	fmt.Fprint(e.out, text.String())
	return done
}

// constantsKept makes the first inputs of p, the transformed j, constants again. So the next transformation in a pipe
// leaves them alone, too.
func constantsKept(j, p *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if len(p.Consts) > 0 {
		panic("BUG: a transformed program has constants whose values no text can hold")
	}
	n := len(j.Consts)
	return &jaxpr.Jaxpr{Consts: p.Ins[:n:n], Ins: p.Ins[n:], Eqns: p.Eqns, Outs: p.Outs}
}

// withoutRules returns j with plain calls in the place of calls with custom rules, which the text does not contain. Calls
// with rules of the library stay.
func withoutRules(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	made := map[*jaxpr.Jaxpr]*jaxpr.Jaxpr{}
	var program func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr
	plain := func(p core.Primitive) core.Primitive {
		switch p := p.(type) {
		case *jaxpr.CustomJVP:
			if transforms.HasLibraryRule(p) {
				return p
			}
			return &jaxpr.Jit{Fn: p.Fn, Jaxpr: program(p.Jaxpr)}
		case *jaxpr.CustomVJP:
			return &jaxpr.Jit{Fn: p.Fn, Jaxpr: program(p.Jaxpr)}
		case *jaxpr.CustomVmap:
			return &jaxpr.Jit{Fn: p.Fn, Jaxpr: program(p.Jaxpr)}
		}
		js := jaxpr.Programs(p)
		if _, opaque := p.(*jaxpr.Opaque); opaque || len(js) == 0 {
			return p // every transformation refuses an opaque primitive, naming it
		}
		out := make([]*jaxpr.Jaxpr, len(js))
		for i, j := range js {
			out[i] = program(j)
		}
		q, ok := jaxpr.WithPrograms(p, out)
		if !ok {
			panic("BUG: the programs of " + p.Name() + " cannot be replaced, but the vocabulary has no such primitive")
		}
		return q
	}
	program = func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
		if out := made[j]; out != nil {
			return out
		}
		out := &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: j.Ins, Outs: j.Outs}
		made[j] = out
		for _, e := range j.Eqns {
			f := *e
			f.Prim = plain(e.Prim)
			out.Eqns = append(out.Eqns, &f)
		}
		return out
	}
	return program(j)
}

// numbers is a flag whose value is a list of numbers separated by commas.
type numbers struct {
	list  []int
	given bool
	none  bool // the word none is allowed as an element, and means unmapped
}

func (n *numbers) String() string { return "" }

func (n *numbers) Set(text string) error {
	n.given, n.list = true, nil
	if text == "" {
		return nil
	}
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if n.none && strings.EqualFold(word, "none") {
			n.list = append(n.list, unmapped)
			continue
		}
		k, err := strconv.Atoi(word)
		if err != nil {
			if n.none {
				return fmt.Errorf("%q is neither a number nor none; write an integer, or none", word)
			}
			return fmt.Errorf("%q is no number; write an integer", word)
		}
		n.list = append(n.list, k)
	}
	return nil
}

// spread returns the list for count elements: a single number stands for all, and so does 0 if none was given.
func (n *numbers) spread(count int) []int {
	list := n.list
	if !n.given {
		list = []int{0}
	}
	if len(list) != 1 || count == 1 {
		return list
	}
	out := make([]int, count)
	for i := range out {
		out[i] = list[0]
	}
	return out
}
