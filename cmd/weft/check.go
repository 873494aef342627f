package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms/discharge"
)

var checkCommand = command{
	name: "check", args: "[flags] [FILE…]",
	short: "parse and check programs, and print what they are",
	long: `check reports of each program whether it is right: every variable bound once and before
it is used, every operation on types that it takes and giving the types declared.
Operations that are not in the vocabulary are listed: their scoping and number of
results are checked, no more, and they cannot be evaluated. A program is refused if one
within it has constants, whose values are not in the text, or if it has an operation of
the vocabulary in a form that cannot be evaluated.

Of a StableHLO module every function is translated, and the check.* operations of an
entry without arguments are run, as StableHLO's own interpreter does. An ONNX model is loaded,
which refuses operators that are not supported, and traced if it states all sizes.

    -q             print nothing about programs that are right
    --strict       an operation outside the vocabulary is a mistake
`,
	run: runCheck,
}

func runCheck(e *env, words []string) int {
	var quiet, strict bool
	files, ok := parseFlags(e, "check", func(fs *flag.FlagSet) {
		fs.BoolVar(&quiet, "q", false, "")
		fs.BoolVar(&strict, "strict", false, "")
	}, words)
	if !ok {
		return usage
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	status := done
	for _, name := range files {
		s, err := readSource(e, name)
		if err != nil {
			fmt.Fprintf(e.err, "weft: %v\n", err)
			status = wrong
			continue
		}
		if s.file != nil {
			check := checkModules
			if s.onnx {
				check = checkONNX
			}
			if !check(e, s, quiet) {
				status = wrong
			}
			continue
		}
		j, s, ok := loadSource(e, s)
		if !ok {
			status = wrong
			continue
		}
		if n := hiddenConstants(j); n > 0 {
			fmt.Fprintf(e.err, "%s: cannot be evaluated: programs within it have %s whose values the text does not contain; make them arguments\n", s.name, count(n, "constant"))
			status = wrong
			continue
		}
		pure := j
		err = core.Catch(func() { pure = discharge.Program(j) })
		unknown, unsupported := outside(pure)
		if err != nil {
			if c := (*core.Error)(nil); !errors.As(err, &c) || c.Kind != core.ErrNoRule || unknown[c.Op] == "" {
				report(e, s, err)
				status = wrong
				continue
			}
			for _, access := range []string{"get", "swap", "addupdate"} { // they remain because of the unknown operation
				delete(unsupported, access)
			}
		}
		if strict {
			maps.Copy(unsupported, unknown)
			unknown = nil
		}
		report := func(w io.Writer, out map[string]string) {
			for _, n := range slices.Sorted(maps.Keys(out)) {
				fmt.Fprintf(w, "%s: %s cannot be evaluated: %s\n", s.name, n, out[n])
			}
		}
		report(e.err, unsupported)
		if len(unsupported) > 0 {
			status = wrong
			continue
		}
		if st := jaxpr.Stats(j); !quiet {
			fmt.Fprintf(e.out, "%s: ok, %s in %s\n", s.name, count(st.Equations, "equation"), count(st.Programs, "program"))
			report(e.out, unknown)
		}
	}
	return status
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// outside lists the operations of j that exist in text only, and why: those that are not in the vocabulary, and those that
// have a form which Weft does not support.
func outside(j *jaxpr.Jaxpr) (unknown, unsupported map[string]string) {
	unknown, unsupported = map[string]string{}, map[string]string{}
	forEachProgram(j, func(p *jaxpr.Jaxpr) {
		for _, eqn := range p.Eqns {
			why, is := jaxpr.Outside(eqn.Prim)
			if !is {
				continue
			}
			if o, ok := eqn.Prim.(*jaxpr.Opaque); ok && o.Unknown {
				unknown[eqn.Prim.Name()] = why
			} else {
				unsupported[eqn.Prim.Name()] = why
			}
		}
	})
	return unknown, unsupported
}

// hiddenConstants counts the constants of the programs within j that have no values.
func hiddenConstants(j *jaxpr.Jaxpr) int {
	n := 0
	forEachProgram(j, func(p *jaxpr.Jaxpr) {
		if p != j && p.ConstVals == nil {
			n += len(p.Consts)
		}
	})
	return n
}

// forEachProgram calls f with j and each program within it, once.
func forEachProgram(j *jaxpr.Jaxpr, f func(*jaxpr.Jaxpr)) {
	seen := map[*jaxpr.Jaxpr]bool{j: true}
	for queue := []*jaxpr.Jaxpr{j}; len(queue) > 0; queue = queue[1:] {
		f(queue[0])
		for _, eqn := range queue[0].Eqns {
			for _, p := range jaxpr.Programs(eqn.Prim) {
				if !seen[p] {
					seen[p] = true
					queue = append(queue, p)
				}
			}
		}
	}
}
