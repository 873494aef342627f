package main

import (
	"flag"
	"fmt"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

const unmapped = transforms.Unmapped

var vmapCommand = command{
	name: "vmap", args: "--size N [flags] [FILE]",
	short: "map a program over a batch",
	long: `vmap writes the program that does for a batch of N what the program does for one
element. An input that is mapped has an axis of size N more; the others are the same
for every element. Without a file, or for -, it reads standard input.

    --size N       how large the batch is. The text has the types of one element, so
                   it does not follow from the program
    --in 0,none,1  the axis of each input that is the batch's, none where it is not
                   mapped; negative axes count from the end; one word stands for all (0)
    --out 0        where each result has the batch's axis; none for one that is the same
                   for every element; one word stands for all (0)
` + aboutRules + aboutConstants + `
    echo '{lambda;x:f32[].let y:f32[]=sin x in(y,)}' | weft grad | weft vmap --size 3 | weft eval - '{0,1,2}'
`,
	run: func(e *env, words []string) int {
		in, out := numbers{none: true}, numbers{none: true}
		size, sized := 0, false
		t := transformation{name: "vmap", rules: true,
			define: func(fs *flag.FlagSet) {
				fs.Var(&in, "in", "")
				fs.Var(&out, "out", "")
				fs.Func("size", "", func(word string) (err error) {
					sized = true
					if size, err = strconv.Atoi(word); err != nil {
						err = fmt.Errorf("%q is no number; write an integer", word)
					}
					return err
				})
			},
			ready: func() string {
				switch {
				case sized && size <= 0:
					return fmt.Sprintf("a batch has one element at least, not %d", size)
				case size == 0:
					return "pass the size of the batch with --size: the program has the types of one element"
				}
				return ""
			},
			apply: func(j *jaxpr.Jaxpr) []*jaxpr.Jaxpr {
				axes := func(flag, what string, n *numbers, count int) []int {
					list := n.spread(count)
					if len(list) != count {
						core.FailOp(core.ErrAxis, "vmap", nil, "--%s has %s, but the program has %s; give one for each", flag, plural(len(list), "axis", "axes"), plural(count, what, what+"s"))
					}
					return list
				}
				p := transforms.VmapProgram(j, axes("in", "input", &in, len(j.Ins)), axes("out", "result", &out, len(j.Outs)), size)
				return []*jaxpr.Jaxpr{constantsKept(j, p)}
			}}
		return t.run(e, words)
	},
}

var jitCommand = command{
	name: "jit", args: "[flags] [FILE]",
	short: "make one call of a program",
	long: `jit writes the program that calls the program it read, as a function that was wrapped
with Jit is called. Without a file, or for -, it reads standard input.

    --name NAME    what the called program is named (main)
`,
	run: func(e *env, words []string) int {
		var name string
		t := transformation{name: "jit",
			define: func(fs *flag.FlagSet) { fs.StringVar(&name, "name", "main", "") },
			ready: func() string {
				if !isName(name) {
					return fmt.Sprintf("the program could not be read again with the name %.40q; give --name letters, digits and underscores", name)
				}
				return ""
			},
			apply: func(j *jaxpr.Jaxpr) []*jaxpr.Jaxpr {
				return []*jaxpr.Jaxpr{constantsKept(j, transforms.JitProgram(j, name))}
			}}
		return t.run(e, words)
	},
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// isName reports whether a program whose call has this name can be read again.
func isName(s string) bool {
	empty := &jaxpr.Jaxpr{}
	text := transforms.JitProgram(empty, s).String()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	if err != nil || len(j.Eqns) != 1 {
		return false
	}
	call, ok := j.Eqns[0].Prim.(*jaxpr.Jit)
	return ok && call.Fn == s
}
