package main

import (
	"flag"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// The commands that differentiate.

const aboutConstants = `
Captured constants, the binders before the semicolon, stay where they are, in every
command of a pipe: they are neither differentiated nor mapped. Inputs of integers,
truth values and keys have no derivatives.

    --types TYPES  of a StableHLO module: the types of arguments whose sizes it leaves
                   open, in order or as name=type: --types 'f32[3,8]'
`

const aboutRules = `
    --ignore-custom-rules   custom_jvp_call, custom_vjp_call and custom_vmap_call name rules
                   that are Go or Python functions, which no text contains. They are errors
                   here; with this flag the program of the function takes their place.
`

var jvpCommand = command{
	name: "jvp", args: "[flags] [FILE]",
	short: "differentiate forward: results and their tangents",
	long: `jvp writes the program that maps the inputs, followed by tangents of the floating and
complex ones, to the results, followed by tangents of the floating and complex ones.
Without a file, or for -, it reads standard input.
` + aboutRules + aboutConstants + `
    echo '{lambda;x:f32[].let y:f32[]=sin x in(y,)}' | weft jvp | weft eval - 0 1
`,
	run: func(e *env, words []string) int {
		t := transformation{name: "jvp", rules: true, apply: func(j *jaxpr.Jaxpr) []*jaxpr.Jaxpr {
			return []*jaxpr.Jaxpr{constantsKept(j, transforms.JVPProgram(j))}
		}}
		return t.run(e, words)
	},
}

var vjpCommand = command{
	name: "vjp", args: "[flags] [FILE]",
	short: "differentiate backward: cotangents of the inputs",
	long: `vjp writes the program that maps the inputs, followed by cotangents of the floating and
complex results, to the cotangents of the floating and complex inputs. Without a file,
or for -, it reads standard input.
` + aboutRules + aboutConstants + `
    echo '{lambda;x:f32[3].let y:f32[3]=sin x in(y,)}' | weft vjp | weft eval - '{0,1,2}' '{1,1,1}'
`,
	run: func(e *env, words []string) int {
		t := transformation{name: "vjp", rules: true, apply: func(j *jaxpr.Jaxpr) []*jaxpr.Jaxpr {
			return []*jaxpr.Jaxpr{constantsKept(j, transforms.VJPProgram(j))}
		}}
		return t.run(e, words)
	},
}

var gradCommand = command{
	name: "grad", args: "[flags] [FILE]",
	short: "the gradient of a program with one scalar result",
	long: `grad writes the program that maps the inputs to the gradients of the one result, a real
scalar. Without a file, or for -, it reads standard input.

    --wrt 0,2      with respect to these inputs, counted from 0, constants not (all that
                   are floating or complex)
` + aboutRules + aboutConstants + `
    echo '{lambda;x:f32[].let y:f32[]=sin x in(y,)}' | weft grad
    echo '{lambda;x:f32[].let y:f32[]=sin x in(y,)}' | weft grad | weft grad | weft eval - 1
`,
	run: func(e *env, words []string) int {
		var wrt numbers
		t := transformation{name: "grad", rules: true,
			define: func(fs *flag.FlagSet) { fs.Var(&wrt, "wrt", "") },
			ready: func() string {
				if wrt.given && len(wrt.list) == 0 {
					return "--wrt names no input"
				}
				return ""
			},
			apply: func(j *jaxpr.Jaxpr) []*jaxpr.Jaxpr {
				return []*jaxpr.Jaxpr{constantsKept(j, transforms.GradProgram(j, wrt.list))}
			}}
		return t.run(e, words)
	},
}

var linearizeCommand = command{
	name: "linearize", args: "[flags] [FILE]",
	short: "split into a forward and a linear part",
	long: `linearize splits a program at a point that is not known yet. The forward part maps the
inputs to the results, followed by residuals: what the derivative depends on at the
point. The linear part maps the residuals, followed by tangents of the floating and
complex inputs, to tangents of the floating and complex results. Without a file, or
for -, it reads standard input.

    --part PART    fwd, lin, or both, one after the other, for looking at (both)
` + aboutRules + aboutConstants + `
The transpose of the linear part, its residuals aside, is what vjp computes:

    weft linearize --part lin f.jaxpr | weft transpose --linear 2,3
`,
	run: func(e *env, words []string) int {
		var part string
		t := transformation{name: "linearize", rules: true,
			define: func(fs *flag.FlagSet) { fs.StringVar(&part, "part", "both", "") },
			ready: func() string {
				if part != "fwd" && part != "lin" && part != "both" {
					return "there is no part " + part + "; there are fwd, lin, both"
				}
				return ""
			},
			apply: func(j *jaxpr.Jaxpr) []*jaxpr.Jaxpr {
				fwd, lin := transforms.LinearizeProgram(j)
				if len(lin.Consts) > 0 {
					panic("BUG: a linear program has constants whose values no text can hold")
				}
				switch part {
				case "fwd":
					return []*jaxpr.Jaxpr{constantsKept(j, fwd)}
				case "lin":
					return []*jaxpr.Jaxpr{lin}
				}
				return []*jaxpr.Jaxpr{constantsKept(j, fwd), lin}
			}}
		return t.run(e, words)
	},
}

var transposeCommand = command{
	name: "transpose", args: "[flags] [FILE]",
	short: "transpose a linear program",
	long: `transpose writes the program that maps the inputs that are not linear, followed by
cotangents of the results, to cotangents of the linear inputs. The program must be
linear in them; where it is not, that is an error. Without a file, or for -, it reads
standard input.

    --linear 0,1   the linear inputs, counted from 0, constants not (all)
` + aboutConstants + `
    echo '{lambda;a:f32[3] x:f32[3].let y:f32[3]=mul a x in(y,)}' | weft transpose --linear 1
`,
	run: func(e *env, words []string) int {
		var linear numbers
		t := transformation{name: "transpose",
			define: func(fs *flag.FlagSet) { fs.Var(&linear, "linear", "") },
			ready: func() string {
				if linear.given && len(linear.list) == 0 {
					return "--linear names no input"
				}
				return ""
			},
			apply: func(j *jaxpr.Jaxpr) []*jaxpr.Jaxpr {
				var marks []bool
				if linear.given {
					marks = make([]bool, len(j.Ins))
					for _, k := range linear.list {
						if k < 0 || k >= len(marks) {
							core.FailOp(core.ErrIndex, "transpose", nil, "there is no input %d, because the program has %d; inputs count from 0", k, len(marks))
						}
						marks[k] = true
					}
				}
				return []*jaxpr.Jaxpr{constantsKept(j, transforms.TransposeProgram(j, marks))}
			}}
		return t.run(e, words)
	},
}
